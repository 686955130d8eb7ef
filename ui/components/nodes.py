"""One entity, one fact, one document: what is known of it, and the ways from it to others."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.explore import look, search
from clew.resolution.merges import cluster
from clew.types import Fact, Source, Step
from clew.ui.components.browse import browse_button
from clew.ui.components.cards import SEE, fact_card, link, own_words, set_address, show_cards
from clew.ui.components.facttext import PART, show_text
from clew.ui.components.graph import show_graph
from clew.ui.components.verdict import ADDRESS
from clew.ui.text import markdown, visible

PAGE = 10
"""Facts of an entity that are shown at once."""
IN_GRAPH = 12


def show_entity(base: KnowledgeBase, id: str) -> None:
    """Draw an entity: its aliases, its facts by role, who it goes with, and where it is written of."""
    row = look.entity(base, id)
    _title(row["name"], "entity", base, id)
    facts = f"{row['degree']:,} {'fact' if row['degree'] == 1 else 'facts'}"
    st.caption(f"{markdown(row['type'] or 'entity', 40)} · {facts}")
    if row["aliases"]:
        st.write("Also written: " + ", ".join(markdown(name, 60) for name in row["aliases"]))
    if others := [markdown(other["name"], 60) for other in cluster(base, id) if other["id"] != id]:
        st.write("Merged with: " + ", ".join(others))
    left, right = st.columns([3, 2], gap="large")
    with left:
        _facts_by_role(base, row)
    with right:
        _around(base, row)


@st.fragment
def _facts_by_role(base: KnowledgeBase, row: Row) -> None:
    counts = {str(role["role"]): int(role["facts"]) for role in row["roles"]}
    if not counts:
        return
    st.subheader("Facts", anchor=False)
    role = next(iter(counts))
    if len(counts) > 1:
        role = st.segmented_control(
            "Role in the fact",
            list(counts),
            default=role,
            required=True,
            format_func=lambda name: f"{markdown(name, 40)} ({counts[name]:,})",
            key=f"role-{row['id']}",
        )
    else:
        st.caption(f"as {markdown(role, 40)}")
    page = st.session_state.get(f"facts-{row['id']}-{role}", 1)
    ids = look.entity_facts(base, row["id"], role=role, skip=(page - 1) * PAGE, limit=PAGE)
    cards = [fact_card(base.name, fact, without=row["id"]) for fact in search.describe_facts(base, ids)]
    show_cards(cards, "Facts", f"facts-of-{row['id']}")
    pages = -(-counts[role] // PAGE)
    if pages > 1:
        st.pagination(pages, key=f"facts-{row['id']}-{role}", max_visible_pages=5)


@st.fragment
def _around(base: KnowledgeBase, row: Row) -> None:
    facts = search.describe_facts(base, look.entity_facts(base, row["id"], limit=IN_GRAPH))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Around it", anchor=False)
        st.button("Larger", icon=":material/open_in_full:", type="tertiary", on_click=_widen, args=(row["name"],))
    show_facts_graph(base, facts, f"graph-{row['id']}")
    around = look.around_entity(base, row["id"])
    if around["neighbours"]:
        st.subheader("Most often together with", anchor=False)
        show_cards(
            [_counted(base.name, "entity", n, n["name"]) for n in around["neighbours"]],
            "Neighbours",
            f"neighbours-{row['id']}",
            compact=True,
        )
    st.subheader("Sources", anchor=False)
    show_cards(
        [_counted(base.name, "document", d, d["title"]) for d in around["documents"]],
        "Sources",
        f"sources-{row['id']}",
        compact=True,
    )


def _widen(name: str) -> None:
    st.session_state.update({"look": "Graph", "from": name, "to": None})
    set_address(**{SEE: None})


def _counted(kb: str, kind: str, row: Row, name: str) -> Row:
    count = f"{row['facts']:,} {'fact' if row['facts'] == 1 else 'facts'}"
    return {"kind": kind, **link(kb, kind, row["id"]), "runs": [{"text": visible(name, 120)}], "meta": count}


def show_facts_graph(base: KnowledgeBase, rows: list[Row], key: str, **look: Any) -> None:
    """Draw the graph of facts as ``describe_facts`` gives them; ``look`` is as ``show_graph`` takes it.

    A fact does not state what it has from its document's title alone, and is not drawn with it.
    """
    facts = tuple(
        Fact(
            row["id"],
            own_words(row),
            tuple(dict.fromkeys(p["name"] for p in row["participants"] if p["role"] != "topic")),
            0.0,
            tuple(Source(s["document"], s["title"], s["chunk"], s["start"], s["end"]) for s in row["sources"]),
        )
        for row in rows
    )
    show_graph([Step("", "around", facts)], (), {fact.id: n for n, fact in enumerate(facts, 1)}, key, base, **look)


def show_fact(base: KnowledgeBase, id: str) -> None:
    """Draw a fact: its words, who takes part and how, where it is stated, and which trajectories came by it."""
    row = look.fact(base, id)
    _title("Fact", "fact", base, id)
    parts = [f"worded by {row['origin']}" if row["origin"] else "", row["time"] or ""]
    parts.append("the text says that this is not so" if row["negated"] else "")
    kb = base.name
    meta = " · ".join(visible(part, 80) for part in parts if part)
    words = {"kind": "fact", "runs": [{"text": own_words(row)}], "meta": meta}
    show_cards([words], "The fact", f"fact-{id}")
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.subheader("Who takes part", anchor=False)
        for role in dict.fromkeys(p["role"] for p in row["participants"]):
            members = [p for p in row["participants"] if p["role"] == role]
            st.caption(f"as {markdown(role or 'participant', 40)}")
            cards = [_counted(kb, "entity", {"id": p["id"], "facts": p["degree"] or 0}, p["name"]) for p in members]
            show_cards(cards, visible(role, 40), f"role-{id}-{role}", compact=True)
    with right:
        st.subheader("Evidence", anchor=False)
        evidence = [_evidence(kb, source) for source in row["sources"]]
        show_cards(evidence, "Evidence", f"evidence-{id}")
        st.subheader("In trajectories", anchor=False)
        if row["trajectories"]:
            show_cards([_found(kb, t) for t in row["trajectories"]], "Trajectories", f"trajectories-{id}", compact=True)
            browse_button(kb, "trajectory", row["trajectories"][0]["id"], label="The latest in Neo4j Browser")
        else:
            st.caption("No question has used this fact yet.")


def _evidence(kb: str, source: Row) -> Row:
    """The words that state a fact, marked in the text around them; the first place has more of it."""
    text, first = source["text"], source["first"]
    start, end = source["start"] - first, source["end"] - first
    before, after = text[:start], text[end:]
    if first:  # the cut may lie inside of a word
        before = f"… {before.partition(' ')[2]}"
    if len(after) >= look.AROUND:
        after = f"{after.rpartition(' ')[0]} …"
    runs = [{"text": before}, {"text": text[start:end], "mark": True}, {"text": after}]
    page = sum(offset <= source["start"] for offset in source["pages"] or ())
    where = visible(source["title"], 120) + (f" · p. {page}" if page else "")
    chip = {"kind": "document", **link(kb, "document", source["document"], source["start"]), "label": where}
    return {"kind": "evidence", "runs": runs, "chips": [chip], "about": "Where it is written"}


def _found(kb: str, row: Row) -> Row:
    turn = f"turn {row['turn']}, rank {row['rank']}"
    address = f"trajectories?{urlencode({'kb': kb, ADDRESS: row['id']})}"
    return {"kind": "trajectory", "href": address, "runs": [{"text": visible(row["question"], 200)}], "meta": turn}


def show_document(base: KnowledgeBase, id: str, at: int | None = None) -> None:
    """Draw a document in which every fact is a link to its page; the one at offset ``at`` is marked."""
    row = base.document(id)
    _title(row["title"], "document", base, id)
    source = str(row["source"]).removeprefix("upload:").rsplit("/", 1)[-1]
    facts = f"{row['hyperedges']:,} {'fact' if row['hyperedges'] == 1 else 'facts'}"
    counts = f"{facts} · {len(row['text']):,} characters"
    st.caption(" · ".join(part for part in (counts, markdown(source, 100)) if part))
    _text(base, row, at)


@st.fragment
def _text(base: KnowledgeBase, row: Row, at: int | None) -> None:
    parts = max(1, -(-len(row["text"]) // PART))
    wanted = min(parts, (at or 0) // PART + 1)
    part = wanted
    if parts > 1:
        part = st.pagination(parts, default=wanted, key=f"part-{row['id']}-{wanted}")
    spans = look.document_spans(base, row["id"])
    if spans:
        st.caption("What is underlined is a fact: open one to see who takes part in it.")
    else:
        st.caption("No fact was found in this document.")
    show_text(base.name, row, spans, part - 1, at)


def _title(name: str, kind: str, base: KnowledgeBase, id: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(markdown(name, 200), anchor=False, width="stretch")
        browse_button(base.name, kind, id)
