"""Links between pages: the titles of other pages that a sentence mentions.

They are a function of the sentence and of all titles there are, so the graph does not depend on the order of ingest: a
title that arrives is looked for in the sentences that are there, and one that goes takes its links along.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from clew.database.connection import Database, Row, Tx, pages
from clew.ids import entity_id
from clew.ingest.change import lock, record
from clew.text.names import title_mentions

DOCUMENTS = 50_000
"""Documents that are linked in one pass."""
FACTS = 5000
"""Hyperedges that are linked in one transaction."""
ENTITIES = 5000
"""Entities described in one transaction."""
SEARCHES_PER_FACT = 0.05
"""A search for a title costs about as much as looking through 20 facts; beyond that, all facts are looked through."""


def link_pending(database: Database, kb: str, on_done: Callable[[int], None] = lambda _: None) -> None:
    """Link every document that is written but not linked yet, in both directions; then describe changed entities.

    Each step is a transaction of its own that may be repeated, so an interrupted pass is finished by the next one.
    ``on_done`` receives the number of documents after each step.
    """
    while pending := database.read("ingest/unlinked_documents", kb=kb, limit=DOCUMENTS):
        documents = [row["id"] for row in pending]
        new_titles = {row["title_key"] for row in pending if row["title_key"]}
        for facts in _facts_that_may_mention(database, kb, new_titles, documents):
            relink(database, kb, [row["id"] for row in facts])
        own = database.read("ingest/facts_of_documents", documents=documents)
        relink(database, kb, [row["id"] for row in own])
        database.write("ingest/mark_stale", entities=[entity_id(kb, title) for title in new_titles])
        database.write("ingest/mark_linked", documents=pending)
        on_done(len(pending))
    describe_stale(database, kb)


def retire_titles(tx: Tx, kb: str, titles: Iterable[str | None]) -> list[str]:
    """Link the sentences anew that mention titles which may no longer be any page's; the hyperedges this changed."""
    gone = {title for title in titles if title}
    if not gone:
        return []
    entities = [entity_id(kb, title) for title in gone]
    facts = tx.run("ingest/facts_connecting", entities=entities)
    changed = _apply(tx, kb, [row["id"] for row in facts])
    tx.run("ingest/mark_stale", entities=entities)
    return changed


def describe_stale(database: Database, kb: str) -> None:
    """Give every entity whose facts have changed its name, aliases, degree and whether it is a page.

    One that was kept for its merges, and has no fact any more, goes.
    """

    def forget(tx: Tx, entities: list[str]) -> None:
        before = lock(tx, kb)
        tx.run("ingest/delete_stale", entities=entities)
        record(tx, kb, before)

    def renew(tx: Tx) -> None:
        record(tx, kb, lock(tx, kb))  # whoever keeps what was read at a version sees that names and degrees are others

    described = False
    while stale := database.read("ingest/stale_entities", kb=kb, limit=ENTITIES):
        described = True
        if alone := [row["id"] for row in stale if not row["connected"]]:
            database.transaction(partial(forget, entities=alone))
        database.write("ingest/describe_entities", ids=[row["id"] for row in stale if row["connected"]])
    if described:
        database.transaction(renew)


def _facts_that_may_mention(
    database: Database, kb: str, titles: Collection[str], documents: Sequence[str]
) -> Iterable[list[Row]]:
    """Facts of others than ``documents`` that may mention one of their ``titles``.

    All of them are looked at, also those that are not linked yet: another process may be about to link them, with
    the titles that there were before.
    """
    if not titles or not database.read("ingest/any_other", kb=kb, documents=documents):
        return
    count = database.read("kb/count_hyperedges", kb=kb)[0]["count"]
    if len(titles) < count * SEARCHES_PER_FACT:
        phrases = [f'key:"{title}" AND kb:"{kb}"' for title in sorted(titles)]
        yield database.read("ingest/facts_mentioning", phrases=phrases)
        return
    yield from pages(database.read, "ingest/facts_page", kb=kb, limit=FACTS)


def relink(database: Database, kb: str, facts: Sequence[str]) -> None:
    """Make the links of facts, by their ids, those that their sentences have among the titles there are now."""

    def apply(tx: Tx, ids: list[str]) -> None:
        before = lock(tx, kb)
        record(tx, kb, before, _apply(tx, kb, ids))

    for first in range(0, len(facts), FACTS):
        database.transaction(partial(apply, ids=list(facts[first : first + FACTS])))


def _apply(tx: Tx, kb: str, ids: Sequence[str]) -> list[str]:
    """Make the links of facts those that their sentences have among the titles there are now; the facts it changed.

    The links there are must be read under the lock, or those that another process has just made would stay.
    """
    titles = {row["title_key"] for row in tx.run("ingest/title_keys", kb=kb)}
    wanted, superseded = [], []
    for fact in tx.run("ingest/facts", ids=ids):
        mentions = title_mentions(fact["text"][fact["lead"] :], titles)
        links = dict(fact["links"])
        for mention, surface in mentions.items():
            if links.get(mention) != surface:
                wanted.append({"hyperedge": fact["id"], "entity": entity_id(kb, mention), "surface": surface})
        for link, surface in links.items():
            if mentions.get(link) != surface:
                superseded.append({"hyperedge": fact["id"], "entity": entity_id(kb, link)})
    cut = tx.run("ingest/delete_links", links=superseded) if superseded else []
    if wanted:
        tx.run("ingest/write_links", links=wanted)
    if cut:
        tx.run("ingest/delete_unconnected", entities=[row["entity"] for row in cut])
    return [row["hyperedge"] for row in (*wanted, *superseded)]
