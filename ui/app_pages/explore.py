"""The Explore page: search entities, facts and documents; each of them has an address of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from clew import KnowledgeBase
from clew.errors import NotFoundError
from clew.explore import look, search
from clew.types import Json
from clew.ui.components.browse import browse_button
from clew.ui.components.cards import document_card, entity_card, fact_card, go, seen, show_cards
from clew.ui.components.counts import UNTYPED, show_counts, typed
from clew.ui.components.duplicates import show_duplicates
from clew.ui.components.nodes import show_document, show_entity, show_fact
from clew.ui.components.paging import page_of
from clew.ui.components.progress import latest_ingest
from clew.ui.components.workspace import show_workspace
from clew.ui.session import knowledge_base, show_error, until_written
from clew.ui.text import visible

PAGE = 15
"""Results shown at once."""
LONGEST_QUERY = 400
HINTS = {
    "both": "words and meaning",
    "words": "words",
    "meaning": "meaning",
}


def render() -> None:
    """Draw the page: one thing where the address names one, else the search."""
    name = st.session_state.get("kb")
    if name is None:
        _empty()
        return
    base = knowledge_base(name)
    wanted = seen()
    if wanted is None:
        _search(base)
        return
    if st.button("Search", icon=":material/arrow_back:", type="tertiary", help="Back to the search"):
        go("")
    try:
        _show(base, *wanted)
    except NotFoundError as error:
        show_error(error)


def _show(base: KnowledgeBase, kind: str, id: str, at: int | None) -> None:
    match kind:
        case "entity":
            show_entity(base, id)
        case "fact":
            show_fact(base, id)
        case "document":
            show_document(base, id, at)
        case _:
            raise NotFoundError("This address names no entity, fact or document: go back to the search.")


def _empty() -> None:
    st.title("Explore", anchor=False)
    st.write(
        "Here you look around in a knowledge base: who and what the documents speak of (entities), what they state "
        "about them (facts), and where. Bring documents in on the Documents page, or load the examples on the Ask page."
    )


def _search(base: KnowledgeBase) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="titled"):
        st.title("Explore", anchor=False, width="stretch")
        browse_button(base.name, "overview")
    views: dict[str, Callable[[KnowledgeBase], None]] = {
        "Entities": _entities,
        "Facts": _facts,
        "Documents": _documents,
        "Graph": show_workspace,
        "Duplicates": show_duplicates,
        "Overview": show_counts,
    }
    chosen = st.segmented_control(
        "What to look at",
        list(views),
        default="Entities",
        required=True,
        key="look",
        bind="query-params",
        label_visibility="collapsed",
        persist_state="session",
    )
    views[chosen or "Entities"](base)


@st.fragment
def _entities(base: KnowledgeBase) -> None:
    text, by = _query("Search entities", "A name, or what it is like")
    with _filter_box():
        type_, role = _filters(base)
    with st.spinner("Searching …"):
        ids = until_written(search.search_entities)(base, text, by=by, type=type_, role=role)
    key = f"page-entities-{text}-{by}-{type_}-{role}"
    rows = search.describe_entities(base, _on_page(ids, key))
    if rows:
        _heading(text, len(ids), "entity", "entities", "The best connected")
        show_cards([entity_card(base.name, row) for row in rows], "Entities found", "entities")
        _pages(len(ids), key)
    else:
        _nothing(base, text, type_ or role)


@st.fragment
def _facts(base: KnowledgeBase) -> None:
    text, by = _query("Search facts", "Words of a fact, or a question")
    with _filter_box():
        type_, role = _filters(base)
        document = _document_filter(base)
    with st.spinner("Searching …"):
        ids = until_written(search.search_facts)(base, text, by=by, document=document, type=type_, role=role)
    key = f"page-facts-{text}-{by}-{document}-{type_}-{role}"
    rows = search.describe_facts(base, _on_page(ids, key))
    if rows:
        _heading(text, len(ids), "fact", "facts", "Facts of the document" if document else "Some facts, for a start")
        show_cards([fact_card(base.name, row) for row in rows], "Facts found", "facts")
        _pages(len(ids), key)
    else:
        _nothing(base, text, type_ or role or document)


@st.fragment
def _documents(base: KnowledgeBase) -> None:
    text = _text("Search documents", "Words of a title or file name")
    total = search.count_documents(base, text)
    if not total:
        _nothing(base, text)
        return
    key = f"documents-page-{text}"
    rows = search.list_documents(base, text, skip=(page_of(key, total, PAGE) - 1) * PAGE, limit=PAGE)
    st.caption(f"{total:,} {'document' if total == 1 else 'documents'}")
    show_cards([document_card(base.name, row) for row in rows], "Documents found", "documents")
    _pages(total, key)


def _text(label: str, placeholder: str) -> str:
    return str(
        st.text_input(
            label,
            key="q",
            placeholder=placeholder,
            type="search",
            icon=":material/search:",
            max_chars=LONGEST_QUERY,
            bind="query-params",
            label_visibility="collapsed",
            persist_state="session",
        )
        or ""
    ).strip()


def _query(label: str, placeholder: str) -> tuple[str, search.By]:
    left, right = st.columns([3, 1], gap="small")
    with left:
        text = _text(label, placeholder)
    by = right.selectbox(
        "Search by",
        list(HINTS),
        key="by",
        format_func=HINTS.__getitem__,
        bind="query-params",
        label_visibility="collapsed",
        persist_state="session",
    )
    return text, cast(search.By, by or "both")


def _filters(base: KnowledgeBase) -> tuple[str | None, str | None]:
    """The type and the role that are asked for; draw this inside ``_filter_box``."""
    known = _kinds(base)
    left, *others = st.columns(2, gap="small") if known["types"] else [st.container()]
    if not others:
        st.caption(UNTYPED)
    type_ = _kind(left, "Entity type", known["types"]) if others else None
    return type_, _kind((*others, left)[0], "Role", known["roles"])


def _kind(place: DeltaGenerator, label: str, options: list[str]) -> str | None:
    return place.selectbox(
        label,
        options,
        index=None,
        key=f"only-{label}",
        placeholder="Any",
        format_func=lambda name: visible(name, 40),
        persist_state="session",
    )


def _filter_box() -> DeltaGenerator:
    given = any(st.session_state.get(key) for key in ("only-Entity type", "only-Role", "only-title"))
    return st.expander("Filters", icon=":material/filter_list:", expanded=given)


def _document_filter(base: KnowledgeBase) -> str | None:
    """The document whose facts are asked for: it is chosen by typing some of its title."""
    part = st.text_input("Document", key="only-title", placeholder="Some of its title", persist_state="session")
    if not part:
        return None
    rows = search.list_documents(base, part, limit=PAGE)
    if not rows:
        st.caption("No title has these words, so that all documents are searched.")
        return None
    titles = {str(row["id"]): visible(row["title"], 120) for row in rows}
    return st.selectbox("Only in", list(titles), format_func=titles.__getitem__)


def _on_page(ids: list[str], key: str) -> list[str]:
    """Those of the results that are on the page which the control of this key is at."""
    page = page_of(key, len(ids), PAGE)
    return ids[(page - 1) * PAGE : page * PAGE]


def _pages(total: int, key: str) -> None:
    if total > PAGE:
        st.pagination(-(-total // PAGE), key=key, max_visible_pages=5)


def _heading(text: str, count: int, one: str, many: str, first: str) -> None:
    if not text:
        st.caption(first)
    elif count:
        st.caption(f"{'The best ' if count == search.MOST else ''}{count:,} {one if count == 1 else many}")


def _nothing(base: KnowledgeBase, text: str, filters: str | None = None) -> None:
    """Say why a list is empty: by what was asked for, or because there is nothing yet."""
    job = latest_ingest(base.name)
    if text:
        reason = "Nothing here has these words. Try fewer words, search by meaning, or take a filter away."
    elif filters:
        reason = "Nothing passes these filters: take one away."
    elif job and job.running:
        reason = "Documents are still being brought in: what is found in them appears here."
    else:
        reason = "There is nothing here yet: bring in documents on the page Documents."
    st.info(reason)


@until_written
def _kinds(base: KnowledgeBase) -> Json:
    return {
        "types": typed(look.types(base)),
        "roles": [row["role"] for row in look.roles(base) if row["role"]],
    }
