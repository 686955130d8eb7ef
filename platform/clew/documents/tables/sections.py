"""Sections of a sheet that empty rows part."""

from __future__ import annotations

from collections.abc import Iterable

from clew.documents.blocks import Draft
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import is_quantity, row_draft, table_blocks

_LONG = 20_000
"""Rows above which a table is one block: its first row is the header."""
_MOST_HEADS = 3
"""Rows of heads that an empty row may part from the rows below, at most."""

Placed = list[tuple[int, Cell]]
"""The cells of a row, each with the column in which it begins."""


def heads_with_rows(sections: Iterable[list[Placed]]) -> list[list[Placed]]:
    """Sections, where one that only names columns goes with the figures below the empty row behind it."""
    found: list[list[Placed]] = []
    for section in filter(None, sections):
        if found and _names_columns(found[-1], section[0]):
            found[-1] = found[-1] + section
        else:
            found.append(section)
    return found


def _names_columns(section: list[Placed], row: Placed) -> bool:
    """Whether a section holds no figures, and half of its last row at least stand above those of ``row``."""
    if len(section) > _MOST_HEADS or any(map(_figures, section)):
        return False
    named = {column for column, cell in section[-1] if cell.text}
    return len(named) > 1 and 2 * len(named & _figures(row)) >= len(named)


def _figures(row: Placed) -> set[int]:
    return {column for column, cell in row if is_quantity(cell.text)}


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
