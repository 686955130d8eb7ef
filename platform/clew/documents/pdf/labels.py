"""Bullets and numbers that stand before a line: with the line they are one, whatever the space between them."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.documents.pdf.layout import LETTER, Piece

_PRIVATE = re.compile("[\ue000-\uf8ff]")
_BULLET = re.compile("[•▪◦‣●■○□➢✓–—*\ue000-\uf8ff-]")
_ENUMERATOR = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3}){1,3}\.?|(?:\d{1,3}|[a-z]|[ivx]{1,5}|[IVX]{1,5})[.)])")
"""What counts a clause, a heading or an item: "2.", "3.1", "(a)", "iv)"."""
_COUNT = re.compile(r"\d{1,2}")
_COUNT_GAP = 2.0
"""The space between a bare number and the heading that it counts, at most: further away it is a cell."""
_LABEL_GAP = 5.0
"""The space between those and their text, in heights of a letter, at most."""


def with_label(row: list[Piece]) -> list[Piece]:
    """A row in which a bullet, or the number of a clause or heading, is one piece with the text that it stands before.

    In a row of more than two pieces a number is a cell; a bullet is none anywhere.
    """
    if len(row) < 2 or not LETTER.match(row[1].text.lstrip("“\"'(")):
        return row
    label, gap = row[0].text, row[1].left - row[0].right
    if not 0 <= gap <= _LABEL_GAP * row[1].size:
        return row
    counted = _ENUMERATOR.fullmatch(label) or (_COUNT.fullmatch(label) and gap <= _COUNT_GAP * row[1].size)
    if not (_BULLET.fullmatch(label) or (len(row) == 2 and counted)):
        return row
    first, text = row[0], row[1]
    shown = "•" if _PRIVATE.match(label) else label
    joined = replace(text, left=min(first.left, text.left), text=f"{shown} {text.text}")
    return [joined, *row[2:]]
