"""What stands side by side on a page and has nothing to do with each other: addresses, and boxes beside text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import mean, median

from clew.documents.pdf.layout import Line, Piece
from clew.documents.pdf.rows import on_lines, wraps
from clew.documents.tables.rows import is_drawn, is_quantity

_LEAST_LINES, MOST_LINES = 3, 10
"""Lines of addresses side by side."""
_LONGEST = 45
"""Letters of a line of an address, at most."""
_TAIL = 80
"""Letters at the end of an entry of an index that are looked at for its pages."""
_LEAST_ROWS = 5
_LEAST_LETTERS = 5
_NEAR = 0.15
"""By how much of a letter's height rows of a table may miss each other, more or less than their others do."""
_ON_LINES = 0.6
"""Share of the rows that meet those beside them alike, from which they may be those of a table."""
_WITHIN = 0.35
"""Share of the rows that stand beside the middle of a sentence, from which they have nothing to do with it."""
_LEAST_WITHIN = 3
_ENTRY = re.compile(r"[^\W\d_].*,\s\d[\d,\s–-]*\Z")
_ENTRIES = 0.6
_RUNS_ON = 0.3
SENTENCE = 12.0
"""Width of the lines of text that goes on from one to the next, in heights of a letter, on average at least."""
_BESIDE = 0.75
"""How far from a line, in heights of a letter, another one may stand that is beside it."""
_SHAPES = (
    ("address on the web", re.compile(r"\S+@\S+\.\S+|(?:https?://|www\.)\S+|\S+\.\S+/\S*")),
    ("telephone", re.compile(r"(?:[^\W\d_]{1,9}[.:]?\s?)?\+?(?:[\s()/.–-]*\d){6,}")),
    ("town", re.compile(r"(?:[A-Z]{1,3}-?\s?)?\d{4,6}(?:\s?[A-Z]{2})?,?\s[^\W\d_].*|.*[^\W\d_],?\s\d{5,6}(?:-\d{4})?")),
    ("town", re.compile(r"(?:.*\s)?[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}|(?:.*\s)?[A-Z]\d[A-Z]\s?\d[A-Z]\d")),
    ("street", re.compile(r"\d{1,4}\s?[a-zA-Z]?,?\s[^\W\d_].*|.*[^\W\d_]\.?,?\s\d{1,4}\s?[a-zA-Z]?")),
)
"""What the lines of an address look like in most countries."""
_STREET = "street"
FIELD = re.compile(r"[^\W\d_][^:]{0,40}:\s+\S")
"""A line that tells something under a name."""

_Row = list[Piece]


def blocks_beside(rows: Sequence[_Row], lefts: Sequence[float]) -> list[Line]:
    """Blocks of lines side by side, one after the other: an address first, or places to sign. None where it is none.

    ``lefts`` are where the columns begin. An address has a street, and a town or a way to call: labels have neither.
    """
    if len(lefts) < 2 or not _LEAST_LINES <= len(rows) <= MOST_LINES:
        return []
    edges = [*lefts[1:], float("inf")]
    columns = [
        [piece for row in rows for piece in row if left <= piece.left < edge]
        for left, edge in zip([float("-inf"), *lefts[1:]], edges, strict=True)
    ]
    texts = [[piece.text for piece in column] for column in columns]
    if min(map(len, texts)) < _LEAST_LINES - 1 or max(len(text) for column in texts for text in column) > _LONGEST:
        return []
    to_sign = len(rows[0]) == len(lefts) and all(map(is_drawn, (column[0] for column in texts)))
    amounts = all(is_quantity(text) for column in texts[1:] for text in column)
    if to_sign or (_is_address(texts[0]) and not amounts):
        return [line for column in columns for line in _block(column)]
    return []


def _is_address(texts: Sequence[str]) -> bool:
    shapes = [_shape(text) for text in texts]
    told = {shape for shape in shapes if shape}
    return len(texts) >= _LEAST_LINES and not shapes[0] and len(told) > 1 and told != {_STREET}


def _shape(text: str) -> str:
    return next((name for name, pattern in _SHAPES if pattern.fullmatch(text)), "")


def _block(column: Sequence[Piece]) -> list[Line]:
    """A block as one, but for those of its lines that tell something under a name."""
    found: list[Line] = []
    goes_on = False
    for piece in column:
        is_field = bool(FIELD.match(piece.text))
        if goes_on and not is_field:
            found[-1].text += f"\n{piece.text}"
        else:
            found.append(Line(piece.text, piece.size, piece.y, all(one.bold for one in column), alone=True))
        goes_on = not is_field
    return found


def _extent(rows: Sequence[_Row]) -> tuple[float, float]:
    return min(row[0].left for row in rows), max(row[-1].right for row in rows)


def runs_on(side: Sequence[Piece]) -> bool:
    """Whether lines are running text: many go on with a sentence of the one above."""
    rows = on_lines(side)
    return sum(_run_on(rows)) >= _RUNS_ON * len(rows)


def _run_on(rows: Sequence[_Row]) -> list[bool]:
    """Which rows go on with a sentence of the one above; none of lines that are too short for one."""
    column = _extent(rows)
    if mean((row[0].right - row[0].left) / row[0].size for row in rows) < SENTENCE:
        return [False] * len(rows)
    return [
        at > 0
        and len(rows[at - 1]) == len(row) == 1
        and wraps(rows[at - 1][0], row[0], column)
        and not (row[0].text[0].isupper() or row[0].text[0].isdigit())
        for at, row in enumerate(rows)
    ]


def independent(left: Sequence[Piece], right: Sequence[Piece]) -> bool:
    """Whether two columns that are no running text both have nothing to do with each other, such as a box beside text.

    Rows of a table meet each other, and begin where what is beside them begins. Entries of an index have their pages.
    """
    few, many = sorted((on_lines(left), on_lines(right)), key=len)
    if median(sum(len(piece.text) for piece in row) for row in few) < _LEAST_LETTERS:
        return False
    run_on = _run_on(many)
    offsets, within = [], 0
    for row in few:
        nearest = min(range(len(many)), key=lambda place: abs(many[place][0].y - row[0].y))
        offset = (many[nearest][0].y - row[0].y) / row[0].size
        if abs(offset) < _BESIDE:
            offsets.append(offset)
            within += run_on[nearest]
    if len(offsets) >= _LEAST_ROWS or (len(offsets) >= _LEAST_LINES and sum(run_on) >= _RUNS_ON * len(run_on)):
        usual = median(offsets)
        if sum(abs(offset - usual) <= _NEAR for offset in offsets) < _ON_LINES * len(offsets):
            return True
    return (within >= _LEAST_WITHIN and within >= _WITHIN * len(few)) or all(map(_is_index, (few, many)))


def _is_index(rows: Sequence[_Row]) -> bool:
    return len(rows) >= _LEAST_ROWS and mean(bool(_ENTRY.search(row[-1].text[-_TAIL:])) for row in rows) >= _ENTRIES
