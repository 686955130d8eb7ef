"""Pieces of a PDF parted where wide spaces stand below each other, as columns that nearly touch leave them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from clew.documents.pdf.layout import Piece

_MOST_COLUMNS = 60
_LEAST_ROWS = 3
_NEXT = 3.0
"""How far below each other the rows of a table stand, in heights of a letter, at most."""
_STRIP = 0.4
"""The space that all cells of a column leave to the next, in heights of a letter, at least."""

_Row = list[Piece]


@dataclass(slots=True)
class _Strip:
    """A strip between columns: its rows, and the gaps within pieces that lie in it (the piece, its gap's number)."""

    left: float
    right: float
    gaps: list[tuple[Piece, int]] = field(default_factory=list)
    rows: int = 1


def parted(rows: list[_Row]) -> list[_Row]:
    """The rows, those pieces that wide gaps below each other show to be several cells parted there."""
    if not any(piece.gaps for row in rows for piece in row):
        return rows
    cuts: dict[int, set[int]] = {}
    strips: list[_Strip] = []
    last: Piece | None = None
    for row in rows:
        near = last is not None and last.y - row[0].y <= _NEXT * row[0].size
        strips, ended = _strips(row, strips) if near else (_strips(row, [])[0], strips)
        _cut(ended, cuts)
        last = row[0]
    _cut(strips, cuts)
    return [
        [part for piece in row for part in _parts(piece, cuts.get(id(piece), ())) if part.text or part.finish()]
        for row in rows
    ]


def _cut(strips: Sequence[_Strip], cuts: dict[int, set[int]]) -> None:
    for strip in strips:
        if strip.rows >= _LEAST_ROWS:
            for piece, number in strip.gaps:
                cuts.setdefault(id(piece), set()).add(number)


def _strips(row: _Row, before: list[_Strip]) -> tuple[list[_Strip], list[_Strip]]:
    """The strips that go on through a row or begin in it, and those that end above it."""
    least = _STRIP * row[0].size
    gaps: list[tuple[float, float, list[tuple[Piece, int]]]] = [
        (left, right, [(piece, number)]) for piece in row for number, (_, left, right) in enumerate(piece.gaps)
    ]
    gaps += [(a.right, b.left, []) for a, b in pairwise(row)]
    if len(gaps) > _MOST_COLUMNS:
        return [], before
    now: list[_Strip] = []
    ended: list[_Strip] = []
    for strip in before:
        on = [gap for gap in gaps if min(gap[1], strip.right) - max(gap[0], strip.left) >= least]
        if on:
            left, right, inside = max(on, key=lambda gap: min(gap[1], strip.right) - max(gap[0], strip.left))
            gaps.remove((left, right, inside))
            now.append(_Strip(max(left, strip.left), min(right, strip.right), strip.gaps + inside, strip.rows + 1))
        elif any(piece.left < strip.right and strip.left < piece.right for piece in row):
            ended.append(strip)
        else:
            now.append(strip)
    return now + [_Strip(*gap) for gap in gaps], ended


def _parts(piece: Piece, cuts: set[int] | tuple[()]) -> Iterator[Piece]:
    """A piece parted at some of its gaps."""
    start, left = 0, piece.left
    for number in sorted(cuts):
        at, ends, begins = piece.gaps[number]
        yield Piece(left, ends, piece.y, piece.size, piece.bold, piece.parts[start:at])
        start, left = at, begins
    if start == 0:
        yield piece
    else:
        yield Piece(left, piece.right, piece.y, piece.size, piece.bold, piece.parts[start:])
