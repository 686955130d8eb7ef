"""LinearRAG: a graph without relations, in which entities of the question wake others through sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.pagerank import area_around, stated_mass
from clew.retrieval.graph.region import Area, Restart, Weights, mass_on
from clew.retrieval.graph.search import Chosen, GraphStrategy, Near, Ranking, Start, in_order
from clew.retrieval.recipe import Recipe

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class LinearRAGSettings:
    """Constants of LinearRAG: ``sentences`` of run.py in its code, and what else is there of config.py.

    An entity wakes others through its ``sentences`` nearest to the query, in at most ``steps`` steps, and only while
    their relevance is at least ``threshold`` (δ). ``passage_ratio`` is λ, the weight of a passage's similarity beside
    its entities, ``passage_weight`` that of passages beside entities, ``damping`` d. ``nearest_passages`` chunks have a
    similarity, and an entity brings at most ``cap`` hyperedges. The code's run.sh has other constants for each
    benchmark: 4 sentences, 4 steps, δ = 0.1 and λ = 2 for MuSiQue.
    """

    sentences: int = 3
    steps: int = 2
    threshold: float = 0.5
    passage_ratio: float = 1.5
    passage_weight: float = 0.05
    damping: float = 0.5
    nearest_passages: int = 200
    iterations: int = 12
    cap: int = 50


@dataclass(frozen=True, slots=True)
class Awake:
    """Activated entities (rows of the graph, sorted) with a_q and the level of each, and the sentences in between."""

    entities: Rows
    relevance: Weights
    levels: Rows
    bridges: Sequence[int]


class LinearRAG(GraphStrategy[LinearRAGSettings]):
    """LinearRAG (arXiv 2510.10114): entity activation by local semantic bridging, then PageRank over passages.

    First a_q ← max(Mᵀ(σ_q ⊙ M·a_q), a_q): from the question's entities over sentences (M, which mentions what) by their
    similarity σ_q to the question, dropping what falls below δ. As in the code, each entity wakes others by itself,
    through sentences that none has gone through before, and the best of them counts, where the product sums over the
    entities that are awake in a sentence. Then personalised PageRank over entities and the passages that contain them;
    it restarts at entities by a_q and at passages by 0.05·(λ·sim(q, p) + ln(1 + Σ_{e ∈ p} a_q(e)·ln(1 + N_e(p)) /
    L_e)), with N_e(p) the sentences of p that mention e and L_e the level at which e woke.

    The Tri-Graph of the paper is the hypergraph as it is: a sentence is a hyperedge, whose relations are not looked at.

    Departures: the question's entities are those that it spells, where the paper has a named-entity model, else the
    nearest one; an entity that is woken again keeps its best a_q, which the code adds up where the walk restarts; the
    walk stays in a bounded neighbourhood; passages beyond the nearest have no similarity; neighbouring passages of a
    document are not joined. A fact ranks by its passage's and its entities' mass, and says so where it woke an entity
    ("bridge").
    """

    name = "linearrag"
    default = LinearRAGSettings()

    def _near(self) -> Near:
        return Near(chunks=self._settings.nearest_passages)

    def _ranking(self, graph: Graph, start: Start, k: int) -> Ranking:
        settings = self._settings
        awake = activate(graph, start, settings)
        began = Restart(awake.entities, awake.relevance, start.chunks, start.chunk_similarity)
        area = area_around(graph, began.entities, began.chunks, start.whole, settings.cap)
        if not len(area.hyperedges):
            return Ranking((), ())
        mentions = area.incidence[:, : len(area.entities)].T @ area.incidence[:, len(area.entities) :]
        passages = _passage_mass(area, mentions, awake, began, settings)
        entities, chunks = _pagerank(
            mentions, mass_on(area.entities, awake.entities, awake.relevance), passages, settings
        )
        best = np.argsort(-chunks, kind="stable")
        facts = stated_mass(area, chunks) * (area.incidence[:, : len(area.entities)] @ entities)
        ranked = in_order(zip(area.hyperedges.tolist(), facts.tolist(), strict=True), "pagerank")
        bridges = {row: rank for rank, row in enumerate(awake.bridges, 1)}
        return Ranking(
            [
                Chosen(f.row, f.score, f.ranks | ({"bridge": bridges[f.row]} if f.row in bridges else {}))
                for f in ranked
            ],
            list(zip(area.chunks[best].tolist(), chunks[best].tolist(), strict=True)),
        )


def activate(graph: Graph, start: Start, settings: LinearRAGSettings) -> Awake:
    """The entities that the question names, and those that they wake through sentences like the question."""
    seeds = start.linked.tolist() or start.entities[:1].tolist()
    first = 1.0 if len(start.linked) else float(max(start.entity_similarity[:1], default=0.0))
    relevance = dict.fromkeys(seeds, first)
    levels = dict.fromkeys(seeds, 1)
    bridges: dict[int, None] = {}
    current = seeds
    for level in range(2, settings.steps + 2):
        woken: dict[int, float] = {}
        for entity in current:
            sentences = np.setdiff1d(graph.hyperedges_of.of(np.array([entity]))[0], list(bridges))
            similar = graph.vectors[sentences] @ start.whole
            for at in np.argsort(-similar, kind="stable")[: settings.sentences].tolist():
                value = relevance[entity] * float(similar[at])
                if value < settings.threshold:
                    break
                bridges[int(sentences[at])] = None
                for other in graph.entities_of.of(sentences[at : at + 1])[0].tolist():
                    woken[other] = max(woken.get(other, 0.0), value)
        current = [entity for entity, value in woken.items() if value > relevance.get(entity, 0.0)]
        relevance |= {entity: woken[entity] for entity in current}
        levels = dict.fromkeys(current, level) | levels
    entities = np.array(sorted(relevance), np.int64)
    values = np.array([relevance[entity] for entity in entities.tolist()])
    return Awake(entities, values, np.array([levels[e] for e in entities.tolist()], np.int64), list(bridges))


def _passage_mass(
    area: Area, mentions: csr_array, awake: Awake, began: Restart, settings: LinearRAGSettings
) -> Weights:
    """The restart mass of each passage of the area, from its similarity and the entities that woke in it."""
    spread = float(np.ptp(began.chunk_mass)) if len(began.chunks) else 0.0
    similar = (began.chunk_mass - began.chunk_mass.min()) / spread if spread else np.ones(len(began.chunks))
    weight = mass_on(area.entities, awake.entities, awake.relevance / awake.levels)
    counted = mentions.copy()
    counted.data = np.log1p(counted.data)
    mass: Weights = settings.passage_ratio * mass_on(area.chunks, began.chunks, similar) + np.log1p(counted.T @ weight)
    return settings.passage_weight * mass


def _pagerank(
    mentions: csr_array, entities: Weights, chunks: Weights, settings: LinearRAGSettings
) -> tuple[Weights, Weights]:
    """PageRank over entities and chunks; an edge weighs as the entity's share of the chunk's mentions."""
    total = max(float(entities.sum() + chunks.sum()), 1e-12)
    r_e, r_p = entities / total, chunks / total
    weights = mentions * (1.0 / np.maximum(mentions.sum(axis=0), 1))[None, :]
    leaving_e = 1.0 / np.maximum(weights.sum(axis=1), 1e-12)
    leaving_p = 1.0 / np.maximum(weights.sum(axis=0), 1e-12)
    d = settings.damping
    x_e, x_p = r_e, r_p
    for _ in range(settings.iterations):
        x_e, x_p = (
            d * (weights @ (x_p * leaving_p)) + (1 - d) * r_e,
            d * (weights.T @ (x_e * leaving_e)) + (1 - d) * r_p,
        )
    return x_e, x_p


RECIPES = {
    "linearrag": Recipe(
        paper="LinearRAG, arXiv 2510.10114",
        description="Entities wake others through sentences like the question, then PageRank over passages.",
        make=LinearRAG,
        settings=LinearRAGSettings(),
        paths=("bridge", "pagerank"),
    ),
}
