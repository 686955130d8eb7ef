"""What the strategies that search the graph share: where each query begins, and how what they choose is given back.

A strategy of this kind is one function from the graph and the starts of a batch to a ranking of rows per query. Where
that has fewer passages than are asked for, the nearest ones follow, which no paper's method brings, so that strategies
are compared at the same number. Only ``binary`` does without, as Graph-R1 does, with which it is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Generic, TypeVar

import numpy as np

from clew.database.connection import Database, Row
from clew.embedding import Embedder, Vectors
from clew.retrieval.graph.copy import current_graph, latest_graph
from clew.retrieval.graph.hypergraph import Graph, Ids, Rows, find
from clew.retrieval.graph.question import Question, link
from clew.retrieval.graph.region import Weights
from clew.retrieval.graph.rows import describe
from clew.retrieval.query import query_entities
from clew.types import Retrieved


@dataclass(frozen=True, slots=True)
class Place:
    """The knowledge base that is searched: its connection, its encoder and its name."""

    database: Database
    embedder: Embedder
    kb: str


@dataclass(frozen=True, slots=True)
class Near:
    """How many of the nearest entities, hyperedges and chunks a search begins with; at least one of each.

    With ``relations``, hyperedges are those nearest to the query without the names it links. With ``mean``, entities
    are those nearest to the mean of the vectors of the names (Graph-R1 eq. 7), else to the vector of all of them
    together.
    """

    entities: int = 1
    hyperedges: int = 1
    chunks: int = 1
    relations: bool = False
    mean: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """A query with what is nearest to it: rows of the graph, best first, and their cosines.

    ``whole`` is the vector of the query, ``masked`` that of the query without the names it links, (d,) each. Entities
    are nearest to the names in the query, chunks to the whole query, and hyperedges too unless ``Near`` says otherwise.
    ``nearest`` are the nearest chunks (id, cosine) with those that state no fact, which the graph does not have.
    """

    question: Question
    whole: Vectors
    masked: Vectors
    entities: Rows
    entity_similarity: Weights
    hyperedges: Rows
    similarity: Weights
    chunks: Rows
    chunk_similarity: Weights
    nearest: Sequence[tuple[str, float]]

    @property
    def linked(self) -> Rows:
        """The entities that the query names."""
        return np.array(self.question.linked, np.int64)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A hyperedge that a strategy chose: its row, its score, and its rank on each path."""

    row: int
    score: float
    ranks: dict[str, int]


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a strategy chose for a query: hyperedges best first, and chunks (row, score) best first."""

    facts: Sequence[Chosen]
    chunks: Sequence[tuple[int, float]]


S = TypeVar("S")


class GraphStrategy(Generic[S]):
    """A strategy that ranks the graph by settings of its own: all starts of a batch together, or one by one.

    ``_near`` is what a search begins with.
    """

    name: str = ""
    default: S

    def __init__(
        self, database: Database, embedder: Embedder, kb: str, settings: S | None = None, name: str = ""
    ) -> None:
        self.name = name or self.name
        self._place = Place(database, embedder, kb)
        self._settings = settings or self.default

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The facts and passages that rank best; two round trips a batch, besides those of the ranking."""
        return search(self._place, queries, k, self._near(), self._rank)

    def _near(self) -> Near:
        return Near()

    def _rank(self, graph: Graph, starts: Sequence[Start], k: int) -> list[Ranking]:
        return [self._ranking(graph, start, k) for start in starts]

    def _ranking(self, graph: Graph, start: Start, k: int) -> Ranking:
        raise NotImplementedError


Rank = Callable[[Graph, Sequence[Start], int], Sequence[Ranking]]
"""From the graph, the starts of a batch and k, a ranking for each start; what goes beyond k is cut off."""


def search(
    place: Place, queries: Sequence[str], k: int, near: Near, rank: Rank, *, fill: bool = True
) -> list[Retrieved]:
    """Rank the graph for every query that is not empty; two round trips a batch, besides those of ``rank``.

    Where a ranking has fewer than ``k`` chunks, the nearest ones follow with ``fill``, also those that state no fact.
    """
    asked = [i for i, query in enumerate(queries) if query.strip()]
    found = [Retrieved(query) for query in queries]
    if asked and (begun := _starts(place, [queries[i] for i in asked], replace(near, chunks=max(near.chunks, k)))):
        graph, starts = begun
        for i, one in zip(asked, _as_retrieved(place, graph, starts, rank(graph, starts, k), k, fill), strict=True):
            found[i] = one
    return found


def ids(all_ids: Ids, rows: Iterable[int] | Rows) -> list[str]:
    """The ids of rows."""
    return [id.decode() for id in all_ids[np.fromiter(rows, np.int64)].tolist()]


def in_order(facts: Iterable[tuple[int, float]], path: str) -> list[Chosen]:
    """Hyperedges (row, score) by score, ranked from 1 on one path; what ties keeps its order."""
    best = sorted(facts, key=lambda one: -one[1])
    return [Chosen(row, score, {path: rank}) for rank, (row, score) in enumerate(best, 1)]


def entities_by_turns(graph: Graph, start: Start) -> list[int]:
    """The linked entities, then by turns those nearest to the names and those of the nearest hyperedges; each once."""
    around, _ = graph.entities_of.of(start.hyperedges)
    turns = zip_longest(start.entities.tolist(), around.tolist())
    return list(dict.fromkeys([*start.question.linked, *(row for pair in turns for row in pair if row is not None)]))


def stated_in(graph: Graph, facts: Iterable[Chosen]) -> list[tuple[int, float]]:
    """The chunks that state hyperedges, each with the score of the first of them that it states."""
    found: dict[int, float] = {}
    for fact in facts:
        for chunk in graph.chunks_of.of(np.array([fact.row]))[0].tolist():
            found.setdefault(chunk, fact.score)
    return list(found.items())


def filled(
    chunks: Sequence[tuple[str, float]], nearest: Sequence[tuple[str, float]], k: int
) -> list[tuple[str, float]]:
    """The first ``k`` chunks (id, score), and the nearest (id, cosine) after them, whose scores go on below."""
    best = list(chunks[:k])
    there = {id for id, _ in best}
    floor = min((score for _, score in best), default=1.0)
    for id, cosine in nearest:
        if len(best) < k and id not in there:
            best.append((id, floor * max(cosine, 0.0) if floor >= 0 else floor - (1 - cosine)))
    return best


def _starts(place: Place, queries: Sequence[str], near: Near) -> tuple[Graph, list[Start]] | None:
    graph = latest_graph(place.database, place.kb)
    asked = _asked(place, graph, queries, near.mean)
    rows = _nearest(place, asked, near)
    if not rows:
        return None
    if (rows[0]["version"] or "") != graph.version:
        graph = current_graph(place.database, place.kb)
        asked = _asked(place, graph, queries, near.mean)
        rows = _nearest(place, asked, near) if near.relations else rows
    starts = [
        Start(
            question,
            whole,
            masked,
            *_entities(graph, row["entities"]),
            *_rows(graph.hyperedges, row["hyperedges"]),
            *_rows(graph.chunks, row["chunks"]),
            row["chunks"],
        )
        for question, whole, masked, row in zip(asked.questions, asked.whole, asked.masked, rows, strict=True)
    ]
    return graph, starts


@dataclass(frozen=True, slots=True)
class _Asked:
    """Queries with the vectors of all of their text, of their names and of the rest, (queries, d) each."""

    questions: list[Question]
    whole: Vectors
    names: Vectors
    masked: Vectors


def _asked(place: Place, graph: Graph, queries: Sequence[str], mean: bool) -> _Asked:
    questions = link(graph, place.kb, queries)
    names = [query_entities(query) or [query] for query in queries]
    if not mean:
        names = [[", ".join(some)] for some in names]
    masked = [question.relation for question in questions]
    texts = list(dict.fromkeys([*queries, *(name for some in names for name in some), *masked]))
    vectors = dict(zip(texts, place.embedder.embed(texts), strict=True))
    whole, rest = (np.stack([vectors[text] for text in some]) for some in (queries, masked))
    named = np.stack([np.mean([vectors[name] for name in some], axis=0) for some in names])
    return _Asked(questions, whole, named, rest)


def _nearest(place: Place, asked: _Asked, near: Near) -> list[Row]:
    """A row per query with what is nearest to it, in order; none where the knowledge base is gone."""
    relations = asked.masked if near.relations else asked.whole
    rows = place.database.read_batch(
        "retrieve/starts",
        {"queries": asked.whole, "names": asked.names, "relations": relations},
        kb=place.kb,
        entities=near.entities,
        hyperedges=near.hyperedges,
        chunks=near.chunks,
    )
    return sorted(rows, key=lambda row: int(row["i"]))


def _rows(all_ids: Ids, found: Sequence[tuple[str, float]]) -> tuple[Rows, Weights]:
    """Rows and scores of what Neo4j found; chunks that state no fact, and what came meanwhile, are left out."""
    rows = find(all_ids, [id for id, _ in found])
    scores = np.array([score for _, score in found], float)
    return rows[rows >= 0], scores[rows >= 0]


def _entities(graph: Graph, found: Sequence[tuple[str, float]]) -> tuple[Rows, Weights]:
    """The same for entities: of those that are merged, the first and best counts."""
    rows = graph.entity_rows([id for id, _ in found])
    scores = np.array([score for _, score in found], float)
    _, firsts = np.unique(rows, return_index=True)
    kept = np.sort(firsts[rows[firsts] >= 0])
    return rows[kept], scores[kept]


def _as_retrieved(
    place: Place, graph: Graph, starts: Sequence[Start], rankings: Sequence[Ranking], k: int, fill: bool
) -> list[Retrieved]:
    """The ``k`` best of each ranking, with their texts and sources."""
    chosen = [one.facts[:k] for one in rankings]
    passages_of = []
    for start, one in zip(starts, rankings, strict=True):
        own = ids(graph.chunks, (row for row, _ in one.chunks[:k]))
        scores = (score for _, score in one.chunks[:k])
        passages_of.append(filled(list(zip(own, scores, strict=True)), start.nearest if fill else (), k))
    described = describe(
        place.database,
        (id for best in chosen for id in ids(graph.hyperedges, (fact.row for fact in best))),
        (id for chunks in passages_of for id, _ in chunks),
    )
    results = []
    for start, best, chunks in zip(starts, chosen, passages_of, strict=True):
        names = ids(graph.hyperedges, (fact.row for fact in best))
        facts = described.facts(names, [fact.score for fact in best], "")
        ranks = dict(zip(names, (fact.ranks for fact in best), strict=True))
        passages = described.passages([id for id, _ in chunks], [score for _, score in chunks])
        results.append(
            Retrieved(
                start.question.text, tuple(replace(fact, ranks=ranks[fact.id]) for fact in facts), tuple(passages)
            )
        )
    return results
