"""A document's text with the cited span marked, in a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.documents.metadata import metadata_line
from clew.errors import NotFoundError
from clew.ids import is_digest
from clew.types import Block, Json
from clew.ui.components import frontend
from clew.ui.text import markdown, visible

AROUND = 40_000
"""Characters of a long document that are shown before and after the span."""

_OVERRIDES = str.maketrans("\u202d\u202e", "��")

SHOWN = ("heading", "code", "caption", "metadata")
"""Blocks that look otherwise than a paragraph."""


def open_document(base: KnowledgeBase) -> None:
    """Show the document that a component has asked for, until the reader closes it."""
    wanted: dict[str, Any] | None = st.session_state.get("open_document")
    if wanted is None:
        return
    try:
        row = base.document(str(wanted["document"]))
    except NotFoundError:
        close_document()
        title = markdown(str(wanted.get("title") or ""), 80)
        st.toast(f"{f'“{title}”' if title else 'This document'} has been deleted since.", icon=":material/warning:")
        return
    title = markdown(row["title"], 200)
    st.dialog(title, width="medium", position="right", on_dismiss=close_document)(_show)(row, wanted)


def close_document() -> None:
    """Forget the document that is open."""
    st.session_state.pop("open_document", None)


def _show(row: Row, wanted: dict[str, Any]) -> None:
    start, end = int(wanted["start"]), int(wanted["end"])
    source = str(row["source"]).removeprefix("upload:").rsplit("/", 1)[-1]
    place = "" if is_digest(row["locator"] or "") else row["locator"]
    data = {
        "title": visible(row["title"], 200),
        "source": visible(source + (f" · {place}" if place else ""), 120),
        "metadata": visible(metadata_line(row["metadata"]), 1_000),
        "pieces": pieces(row["text"], row["pages"] or (), start, end, blocks=row["blocks"]),
    }
    frontend("document")(key=f"document-{row['id']}-{start}-{end}", data=data)


def pieces(
    text: str, pages: Sequence[int], start: int, end: int, around: int = AROUND, blocks: Sequence[Block] = ()
) -> list[Json]:
    """A text as runs: ``{"text", "mark"}``, with ``{"page"}`` where one begins and ``{"left_out"}`` for what is cut.

    Runs in ``blocks`` that look otherwise than a paragraph have their ``kind``. Offsets count characters of ``text``; a
    span that lies outside of it is not marked. Runs with ``mark`` put together are ``text[start:end]``, but for signs
    that turn the letters after them, which would let a span read otherwise than it is cited: ``�`` stands for these.
    """
    text = text.translate(_OVERRIDES)
    length = len(text)
    start, end = max(0, min(start, length)), max(0, min(end, length))
    first, last = max(0, start - around), min(length, max(start, end) + around)
    number = {offset: page for page, offset in enumerate(pages, 1)}
    page = max((n for offset, n in number.items() if offset <= first), default=None)
    inside = {offset for offset in number if first < offset < last}
    shown = {block.start: block.kind for block in blocks if block.kind in SHOWN}
    edges = {edge for block in blocks if block.kind in SHOWN for edge in (block.start, block.end)}
    cuts = sorted({first, last, *inside, *(c for c in (start, end, *edges) if first <= c <= last)})
    kind = ""
    runs: list[Json] = [{"left_out": first}] if first else []
    if page is not None:
        runs.append({"page": page})
    for a, b in pairwise(cuts):
        if a in inside:
            runs.append({"page": number[a]})
        kind = shown.get(a, "" if a in edges else kind)
        runs.append({"text": text[a:b], "mark": start <= a and b <= end} | ({"kind": kind} if kind else {}))
    if last < length:
        runs.append({"left_out": length - last})
    return runs
