"""The graph as a workspace: the best connected, what lies around one entity, and what connects two."""

from __future__ import annotations

import streamlit as st

from clew import KnowledgeBase
from clew.explore import look, search
from clew.ui.components.cards import fact_card, show_cards
from clew.ui.components.nodes import show_facts_graph
from clew.ui.text import count, markdown, visible

MOST_FACTS = 40
"""Facts that are drawn at once; what lies around a node is drawn when it is selected again."""


@st.fragment
def show_workspace(base: KnowledgeBase) -> None:
    """Draw the fields for two names, and the graph of what they ask for."""
    options = [str(row["name"]) for row in search.describe_entities(base, search.search_entities(base))]
    with st.container(key="workspace"):
        left, right = st.columns(2, gap="small")
        with left:
            first = _entity(base, options, "What connects", "from", "An entity; empty: the best connected")
        with right:
            second = _entity(base, options, "and", "to", "Another one")
        ways = look.ways(base, first, second) if first and second else []
        if first and second:
            ids = list(dict.fromkeys(id for way in ways for id in way["facts"]))
        elif one := first or second:
            ids = look.entity_facts(base, one, limit=MOST_FACTS)
        else:
            ids = look.hub_facts(base, limit=MOST_FACTS)
        if not ids:
            st.info("Nothing connects them within five facts." if first and second else "There is nothing here yet.")
            return
        rows = search.describe_facts(base, ids)
        shortest = ways[0] if ways else {"facts": (), "names": ()}
        if ways:
            way = " → ".join(markdown(name, 60) for name in shortest["names"])
            st.caption(f"{count(len(ways), 'way')}, the shortest over {count(len(shortest['facts']), 'fact')}: {way}")
        marked = [*shortest["facts"], *shortest["names"]]
        show_facts_graph(base, rows, f"graph-of-{first}-{second}", tall=True, marked=marked)
        if ways:
            show_cards([fact_card(base.name, row) for row in rows], "Facts on the way", "facts-on-the-way")


def _entity(base: KnowledgeBase, options: list[str], label: str, key: str, placeholder: str) -> str | None:
    """The entity that is chosen or whose name is typed; the one that fits best, where several do."""
    name = st.selectbox(
        label,
        options,
        index=None,
        key=key,
        bind="query-params",
        placeholder=placeholder,
        format_func=lambda name: visible(name, 80),
        accept_new_options=True,
        persist_state="session",
    )
    if not name:
        return None
    found = search.search_entities(base, name, by="words")[:1]
    rows = search.describe_entities(base, found)
    if not rows:
        st.caption("No entity has these words.")
    elif rows[0]["name"] != name:
        st.caption(f"Taken as {markdown(rows[0]['name'], 80)}")
    return found[0] if found else None
