"""A knowledge base that is made equal to a folder of this machine: first what differs, then the deed."""

from __future__ import annotations

import streamlit as st

from clew import KnowledgeBase
from clew.errors import ClewError
from clew.ingest.sync import Difference
from clew.runs.ingest import start_ingest
from clew.ui.components.progress import remember
from clew.ui.session import knowledge_base, settings, show_error
from clew.ui.text import markdown

MOST_SHOWN = 10
"""Files of each kind of change that are listed."""


def keep_up(kb: str) -> None:
    """Draw the choice of a folder, and what differs between it and the knowledge base."""
    state = st.session_state
    with st.expander("Keep up with a folder of this machine", icon=":material/sync:"):
        left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
        folder = left.text_input("Folder", key="folder", placeholder="~/papers")
        if right.button("Compare", width="stretch", disabled=not folder.strip()):
            try:
                with st.spinner("Reading the folder …"):
                    state["difference"] = kb, folder, knowledge_base(kb).compare(folder)
            except ClewError as error:
                show_error(error)
                state.pop("difference", None)
        compared = state.get("difference")
        if compared and compared[:2] == (kb, folder):
            _show(knowledge_base(kb), compared[2])


def _show(base: KnowledgeBase, difference: Difference) -> None:
    lines = [markdown(line, 200) for line in difference.lines(MOST_SHOWN)]
    lines += [markdown(f"skipped {one.source}: {one.reason}", 300) for one in difference.skipped[:MOST_SHOWN]]
    lines += [markdown(f"note {one.source}: {one.reason}", 300) for one in difference.notes[:MOST_SHOWN]]
    stay = f" {difference.elsewhere:,} from elsewhere stay." if difference.elsewhere else ""
    if not difference:
        st.caption("  \n".join([*lines, f"{markdown(base.name)} is equal to the folder.{stay}"]))
        return
    st.write("  \n".join(lines))
    st.caption(f"{difference.unchanged:,} files are unchanged.{stay}")
    if st.button("Make it equal", type="primary"):
        if difference.read:
            remember(start_ingest(settings(), base.name, (), difference.read, gone=difference.gone))
        else:
            with st.spinner("Deleting …"):
                base.delete_known(difference.gone)
        st.session_state.pop("difference")
        st.rerun()
