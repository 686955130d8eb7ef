"""The documents page: bring documents in, see what there is, and replace or delete what should go."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.documents.kinds import MEDIA_TYPES
from clew.documents.metadata import metadata_line
from clew.errors import ClewError, InputError
from clew.explore.look import known_documents
from clew.ids import digest
from clew.ingest.fetch import is_address
from clew.ingest.remove import documents_of_uploads
from clew.runs import jobs
from clew.runs.ingest import KIND, Upload, start_ingest
from clew.text.paths import unambiguous
from clew.types import Skipped
from clew.ui.components.extraction import Choice, choose_extraction
from clew.ui.components.folder import keep_up
from clew.ui.components.paging import page_of
from clew.ui.components.progress import examples_there, load_examples, remember, show_ingests
from clew.ui.components.read_tables import show_reading
from clew.ui.components.removal import confirm_delete, replace_document, tell_removal
from clew.ui.session import counts, is_personal, knowledge_base, knowledge_base_names, older, settings, show_error
from clew.ui.text import count, markdown, visible

FORMATS = {media_type: kind for kind, media_type in MEDIA_TYPES.items()}
ORDERS = {"title": "By title", "newest": "Newest first", "largest": "Largest first"}
PAGE = 100
"""Documents in the table at once."""


def render() -> None:
    """Draw the page."""
    st.title("Documents", anchor=False)
    name = st.session_state.get("kb")
    _bring_in()
    show_ingests(name)
    if name:
        _list(knowledge_base(name))
    elif not any(job.running for job in jobs(settings(), KIND)):  # else the first documents are coming in
        _empty("There is no knowledge base yet")


def _bring_in() -> None:
    names = knowledge_base_names()
    current = st.session_state.get("kb") or st.session_state.get("brought_into") or settings().kb
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
            help="Choose one, or type the name of a new one. Everyone who uses this app sees what comes in.",
        )
        something = bool(files or pasted.strip())
        clicked = start.button("Bring in", type="primary", width="stretch", disabled=not something)
        kb = str(kb or "")
        uploads = [Upload(file.name, file.getvalue()) for file in files]
        lines = pasted.split()
        addresses = [line for line in lines if is_address(line)]
        choice = choose_extraction(kb, uploads, addresses, turn)
        if kb in names:
            _tell_replaced(kb, uploads)
    if is_personal():
        keep_up(kb, choice.encoding)
    if clicked:
        try:
            _start(kb, uploads, lines, choice)
        except ClewError as error:
            show_error(error)
            return
        st.session_state["uploads"], st.session_state["brought_into"] = turn + 1, kb
        st.rerun()


def _start(kb: str, uploads: list[Upload], lines: list[str], choice: Choice) -> None:
    """Begin; only web addresses are taken from what was pasted, never paths of the machine that runs the app."""
    rejected = [Skipped(line, "It is no http or https address.") for line in lines if not is_address(line)]
    kept: dict[str, Upload] = {}
    for upload in uploads:
        if upload.name in kept:
            rejected.append(Skipped(upload.name, "Another file of this upload has the same name: rename one of them."))
        kept.setdefault(upload.name, upload)
    sources = [line for line in lines if is_address(line)]
    if not kept and not sources:
        raise InputError(f"There is nothing to bring in: {visible(lines[0], 80)!r} is no http or https address.")
    job = start_ingest(
        settings(),
        kb,
        kept.values(),
        sources,
        extractor=choice.extractor,
        budget=choice.budget,
        allow_private=is_personal(),
        rejected=rejected,
        encoding=choice.encoding,
    )
    remember(job)


def _tell_replaced(kb: str, uploads: list[Upload]) -> None:
    """Say which documents have the names of the files that were chosen, and what may go with them."""
    base = knowledge_base(kb)
    ids = documents_of_uploads(base.database, kb, [upload.name for upload in uploads])
    if ids:
        tell_removal(base.preview_delete(*ids), replaced=True)


def _empty(title: str) -> None:
    st.subheader(title, anchor=False)
    st.write(
        "Drop files above, or paste addresses: Clew reads them into a graph of facts. The work goes on when this page "
        "is closed, and everyone who uses this app sees the same knowledge bases."
    )
    if examples_there() and st.button("Load the example encyclopaedia", icon=":material/auto_stories:"):
        load_examples()
        st.rerun()


def _list(base: KnowledgeBase) -> None:
    total = counts(base)["Document"]
    title = f"In {markdown(base.name)}: {count(total, 'document')}"
    if not total:
        _empty(title)
        return
    st.subheader(title, anchor=False)
    for reading in older(base):
        st.info(reading.notice, icon=":material/update:")
    page_key = f"page-{base.name}"
    text, order = "", "title"
    if total > 1:
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        text = left.text_input(
            "Search", placeholder="Title, source, author, tag …", key=f"search-{base.name}", icon=":material/search:"
        ).strip()
        order = right.selectbox("Order", list(ORDERS), format_func=ORDERS.__getitem__, key="order")
    if text:
        total = base.database.read("document/count", kb=base.name, text=text.lower())[0]["count"]
        st.caption(f"{count(total, 'document')} with “{markdown(text, 60)}”")
    rows = base.documents((page_of(page_key, total, PAGE) - 1) * PAGE, PAGE, text, order)
    chosen = _table(base, rows) if rows else []
    if total > PAGE:
        st.pagination(-(-total // PAGE), key=page_key, max_visible_pages=5)
    one = chosen[0] if len(chosen) == 1 else None
    with st.container(horizontal=True, key="bar-below"):
        if st.button("Read", icon=":material/menu_book:", disabled=one is None) and one:
            st.session_state["open_document"] = {"document": one["id"], "start": 0, "end": 0}
        if st.button("What was read", icon=":material/table_view:", disabled=one is None) and one:
            show_reading(base, str(one["id"]))
        replaceable = one is not None and not one["locator"]
        hint = "Put a new version in its place. A row of a corpus is replaced by bringing in the whole file again."
        if st.button("Replace", icon=":material/swap_horiz:", disabled=not replaceable, help=hint) and one:
            replace_document(base, one)
        if st.button("Delete", icon=":material/delete:", disabled=not chosen):
            st.session_state.pop("removal", None)
            confirm_delete(base, chosen)


def _table(base: KnowledgeBase, rows: list[Row]) -> list[Row]:
    """The documents, and those of them that are selected.

    The table tells the numbers of the rows that are marked, so that it is another one as soon as it shows other
    documents: those that are still there stay marked, and it is said that others are gone.
    """
    state = st.session_state
    version = state.setdefault("table", 0)
    ids = [str(row["id"]) for row in rows]
    key = f"documents-{base.name}-{version}-{digest(' '.join(ids))}"
    before = state.get("marked", {})
    carried = before.get("ids", {}) if (before.get("kb"), before.get("version")) == (base.name, version) else {}
    again = key == before.get("key")
    default = before["default"] if again else [ids.index(id) for id in carried if id in ids]
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    table = st.dataframe(
        _shown(rows),
        hide_index=True,
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
        selection_default={"selection": {"rows": default}},
        height=min(460, 35 * (len(rows) + 1) + 2),
        column_config={
            "Title": text(width=240),
            "State": text(width=100),
            "Came in": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm", width=140),
            "Format": text(width=64),
            "Facts": number(format="localized", width=64),
            "Characters": number(format="localized", width=92),
            "Source": text(width=230),
            "Metadata": text(width=220),
        },
        alt=f"The {len(rows)} documents of the knowledge base",
    )
    chosen = [rows[i] for i in table["selection"]["rows"] if i < len(rows)]
    if not again:
        _tell_gone(base, {id: title for id, title in carried.items() if id not in ids})
    marked = {str(row["id"]): str(row["title"]) for row in chosen}
    state["marked"] = {"kb": base.name, "version": version, "key": key, "default": default, "ids": marked}
    if any(row["status"] == "partial" for row in rows):
        st.caption(
            "What is incomplete has not come in as a whole: resume its ingest, bring the file in again, or delete it."
        )
    return chosen


def _shown(rows: list[Row]) -> list[Row]:
    """The rows of the table; state and metadata only where a document has any."""
    incomplete = [row for row in rows if row["status"] == "partial"]
    any_metadata = any(row["metadata"] for row in rows)
    sources = unambiguous([str(row["source"]).removeprefix("upload:") for row in rows])
    return [
        {
            "Title": visible(row["title"], 120),
            **({"State": "incomplete" if row["status"] == "partial" else ""} if incomplete else {}),
            "Came in": datetime.fromisoformat(row["at"]) if row["at"] else None,
            "Format": FORMATS.get(str(row["media_type"]), ""),
            "Facts": row["facts"],
            "Characters": row["characters"],
            "Source": visible(source, 120),
            **({"Metadata": visible(metadata_line(row["metadata"]), 300)} if any_metadata else {}),
        }
        for row, source in zip(rows, sources, strict=True)
    ]


def _tell_gone(base: KnowledgeBase, titles: dict[str, str]) -> None:
    """Say which of the documents that were marked somebody has deleted meanwhile."""
    there = known_documents(base, list(titles))
    for id, title in titles.items():
        if id not in there:
            st.warning(f"“{markdown(title, 120)}” is gone: it has been deleted meanwhile.", icon=":material/warning:")
