"""What was read of a document, table by table: where each is, how large, and what stands in it as a grid."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import streamlit as st

from clew import KnowledgeBase
from clew.database.connection import Row
from clew.retrieval.graph.rows import page_of
from clew.text.outline import heading
from clew.types import Block
from clew.ui.text import count, markdown, visible


@st.dialog("What was read", width="large")
def show_reading(base: KnowledgeBase, id: str) -> None:
    """Draw the counts of what a document consists of, its tables, and the one that is chosen as a grid."""
    row = base.document(id)
    blocks = list(row["blocks"])
    kinds = Counter(block.kind for block in blocks if block.table is None)
    tables = [list(rows) for table, rows in groupby(blocks, key=lambda block: block.table) if table]
    parts = [count(len(tables), "table"), *(count(number, kind) for kind, number in kinds.items())]
    st.markdown(f"**{markdown(row['title'], 120)}** · {markdown(', '.join(parts), 300)}")
    if not tables:
        st.caption("No table was read here.")
        return
    labels = [_label(row, rows) for rows in tables]
    at = st.selectbox("Table", range(len(tables)), format_func=labels.__getitem__)
    shown = [_cells(str(row["text"]), block) for block in tables[int(at)]]
    st.dataframe(shown, hide_index=True, alt=labels[int(at)])


def _label(row: Row, rows: list[Block]) -> str:
    """Caption or heading, page, rows and columns of a table."""
    heads = {cell.head for block in rows for cell in block.cells}
    page = page_of(row["pages"] or (), rows[0].start)
    above = [block for block in row["blocks"] if block.kind == "heading" and block.end <= rows[0].start]
    named = "".join(heading(block, row["text"][block.start : block.end]) for block in above[-1:])
    caption = getattr(rows[0].table, "caption", "") or named
    where = f"p. {page}" if page else ""
    size = f"{count(len(rows), 'row')}, {count(len(heads), 'column')}"
    return visible(" · ".join(filter(None, [caption, where, size])), 160)


def _cells(text: str, block: Block) -> dict[str, str]:
    """A row by the heads of its columns; one without cells stands whole in the first."""
    if not block.cells:
        return {"": visible(text[block.start : block.end], 300)}
    return {visible(cell.head, 80): visible(text[cell.start : cell.end], 300) for cell in block.cells}
