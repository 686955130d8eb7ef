"""What there is in a knowledge base: how many of each, and how they are spread."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.explore import look, search
from clew.types import VALUE_TYPES, Json
from clew.ui.components.cards import entity_card, show_cards
from clew.ui.components.charts import show_chart
from clew.ui.text import visible

BUCKETS = (1, 2, 3, 5, 10, 20, 50, 100, 1_000)
TOP = 10
HEIGHT = 240
UNTYPED = (
    "Persons, places and organisations are told apart where a language model finds the facts: choose it on the page "
    "Documents."
)


@st.fragment
def show_counts(base: KnowledgeBase) -> None:
    """Draw counts and plots; they are counted once for each version of the knowledge base."""
    counts = _counted(base, look.version(base))
    with st.container(horizontal=True):
        for label, name in (
            ("Documents", "Document"),
            ("Facts", "Hyperedge"),
            ("Entities", "Entity"),
            ("Trajectories", "Trajectory"),
        ):
            st.metric(label, f"{counts['nodes'].get(name, 0):,}", border=True)
    left, right = st.columns(2, gap="large")
    with left:
        facts = bucketed([(row["facts"], row["documents"]) for row in counts["facts_per_document"]])
        _bars("Facts per document", facts, "facts in a document", "documents")
        _bars("Roles", [(visible(row["role"], 24), row["count"]) for row in counts["roles"]], "role", "times played")
    with right:
        degrees = bucketed([(row["degree"], row["entities"]) for row in counts["degrees"]])
        _bars("Entities by number of facts", degrees, "facts of an entity", "entities")
        types = [(visible(row["type"] or "none", 24), row["count"]) for row in counts["types"]]
        _bars("Entity types", types, "type", "entities")
        if not typed(counts["types"]):
            st.caption(UNTYPED)
    st.subheader("Best connected", anchor=False)
    rows = search.describe_entities(base, counts["top"])
    show_cards([entity_card(base.name, row) for row in rows], "Best connected entities", "top", compact=True)


@st.cache_data(max_entries=20, ttl=3_600, show_spinner="Counting …")
def _counted(_base: KnowledgeBase, version: str) -> Json:
    return {
        "nodes": _base.stats()["nodes"],
        "roles": look.roles(_base)[:TOP],
        "types": look.types(_base)[:TOP],
        "top": search.search_entities(_base)[:TOP],
        **look.overview(_base),
    }


def bucketed(counts: Sequence[tuple[int, int]]) -> list[tuple[str, int]]:
    """Counts of sizes, put together into ranges of sizes that grow: ``[("0", 2), ("1", 1870), …, ("5–9", 310)]``."""
    found: dict[str, int] = {}
    for size, count in sorted(counts):
        label = _bucket(size)
        found[label] = found.get(label, 0) + count
    return list(found.items())


def _bucket(size: int) -> str:
    if size >= BUCKETS[-1]:
        return f"{BUCKETS[-1]:,}+"
    for low, high in pairwise(BUCKETS):
        if low <= size < high:
            return str(low) if high == low + 1 else f"{low:,}–{high - 1:,}"
    return "0"


def typed(rows: Sequence[Row]) -> list[str]:
    """The types of entities, where any is more than the rules of the sentence extractor tell."""
    types = [str(row["type"]) for row in rows if row["type"]]
    return types if set(types) - {"name", "date", *VALUE_TYPES} else []


def _bars(title: str, rows: Sequence[tuple[str, int]], what: str, how_many: str) -> None:
    import altair as alt

    st.subheader(title, anchor=False)
    if not rows:
        st.caption("Nothing to count yet.")
        return
    data = alt.InlineData(values=[{"name": name, "count": count} for name, count in rows])
    chart = (
        alt.Chart(data, height=HEIGHT)
        .mark_bar(cornerRadiusEnd=3)
        .encode(
            x=alt.X("name:N", sort=None, title=what, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("count:Q", title=how_many, axis=alt.Axis(tickMinStep=1, format=",d")),
            tooltip=[alt.Tooltip("name:N", title=what), alt.Tooltip("count:Q", title=how_many, format=",")],
        )
    )
    spoken = ", ".join(f"{name}: {count:,}" for name, count in rows)
    show_chart(chart, alt=f"{title}. {spoken}")
