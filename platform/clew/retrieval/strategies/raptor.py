"""RAPTOR: chunks and the summaries above them, searched all at once or from the roots down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from clew.retrieval.graph.built import built
from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.search import Chosen, GraphStrategy, Ranking, Start
from clew.retrieval.graph.summaries import Summariser, summary_vectors
from clew.retrieval.graph.tree import Tree, grow_tree, read_chunk_vectors
from clew.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True)
class RaptorSettings:
    """How the tree is grown, and how it is searched.

    Clusters have at most ``largest`` nodes, and a summary at most ``sentences`` facts; a model can do with more. The
    traversal keeps the ``beam`` best nodes of a layer, or as many as are asked for where that is more.
    """

    search: Literal["collapsed", "traversal"] = "collapsed"
    largest: int = 20
    sentences: int = 5
    beam: int = 10


class Raptor(GraphStrategy[RaptorSettings]):
    """RAPTOR (arXiv 2401.18059): a tree of summaries over the chunks; section 3.

    Chunks are clustered by their vectors, each cluster is summarised, the summaries are embedded and clustered in turn.
    Collapsed, all nodes of the tree are compared with the question as one set; the traversal keeps the best nodes of
    each layer from the roots down and looks only at their children, as in the paper.

    Departures: vectors are reduced by PCA, where the paper has UMAP (no need for a library that compiles code as it
    runs); mixtures are Gaussian with BIC as there, with diagonal covariance, and divide until a cluster has at most
    ``largest`` nodes, where the paper divides globally, locally and by the length of the texts. Without a
    ``summariser`` a summary is extractive: the facts nearest to the mean of its children, with the mean of their
    vectors. A summary is no text of a document and so is not given itself. It takes one place with its fact nearest to
    the question that no node before it has given, and with the passage that states this fact; facts of nodes stand for
    their texts. A chunk that states no fact is no leaf, and follows only where the tree gives fewer than are asked for.

    The paper's claim is about questions on long documents, whose answers are spread over them. Where a question asks
    for single facts, a summary takes the place of a passage, and the collapsed tree finds a little less than chunks.
    The traversal finds much less: a question about a detail has lost its way at the first summaries.
    """

    default = RaptorSettings()

    def __init__(self, *place: Any, summariser: Summariser | None = None, **options: Any) -> None:
        super().__init__(*place, **options)
        self._summariser = summariser

    def _rank(self, graph: Graph, starts: Sequence[Start], k: int) -> list[Ranking]:
        tree = self._tree(graph)
        beam = max(k, self._settings.beam)
        rankings = []
        for start in starts:
            nodes = (
                _collapsed(tree, start, k) if self._settings.search == "collapsed" else _traversed(tree, start, beam)
            )
            rankings.append(_ranking(graph, tree, start, nodes))
        return rankings

    def _tree(self, graph: Graph) -> Tree:
        settings, place, summariser = self._settings, self._place, self._summariser

        def grow() -> Tree:
            vectors = partial(summary_vectors, place.database, place.embedder, graph, summariser=summariser)
            chunks = read_chunk_vectors(place.database, place.kb, graph)
            return grow_tree(graph, chunks, settings.largest, settings.sentences, vectors)

        name = "tree", settings.largest, settings.sentences, summariser and summariser.name
        return built(place, graph, name, grow, "Growing the tree of summaries")


def _collapsed(tree: Tree, start: Start, k: int) -> Rows:
    """The nearest chunks and summaries as one set."""
    leaves = tree.layers[1]
    similar = tree.vectors[leaves:] @ start.whole
    return np.concatenate([start.chunks, leaves + np.argsort(-similar, kind="stable")[:k]])


def _traversed(tree: Tree, start: Start, beam: int) -> Rows:
    """The best nodes of the top layer, the best of their children, and so on down to chunks."""
    layer = np.arange(tree.layers[-2], tree.layers[-1])
    visited = [layer[:0]]
    while len(layer):
        layer = layer[np.argsort(-(tree.vectors[layer] @ start.whole), kind="stable")[:beam]]
        visited.append(layer)
        layer = np.unique(tree.children.of(layer)[0])
    return np.concatenate(visited)


def _ranking(graph: Graph, tree: Tree, start: Start, nodes: Rows) -> Ranking:
    """Nodes by similarity; each takes a place with a passage, and tells its nearest fact that is not given yet."""
    similarity = tree.vectors[nodes] @ start.whole
    facts: dict[int, Chosen] = {}
    chunks: dict[int, float] = {}
    counts = {"leaf": 0, "summary": 0}
    for i in np.argsort(-similarity, kind="stable").tolist():
        node, score = int(nodes[i]), float(similarity[i])
        kind = "leaf" if node < tree.layers[1] else "summary"
        counts[kind] += 1
        own, _ = tree.facts.of(np.array([node]))
        own = own[np.argsort(-(graph.vectors[own] @ start.whole), kind="stable")]
        fact = next((row for row in own.tolist() if row not in facts), None)
        if fact is not None:
            facts[fact] = Chosen(fact, score, {kind: counts[kind]})
        if kind == "leaf":
            chunks.setdefault(node, score)
        elif fact is not None:
            chunks.setdefault(int(graph.chunks_of.of(np.array([fact]))[0][0]), score)
    return Ranking(list(facts.values()), list(chunks.items()))


RECIPES = {
    "raptor": Recipe(
        paper="RAPTOR, arXiv 2401.18059",
        description="Chunks and a tree of summaries above them, as one set.",
        make=partial(Raptor, name="raptor"),
        settings=RaptorSettings(),
        paths=("leaf", "summary"),
    ),
    "raptor-traversal": Recipe(
        paper="RAPTOR, arXiv 2401.18059",
        description="The same tree from its roots down.",
        make=partial(Raptor, name="raptor-traversal"),
        settings=RaptorSettings(search="traversal"),
        paths=("leaf", "summary"),
    ),
}
