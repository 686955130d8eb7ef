"""Tables of web pages: of data, or for layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from clew.documents.blocks import Draft
from clew.documents.tables.grid import Cell, count_of
from clew.documents.tables.rows import table_blocks
from clew.documents.web.boilerplate import left_out_for
from clew.documents.web.inline import inline

BlocksIn = Callable[[Any], list[Draft]]
"""The blocks of what a cell holds, which may be tables again."""


def rows_of(table: Any, blocks_in: BlocksIn) -> list[Draft]:
    """The rows of a data table; none for a layout table."""
    own = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    is_data = bool(own) and len(own[0]) > 1 and all(cell.tag == "th" for cell in own[0])
    if (table.find(".//table") is not None and not is_data) or table.get("role") in {"presentation", "none"}:
        return []
    caption = table.find("caption")
    above = [] if caption is None else [Draft(inline(caption), "caption")]
    shown = [row for row in own if not left_out_for(row)]
    left = Counter(row.getparent() for row in shown)
    rows = []
    for row in shown:
        cells = [cell for cell in row if cell.tag in {"th", "td"}]
        rows.append([_cell(cell, left[row.getparent()], blocks_in) for cell in cells])
        left[row.getparent()] -= 1
    if max(map(len, rows), default=0) < 2:
        return []
    return above + table_blocks(rows)


def _cell(element: Any, most_rows: int, blocks_in: BlocksIn) -> Cell:
    """A cell; none reaches further than the part of the table (head, body, foot) that it is in."""
    spans = [count_of(element.get(name)) for name in ("colspan", "rowspan")]
    spans[1] = min(spans[1] or most_rows, most_rows)
    is_head = element.tag == "th" or (element.getparent().getparent().tag == "thead")
    held = [] if left_out_for(element) else blocks_in(element)
    return Cell.of(held, spans[0], spans[1], head=is_head)
