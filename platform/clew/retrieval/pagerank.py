"""Personalised PageRank over a bounded part of the hypergraph: entities and passages, joined by hyperedges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clew.embedding import Vectors
from clew.retrieval.graph import Graph, Rows
from clew.retrieval.graph_search import Weights, best_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Restart:
    """Where PageRank begins again: entities and chunks (rows of the graph, sorted) with their masses."""

    entities: Rows
    entity_mass: Weights
    chunks: Rows
    chunk_mass: Weights


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the graph: its rows, sorted; ``incidence`` is (hyperedges, entities and then chunks)."""

    hyperedges: Rows
    entities: Rows
    chunks: Rows
    incidence: csr_array
    transposed: csr_array


@dataclass(frozen=True, slots=True)
class Rank:
    """The mass of each hyperedge, entity and chunk of an area."""

    hyperedges: Weights
    entities: Weights
    chunks: Weights


def area_around(graph: Graph, start: Restart, query: Vectors, cap: int) -> Area:
    """Two hops from the restart's entities and one from its chunks; of an entity, the ``cap`` nearest hyperedges."""
    from scipy.sparse import csr_array

    near = best_of(graph, start.entities, query, cap)
    behind = np.setdiff1d(graph.entities_of.of(near)[0], start.entities)
    stated, _ = graph.facts_of.of(start.chunks)
    hyperedges = np.unique(np.concatenate([near, best_of(graph, behind, query, cap), stated]))
    columns, owners = graph.entities_of.of(hyperedges)
    entities, touched = np.unique(columns, return_inverse=True)
    columns, stating = graph.chunks_of.of(hyperedges)
    chunks, stated_by = np.unique(columns, return_inverse=True)
    at = np.concatenate([owners, stating]), np.concatenate([touched, len(entities) + stated_by])
    incidence = csr_array((np.ones(len(at[0])), at), shape=(len(hyperedges), len(entities) + len(chunks)))
    return Area(hyperedges, entities, chunks, incidence, incidence.T.tocsr())


def pagerank(area: Area, start: Restart, damping: float, iterations: int) -> Rank:
    """x ← d·P·x + (1 − d)·r: from an entity or chunk to one of its hyperedges, and from there to a participant."""
    r = np.concatenate(
        [_local(area.entities, start.entities, start.entity_mass), _local(area.chunks, start.chunks, start.chunk_mass)]
    )
    r = r / max(float(r.sum()), 1e-12)
    leaving = 1.0 / np.maximum(area.transposed.sum(axis=1), 1)
    sharing = 1.0 / np.maximum(area.incidence.sum(axis=1), 1)
    x, through = r, np.zeros(len(area.hyperedges))
    for _ in range(iterations):
        through = area.incidence @ (x * leaving)
        x = damping * (area.transposed @ (through * sharing)) + (1 - damping) * r
    return Rank(through, x[: len(area.entities)], x[len(area.entities) :])


def _local(places: Rows, rows: Rows, mass: Weights) -> Weights:
    local = np.zeros(len(places))
    if len(places) and len(rows):
        at = np.minimum(np.searchsorted(places, rows), len(places) - 1)
        inside = places[at] == rows
        np.add.at(local, at[inside], mass[inside])
    return local
