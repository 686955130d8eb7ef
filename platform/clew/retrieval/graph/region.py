"""A bounded part of the graph, in which a walk stays so that its cost does not grow with the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Weights = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Restart:
    """Where a walk begins: rows of the graph with their masses, which sum to 1 over all three unless all are empty."""

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


def distinct(rows: Rows, size: int) -> tuple[Rows, Rows]:
    """``np.unique`` with the inverse, for rows below ``size``, at a third of its time: only what is distinct is sorted.

    Memory that is not touched costs nothing, so the time does not grow with ``size``.
    """
    place = np.empty(size, np.int64)
    order = np.arange(len(rows))
    place[rows] = order
    found = np.sort(rows[place[rows] == order])
    place[found] = np.arange(len(found))
    return found, place[rows]


def area_of(graph: Graph, hyperedges: Rows) -> Area:
    """The part of the graph that distinct, sorted hyperedges make, with all their entities and chunks."""
    from scipy.sparse import csr_array

    columns, owners = graph.entities_of.of(hyperedges)
    entities, touched = distinct(columns, len(graph.entities))
    columns, stating = graph.chunks_of.of(hyperedges)
    chunks, stated_by = distinct(columns, len(graph.chunks))
    entity_ends = np.cumsum(graph.entities_of.degrees(hyperedges))
    chunk_starts = np.concatenate([[0], np.cumsum(graph.chunks_of.degrees(hyperedges))])
    places = np.empty(len(touched) + len(stated_by), np.int32)
    places[np.arange(len(touched)) + chunk_starts[owners]] = touched
    places[np.arange(len(stated_by)) + entity_ends[stating]] = len(entities) + stated_by
    starts = chunk_starts.astype(np.int32)
    starts[1:] += entity_ends
    shape = len(hyperedges), len(entities) + len(chunks)
    incidence = csr_array((np.ones(len(places)), places, starts), shape=shape)
    return Area(hyperedges, entities, chunks, incidence, incidence.T.tocsr())


def best_of(graph: Graph, entities: Rows, u: Vectors, cap: int) -> Rows:
    """The hyperedges of the entities, of each at most the ``cap`` best by cos(u, h); distinct and sorted."""
    degrees = graph.hyperedges_of.degrees(entities)
    few, _ = graph.hyperedges_of.of(entities[degrees <= cap])
    many, owners = graph.hyperedges_of.of(entities[degrees > cap])
    if not len(many):
        return distinct(few, len(graph.hyperedges))[0]
    some, at = distinct(many, len(graph.hyperedges))
    similar = (graph.vectors[some] @ u)[at]
    order = np.lexsort((-similar, owners))
    firsts = np.searchsorted(owners, np.arange(owners[-1] + 1))
    kept = order[np.arange(len(order)) - firsts[owners] < cap]
    return distinct(np.concatenate([few, many[kept]]), len(graph.hyperedges))[0]


def mass_on(places: Rows, rows: Rows, mass: Weights) -> Weights:
    """Masses of global rows as masses of the local ones; what lies outside is left out."""
    local = np.zeros(len(places))
    if len(places) and len(rows):
        at = np.minimum(np.searchsorted(places, rows), len(places) - 1)
        inside = places[at] == rows
        np.add.at(local, at[inside], mass[inside])
    return local
