"""A trajectory as pages show it: the turns and the answer, and beside or below them their graph."""

from __future__ import annotations

import html

import streamlit as st

from clew import KnowledgeBase
from clew.trajectories.standing import Standing, standing
from clew.types import Trajectory
from clew.ui import view
from clew.ui.components.graph import show_graph
from clew.ui.components.source import show_pane
from clew.ui.components.steps import show_steps
from clew.ui.components.verdict import show_verdict
from clew.ui.session import settings


def show_question(question: str) -> None:
    """Draw what was asked."""
    st.html(f'<h2 class="question">{html.escape(question)}</h2>')


def heading(title: str) -> None:
    """Give a page that needs no title to look at one for those who hear it."""
    st.html(f'<h1 class="unseen">{html.escape(title)}</h1>')


def show_answer(base: KnowledgeBase, trajectory: Trajectory, key: str, *, fresh: bool) -> None:
    """Draw the answer with its way folded under it, and beside them what it cites, or the graph.

    One that is ``fresh`` has just been given, and was not opened by its address.
    """
    left, right = st.columns([6, 7], gap="large") if trajectory.steps else (st.container(), None)
    with left:
        found = _show_way(base, trajectory, key, first=True, fresh=fresh)
    if right:
        with right, st.container(key=f"pane-{key}"):
            show_pane(base, trajectory.steps, found, trajectory.answer, key)


def _show_way(
    base: KnowledgeBase, trajectory: Trajectory, key: str, *, first: bool = False, fresh: bool = False, departs: int = 0
) -> list[Standing]:
    """Draw the answer and the turns, and what a reader can do with them; how the citations stand now.

    Where the answer comes ``first`` the turns are folded, and it is scrolled into view. The turn ``departs`` is marked.
    """
    found = standing(base.database, base.name, trajectory.citations)
    data = view.finished(trajectory, settings().dialect, found)
    data["departs"] = departs
    show_steps(data, key=f"steps-{key}", folded=first, into_view=first, fresh=fresh)
    if trajectory.steps:  # what was stopped in its first turn is not kept
        show_verdict(base, trajectory.id)
    return found


def show_trajectory(
    base: KnowledgeBase, trajectory: Trajectory, key: str, *, beside: bool = True, departs: int = 0
) -> None:
    """Draw a trajectory that is whole, with what a reader can do with it; nodes of its graph can be expanded.

    ``departs`` is the number of the turn from which another one differs, 0 for none.
    """
    dialect = settings().dialect
    steps = trajectory.steps
    if beside and any(step.facts for step in steps):
        left, right = st.columns([6, 7], gap="large")
    else:
        left = right = st.container()
    with left:
        _show_way(base, trajectory, key, departs=departs)
    if not steps:
        return
    with right, st.container(key=f"graph-side-{key}" if beside else None):
        numbers = view.fact_numbers(steps, dialect)
        show_graph(steps, trajectory.citations, numbers, key=f"graph-{key}", base=base)
