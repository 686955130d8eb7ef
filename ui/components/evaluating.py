"""The form that says what is to be evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from clew.agent.policies import POLICIES
from clew.errors import ClewError, InputError
from clew.evaluation.datasets import QUESTIONS
from clew.evaluation.job import Wanted, start_evaluation
from clew.retrieval.registry import RECIPES
from clew.runs.ingest import Upload
from clew.trainer.runs.jobs import data_sets, write_questions
from clew.trajectories.corrections import corrections_file
from clew.ui.components.progress import EXAMPLES, EXAMPLES_KB
from clew.ui.components.question_file import questions_of, show_some
from clew.ui.session import counts, is_personal, knowledge_base, settings, show_error
from clew.ui.text import count, markdown

EXAMPLE, UPLOAD, PLACE = "The example questions", "A file of mine", "A folder or file on this machine"
MADE, CORRECTED = "Questions made from the documents", "Answers that were corrected"
MOST_MADE = 300
"""Questions that are made at once, at most."""
KS = (1, 2, 3, 5, 10, 20, 50)
_FORMATS = (
    "JSON or a table with question and answer, or an original file of SQuAD, HotpotQA, 2WikiMultiHopQA, MuSiQue, "
    "PopQA, NQ or TriviaQA"
)
_AGAIN = "A run with the same choices goes on where it ended, and keeps the answers that it has; this asks all anew."
_MEASURES = {"Answers": "answers", "Retrieval": "retrieval"}


def ask_what(kb: str | None) -> None:
    """Draw the form, and start what it says."""
    if kb is None:
        st.info(
            "There is no knowledge base yet: bring documents in on the page **Documents**, or load the examples there."
        )
        return
    with st.container(border=True, key="evaluation-form"):
        left, right = st.columns(2, gap="medium")
        with left:
            questions = _questions(kb)
            if isinstance(questions, Path) and questions.exists():
                show_some(str(questions), expanded=False)
        with right:
            measure = st.segmented_control(
                "Measure", list(_MEASURES), default="Answers", required=True, key="evaluate-measure"
            )
            st.caption(
                "An agent answers each question, turn by turn."
                if measure == "Answers"
                else "No agent: each strategy gets the question itself, and its passages are ranked."
            )
        wanted = _wanted(_MEASURES[str(measure)])
        row = st.container(horizontal=True, vertical_alignment="center")
        clicked = row.button(
            "Evaluate", type="primary", icon=":material/speed:", disabled=questions is None, key="evaluate-start"
        )
        row.caption(_volume(kb, questions, wanted))
    if clicked and questions is not None:
        try:
            start_evaluation(settings(), kb, questions, wanted)
        except ClewError as error:
            show_error(error)
            return
        st.rerun()


def _questions(kb: str) -> Path | Upload | None:
    corrected = corrections_file(settings(), kb)
    kinds = [MADE] + [CORRECTED] * corrected.is_file() + ([UPLOAD, PLACE] if is_personal() else [UPLOAD])
    if (EXAMPLES.parent / QUESTIONS).is_file():
        kinds.insert(0 if kb == EXAMPLES_KB else len(kinds), EXAMPLE)
    kind = st.selectbox("Questions", kinds, key=f"evaluate-kind-{kb}")
    if kind == MADE:
        return _made(kb)
    if kind == CORRECTED:
        return corrected
    if kind == UPLOAD:
        file = st.file_uploader("File", key="evaluate-file", label_visibility="collapsed")
        st.caption(f"{_FORMATS}.")
        return Upload(file.name, file.getvalue()) if file else None
    if kind == PLACE:
        place = st.text_input("Place", key="evaluate-place", placeholder="/data/musique", help=_FORMATS)
        try:
            return Path(place.strip()).expanduser() if place.strip() else None
        except RuntimeError:
            show_error(InputError(f"{place.strip()} names no user of this machine: write the place out."))
            return None
    if kb != EXAMPLES_KB:
        st.caption("They are about the example encyclopaedia: choose the knowledge base that holds it.")
    return EXAMPLES.parent


def _made(kb: str) -> Path | None:
    """The questions that were made last of a knowledge base, and the button that makes some."""
    made = next((data for data in data_sets(settings()) if data.kb == kb), None)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{len(questions_of(made.test or made.train)):,} about facts, figures and names of the documents."
            if made
            else "Facts, figures and names of the documents become questions whose answers are known."
        )
        label = "Make others" if made else "Make questions"
        if st.button(label, icon=":material/quiz:", type="tertiary" if made else "secondary"):
            write_questions(settings(), kb, MOST_MADE)
            st.rerun()
    return Path(made.test or made.train) if made else None


def _wanted(measure: Any) -> Wanted:
    left, right = st.columns(2, gap="medium")
    state = st.session_state
    strategies = left.multiselect(
        "Retrieval", list(RECIPES), default=[state.get("strategy", settings().strategy)], key="evaluate-strategies"
    )
    limit = int(left.number_input("Questions, at most", 1, 100_000, 30, key="evaluate-limit"))
    row = st.container(horizontal=True)  # in both cases, so that nothing below moves when the other is chosen
    if measure == "retrieval":
        ks = right.multiselect("Passages to look at (k)", KS, default=[2, 5, 10], key="evaluate-ks")
        new = row.checkbox("Measure again what is kept", key="evaluate-new", help=_AGAIN)
        return Wanted("retrieval", strategies, ks=ks, limit=limit, new=new)
    policies = right.multiselect(
        "Who answers", list(POLICIES), default=[state.get("policy", settings().policy)], key="evaluate-policies"
    )
    k = int(right.number_input("Facts per query (k)", 1, 50, min(50, settings().top_k), key="evaluate-k"))
    new = row.checkbox("Measure again what is kept", key="evaluate-new", help=_AGAIN)
    store = row.checkbox(
        "Keep trajectories in the graph", True, key="evaluate-store", help="To walk them, node by node, afterwards"
    )
    judge = settings().llm_model is not None and row.checkbox(
        "Let the model judge, too", key="evaluate-judge", help="ACC_L and G-E: some requests for each answer"
    )
    return Wanted("answers", strategies, (), limit, new, policies, k, store, judge)


def _volume(kb: str, questions: Path | Upload | None, wanted: Wanted) -> str:
    """How much is asked, of which knowledge base."""
    if questions is None:
        return "Choose questions first."
    documents = counts(knowledge_base(kb))["Document"]
    parts = len(wanted.strategies) * (len(wanted.policies) if wanted.measure == "answers" else 1)
    number = wanted.limit
    if isinstance(questions, Path):
        try:
            number = min(number, len(questions_of(str(questions))))
        except InputError as error:
            return markdown(str(error))
    of = f"about **{markdown(kb, 60)}** ({documents:,} documents)"
    most = "up to " if isinstance(questions, Upload) else ""
    times = {1: "once", 2: "twice"}.get(parts, f"{parts} times")
    return f"{most}{count(number, 'question')} {of}, {times}"
