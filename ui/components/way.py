"""A trajectory as pages show it: the turns and the answer, and beside or below them their graph."""

from __future__ import annotations

import html

import streamlit as st

from clew import KnowledgeBase
from clew.types import Trajectory
from ui import view
from ui.components.graph import show_graph
from ui.components.steps import show_steps
from ui.components.verdict import show_verdict
from ui.session import settings


def show_question(question: str) -> None:
    """Draw what was asked."""
    st.html(f'<p class="question">{html.escape(question)}</p>')


def show_way(base: KnowledgeBase, trajectory: Trajectory, key: str, *, beside: bool = True) -> None:
    """Draw a trajectory that is whole, with what a reader can do with it; nodes of its graph can be expanded."""
    dialect = settings().dialect
    steps = trajectory.steps
    if beside and any(step.facts for step in steps):
        left, right = st.columns([6, 7], gap="large")
    else:
        left = right = st.container()
    with left:
        show_steps(view.finished(trajectory, dialect), key=f"steps-{key}")
        show_verdict(base, trajectory.id)
    with right, st.container(key=f"graph-side-{key}" if beside else None):
        numbers = view.fact_numbers(steps, dialect)
        show_graph(steps, trajectory.citations, numbers, key=f"graph-{key}", base=base)
