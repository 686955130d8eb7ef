"""What values of OpenDocument's sheets do not tell: what is hidden and merged, and how numbers are shown.

What a filter hides is data that somebody did not want to see just then, and counts as seen.
"""

from __future__ import annotations

import io
from itertools import islice, product
from typing import Any

from clew.ingest.formats.number_formats import says_more
from clew.ingest.formats.sheet_marks import SheetMarks
from clew.ingest.formats.tables import count_of

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_NUMBERS = frozenset({"float", "currency", "percentage"})
_MOST_ROWS = 1 << 24
_MOST_REPEATED = 10_000


def ods_marks(content: bytes) -> dict[str, SheetMarks]:
    """By the name of a sheet, what it hides, merges and shows; its XML is never in memory as a whole."""
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
            _add_cells(element, range(row, last), marks)
            row = last
            element.clear()
    return found


def _add_cells(row: Any, numbers: range, marks: SheetMarks) -> None:
    column = 0
    for cell in row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
        width, height = (count_of(cell.get(f"{_TABLE}number-{what}-spanned")) for what in ("columns", "rows"))
        if (width > 1 or height > 1) and marks.spans is not None:
            last = numbers.start + max(1, height) - 1, column + max(1, width) - 1
            marks.spans.append(((numbers.start, column), last))
        last_column = column + _repeated(cell, "columns")
        if cell.get(f"{_OFFICE}value-type") in _NUMBERS:
            shown = " ".join("".join(one.itertext()) for one in cell.iterchildren(f"{_TEXT}p")).strip()
            if says_more(shown):
                places = islice(product(numbers, range(column, last_column)), _MOST_REPEATED)
                marks.written.update(dict.fromkeys(places, shown))
        column = last_column


def _repeated(element: Any, what: str) -> int:
    written = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return max(1, int(written)) if written.isascii() and written.isdecimal() and len(written) < 9 else 1
