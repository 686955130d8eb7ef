"""How what is brought in is read: in which encoding, and by whom, with an estimate and a budget of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from clew.documents.encoding import common_encodings
from clew.errors import ClewError
from clew.runs.ingest import Upload, estimate_ingest
from clew.ui.session import is_personal, settings, show_error
from clew.ui.text import markdown

if TYPE_CHECKING:
    from clew.extraction.estimate import Estimate

LABELS = {
    "sentences": "No model: every sentence is a fact",
    "llm": "A language model reads everything",
    "hybrid": "No model, and then a model where it adds most",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """An extractor, what a model may cost in all, and what texts are written in where that is not to be guessed."""

    extractor: str = "sentences"
    budget: str = ""
    encoding: str | None = None


def choose_extraction(kb: str, uploads: Sequence[Upload], addresses: Sequence[str], turn: int) -> Choice:
    """Draw the choice, with an estimate of what a model would cost and take.

    The encoding is of the files of this ``turn`` alone: others would come in wrong.
    """
    with st.expander("How the files are read", icon=":material/tune:"):
        encoding = st.selectbox(
            "Encoding",
            common_encodings(),
            index=None,
            accept_new_options=True,
            placeholder="UTF-8, or what each file says",
            key=f"encoding-{turn}",
            help="Where letters came in wrong, bring those files in again with what they are written in. Texts that "
            "are in UTF-8 must not be among them.",
        )
        if not settings().llm_model:
            st.caption(
                "Clew reads the sentences itself, which costs nothing. A language model finds more: connect one under "
                "Language models in the sidebar."
            )
            return Choice(encoding=encoding)
        extractor = st.radio("Who finds the facts", list(LABELS), format_func=LABELS.__getitem__, key="extractor")
        if extractor == "sentences":
            return Choice(encoding=encoding)
        budget = st.text_input(
            "Budget of the model",
            key="budget",
            placeholder="200k" if extractor == "llm" else "25%",
            help="What it may cost in all: tokens (200k, 1.5M), money ($2.50, where prices are set), or for the last "
            "choice a share of what all would cost (25%). Empty: no limit. What is paid for is kept.",
        )
        named = tuple((upload.name, len(upload.data)) for upload in uploads)
        asked = (kb, named, tuple(addresses))
        if st.button("Estimate tokens and cost", icon=":material/calculate:", disabled=not (uploads or addresses)):
            try:
                with st.spinner("Reading, and counting what a model would be asked …"):
                    found = estimate_ingest(settings(), kb, uploads, addresses, allow_private=is_personal())
                st.session_state["estimate"] = (asked, found)
            except ClewError as error:
                show_error(error)
        known = st.session_state.get("estimate")
        if known and known[0] == asked:
            st.markdown(tell_estimate(known[1]))
    return Choice(extractor, budget.strip(), encoding)


def tell_estimate(found: Estimate) -> str:
    """An estimate in one line of Markdown."""
    if found.cost:
        money = f"**{found.cost:,.2f}** at the prices that are set"
    else:
        money = "no prices are set (CLEW_LLM_INPUT_PRICE, CLEW_LLM_OUTPUT_PRICE)"
    before = f" ({found.journalled:,} more are paid for already)" if found.journalled else ""
    minutes = "under a minute" if found.seconds < 60 else f"{found.seconds / 60:,.0f} min"
    return (
        f"For everything about **{found.requests:,} requests** to {markdown(settings().llm_model or '', 60)}{before}: "
        f"**{found.prompt_tokens:,} tokens** in, **{found.completion_tokens:,}** out; {money}; about {minutes}."
    )
