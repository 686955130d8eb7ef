"""What values of OpenDocument's sheets do not tell: which rows and columns are hidden, and which cells are merged.

What a filter hides is data that somebody did not want to see just then, and counts as seen.
"""

from __future__ import annotations

import io
from typing import Any

from clew.ingest.formats.sheet_marks import SheetMarks
from clew.ingest.formats.tables import count_of

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_MOST_ROWS = 1 << 24


def ods_marks(content: bytes) -> dict[str, SheetMarks]:
    """By the name of a sheet, what it hides and merges; its XML is never in memory as a whole."""
    from lxml import etree

    found: dict[str, SheetMarks] = {}
    marks, row, column = SheetMarks(spans=[]), 0, 0
    tags = tuple(f"{_TABLE}{name}" for name in ("table", "table-column", "table-row"))
    parser = etree.iterparse(
        io.BytesIO(content), events=("start", "end"), tag=tags, resolve_entities=False, no_network=True, recover=True
    )
    for event, element in parser:
        if event == "start":
            if element.tag == tags[0]:
                marks, row, column = SheetMarks(spans=[]), 0, 0
                found.setdefault(element.get(f"{_TABLE}name", ""), marks)
        elif element.tag == tags[1]:
            last = min(column + _repeated(element, "columns"), _MOST_ROWS)
            if element.get(f"{_TABLE}visibility") == "collapse":
                marks.columns.append(range(column, last))
            column = last
        elif element.tag == tags[2]:
            last = min(row + _repeated(element, "rows"), _MOST_ROWS)
            if element.get(f"{_TABLE}visibility") == "collapse":
                marks.rows.append(range(row, last))
            _add_spans(element, row, marks)
            row = last
            element.clear()
    return found


def _add_spans(row: Any, number: int, marks: SheetMarks) -> None:
    column = 0
    for cell in row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
        width, height = (count_of(cell.get(f"{_TABLE}number-{what}-spanned")) for what in ("columns", "rows"))
        if (width > 1 or height > 1) and marks.spans is not None:
            marks.spans.append(((number, column), (number + max(1, height) - 1, column + max(1, width) - 1)))
        column += _repeated(cell, "columns")


def _repeated(element: Any, what: str) -> int:
    written = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return max(1, int(written)) if written.isascii() and written.isdecimal() and len(written) < 9 else 1
