"""Ingest: load → split and extract → embed → write, all four at once, then the links between pages.

Extraction and encoding run wherever a ``Spread`` lets them (``clew.ingest.spread``); documents are read, and the graph
is written, by this process alone.

What is written is whole after every transaction, and what is not is found again by hash: an ingest that is interrupted,
even by kill -9, is finished by running it again.
"""

from __future__ import annotations

import time
import uuid
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Literal, TypeVar

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.errors import BudgetExceededError
from clew.ingest.batch import Batch, Extracted, add_vectors, new_nodes, write
from clew.ingest.extractor import ConcurrentExtractor, Extractor
from clew.ingest.link import link_pending
from clew.ingest.load import PIPED
from clew.ingest.older import READING
from clew.ingest.prefetch import prefetch
from clew.ingest.remove import remove_documents
from clew.ingest.split import chunks
from clew.ingest.spread import HERE, Spread, timed
from clew.text import dictionaries
from clew.types import Chunk, Document, IngestReport, Skipped

LOOKUP = 250
"""Documents that are looked up in the graph with one round trip."""
BLOCK = 16
BLOCK_CHARACTERS = 100_000
"""Documents that are extracted together, at most, and the characters with which a block of fewer is full."""
CHUNKS = 400
"""Chunks in one transaction, at most."""
FACTS = 2000
"""Facts in one transaction, at most: enough to fill the encoder's length-sorted batches."""
WRITE_SECONDS = 5.0
"""Seconds of extraction that go into one transaction, at most: where documents come slowly, each is soon there."""
GATHER_SECONDS = 1.0
"""Seconds for which documents are gathered, to be looked up or extracted together."""

_MOST_NOTES = 1000

T = TypeVar("T")
Stage = Literal["write", "link", "refine"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an ingest is, and what it does at the moment; where a model refines, chunks are counted.

    ``seen`` documents have been read, ``done`` are in the graph (or were before), with ``characters`` of text.
    ``total`` is known once all sources have been read.
    """

    stage: Stage
    seen: int
    done: int
    total: int | None
    characters: int
    hyperedges: int
    skipped: int


@dataclass(slots=True)
class _Run:
    """What one ingest has counted so far; ``seconds`` of a stage are those of work, on however many processes.

    ``older`` are the documents of which the graph has another version, ``unlisted`` is the first source in a language
    whose names only dictionaries that are not installed would find.
    """

    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("load", "extract", "embed", "write"), 0.0))
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[Skipped] = field(default_factory=list)
    seen: int = 0
    all_seen: bool = False
    done: int = 0
    characters: int = 0
    unchanged: int = 0
    removed: int = 0
    replaced: int = 0
    older: set[str] = field(default_factory=set)
    stopped: str = ""
    unlisted: str = ""
    created: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    sources: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def timed(self, stage: str) -> _Timer:
        return _Timer(self.seconds, stage)

    def progress(self, stage: Stage) -> Progress:
        done = self.done + self.unchanged
        total = self.seen if self.all_seen else None
        return Progress(stage, self.seen, done, total, self.characters, self.created["Hyperedge"], len(self.skipped))


class _Timer:
    def __init__(self, seconds: dict[str, float], stage: str) -> None:
        self._seconds, self._stage = seconds, stage

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._seconds[self._stage] += time.perf_counter() - self._started


def ingest(
    items: Iterable[Document | Skipped],
    *,
    kb: str,
    database: Database,
    embedder: Embedder,
    extractor: Extractor,
    chunk_chars: int,
    on_progress: Callable[[Progress], None] = lambda _: None,
    spread: Spread = HERE,
    together: int = CHUNKS,
) -> IngestReport:
    """Bring documents into a knowledge base, which the first of them makes; what is there, unchanged, is left alone.

    ``spread`` says where documents are extracted (by an extractor that works on one at a time) and texts are encoded.
    ``together`` are the documents in one transaction, at most.

    A row that a corpus file no longer has is removed, once the whole file has been read without a fault. The report
    counts what was created. Raises DatabaseError, EmbedderError or ClusterError; all that was reported as done is in
    the graph then.
    """
    started = time.perf_counter()
    run = _Run()
    recipe = f"{extractor.name}/{chunk_chars}"
    changed = _changed(items, kb, database, embedder, recipe, run)
    found = (
        _extract_concurrently(changed, extractor, chunk_chars, recipe, run)
        if isinstance(extractor, ConcurrentExtractor)
        else _extract(changed, extractor, chunk_chars, recipe, run, spread)
    )
    extracted = prefetch(found, size=LOOKUP)

    def halt() -> None:
        spread.stop()
        if isinstance(extractor, ConcurrentExtractor):
            extractor.stop()

    embedded = prefetch(
        _embed(_batches(extracted, kb, together), database, embedder, run, spread), size=2, on_stop=halt
    )
    with closing(extracted), closing(embedded):
        for batch in embedded:
            with run.timed("write"):
                written = write(batch, database, embedder)
            batch.written = True
            for id in written.vectors:
                run.created[written.labels[id]] += 1
            run.done += len(written.finished)
            run.replaced += sum(id in run.older for id in written.finished)
            run.characters += sum(len(row["text"]) for row in written.chunks.values())
            on_progress(run.progress("write"))
    with run.timed("write"):
        run.removed = 0 if run.stopped else _remove_vanished(run, kb, database)
        link_pending(database, kb, lambda _: on_progress(run.progress("link")))
    if run.unlisted:
        run.notes.append(Skipped(run.unlisted, dictionaries.MISSING, note=True))
    return IngestReport(
        documents=run.done,
        chunks=run.created["Chunk"],
        hyperedges=run.created["Hyperedge"],
        entities=run.created["Entity"],
        skipped=tuple(run.skipped),
        notes=tuple(run.notes),
        seconds=time.perf_counter() - started,
        stages=run.seconds,
        unchanged=run.unchanged,
        removed=run.removed,
        replaced=run.replaced,
        extraction=extractor.report() if isinstance(extractor, ConcurrentExtractor) else None,
        stopped=run.stopped,
    )


def _changed(
    items: Iterable[Document | Skipped], kb: str, database: Database, embedder: Embedder, recipe: str, run: _Run
) -> Iterator[tuple[Document, bool]]:
    """The documents that the graph does not have in this version, each with whether it has an older one."""
    incoming = _documents(items, run)
    if (first := next(incoming, None)) is None:
        return
    database.write(
        "kb/create", kb=kb, embedder=embedder.name, dimensions=embedder.dimensions, precision=embedder.precision
    )
    incoming = chain([first], incoming)
    for some in _gathered(incoming, LOOKUP):
        documents = {document.id: document for document in some}
        _note_former_rows(documents.values(), kb, database, run)
        known = {row["id"]: row for row in database.read("ingest/known_documents", kb=kb, ids=list(documents))}
        same = {id_ for id_, row in known.items() if (row["sha256"], row["recipe"]) == (documents[id_].sha256, recipe)}
        if late := [id_ for id_ in same if known[id_]["reading"] != READING]:
            database.write("ingest/mark_read", kb=kb, ids=late, reading=READING)
        for document in documents.values():
            row = known.get(document.id)
            if document.id in same and row is not None and row["status"] != "partial":
                run.unchanged += 1
                run.characters += len(document.text)
            else:
                if replaces := row is not None and document.id not in same:
                    run.older.add(document.id)
                if not run.unlisted and dictionaries.are_missed(document.text):
                    run.unlisted = document.source
                yield document, replaces


def _gathered(items: Iterable[T], full: int, weigh: Callable[[T], int] = lambda _: 1) -> Iterator[list[T]]:
    """The items in groups, each until it weighs enough or a second has passed."""
    group: list[T] = []
    weight, began = 0, 0.0
    for item in items:
        began = began if group else time.monotonic()
        group.append(item)
        weight += weigh(item)
        if weight >= full or time.monotonic() - began > GATHER_SECONDS:
            yield group
            group, weight = [], 0
    if group:
        yield group


def _note_former_rows(documents: Iterable[Document], kb: str, database: Database, run: _Run) -> None:
    """Let a source that is one document now, such as a table whose rows have lost their texts, lose its former rows."""
    whole = {one.source: one.id for one in documents if not one.locator and one.source != PIPED}
    rows = database.read("ingest/sources_of_rows", kb=kb, sources=list(whole)) if whole else []
    for row in rows:
        run.sources[row["source"]].add(whole[row["source"]])


def _documents(items: Iterable[Document | Skipped], run: _Run) -> Iterator[Document]:
    iterator = iter(items)
    whole = "", ""
    while True:
        with run.timed("load"):
            item = next(iterator, None)
        if item is None:
            run.all_seen = True
            return
        if isinstance(item, Skipped):
            (run.notes if item.note else run.skipped).append(item)
            continue
        run.notes += [Skipped(item.source, note, note=True) for note in item.notes[: _MOST_NOTES - len(run.notes)]]
        run.seen += 1
        if item.locator and item.source != PIPED:
            run.sources[item.source].add(item.id)
        elif not item.locator:
            whole = item.source, item.id
        # A message has no locator, and what is attached to it has one: none of the two is what the other was before.
        if whole[0] in run.sources:
            run.sources[whole[0]].add(whole[1])
        yield item


def _extract(
    changed: Iterable[tuple[Document, bool]],
    extractor: Extractor,
    chunk_chars: int,
    recipe: str,
    run: _Run,
    spread: Spread,
) -> Iterator[tuple[Extracted, bool]]:
    work = partial(_extract_block, extractor, chunk_chars, recipe)
    # Each block is worth a journey to another process.
    blocks = _gathered(changed, BLOCK_CHARACTERS, lambda one: max(len(one[0].text), BLOCK_CHARACTERS // BLOCK))
    for extracted, seconds in spread.map(partial(timed, work), blocks):
        run.seconds["extract"] += seconds
        yield from extracted


def _extract_block(
    extractor: Extractor, chunk_chars: int, recipe: str, block: Sequence[tuple[Document, bool]]
) -> list[tuple[Extracted, bool]]:
    return [
        (Extracted(document, recipe, [(c, extractor.extract(document, c)) for c in chunks(document, chunk_chars)]), old)
        for document, old in block
    ]


def _extract_concurrently(
    changed: Iterable[tuple[Document, bool]],
    extractor: ConcurrentExtractor,
    chunk_chars: int,
    recipe: str,
    run: _Run,
) -> Iterator[tuple[Extracted, bool]]:
    """The same by an extractor that works on many chunks at once; a spent budget ends it like the last document."""
    taken: deque[tuple[Document, bool, list[Chunk]]] = deque()

    def documents() -> Iterator[tuple[Document, list[Chunk]]]:
        for document, replaces in changed:
            taken.append((document, replaces, list(chunks(document, chunk_chars))))
            yield document, taken[-1][2]

    found = extractor.extract_documents(documents())
    try:
        while True:
            with run.timed("extract"):
                extractions = next(found, ())
            if extractions == ():
                return
            document, replaces, pieces = taken.popleft()
            if extractions is None:
                continue
            costs = {c.id: e.usage for c, e in zip(pieces, extractions, strict=True) if e.usage}
            facts = [(c, e.facts) for c, e in zip(pieces, extractions, strict=True)]
            yield Extracted(document, recipe, facts, costs), replaces
    except BudgetExceededError as error:
        run.stopped = str(error)


def _batches(extracted: Iterable[tuple[Extracted, bool]], kb: str, together: int) -> Iterator[Batch]:
    """Batches of one transaction each; only a document that is larger than one is spread over several."""
    writer = uuid.uuid4().hex
    batch = Batch(kb, writer)
    began = 0.0
    for document, replaces in extracted:
        size = sum(len(facts) for _, facts in document.chunks)
        full = len(batch.chunks) + len(document.chunks) > CHUNKS or len(batch.states) + size > FACTS
        full = full or len(batch.documents) >= together or time.monotonic() - began > WRITE_SECONDS
        if batch.chunks and full:
            yield batch
            batch = Batch(kb, writer)
        began = began if batch.chunks else time.monotonic()
        batch.add_document(document, replaces=replaces)
        for chunk, facts in document.chunks:
            if len(batch.chunks) >= CHUNKS or len(batch.states) >= FACTS:
                yield batch
                batch = Batch(kb, writer, continued=[document.document.id])
            batch.add_chunk(document.document, chunk, facts, document.costs.get(chunk.id))
        batch.finished.append(document.document.id)
    if batch.finished:
        yield batch


def _embed(
    batches: Iterable[Batch], database: Database, embedder: Embedder, run: _Run, spread: Spread
) -> Iterator[Batch]:
    """The batches with vectors for what the graph will not have yet when they are written, in order."""
    under_way: deque[Batch] = deque()
    waiting: deque[tuple[Batch, list[str]]] = deque()

    def texts() -> Iterator[list[str]]:
        for batch in batches:
            while under_way and under_way[0].written:
                under_way.popleft()
            ids = new_nodes(batch, database, under_way)
            under_way.append(batch)
            waiting.append((batch, ids))
            yield [batch.texts[id] for id in ids]

    device: str = getattr(embedder, "device", "cpu")
    for vectors, seconds in spread.map(partial(timed, embedder.embed), texts(), device=device):
        run.seconds["embed"] += seconds
        batch, ids = waiting.popleft()
        add_vectors(batch, ids, vectors)
        yield batch


def _remove_vanished(run: _Run, kb: str, database: Database) -> int:
    """Remove the rows that a corpus file had when it was ingested before, and has no longer."""
    removed = 0
    faulty = {skipped.source for skipped in run.skipped}
    for source, ids in run.sources.items():
        if any(f == source or f.startswith(f"{source}:") for f in faulty):
            continue
        there = [row["id"] for row in database.read("ingest/documents_of_source", kb=kb, source=source)]
        if vanished := [id for id in there if id not in ids]:
            removed += remove_documents(database, kb, vanished)
    return removed
