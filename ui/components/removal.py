"""Deleting and replacing documents: first what would go, then the deed."""

from __future__ import annotations

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.errors import ClewError
from clew.explore.look import known_documents
from clew.ingest.remove import Removal
from clew.runs.ingest import Upload, start_ingest
from clew.ui.components.progress import remember
from clew.ui.session import settings, show_error
from clew.ui.text import markdown


def tell_removal(removal: Removal, *, replaced: bool = False) -> None:
    """Say what goes with documents, besides themselves."""
    documents = f"{removal.documents:,} {'document' if removal.documents == 1 else 'documents'}"
    facts = f"**{removal.facts:,} {'fact' if removal.facts == 1 else 'facts'}**"
    entities = f"**{removal.entities:,} {'entity' if removal.entities == 1 else 'entities'}**"
    named = ", ".join(markdown(name, 40) for name in removal.names)
    if named:
        named = f" ({named}{', …' if removal.entities > len(removal.names) else ''})"
    if replaced:
        st.info(
            f"This replaces {documents} of the same name. Nothing else supports {facts} and {entities}{named} of the "
            "old version: they go, unless the new one says them, too.",
            icon=":material/swap_horiz:",
        )
    else:
        st.write(f"With {documents} go {facts} and {entities} that nothing else supports{named}.")


@st.dialog("Delete documents")
def confirm_delete(base: KnowledgeBase, rows: list[Row]) -> None:
    """Show what would go, and delete it once that is confirmed."""
    st.caption("  \n".join(markdown(row["title"], 80) for row in rows[:5]) + ("  \n…" if len(rows) > 5 else ""))
    state = st.session_state
    ids = [str(row["id"]) for row in rows]
    try:
        if "removal" not in state:
            with st.spinner("Looking what would go …"):
                removal = base.preview_delete(*ids)
                state["removal"] = (removal, removal.documents == base.stats()["nodes"]["Document"])
    except ClewError as error:
        show_error(error)
        return
    removal, everything = state["removal"]
    tell_removal(removal)
    gone = "The knowledge base is empty then, and its trajectories go with their ratings, too."
    st.write(gone if everything else "Trajectories stay, with what they quote of it.")
    st.write("This cannot be undone.")
    with st.container(horizontal=True):
        delete = st.button("Delete", type="primary", key="delete-really")
        keep = st.button("Keep", key="delete-not")
    if keep:
        st.rerun()
    if delete:
        try:
            with st.spinner("Deleting …"):
                base.delete_documents(*known_documents(base, ids))  # others may have gone meanwhile
        except ClewError as error:
            show_error(error)
            return
        state["table"] += 1
        st.rerun()


@st.dialog("Replace a document")
def replace_document(base: KnowledgeBase, row: Row) -> None:
    """Show what the old version would take along, and bring in the new one in its place."""
    st.caption(markdown(row["title"], 80))
    try:
        tell_removal(base.preview_delete(row["id"]), replaced=True)
        file = st.file_uploader("The new version", max_upload_size=max(1, round(settings().max_file_mb)))
        with st.container(horizontal=True):
            if st.button("Replace", type="primary", key="replace-really", disabled=file is None) and file:
                upload = Upload(file.name, file.getvalue(), str(row["source"]))
                remember(start_ingest(settings(), base.name, [upload]))
                st.session_state["table"] += 1
                st.rerun()
            if st.button("Keep", key="replace-not"):
                st.rerun()
    except ClewError as error:
        show_error(error)
