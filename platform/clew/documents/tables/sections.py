"""Sections of a sheet that empty rows part."""

from __future__ import annotations

from clew.documents.blocks import Draft
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import row_draft, table_blocks

_LONG = 20_000
"""Rows above which a table is one block: its first row is the header."""


def section_blocks(rows: list[list[Cell]]) -> list[Draft]:
    """The blocks of a section: a table below its titles, or pairs."""
    counts = [sum(bool(cell.text) for cell in row) for row in rows]
    titles = next((at for at, count in enumerate(counts) if count != 1), 0) if max(counts) > 1 else 0
    above = [Draft(cell.text, "caption") for row in rows[:titles] for cell in row if cell.text]
    rows = rows[titles:]
    used = {at for row in rows for at, cell in enumerate(row) if cell.text}
    rows = [row[min(used) : max(used) + 1] for row in rows] if used else rows
    return [*above, *(table_blocks(rows) if len(rows) <= _LONG else [_long_table(rows)])]


def _long_table(rows: list[list[Cell]]) -> Draft:
    """A table as one block, whose first row is the heads."""
    names, *texts = ([cell.text for cell in row] for row in rows)
    drafts = (row_draft([(name,) if name else () for name in names], row) for row in texts)
    lines = tuple(draft for draft in drafts if draft.text)
    return Draft("\n".join(draft.text for draft in lines), "table", rows=lines)
