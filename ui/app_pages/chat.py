"""The chat page: ask, watch the agent find its way, and open what the answer rests on."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass

import streamlit as st

from clew import KnowledgeBase
from clew.agent.protocol import get_dialect
from clew.types import Fact, Step
from ui import view
from ui.components.graph import show_graph
from ui.components.progress import EXAMPLES, examples_job, examples_there, load_examples, show_ingest
from ui.components.steps import show_steps
from ui.jobs import Asking
from ui.session import knowledge_base, settings, show_error
from ui.text import markdown

QUESTIONS = EXAMPLES.parent / "questions.jsonl"
SUGGESTED = 4
REFRESH_SECONDS = 0.35
LONGEST_QUESTION = 8_000


def render() -> None:
    """Draw the page."""
    name = st.session_state.get("kb")
    if name is None:
        _welcome()
        return
    base = knowledge_base(name)
    asked = _conversation(name)
    if not asked:
        _suggest(base)
    for asking in asked[:-1]:
        _exchange(asking, latest=False)
    if asked:
        if asked[-1].over:
            _exchange(asked[-1], latest=True)
            _again(base, asked)
        else:
            _running(asked[-1])
    busy = bool(asked) and not asked[-1].over
    placeholder = "Ask a follow-up question" if asked else "Ask a question about the documents"
    question = st.chat_input(placeholder, max_chars=LONGEST_QUESTION, disabled=busy, key="question")
    if question:
        _ask(base, str(question))
        st.rerun()


def _conversation(name: str) -> list[Asking]:
    conversations: dict[str, list[Asking]] = st.session_state.setdefault("conversations", {})
    return conversations.setdefault(name, [])


def _ask(base: KnowledgeBase, question: str) -> None:
    asked = _conversation(base.name)
    if asked and not asked[-1].over:
        return
    history = [(a.question, a.trajectory.answer) for a in asked if a.trajectory]
    asking = Asking(question)
    state = st.session_state
    asking.start(base, policy=state["policy"], strategy=state["strategy"], k=int(state["k"]), history=history)
    asked.append(asking)


@st.fragment(run_every=REFRESH_SECONDS)
def _running(asking: Asking) -> None:
    """The question that is being answered; looks anew by itself until it is."""
    if asking.over:
        st.rerun()
    stopping = asking.stopped.is_set()
    label = "Stopping …" if stopping else "Stop"
    icon = ":material/stop_circle:"
    st.button(label, icon=icon, key=f"stop-{asking.id}", on_click=asking.stop, disabled=stopping)
    _exchange(asking, latest=True)


def _again(base: KnowledgeBase, asked: list[Asking]) -> None:
    """What may follow an answer: the same question again where it failed, or a new conversation."""
    with st.container(horizontal=True):
        if not asked[-1].trajectory and st.button("Ask again", icon=":material/refresh:"):
            question = asked.pop().question
            _ask(base, question)
            st.rerun()
        if st.button("New conversation", icon=":material/add_comment:", type="tertiary"):
            asked.clear()
            st.rerun()


def _exchange(asking: Asking, *, latest: bool) -> None:
    dialect = settings().dialect
    st.html(f'<p class="question">{html.escape(asking.question)}</p>')
    trajectory = asking.trajectory
    data = view.finished(trajectory, dialect) if trajectory else view.running(asking, dialect)
    if asking.over:
        data["now"] = None
    steps = trajectory.steps if trajectory else tuple(asking.steps)
    if not latest:
        show_steps(data, key=f"steps-{asking.id}", folded=True)
        return
    left, right = st.columns([6, 7], gap="large") if any(step.facts for step in steps) else (st.container(), None)
    with left:
        show_steps(data, key=f"steps-{asking.id}")
        if asking.error:
            show_error(asking.error)
        elif asking.over and not trajectory:
            st.info("Stopped before an answer was found.", icon=":material/stop_circle:")
    if right:
        with right, st.container(key="graph"):
            citations = trajectory.citations if trajectory else ()
            show_graph(steps, citations, _numbers(steps, dialect), key=f"graph-{asking.id}")


def _numbers(steps: tuple[Step, ...], dialect: str) -> dict[str, int]:
    """The number under which the agent's thoughts name each fact, by the fact's id."""
    numbers: dict[str, int] = {}
    number = 1
    for step in steps:
        for item in get_dialect(dialect).evidence(step.facts, step.passages) if step.query else ():
            if isinstance(item, Fact):
                numbers.setdefault(item.id, number)
            number += 1
    return numbers


@dataclass(frozen=True, slots=True)
class _Example:
    question: str
    titles: frozenset[str]
    hops: int


@st.cache_data(show_spinner=False)
def _examples() -> list[_Example]:
    if not QUESTIONS.is_file():
        return []
    rows = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines() if line.strip()]
    return [_Example(r["question"], frozenset(s["title"] for s in r["supporting"]), r["hops"]) for r in rows]


def _suggest(base: KnowledgeBase) -> None:
    """What a knowledge base holds, and questions that the examples answer, where they are in it."""
    documents = base.documents(limit=500)
    titles = {str(row["title"]) for row in documents}
    fitting = [example for example in _examples() if example.titles <= titles]
    hops = sorted({example.hops for example in fitting})
    chosen = [next(e for e in fitting if e.hops == h) for h in hops][:SUGGESTED]
    st.title("Ask the documents", anchor=False)
    counts = base.stats()["nodes"]
    st.caption(
        f"{markdown(base.name)} holds {counts['Document']:,} documents, {counts['Hyperedge']:,} facts and "
        f"{counts['Entity']:,} entities. Every answer shows the way to it, and the sentences that it rests on."
    )
    if not documents:
        st.info(
            "This knowledge base is empty: bring in documents on the page Documents.", icon=":material/library_add:"
        )
    if not chosen:
        return
    st.write("Try one of these:")
    with st.container(key="suggestions", gap="small"):
        for example in chosen:
            if st.button(markdown(example.question), icon=":material/arrow_forward:", key=f"try-{example.question}"):
                _ask(base, example.question)
                st.rerun()


def _welcome() -> None:
    """There is nothing yet: how to begin."""
    st.title("Documents in, cited answers out", anchor=False)
    st.write(
        "Clew reads your documents into a graph of facts, and lets an agent find its way through it turn by turn. "
        "You see every step, down to the sentence that an answer rests on."
    )
    job = examples_job()
    if job is not None:
        show_ingest(job)
        if job.running:
            return
    with st.container(horizontal=True):
        if examples_there() and st.button(
            "Load the example encyclopaedia", type="primary", icon=":material/auto_stories:"
        ):
            load_examples()
            st.rerun()
    if examples_there():
        st.caption("42 short articles about an invented archipelago. It takes less than a minute.")
    st.write("Or bring in documents of your own, on the page **Documents** or with `clew ingest FILES`.")
