"""The characters of a page as pieces of text: what stands together on one base line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from clew.documents.pdf.layout import GAP, Glyph, Piece, Rule
from clew.documents.pdf.rtl import in_order

_CELL_GAP = 0.6
"""The space that may part cells where many have it below each other."""
_LEADERS = frozenset(".…·_")
_FIRST = 4
"""Characters that a line may begin with, such as a bullet or a number, which do not set its size."""
_TOUCHING = 0.05
"""The space up to which letters touch, in heights of a letter."""


def pieces(glyphs: Iterable[Glyph], walls: Sequence[Rule] = ()) -> list[Piece]:
    """Characters in the order in which a page draws them, as pieces; a space is a Glyph whose size is 0.

    One without text is PDFium's guess: a file that places every letter for itself has them within words.
    ``walls`` are upright lines in order, which part what stands on either side of them.
    """
    found: list[Piece] = []
    now: Piece | None = None
    left = right = 0.0
    space = guessed = False
    for glyph in in_order(list(glyphs)):
        if glyph.size == 0:
            space, guessed = space or bool(glyph.text), True
            continue
        away = max(glyph.left - right, left - glyph.right, 0.0)
        close = walls if now is None or guessed or away > 0.2 * now.size else ()
        if now is None or away > GAP * now.size or not _is_level(now, glyph) or _is_between(close, right, glyph):
            now = Piece(glyph.left, glyph.right, glyph.y, glyph.size, glyph.bold)
            found.append(now)
        elif space or away > 0.5 * now.size or (guessed and away > _TOUCHING * glyph.size):
            _add_space(now, right, glyph, away)
        space = guessed = False
        _add(now, glyph)
        left, right = glyph.left, glyph.right
    return [piece for piece in found if piece.finish()]


def _is_small(piece: Piece, glyph: Glyph) -> bool:
    return glyph.size < 0.85 * piece.size


def _is_level(piece: Piece, glyph: Glyph) -> bool:
    """Whether a character stands on the line of a piece, or is raised or lowered beside it."""
    rise = abs(glyph.y - piece.y)
    return rise < 0.25 * piece.size or (_is_small(piece, glyph) and rise < 0.7 * piece.size)


def _add(piece: Piece, glyph: Glyph) -> None:
    """Go on with a character, which may be raised."""
    if _is_small(piece, glyph) and piece.parts and glyph.y - piece.y > 0.15 * piece.size:
        piece.above.append(glyph.text)
    else:
        piece.end_raised()
        if len(piece.parts) < _FIRST and glyph.text.isalpha() and not any(map(str.isalpha, piece.parts)):
            piece.size, piece.y = glyph.size, glyph.y
        piece.parts.append(glyph.text)
        piece.bold = piece.bold and glyph.bold
    piece.left, piece.right = min(piece.left, glyph.left), max(piece.right, glyph.right)


def _add_space(piece: Piece, right: float, glyph: Glyph, away: float) -> None:
    """Put a space before a character; a wide one may part cells."""
    piece.end_raised()
    if away > _CELL_GAP * piece.size and glyph.left > right and glyph.text not in _LEADERS:
        piece.gaps.append((len(piece.parts), right, glyph.left))
    piece.parts.append(" ")


def _is_between(walls: Sequence[Rule], right: float, glyph: Glyph) -> bool:
    """Whether a wall stands between what ends at ``right`` and a character behind it."""
    middle = glyph.y + 0.3 * glyph.size
    for wall in walls[bisect_left(walls, (right - 1.0,)) :]:
        if wall.at > glyph.left + 1.0:
            return False
        if wall.start <= middle <= wall.end:
            return True
    return False
