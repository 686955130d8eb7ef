"""The trajectory's part of the hypergraph: facts as numbered squares, their entities as circles, coloured by turn."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from clew import KnowledgeBase
from clew.agent.numbers import overlap
from clew.errors import DatabaseError
from clew.explore.look import kinds
from clew.trajectories.read import facts_around, stated_at
from clew.types import Citation, Fact, Json, Step
from clew.ui.components import frontend, ignore
from clew.ui.components.layout import layout, settle
from clew.ui.session import settings, until_written
from clew.ui.text import visible
from clew.ui.view import LONGEST, citation_numbers, supports

MOST_NODES = 300
"""More would neither be fluid nor readable; entities of one fact alone are left out first."""

MOST_GROWN = 30
"""Nodes that one expansion adds, at most."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A fact that was drawn because the node ``parent`` (its index) was expanded; ``turn`` is that node's."""

    fact: Fact
    parent: int
    turn: int


@st.fragment
def show_graph(
    steps: Sequence[Step],
    citations: Sequence[Citation],
    numbers: dict[str, int],
    key: str,
    base: KnowledgeBase | None = None,
    *,
    tall: bool = False,
    marked: Collection[str] = (),
) -> None:
    """Draw the graph of these steps, ``tall`` where it is what the page is for; nothing where there is no hyperedge.

    ``marked`` has ids of facts and names of entities that are drawn larger, as what supports an answer is.

    ``numbers`` gives the number under which the trajectory names each fact. A click on a node shows its text and its
    source, a click on the source opens the document; with ``base`` a second click draws what lies around the node.
    """
    grown: list[Grown] = st.session_state.setdefault(f"grown-{key}", [])
    expanded: dict[int, int] = st.session_state.setdefault(f"expanded-{key}", {})
    if base is not None and citations:
        steps, numbers = _with_cited(base, steps, citations, numbers)
    data = graph_data(steps, citations, numbers, grown)
    if not data["nodes"]:
        return
    if base is not None:
        types = until_written(kinds)(base, [node["name"] for node in data["nodes"] if node["kind"] == "entity"])
        for node in data["nodes"]:
            node["type"] = "fact" if node["kind"] == "fact" else types[node["name"]] or "name"
    for node in data["nodes"]:
        node["used"] |= node.get("id", node.get("name")) in marked
    shown = {**data, "tall": tall, "expandable": base is not None, "expanded": expanded, "most": MOST_NODES}

    def expand() -> None:  # as a callback, because a rerun in the middle would leave a second graph on the page
        index = st.session_state[key].expand
        if base is not None and isinstance(index, int) and index not in expanded:
            with contextlib.suppress(DatabaseError):
                more = _grow(base, data, index)
                expanded[index] = len(more)
                grown.extend(more)

    clicked = frontend("graph")(key=key, data=shown, on_open_change=ignore, on_expand_change=expand)
    if clicked.open:
        st.session_state["open_document"] = clicked.open
        st.rerun()


def _with_cited(
    base: KnowledgeBase, steps: Sequence[Step], citations: Sequence[Citation], numbers: dict[str, int]
) -> tuple[list[Step], dict[str, int]]:
    """The steps with the facts that are cited of their passages alone, and the numbers with those of the citations."""
    passages = [(at, passage) for at, step in enumerate(steps) for passage in step.passages]
    added: list[list[Fact]] = [[] for _ in steps]
    for fact in _cited_alone(base, steps, citations):
        of = next((at for at, one in passages if any(overlap(source, one) for source in fact.sources)), None)
        if of is not None:
            added[of].append(fact)
    numbered = zip(citations, citation_numbers(steps, citations, settings().dialect), strict=True)
    new = {
        fact.id: n
        for c, n in numbered
        for facts in added
        for fact in facts
        if any(overlap(c, source) for source in fact.sources)
    }
    whole = [replace(step, facts=(*step.facts, *more)) for step, more in zip(steps, added, strict=True)]
    return whole, {**new, **numbers}


def _cited_alone(base: KnowledgeBase, steps: Sequence[Step], citations: Sequence[Citation]) -> list[Fact]:
    """The facts that state what is cited where no fact of the steps does."""
    own = [source for step in steps for fact in step.facts for source in fact.sources]
    alone = [one for one in citations if not any(overlap(one, source) for source in own)]
    spans = [(one.document, one.version, one.start, one.end) for one in alone]
    return until_written(stated_at)(base, spans) if spans else []


def _grow(base: KnowledgeBase, data: Json, index: int) -> list[Grown]:
    """The facts around a node that bring no more than ``MOST_GROWN`` new nodes, nor more than the graph can hold."""
    nodes = data["nodes"]
    if not 0 <= index < len(nodes):
        return []
    node = nodes[index]
    known = [n["id"] for n in nodes if n["kind"] == "fact"]
    names = {n["name"] for n in nodes if n["kind"] == "entity"}
    if node["kind"] == "fact":
        found = facts_around(base, node["id"], None, known)
    else:
        through = next(a for a, b in data["edges"] if b == index)
        found = facts_around(base, nodes[through]["id"], node["name"], known)
    room = min(MOST_GROWN, MOST_NODES - len(nodes))
    more: list[Grown] = []
    for fact in found:
        new = set(fact.entities) - names
        if 1 + len(new) <= room:
            room -= 1 + len(new)
            names |= new
            more.append(Grown(fact, index, node["turn"]))
    return more


def graph_data(
    steps: Sequence[Step],
    citations: Sequence[Citation],
    numbers: dict[str, int],
    grown: Sequence[Grown] = (),
) -> Json:
    """Nodes with positions in the unit square, edges as pairs of node indexes, and the number of turns.

    A node belongs to the first turn that brought it. Positions are the same in every call: each turn's layout starts
    from the one before, so that what is drawn moves little while the agent works. What has ``grown`` comes last, and
    leaves the others where they are.
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
        nodes.append(_entity_node(name, turn, any(name in members[id] for id in used)))
    edges = [(index[f"h:{id}"], index[f"e:{name}"], turn) for id, (_, turn) in facts.items() for name in members[id]]
    positions = layout([node["turn"] for node in nodes], edges)
    settled = len(nodes)
    pairs = [edge[:2] for edge in edges]
    if grown:
        pairs += _add_grown(nodes, index, grown)
        positions = settle(positions, len(nodes), pairs)
    for node, (x, y) in zip(nodes, positions, strict=True):
        node["x"], node["y"] = x, y
    return {
        "nodes": nodes,
        "edges": pairs,
        "settled": settled,
        "turns": max((n["turn"] for n in nodes), default=0) + 1,
    }


def _add_grown(nodes: list[Json], index: dict[str, int], grown: Sequence[Grown]) -> list[tuple[int, int]]:
    """Add what has grown to the nodes and their index, and give its edges."""
    pairs = []
    for one in grown:
        at = len(nodes)
        nodes.append({**_fact_node(one.fact, one.turn, None, False), "grown": True})
        for name in dict.fromkeys(one.fact.entities):
            if f"e:{name}" not in index:
                index[f"e:{name}"] = len(nodes)
                nodes.append({**_entity_node(name, one.turn, False), "grown": True})
            pairs.append((at, index[f"e:{name}"]))
    return pairs


def _entity_node(name: str, turn: int, used: bool) -> Json:
    return {"kind": "entity", "name": name, "text": visible(name, 200), "turn": turn, "used": used}


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
        "id": fact.id,
        "number": number,
        "text": fact.text[:LONGEST],
        "turn": turn,
        "used": used,
        "sources": sources,
    }
