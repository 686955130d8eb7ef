"""What a reader does with a trajectory: mark it as good or bad, share it, take it along."""

from __future__ import annotations

import json
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from clew import KnowledgeBase
from clew.agent.protocol import get_dialect
from clew.errors import ClewError
from clew.trajectories.export import as_json, as_markdown, training_example
from clew.trajectories.read import open_trajectory
from clew.trajectories.store import MOST_COMMENT
from clew.ui.components.corrections import ask_correction, keep_correction, show_corrections
from clew.ui.session import settings, show_error

ADDRESS = "trajectory"
"""Query parameter that names the trajectory that is shown."""
BESIDE = "beside"
"""Query parameter that names a second trajectory, shown beside the first."""
_RATING = {None: 0, 0: -1, 1: 1}
_THUMB = {-1: 0, 1: 1}


@st.fragment
def show_verdict(base: KnowledgeBase, id: str) -> None:
    """Draw thumbs with a comment, the address to share, and the exports of a stored trajectory."""
    state = st.session_state
    kept = f"verdict-{id}"
    if kept not in state:
        stored = open_trajectory(base, id)
        state[kept] = (stored.rating, stored.comment)
    rating, comment = state[kept]
    with st.container(horizontal=True, vertical_alignment="center", key=f"verdict-row-{id}"):
        given = _RATING[st.feedback("thumbs", key=f"thumbs-{id}", default=_THUMB.get(rating))]
        with st.popover("Share", icon=":material/link:", type="tertiary"):
            st.write("This address opens the trajectory as it is, for everyone who may use this app.")
            st.code(address(base.name, id), language=None, wrap_lines=True)
        with st.popover("Export", icon=":material/download:", type="tertiary"):
            _exports(base, id)
    if given != rating:
        _keep(base, id, given, None)
        rating = given
    if rating:
        _comment(base, id, rating, comment)


def address(kb: str, id: str) -> str:
    """The address at which the Ask page shows a trajectory."""
    parts = urlsplit(st.context.url or "")
    path = parts.path.removesuffix("/").removesuffix("/trajectories").removesuffix("/ask")
    return urlunsplit((parts.scheme, parts.netloc, f"{path}/", urlencode({"kb": kb, ADDRESS: id}), ""))


def _exports(base: KnowledgeBase, id: str) -> None:
    dialect = get_dialect(settings().dialect)
    for label, name, kind, write in (
        ("JSON", f"{id[:12]}.json", "application/json", lambda: as_json(open_trajectory(base, id))),
        ("Markdown", f"{id[:12]}.md", "text/markdown", lambda: as_markdown(open_trajectory(base, id), dialect)),
        (
            "Training example",
            f"{id[:12]}.jsonl",
            "application/jsonl",
            lambda: json.dumps(training_example(open_trajectory(base, id), dialect)) + "\n",
        ),
    ):
        st.download_button(
            label, write, file_name=name, mime=kind, on_click="ignore", key=f"export-{name}-{id}", width="stretch"
        )


def _comment(base: KnowledgeBase, id: str, rating: int, comment: str) -> None:
    label = "What is good about it?" if rating > 0 else "What is wrong with it?"
    with st.form(f"comment-form-{id}", border=False):
        right = ask_correction(base, id) if rating < 0 else (None, False, "")
        words = st.text_area(
            label,
            comment,
            max_chars=MOST_COMMENT,
            height=80,
            key=f"comment-{id}",
            placeholder="A comment, if you like; it is kept with the trajectory",
        )
        if st.form_submit_button("Save"):
            _keep(base, id, rating, words)
            keep_correction(base, id, *right)
            st.toast("It is kept with the trajectory.", icon=":material/check:")
    if rating < 0:
        show_corrections(base)


def _keep(base: KnowledgeBase, id: str, rating: int, comment: str | None) -> None:
    kept = f"verdict-{id}"
    try:
        base.rate(id, rating, comment)
    except ClewError as error:
        show_error(error)
        return
    st.session_state[kept] = (rating, st.session_state[kept][1] if comment is None else comment)
