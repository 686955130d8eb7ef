"""The heads of a csv table, and the lines above them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from clew.documents.parsed import Unreadable
from clew.text.normalise import one_line

_MOST_TITLE_LINES = 10
_NUMBER = re.compile(r"[+-]?\d{1,12}(?:[.,]\d{1,9})?")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@]{1,250}\.\w{2,20}|https?://\S+")
"""An address of mail or of a page, which names no column."""

Row = tuple[int, list[str] | str]
"""A line number with the cells of a row, or with the reason why it cannot be read."""


def header_of(rows: list[Row]) -> tuple[list[str], list[str], list[Row]]:
    """Title lines, header, and the rows below.

    A title is alone in its row while the rows below are wider. So is a pair ("Created;2021-03-01") with a blank line or
    half of the table's columns. Raises Unreadable where the header cannot be read.
    """
    widths = [width_of(row) for _, row in rows if isinstance(row, list)]
    usual = Counter(widths[1:] or widths).most_common(1)[0][0] if widths else 0
    titles: list[str] = []
    while len(rows) > 1 and len(titles) < _MOST_TITLE_LINES and usual > 1:
        row = rows[0][1]
        if not isinstance(row, list) or not _is_above(row, rows, usual):
            break
        titles.append(one_line(": ".join(cell.strip().rstrip(":") for cell in row if cell.strip())))
        rows = rows[1:]
    if not rows:
        return titles, [], []
    number, header = rows[0]
    if isinstance(header, str):
        raise Unreadable(f"Line {number}: {header}")
    below = [row for _, row in rows[1:] if isinstance(row, list)]
    if _is_data(header, below):
        return titles, [], rows
    return titles, header[: width_of(header)], rows[1:]


def _counts(numbers: list[str]) -> bool:
    """Whether numbers go on from each to the next, which heads may do."""
    values = [float(number.replace(",", ".")) for number in numbers]
    return len(values) > 1 and all(b - a == 1 for a, b in pairwise(values))


def _is_above(row: list[str], rows: list[Row], usual: int) -> bool:
    """Whether the first of the rows stands above the table."""
    width, number = width_of(row), rows[0][0]
    if width == 1:
        return any(width_of(below) > 1 for _, below in rows[1:] if isinstance(below, list))
    is_apart = any(at > number + count for count, (at, _) in enumerate(rows[: _MOST_TITLE_LINES + 1]))
    return width == 2 and usual > 2 and (is_apart or 2 * width <= usual) and usual in map(_width_of, rows[1:])


def _width_of(row: Row) -> int:
    return width_of(row[1]) if isinstance(row[1], list) else 0


def _is_data(header: list[str], below: list[list[str]]) -> bool:
    """Whether a first row is one like those below: a number stands above numbers in it, and none of them are years, or
    counts that go on from column to column, which heads may be.
    """
    numbers = [(at, cell.strip()) for at, cell in enumerate(header) if _NUMBER.fullmatch(cell.strip())]
    if below and any(_ADDRESS.fullmatch(cell.strip()) for cell in header):
        return True
    if not numbers or not below or any(_YEAR.fullmatch(cell) for _, cell in numbers):
        return False
    return not _counts([cell for _, cell in numbers]) and all(
        _NUMBER.fullmatch(row[at].strip()) for at, _ in numbers for row in below if at < len(row) and row[at].strip()
    )


def width_of(row: list[str]) -> int:
    """The cells of a row without the empty ones at its end."""
    return max((at for at, cell in enumerate(row, 1) if cell.strip()), default=0)
