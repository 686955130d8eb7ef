"""What can be done with a knowledge base as a whole: make, describe, rename, hide and delete."""

from __future__ import annotations

import streamlit as st

from clew import KnowledgeBase
from clew.errors import ClewError
from clew.operations.move import rename
from clew.ui.session import database, knowledge_base, knowledge_bases, settings, show_error
from clew.ui.text import count, markdown

LONGEST_DESCRIPTION = 400


def manage(base: KnowledgeBase, description: str, hidden: bool) -> None:
    """Draw the menu of a knowledge base."""
    hide = ":material/visibility: Show in lists" if hidden else ":material/visibility_off: Hide from lists"
    options = [":material/edit: Describe or rename", hide, ":material/delete: Delete"]
    hint = "Describe, rename, hide or delete"
    chosen = st.menu_button(hint, options, icon=":material/more_horiz:", type="tertiary", key="manage", help=hint)
    if chosen == options[0]:
        _change(base, description)
    elif chosen == hide:
        base.describe(hidden=not hidden)
        st.rerun()
    elif chosen:
        _delete(base)


def show_all() -> None:
    """Draw the list of all knowledge bases with what is in each, and a way to make another one."""
    if st.button("All knowledge bases", icon=":material/database:", type="tertiary"):
        _all()


@st.dialog("Knowledge bases", width="medium")
def _all() -> None:
    rows = knowledge_bases()
    hidden = sum(row["hidden"] for row in rows)
    shown = [row for row in rows if not row["hidden"]]
    if hidden and st.toggle(f"Show {hidden} hidden", key="hidden-too"):
        shown = rows
    for row in shown:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            about = f" · {markdown(row['description'], 90)}" if row["description"] else ""
            st.markdown(f"**{markdown(row['name'])}** · {count(row['documents'], 'document')}{about}", width="stretch")
            if st.button("Open", key=f"open-{row['name']}", type="tertiary"):
                st.session_state["kb_next"] = row["name"]
                st.rerun()
    st.divider()
    with st.form("new-base", border=False):
        name = st.text_input("Name of a new knowledge base", placeholder="letters, digits, dots, dashes, underscores")
        description = st.text_input("What it is about", max_chars=LONGEST_DESCRIPTION)
        if st.form_submit_button("Create", icon=":material/add:"):
            _make(name.strip(), description.strip())


def _make(name: str, description: str) -> None:
    try:
        base = KnowledgeBase(name, database(), settings())
        base.create()
        base.describe(description)
    except ClewError as error:
        show_error(error)
        return
    st.session_state["kb_next"] = name
    st.rerun()


@st.dialog("Describe or rename")
def _change(base: KnowledgeBase, description: str) -> None:
    about = st.text_area("What it is about", description, max_chars=LONGEST_DESCRIPTION)
    name = st.text_input(
        "Name", base.name, help="All of it is written anew; addresses with the old name no longer work."
    )
    if not st.button("Save", type="primary"):
        return
    try:
        base.describe(about.strip())
        if name.strip() != base.name:
            with st.spinner("Writing it under its new name …"):
                rename(base, name.strip())
            knowledge_base.clear()
            st.session_state["kb_next"] = name.strip()
    except ClewError as error:
        show_error(error)
        return
    st.rerun()


@st.dialog("Delete a knowledge base")
def _delete(base: KnowledgeBase) -> None:
    documents = base.stats()["nodes"]["Document"]
    st.write(
        f"**{markdown(base.name)}** goes with {count(documents, 'document')}, all facts and all conversations. "
        "This cannot be undone."
    )
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="delete-base"):
            try:
                with st.spinner("Deleting …"):
                    base.delete()
            except ClewError as error:
                show_error(error)
                return
            knowledge_base.clear()
            st.rerun()
        if st.button("Keep", key="keep-base"):
            st.rerun()
