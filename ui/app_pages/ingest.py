"""The documents page: bring documents in, see what there is, and delete what should go."""

from __future__ import annotations

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.errors import ClewError, InputError
from clew.ingest.fetch import is_address
from clew.ingest.formats.kinds import MEDIA_TYPES
from clew.types import Skipped
from ui.components.progress import begin, show_ingest
from ui.jobs import Ingesting, Upload
from ui.session import database, is_personal, knowledge_base, knowledge_bases, settings, show_error
from ui.text import markdown, visible

FORMATS = {media_type: kind for kind, media_type in MEDIA_TYPES.items()}
PAGE = 500
"""Documents in the table at once."""


def render() -> None:
    """Draw the page."""
    st.title("Documents", anchor=False)
    _bring_in()
    name = st.session_state.get("kb")
    if name:
        _list(knowledge_base(name))


def _bring_in() -> None:
    job = st.session_state.get("ingesting")
    if job is not None and not job.done.is_set():
        st.subheader("Bringing in", anchor=False)
        show_ingest(job)
        return
    names = [str(row["name"]) for row in knowledge_bases()]
    current = st.session_state.get("kb") or settings().kb
    turn = st.session_state.setdefault("uploads", 0)
    with st.container(border=True):
        left, right = st.columns(2, gap="medium")
        files = left.file_uploader(
            "Files",
            accept_multiple_files=True,
            max_upload_size=max(1, round(settings().max_file_mb)),
            key=f"files-{turn}",
            help=f"These can be read: {', '.join(sorted(MEDIA_TYPES))}.",
        )
        pasted = right.text_area(
            "Web addresses, one a line", key=f"addresses-{turn}", placeholder="https://example.org/article", height=125
        )
        target, start = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
        kb = target.selectbox(
            "Into the knowledge base",
            names if current in names else [current, *names],
            index=names.index(current) if current in names else 0,
            accept_new_options=True,
            key=f"target-{turn}-{current}",
            help="Choose one, or type the name of a new one.",
        )
        clicked = start.button("Bring in", type="primary", width="stretch", disabled=not (files or pasted.strip()))
    if clicked:
        uploads = [Upload(file.name, file.getvalue()) for file in files]
        try:
            _start(str(kb or ""), uploads, pasted.split())
        except ClewError as error:
            show_error(error)
            return
        st.session_state["uploads"] = turn + 1
        st.rerun()
    if job is not None:
        show_ingest(job)


def _start(kb: str, uploads: list[Upload], lines: list[str]) -> None:
    """Begin; only web addresses are taken from what was pasted, never paths of the machine that runs the app."""
    base = KnowledgeBase(kb, database(), settings())
    rejected = [Skipped(line, "It is no http or https address.") for line in lines if not is_address(line)]
    kept: dict[str, Upload] = {}
    for upload in uploads:
        if upload.name in kept:
            rejected.append(Skipped(upload.name, "Another file of this upload has the same name: rename one of them."))
        kept.setdefault(upload.name, upload)
    job = Ingesting(
        base.name,
        uploads=list(kept.values()),
        sources=list(dict.fromkeys(line for line in lines if is_address(line))),
        rejected=tuple(rejected),
        allow_private=is_personal(),
    )
    if not job.total:
        raise InputError(f"There is nothing to bring in: {visible(lines[0], 80)!r} is no http or https address.")
    begin(job)


def _list(base: KnowledgeBase) -> None:
    total = base.stats()["nodes"]["Document"]
    st.subheader(f"In {markdown(base.name)}: {total:,} {'document' if total == 1 else 'documents'}", anchor=False)
    if not total:
        return
    pages = -(-total // PAGE)
    page = st.number_input(f"Page of {pages}", 1, pages, key=f"page-{base.name}") if pages > 1 else 1
    rows = base.documents(skip=(int(page) - 1) * PAGE, limit=PAGE)
    chosen = _table(base, rows)
    with st.container(horizontal=True):
        if st.button("Read", icon=":material/menu_book:", disabled=len(chosen) != 1):
            st.session_state["open_document"] = {"document": chosen[0]["id"], "start": 0, "end": 0}
        if st.button("Delete", icon=":material/delete:", disabled=not chosen):
            _confirm(base, chosen)


def _table(base: KnowledgeBase, rows: list[Row]) -> list[Row]:
    """The documents, and those of them that are selected."""
    shown = [
        {
            "Title": visible(row["title"], 120),
            "Source": visible(str(row["source"]).removeprefix("upload:").rsplit("/", 1)[-1], 120),
            "Format": FORMATS.get(str(row["media_type"]), ""),
            "Characters": row["characters"],
            "Chunks": row["chunks"],
        }
        for row in rows
    ]
    version = st.session_state.setdefault("table", 0)
    table = st.dataframe(
        shown,
        hide_index=True,
        key=f"documents-{base.name}-{version}",
        on_select="rerun",
        selection_mode="multi-row",
        height=min(460, 36 * (len(rows) + 1) + 2),
        column_config={"Title": st.column_config.TextColumn(width="large")},
        alt=f"The {len(rows)} documents of the knowledge base",
    )
    return [rows[i] for i in table["selection"]["rows"] if i < len(rows)]


@st.dialog("Delete documents")
def _confirm(base: KnowledgeBase, rows: list[Row]) -> None:
    count = f"{len(rows)} documents" if len(rows) > 1 else "this document"
    st.write(f"Delete {count}, and the facts and entities that nothing else supports? This cannot be undone.")
    st.caption("  \n".join(markdown(row["title"], 80) for row in rows[:5]) + ("  \n…" if len(rows) > 5 else ""))
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="delete-really"):
            try:
                with st.spinner("Deleting …"):
                    base.delete_documents(*(row["id"] for row in rows))
            except ClewError as error:
                show_error(error)
                return
            st.session_state["table"] += 1
            st.rerun()
        if st.button("Keep", key="delete-not"):
            st.rerun()
