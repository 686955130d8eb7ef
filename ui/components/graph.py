"""The trajectory's part of the hypergraph: facts as numbered squares, their entities as circles, coloured by turn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from clew.types import Citation, Fact, Json, Step
from ui.components import frontend, ignore
from ui.text import visible
from ui.view import LONGEST, supports

MOST_NODES = 300
"""More would neither be fluid nor readable; entities of one fact alone are left out first."""

_SEED = 7
_ITERATIONS = 120
_CENTRE = -1
"""A node that is not drawn, and holds together parts that have no entity in common."""


def show_graph(steps: Sequence[Step], citations: Sequence[Citation], numbers: dict[str, int], key: str) -> None:
    """Draw the graph of these steps; nothing where no hyperedge was retrieved.

    ``numbers`` gives the number under which the trajectory names each fact. A click on a node shows its text and its
    source, a click on the source opens the document.
    """
    data = graph_data(steps, citations, numbers)
    if not data["nodes"]:
        return
    opened = frontend("graph")(key=key, data=data, on_open_change=ignore)
    if opened.open:
        st.session_state["open_document"] = opened.open
        st.rerun()


def graph_data(steps: Sequence[Step], citations: Sequence[Citation], numbers: dict[str, int]) -> Json:
    """Nodes with positions in the unit square, edges as pairs of node indexes, and the number of turns.

    A node belongs to the first turn that brought it. Positions are the same in every call: each turn's layout starts
    from the one before, so that what is drawn moves little while the agent works.
    """
    facts: dict[str, tuple[Fact, int]] = {}
    for turn, step in enumerate(steps):
        for fact in step.facts:
            facts.setdefault(fact.id, (fact, turn))
    used = {id for id, (fact, _) in facts.items() if any(supports(s, citations) for s in fact.sources)}
    members = _entities(facts)
    first: dict[str, int] = {}
    for id, (_, turn) in facts.items():
        for name in members[id]:
            first[name] = min(turn, first.get(name, turn))

    nodes: list[Json] = [_fact_node(fact, turn, numbers.get(id), id in used) for id, (fact, turn) in facts.items()]
    index = {f"h:{id}": i for i, id in enumerate(facts)}
    for name, turn in first.items():
        index[f"e:{name}"] = len(nodes)
        supporting = any(name in members[id] for id in used)
        nodes.append({"kind": "entity", "text": visible(name, 200), "turn": turn, "used": supporting})
    edges = [(index[f"h:{id}"], index[f"e:{name}"], turn) for id, (_, turn) in facts.items() for name in members[id]]
    for node, (x, y) in zip(nodes, _layout([node["turn"] for node in nodes], edges), strict=True):
        node["x"], node["y"] = x, y
    return {
        "nodes": nodes,
        "edges": [edge[:2] for edge in edges],
        "turns": max((n["turn"] for n in nodes), default=0) + 1,
    }


def _entities(facts: dict[str, tuple[Fact, int]]) -> dict[str, list[str]]:
    """The entities of each fact that are drawn."""
    degree: dict[str, int] = {}
    for fact, _ in facts.values():
        for name in dict.fromkeys(fact.entities):
            degree[name] = degree.get(name, 0) + 1
    ranked = sorted(degree, key=lambda name: -degree[name])
    kept = set(ranked[: max(0, MOST_NODES - len(facts))])
    return {id: [name for name in dict.fromkeys(fact.entities) if name in kept] for id, (fact, _) in facts.items()}


def _fact_node(fact: Fact, turn: int, number: int | None, used: bool) -> Json:
    sources = [
        {"document": s.document, "title": visible(s.title, 80), "start": s.start, "end": s.end, "page": s.page}
        for s in fact.sources[:3]
    ]
    return {
        "kind": "fact",
        "number": number,
        "text": fact.text[:LONGEST],
        "turn": turn,
        "used": used,
        "sources": sources,
    }


def _layout(turns: Sequence[int], edges: Sequence[tuple[int, int, int]]) -> list[tuple[float, float]]:
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
