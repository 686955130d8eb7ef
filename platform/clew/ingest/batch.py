"""What one batch of documents adds to the graph, as rows ready for Cypher, and the transaction that writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from clew.database.connection import Database, Row, Tx, as_vectors
from clew.embedding import Embedder, Vectors
from clew.errors import InputError
from clew.ids import entity_id, hyperedge_id
from clew.ingest.change import lock, record
from clew.ingest.link import retire_titles
from clew.ingest.older import READING
from clew.ingest.remove import detach, shorten_documents, sweep
from clew.text.names import key, title_key
from clew.text.outline import as_json, block_at, blocks_within, headings_above
from clew.types import Block, Chunk, Document, ExtractedFact, Json, Usage, Value

_Held = TypeVar("_Held")

SHORT_NAME = 60
"""Characters of a node's ``name``, which is its caption in Neo4j Browser."""

_DATE = re.compile(
    r"(?:\d+ )?(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d+)*"
    r"|(?:1\d|20)\d\d"
)


@dataclass(slots=True)
class Extracted:
    """A document with all that was extracted from it, and the recipe that did it.

    ``costs`` tells by the chunks' ids what a paid model was given for them.
    """

    document: Document
    recipe: str
    chunks: list[tuple[Chunk, list[ExtractedFact]]]
    costs: dict[str, Usage] = field(default_factory=dict)

    @property
    def title_key(self) -> str | None:
        """The key under which others may mention this page; a page without facts has no entity to link to."""
        return title_key(self.document.title) if any(facts for _, facts in self.chunks) else None


@dataclass(slots=True)
class Batch:
    """Rows of one transaction, keyed by id. ``texts`` holds what each node's vector is made from.

    ``finished`` are the documents whose last chunk is in this batch, ``continued`` those whose first chunk is in an
    earlier one. ``replaced`` are those of which an older version was in the graph when they were looked up. ``writer``
    names the ingest: a document belongs to the one that began it last. ``refined`` are chunks that are in the graph
    already, and whose model's facts are replaced by those of the batch. ``written`` is set once the batch is in the
    graph.
    """

    kb: str
    writer: str = ""
    documents: dict[str, Json] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    continued: list[str] = field(default_factory=list)
    chunks: dict[str, Json] = field(default_factory=dict)
    hyperedges: dict[str, Json] = field(default_factory=dict)
    entities: dict[str, Json] = field(default_factory=dict)
    states: list[Json] = field(default_factory=list)
    connects: dict[tuple[str, str], Json] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    vectors: dict[str, object] = field(default_factory=dict)
    refined: dict[str, Json] = field(default_factory=dict)
    written: bool = False

    def add_document(self, extracted: Extracted, *, replaces: bool) -> None:
        """Add the document's own node; ``replaces`` where an older version of it is in the graph."""
        document = extracted.document
        self.documents[document.id] = {
            "id": document.id,
            "name": short(document.title),
            "title": document.title,
            "title_key": extracted.title_key,
            "source": document.source,
            "locator": document.locator,
            "media_type": document.media_type,
            "sha256": document.sha256,
            "recipe": extracted.recipe,
            "text": document.text,
            "pages": list(document.pages),
            "blocks": as_json(document.blocks),
            "metadata": json.dumps(document.metadata, ensure_ascii=False) if document.metadata else None,
            "reading": READING,
            "status": "partial",
        }
        if replaces:
            self.replaced.append(document.id)

    def add_chunk(
        self, document: Document, chunk: Chunk, facts: Iterable[ExtractedFact], cost: Usage | None = None
    ) -> None:
        """Add a chunk with its facts and their entities."""
        self.chunks[chunk.id] = {
            "id": chunk.id,
            "document": document.id,
            "name": short(f"{document.title} #{chunk.index + 1}"),
            "index": chunk.index,
            "text": chunk.text,
            "start": chunk.start,
            "end": chunk.end,
            "section": [*headings_above(document, chunk.start)] or None,
            "blocks": as_json(blocks_within(document.blocks, chunk.start, chunk.end)),
            "model_tokens": cost and cost.prompt_tokens + cost.completion_tokens,
            "model_cost": cost and cost.cost,
        }
        self._embed(chunk.id, "Chunk", f"{document.title}\n{chunk.text}")
        for fact in facts:
            self.add_fact(chunk, fact, block_at(document.blocks, fact.start))

    def add_fact(self, chunk: Chunk, fact: ExtractedFact, block: Block | None = None) -> None:
        """Add a fact that a chunk states, with its entities; ``block`` is the one of the document that states it."""
        id = hyperedge_id(self.kb, fact.text, fact.lead, *_worded(fact))
        table = block.table if block else None
        self.states.append(
            {
                "chunk": chunk.id,
                "hyperedge": id,
                "start": fact.start,
                "end": fact.end,
                "table": table and table.number,
                "part": (block and block.part) or None,
            }
        )
        if id not in self.hyperedges:
            self.hyperedges[id] = {
                "id": id,
                "name": short(fact.text[fact.lead :]),
                "text": fact.text,
                "lead": fact.lead,
                "key": key(fact.text),
                "origin": fact.origin or None,
                "time": fact.time or None,
                "negated": fact.negated or None,
                "relation": fact.relation or None,
            }
            self._embed(id, "Hyperedge", fact.text)
        for participant in fact.participants:
            folded = key(participant.name)
            entity = entity_id(self.kb, folded)
            kind = participant.type or ("date" if _DATE.fullmatch(folded) else None)
            if entity not in self.entities:
                self.entities[entity] = {"id": entity, "name": participant.name, "key": folded, "type": kind or "name"}
                self._embed(entity, "Entity", folded)
            self.connects.setdefault(
                (id, entity),
                {
                    "hyperedge": id,
                    "entity": entity,
                    "role": participant.role,
                    "surface": participant.name,
                    "type": kind,
                    **_typed(participant.value),
                },
            )

    def without(self, documents: Collection[str]) -> Batch:
        """The batch without these documents, and without what only they support."""
        chunks = {id: row for id, row in self.chunks.items() if row["document"] not in documents}
        states = [row for row in self.states if row["chunk"] in chunks]
        supported = {row["hyperedge"] for row in states}
        connects = {pair: row for pair, row in self.connects.items() if pair[0] in supported}
        kept = {*chunks, *supported, *(entity for _, entity in connects)}
        return replace(
            self,
            chunks=chunks,
            states=states,
            connects=connects,
            finished=[id for id in self.finished if id not in documents],
            continued=[id for id in self.continued if id not in documents],
            hyperedges=_only(self.hyperedges, kept),
            entities=_only(self.entities, kept),
            labels=_only(self.labels, kept),
            vectors=_only(self.vectors, kept),
        )

    def _embed(self, id: str, label: str, text: str) -> None:
        self.texts[id] = text
        self.labels[id] = label


def _only(rows: Mapping[str, _Held], ids: Collection[str]) -> dict[str, _Held]:
    return {id: row for id, row in rows.items() if id in ids}


def _typed(value: Value | None) -> Json:
    """A cell's value as properties of its relationship, to be filtered, counted and compared in Cypher."""
    if value is None:
        return {"value": None, "number": None, "unit": None, "date": None}
    return {"value": value.kind, "number": value.number, "unit": value.unit or None, "date": value.date}


def _worded(fact: ExtractedFact) -> list[str]:
    """What tells facts in other words than the document's apart: a text alone does not say who takes part in it."""
    if not fact.origin:
        return []
    parts = sorted(f"{participant.role}:{key(participant.name)}" for participant in fact.participants)
    return [fact.origin, fact.time, str(fact.negated), *parts, *filter(None, [fact.relation])]


def short(text: str) -> str:
    """The text as a caption: one line of at most 60 characters."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT_NAME else line[: SHORT_NAME - 1].rstrip() + "…"


def embed_new(batch: Batch, database: Database, embedder: Embedder) -> None:
    """Fill ``batch.vectors`` for the nodes that the graph does not have yet; one round trip, one run of the encoder."""
    embed(batch, new_nodes(batch, database), embedder)


def new_nodes(batch: Batch, database: Database, before: Collection[Batch] = ()) -> list[str]:
    """The ids of the batch's nodes that need a vector: neither in the graph nor in one of the batches ``before`` it.

    Those will be written first, so what is encoded does not depend on how far the writing is.
    """
    rows = _without_vectors(batch)
    known = _kept(batch, database.read("ingest/known_vectors", rows=rows))
    known.update(id for other in before for id in other.labels)
    return [row["id"] for row in rows if row["id"] not in known]


def embed(batch: Batch, ids: Sequence[str], embedder: Embedder) -> None:
    """Encode the nodes ``ids`` of a batch."""
    add_vectors(batch, ids, embedder.embed([batch.texts[id] for id in ids]))


def add_vectors(batch: Batch, ids: Sequence[str], vectors: Vectors) -> None:
    """Give the nodes ``ids`` of a batch their vectors, (n, d)."""
    batch.vectors.update(zip(ids, as_vectors(np.ascontiguousarray(vectors)), strict=True))


def write(batch: Batch, database: Database, embedder: Embedder) -> Batch:
    """Write a batch in one transaction: its chunks with their facts and entities, or nothing. Returns what was written.

    What an older version of a document alone supported is removed in the same transaction, also where someone else has
    written it since the document was looked up; what is too much for one transaction goes in others before it. A node
    that was known when its vector was left out, and is gone by now, is encoded first. The rest of a document that has
    been deleted or begun anew by someone else since its first chunk was written is left out. Raises NotFoundError if
    the knowledge base has been deleted meanwhile, InputError if it has changed to another encoder.
    """
    shorten_documents(database, batch.kb, batch.replaced)
    while True:
        written, missing = database.transaction(lambda tx: _write(tx, batch))
        if not missing:
            return written
        embed(batch, missing, embedder)


def _write(tx: Tx, batch: Batch) -> tuple[Batch, list[str]]:
    before = lock(tx, batch.kb)
    if tx.run("kb/encoder", kb=batch.kb)[0]["slot"] != tx.slot:
        raise InputError(
            f"Knowledge base {batch.kb!r} has changed to another encoder meanwhile: run the same ingest again."
        )
    if batch.continued:
        owned = {row["id"] for row in tx.run("ingest/owned", documents=batch.continued, writer=batch.writer)}
        batch = batch.without({id for id in batch.continued if id not in owned})
    older = _older_versions(tx, batch)
    batch = replace(batch, replaced=[row["id"] for row in older])
    if rows := _without_vectors(batch):
        known = _kept(batch, tx.run("ingest/known_vectors", rows=rows))
        if missing := [row["id"] for row in rows if row["id"] not in known]:
            record(tx, batch.kb, before)
            return batch, missing
    old_titles = [row["title_key"] for row in older]
    unstated = [*detach(tx, batch.kb, batch.replaced), *_detach_refined(tx, batch)]
    cleared = _clear_facts(tx, batch, unstated)
    tx.run("ingest/write_documents", kb=batch.kb, documents=list(batch.documents.values()), writer=batch.writer)
    tx.run("ingest/write_chunks", kb=batch.kb, chunks=_with_vectors(batch, batch.chunks))
    tx.run("ingest/write_hyperedges", kb=batch.kb, hyperedges=_with_vectors(batch, batch.hyperedges))
    tx.run("ingest/write_entities", kb=batch.kb, entities=_with_vectors(batch, batch.entities))
    tx.run("ingest/write_states", states=batch.states)
    tx.run("ingest/write_connects", connects=list(batch.connects.values()))
    tx.run("ingest/delete_unconnected", entities=cleared)
    tx.run("ingest/mark_written", documents=batch.finished)
    if batch.refined:
        tx.run("extract/mark_refined", chunks=list(batch.refined.values()))
    sweep(tx, unstated)
    relinked = retire_titles(tx, batch.kb, old_titles)
    titles = [*old_titles, *(row["title_key"] for row in batch.documents.values())]
    record(tx, batch.kb, before, [*batch.hyperedges, *unstated, *relinked], titles)
    return batch, []


def _older_versions(tx: Tx, batch: Batch) -> list[Row]:
    """The documents of the batch that are in the graph with another text, or by another recipe."""
    if not batch.documents:
        return []
    there = tx.run("ingest/known_documents", kb=batch.kb, ids=list(batch.documents))
    return [row for row in there if any(row[name] != batch.documents[row["id"]][name] for name in ("sha256", "recipe"))]


def _clear_facts(tx: Tx, batch: Batch, unstated: Sequence[str]) -> list[str]:
    """Untie what the older versions tied to facts that stay; the entities.

    A fact of the same words is the same node, and earlier rules may have found others to take part in it.
    """
    kept = [id for id in unstated if id in batch.hyperedges]
    if not kept or not batch.documents:
        return []
    recipe = next(iter(batch.documents.values()))["recipe"]
    rows = tx.run("ingest/clear_facts", hyperedges=kept, reading=READING, recipe=recipe)
    return [row["entity"] for row in rows]


def _kept(batch: Batch, rows: Sequence[Row]) -> set[str]:
    """The ids in rows, without those of chunks that go with an older version of their document."""
    return {row["id"] for row in rows} - {id for id, c in batch.chunks.items() if c["document"] in batch.replaced}


def _detach_refined(tx: Tx, batch: Batch) -> list[str]:
    """What may be unstated once refined chunks are written: what a model stated of them before, and all that is new,
    because a chunk may be gone by now."""
    if not batch.refined:
        return []
    rows = tx.run("extract/detach_facts", chunks=list(batch.refined), origin="llm")
    return [*(row["hyperedge"] for row in rows), *batch.hyperedges]


def _without_vectors(batch: Batch) -> list[Json]:
    return [{"id": id, "label": label} for id, label in batch.labels.items() if id not in batch.vectors]


def _with_vectors(batch: Batch, rows: dict[str, Json]) -> list[Json]:
    return [row | {"embedding": batch.vectors.get(id)} for id, row in rows.items()]
