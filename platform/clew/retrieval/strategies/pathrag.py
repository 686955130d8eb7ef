"""PathRAG: the paths between retrieved entities through which most flows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.region import Weights, best_of
from clew.retrieval.graph.search import Chosen, GraphStrategy, Near, Ranking, Start, entities_by_turns, stated_in
from clew.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True)
class PathRAGSettings:
    """Constants of PathRAG.

    Paths of at most ``hops`` edges join the ``nodes`` retrieved entities, of which ``edges`` hyperedges bring theirs;
    the ``paths`` most reliable are kept: N = 40 and K = 15 in the paper. ``decay`` is α, ``threshold`` θ. Of an entity,
    the ``cap`` hyperedges nearest to the query are edges.
    """

    nodes: int = 40
    edges: int = 10
    paths: int = 15
    hops: int = 3
    decay: float = 0.8
    threshold: float = 0.05
    cap: int = 20


@dataclass(frozen=True, slots=True)
class Path:
    """Entities and the hyperedges between them (rows of the graph), and S(P)."""

    entities: tuple[int, ...]
    facts: tuple[int, ...]
    reliability: float


@dataclass(frozen=True, slots=True)
class Between:
    """The retrieved entities and what lies between them.

    ``entities`` are rows of the graph, ``targets`` tells which of them were retrieved, ``neighbours`` are local rows of
    each, and ``facts`` gives for two local rows the hyperedge that joins them, -1 where none does.
    """

    entities: Rows
    targets: npt.NDArray[np.bool_]
    neighbours: list[list[int]]
    facts: Rows


class PathRAG(GraphStrategy[PathRAGSettings]):
    """PathRAG (arXiv 2502.14902): flow-based pruning of the paths between retrieved nodes.

    A resource of 1 leaves each retrieved node; of what a node v holds, α·S(v) / |N(v)| goes to each neighbour, and v
    passes nothing on where S(v) / |N(v)| < θ. A path's reliability is S(P) = Σ_{v∈P} S(v) / |E_P|; the K most reliable
    are kept, and their facts come in the order of the paths.

    Departures: the nodes are the entities that the query spells, those nearest to its names, and those of the nearest
    hyperedges (the paper: keywords by a language model). An edge is a pair of participants of a hyperedge; of several
    hyperedges with the same pair, the one nearest to the query stands for it. N(v) counts neighbours that are retrieved
    or lie between two retrieved nodes, as in the released code: in a graph of sentences an entity has many neighbours,
    and counting all of them leaves no flow after one step. It counts those between any two retrieved nodes, where the
    code spreads the flow for each pair by itself, so that less arrives here. Edges are the hyperedges of retrieved
    nodes, and what lies between is a neighbour of two of them: most paths of three ``hops`` through two nodes that were
    not retrieved are not found. Equal reliability is distinguished by similarity to the query. Passages beyond those of
    the paths are the nearest ones (``search``).

    Beyond the choice of nodes, reliability does not look at the question: the first few passages are worse than
    those of a dense search, above all with the paper's 40 nodes (10 are better in a graph of sentences), and the first
    ten are as good only because the nearest passages follow (docs/benchmarks.md).
    """

    name = "pathrag"
    default = PathRAGSettings()

    def _near(self) -> Near:
        return Near(entities=self._settings.nodes, hyperedges=self._settings.edges)

    def _ranking(self, graph: Graph, start: Start, k: int) -> Ranking:
        nodes = np.array(entities_by_turns(graph, start)[: self._settings.nodes], np.int64)
        area = between(graph, nodes, start.whole, self._settings.cap)
        paths = reliable_paths(area, self._settings)
        cosine = [float(np.mean(graph.vectors[list(path.facts)] @ start.whole)) for path in paths]
        order = sorted(range(len(paths)), key=lambda i: (-round(paths[i].reliability, 9), -cosine[i]))
        facts: dict[int, Chosen] = {}
        for rank, i in enumerate(order[: self._settings.paths], 1):
            for fact in paths[i].facts:
                facts.setdefault(fact, Chosen(fact, paths[i].reliability, {"path": rank}))
        return Ranking(list(facts.values()), stated_in(graph, facts.values()))


def between(graph: Graph, nodes: Rows, query: Vectors, cap: int) -> Between:
    """The subgraph of retrieved entities and of those that are neighbours of at least two of them."""
    facts = best_of(graph, nodes, query, cap)
    columns, owners = graph.entities_of.of(facts)
    left, right, through = _pairs(columns, owners)
    retrieved = np.isin(left, nodes)
    seen = np.unique(np.stack([left[retrieved], right[retrieved]], axis=1), axis=0)
    others, count = np.unique(seen[:, 1], return_counts=True)
    entities = np.union1d(nodes, others[count >= 2])
    kept = np.isin(left, entities) & np.isin(right, entities)
    left, right, through = np.searchsorted(entities, left[kept]), np.searchsorted(entities, right[kept]), through[kept]
    nearest = np.argsort(graph.vectors[facts[through]] @ query, kind="stable")
    joined = np.full((len(entities), len(entities)), -1)
    # The last assignment stands, and that is the nearest.
    joined[left[nearest], right[nearest]] = facts[through[nearest]]
    return Between(entities, np.isin(entities, nodes), [np.flatnonzero(row >= 0).tolist() for row in joined], joined)


def reliable_paths(area: Between, settings: PathRAGSettings) -> list[Path]:
    """The paths between retrieved entities that flow reaches; of two directions the more reliable one."""
    best: dict[tuple[int, ...], Path] = {}
    for source in np.flatnonzero(area.targets).tolist():
        flow = _flow(area, source, settings)
        for nodes in _ways(area, flow, (source,), settings):
            value = float(sum(flow[node] for node in nodes)) / (len(nodes) - 1)
            facts = tuple(int(area.facts[a, b]) for a, b in pairwise(nodes))
            path = Path(tuple(area.entities[list(nodes)].tolist()), facts, value)
            same = min(path.entities, path.entities[::-1])
            best[same] = max(best.get(same, path), path, key=lambda one: one.reliability)
    return list(best.values())


def _flow(area: Between, source: int, settings: PathRAGSettings) -> Weights:
    """S of every node, spread from the source layer by layer."""
    flow = np.zeros(len(area.entities))
    flow[source] = 1.0
    layer, reached = [source], {source}
    for _ in range(settings.hops):
        following: dict[int, None] = {}
        for node in layer:
            if _passes(area, flow, node, settings):
                for neighbour in area.neighbours[node]:
                    if neighbour not in reached:
                        flow[neighbour] += settings.decay * flow[node] / len(area.neighbours[node])
                        following[neighbour] = None
        layer = list(following)
        reached.update(layer)
    return flow


def _ways(area: Between, flow: Weights, way: tuple[int, ...], settings: PathRAGSettings) -> Iterator[tuple[int, ...]]:
    """The ways on from the last node to retrieved nodes, through nodes that pass something on."""
    if len(way) > settings.hops or not _passes(area, flow, way[-1], settings):
        return
    for neighbour in area.neighbours[way[-1]]:
        if neighbour not in way and flow[neighbour] > 0:
            longer = (*way, neighbour)
            if area.targets[neighbour]:
                yield longer
            yield from _ways(area, flow, longer, settings)


def _passes(area: Between, flow: Weights, node: int, settings: PathRAGSettings) -> bool:
    return bool(area.neighbours[node]) and flow[node] / len(area.neighbours[node]) >= settings.threshold


def _pairs(columns: Rows, owners: Rows) -> tuple[Rows, Rows, Rows]:
    """Each ordered pair of participants of a hyperedge, and its position."""
    left, right, through = [], [], []
    bounds = np.flatnonzero(np.diff(owners, prepend=-1, append=-1))
    for first, last in pairwise(bounds.tolist()):
        some = columns[first:last]
        size = len(some)
        rows, others = np.nonzero(~np.eye(size, dtype=bool))
        left.append(some[rows])
        right.append(some[others])
        through.append(np.full(len(rows), owners[first]))
    none = np.zeros(0, np.int64)
    return np.concatenate([none, *left]), np.concatenate([none, *right]), np.concatenate([none, *through])


RECIPES = {
    "pathrag": Recipe(
        paper="PathRAG, arXiv 2502.14902",
        description="The paths between retrieved entities through which most flows.",
        make=PathRAG,
        settings=PathRAGSettings(),
        paths=("path",),
    ),
}
