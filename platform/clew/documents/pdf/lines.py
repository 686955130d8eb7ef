"""The lines of a page of a PDF in reading order: its text, what its form was filled with, and what runs across it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from statistics import median
from typing import Any

from clew.documents.marks import HIDDEN
from clew.documents.pdf import ocr
from clew.documents.pdf.characters import UNKNOWN, UPRIGHT, glyphs_of, known, turn_of
from clew.documents.pdf.fields import values_of_fields
from clew.documents.pdf.grids import rules_of, with_tables
from clew.documents.pdf.layout import Glyph, Line, Piece
from clew.documents.pdf.paths import paths_of
from clew.documents.pdf.pieces import pieces
from clew.documents.pdf.tables import lines

_LEADERS = re.compile(r"\s*(?:\.\s?){4,}\s*(?=\S)|\s*(?:…\s?){2,}\s*(?=\S)")
"""The dots between an entry of a table of contents and its page."""
_STAMP = 1.5
"""How many times as large as the text slanted letters are that are stamped on a page ("DRAFT"), at least."""


def lines_of_page(
    document: Any,
    number: int,
    limit: int,
    counts: Counter[str],
    stamps: set[str],
    *,
    has_form: bool,
) -> list[Line]:
    """The lines of a page that has text; what is left out of it is counted.

    ``stamps`` are what earlier pages were stamped with. Raises Unreadable where it has more than ``limit`` characters.
    """
    page = document[number]
    try:
        text = page.get_textpage()
        turned: list[tuple[float, Glyph]] = []
        try:
            unseen: set[int] = set()
            glyphs = glyphs_of(page, text, limit, turn_of(page, text), turned, unseen)
            rules = rules_of([] if page.get_rotation() else paths_of(page))
            found = pieces(known(glyphs, counts), rules[0])
            counts[HIDDEN] += len(unseen)
        finally:
            text.close()
        if has_form:
            found += values_of_fields(document, page, found)
        found = with_tables(rules, found)
        beside = _turned_lines(turned, found, counts, stamps)
        entries = [_entry(line) for line in lines(found, rules[1])] + [replace(line, alone=True) for line in beside]
        return [line for line in entries if line.text.strip(f"{UNKNOWN} ")]
    finally:
        page.close()


def lines_seen(page: Any, counts: Counter[str]) -> list[Line]:
    """The lines of a page that shows a picture, by OCR."""
    import pypdfium2.raw as pdfium

    try:
        if not any(part.type == pdfium.FPDF_PAGEOBJ_IMAGE for part in page.get_objects(max_depth=3)):
            return []
        dots = min(ocr.DOTS, ocr.MOST_DOTS / max(page.get_size()))
        return lines(ocr.pieces_of(page.render(scale=dots, rev_byteorder=True).to_numpy(), counts, dots))
    finally:
        page.close()


def _turned_lines(
    turned: list[tuple[float, Glyph]], found: list[Piece], counts: Counter[str], stamps: set[str]
) -> list[Line]:
    """The lines that run in other directions than the text; what is stamped on many pages is said on the first one.

    Those that are slanted are no running heads, and so stand at the middle height of the text.
    """
    usual = median(piece.size for piece in found) if found else 0.0
    middle = median(piece.y for piece in found) if found else 0.0
    found_lines: list[Line] = []
    for angle, some in groupby(turned, itemgetter(0)):
        for line in lines(pieces(known((glyph for _, glyph in some), counts))):
            if angle in UPRIGHT:
                found_lines.append(line)
            elif line.size < _STAMP * usual or line.text not in stamps:
                stamps.update([line.text] if line.size >= _STAMP * usual else [])
                found_lines.append(replace(line, y=middle))
    return found_lines


def _entry(line: Line) -> Line:
    """A line of a table of contents is a block of its own, its dots said once."""
    text = _LEADERS.sub(" … ", line.text)
    return line if text == line.text else replace(line, text=text, alone=True)
