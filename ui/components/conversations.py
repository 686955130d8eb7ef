"""The conversations of a knowledge base in the sidebar: opened, searched, renamed and deleted."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby

import streamlit as st

from clew import KnowledgeBase
from clew.trajectories.conversations import (
    conversation_of,
    delete_conversation,
    find_conversations,
    name_conversation,
)
from clew.ui.components.verdict import ADDRESS
from clew.ui.session import pages
from clew.ui.text import markdown, visible

SHOWN = 8
MOST = 500
"""Conversations that are listed where all are wanted; a search finds those before them."""
SEARCHED_FROM = 4
"""Conversations from which on there is a field to search them."""
NEW = "conversation_new"
"""What the session has where the page is to begin a new conversation."""


def show_conversations(base: KnowledgeBase) -> None:
    """Draw the list in the sidebar."""
    key = f"conversations-{base.name}"
    text = str(st.session_state.get(key, "")).strip()
    all_wanted = bool(st.session_state.get(f"all-{key}"))
    rows = find_conversations(base.database, base.name, text, MOST if all_wanted else SHOWN + 1)
    if not rows and not text:
        return
    with st.sidebar, st.container(key="conversations", gap=None):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown("Conversations", width="content")
            if st.button("New", icon=":material/add_comment:", type="tertiary", key="conversation-new"):
                st.session_state[NEW] = True
                _go()
        if text or len(rows) >= SEARCHED_FROM:
            st.text_input("Search conversations", key=key, placeholder="Search", label_visibility="collapsed")
        at = st.query_params.get(ADDRESS)
        opened = conversation_of(base.database, base.name, at) if at else ""
        shown = rows if all_wanted else rows[:SHOWN]
        for day, of_day in groupby(shown, lambda row: _day(row["at"].to_native())):
            st.caption(day)
            for row in of_day:
                _row(base, str(row["id"]), str(row["last"]), str(row["title"]), is_open=row["id"] == opened)
        if len(rows) > SHOWN:
            label, icon = ("Fewer", "less") if all_wanted else ("All conversations", "more")
            if st.button(label, icon=f":material/expand_{icon}:", type="tertiary"):
                st.session_state[f"all-{key}"] = not all_wanted
                st.rerun()
        if not rows:
            st.caption("None has these words.")


def _day(at: datetime) -> str:
    """The day of a conversation as people say it."""
    days = (datetime.now(at.tzinfo).date() - at.date()).days
    return {0: "Today", 1: "Yesterday"}.get(days, f"{at.day} {at:%B %Y}")


def _row(base: KnowledgeBase, id: str, last: str, title: str, *, is_open: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap=None):
        label = markdown(visible(title, 60))
        shown = f"**{label}**" if is_open else label
        if st.button(shown, key=f"conversation-{id}", type="tertiary", width="stretch", wrap=False):
            _go(**{ADDRESS: last})
        options, icon = [":material/edit: Rename", ":material/delete: Delete"], ":material/more_vert:"
        chosen = st.menu_button(f"More of {label}", options, icon=icon, type="tertiary", key=f"of-{id}")
    if chosen == options[0]:
        _rename(base, id, title)
    elif chosen:
        _delete(base, id, title)


def _go(**address: str) -> None:
    """Go to the page of questions; there, the address keeps what else it says."""
    if st.session_state.get("page_drawn") != pages()["ask"].title:
        st.switch_page(pages()["ask"], query_params=address)
    st.query_params.update(address)
    st.rerun()


@st.dialog("Rename a conversation")
def _rename(base: KnowledgeBase, id: str, title: str) -> None:
    with st.form("rename", border=False):
        name = st.text_input("Name", title, max_chars=200)
        if st.form_submit_button("Save", type="primary") and name.strip():
            name_conversation(base.database, base.name, id, name.strip())
            st.rerun()


@st.dialog("Delete a conversation")
def _delete(base: KnowledgeBase, id: str, title: str) -> None:
    st.write(f"“{markdown(title, 100)}” goes with all its questions and answers. This cannot be undone.")
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="delete-conversation"):
            delete_conversation(base.database, base.name, id)
            st.session_state[NEW] = True
            st.rerun()
        if st.button("Keep", key="keep-conversation"):
            st.rerun()
