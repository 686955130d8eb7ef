"""What OpenDocument sheets hide, merge, and how they show numbers.

What a filter hides is data that somebody did not want to see just then, and counts as seen.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from clew.documents.marks import COMMENTS
from clew.documents.office.number_formats import says_more
from clew.documents.office.sheet_marks import SheetMarks
from clew.documents.tables.grid import count_of

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_NUMBERS = frozenset({"float", "currency", "percentage"})
_SHAPES = tuple(f"{_DRAW}{name}" for name in ("text-box", "custom-shape", "rect", "ellipse"))
_LONG_TIME = re.compile(r"PT(?:2[4-9]|[3-9]\d|\d{3,6})H")
"""A span of a day or more, which is no time of day."""
_MOST_ROWS = 1 << 24
_MOST_REPEATED = 10_000


def ods_marks(content: bytes, counts: Counter[str] | None = None) -> dict[str, SheetMarks]:
    """By sheet, what it hides, merges and shows; the comments are counted."""
    from lxml import etree

    counts = Counter() if counts is None else counts
    found: dict[str, SheetMarks] = {}
    marks, row, column = SheetMarks(spans=[]), 0, 0
    tags = tuple(f"{_TABLE}{name}" for name in ("table", "table-column", "table-row", "shapes"))
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
            counts[COMMENTS] += sum(1 for _ in element.iter(f"{_OFFICE}annotation"))
            marks.boxes += _boxes(element)
            _add_cells(element, range(row, last), marks)
            row = last
            element.clear()
        elif element.tag == tags[3]:
            marks.boxes += _boxes(element)
    return found


def _boxes(above: Any) -> Iterator[str]:
    """What is written on shapes that lie above cells."""
    for shape in above.iter(*_SHAPES):
        text = "\n".join("".join(one.itertext()) for one in shape.iterchildren(f"{_TEXT}p"))
        if text.strip():
            yield text


def _add_cells(row: Any, numbers: range, marks: SheetMarks) -> None:
    column = 0
    for cell in row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
        width, height = (count_of(cell.get(f"{_TABLE}number-{what}-spanned")) for what in ("columns", "rows"))
        if (width > 1 or height > 1) and marks.spans is not None:
            last = numbers.start + max(1, height) - 1, column + max(1, width) - 1
            marks.spans.append(((numbers.start, column), last))
        last_column = column + _repeated(cell, "columns")
        text = _text_of(cell)
        if text is not None:
            places = islice(product(numbers, range(column, last_column)), _MOST_REPEATED)
            marks.written.update(dict.fromkeys(places, text))
        column = last_column


def _text_of(cell: Any) -> str | None:
    """What a cell says instead of its value; None where it is its value."""
    kind = cell.get(f"{_OFFICE}value-type")
    lines = list(cell.iterchildren(f"{_TEXT}p"))
    if kind == "string" and next(cell.iter(*_SHAPES), None) is not None:
        return "\n".join("".join(line.itertext()) for line in lines)  # the value has the text of shapes in it
    shown = " ".join("".join(line.itertext()) for line in lines).strip()
    is_long = kind == "time" and _LONG_TIME.match(cell.get(f"{_OFFICE}time-value", ""))
    return shown if is_long or (kind in _NUMBERS and says_more(shown)) else None


def _repeated(element: Any, what: str) -> int:
    written = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return max(1, int(written)) if written.isascii() and written.isdecimal() and len(written) < 9 else 1
