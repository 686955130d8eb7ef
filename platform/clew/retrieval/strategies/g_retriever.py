"""G-Retriever: the connected subgraph that collects the most relevance at the least size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.region import Weights, best_of
from clew.retrieval.graph.search import GraphStrategy, Near, Ranking, Start, in_order, stated_in
from clew.retrieval.recipe import Recipe

TIE = 1e-3
"""Cost of a fact for each unit of its distance to the query: among ways of one length, the nearest facts win."""


@dataclass(frozen=True, slots=True)
class GRetrieverSettings:
    """Constants of G-Retriever.

    The ``nodes`` nearest entities and the ``edges`` nearest hyperedges get prizes from their number down to 1, and an
    edge of the tree costs ``cost``: the paper's k and C_e. The tree is looked for among the prized hyperedges and, of
    each entity in reach, the ``cap`` hyperedges nearest to the query.
    """

    nodes: int = 3
    edges: int = 5
    cost: float = 0.5
    cap: int = 50


class GRetriever(GraphStrategy[GRetrieverSettings]):
    """G-Retriever (arXiv 2402.07630): the prize-collecting Steiner tree of a query.

    Sections 5.2 and 5.3: the k nodes and the k edges nearest to the query get the prizes k … 1, and the answer is the
    connected subgraph S that maximises Σ_n prize(n) + Σ_e prize(e) − |E_S|·C_e. The paper turns an edge whose prize
    exceeds its cost into a virtual node. Here every hyperedge is such a node, with its prize, and each of its
    participants costs half an edge: two entities joined by a fact cost C_e, as in the paper, and an n-ary fact costs no
    more than the part of it that is used.

    Departures: the tree grows greedily (``steiner_tree``), because the paper's library, pcst_fast, gives wrong vertices
    with NumPy 2. Of the nodes, the entities that the query spells come first, and then those nearest to its names. The
    tree is looked for within two hops of what has a prize, not in the whole graph. The subgraph becomes text by its
    facts, those with a prize first and then the nearest to the query; the paper's graph neural network and soft prompt
    need a trained model. What the method adds to a search by similarity are the facts that join the prized ones.
    Passages beyond those of the tree are the nearest ones (``search``).
    """

    name = "g-retriever"
    default = GRetrieverSettings()

    def _near(self) -> Near:
        return Near(entities=self._settings.nodes, hyperedges=self._settings.edges)

    def _ranking(self, graph: Graph, start: Start, k: int) -> Ranking:
        nodes = np.array(list(dict.fromkeys([*start.question.linked, *start.entities.tolist()])), np.int64)
        nodes, edges = nodes[: self._settings.nodes], start.hyperedges[: self._settings.edges]
        tree = self._tree(graph, start, nodes, edges)
        similarity = dict(zip(tree.tolist(), (graph.vectors[tree] @ start.whole).tolist(), strict=True))
        prizes = dict(zip(edges.tolist(), range(len(edges), 0, -1), strict=True))
        facts = in_order(((row, prizes.get(row, 0) + cosine) for row, cosine in similarity.items()), "tree")
        return Ranking(facts, stated_in(graph, facts))

    def _tree(self, graph: Graph, start: Start, nodes: Rows, edges: Rows) -> Rows:
        """The hyperedges of the tree."""
        around, _ = graph.entities_of.of(edges)
        near = np.union1d(best_of(graph, np.union1d(nodes, around), start.whole, self._settings.cap), edges)
        columns, owners = graph.entities_of.of(near)
        entities, local = np.unique(columns, return_inverse=True)
        prizes = np.zeros(len(entities) + len(near))
        prizes[np.searchsorted(entities, nodes)] = np.arange(len(nodes), 0, -1)
        prizes[len(entities) + np.searchsorted(near, edges)] = np.arange(len(edges), 0, -1)
        distance = 1 - graph.vectors[near] @ start.whole
        costs = self._settings.cost / 2 + TIE * distance[owners].astype(float)
        tree = steiner_tree(np.stack([local, len(entities) + owners], axis=1), costs, prizes)
        return near[tree[tree >= len(entities)] - len(entities)]


def steiner_tree(links: Rows, costs: Weights, prizes: Weights) -> Rows:
    """The vertices of a connected subgraph of high prize and low cost, sorted.

    ``links`` is (m, 2) vertices, ``costs`` (m,), ``prizes`` (n,). From the largest prize, the tree grows by a shortest
    path to the prize that gains most by it, while one is worth its way: n prizes take n shortest-path searches. A prize
    that pays only together with another one behind it is missed.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    tree = np.zeros(len(prizes), bool)
    if not len(prizes):
        return np.flatnonzero(tree)
    graph = csr_array((costs, (links[:, 0], links[:, 1])), shape=(len(prizes), len(prizes)))
    tree[np.argmax(prizes)] = True
    while True:
        inside = np.flatnonzero(tree)
        distance, before, _ = dijkstra(graph, directed=False, indices=inside, return_predecessors=True, min_only=True)
        gain = np.where(tree, -np.inf, prizes - distance)
        at = int(np.argmax(gain))
        if gain[at] <= 0:
            return inside
        while not tree[at]:
            tree[at] = True
            at = int(before[at])


RECIPES = {
    "g-retriever": Recipe(
        paper="G-Retriever, arXiv 2402.07630",
        description="The prize-collecting Steiner tree around what is nearest.",
        make=GRetriever,
        settings=GRetrieverSettings(),
        paths=("tree",),
    ),
}
