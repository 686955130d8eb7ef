"""What the blocks of a PDF are by the look of their lines: headings are larger than the text, or bold beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from clew.documents.pdf.layout import Line
from clew.documents.tables.rows import is_quantity
from clew.types import Block, BlockKind

BULLET = re.compile(
    r"[•▪◦‣●■➢❖✓–—*]\s|\(?\d{1,3}[.)]\s|\[\d{1,3}\]\s|-\s|\((?:[a-z]|[ivx]{1,5})\)\s"
    r"|\d{1,3}(?:\.\d{1,3}){1,3}\.?\s+(?=[^\W\d_a-z][^\W\d_A-Z]+\s)"
)
"""What an item of a list begins with, or a clause that is numbered."""

_LARGER = 1.12
_LONGEST_HEADING = 120
_MOST_LINES = 2
_FINAL = (".", ",", ";", ":", "!", "…", "-", "–")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_NUMBERED = re.compile(r"\d{1,2}\.?\s(?=[^\W\d_a-z][^\W\d_A-Z]{3})")
"""The number of a heading of one word, which is no amount: "4 Results", but "12 kg"."""
_MOST_LEVELS = 6


def blocks_of(text: str, found: Sequence[tuple[int, int, list[Line]]]) -> list[Block]:
    """What each stretch of the text is, given its start, its end and its lines.

    The level of a heading is the place of its size among those of all headings, the largest first.
    """
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    for line in (line for _, _, lines in found for line in lines):
        sizes[_rounded(line)] += len(line.text)
        bold[line.bold] += len(line.text)
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    is_bold = bold[True] > bold[False]
    kinds = [_kind(text[start:end], lines, usual, is_bold) for start, end, lines in found]
    told = {_rounded(lines[0]) for (_, _, lines), kind in zip(found, kinds, strict=True) if kind == "heading"}
    levels = {size: min(at, _MOST_LEVELS) for at, size in enumerate(sorted(told, reverse=True), 1)}
    return [
        Block(kind, start, end, levels[_rounded(lines[0])] if kind == "heading" else 0)
        for (start, end, lines), kind in zip(found, kinds, strict=True)
    ]


def _kind(text: str, lines: list[Line], usual: float, is_bold: bool) -> BlockKind:
    first = lines[0]
    if first.alone:
        return "row" if ": " in text else "paragraph"
    size = _rounded(first)
    stands_out = size > _LARGER * usual or (first.bold and not is_bold and size > 0.9 * usual)
    short = len(lines) <= _MOST_LINES and len(text) <= _LONGEST_HEADING and not text.endswith(_FINAL)
    if (
        stands_out
        and short
        and _LETTERS.search(text)
        and not text[0].islower()
        and not is_quantity(_NUMBERED.sub("", text))
    ):
        return "heading"
    return "item" if BULLET.match(text) else "paragraph"


def _rounded(line: Line) -> float:
    return round(2 * line.size) / 2
