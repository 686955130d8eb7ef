"""The chat page: ask, watch the agent find its way, and open what the answer rests on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from clew import KnowledgeBase
from clew.agent.conversation import answered
from clew.agent.policies import POLICIES
from clew.errors import NotFoundError
from clew.trajectories.conversations import asked_in_conversation, conversation_of
from clew.trajectories.read import open_trajectory
from clew.trajectories.standing import Standing, standing
from clew.trajectories.store import home_of_trajectory
from clew.types import Citation, Trajectory
from clew.ui import view
from clew.ui.components.conversations import NEW
from clew.ui.components.graph import show_graph
from clew.ui.components.home import show_home
from clew.ui.components.progress import EXAMPLES, EXAMPLES_KB, examples_there, latest_ingest, load_examples, show_ingest
from clew.ui.components.sidebar import filter_chips
from clew.ui.components.steps import show_steps
from clew.ui.components.trajectory import heading, show_answer, show_question
from clew.ui.components.verdict import ADDRESS
from clew.ui.jobs import Asking
from clew.ui.mentions import without_mentions
from clew.ui.session import is_new_page, knowledge_base, pages, settings, show_error, until_written
from clew.ui.text import markdown

QUESTIONS = EXAMPLES.parent / "questions.jsonl"
SUGGESTED = 4
REFRESH_SECONDS = 0.35
LONGEST_QUESTION = 8_000
CONTINUED = 200
"""Characters of an answer that was cut off after which a model is asked to go on."""


@dataclass(slots=True)
class Conversation:
    """Questions that follow each other; ``id`` is that of its first trajectory, empty before anything was asked."""

    asked: list[Asking] = field(default_factory=list)
    id: str = ""

    @property
    def history(self) -> list[tuple[str, str]]:
        """The questions so far with their answers."""
        return [(a.question, answered(a.trajectory)) for a in self.asked if a.trajectory]

    def clear(self) -> None:
        """Begin anew."""
        self.asked, self.id = [], ""

    def copy(self) -> Conversation:
        """The same questions, to go on from in another window."""
        return replace(self, asked=[*self.asked])


def render() -> None:
    """Draw the page."""
    name = st.session_state.get("kb")
    if name is None:
        _welcome()
        return
    base = knowledge_base(name)
    if st.session_state.pop(NEW, False):
        _conversation(name).clear()
        st.query_params.pop(ADDRESS, None)
    found = _open_address(base)
    conversation = _conversation(name)
    asked = conversation.asked
    if st.session_state.pop("go_on", None) and asked and (cut := asked[-1].trajectory):
        _ask(base, f"{asked[-1].question} (Go on after: “…{cut.answer[-CONTINUED:]}”)")
    if found:
        _tell_address(conversation)
    if not asked:
        show_home(base, _examples_in(base), _ask, partial(_field, base, conversation))
        return
    heading("Ask the documents")
    for asking in asked[:-1]:
        _exchange(base, asking, latest=False)
    if asked[-1].over:
        _exchange(base, asked[-1], latest=True)
        _again(base, conversation)
    else:
        _running(base, asked[-1])
    _field(base, conversation)


def _field(base: KnowledgeBase, conversation: Conversation) -> None:
    """Draw the field for a question."""
    asked = conversation.asked
    busy = bool(asked) and not asked[-1].over
    placeholder = "Ask a follow-up question" if asked else "Ask a question; # chooses a document"
    # A callback begins before the page is drawn anew: the first turn has often come by the time it is.
    st.chat_input(
        placeholder, max_chars=LONGEST_QUESTION, disabled=busy, key="question", on_submit=_submit, args=(base,)
    )
    filter_chips(base)


def _conversation(name: str) -> Conversation:
    conversations: dict[str, Conversation] = st.session_state.setdefault("conversations", {})
    return conversations.setdefault(name, Conversation())


@st.cache_resource(show_spinner=False)
def _under_way() -> dict[tuple[str, str], Conversation]:
    """What all windows are having answered, by knowledge base and the id of the last question."""
    return {}


def _open_address(base: KnowledgeBase) -> bool:
    """Show the trajectory that the address names, if it is another one than the page has put there itself.

    A question that is still being answered is found again by it, after a reload or with the browser's buttons.

    False where there is none: the address stays, and every run of the page says so, until a question is asked.
    """
    state = st.session_state
    wanted = st.query_params.get(ADDRESS)
    if is_new_page():
        state["trajectory_shown"] = None
    shown = state.get("trajectory_shown")
    conversations = state.setdefault("conversations", {})
    if not wanted and shown and [asking.id for asking in _conversation(base.name).asked[-1:]] == [shown]:
        conversations[base.name] = Conversation()  # the reader went back to before it was asked
    if not wanted or wanted == shown:
        return True
    conversation = _under_way().get((base.name, wanted))
    if conversation and not conversation.asked[-1].over:
        conversations[base.name] = conversation.copy()
        return True
    try:
        stored = open_trajectory(base, wanted)
    except NotFoundError as error:
        home = home_of_trajectory(base.database, wanted)
        if home is None or home == base.name:
            show_error(error)
            return False
        state["kb_next"] = home
        st.rerun()
    id = conversation_of(base.database, base.name, wanted)
    whole = [*_earlier(base, id, stored.history), stored.trajectory]
    opened = [Asking(one.question, one.id, trajectory=one, opened=True) for one in whole]
    for asking in opened:
        asking.done.set()
    conversations[base.name] = Conversation(opened, id)
    return True


def _earlier(base: KnowledgeBase, id: str, history: Sequence[tuple[str, str]]) -> list[Trajectory]:
    """The trajectories of earlier exchanges; of one that is not kept, its question and answer alone."""
    ids = asked_in_conversation(base.database, base.name, id, [question for question, _ in history])
    found = (open_trajectory(base, one).trajectory for one in ids)
    kept = {(one.question, answered(one)): one for one in found}
    return [
        kept.get(pair) or Trajectory(f"{id}-{at}", base.name, *pair, True, (), (), "", "", 0)
        for at, pair in enumerate(history)
    ]


def _tell_address(conversation: Conversation) -> None:
    """Let the address name what is shown, so that it can be shared and survives a reload; a failed question is none."""
    last = conversation.asked[-1] if conversation.asked else None
    id = last.id if last and (last.trajectory or not last.over) else None
    if id and st.query_params.get(ADDRESS) != id:
        st.query_params[ADDRESS] = id
    elif id is None and ADDRESS in st.query_params:
        del st.query_params[ADDRESS]
    st.session_state["trajectory_shown"] = id


def _submit(base: KnowledgeBase) -> None:
    if question := st.session_state.get("question"):
        _ask(base, str(question))


def _ask(base: KnowledgeBase, question: str, policy: str = "") -> None:
    conversation = _conversation(base.name)
    if conversation.asked and not conversation.asked[-1].over:
        return
    question, kept = without_mentions(base, question)
    asking = Asking(question)
    conversation.id = conversation.id or asking.id
    state = st.session_state
    asking.start(
        base,
        policy=policy or state["policy"],
        strategy=state["strategy"],
        model=state.get("model"),
        k=int(state["k"]),
        filter=(*state.get("filter", ()), *kept),
        history=conversation.history,
        conversation=conversation.id,
    )
    conversation.asked.append(asking)
    under_way = _under_way()
    for key, other in list(under_way.items()):
        if other.asked[-1].over:
            under_way.pop(key, None)  # another window may have been quicker
    under_way[base.name, asking.id] = conversation.copy()
    st.query_params[ADDRESS] = state["trajectory_shown"] = asking.id


@st.fragment(run_every=REFRESH_SECONDS)
def _running(base: KnowledgeBase, asking: Asking) -> None:
    """The question that is being answered; looks anew by itself until it is."""
    if asking.over:
        st.rerun()
    stopping = asking.stopped.is_set()
    label = "Stopping …" if stopping else "Stop"
    icon = ":material/stop_circle:"
    st.button(label, icon=icon, key=f"stop-{asking.id}", on_click=asking.stop, disabled=stopping)
    _exchange(base, asking, latest=True)


def _again(base: KnowledgeBase, conversation: Conversation) -> None:
    """What may follow an answer: the same question again where it failed, or a new conversation."""
    asked = conversation.asked
    with st.container(horizontal=True):
        last = asked[-1].trajectory
        touched = last and any(one.touched for one in _standing(base, last.citations))
        if (last is None or touched) and st.button("Ask again", icon=":material/refresh:"):
            question = asked[-1].question if last else asked.pop().question
            _ask(base, question)
            st.rerun()
        if st.button("Edit", icon=":material/edit:", type="tertiary"):
            _edit(base, asked)
        others = [name for name, one in POLICIES.items() if name != "auto" and (settings().llm_model or not one.needs)]
        other = st.menu_button(
            "Ask another way",
            others,
            icon=":material/alt_route:",
            type="tertiary",
            format_func=lambda name: f"**{name}**: {POLICIES[name].help}",
        )
        if other:
            question = asked.pop().question
            _ask(base, question, other)
            st.rerun()
        if st.button("New conversation", icon=":material/add_comment:", type="tertiary"):
            conversation.clear()
            st.rerun()


@st.dialog("Edit the question")
def _edit(base: KnowledgeBase, asked: list[Asking]) -> None:
    with st.form("edit", border=False):
        edited = st.text_area("The question", asked[-1].question, max_chars=LONGEST_QUESTION)
        if st.form_submit_button("Ask", type="primary") and edited.strip():
            asked.pop()
            _ask(base, edited.strip())
            st.rerun()


def _exchange(base: KnowledgeBase, asking: Asking, *, latest: bool) -> None:
    dialect = settings().dialect
    show_question(asking.question)
    trajectory = asking.trajectory
    if trajectory and latest:
        show_answer(base, trajectory, asking.id, fresh=not asking.opened)
        return
    if trajectory and not trajectory.steps:  # its words are all that is kept of it
        st.caption(markdown(trajectory.answer, 2_000))
        return
    if trajectory:
        data = view.finished(trajectory, dialect, _standing(base, trajectory.citations))
    else:
        data = view.running(asking, dialect)
    if asking.over:
        data["now"] = None
    if not latest:
        show_steps(data, key=f"steps-{asking.id}", folded=True)
        if trajectory:
            st.page_link(
                pages()["trajectories"],
                label="Open it whole",
                icon=":material/route:",
                query_params={"kb": base.name, ADDRESS: trajectory.id},
            )
        return
    steps = tuple(asking.steps)
    left, right = st.columns([6, 7], gap="large") if any(step.facts for step in steps) else (st.container(), None)
    with left:
        show_steps(data, key=f"steps-{asking.id}")
        if asking.error:
            show_error(asking.error)
        elif asking.over:
            st.info("Stopped before an answer was found.", icon=":material/stop_circle:")
    if right:
        with right, st.container(key=f"pane-{asking.id}"):
            show_graph(steps, (), view.fact_numbers(steps, dialect), key=f"graph-{asking.id}")


@until_written
def _standing(base: KnowledgeBase, citations: tuple[Citation, ...]) -> list[Standing]:
    return standing(base.database, base.name, citations)


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


def _examples_in(base: KnowledgeBase) -> list[str]:
    """Questions of the examples, one of each number of hops, where what they rest on is in a knowledge base."""
    titles = _titles(base)
    fitting = [example for example in _examples() if example.titles <= titles]
    hops = sorted({example.hops for example in fitting})
    return [next(e.question for e in fitting if e.hops == h) for h in hops][:SUGGESTED]


@until_written
def _titles(base: KnowledgeBase) -> set[str]:
    return {str(row["title"]) for row in base.documents(limit=500)}


def _welcome() -> None:
    """There is nothing yet: how to begin."""
    st.title("Documents in, cited answers out", anchor=False)
    st.write(
        "Clew reads your documents into a graph of facts, and lets an agent find its way through it turn by turn. "
        "You see every step, down to the sentence that an answer rests on."
    )
    job = latest_ingest(EXAMPLES_KB)
    if job is not None:
        show_ingest(job)
        if job.running:
            return
    if examples_there():
        if st.button("Load the example encyclopaedia", type="primary", icon=":material/auto_stories:"):
            load_examples()
            st.rerun()
        st.caption("42 short articles about an invented archipelago. It takes less than a minute.")
    st.page_link(pages()["documents"], label="Bring in documents of your own", icon=":material/library_books:")
