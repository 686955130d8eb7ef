"""Text of a PDF page that nobody sees: drawn without ink, or in the white of the paper.

Nothing is taken for hidden where something else may lie behind it, and a layer of text without ink over a scan is what
there is to read.
"""

from __future__ import annotations

import ctypes
from itertools import islice
from typing import Any

from clew.documents.pdf.paths import MOST_OBJECTS

_WHITE = 250
"""The least of red, green and blue in what looks like paper."""
_SCAN = 0.4
"""The share of a page from which a picture on it may be a scan of its text."""

_Box = tuple[float, float, float, float]


def hidden_of(page: Any) -> frozenset[int]:
    """The addresses of those objects of text on a page that nobody sees."""
    import pypdfium2.raw as pdfium

    width, height = page.get_size()
    behind: list[_Box] = []
    white: list[int] = []
    inkless: list[int] = []
    seen = 0
    for part in islice(page.get_objects(max_depth=1), MOST_OBJECTS):
        if part.type != pdfium.FPDF_PAGEOBJ_TEXT:
            if part.type == pdfium.FPDF_PAGEOBJ_PATH and _is_white(part):
                continue
            box = part.get_bounds()
            if part.type == pdfium.FPDF_PAGEOBJ_IMAGE and _area(box) >= _SCAN * width * height:
                return frozenset()
            behind.append(box)
        elif pdfium.FPDFTextObj_GetTextRenderMode(part.raw) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE:
            inkless.append(address(part.raw))
        elif _is_white(part) and not any(_touch(box, part.get_bounds()) for box in behind):
            white.append(address(part.raw))
        else:
            seen += 1
    return frozenset([*white, *(inkless if len(inkless) <= seen else [])])


def address(pointer: Any) -> int:
    """Where an object of a page is, by which it is known."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _is_white(part: Any) -> bool:
    """Whether what is drawn has a colour that is known and that of paper."""
    import pypdfium2.raw as pdfium

    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(part.raw, red, green, blue, alpha):
        return False
    return min(red.value, green.value, blue.value) >= _WHITE


def _touch(one: _Box, other: _Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _area(box: _Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
