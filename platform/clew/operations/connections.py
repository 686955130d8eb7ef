"""Participants of facts that their sentences do not name any more: remains of earlier rules of extraction.

Documents are extracted once more from what the graph keeps of them, and what is connected beyond that is found. Facts
that a model or a person has worded are left alone: their text does not say who takes part.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from clew.database.connection import Database, Row, Tx, pages
from clew.extraction.sentences import SentenceExtractor
from clew.ids import entity_id, hyperedge_id
from clew.ingest.change import lock, record
from clew.ingest.link import describe_stale, relink
from clew.text.names import key
from clew.text.outline import from_json
from clew.types import Chunk, Document

DOCUMENTS = 200
"""Documents that are read in one round trip."""
PAIRS = 2000
"""Connections that are removed in one transaction."""

Pair = tuple[str, str]
"""A hyperedge and an entity, by their ids."""


def superseded(database: Database, kb: str) -> dict[Pair, str]:
    """Each connection that today's extractor would not make, with the title of a document that states its fact.

    Of a fact that several documents state, what any of them makes counts.
    """
    found: dict[Pair, str] = {}
    elsewhere: set[Pair] = set()
    for document, chunk, facts in _chunks(database, kb):
        made = _made(kb, document, chunk)
        for fact in facts:
            own = made.get(fact["id"])
            if own is None:
                continue  # a fact that is stated wrongly is what the check of offsets finds
            if fact["elsewhere"]:
                elsewhere |= {(fact["id"], entity) for entity in own}
            found |= {(fact["id"], entity): document.title for entity in fact["entities"] if entity not in own}
    return {pair: title for pair, title in found.items() if pair not in elsewhere}


def remove(database: Database, kb: str, pairs: list[Pair]) -> None:
    """Take these connections away, and link the sentences anew: what was a participant may be a link now."""
    for first in range(0, len(pairs), PAIRS):
        some = pairs[first : first + PAIRS]
        database.transaction(partial(_remove, kb=kb, pairs=some))
        relink(database, kb, list(dict.fromkeys(hyperedge for hyperedge, _ in some)))
    describe_stale(database, kb)


def _remove(tx: Tx, kb: str, pairs: list[Pair]) -> None:
    before = lock(tx, kb)
    rows = [{"hyperedge": hyperedge, "entity": entity} for hyperedge, entity in pairs]
    entities = [row["entity"] for row in tx.run("operations/mend_connections", kb=kb, pairs=rows)]
    tx.run("ingest/delete_unconnected", entities=entities)
    record(tx, kb, before, [row["hyperedge"] for row in rows])


def _chunks(database: Database, kb: str) -> Iterator[tuple[Document, Chunk, list[Row]]]:
    recipe = f"{SentenceExtractor.name}/"
    for page in pages(database.read, "operations/connections", kb=kb, recipe=recipe, limit=DOCUMENTS):
        for row in page:
            blocks = from_json(row["blocks"], row["text"])
            document = Document(row["id"], kb, row["title"], row["source"], row["text"], "", blocks=blocks)
            for chunk in row["chunks"]:
                if None in (chunk["start"], chunk["end"], chunk["text"]):
                    continue  # a damage that another check finds
                place = Chunk(chunk["id"], document.id, chunk["index"], chunk["text"], chunk["start"], chunk["end"])
                yield document, place, chunk["facts"]


def _made(kb: str, document: Document, chunk: Chunk) -> dict[str, set[str]]:
    """The entities of each fact of a chunk, by the fact's id."""
    made: dict[str, set[str]] = {}
    for fact in SentenceExtractor().extract(document, chunk):
        own = made.setdefault(hyperedge_id(kb, fact.text, fact.lead), set())
        own |= {entity_id(kb, key(one.name)) for one in fact.participants}
    return made
