"""Questions of a file, shown before they are asked or learned from."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from clew.errors import ClewError
from clew.evaluation.datasets import load_questions
from clew.ui.session import show_error
from clew.ui.text import markdown

SOME = 10
"""Questions of a file that are shown before they are used."""


def show_some(file: str, *, expanded: bool = True) -> None:
    """Ten questions of a file, spread over the whole of it, with their answers."""
    try:
        asked = questions_of(file)
    except ClewError as error:
        show_error(error)
        return
    with st.expander(f"{min(len(asked), SOME)} of {len(asked):,} questions", icon=":material/quiz:", expanded=expanded):
        some = asked[:: max(1, len(asked) // SOME)][:SOME]
        st.markdown("\n".join(f"1. {markdown(q, 240)} → **{markdown(answer, 80)}**" for q, answer in some))


def questions_of(file: str) -> list[tuple[str, str]]:
    """Each question of a file with its first answer, read once. Raises InputError where it cannot be read."""
    path = Path(file)
    return _asked(file, path.stat().st_mtime if path.exists() else 0.0)


@st.cache_data(max_entries=8, ttl=60, show_spinner=False)
def _asked(file: str, changed: float) -> list[tuple[str, str]]:
    return [(one.question, one.answers[0] if one.answers else "none") for one in load_questions(Path(file))]
