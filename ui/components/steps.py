"""The agent's way to an answer: a timeline of its turns, then the answer with its citations."""

from __future__ import annotations

import streamlit as st

from clew.types import Json
from clew.ui.components import frontend, ignore


def show_steps(data: Json, key: str, *, folded: bool = False, into_view: bool = False, fresh: bool = False) -> None:
    """Draw what ``view.running`` or ``view.finished`` gives; ``folded`` puts the turns behind one line.

    The answer is scrolled ``into_view`` once; a ``fresh`` one is said aloud, and the field has the focus again. A click
    on a citation or on a fact opens the document there; where the answer was cut off, one on its button goes on.
    """
    clicked = frontend("steps")(
        key=key,
        data={**data, "id": key, "folded": folded, "intoView": into_view, "fresh": fresh},
        on_open_change=ignore,
        on_more_change=ignore,
    )
    if clicked.more:
        st.session_state["go_on"] = True
        st.rerun()
    if clicked.open:
        st.session_state["open_document"] = clicked.open
        st.rerun()
