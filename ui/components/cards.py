"""Lists of entities, facts and documents as links, each of which has an address of its own."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from clew.database.connection import Row
from clew.types import Json
from clew.ui.components import frontend, ignore
from clew.ui.text import visible
from clew.ui.view import LONGEST

SEE = "see"
"""Query parameter of the Explore page that says what is looked at: ``KIND.ID``, for a document also ``.OFFSET``.

One parameter, because each that changes is a step of its own for the browser's back button.
"""
MOST_CHIPS = 10
_LONGEST_OFFSET = 12


def show_cards(items: Sequence[Json], label: str, key: str, *, compact: bool = False) -> None:
    """Draw a list; a click on a link goes there. ``label`` says aloud what is listed."""
    data = {"items": list(items), "label": label, "compact": compact}
    clicked = frontend("cards")(key=key, data=data, on_go_change=ignore)
    if clicked.go:
        go(clicked.go)


def set_address(**wanted: str | None) -> None:
    """Change query parameters, None for one that goes, all of them in one step of the browser's back button."""
    there = st.query_params
    changed: dict[str, str | list[str]] = {
        name: value or [] for name, value in wanted.items() if (there.get(name) or None) != value
    }
    if changed:
        there.update(changed)


def go(see: str) -> None:
    """Look at something else, as ``link`` names it; nothing is the search."""
    set_address(**{SEE: see or None})
    st.rerun()


def link(kb: str, kind: str, id: str, at: int | None = None) -> Json:
    """``go`` for a click, and ``href`` for whoever copies the address or opens it in another tab."""
    see = f"{kind}.{id}" if at is None else f"{kind}.{id}.{at}"
    return {"go": see, "href": f"?{urlencode({'kb': kb, SEE: see})}"}


def seen() -> tuple[str, str, int | None] | None:
    """Kind and id of what the address says to look at, and the offset in it; None for the search."""
    kind, _, rest = st.query_params.get(SEE, "").partition(".")
    id, _, at = rest.partition(".")
    return (kind, id, int(at) if at.isdecimal() and len(at) < _LONGEST_OFFSET else None) if id else None


def entity_card(kb: str, row: Row) -> Json:
    """An entity as the list shows it."""
    degree = row["degree"]  # None while it is being brought in
    facts = "" if degree is None else f"{degree:,} {'fact' if degree == 1 else 'facts'}"
    aliases = ", ".join(visible(name, 60) for name in row["aliases"] or ())
    type_ = "" if row["type"] == "name" else visible(str(row["type"] or ""), 40)  # what is nothing else, is a name
    parts = [type_, facts, f"also {aliases}" if aliases else ""]
    return {
        "kind": "entity",
        **link(kb, "entity", row["id"]),
        "runs": [{"text": visible(row["name"], 200)}],
        "meta": " · ".join(part for part in parts if part),
    }


def fact_card(kb: str, row: Row, *, without: str = "") -> Json:
    """A fact with who takes part in it and where it is stated; ``without`` is the id of an entity to leave out."""
    others = [p for p in row["participants"] if p["id"] != without]
    chips = [
        {
            "kind": "entity",
            **link(kb, "entity", p["id"]),
            "label": visible(p["name"], 60),
            "note": visible(p["role"], 24),
        }
        for p in others[:MOST_CHIPS]
    ]
    chips += [
        {
            "kind": "document",
            **link(kb, "document", s["document"], s["start"]),
            "label": visible(s["title"], 60),
            "note": "source",
        }
        for s in row["sources"][:1]
    ]
    more = len(others) - MOST_CHIPS
    return {
        "kind": "fact",
        **link(kb, "fact", row["id"]),
        "runs": [{"text": own_words(row)[:LONGEST]}],
        "meta": f"and {more} more take part" if more > 0 else "",
        "chips": chips,
        "about": "Who takes part, and the source",
    }


def document_card(kb: str, row: Row) -> Json:
    """A document as the list shows it; a source's name has no path of the machine it came from."""
    source = str(row.get("source") or "").removeprefix("upload:").rsplit("/", 1)[-1]
    facts = f"{row['facts']:,} {'fact' if row['facts'] == 1 else 'facts'}"
    return {
        "kind": "document",
        **link(kb, "document", row["id"]),
        "runs": [{"text": visible(row["title"], 200)}],
        "meta": " · ".join(part for part in (facts, visible(source, 100)) if part),
    }


def own_words(row: Row) -> str:
    """A fact's text without the page title that the extractor put before it."""
    text = str(row["text"])
    return text[row["lead"] :] or text
