"""Struck and hidden cells, raised figures and formats of Excel workbooks."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from clew.documents.marks import COMMENTS, HIDDEN, STRUCK, raised
from clew.documents.office.number_formats import BUILT_IN, MonthFormat, NumberFormat, month_format, number_format
from clew.documents.office.sheet_marks import HIDDEN_PARTS, Place, SheetMarks
from clew.documents.package import linked, part, xml_root
from clew.documents.tables.grid import count_of

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_MARKS = (b"strike", b"superscript")
_HIDING = (b' hidden="1"', b' hidden="true"')
_WITHOUT_RESULT = re.compile(rb"</f>\s*(?:<v>\s*</v>|<v\s*/>)?\s*</c>")
NOT_CALCULATED = "formulas that no program has calculated"
_OFF = frozenset({"0", "false"})


_Format = NumberFormat | MonthFormat | str
"""How numbers of cells are shown; of a text, that they are not."""


def xlsx_marks(package: zipfile.ZipFile, counts: Counter[str]) -> dict[str, SheetMarks]:
    """By sheet, the cells whose marks change what they say.

    No sheet is parsed of a workbook that has no such marks.
    """
    styles, strings = part(package, "xl/styles.xml"), part(package, "xl/sharedStrings.xml")
    book = xml_root(part(package, "xl/workbook.xml"))
    days = None if book is None else book.find("{*}workbookPr")
    formats = _formats(xml_root(styles), days is not None and days.get("date1904", "0") not in _OFF)
    root = xml_root(strings) if any(mark in strings for mark in _MARKS) else None
    shared = dict(enumerate(_marked(one, counts) for one in root.iterfind("{*}si"))) if root is not None else {}
    texts = {str(number): text for number, text in shared.items() if text is not None}
    found: dict[str, SheetMarks] = {}
    for name, path in _sheets(package):
        data = part(package, path)
        marks = found.setdefault(name, SheetMarks())
        if formats or texts or _WITHOUT_RESULT.search(data) or any(mark in data for mark in (*_MARKS, *_HIDING)):
            marks.written = dict(_cells(data, formats, texts, counts))
        for notes in linked(package, path, "comments"):
            root = xml_root(part(package, notes))
            counts[COMMENTS] += 0 if root is None else len(root.findall("{*}commentList/{*}comment"))
        for drawing in linked(package, path, "drawing"):
            marks.boxes += _boxes(xml_root(part(package, drawing)), counts)
    return found


def _boxes(drawing: Any, counts: Counter[str]) -> Iterator[str]:
    """What is written on the shapes of a sheet, those aside that somebody hid."""
    for shape in drawing.iter("{*}sp") if drawing is not None else ():
        lines = ["".join(text.text or "" for text in line.iter("{*}t")) for line in shape.iterfind("{*}txBody/{*}p")]
        if not any(map(str.strip, lines)) or next(shape.iterancestors("{*}Fallback"), None) is not None:
            continue
        named = shape.find("{*}nvSpPr/{*}cNvPr")
        if named is not None and named.get("hidden", "0") not in _OFF:
            counts[HIDDEN] += 1
        else:
            yield "\n".join(lines)


def _cells(
    data: bytes, formats: dict[str, _Format], texts: dict[str, str], counts: Counter[str]
) -> Iterator[tuple[Place, str]]:
    """The places of a sheet, and what stands there for a reader; its XML is never in memory as a whole."""
    from lxml import etree

    hidden_columns: set[int] = set()
    hides_rows = b"<autoFilter" not in data  # what a filter hides is data that somebody did not want to see just then
    sheet = etree.iterparse(
        io.BytesIO(data), tag=("{*}col", "{*}row"), resolve_entities=False, no_network=True, recover=True
    )
    for _, element in sheet:
        kind = etree.QName(element).localname
        if kind == "col" and element.get("hidden", "0") not in _OFF:
            first, last = count_of(element.get("min")), count_of(element.get("max"))
            hidden_columns.update(range(first - 1, last))
            counts[HIDDEN_PARTS] += 1
        elif kind == "row":
            hides = hides_rows and element.get("hidden", "0") not in _OFF
            counts[HIDDEN_PARTS] += hides
            for cell in element.iterfind("{*}c"):
                place = _PLACE.fullmatch(cell.get("r", ""))
                if place is None:
                    continue
                at = _at(place)
                text = "" if hides or at[1] in hidden_columns else _text_of(cell, formats, texts, counts)
                if text is not None:
                    yield at, text
            element.clear()


def _text_of(cell: Any, formats: dict[str, _Format], texts: dict[str, str], counts: Counter[str]) -> str | None:
    """What a cell says instead of its value; None where it is its value."""
    written = formats.get(cell.get("s", "0"))
    if isinstance(written, str):
        counts[STRUCK] += 1
        return ""
    value = cell.findtext("{*}v") or ""
    if cell.find("{*}f") is not None and not value:
        counts[NOT_CALCULATED] += 1
    if cell.get("t", "n") != "n" or not written or not value:
        return _text(cell, texts, counts)
    try:
        return written.shown(float(value))
    except (ValueError, OverflowError):
        return None


def _text(cell: Any, texts: dict[str, str], counts: Counter[str]) -> str | None:
    """What a cell with marked runs says; None for any other cell."""
    if cell.get("t") == "s":
        return texts.get(cell.findtext("{*}v", ""))
    inline = cell.find("{*}is") if cell.get("t") == "inlineStr" else None
    return None if inline is None else _marked(inline, counts)


def _sheets(package: zipfile.ZipFile) -> list[tuple[str, str]]:
    """The name and the part of each sheet."""
    book, links = xml_root(part(package, "xl/workbook.xml")), xml_root(part(package, "xl/_rels/workbook.xml.rels"))
    if book is None or links is None:
        return []
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    return [
        (sheet.get("name", ""), posixpath.join("xl", targets.get(sheet.get(f"{_R}id"), "")).removeprefix("/"))
        for sheet in book.iter("{*}sheet")
    ]


def _formats(root: Any, from_1904: bool) -> dict[str, _Format]:
    """By the number of a format of cells, what changes their values: one of numbers, or that the font is struck."""
    if root is None:
        return {}
    fonts = [_is_on(font, "strike") for font in root.iterfind("{*}fonts/{*}font")]
    struck = {str(number) for number, is_struck in enumerate(fonts) if is_struck}
    codes = {one.get("numFmtId"): one.get("formatCode", "") for one in root.iterfind("{*}numFmts/{*}numFmt")}
    found: dict[str, _Format] = {}
    for number, one in enumerate(root.iterfind("{*}cellXfs/{*}xf")):
        code = BUILT_IN.get(count_of(one.get("numFmtId"), 0), codes.get(one.get("numFmtId"), ""))
        if one.get("fontId") in struck:
            found[str(number)] = STRUCK
        elif form := number_format(code) or month_format(code, from_1904=from_1904):
            found[str(number)] = form
    return found


def _marked(string: Any, counts: Counter[str]) -> str | None:
    """A string without its struck runs, raised ones marked as such; None where it has neither."""
    parts, marked = [], False
    for run in string.iterfind("{*}r"):
        text = run.findtext("{*}t", "")
        if _is_on(run.find("{*}rPr"), "strike"):
            counts[STRUCK] += 1
            text, marked = "", True
        elif (align := run.find("{*}rPr/{*}vertAlign")) is not None and align.get("val") == "superscript":
            text, marked = raised(text), True
        parts.append(text)
    return "".join(parts) if marked else None


def _is_on(properties: Any, name: str) -> bool:
    found = None if properties is None else properties.find(f"{{*}}{name}")
    return found is not None and found.get("val", "1") not in _OFF


def _at(place: re.Match[str]) -> tuple[int, int]:
    column = 0
    for letter in place[1]:
        column = 26 * column + ord(letter) - 64
    return int(place[2]) - 1, column - 1
