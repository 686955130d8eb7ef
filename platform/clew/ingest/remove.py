"""Removing documents: exactly what nothing else supports goes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from clew.database.connection import Database, Tx
from clew.ingest.change import lock, record
from clew.ingest.link import describe_stale, retire_titles

BATCH = 200
"""Documents removed in one transaction."""
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

    Sentences of other pages that mentioned a title which is now gone are linked anew. Returns how many documents were
    there. Raises NotFoundError if there is no such knowledge base.
    """
    removed = 0
    for first in range(0, len(ids), BATCH):
        removed += database.transaction(partial(_remove, kb=kb, ids=list(ids[first : first + BATCH])))
    describe_stale(database, kb)
    return removed


def _remove(tx: Tx, kb: str, ids: list[str]) -> int:
    before = lock(tx, kb)
    unstated = detach(tx, kb, ids)
    titles = [row["title_key"] for row in tx.run("ingest/delete_documents", kb=kb, documents=ids)]
    sweep(tx, unstated)
    relinked = retire_titles(tx, kb, titles)
    record(tx, kb, before, [*unstated, *relinked], titles)
    return len(titles)


def detach(tx: Tx, kb: str, documents: Sequence[str]) -> list[str]:
    """Delete the chunks of documents; the ids of the hyperedges they stated, for ``sweep`` to look at."""
    if not documents:
        return []
    return [row["hyperedge"] for row in tx.run("ingest/detach_chunks", kb=kb, documents=list(documents))]


def sweep(tx: Tx, hyperedges: Sequence[str]) -> None:
    """Delete those hyperedges that no chunk states, and then those of their entities that no hyperedge connects.

    One that is merged, or told apart from another, goes with ``describe_stale``.
    """
    if not hyperedges:
        return
    entities = [row["entity"] for row in tx.run("ingest/delete_unstated", hyperedges=list(hyperedges))]
    tx.run("ingest/delete_unconnected", entities=entities)
    tx.run("ingest/mark_stale", entities=entities)
