"""Tables of two columns that a PDF draws without lines: labels with what is said of each, however their lines wrap."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from statistics import mean, median

from clew.documents.blocks import pair
from clew.documents.pdf.labels import with_label
from clew.documents.pdf.layout import LETTER, Line, Piece
from clew.documents.pdf.rows import begun, in_one, wraps
from clew.documents.pdf.sides import FIELD, SENTENCE
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import LONGEST_HEAD, is_drawn, table_blocks

_LEAST_ROWS = 3
_ROW_GAP = 1.15
"""How many times as far as the lines of one cell its rows stand from each other, where there is space between them."""
_APART = 1.25
"""How far below each other rows of one line each stand, in heights of a letter, at least: lines of text are nearer."""
_RUNS_ON = 0.25
_SAME_SIZE = 0.12
_CENTRED = 0.3
"""By how much of a line a label may miss the middle of what is said of it."""
_BEGIN, _BEGIN_IN_COLUMN = 0.75, 0.5
"""Share of the cells that begin a line of their own, at least: columns of the page go on with a sentence there."""
_PAGE = re.compile(r"[^\W\d_].*\d\Z")
_TAIL = 80
"""Letters at the end of an entry that are looked at for its page."""
_LEADERS = re.compile(r"(?:\.\s?){3}\Z|…\s*\Z")
_MOSTLY = 0.5
_WRAPPED = 0.25
"""Share of the rows of several lines, at least, where nothing else shows that they are rows."""
_NAMES = 0.5
"""Share of labels that begin with a small letter, up to which one that does goes on with the label above."""
_FULL = 0.75
"""What lines of a column that is text fill of it, at least."""
_FINAL = (".", "!", ";", ":")
_COUNT = re.compile(r"\[[^\]]*\]|\(?\w{1,2}[.)]|\d{1,4}|\W+")
"""What counts references, items or lines of code, and is no label."""

_Row = list[Piece]
_Side = list[Piece]


def paired(rows: Sequence[_Row], right: float) -> list[Line]:
    """The lines of a table whose second column begins at ``right``; none where the rows are no table of two columns."""
    if len(rows) < _LEAST_ROWS or any(
        len(with_label(row)) < len(row) or any(is_drawn(piece.text) for piece in row) for row in rows
    ):
        return []
    for found in (_by_gaps(rows, right), _by_starts(rows, right)):
        if len(found) >= _LEAST_ROWS and _alike(found) and _begin(found):
            cells = [(_text(left), _text(other)) for left, other in found]
            if _tell(cells):
                return _lines(cells, found)
    return []


def _tell(cells: Sequence[tuple[str, str]]) -> bool:
    """Whether the first column names what the second tells; not so references, code, an index, fields of two forms."""
    counts = mean(bool(_COUNT.fullmatch(label)) or not LETTER.search(label + value) for label, value in cells)
    fields = mean(bool(FIELD.match(value)) for _, value in cells)
    ends = mean(bool(_PAGE.search(text[-_TAIL:])) for both in cells for text in both)
    entries = mean(bool(_LEADERS.search(label[-_TAIL:])) for label, _ in cells)
    return counts < 1 and max(fields, ends, entries) < _MOSTLY


def _lines(cells: Sequence[tuple[str, str]], found: Sequence[tuple[_Side, _Side]]) -> list[Line]:
    bold = [all(piece.bold for side in both for piece in side) for both in found]
    headed = bold[0] and not any(bold[1:])
    if headed or all(len(label) <= LONGEST_HEAD for label, _ in cells):
        rows = [[Cell(text, head=headed and at == 0) for text in both] for at, both in enumerate(cells)]
        said = [" ".join(draft.text.split()) for draft in table_blocks(rows)]
    else:
        said = [f"{label} {value}" if label.endswith(_FINAL) else pair(label, value) for label, value in cells]
    whole = " ".join(said)
    if not all(text.rstrip(".:; ") in whole for both in cells for text in both):
        return []
    heights = [both[0][0].y for both in found[max(0, len(found) - len(said)) :]]
    size = found[0][0][0].size
    return [Line(text, size, heights[min(at, len(heights) - 1)], False, alone=True) for at, text in enumerate(said)]


def _by_gaps(rows: Sequence[_Row], right: float) -> list[tuple[_Side, _Side]]:
    """The rows of a table that more space parts than the lines of a cell; none where they do not stand like that."""
    sides = _sides(rows, right)
    steps = [a.y - b.y for side in sides for a, b in pairwise(side)]
    size = rows[0][0].size
    leading = min(steps, default=0.0)
    single = leading >= _APART * size and all(len(row) == len(sides) for row in rows)
    if single and (any(map(_runs_on, sides)) or (len(rows) <= _LEAST_ROWS and any(map(_is_text, sides)))):
        return []
    found: list[list[_Row]] = [[rows[0]]]
    for above, row in pairwise(rows):
        if single or above[0].y - row[0].y > _ROW_GAP * leading:
            found.append([row])
        else:
            found[-1].append(row)
    both = [_sides(some, right) for some in found]
    return both if all(_is_row(left, other, leading) for left, other in both) else []


def _is_row(left: _Side, right: _Side, leading: float) -> bool:
    """Whether two cells stand beside each other: at the top, or one at the middle of the other; neither with a gap."""
    if not left or not right:
        return False
    if any(a.y - b.y > _ROW_GAP * leading for side in (left, right) for a, b in pairwise(side)):
        return False
    near = _CENTRED * left[0].size
    middles = [(side[0].y + side[-1].y) / 2 for side in (left, right)]
    return abs(left[0].y - right[0].y) < near or abs(middles[0] - middles[1]) < near


def _by_starts(rows: Sequence[_Row], right: float) -> list[tuple[_Side, _Side]]:
    """The rows of a table that no space parts: each begins in both columns, and its lines go on in either one."""
    found: list[tuple[_Side, _Side]] = []
    both = _sides(rows, right)
    if not all(both):
        return []
    columns = [_extent(side) for side in both]
    names = mean(piece.text[0].islower() for piece in both[0]) < _NAMES
    for row in rows:
        sides = _sides([row], right)
        if found and _goes_on(found[-1], sides, columns, names=names):
            for before, side in zip(found[-1], sides, strict=True):
                before.extend(side)
        elif all(sides):
            found.append(sides)
        else:
            return []
    wrapped = sum(max(map(len, both)) > 1 for both in found)
    return found if wrapped and wrapped >= _WRAPPED * len(found) else []


def _goes_on(
    above: tuple[_Side, _Side], row: tuple[_Side, _Side], columns: Sequence[tuple[float, float]], *, names: bool
) -> bool:
    """Whether a line goes on with the cells above it; with both where ``names`` have capitals and it has none."""
    if all(row) and not (names and row[0][0].text[0].islower()):
        return False
    return all(
        not side or wraps(before[-1], side[0], column) or (before[-1].bold and not side[0].bold)
        for before, side, column in zip(above, row, columns, strict=True)
    )


def _extent(side: _Side) -> tuple[float, float]:
    return min(piece.left for piece in side), max(piece.right for piece in side)


def _sides(rows: Sequence[_Row], right: float) -> tuple[_Side, _Side]:
    pieces = [piece for row in rows for piece in row]
    return [p for p in pieces if p.left < right], [p for p in pieces if p.left >= right]


def _alike(found: Sequence[tuple[_Side, _Side]]) -> bool:
    """Whether each column is set like one, below its head: in one size, its labels in one weight.

    A value may begin with bold lines, which name it: the work that somebody did in those years.
    """
    labels, values = ([piece for both in found[1:] for piece in both[at]] for at in (0, 1))
    for column in (labels, values):
        usual = median(piece.size for piece in column)
        if any(abs(piece.size - usual) > _SAME_SIZE * usual for piece in column):
            return False
    is_even = len({piece.bold for piece in labels}) == len({piece.bold for piece in found[0][0]}) == 1
    return is_even and all(not (below.bold and not above.bold) for _, side in found for above, below in pairwise(side))


def _begin(found: Sequence[tuple[_Side, _Side]]) -> bool:
    """Whether most cells begin a line of their own, and do not go on with the one above them."""
    columns = [begun([both[at] for both in found]) for at in (0, 1)]
    return min(mean(column) for column in columns) > _BEGIN_IN_COLUMN and mean(chain(*columns)) >= _BEGIN


def _text(side: _Side) -> str:
    bold = [piece.text for piece in side if piece.bold]
    if not 0 < len(bold) < len(side):
        return in_one(piece.text for piece in side)
    head, rest = in_one(bold), in_one(piece.text for piece in side if not piece.bold)
    return f"{head} {rest}" if head.endswith(_FINAL) else f"{head}. {rest}"


def _runs_on(side: _Side) -> bool:
    """Whether lines go on with each other's sentences."""
    column = _extent(side)
    goes_on = (
        wraps(above, below, column) and not (below.text[0].isupper() or below.text[0].isdigit())
        for above, below in pairwise(side)
    )
    return sum(goes_on) > _RUNS_ON * len(side)


def _is_text(side: _Side) -> bool:
    left, right = _extent(side)
    full = median((piece.right - piece.left) / max(right - left, 1.0) for piece in side)
    return full > _FULL and mean((piece.right - piece.left) / piece.size for piece in side) >= SENTENCE
