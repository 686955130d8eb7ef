"""Communities of entities, by Leiden, with the facts that say most about each and the vector of its summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Incidence, Rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SEED = 7
"""Of Leiden's random choices, so that one graph has one set of communities."""


@dataclass(frozen=True, slots=True)
class Communities:
    """A partition of the entities that share facts with others.

    ``of_entity`` gives the community of each entity, -1 for one that is always alone; ``facts`` the hyperedges of each
    community, the most prominent first; ``vectors`` those of the summaries, (communities, d).
    """

    of_entity: Rows
    facts: Incidence
    vectors: Vectors


def find_communities(
    graph: Graph, level: int | None, largest: int, facts: int, vectors: Callable[[Incidence], Vectors]
) -> Communities:
    """Leiden's communities at a ``level`` of the hierarchy (0 is the coarsest, None the finest).

    Entities are joined by each hyperedge that has both of them, with weight 1 / (n - 1) for n participants, so that
    each entity gives a hyperedge the same weight however many take part. Communities of more than ``largest`` entities
    are divided on where Leiden finds a division; where it finds none they stay as large. Of each, the ``facts``
    hyperedges with at least two participants inside are kept that have the highest sum of these participants' degrees.
    """
    incidence = _matrix(graph.entities_of, len(graph.entities))
    of_entity, count = _partition(incidence, level, largest)
    if not count:
        none = Incidence(np.zeros(1, np.int64), np.zeros(0, np.int64))
        return Communities(of_entity, none, vectors(none))
    inside = _membership(of_entity, count) @ incidence.T
    degrees = incidence * graph.degrees
    prominence = (_membership(of_entity, count) @ degrees.T).tocoo()
    joined = inside.tocsr()[prominence.coords[0], prominence.coords[1]] >= 2
    communities, hyperedges = (np.asarray(one, np.int64)[joined] for one in prominence.coords)
    order = np.lexsort((hyperedges, -prominence.data[joined], communities))
    firsts = np.searchsorted(communities[order], np.arange(count))
    kept = order[np.arange(len(order)) - firsts[communities[order]] < facts]
    counts = np.bincount(communities[kept], minlength=count)
    central = Incidence(np.concatenate([[0], np.cumsum(counts)]), hyperedges[kept])
    return Communities(of_entity, central, vectors(central))


def _matrix(incidence: Incidence, columns: int) -> csr_array:
    from scipy.sparse import csr_array

    shape = len(incidence.starts) - 1, columns
    return csr_array((np.ones(len(incidence.columns)), incidence.columns, incidence.starts), shape=shape)


def _membership(of_entity: Rows, count: int) -> csr_array:
    """(communities, entities)"""
    from scipy.sparse import csr_array

    entities = np.flatnonzero(of_entity >= 0)
    shape = count, len(of_entity)
    return csr_array((np.ones(len(entities)), (of_entity[entities], entities)), shape=shape)


def _partition(incidence: csr_array, level: int | None, largest: int) -> tuple[Rows, int]:
    from graspologic_native import hierarchical_leiden  # type: ignore[import-untyped]
    from scipy.sparse import diags_array, triu

    of_entity = np.full(incidence.shape[1], -1)
    weights: npt.NDArray[np.float64] = 1.0 / np.maximum(incidence.sum(axis=1) - 1, 1)
    edges = triu(incidence.T @ diags_array(weights) @ incidence, k=1).tocoo()
    if not edges.nnz:
        return of_entity, 0
    named = zip(
        map(str, edges.coords[0].tolist()), map(str, edges.coords[1].tolist()), edges.data.tolist(), strict=True
    )
    found = hierarchical_leiden(list(named), max_cluster_size=largest, seed=SEED)
    for one in sorted(found, key=lambda one: one.level):
        if level is None or one.level <= level:
            of_entity[int(one.node)] = one.cluster
    placed = of_entity >= 0
    distinct, of_entity[placed] = np.unique(of_entity[placed], return_inverse=True)
    return of_entity, len(distinct)
