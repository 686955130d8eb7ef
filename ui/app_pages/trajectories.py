"""The Trajectories page: find them, look at one or at two beside each other, mark them, send them to the trainer."""

from __future__ import annotations

from typing import cast

import streamlit as st

from clew import KnowledgeBase
from clew.errors import ClewError, NotFoundError
from clew.reporting.verdict import KEPT, WORDS
from clew.trajectories.export import write_training_file
from clew.trajectories.read import StoredTrajectory, open_trajectory
from clew.trajectories.store import ORDERS, ORIGINS, TrajectoryFilter, count_trajectories, delete_trajectories
from clew.ui import view
from clew.ui.components.browse import browse_button
from clew.ui.components.cards import set_address
from clew.ui.components.corrections import show_corrections
from clew.ui.components.paging import page_of
from clew.ui.components.tracks import show_tracks
from clew.ui.components.training import show_rewards, show_tokens
from clew.ui.components.training_form import train_on
from clew.ui.components.trajectory import heading, show_question, show_trajectory
from clew.ui.components.verdict import ADDRESS, BESIDE
from clew.ui.session import knowledge_base, pages, show_error
from clew.ui.text import count, markdown, when

PAGE = 15
_RATINGS = {"Good": 1, "Bad": -1, "Not rated": 0}
_VERDICTS: dict[str, str] = {WORDS[kind]: kind for kind in KEPT}
_SAID = ("Newest first", "Slowest first", "Dearest first", "Best score first", "Worst score first")
_ORDERS = dict(zip(ORDERS, _SAID, strict=True))
_ANSWERED = {"Answered": True, "Not known": False}


def render() -> None:
    """Draw the page: what the address names, else the list."""
    name = st.session_state.get("kb")
    if name is None:
        st.title("Trajectories", anchor=False)
        _teach()
        return
    base = knowledge_base(name)
    ids = [id for id in (st.query_params.get(ADDRESS), st.query_params.get(BESIDE)) if id]
    if not ids:
        _list(base)
        return
    if st.button("All trajectories", icon=":material/arrow_back:", type="tertiary"):
        _go()
    heading("Trajectory" if len(ids) == 1 else "Two trajectories")
    opened = [_opened(base, id) for id in ids]
    whole = [one for one in opened if isinstance(one, StoredTrajectory)]
    departs = view.departs(whole[0].trajectory, whole[1].trajectory) if len(whole) == 2 else 0
    columns = st.columns(len(ids), gap="large")
    for place, (stored, column) in enumerate(zip(opened, columns, strict=True)):
        with column:
            if isinstance(stored, StoredTrajectory):
                _one(base, stored, f"{place}-{stored.trajectory.id}", alone=len(ids) == 1, departs=departs)
            else:
                show_error(stored)


def _go(*ids: str) -> None:
    """Look at these trajectories; at none of them, at the list."""
    set_address(**dict(zip((ADDRESS, BESIDE), (*ids, None, None), strict=False)))
    st.rerun()


def _opened(base: KnowledgeBase, id: str) -> StoredTrajectory | NotFoundError:
    try:
        return open_trajectory(base, id)
    except NotFoundError as error:
        return error


def _one(base: KnowledgeBase, stored: StoredTrajectory, key: str, *, alone: bool, departs: int) -> None:
    trajectory = stored.trajectory
    for question, answer in stored.history:
        st.caption(f"Earlier: {markdown(question)} {markdown(answer)}")
    show_question(trajectory.question)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{markdown(stored.origin)} · {markdown(when(stored.created))} UTC")
        if alone:
            here = {"kb": base.name, ADDRESS: trajectory.id}
            st.page_link(pages()["ask"], label="Ask again or go on", icon=":material/forum:", query_params=here)
            browse_button(base.name, "trajectory", trajectory.id)
    if stored.answers:
        st.caption("Right answer: " + ", ".join(markdown(answer, 120) for answer in stored.answers[:5]))
    if stored.rewards:
        st.subheader("Reward", anchor=False)
        show_rewards(stored.rewards, key)
    show_trajectory(base, trajectory, key, beside=alone, departs=departs)
    if stored.tokens:
        st.subheader("Tokens", anchor=False)
        show_tokens(stored.tokens, key)


def _list(base: KnowledgeBase) -> None:
    st.title("Trajectories", anchor=False)
    counts = count_trajectories(base.database, base.name)
    if not counts["origin"]:
        _teach()
        return
    show_corrections(base)
    _found(base, counts)


def _teach() -> None:
    st.write(
        "Every question leaves a trajectory: what the agent thought and asked in each turn, what it found, and what it "
        "answered. Here you search them, compare two, mark good and bad ones, and send them to the trainer."
    )
    st.write(
        "There is none yet. Ask a question on the page **Ask**, run `clew evaluate answers DIR --store`, or train a "
        "policy: its trajectories come with their rewards and tokens."
    )


@st.fragment
def _found(base: KnowledgeBase, counts: dict[str, dict[str, int]]) -> None:
    wanted = _filter(counts)
    chosen: set[str] = st.session_state.setdefault(f"chosen-{base.name}", set())
    page_key = f"trajectories-page-{hash(wanted)}"
    page = int(st.session_state.get(page_key, 1))
    order = str(st.session_state.get("trajectories-order", ORDERS[0]))
    rows, total = base.find_trajectories(wanted, skip=(page - 1) * PAGE, limit=PAGE, order=order)
    if (last := page_of(page_key, total, PAGE)) != page:  # those of this page have just been marked, and pass no more
        rows, total = base.find_trajectories(wanted, skip=(last - 1) * PAGE, limit=PAGE, order=order)
    if not total:
        reason = "passes these filters: take some of them away"
        if wanted == TrajectoryFilter(wanted.text):
            reason = "has these words: try fewer of them"
        st.info(f"No trajectory {reason}.", icon=":material/filter_alt_off:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.caption(count(total, "trajectory", "trajectories"))
        st.selectbox(
            "Order",
            list(_ORDERS),
            format_func=_ORDERS.__getitem__,
            key="trajectories-order",
            width=180,
            persist_state="session",
        )
    bar = st.container(key="bar-above")  # drawn last, when the list has said what is selected
    opened = show_tracks(rows, chosen, key=f"tracks-{base.name}")
    if total > PAGE:
        st.pagination(-(-total // PAGE), key=page_key, max_visible_pages=5, persist_state="session")
    with bar:
        _actions(base, chosen, sorted(chosen & {row["id"] for row in rows}))
    if opened:
        _go(opened)


def _filter(counts: dict[str, dict[str, int]]) -> TrajectoryFilter:
    text = st.text_input(
        "Search",
        placeholder="Words of a question, an answer or a comment",
        icon=":material/search:",
        key="trajectories-text",
        label_visibility="collapsed",
        persist_state="session",
    )
    with st.container(horizontal=True):
        origins = [origin for origin in ORIGINS if origin in counts["origin"]]
        origin = _choice("From", origins)
        policy = _choice("Answered by", list(counts["policy"]))
        strategy = _choice("Retrieval", list(counts["strategy"]))
        answered = _choice("Outcome", list(_ANSWERED))
        rating = _choice("Rating", list(_RATINGS))
        verdict = _choice("Verdict", list(_VERDICTS))
    return TrajectoryFilter(
        text,
        policy,
        strategy,
        origin,
        _ANSWERED.get(answered or ""),
        _RATINGS.get(rating or ""),
        _VERDICTS.get(verdict or ""),
    )


def _choice(label: str, options: list[str]) -> str | None:
    key = f"trajectories-{label}"
    return cast(
        "str | None",
        st.selectbox(label, options, index=None, placeholder="Any", key=key, width=140, persist_state="session"),
    )


def _actions(base: KnowledgeBase, chosen: set[str], ids: list[str]) -> None:
    """What can be done with those that are selected, as far as they are seen: nothing unseen may be deleted."""
    with st.container(horizontal=True, vertical_alignment="center", key="selected"):
        if not ids:
            st.caption("Select some to compare two, to mark them, or to send them to the trainer.")
            return
        st.caption(f"{len(ids):,} selected")
        if st.button("Compare", icon=":material/compare_arrows:", disabled=len(ids) != 2, help="Two beside each other"):
            _go(*ids)
        st.button("Good", icon=":material/thumb_up:", help="Mark as good", on_click=_mark, args=(base, ids, 1))
        st.button("Bad", icon=":material/thumb_down:", help="Mark as bad", on_click=_mark, args=(base, ids, -1))
        if st.button("Delete", icon=":material/delete:"):
            _confirm_delete(base, ids)
        st.button("Send to the trainer", icon=":material/model_training:", on_click=_send, args=(base, ids))
        st.button("Select none", type="tertiary", on_click=chosen.clear)
    if error := st.session_state.pop("trajectories_error", None):
        show_error(error)
    _sent(base)


def _mark(base: KnowledgeBase, ids: list[str], rating: int) -> None:
    try:
        for id in ids:
            base.rate(id, rating)
            st.session_state.pop(f"verdict-{id}", None)
            st.session_state.pop(f"thumbs-{id}", None)
    except ClewError as error:
        st.session_state["trajectories_error"] = error


@st.dialog("Delete trajectories")
def _confirm_delete(base: KnowledgeBase, ids: list[str]) -> None:
    st.write(f"{count(len(ids), 'trajectory', 'trajectories')} with every turn, rating and comment will be gone.")
    if st.button("Delete them", type="primary"):
        delete_trajectories(base.database, base.name, ids)
        st.rerun()


def _send(base: KnowledgeBase, ids: list[str]) -> None:
    st.session_state.pop("training_file", None)
    try:
        st.session_state["training_file"] = (base.name, write_training_file(base, ids))
    except ClewError as error:
        st.session_state["trajectories_error"] = error


def _sent(base: KnowledgeBase) -> None:
    """The file that was written last, and how to train with it."""
    name, file = st.session_state.get("training_file", (None, None))
    if file is None or name != base.name:
        return
    left_out = "".join(f", {number} {reason} left out" for reason, number in file.left_out.items())
    st.success(f"{file.written:,} written for the trainer{left_out}.", icon=":material/check:")
    st.caption("Learn from them as demonstrations; with `--train` other recipes take them as questions.")
    command = f"python -m trainer run sft --kb {base.name} --demonstrations {file.path} --train {file.path}"
    st.code(command, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        if st.button("Train on these", icon=":material/model_training:"):
            train_on(file.path.stem)
        if file.path.is_file():
            st.download_button(
                "Download", file.path.read_bytes(), file_name=file.path.name, mime="application/jsonl",
                on_click="ignore",
            )  # fmt: skip
