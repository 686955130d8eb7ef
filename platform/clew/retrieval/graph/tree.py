"""A tree of summaries over the chunks: clusters of what is alike, summarised, clustered again, up to a few roots."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clew.database.connection import Database
from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Incidence, Rows
from clew.retrieval.graph.summaries import unit

DIMENSIONS = 10
"""To which vectors are reduced before they are clustered, as in the paper."""
COMPONENTS = (2, 4, 8, 16, 32, 50)
"""Sizes of the mixtures that BIC chooses from; at most 50 in the paper."""
SHARE = 0.1
"""A node belongs to every cluster that has this posterior probability, as in the paper."""
SEED = 7
READ = 5_000
"""Chunk vectors read in one round trip."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes by number: the chunks by their rows, then the summaries, layer upon layer.

    ``layers`` has the first node of each layer and at last the number of nodes; ``children`` are nodes, of a chunk
    none; ``facts`` the hyperedges that a chunk states, or of which a summary is made; ``vectors`` is (nodes, d).
    """

    layers: tuple[int, ...]
    children: Incidence
    facts: Incidence
    vectors: Vectors


def grow_tree(
    graph: Graph, chunks: Vectors, largest: int, sentences: int, vectors: Callable[[Incidence], Vectors]
) -> Tree:
    """Cluster, summarise and embed (RAPTOR section 3) until so few nodes remain that one cluster would hold them.

    ``chunks`` are the vectors of the chunks, (chunks, d). A summary is made of the ``sentences`` hyperedges among its
    children's that are nearest to the mean of the children, and ``vectors`` embeds what is made of them.
    """
    layers = [0, len(chunks)]
    facts = _lists(graph.facts_of, len(chunks))
    children: list[Rows] = [np.zeros(0, np.int64)] * len(chunks)
    nodes = chunks
    while layers[-1] - layers[-2] > largest:
        layer = np.arange(layers[-2], layers[-1])
        clusters = [layer[rows] for rows in find_clusters(nodes[layer], largest)]
        if len(clusters) >= len(layer):
            break
        new = [_central(graph, unit(nodes[rows].mean(axis=0)[None])[0], facts, rows, sentences) for rows in clusters]
        children += clusters
        facts += new
        nodes = np.concatenate([nodes, vectors(_incidence(new))])
        layers.append(len(nodes))
    return Tree(tuple(layers), _incidence(children), _incidence(facts), nodes)


def read_chunk_vectors(database: Database, kb: str, graph: Graph) -> Vectors:
    """The vectors of the graph's chunks, (chunks, d); zeros for a chunk that is gone meanwhile."""
    vectors = np.zeros((len(graph.chunks), graph.vectors.dimensions), np.float32)
    ids = [id.decode() for id in graph.chunks.tolist()]
    place = {id: row for row, id in enumerate(ids)}
    for first in range(0, len(ids), READ):
        part = ids[first : first + READ]
        for row in database.read("graph/chunk_vectors", kb=kb, ids=part):
            vectors[place[row["id"]]] = row["embedding"].to_numpy()
    return vectors


def find_clusters(vectors: Vectors, largest: int) -> list[Rows]:
    """Clusters of rows, of at most ``largest`` each: mixtures within mixtures until they fit.

    A row may be in several clusters; what is divided on is not shared, or else it would hardly shrink.
    """
    waiting, found = [np.arange(len(vectors))], []
    while waiting:
        rows = waiting.pop()
        if len(rows) <= largest:
            found.append(rows)
            continue
        for own, shared in _mixture(vectors[rows]):
            if len(shared) <= largest:
                found.append(rows[shared])
            else:
                waiting.append(rows[own])
    return found


def _mixture(vectors: Vectors) -> list[tuple[Rows, Rows]]:
    """The components of the Gaussian mixture with the best BIC; halves, where they all lie in one place.

    Of each come the rows that are most likely of this component, and all of a posterior probability that counts.
    """
    from sklearn.decomposition import PCA
    from sklearn.mixture import GaussianMixture

    size = len(vectors)
    dimensions = min(DIMENSIONS, size - 1, vectors.shape[1])
    sizes = [count for count in COMPONENTS if count == COMPONENTS[0] or count <= size / 2]
    with warnings.catch_warnings():
        # What is said of vectors that coincide: no variance, and fewer clusters than asked for.
        warnings.simplefilter("ignore")
        reduced = PCA(dimensions, random_state=SEED).fit_transform(vectors)
        mixtures = [GaussianMixture(n, covariance_type="diag", random_state=SEED).fit(reduced) for n in sizes]
    best = min(mixtures, key=lambda mixture: mixture.bic(reduced))
    posterior = best.predict_proba(reduced)
    likely = posterior.argmax(axis=1)
    parts = []
    for component in np.unique(likely).tolist():
        own = likely == component
        parts.append((np.flatnonzero(own), np.flatnonzero(own | (posterior[:, component] >= SHARE))))
    if len(parts) == 1:
        return [(half, half) for half in np.array_split(np.arange(size), 2)]
    return parts


def _central(graph: Graph, centroid: Vectors, facts: list[Rows], members: Rows, sentences: int) -> Rows:
    rows = np.unique(np.concatenate([facts[member] for member in members.tolist()]))
    nearest: Rows = rows[np.argsort(-(graph.vectors[rows] @ centroid), kind="stable")[:sentences]]
    return nearest


def _lists(incidence: Incidence, rows: int) -> list[Rows]:
    return [incidence.columns[incidence.starts[row] : incidence.starts[row + 1]] for row in range(rows)]


def _incidence(lists: list[Rows]) -> Incidence:
    counts = np.fromiter((len(one) for one in lists), np.int64, len(lists))
    columns = np.concatenate(lists) if lists else np.zeros(0, np.int64)
    return Incidence(np.concatenate([[0], np.cumsum(counts)]), columns)
