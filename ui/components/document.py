"""A document with a span of it marked: in a dialog, or in the pane beside an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.documents.metadata import metadata_line
from clew.errors import NotFoundError
from clew.ids import is_digest
from clew.types import Block, Cell, Json
from clew.ui.components import frontend
from clew.ui.text import markdown, visible

AROUND = 40_000
"""Characters of a long document that are shown before and after the span."""

_OVERRIDES = str.maketrans("\u202d\u202e", "��")

SHOWN = ("heading", "item", "code", "caption", "metadata")
"""Blocks that look otherwise than a paragraph."""


def open_document(base: KnowledgeBase) -> None:
    """Show the document that a component has asked for, until the reader closes it."""
    wanted: dict[str, Any] | None = st.session_state.get("open_document")
    if wanted is None:
        return
    row = document_there(base, str(wanted["document"]), str(wanted.get("title") or ""))
    if row is None:
        close_document()
        return
    title = markdown(row["title"], 200)
    st.dialog(title, width="medium", position="right", on_dismiss=close_document)(_show)(row, wanted)


def document_there(base: KnowledgeBase, id: str, title: str) -> Row | None:
    """A document; None where it is gone, which is said."""
    try:
        return base.document(id)
    except NotFoundError:
        name = markdown(title, 80)
        st.toast(f"{f'“{name}”' if name else 'This document'} has been deleted since.", icon=":material/warning:")
        return None


def close_document() -> None:
    """Forget the document that is open."""
    st.session_state.pop("open_document", None)


def _show(row: Row, wanted: dict[str, Any]) -> None:
    start, end = int(wanted["start"]), int(wanted["end"])
    text = pieces(row["text"], row["pages"] or (), start, end, blocks=row["blocks"])
    frontend("document")(key=f"document-{row['id']}-{start}-{end}", data={**about(row), "pieces": text})


def about(row: Row) -> Json:
    """What a document is called, the name of its file, and what that says of itself."""
    source = str(row["source"]).removeprefix("upload:").rsplit("/", 1)[-1]
    place = "" if is_digest(row["locator"] or "") else row["locator"]
    return {
        "title": visible(row["title"], 200),
        "source": visible(source + (f" · {place}" if place else ""), 120),
        "metadata": visible(metadata_line(row["metadata"]), 1_000),
    }


def pieces(
    text: str,
    pages: Sequence[int],
    start: int,
    end: int,
    around: int = AROUND,
    blocks: Sequence[Block] = (),
    likely: Sequence[tuple[int, int]] = (),
) -> list[Json]:
    """A text as runs: ``{"text", "mark"}``, with ``{"page"}`` where one begins and ``{"left_out"}`` for what is cut.

    Runs in ``blocks`` that look otherwise than a paragraph have ``kind`` and ``level``, and the first of each
    ``begins``; rows with cells are ``{"table"}`` in place of their text; ``likely`` are runs in those spans. Offsets
    count characters of ``text``; a span that lies outside of it is not marked. Runs with ``mark`` put together are
    ``text[start:end]``, but for signs that turn the letters after them, which would let a span read otherwise than it
    is cited: ``�`` stands for these.
    """
    text = text.translate(_OVERRIDES)
    length = len(text)
    start, end = max(0, min(start, length)), max(0, min(end, length))
    first, last = max(0, start - around), min(length, max(start, end) + around)
    number = {offset: page for page, offset in enumerate(pages, 1)}
    page = max((n for offset, n in number.items() if offset <= first), default=None)
    inside = {offset: n for offset, n in number.items() if first < offset < last}
    runs: list[Json] = [{"left_out": first}] if first else []
    if page is not None:
        runs.append({"page": page})
    at = first
    for rows in _tables(blocks, first, last):
        runs += _runs(text, at, rows[0].start, (start, end), inside, blocks, likely)
        runs += [{"page": n} for offset, n in inside.items() if rows[0].start <= offset < rows[-1].end]
        runs.append({"table": _table(text, rows, (start, end), likely)})
        at = rows[-1].end
    runs += _runs(text, at, last, (start, end), inside, blocks, likely)
    if last < length:
        runs.append({"left_out": length - last})
    return runs


def _runs(
    text: str,
    first: int,
    last: int,
    span: tuple[int, int],
    pages: Mapping[int, int],
    blocks: Sequence[Block],
    likely: Sequence[tuple[int, int]],
) -> list[Json]:
    """The runs of a stretch without tables."""
    shown = {block.start: block for block in blocks if block.kind in SHOWN}
    edges = {edge for block in blocks if block.kind in SHOWN for edge in (block.start, block.end)}
    inner = {cut for place in likely for cut in place}
    cuts = sorted({first, last, *(cut for cut in (*span, *edges, *pages, *inner) if first <= cut <= last)})
    runs: list[Json] = []
    block: Block | None = None
    for a, b in pairwise(cuts):
        if a in pages:
            runs.append({"page": pages[a]})
        block = shown.get(a, None if a in edges else block)
        run: Json = {"text": text[a:b], "mark": span[0] <= a and b <= span[1]}
        if any(start <= a and b <= end for start, end in likely):
            run["likely"] = True
        if block:
            run |= {"kind": block.kind, "level": block.level, "begins": a == block.start}
        runs.append(run)
    return runs


def _tables(blocks: Sequence[Block], first: int, last: int) -> Iterator[list[Block]]:
    """The rows of each table that lies whole in a stretch and names its columns."""
    for table, group in groupby(blocks, key=lambda block: block.table):
        rows = list(group)
        names = any(cell.heads for row in rows for cell in row.cells)
        if table and names and first <= rows[0].start and rows[-1].end <= last:
            yield rows


def _table(text: str, rows: Sequence[Block], span: tuple[int, int], likely: Sequence[tuple[int, int]]) -> Json:
    """A table as its heads and rows; a row without cells is one wide cell.

    Each cell says whether the span is in it (``mark``), and whether its likeliest words are (``likely``).
    """
    heads = list(dict.fromkeys(cell.head for row in rows for cell in row.cells))
    drawn: list[list[Json]] = []
    for row in rows:
        of_column = {cell.head: cell for cell in row.cells}
        found = [of_column.get(head) for head in heads] if row.cells else [row]
        drawn.append([_cell(text, one, span, likely) if one else {"text": ""} for one in found])
    return {"heads": heads, "rows": drawn}


def _cell(text: str, at: Cell | Block, span: tuple[int, int], likely: Sequence[tuple[int, int]]) -> Json:
    def meets(start: int, end: int) -> bool:
        return start < at.end and at.start < end

    return {"text": text[at.start : at.end], "mark": meets(*span), "likely": any(meets(*one) for one in likely)}
