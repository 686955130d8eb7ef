"""Names that may be of one thing: suggestions with reasons, to tick or refuse, and merges to undo."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.errors import ClewError
from clew.resolution import merges
from clew.resolution.resolve import ResolutionSettings, resolve
from clew.ui.components.cards import entity_card, show_cards
from clew.ui.session import show_error
from clew.ui.text import count, markdown

PAGE = 25
"""Pairs shown at once."""
VIEWS = {"suggestions": "Suggested", "merges": "Merged", "refusals": "Different"}
WHO = {"rules": "by the rules", "model": "by a model", "person": "by a person"}


@st.fragment
def show_duplicates(base: KnowledgeBase) -> None:
    """Draw the pairs of a knowledge base, and the button that looks for more."""
    _find(base)
    counts = merges.count_pairs(base)
    kind = st.segmented_control(
        "Which pairs",
        list(VIEWS),
        default="suggestions",
        required=True,
        format_func=lambda kind: f"{VIEWS[kind]} ({counts[kind]:,})",
        key="duplicates",
        label_visibility="collapsed",
    )
    kind = kind or "suggestions"
    key = f"duplicates-page-{kind}"
    # Accepting the last pair of the last page leaves that page empty.
    pages = max(1, -(-counts[kind] // PAGE))
    page = min(int(st.session_state.get(key, 1)), pages)
    pairs = merges.list_pairs(base, kind, skip=(page - 1) * PAGE, limit=PAGE)
    if not pairs:
        st.info("There are none here." if any(counts.values()) else "None are known: look for them.")
    ticked = [{**pair, "a": pair["a"]["id"], "b": pair["b"]["id"]} for pair in pairs if _pair(base, kind, pair)]
    if kind == "suggestions" and pairs:
        label, icon = f"Merge {count(len(ticked), 'ticked pair')}", ":material/join_inner:"
        _button(label, icon, "merge-ticked", lambda: merges.accept(base, ticked), disabled=not ticked)
    if pages > 1:
        st.pagination(pages, key=key, max_visible_pages=5)


def _find(base: KnowledgeBase) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            "Very likely pairs are ticked, nothing is merged before you say so. A merge changes no fact, and can be "
            "undone.",
            width="stretch",
        )
        wanted = st.button("Find duplicates", icon=":material/join_inner:", help="Compare the names of all entities")
    if wanted:
        with st.status("Looking for duplicates …") as status:
            try:
                report = resolve(
                    base.database, base.name, merge=False, on_stage=lambda stage: status.update(label=f"{stage} …")
                )
            except ClewError as error:
                show_error(error)
                return
            status.update(label=f"{count(len(report.suggested), 'pair')} found", state="complete")


def _pair(base: KnowledgeBase, kind: str, pair: Row) -> bool:
    """Draw a pair with its buttons; whether it is a suggestion that is ticked."""
    ticked = False
    a, b = pair["a"], pair["b"]
    key = f"{kind}-{a['id']}-{b['id']}"
    with st.container(border=True, key=f"pair-{key}"):
        cards = [entity_card(base.name, {**one, "aliases": ()}) for one in (b, a)]
        show_cards(cards, "A pair of names", f"cards-{key}", compact=True)
        notes = [f"score {pair['score']:.2f}"] if "score" in pair else []
        notes += [WHO[pair["by"]]] if pair.get("by") in WHO else []
        notes += [markdown(reason, 160) for reason in pair.get("reasons") or ()]
        notes += [f"a model says no: {markdown(pair['judged'], 160)}"] if pair.get("judged") else []
        st.caption(" · ".join(notes))
        with st.container(horizontal=True, vertical_alignment="center"):
            if kind == "suggestions":
                likely = pair["score"] >= ResolutionSettings().automatic
                ticked = st.checkbox("The same", likely, key=f"same-{key}")
            if kind == "merges":
                _button("Undo", ":material/undo:", f"undo-{key}", lambda: merges.unmerge(base, a["id"], b["id"]))
            if kind == "refusals":
                _button("Undo", ":material/undo:", f"undo-{key}", lambda: merges.take_back(base, a["id"], b["id"]))
            else:
                _button("Different", ":material/close:", f"not-{key}", lambda: merges.refuse(base, a["id"], b["id"]))
    return ticked


def _button(label: str, icon: str, key: str, action: Callable[[], object], *, disabled: bool = False) -> None:
    if st.button(label, icon=icon, key=key, disabled=disabled):
        try:
            action()
        except ClewError as error:
            show_error(error)
            return
        st.rerun(scope="fragment")
