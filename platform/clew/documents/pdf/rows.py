"""The rows of a page from top to bottom, as lines of text or as those of a table that stands in as many pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from clew.documents.pdf.labels import with_label
from clew.documents.pdf.layout import Line, Piece
from clew.documents.pdf.rtl import runs_left
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks

_LEAST_ROWS = 3
_LEADING = 1.8
"""How far below each other the lines of a paragraph stand, in heights of a letter, at most."""
_FILLED = 0.6
"""What a line of a paragraph fills of its column, but for the last one, at least."""
_TWO_LISTS = 4
SENTENCE = 12.0
"""Width of the lines of text that goes on from one to the next, in heights of a letter, on average at least."""
_SAME_STEP = 1.1
_BROKEN = re.compile(r"[^\W\d_]-$")


def rows_of(found: list[Piece]) -> list[list[Piece]]:
    """Pieces on one base line, from top to bottom, each row in the direction of its script."""
    rows = on_lines(found)
    return [with_label(row[::-1] if runs_left(row) else row) for row in rows]


def on_lines(found: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces on one base line, from top to bottom, each row from the left."""
    rows: list[list[Piece]] = []
    for piece in sorted(found, key=lambda piece: -piece.y):
        if rows and abs(rows[-1][0].y - piece.y) < 0.4 * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def by_rows(found: list[Piece]) -> list[Line]:
    """Pieces as lines from top to bottom; rows of as many pieces are those of a table."""
    result: list[Line] = []
    table: list[list[Piece]] = []
    for row in [*rows_of(found), []]:
        if (len(row) > 1 and (not table or _goes_on(table, row))) or (row and _goes_on_under_heads(table, row)):
            table.append(row)
            continue
        result += _table(table) if len(table) >= _LEAST_ROWS else list(map(line_of, table))
        table = []
        if len(row) > 1:
            table = [row]
        elif row:
            result.append(line_of(row))
    return result


def _goes_on(table: list[list[Piece]], row: list[Piece]) -> bool:
    """Whether a row belongs to the table above it: it has as many pieces as the fullest row, which are apart, or fewer,
    each under one of those."""
    if table[-1][0].y - row[0].y > 4 * row[0].size:
        return False
    full, other = sorted((max(table, key=len), row), key=len, reverse=True)
    if len(full) == len(other):
        full, other = (sorted(some, key=lambda piece: piece.left) for some in (full, other))
        return all(a.right < b.left for some in (full, other) for a, b in pairwise(some))
    return len(table) >= _LEAST_ROWS - 1 and len(row) < len(full) and _columns(full, row) is not None


def _goes_on_under_heads(table: list[list[Piece]], row: list[Piece]) -> bool:
    """Whether a row of one piece belongs to the table above it, whose heads are bold: one of two lists is longer."""
    if len(table) < _LEAST_ROWS or len(row) != 1 or not all(piece.bold for piece in table[0]) or row[0].bold:
        return False
    step, before = (a[0].y - b[0].y for a, b in ((table[-1], row), (table[-2], table[-1])))
    return step <= _SAME_STEP * before and _columns(max(table, key=len), row) is not None


def _columns(full: list[Piece], row: list[Piece]) -> list[int] | None:
    """The column of each piece of a row, counted in a full one; None where a piece lies under none or under two."""
    found = []
    for piece in row:
        under = [at for at, head in enumerate(full) if head.left <= piece.right and piece.left <= head.right]
        if len(under) != 1 or under[0] in found:
            return None
        found.append(under[0])
    return found


def _table(rows: list[list[Piece]]) -> list[Line]:
    full = max(rows, key=len)
    bold = [all(piece.bold for piece in row) for row in rows]
    headed = bold[0] and not any(bold[1:])
    labels = () if headed else _labels(rows)
    cells = []
    for row in rows:
        at = dict(zip(_columns(full, row) or range(len(row)), row, strict=False))
        heads = [(headed and row is rows[0]) or column in labels for column in range(len(full))]
        cells.append([Cell(at[column].text if column in at else "", head=head) for column, head in enumerate(heads)])
    first = rows[0][0]
    return [
        Line(" ".join(block.text.split()), first.size, row[0].y, False, alone=True)
        for block, row in zip(table_blocks(cells), [*rows, *rows], strict=False)
    ]


def _labels(rows: list[list[Piece]]) -> tuple[int, ...]:
    """The columns of labels where two lists of labels with amounts stand side by side, such as prices; none else."""
    if any(len(row) != _TWO_LISTS for row in rows):
        return ()
    has_digits = [[any(map(str.isdigit, row[column].text)) for row in rows] for column in range(_TWO_LISTS)]
    is_list = not any(map(any, has_digits[::2])) and all(sum(column) * 2 > len(column) for column in has_digits[1::2])
    return (0, 2) if is_list else ()


def wraps(above: Piece, below: Piece, column: tuple[float, float]) -> bool:
    """Whether a line goes on with the one above it in a column: its first word found no room there.

    Lines that somebody broke, such as those of an address, have room.
    """
    if not 0 < above.y - below.y <= _LEADING * max(above.size, below.size):
        return False
    left, right = column
    first = (len(below.text.split(maxsplit=1)[0]) + 1) * (below.right - below.left) / len(below.text)
    return above.right - left >= _FILLED * (right - left) and above.right + first > right


def begun(cells: Sequence[Sequence[Piece]]) -> list[bool]:
    """Which cells of a column, but for the first, begin a line of their own: text goes on with the one above it."""
    pieces = [piece for cell in cells for piece in cell]
    column = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    return [not (wraps(above[-1], below[0], column) and below[0].text[0].islower()) for above, below in pairwise(cells)]


def in_one(texts: Iterable[str]) -> str:
    """The lines of a cell as one text, words that they break whole."""
    said = ""
    for text in texts:
        broken = _BROKEN.search(said) and text[:1].islower()
        said = said[:-1] + text if broken else f"{said} {text}".lstrip()
    return said


def line_of(row: list[Piece]) -> Line:
    """The line of pieces that stand beside each other."""
    main = max(row, key=lambda piece: len(piece.text))
    alone = any(piece.alone for piece in row)
    return Line(" ".join(p.text for p in row), main.size, main.y, all(piece.bold for piece in row), alone)
