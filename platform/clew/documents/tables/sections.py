"""The sections of a sheet, which empty rows part: a table under its title, tables beside each other, pairs."""

from __future__ import annotations

from itertools import pairwise

from clew.documents.blocks import Draft
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import is_quantity, row_draft, table_blocks

_LONG = 20_000
"""Rows above which a table is one block: its first row is the header."""


def section_blocks(rows: list[list[Cell]]) -> list[Draft]:
    """The blocks of rows between empty ones: tables beside each other, below their titles, or pairs."""
    titles: list[Draft] = []
    while rows:
        filled = [cell for cell in rows[0] if cell.text]
        if len(filled) != 1 or not any(sum(bool(cell.text) for cell in row) > 1 for row in rows[1:]):
            break
        titles.append(Draft(filled[0].text, "caption"))
        rows = rows[1:]
    used = [at for at in range(max(map(len, rows))) if any(at < len(row) and row[at].text for row in rows)]
    if used:
        rows = [row[used[0] : used[-1] + 1] for row in rows]
    if sides := _sides(rows, [at - used[0] for at in used]):
        return [*titles, *(block for side in sides for block in section_blocks(side))]
    if len(rows) <= _LONG:
        return [*titles, *table_blocks(rows)]
    texts = [[cell.text for cell in row] for row in rows]
    drafts = [row_draft([(name,) if name else () for name in texts[0]], row) for row in texts[1:]]
    rows_of = tuple(draft for draft in drafts if draft.text)
    return [*titles, Draft("\n".join(draft.text for draft in rows_of), "table", rows=rows_of)]


def _sides(rows: list[list[Cell]], used: list[int]) -> list[list[list[Cell]]]:
    """Two tables beside each other, with a column between them in which nothing stands; none where it is one table.

    The right one has names of its own in its first column; else that column only keeps figures apart. Where both fill
    the same rows under heads, they are one.
    """
    if any(cell.columns > 1 or cell.rows > 1 for row in rows for cell in row):
        return []
    for left, right in pairwise(used):
        if right == left + 1:
            continue
        sides = [[row[: left + 1] for row in rows], [row[right:] for row in rows]]
        names = [side[0].text for side in sides[1] if side and side[0].text]
        widths = [len({at for row in side for at, cell in enumerate(row) if cell.text}) for side in sides]
        filled = [{at for at, row in enumerate(side) if any(cell.text for cell in row)} for side in sides]
        first = [row[1].text for row in (side[0] for side in sides) if len(row) > 1]
        apart = filled[0] != filled[1] or any(any(map(str.isdigit, text)) for text in first)
        if apart and min(widths) > 1 and len(names) > 1 and not any(map(is_quantity, names)):
            return [[row for row in side if any(cell.text for cell in row)] for side in sides]
    return []
