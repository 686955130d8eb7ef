"""GraphRAG: communities of entities with their summaries, searched locally from entities or globally."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from clew.retrieval.fusion import reciprocal_rank
from clew.retrieval.graph.built import built
from clew.retrieval.graph.communities import Communities, find_communities
from clew.retrieval.graph.hypergraph import Graph
from clew.retrieval.graph.region import best_of
from clew.retrieval.graph.search import (
    Chosen,
    GraphStrategy,
    Near,
    Ranking,
    Start,
    entities_by_turns,
    in_order,
    stated_in,
)
from clew.retrieval.graph.summaries import Summariser, summary_vectors
from clew.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True)
class GraphRAGSettings:
    """How the graph is divided, and how it is searched.

    Communities are those of ``level`` (0 is the coarsest), divided on where they have more than ``largest`` entities
    and Leiden finds a division; a summary has their ``facts`` most prominent hyperedges. A local search begins at
    ``entities`` and looks at the ``cap`` hyperedges of each that are nearest to the question; either search reads
    ``communities`` of them.
    """

    search: Literal["local", "global"] = "local"
    level: int | None = 2
    largest: int = 10
    facts: int = 20
    communities: int = 5
    entities: int = 10
    cap: int = 50


class GraphRAG(GraphStrategy[GraphRAGSettings]):
    """GraphRAG (arXiv 2404.16130): a hierarchy of communities by Leiden, and a summary of each; section 3.1.

    The global search (sections 3.1.5 and 3.1.6) asks the communities of a level: map gives each a score for how helpful
    it is and points of its own, reduce puts the points of all in the order of their scores. The local search, of the
    released code, begins at the entities of the question and takes their relations, those between two of them first,
    and what the communities report that have most of them.

    Departures: without a ``summariser`` a summary is extractive, the facts that the paper would show its language model
    first (those of the highest sum of degrees), with the mean of their vectors; at every level from facts, where the
    paper makes long summaries from shorter ones. The global search asks the ``communities`` nearest to the question,
    where the paper asks all. No language model scores: helpful is the cosine of a summary to the question, of a point
    that times its fact's cosine. Edges come from n-ary hyperedges (``find_communities``). Entity vectors hold names and
    no descriptions, so a local search begins at the names in the question and at the entities of the nearest
    hyperedges, which describe them. Both lists of the local search are fused by reciprocal rank, where the paper fills
    a context with so much of each.

    The paper's claim is about questions on a whole corpus, answered at length; there the global search is at home.
    Where a question asks for one fact, it finds about what chunks do, and the local search more.
    """

    default = GraphRAGSettings()

    def __init__(self, *place: Any, summariser: Summariser | None = None, **options: Any) -> None:
        super().__init__(*place, **options)
        self._summariser = summariser

    def _near(self) -> Near:
        return Near(entities=self._settings.entities, hyperedges=self._settings.entities)

    def _rank(self, graph: Graph, starts: Sequence[Start], _: int) -> list[Ranking]:
        communities = self._communities(graph)
        rank = _local if self._settings.search == "local" else _global
        return [rank(graph, communities, start, self._settings) for start in starts]

    def _communities(self, graph: Graph) -> Communities:
        settings, place, summariser = self._settings, self._place, self._summariser
        vectors = partial(summary_vectors, place.database, place.embedder, graph, summariser=summariser)
        make = partial(find_communities, graph, settings.level, settings.largest, settings.facts, vectors)
        name = ("communities", settings.level, settings.largest, settings.facts, summariser and summariser.name)
        return built(place, graph, name, make, "Finding communities")


def _local(graph: Graph, communities: Communities, start: Start, settings: GraphRAGSettings) -> Ranking:
    entities = np.array(entities_by_turns(graph, start)[: settings.entities], np.int64)
    facts = best_of(graph, entities, start.whole, settings.cap)
    columns, owners = graph.entities_of.of(facts)
    joined = np.bincount(owners, np.isin(columns, entities), len(facts))
    order = np.lexsort((-(graph.vectors[facts] @ start.whole), -joined))
    ranks = {row: {"entity": rank} for rank, row in enumerate(facts[order].tolist(), 1)}
    theirs, members = np.unique(communities.of_entity[entities], return_counts=True)
    theirs, members = theirs[theirs >= 0], members[theirs >= 0]
    relevance = members + communities.vectors[theirs] @ start.whole
    best = theirs[np.argsort(-relevance, kind="stable")][: settings.communities]
    reported, _ = communities.facts.of(best)
    nearest = np.argsort(-(graph.vectors[reported] @ start.whole), kind="stable")
    for rank, row in enumerate(dict.fromkeys(reported[nearest].tolist()), 1):
        ranks.setdefault(row, {})["community"] = rank
    chosen = sorted((Chosen(row, reciprocal_rank(own), own) for row, own in ranks.items()), key=lambda one: -one.score)
    return Ranking(chosen, stated_in(graph, chosen))


def _global(graph: Graph, communities: Communities, start: Start, settings: GraphRAGSettings) -> Ranking:
    helpful = communities.vectors @ start.whole
    best = np.argsort(-helpful, kind="stable")[: settings.communities]
    facts, owners = communities.facts.of(best)
    points = np.maximum(helpful[best][owners], 0) * np.maximum(graph.vectors[facts] @ start.whole, 0)
    scores: dict[int, float] = {}
    for row, point in zip(facts.tolist(), points.tolist(), strict=True):
        scores[row] = max(scores.get(row, 0.0), point)
    chosen = in_order(((row, score) for row, score in scores.items() if score > 0), "community")
    return Ranking(chosen, stated_in(graph, chosen))


RECIPES = {
    "graphrag": Recipe(
        paper="GraphRAG, released code",
        description="The question's entities with their relations and communities: its local search.",
        make=partial(GraphRAG, name="graphrag"),
        settings=GraphRAGSettings(),
        paths=("community", "entity"),
    ),
    "graphrag-global": Recipe(
        paper="GraphRAG, arXiv 2404.16130",
        description="Points of the nearest communities by how helpful their summaries are: its global search.",
        make=partial(GraphRAG, name="graphrag-global"),
        settings=GraphRAGSettings(search="global", communities=20),
        paths=("community",),
    ),
}
