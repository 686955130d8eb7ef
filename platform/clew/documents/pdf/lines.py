"""The lines of a page of a PDF in reading order: its text, what its form was filled with, and what runs across it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from clew.documents.marks import HIDDEN
from clew.documents.pdf import ocr
from clew.documents.pdf.characters import UNKNOWN, UPRIGHT, glyphs_of, known, turn_of
from clew.documents.pdf.fields import values_of_fields
from clew.documents.pdf.grids import rules_of, with_tables
from clew.documents.pdf.layout import Glyph, Line
from clew.documents.pdf.paths import paths_of
from clew.documents.pdf.pieces import pieces
from clew.documents.pdf.tables import lines

_LEADERS = re.compile(r"\s*(?:\.\s?){4,}\s*(?=\S)|\s*(?:…\s?){2,}\s*(?=\S)")
"""The dots between an entry of a table of contents and its page."""


def lines_of_page(document: Any, number: int, limit: int, counts: Counter[str], *, has_form: bool) -> list[Line]:
    """The lines of a page that has text; what is left out of it is counted.

    Raises Unreadable where it has more than ``limit`` characters.
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
        beside = _turned_lines(turned, counts)
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


def _turned_lines(turned: list[tuple[float, Glyph]], counts: Counter[str]) -> list[Line]:
    """The lines that run up or down the page; what is slanted is a stamp ("DRAFT"), and left out."""
    runs = [[glyph for _, glyph in some] for angle, some in groupby(turned, itemgetter(0)) if angle in UPRIGHT]
    return [line for run in runs for line in lines(pieces(known(run, counts)))]


def _entry(line: Line) -> Line:
    """A line of a table of contents is a block of its own, its dots said once."""
    text = _LEADERS.sub(" … ", line.text)
    return line if text == line.text else replace(line, text=text, alone=True)
