"""Another encoder for a knowledge base: its vectors are made beside the old ones, and searched all at once.

Every node has room for two vectors (``cypher.SLOTS``), one of which is searched. The other is filled page by page while
everybody goes on asking and writing; what is written meanwhile is filled in the end, under the lock, in the transaction
that switches. A question that is under way ends with the encoder that it began with. Killed, it goes on from the nodes
that lack a vector; and as the old vectors stay until they are dropped, going back costs only what is new since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clew.cypher import SLOTS
from clew.database.connection import Database, Row, Tx, as_vectors
from clew.embedding import Embedder
from clew.errors import InputError
from clew.ingest.change import lock, record
from clew.knowledge_base import KnowledgeBase

PAGE = 1000
"""Nodes that are encoded at once."""
LATE = 200
"""Nodes without a vector with which it is worth waiting for the lock."""


@dataclass(frozen=True, slots=True)
class Reindexed:
    """Which encoder there was, which there is, and how many nodes it has encoded now."""

    before: str
    now: str
    encoded: int


def reindex(base: KnowledgeBase, embedder: Embedder, on_progress: Callable[[int], None] = lambda _: None) -> Reindexed:
    """Let a knowledge base be searched by the vectors of another encoder, which are made first.

    ``on_progress`` receives how many nodes were encoded. Raises NotFoundError if there is no such knowledge base,
    InputError if it has this encoder already, EmbedderError and DatabaseError where those fail; run again, it goes on.
    """
    base.must_exist()
    [row] = base.database.read("kb/encoder", kb=base.name)
    about = {"embedder": embedder.name, "dimensions": embedder.dimensions, "precision": embedder.precision}
    if all(row[name] == value for name, value in about.items()):
        raise InputError(f"Knowledge base {base.name!r} has the encoder {embedder.name!r} already: name another.")
    slot = _other(row["slot"])
    view = base.database.at(slot)
    while view.write("operations/reindex_begin", kb=base.name, **about)[0]["foreign"]:
        drop(base)
    encoded = 0
    while True:
        missing = view.read("operations/reindex_missing", kb=base.name, limit=PAGE)
        if len(missing) <= LATE:
            late = view.transaction(lambda tx: _switch(tx, base.name, embedder, slot))
            if late is not None:
                on_progress(encoded + late)
                return Reindexed(row["embedder"], embedder.name, encoded + late)
            continue
        _encode(view, base.name, missing, embedder)
        encoded += len(missing)
        on_progress(encoded)


def drop(base: KnowledgeBase) -> str:
    """Delete the vectors that are not searched; whose they were, empty where there are none.

    Raises NotFoundError if there is no such knowledge base.
    """
    base.must_exist()
    [row] = base.database.read("kb/encoder", kb=base.name)
    view = base.database.at(_other(row["slot"]))
    while view.write("operations/reindex_drop", kb=base.name, limit=PAGE)[0]["dropped"]:
        pass
    view.write("operations/reindex_forget", kb=base.name)
    return row["other_embedder"] or ""


def _other(slot: str) -> str:
    return next(one for one in SLOTS if one != slot)


def _encode(database: Database, kb: str, rows: Sequence[Row], embedder: Embedder) -> None:
    vectors = as_vectors(embedder.embed([row["text"] for row in rows]))
    database.transaction(lambda tx: write_vectors(tx, kb, rows, vectors))


def write_vectors(tx: Tx, kb: str, rows: Sequence[Row], vectors: Sequence[object]) -> None:
    """Give nodes (``id`` and ``label``) their vectors."""
    for label in sorted({row["label"] for row in rows}):
        own = [(row["id"], vector) for row, vector in zip(rows, vectors, strict=True) if row["label"] == label]
        ids, numbers = [id for id, _ in own], [vector for _, vector in own]
        tx.run(f"operations/write_{label.lower()}_vectors", kb=kb, ids=ids, vectors=numbers)


def _switch(tx: Tx, kb: str, embedder: Embedder, slot: str) -> int | None:
    """Encode what is left while nobody writes, and switch; None where too much is left."""
    before = lock(tx, kb)
    record(tx, kb, before)
    rows = tx.run("operations/reindex_missing", kb=kb, limit=PAGE)
    if len(rows) >= PAGE:
        return None
    if rows:
        write_vectors(tx, kb, rows, as_vectors(embedder.embed([row["text"] for row in rows])))
    if tx.run("kb/encoder", kb=kb)[0]["other_embedder"] != embedder.name:
        raise InputError(f"Another program has changed the encoder of {kb!r} meanwhile: look with `clew kb list`.")
    tx.run("operations/reindex_switch", kb=kb, slot=slot)
    return len(rows)
