"""Pages on which text runs down in columns from the right, as in Japanese and Chinese books, as if it ran across."""

from __future__ import annotations

import ctypes
import re
from typing import Any

from clew.documents.pdf.layout import Line

IDEOGRAPHIC = "\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60"
"""Kana, ideographs and their marks, as what stands between the brackets of a pattern."""
_BETWEEN = re.compile(rf"(?<=[{IDEOGRAPHIC}]) (?=[{IDEOGRAPHIC}])")
_WRITTEN = range(0x3041, 0xFB00)
"""Codes of kana and ideographs, and of scripts in which no letter stands below another one."""
_TRIED = 500
_LEAST = 8
"""Letters below each other that tell it, at least."""
_NEAR = 1.6
"""From a letter to the next one in its column, at most, in heights of a letter."""


def runs_down(text: Any) -> bool:
    """Whether most letters of a page stand below those that were drawn before them, by its PDFium text page."""
    import pypdfium2.raw as pdfium

    raw, count = text.raw, min(text.count_chars(), _TRIED)
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    before: tuple[float, float] | None = None
    down = across = 0
    for at in range(count):
        if pdfium.FPDFText_GetUnicode(raw, at) not in _WRITTEN:
            before = None
            continue
        if not pdfium.FPDFText_GetLooseCharBox(raw, at, ctypes.byref(box)):
            continue
        pdfium.FPDFText_GetCharOrigin(raw, at, ctypes.byref(x), ctypes.byref(y))
        size = max(box.top - box.bottom, box.right - box.left)
        if before is not None:
            aside, below = abs(x.value - before[0]), before[1] - y.value
            down += aside < 0.2 * size < below < _NEAR * size
            across += abs(below) < 0.2 * size
        before = x.value, y.value
    return down >= _LEAST and down > 2 * across


def from_column(
    left: float, bottom: float, right: float, top: float, x: float, y: float = 0.0
) -> tuple[float, float, float, float, float]:
    """From a box and the point at which a letter begins to its box and base line on a page that is laid on its side.

    What was at the top is left then, and the column on the right is the first line.
    """
    return -top, left, -bottom, right, x


def without_gaps(line: Line) -> Line:
    """The line without the blanks that stops and commas, which fill a corner of their place, seem to have."""
    line.text = _BETWEEN.sub("", line.text)
    return line
