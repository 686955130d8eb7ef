"""HippoRAG 2: what is nearest to the query restarts PageRank over entities and passages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.graph.hypergraph import Graph
from clew.retrieval.graph.pagerank import area_around, pagerank, stated_mass
from clew.retrieval.graph.region import Restart, Weights
from clew.retrieval.graph.search import GraphStrategy, Near, Ranking, Start, in_order
from clew.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True)
class HippoRAG2Settings:
    """Constants of HippoRAG 2: the facts and entities that are linked, the weight of passages, and the damping.

    ``nearest_passages`` chunks restart the walk, and an entity brings at most ``cap`` hyperedges.
    """

    link_facts: int = 5
    link_entities: int = 5
    passage_weight: float = 0.05
    damping: float = 0.5
    nearest_passages: int = 200
    iterations: int = 12
    cap: int = 50


class HippoRAG2(GraphStrategy[HippoRAG2Settings]):
    """HippoRAG 2 (arXiv 2502.14802): fact linking, then personalised PageRank over entities and passages.

    The facts nearest to the query give their entities a restart mass, the mean of the facts' scores divided by the
    passages that the entity occurs in, of which the released code keeps the ``link_entities`` best; every near passage
    has its dense score times 0.05. Passages are ranked by PageRank.

    Departures: no language model filters the linked facts (its recognition memory); facts are n-ary hyperedges, over
    which the walk steps, instead of triples; entities with like vectors are not joined by synonym edges, because equal
    keys are one entity here; the walk stays in a bounded neighbourhood, which costs little (docs/log.md), and
    facts are scaled to 0 to 1 by the least similar one there, in the released code by that of all facts; passages are
    scaled over the ``nearest_passages``, so that the last of them and all beyond have no mass, where there all have
    some; a passage that states no fact is no node, and follows only where the walk comes to fewer than are asked for.
    """

    name = "hipporag2"
    default = HippoRAG2Settings()

    def _near(self) -> Near:
        return Near(hyperedges=self._settings.link_facts, chunks=self._settings.nearest_passages)

    def _ranking(self, graph: Graph, start: Start, k: int) -> Ranking:
        settings = self._settings
        entities, _ = graph.entities_of.of(start.hyperedges)
        area = area_around(graph, np.unique(entities), start.chunks, start.whole, settings.cap)
        if not len(area.hyperedges):
            return Ranking((), ())
        least = float((graph.vectors[area.hyperedges] @ start.whole).min())
        began = restart(graph, start, least, settings)
        rank = pagerank(area, began, settings.damping, settings.iterations)
        order = np.argsort(-rank.chunks, kind="stable")
        # The method ranks passages; of the facts, those are given first that a high passage states.
        facts = rank.hyperedges * stated_mass(area, rank.chunks)
        return Ranking(
            in_order(zip(area.hyperedges.tolist(), facts.tolist(), strict=True), "pagerank"),
            list(zip(area.chunks[order].tolist(), rank.chunks[order].tolist(), strict=True)),
        )


def restart(graph: Graph, start: Start, least: float, settings: HippoRAG2Settings) -> Restart:
    """The best entities of the linked facts, which score 0 at a cosine of ``least``, and the near passages."""
    columns, owners = graph.entities_of.of(start.hyperedges)
    entities, at = np.unique(columns, return_inverse=True)
    scores = _scaled(start.similarity, least)[owners]
    mean = np.bincount(at, scores, len(entities)) / np.maximum(np.bincount(at, minlength=len(entities)), 1)
    mass = mean / np.maximum(graph.passages[entities], 1)
    linked = np.sort(np.argsort(-mass, kind="stable")[: settings.link_entities])
    passages = _scaled(start.chunk_similarity, float(start.chunk_similarity.min(initial=1.0)))
    return Restart(entities[linked], mass[linked], start.chunks, settings.passage_weight * passages)


def _scaled(scores: Weights, least: float) -> Weights:
    """Scores between 0 for ``least`` and 1 for the best; all 1 where nothing lies between."""
    spread = float(scores.max(initial=least)) - least
    scaled: Weights = np.maximum(scores - least, 0.0) / spread if spread > 0 else np.ones(len(scores))
    return scaled


RECIPES = {
    "hipporag2": Recipe(
        paper="HippoRAG 2, arXiv 2502.14802",
        description="Linked facts restart PageRank over entities and passages.",
        make=HippoRAG2,
        settings=HippoRAG2Settings(),
        paths=("pagerank",),
    ),
}
