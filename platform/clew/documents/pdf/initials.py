"""Initials of a PDF that are as high as several lines: they begin the first of these."""

from __future__ import annotations

from collections.abc import Sequence

from clew.documents.pdf.layout import Piece
from clew.documents.pdf.pieces import INITIAL

_FURTHEST = 1.5
"""The space between an initial and its lines, in heights of their letters, at most."""


def with_initials(found: Sequence[Piece]) -> list[Piece]:
    """The pieces, each large first letter with the rest of its word."""
    first = [piece for piece in found if len(piece.text) == 1 and piece.text.isupper()]
    gone: set[int] = set()
    for initial in first:
        beside = [piece for piece in found if _stands_beside(piece, initial)]
        if len(beside) > 1:
            top = max(beside, key=lambda piece: piece.y)
            top.text, top.left = f"{initial.text}{top.text}", initial.left
            gone.add(id(initial))
    return [piece for piece in found if id(piece) not in gone]


def _stands_beside(piece: Piece, initial: Piece) -> bool:
    return (
        INITIAL * piece.size <= initial.size
        and -0.3 * piece.size <= piece.left - initial.right <= _FURTHEST * piece.size
        and -0.3 * piece.size <= piece.y - initial.y <= initial.size - 0.5 * piece.size
    )
