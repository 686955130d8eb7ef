"""The rows of a page from top to bottom, as lines of text or as those of a table that stands in as many pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clew.documents.pdf.labels import with_label
from clew.documents.pdf.layout import Line, Piece
from clew.documents.pdf.rtl import runs_left

_LEADING = 1.8
"""How far below each other the lines of a paragraph stand, in heights of a letter, at most."""
_FILLED = 0.6
"""What a line of a paragraph fills of its column, but for the last one, at least."""
SENTENCE = 12.0
"""Width of the lines of text that goes on from one to the next, in heights of a letter, on average at least."""
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
    """Pieces as lines from top to bottom."""
    return list(map(line_of, rows_of(found)))


def wraps(above: Piece, below: Piece, column: tuple[float, float]) -> bool:
    """Whether a line goes on with the one above it in a column: its first word found no room there.

    Lines that somebody broke, such as those of an address, have room.
    """
    if not 0 < above.y - below.y <= _LEADING * max(above.size, below.size):
        return False
    left, right = column
    first = (len(below.text.split(maxsplit=1)[0]) + 1) * (below.right - below.left) / len(below.text)
    return above.right - left >= _FILLED * (right - left) and above.right + first > right


def in_one(texts: Iterable[str]) -> str:
    """The lines of a cell as one text, words that they break whole."""
    joined = ""
    for text in texts:
        broken = _BROKEN.search(joined) and text[:1].islower()
        joined = joined[:-1] + text if broken else f"{joined} {text}".lstrip()
    return joined


def line_of(row: list[Piece]) -> Line:
    """The line of pieces that stand beside each other."""
    main = max(row, key=lambda piece: len(piece.text))
    text, bold = " ".join(piece.text for piece in row), all(piece.bold for piece in row)
    return Line(text, main.size, main.y, bold, main.alone, draft=main.draft if len(row) == 1 else None)
