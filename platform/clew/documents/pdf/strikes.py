"""What a PDF strikes out: annotations of that kind, and the thin lines that word processors draw through words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from clew.documents.pdf.layout import Glyph
from clew.documents.pdf.paths import Path

_THICKEST = 2.0
_SHORTEST = 3.0
_LOWEST, _HIGHEST = 0.1, 0.5
"""Where above its base line a letter is struck, in heights of its box: below lies what underlines it."""
_COVERED = 0.6
"""Share of a line that has letters on it, at least: what runs on without any is the rule of a table or of a graph."""


class Strike(NamedTuple):
    """A line through text, in points; ``sure`` where the PDF itself says that it strikes."""

    left: float
    right: float
    bottom: float
    top: float
    sure: bool


def strikes(page: Any, drawn: Sequence[Path]) -> list[Strike]:
    """What may strike text on a page, which is not turned: its annotations, and what it draws."""
    return [*_marked(page), *_lines(drawn)]


def struck(glyphs: Sequence[Glyph], found: Sequence[Strike]) -> set[int]:
    """Which of the letters are struck, by their place in the sequence."""
    order = sorted((at for at, glyph in enumerate(glyphs) if glyph.size), key=lambda at: glyphs[at].y)
    heights = [glyphs[at].y for at in order]
    tallest = max((glyphs[at].size for at in order), default=0.0)
    gone: set[int] = set()
    for strike in found:
        near = order[bisect_left(heights, strike.bottom - tallest) : bisect_right(heights, strike.top)]
        hit = [at for at in near if _goes_through(strike, glyphs[at])]
        covered = sum(glyphs[at].right - glyphs[at].left for at in hit)
        if strike.sure or covered >= _COVERED * (strike.right - strike.left):
            gone.update(hit)
    return gone


def _goes_through(strike: Strike, glyph: Glyph) -> bool:
    middle = (glyph.left + glyph.right) / 2
    if not strike.left - 0.5 <= middle <= strike.right + 0.5:
        return False
    if strike.sure:
        return strike.bottom <= glyph.y + 0.3 * glyph.size <= strike.top
    return _LOWEST <= ((strike.bottom + strike.top) / 2 - glyph.y) / glyph.size <= _HIGHEST


def annotations_of(page: Any) -> Iterator[Any]:
    """The annotations of a page, fields of forms among them; each is closed when the next one is asked for."""
    import pypdfium2.raw as pdfium

    for at in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, at)
        try:
            yield annotation
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _marked(page: Any) -> Iterator[Strike]:
    import pypdfium2.raw as pdfium

    corners = pdfium.FS_QUADPOINTSF()
    for annotation in annotations_of(page):
        if pdfium.FPDFAnnot_GetSubtype(annotation) != pdfium.FPDF_ANNOT_STRIKEOUT:
            continue
        for number in range(pdfium.FPDFAnnot_CountAttachmentPoints(annotation)):
            if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, number, corners):
                across = (corners.x1, corners.x2, corners.x3, corners.x4)
                up = (corners.y1, corners.y2, corners.y3, corners.y4)
                yield Strike(min(across), max(across), min(up), max(up), sure=True)


def _lines(drawn: Sequence[Path]) -> Iterator[Strike]:
    for left, bottom, right, top, _ in drawn:
        if top - bottom <= _THICKEST and right - left >= _SHORTEST:
            yield Strike(left, right, bottom, top, sure=False)
