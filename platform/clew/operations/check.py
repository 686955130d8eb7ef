"""Whether a knowledge base is what an ingest would have made, and mending it where it is not.

Every fault has a statement ``operations/check_NAME`` that finds some of it, and a way to mend it under the knowledge
base's lock, so that a writer is never taken for one. What only the source can mend is said, and left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from clew.database.connection import Database, Row, Tx, as_vectors, pages
from clew.database.schema import await_indexes, leave_labels, make_anew, wrong_indexes
from clew.ids import chunk_id
from clew.ingest.change import KEPT, lock, record
from clew.ingest.link import describe_stale, link_pending
from clew.ingest.older import older_readings
from clew.ingest.remove import sweep
from clew.knowledge_base import KnowledgeBase
from clew.operations.connections import remove, superseded
from clew.operations.reindex import write_vectors
from clew.operations.restore import unfinished
from clew.types import Json

SOME = 2000
"""Faults of a kind that are found, and mended, at once."""
SHOWN = 5
"""Examples that are shown."""
DOCUMENTS = 200
"""Documents whose offsets are looked at in one round trip."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Faults of one kind: at least so many, some of them by id, and how many are mended.

    ``notice`` is what may be well: an ingest or a restore that is under way, or was interrupted.
    """

    kind: str
    says: str
    count: int
    examples: tuple[str, ...]
    advice: str
    mended: int = 0
    notice: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a check has found, of one knowledge base or (``kb`` empty) of the server."""

    kb: str
    findings: tuple[Finding, ...] = field(default=())

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong any more."""
        return all(found.notice or found.mended >= found.count for found in self.findings)

    def as_json(self) -> Json:
        """The same as plain data."""
        return {"kb": self.kb, "clean": self.clean, "findings": [asdict(found) for found in self.findings]}


Mend = Callable[[KnowledgeBase, list[Row]], None]


@dataclass(frozen=True, slots=True)
class _Fault:
    kind: str
    says: str
    mend: Mend | None = None
    advice: str = "`clew check --mend` mends it"
    notice: bool = False


def check(base: KnowledgeBase, *, mend: bool = False, on_stage: Callable[[str], None] = lambda _: None) -> Report:
    """Look a whole knowledge base over, and with ``mend`` put right what can be.

    Raises NotFoundError if there is none, DatabaseError where Neo4j fails, EmbedderError where vectors are to be mended
    and their encoder cannot be loaded.
    """
    base.must_exist()
    findings: list[Finding] = []
    for fault in FAULTS:
        on_stage(fault.says)
        findings += _look(base, fault, partial(_find, base, fault.kind), mend)
    on_stage(_OFFSETS.says)
    findings += _offsets(base, mend)
    on_stage(_SUPERSEDED)
    findings += _superseded(base, mend)
    findings += _older(base)
    if mend:
        describe_stale(base.database, base.name)  # of what was deleted, others have fewer facts
    return Report(base.name, tuple(findings))


def check_server(database: Database, *, mend: bool = False) -> Report:
    """Look at what belongs to no knowledge base: indexes, remains, and restores that did not end."""
    findings = []
    if bad := wrong_indexes(database):
        names = tuple(row["name"] for row in bad)
        mended = _mend_indexes(database, bad) if mend else 0
        findings.append(
            Finding(
                "indexes",
                "indexes that are missing, have failed, or are not what they should be",
                len(bad),
                names,
                _MENDS,
                mended,
            )
        )
    if theirs := leave_labels(database):
        says = "constraints of other tools on labels that Clew's nodes are therefore written without"
        names = tuple(f"{row['name']} on :{'|'.join(row['labels'])}({', '.join(row['properties'])})" for row in theirs)
        advice = "queries find these nodes by the label that begins with Clew"
        findings.append(Finding("constraints", says, len(theirs), names, advice, notice=True))
    if lost := database.read("operations/homeless"):
        names = tuple(f"{row['kb']} ({row['nodes']:,})" for row in lost)
        if mend:
            for row in lost:
                while database.write("schema/delete_some", kb=row["kb"], limit=SOME)[0]["deleted"]:
                    pass
        mended = len(lost) if mend else 0
        findings.append(
            Finding("homeless", "nodes of a knowledge base that is not there", len(lost), names, _MENDS, mended)
        )
    if begun := tuple(str(row["name"]) for row in unfinished(database)):
        advice = "run the same `clew restore` again, or drop it with `clew kb delete NAME`"
        findings.append(Finding("restores", "restores that are not finished", len(begun), begun, advice, notice=True))
    return Report("", tuple(findings))


_MENDS = "`clew check --mend` mends it"


def _find(base: KnowledgeBase, kind: str) -> list[Row]:
    [row] = base.database.read("kb/encoder", kb=base.name)
    options = {"kb": base.name, "limit": SOME, "kept": KEPT, "dimensions": row["dimensions"]}
    return base.database.at(row["slot"]).read(f"operations/check_{kind}", **options)


def _look(base: KnowledgeBase, fault: _Fault, find: Callable[[], list[Row]], mend: bool) -> Iterator[Finding]:
    found = find()
    if not found:
        return
    examples = tuple(str(row.get("shown") or row["id"]) for row in found[:SHOWN])
    result = Finding(fault.kind, fault.says, len(found), examples, fault.advice, notice=fault.notice)
    mended = 0
    while mend and fault.mend and found:
        before = {row["id"] for row in found}
        fault.mend(base, found)
        found = find()
        mended += len(before - {row["id"] for row in found})
        if before <= {row["id"] for row in found}:
            break
    yield replace(result, count=max(result.count, mended + len(found) if mend else 0), mended=mended)


def _locked(work: Callable[[Tx, str, list[str]], list[str] | None]) -> Mend:
    """``work`` under the lock; it gives the hyperedges that it has changed."""

    def mend(base: KnowledgeBase, rows: list[Row]) -> None:
        def run(tx: Tx) -> None:
            before = lock(tx, base.name)
            record(tx, base.name, before, work(tx, base.name, [row["id"] for row in rows]) or [])

        base.database.transaction(run)

    return mend


def _delete_unstated(tx: Tx, kb: str, ids: list[str]) -> list[str]:
    sweep(tx, ids)
    return ids


def _delete_chunks(tx: Tx, kb: str, ids: list[str]) -> list[str]:
    facts = [row["hyperedge"] for row in tx.run("operations/mend_chunks", kb=kb, ids=ids)]
    sweep(tx, facts)
    return facts


def _run(statement: str) -> Callable[[Tx, str, list[str]], None]:
    def work(tx: Tx, kb: str, ids: list[str]) -> None:
        tx.run(statement, kb=kb, ids=ids)

    return work


def _describe(base: KnowledgeBase, rows: list[Row]) -> None:
    base.database.write("ingest/mark_stale", entities=[row["id"] for row in rows])
    describe_stale(base.database, base.name)


def _encode(base: KnowledgeBase, rows: list[Row]) -> None:
    embedder, database = base.encoder()
    texts = database.read("operations/texts", kb=base.name, ids=[row["id"] for row in rows])
    vectors = as_vectors(embedder.embed([row["text"] for row in texts]))

    def write(tx: Tx) -> None:
        before = lock(tx, base.name)
        write_vectors(tx, base.name, texts, vectors)
        record(tx, base.name, before, [row["id"] for row in texts if row["label"] == "Hyperedge"])

    database.transaction(write)


def _finish(base: KnowledgeBase, rows: list[Row]) -> None:
    link_pending(base.database, base.name)


FAULTS = (
    _Fault("chunks", "chunks of no document", _locked(_delete_chunks)),
    _Fault("unstated", "facts without evidence", _locked(_delete_unstated)),
    _Fault("entities", "entities without facts", _describe),
    _Fault(
        "unfinished", "documents whose ingest is not finished", _finish, "run the same `clew ingest` again", notice=True
    ),
    _Fault("degrees", "entities with a wrong degree", _describe),
    _Fault("vectors", "vectors that are missing or wrong", _encode),
    _Fault("merges", "merges and refusals that cannot be", _locked(_run("operations/mend_merges"))),
    _Fault("steps", "steps of no trajectory", _locked(_run("operations/mend_steps"))),
    _Fault("changes", "records of changes that nobody can follow", _locked(_run("operations/mend_changes"))),
)
"""What is looked for in a knowledge base, in an order in which mending one thing shows what else is to be mended."""

_OFFSETS = _Fault("offsets", "offsets that are not where the text is")


def _offsets(base: KnowledgeBase, mend: bool) -> list[Finding]:
    """Spans that do not hold the text they stand for; those are looked for anew.

    Where that does not help, or a chunk is missing, the document is to be ingested again.
    """
    wrong: list[str] = []
    lost: list[str] = []
    for page in pages(base.database.read, "operations/offsets", kb=base.name, limit=DOCUMENTS):
        chunks, states = [], []
        for document in page:
            if document["status"] == "partial":
                continue
            moved, evidence, whole = _document(base.name, document)
            chunks += moved
            states += evidence
            if moved or evidence:
                wrong.append(document["id"])
            if not whole:
                lost.append(document["id"])
        if mend and (chunks or states):
            base.database.transaction(partial(_move, kb=base.name, chunks=chunks, states=states))
    if mend and lost:
        base.database.transaction(partial(_to_be_written, kb=base.name, ids=lost))
    findings = []
    if wrong:
        shown, mended = tuple(wrong[:SHOWN]), len(wrong) if mend else 0
        findings.append(Finding("offsets", _OFFSETS.says, len(wrong), shown, _MENDS, mended))
    if lost:
        advice = "run `clew check --mend`, and then the ingest of these documents again"
        says, mended = "documents of which chunks are missing or others", len(lost) if mend else 0
        findings.append(Finding("documents", says, len(lost), tuple(lost[:SHOWN]), advice, mended))
    return findings


_SUPERSEDED = "participants that a fresh ingest would not find"


def _superseded(base: KnowledgeBase, mend: bool) -> list[Finding]:
    found = superseded(base.database, base.name)
    if not found:
        return []
    if mend:
        remove(base.database, base.name, list(found))
    examples = tuple(dict.fromkeys(found.values()))[:SHOWN]
    return [Finding("participants", _SUPERSEDED, len(found), examples, _MENDS, len(found) if mend else 0)]


def _older(base: KnowledgeBase) -> list[Finding]:
    """What is well, and would be better if it were ingested again."""
    return [
        Finding(
            "readings",
            "documents that an older Clew has read",
            older.documents,
            older.titles,
            f"ingest their files again, which adds {older.gain}",
            notice=True,
        )
        for older in older_readings(base.database, base.name)
    ]


def _document(kb: str, document: Row) -> tuple[list[Json], list[Json], bool]:
    """Where chunks and evidence are in truth, as far as they are said to be elsewhere, and whether all is there."""
    text, moved, evidence = document["text"], [], []
    whole = True
    for index, chunk in enumerate(document["chunks"]):
        if chunk["index"] != index or chunk["id"] != chunk_id(kb, document["id"], index, chunk["text"]):
            whole = False
            continue
        start, end = chunk["start"], chunk["end"]
        if _at(text, start, end) != chunk["text"]:
            start = _nearest(text, chunk["text"], start)
            if start < 0:
                whole = False
                continue
            end = start + len(chunk["text"])
            moved.append({"id": chunk["id"], "start": start, "end": end})
        for state in chunk["states"]:
            if _states(text, state, start, end):
                continue
            first = _nearest(text[start:end], state["text"][state["lead"] or 0 :], (state["start"] or 0) - start)
            if first < 0 or state["origin"]:
                whole = False
                continue
            last = first + len(state["text"]) - (state["lead"] or 0)
            evidence.append({"chunk": chunk["id"], "id": state["id"], "start": start + first, "end": start + last})
    return moved, evidence, whole


def _at(text: str, start: Any, end: Any) -> str:
    return text[start:end] if isinstance(start, int) and isinstance(end, int) and 0 <= start <= end else ""


def _states(text: str, state: Row, start: int, end: int) -> bool:
    """Whether evidence lies in its chunk; and is the fact's sentence, where the fact is one of the document's own."""
    quoted = _at(text, state["start"], state["end"])
    inside = bool(quoted) and start <= state["start"] and state["end"] <= end
    return inside and (bool(state["origin"]) or " ".join(quoted.split()) == state["text"][state["lead"] or 0 :])


def _nearest(text: str, wanted: str, start: Any) -> int:
    """Where ``wanted`` is in the text, nearest to ``start``; -1 where it is not."""
    places = []
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        places.append(at)
        at = text.find(wanted, at + 1)
    return min(places, key=lambda place: abs(place - (start if isinstance(start, int) else 0)), default=-1)


def _move(tx: Tx, kb: str, chunks: Sequence[Json], states: Sequence[Json]) -> None:
    record(tx, kb, lock(tx, kb))
    tx.run("operations/mend_offsets", kb=kb, chunks=list(chunks), states=list(states))


def _to_be_written(tx: Tx, kb: str, ids: Sequence[str]) -> None:
    record(tx, kb, lock(tx, kb))
    tx.run("operations/mend_documents", kb=kb, ids=list(ids))


def _mend_indexes(database: Database, bad: Sequence[Row]) -> int:
    for row in bad:
        make_anew(database, row)
    await_indexes(database)
    return len(bad) - len(wrong_indexes(database))
