"""The corrected answers of a knowledge base, and ways to measure and to train with them."""

from __future__ import annotations

import streamlit as st

from clew import KnowledgeBase
from clew.errors import ClewError, InputError
from clew.trajectories.corrections import correct, corrections, corrections_file, sentences_seen
from clew.trajectories.read import open_trajectory
from clew.types import Citation
from clew.ui.components.evaluating import CORRECTED
from clew.ui.components.training_form import train_on
from clew.ui.session import pages, settings, show_error
from clew.ui.text import count, markdown, visible

MOST_OFFERED = 8
"""Sentences among which the one that answers is chosen, at most."""
_NONE = "No sentence does"


def show_corrections(base: KnowledgeBase) -> None:
    """Draw how many there are, and where they lead."""
    found = corrections(settings(), base.name)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="corrections"):
        st.caption(f"{count(len(found), 'corrected answer')} of {markdown(base.name)}", width="content")
        if st.button("Evaluate these", icon=":material/speed:", type="tertiary"):
            st.session_state[f"evaluate-kind-{base.name}"] = CORRECTED
            st.switch_page(pages()["evaluate"])
        if st.button("Train on these", icon=":material/model_training:", type="tertiary"):
            train_on(corrections_file(settings(), base.name).stem)


def ask_correction(base: KnowledgeBase, id: str) -> tuple[Citation | None, bool, str]:
    """Ask what would be right: the sentence that was chosen, whether all were refused, the answer."""
    shown: dict[str, Citation] = {}
    for one in sentences_seen(open_trajectory(base, id).trajectory)[:MOST_OFFERED]:
        shown.setdefault(visible(one.quote, 300), one)
    options = [*shown, _NONE]
    picked = st.radio("Which sentence answers it?", options, index=None, format_func=markdown, key=f"sentence-{id}")
    hint = f"Leave it empty and choose “{_NONE}” where the documents do not say."
    answer = st.text_input("The right answer?", key=f"right-{id}", help=hint)
    return shown.get(str(picked)), picked == _NONE, answer


def keep_correction(base: KnowledgeBase, id: str, chosen: Citation | None, refused: bool, answer: str) -> None:
    """Keep what was said after a bad answer; nothing where nothing was said."""
    if not (chosen or refused or answer.strip()):
        return
    try:
        if chosen and not answer.strip():
            raise InputError("Write the right answer, too: what the sentence says of it, in a few words.")
        correct(base, id, answer, chosen)
    except ClewError as error:
        show_error(error)
