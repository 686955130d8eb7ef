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


def keep_up(kb: str, encoding: str | None) -> None:
    """Draw the choice of a folder, and what differs between it and the knowledge base.

    ``encoding`` is what the texts in it are written in, where that is not to be guessed.
    """
    state = st.session_state
    with st.expander("Follow a folder of this computer", icon=":material/sync:"):
        st.caption("First you see which files are new, changed, moved or gone; nothing is done until you say so.")
        left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
        folder = left.text_input("Folder", key="folder", placeholder="~/papers")
        if right.button("Compare", width="stretch", disabled=not folder.strip()):
            try:
                with st.spinner("Reading the folder …"):
                    difference = knowledge_base(kb).compare(folder, encoding=encoding)
                state["difference"] = kb, folder, encoding, difference
            except ClewError as error:
                show_error(error)
                state.pop("difference", None)
        compared = state.get("difference")
        if compared and compared[:3] == (kb, folder, encoding):
            _show(knowledge_base(kb), compared[3], encoding)


def _show(base: KnowledgeBase, difference: Difference, encoding: str | None) -> None:
    lines = [_line(*line.partition(" ")[::2]) for line in difference.lines(MOST_SHOWN)]
    skipped = difference.skipped
    lines += [_line("skipped", f"{difference.short(one.source)}: {one.reason}") for one in skipped[:MOST_SHOWN]]
    lines += [_line("skipped", f"… and {len(skipped) - MOST_SHOWN:,} more")] if len(skipped) > MOST_SHOWN else []
    if lines:
        st.write("  \n".join(lines))
    notes = difference.notes
    remarks = [markdown(f"{difference.short(one.source)}: {one.reason}", 300) for one in notes[:MOST_SHOWN]]
    remarks += [f"… and {len(notes) - MOST_SHOWN:,} more"] if len(notes) > MOST_SHOWN else []
    if not difference:
        remarks.append(f"{markdown(base.name)} is up to date with the folder.")
    elif difference.unchanged:
        remarks.append(f"{_counted(difference.unchanged, 'file is', 'files are')} unchanged.")
    if difference.elsewhere:
        remarks.append(
            f"{_counted(difference.elsewhere, 'document from elsewhere stays', 'documents from elsewhere stay')}."
        )
    if remarks:
        st.caption("  \n".join(remarks))
    if not difference:
        return
    if st.button("Update the knowledge base", type="primary"):
        if difference.read:
            job = start_ingest(settings(), base.name, (), difference.read, gone=difference.gone, encoding=encoding)
            remember(job)
        else:
            with st.spinner("Deleting …"):
                base.delete_known(difference.gone)
        st.session_state.pop("difference")
        st.rerun()


def _line(kind: str, name: str) -> str:
    return f"**{kind}** {markdown(name, 300)}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
