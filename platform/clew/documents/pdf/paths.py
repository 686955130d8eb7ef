"""What a PDF page draws besides text and pictures: lines and boxes, listed once for all who look at them."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

MOST_OBJECTS = 20_000
"""Objects of a page that are looked at."""
_OF_A_BOX = (4, 5)
"""Segments of a path that is a rectangle, closed or not."""


class Path(NamedTuple):
    """The bounds of what is drawn, in points from the lower left, and whether it may be a rectangle."""

    left: float
    bottom: float
    right: float
    top: float
    is_box: bool


def paths_of(page: Any) -> list[Path]:
    """What a page draws, in its order, up to a bound."""
    import pypdfium2.raw as pdfium

    found = []
    for part in islice(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=2), MOST_OBJECTS):
        left, bottom, right, top = part.get_bounds()
        found.append(Path(left, bottom, right, top, pdfium.FPDFPath_CountSegments(part) in _OF_A_BOX))
    return found
