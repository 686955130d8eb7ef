"""A trajectory as pages show it: the turns and the answer, and beside or below them their graph."""

from __future__ import annotations

import html

import streamlit as st

from clew import KnowledgeBase
from clew.trajectories.standing import standing
from clew.types import Trajectory
from clew.ui import view
from clew.ui.components.graph import show_graph
from clew.ui.components.steps import show_steps
from clew.ui.components.verdict import show_verdict
from clew.ui.session import settings


def show_question(question: str) -> None:
    """Draw what was asked."""
    st.html(f'<h2 class="question">{html.escape(question)}</h2>')


def heading(title: str) -> None:
    """Give a page that needs no title to look at one for those who hear it."""
    st.html(f'<h1 class="unseen">{html.escape(title)}</h1>')


def show_trajectory(
    base: KnowledgeBase, trajectory: Trajectory, key: str, *, beside: bool = True, still: bool = True, top: bool = False
) -> None:
    """Draw a trajectory that is whole, with what a reader can do with it; nodes of its graph can be expanded.

    Where it is not ``still`` the answer comes into view, once, and with ``top`` the question.
    """
    dialect = settings().dialect
    steps = trajectory.steps
    if beside and any(step.facts for step in steps):
        left, right = st.columns([6, 7], gap="large")
    else:
        left = right = st.container()
    with left:
        found = standing(base.database, base.name, trajectory.citations)
        show_steps(view.finished(trajectory, dialect, found), key=f"steps-{key}", still=still, top=top)
        if any(one.touched for one in found):
            st.caption("What this answer rests on has changed since. Ask again for what the documents say now.")
        if steps:  # what was stopped in its first turn is not kept
            show_verdict(base, trajectory.id)
    if not steps:
        return
    with right, st.container(key=f"graph-side-{key}" if beside else None):
        numbers = view.fact_numbers(steps, dialect)
        show_graph(steps, trajectory.citations, numbers, key=f"graph-{key}", base=base)
