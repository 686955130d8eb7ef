"""Removing documents: exactly what nothing else supports goes with them."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from clew.database.connection import Database, Tx
from clew.ingest.change import lock, record
from clew.ingest.link import describe_stale, retire_titles

BATCH = 200
"""Documents removed in one transaction, at most."""
CHUNKS = 400
"""Chunks removed in one transaction, at most: Neo4j holds in memory whatever a transaction changes."""
NAMED = 5
"""Entities that a preview names."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What goes with documents: so many facts and entities that nothing else supports, the best connected by name."""

    documents: int
    facts: int
    entities: int
    names: tuple[str, ...] = ()


def preview_removal(database: Database, kb: str, ids: Sequence[str]) -> Removal:
    """What ``remove_documents`` would remove, without removing it."""
    documents = list(dict.fromkeys(ids))
    facts = [row["id"] for row in database.read("document/unsupported_facts", kb=kb, documents=documents)]
    rows = database.read("document/unsupported_entities", hyperedges=facts)
    titles = {row["title"] for row in database.read("document/last_titles", kb=kb, documents=documents)}
    names = [row["name"] for row in rows if row["whole"] or row["key"] in titles]
    known = database.read("ingest/known_documents", kb=kb, ids=documents)
    return Removal(len(known), len(facts), len(names), tuple(names[:NAMED]))


def documents_of_uploads(database: Database, kb: str, names: Sequence[str]) -> list[str]:
    """The ids of the documents that uploads of these names would replace."""
    sources = [f"upload:{name}" for name in names]
    return [row["id"] for row in database.read("document/of_sources", kb=kb, sources=sources)]


def remove_documents(database: Database, kb: str, ids: Sequence[str]) -> int:
    """Delete documents with their chunks, the hyperedges no other chunk states, and the entities nothing connects.

    Sentences of other pages that mentioned a title which is now gone are linked anew. A transaction takes a bounded
    part: a document of which something is left is unfinished, and goes when it is deleted again. Returns how many
    documents were there. Raises NotFoundError if there is no such knowledge base.
    """
    removed = 0
    for first in range(0, len(ids), BATCH):
        removed += _in_parts(database, kb, ids[first : first + BATCH])
    describe_stale(database, kb)
    return removed


def shorten_documents(database: Database, kb: str, ids: Sequence[str]) -> None:
    """Take so much off documents that a transaction can remove what is left of each; they are unfinished then."""
    larger = [row["id"] for row in database.read("ingest/larger_than", kb=kb, documents=list(ids), limit=CHUNKS)]
    for id in larger:
        _in_parts(database, kb, [id], down_to=CHUNKS)


def _in_parts(database: Database, kb: str, ids: Sequence[str], down_to: int = 0) -> int:
    """Remove documents, a part in each transaction, as long as none has more than ``down_to`` chunks; how many went."""
    writer = uuid.uuid4().hex
    left, removed = list(ids), 0
    begun = False
    while left:
        part = partial(_delete_documents, kb=kb, ids=left, writer=writer, begun=begun)
        left, gone = database.transaction(part)
        removed, begun = removed + gone, True
        if left and down_to:
            left = [row["id"] for row in database.read("ingest/larger_than", kb=kb, documents=left, limit=down_to)]
    return removed


def _delete_documents(tx: Tx, kb: str, ids: list[str], writer: str, begun: bool) -> tuple[list[str], int]:
    """Remove a part of documents: those of which something is left, and how many are gone.

    One that somebody has begun anew since the first part is theirs, and stays.
    """
    before = lock(tx, kb)
    if not begun:
        tx.run("ingest/begin_delete", kb=kb, documents=ids, writer=writer)
    own = _owned(tx, ids, writer)
    unstated = detach(tx, kb, own, CHUNKS)
    titles = [row["title_key"] for row in tx.run("ingest/delete_documents", kb=kb, documents=own)]
    sweep(tx, unstated)
    relinked = retire_titles(tx, kb, titles)
    record(tx, kb, before, [*unstated, *relinked], titles)
    return _owned(tx, own, writer), len(titles)


def _owned(tx: Tx, ids: Sequence[str], writer: str) -> list[str]:
    return [row["id"] for row in tx.run("ingest/owned", documents=list(ids), writer=writer)]


def detach(tx: Tx, kb: str, documents: Sequence[str], most: int = sys.maxsize) -> list[str]:
    """Delete chunks of documents, so many at most; the ids of the hyperedges they stated, for ``sweep`` to look at."""
    if not documents:
        return []
    return [row["hyperedge"] for row in tx.run("ingest/detach_chunks", kb=kb, documents=list(documents), limit=most)]


def sweep(tx: Tx, hyperedges: Sequence[str]) -> None:
    """Delete those hyperedges that no chunk states, and then those of their entities that no hyperedge connects.

    One that is merged, or distinguished from another, goes with ``describe_stale``.
    """
    if not hyperedges:
        return
    entities = [row["entity"] for row in tx.run("ingest/delete_unstated", hyperedges=list(hyperedges))]
    tx.run("ingest/delete_unconnected", entities=entities)
    tx.run("ingest/mark_stale", entities=entities)
