"""Personalised PageRank over a bounded part of the hypergraph: entities and passages, joined by hyperedges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.region import Area, Restart, Weights, area_of, best_of, mass_on


@dataclass(frozen=True, slots=True)
class Rank:
    """The mass of each hyperedge, entity and chunk of an area."""

    hyperedges: Weights
    entities: Weights
    chunks: Weights


def area_around(graph: Graph, entities: Rows, chunks: Rows, query: Vectors, cap: int) -> Area:
    """Two hops from entities and one from chunks; of an entity, the ``cap`` hyperedges nearest to the query."""
    near = best_of(graph, entities, query, cap)
    behind = np.setdiff1d(graph.entities_of.of(near)[0], entities)
    facts, _ = graph.facts_of.of(chunks)
    return area_of(graph, np.unique(np.concatenate([near, best_of(graph, behind, query, cap), facts])))


def pagerank(area: Area, start: Restart, damping: float, iterations: int) -> Rank:
    """x ← d·P·x + (1 − d)·r: from an entity or chunk to one of its hyperedges, and from there to a participant."""
    r = np.concatenate(
        [
            mass_on(area.entities, start.entities, start.entity_mass),
            mass_on(area.chunks, start.chunks, start.chunk_mass),
        ]
    )
    r = r / max(float(r.sum()), 1e-12)
    leaving = 1.0 / np.maximum(area.transposed.sum(axis=1), 1)
    sharing = 1.0 / np.maximum(area.incidence.sum(axis=1), 1)
    x, through = r, np.zeros(len(area.hyperedges))
    for _ in range(iterations):
        through = area.incidence @ (x * leaving)
        x = damping * (area.transposed @ (through * sharing)) + (1 - damping) * r
    return Rank(through, x[: len(area.entities)], x[len(area.entities) :])


def stated_mass(area: Area, chunks: Weights) -> Weights:
    """Of each hyperedge of an area the mass of the best chunk that states it; ``chunks`` are the masses of all."""
    best: Weights = area.incidence[:, len(area.entities) :].multiply(chunks).max(axis=1).toarray().ravel()
    return best
