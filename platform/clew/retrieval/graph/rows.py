"""Rows of the retrieval statements, as facts and passages."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.database.connection import Database, Row
from clew.text.outline import block_at, from_json
from clew.types import Fact, Passage, Source

SPARE = 15
"""Candidates beyond those that are wanted: an index that has seen many deletions and merges, or that others' vectors
are in, misses some of the nearest otherwise.

Only where nothing else would bring them: the walks ask for many more than they take, and chunks, which are fewer, are
missed less.
"""


_blocks = lru_cache(maxsize=256)(from_json)  # the facts of a query are stated by few passages, which come as such, too


def page_of(pages: Sequence[int] | None, start: int) -> int | None:
    """The page (from 1) that an offset lies on, or None in a document without pages."""
    return max(1, bisect_right(pages, start)) if pages else None


def fact(row: Row, score: float, ranks: dict[str, int]) -> Fact:
    """The fact that a row with id, text, entities and sources describes."""
    sources = tuple(map(_source, row["sources"]))
    return Fact(row["id"], row["text"], tuple(sorted(row["entities"])), score, sources, ranks)


def passage(row: Row, score: float) -> Passage:
    """The passage that a row with a chunk and its document describes."""
    start, end = row["chunk_start"], row["chunk_end"]
    page = page_of(row["pages"], start)
    blocks = _blocks(row["blocks"], row["text"], start)
    metadata = json.loads(row["metadata"] or "{}")
    place = row["document"], row["title"], row["text"], start, end
    return Passage(row["chunk"], *place, score, page, tuple(row["section"] or ()), blocks, metadata)


def _source(row: Row) -> Source:
    """Where a fact is stated, with the block that states it."""
    blocks = _blocks(row["blocks"], row["text"], row["chunk_start"])
    page, block = page_of(row["pages"], row["start"]), block_at(blocks, row["start"])
    return Source(row["document"], row["title"], row["chunk"], row["start"], row["end"], page, block)


def passages_of(facts: Iterable[Fact], rows: Iterable[Row], k: int) -> tuple[Passage, ...]:
    """The first ``k`` passages that state ``facts``, which the rows describe; each scored by the best of its facts."""
    sources = {row["id"]: row["sources"] for row in rows}
    found: dict[str, Passage] = {}
    for one in facts:
        for source in sources[one.id]:
            if len(found) < k and source["chunk"] not in found:
                found[source["chunk"]] = passage(source, one.score)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Described:
    """What Neo4j says of chosen hyperedges and chunks, by id. One that is gone meanwhile is left out of the results."""

    rows: dict[str, Row]

    def facts(self, ids: Sequence[str], scores: Sequence[float], path: str) -> list[Fact]:
        """The hyperedges as facts in this order, ranked from 1 on one path."""
        return [
            fact(self.rows[id], score, {path: rank})
            for rank, (id, score) in enumerate(zip(ids, scores, strict=True), 1)
            if id in self.rows
        ]

    def name(self, id: str) -> str:
        """The name of a place, empty where it is gone."""
        return str(self.rows.get(id, {}).get("name", ""))

    def passages(self, ids: Sequence[str], scores: Sequence[float]) -> list[Passage]:
        """The chunks as passages in this order."""
        return [passage(self.rows[id], score) for id, score in zip(ids, scores, strict=True) if id in self.rows]


def describe(
    database: Database, hyperedges: Iterable[str], chunks: Iterable[str], places: Iterable[tuple[str, str]] = ()
) -> Described:
    """Read texts, entities and sources of hyperedges and chunks, for a whole batch in one round trip.

    ``places`` are labels and ids of nodes whose names are wanted as well.
    """
    chosen = {"hyperedges": list(dict.fromkeys(hyperedges)), "chunks": list(dict.fromkeys(chunks))}
    others = [{"label": label, "id": id} for label, id in dict.fromkeys(places)]
    rows: dict[str, Row] = {}
    for row in database.read("retrieve/describe", **chosen, places=others):
        rows.setdefault(row["id"], {}).update(row["row"])
    return Described(rows)
