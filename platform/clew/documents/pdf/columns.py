"""The columns of a page, one after the other: the strips that part its pieces, and what stands across them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from statistics import median

from clew.documents.pdf.layout import Line, Piece
from clew.documents.pdf.rows import rows_of
from clew.documents.pdf.rtl import runs_left

_GUTTER = 0.7
_EDGE = 0.12
_CROSSED = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5)
_WIDEST = 20_000
_MOST_SPLITS = 6
_LEAST_PROSE = 14
_PAIR = 2


def ordered(found: Sequence[Piece], read: Callable[[list[Piece]], list[Line]]) -> list[Line]:
    """Pieces as lines in reading order: columns one after the other, what is none as ``read`` makes lines of it."""
    return _split(list(found), read, _MOST_SPLITS)


def _split(found: list[Piece], read: Callable[[list[Piece]], list[Line]], splits: int) -> list[Line]:
    gutter = _gutter(found) if splits else None
    if gutter is None:
        return read(found)
    across = sorted((piece for piece in found if piece.left < gutter < piece.right), key=lambda piece: -piece.y)
    rest = [piece for piece in found if not piece.left < gutter < piece.right]
    result: list[Line] = []
    for upper in [*across, None]:
        band = [piece for piece in rest if upper is None or piece.y > upper.y]
        rest = [piece for piece in rest if upper is not None and piece.y <= upper.y]
        result += _band(band, gutter, read, splits)
        if upper is not None:
            result += read([upper])
    return result


def _band(band: list[Piece], gutter: float, read: Callable[[list[Piece]], list[Line]], splits: int) -> list[Line]:
    """The lines of what stands on both sides of a gutter: those of one column, then of the other, or row by row."""
    sides = _sides(band, gutter)
    if not _are_columns(*sides):
        return read(band)
    result: list[Line] = []
    for side in sides[::-1] if runs_left(band) else sides:
        column = _split(side, read, splits - 1)
        width = max((len(line.text) for line in column if not line.alone), default=0)
        result += [replace(line, width=line.width or width) for line in column]
    return result


def _sides(band: list[Piece], gutter: float) -> tuple[list[Piece], list[Piece]]:
    return [p for p in band if p.right <= gutter], [p for p in band if p.left >= gutter]


def _gutter(found: list[Piece]) -> float | None:
    """The middle of the strip that parts the most pieces from each other and is crossed by few; None where none does.

    What crosses it stands over both columns: a title, a wide table, the end of the page.
    """
    if len(found) < 4:
        return None
    left, right = min(piece.left for piece in found), max(piece.right for piece in found)
    size = median(piece.size for piece in found)
    width = int(right - left)
    if width < 10 * size or width > _WIDEST:
        return None
    cover = [0] * (width + 2)
    for piece in found:
        cover[int(piece.left - left)] += 1
        cover[min(width, int(piece.right - left)) + 1] -= 1
    cover = list(accumulate(cover))
    best: tuple[float, float, float] = (0.0, 0.0, 0.0)
    for most in sorted({int(share * len(found)) for share in _CROSSED}):
        for start, end in _strips(cover, most, _GUTTER * size):
            middle = left + (start + end) / 2
            sides = sum(p.right <= middle for p in found), sum(p.left >= middle for p in found)
            crossed = len(found) - sum(sides)
            if min(sides) > 1 and _EDGE * width < middle - left < (1 - _EDGE) * width:
                best = max(best, (min(sides) - crossed / 2, end - start, middle))
    return best[2] or None


def _strips(cover: list[int], most: int, least: float) -> Iterator[tuple[int, int]]:
    """The stretches of at least ``least`` points in which no more than ``most`` pieces stand above each other."""
    start = 0
    for at, covered in enumerate(cover):
        if covered > most:
            if at - start >= least:
                yield start, at
            start = at + 1


def _are_columns(left: list[Piece], right: list[Piece]) -> bool:
    """Whether both sides of a gutter are read one after the other, and not row by row."""
    if not left or not right:
        return False
    return all(_is_prose(side) and not _has_cells(side) for side in (left, right))


def _has_cells(side: list[Piece]) -> bool:
    """Whether most rows of a side are in more pieces than a label and its value, which are short."""
    rows = rows_of(side)
    longest = median(max(len(piece.text) for piece in row) for row in rows)
    return median(map(len, rows)) > _PAIR and longest < _LEAST_PROSE


def _is_prose(side: list[Piece]) -> bool:
    """Whether the pieces on one side of a gutter are lines of text, and no cells of a table."""
    rows = rows_of(side)
    return len(rows) > 1 and median(sum(len(piece.text) for piece in row) for row in rows) >= _LEAST_PROSE
