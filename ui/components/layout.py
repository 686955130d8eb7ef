"""Where the nodes of a graph lie, the same in every call."""

from __future__ import annotations

import math
from collections.abc import Sequence

_SEED = 7
_ITERATIONS = 120
_SETTLING = 40
_CENTRE = -1
"""A node that is not drawn, and holds together parts that have no entity in common."""


def layout(turns: Sequence[int], edges: Sequence[tuple[int, int, int]]) -> list[tuple[float, float]]:
    """Positions in the unit square: the Fruchterman-Reingold layout, one turn after the other."""
    import networkx as nx  # type: ignore[import-untyped]

    positions: dict[int, tuple[float, float]] = {}
    for turn in range(max(turns, default=-1) + 1):
        graph = nx.Graph()
        graph.add_nodes_from(node for node, first in enumerate(turns) if first <= turn)
        graph.add_edges_from((a, b) for a, b, first in edges if first <= turn)
        for node in graph:
            if node not in positions and (near := [positions[n] for n in graph[node] if n in positions]):
                angle = node * 2.4
                x, y = near[0]
                positions[node] = (x + 0.1 * math.cos(angle), y + 0.1 * math.sin(angle))
        parts = list(nx.connected_components(graph))
        if len(parts) > 1:  # else they would drift apart for ever
            graph.add_edges_from((_CENTRE, max(part, key=graph.degree)) for part in parts)
        spread = 2.2 / max(1, len(graph)) ** 0.5
        found = nx.spring_layout(
            graph, k=spread, pos=positions or None, iterations=_ITERATIONS, seed=_SEED, scale=None, center=None
        )
        positions = {node: (float(x), float(y)) for node, (x, y) in found.items() if node != _CENTRE}
    if not positions:
        return []
    xs, ys = zip(*positions.values(), strict=True)
    left, top, width, height = min(xs), min(ys), max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    return [
        (round((positions[n][0] - left) / width, 4), round((positions[n][1] - top) / height, 4))
        for n in range(len(turns))
    ]


def settle(
    positions: Sequence[tuple[float, float]], count: int, edges: Sequence[tuple[int, int]]
) -> list[tuple[float, float]]:
    """Positions of ``count`` nodes in the unit square of which the first ones lie where ``positions`` says."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    known = dict(enumerate(positions))
    for node in range(len(positions), count):
        near = [known[n] for n in graph[node] if n in known]
        x, y = near[0] if near else (0.5, 0.5)
        angle = node * 2.4
        known[node] = (x + 0.08 * math.cos(angle), y + 0.08 * math.sin(angle))
    fixed = list(range(len(positions)))
    spread = 0.7 / max(1, count) ** 0.5
    found = nx.spring_layout(graph, k=spread, pos=known, fixed=fixed, iterations=_SETTLING, seed=_SEED)
    placed = [(float(found[n][0]), float(found[n][1])) for n in range(len(positions), count)]
    return [*positions, *((round(min(1.0, max(0.0, x)), 4), round(min(1.0, max(0.0, y)), 4)) for x, y in placed)]
