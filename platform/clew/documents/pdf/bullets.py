"""Bullets that a PDF draws as dots and boxes instead of setting a letter, as those that browsers print have them."""

from __future__ import annotations

from collections.abc import Sequence

from clew.documents.pdf.layout import Piece
from clew.documents.pdf.paths import Path

_SMALLEST, _LARGEST = 0.12, 0.6
"""How wide a bullet is, in heights of a letter."""
_UNEQUAL = 1.2
_LOWEST, _HIGHEST = 0.0, 0.6
"""How far above the base line of its text its middle lies, in heights of a letter."""
_FURTHEST = 1.5
"""The space between a bullet and its text, in heights of a letter."""
_MOST = 500
BULLET = "•"


def with_bullets(drawn: Sequence[Path], found: Sequence[Piece]) -> None:
    """Set bullets before the pieces that have one drawn before them."""
    dots = [path for path in drawn if _is_dot(path)]
    if not 0 < len(dots) <= _MOST:
        return  # more are a pattern, or the points of a chart
    ends = [piece.right for piece in found]
    for dot in dots:
        middle = (dot.bottom + dot.top) / 2
        on_line = [
            (piece, end)
            for piece, end in zip(found, ends, strict=True)
            if _LOWEST <= (middle - piece.y) / piece.size <= _HIGHEST
        ]
        piece = min((p for p, _ in on_line if p.left >= dot.right - 0.5), key=lambda p: p.left, default=None)
        if piece is None or not _fits(dot, piece):
            continue
        beside = (end <= dot.left and dot.left - end < _FURTHEST * piece.size for _, end in on_line)
        if not any(beside) and not piece.text.startswith(BULLET):
            piece.text, piece.left = f"{BULLET} {piece.text}", dot.left


def _is_dot(path: Path) -> bool:
    wide, high = path.right - path.left, path.top - path.bottom
    return 1.0 < wide < 20.0 and wide < _UNEQUAL * high and high < _UNEQUAL * wide


def _fits(dot: Path, piece: Piece) -> bool:
    size = (dot.right - dot.left) / piece.size
    return _SMALLEST <= size <= _LARGEST and piece.left - dot.right <= _FURTHEST * piece.size
