"""What the blocks of a PDF are by the look of their lines: headings are larger than the text, or bold beside it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from clew.documents.blocks import Draft
from clew.documents.pdf.layout import Line, rounded, size_of_text
from clew.documents.tables.rows import is_quantity
from clew.types import BlockKind

BULLET = re.compile(
    r"[•▪◦‣●■➢❖✓–—*]\s|\(?\d{1,3}[.)]\s|\[\d{1,3}\]\s|-\s|\((?:[a-z]|[ivx]{1,5})\)\s"
    r"|\d{1,3}(?:\.\d{1,3}){1,3}\.?\s+(?=[^\W\d_a-z][^\W\d_A-Z]+\s)"
)
"""What an item of a list begins with, or a clause that is numbered."""

LARGER = 1.08
_BOLD = 0.9
"""Share of the size of the text that bold headings have at least."""
_LONGEST_HEADING = 120
_MOST_LINES = 3
_FINAL = (".", ",", ";", ":", "!", "…", "-", "–")
_LETTERS = re.compile(r"[^\W\d_]{2}")
NUMBERED = re.compile(r"\d{1,2}\.?\s(?=[^\W\d_a-z][^\W\d_A-Z]{3})")
"""The number of a heading of one word, which is no amount: "4 Results", but "12 kg"."""
_MOST_LEVELS = 6


def drafts_of(found: Sequence[tuple[str, list[Line]]], outline: Collection[str] = ()) -> list[Draft]:
    """What each text is, given its lines; ``outline`` are the titles of the bookmarks, as ``key_of`` makes them.

    The level of a heading is the place of its size among those of all headings, the largest first.
    """
    usual = size_of_text(lines for _, lines in found)
    is_bold = sum(len(line.text) * (1 if line.bold else -1) for _, lines in found for line in lines) > 0
    kinds = [_kind(text, lines, usual, outline, is_bold=is_bold) for text, lines in found]
    named = {rounded(lines[0]) for (_, lines), kind in zip(found, kinds, strict=True) if kind == "heading"}
    levels = {size: min(at, _MOST_LEVELS) for at, size in enumerate(sorted(named, reverse=True), 1)}
    return [
        replace(lines[0].draft, text=text)
        if lines[0].draft
        else Draft(text, kind, levels[rounded(lines[0])] if kind == "heading" else 0)
        for (text, lines), kind in zip(found, kinds, strict=True)
    ]


def key_of(title: str) -> str:
    """A title as it is compared: its letters and digits, without the number before it."""
    return re.sub(r"^[\d.]+|[\W_]+", "", title.lower())


def _kind(text: str, lines: list[Line], usual: float, outline: Collection[str], *, is_bold: bool) -> BlockKind:
    first = lines[0]
    if first.alone:
        return "paragraph"
    size = rounded(first)
    is_larger, is_bolder = size > LARGER * usual, first.bold and not is_bold and size > _BOLD * usual
    final = _FINAL[1:] if is_bolder and len(lines) == 1 else _FINAL
    short = len(lines) <= _MOST_LINES and len(text) <= _LONGEST_HEADING and not text.endswith(final)
    if short and _LETTERS.search(text) and not text[0].islower():
        is_amount = is_quantity(NUMBERED.sub("", text))
        if key_of(text) in outline or ((is_larger or is_bolder) and not is_amount):
            return "heading"
    return "item" if BULLET.match(text) else "paragraph"
