"""Marks in workbooks of Excel that its values do not tell: struck cells and runs, and raised figures."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from typing import Any

from clew.ingest.formats.marks import STRUCK, raised
from clew.ingest.formats.package import part, xml_root

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_MARKS = (b"strike", b"superscript")
_OFF = frozenset({"0", "false"})

Written = dict[str, dict[tuple[int, int], str]]
"""By the name of a sheet, what a cell (row and column from 0) says instead of its value; "" where it is struck."""


def marked_cells(package: zipfile.ZipFile, counts: Counter[str]) -> Written:
    """The cells whose marks change what they say. No sheet is parsed of a workbook that has no such marks."""
    styles, strings = part(package, "xl/styles.xml"), part(package, "xl/sharedStrings.xml")
    struck = _struck_styles(xml_root(styles)) if b"strike" in styles else set()
    root = xml_root(strings) if any(mark in strings for mark in _MARKS) else None
    shared = dict(enumerate(_marked(one, counts) for one in root.iterfind("{*}si"))) if root is not None else {}
    texts = {str(number): text for number, text in shared.items() if text is not None}
    found: Written = {}
    for name, path in _sheets(package):
        data = part(package, path)
        if not (struck or texts or any(mark in data for mark in _MARKS)):
            continue
        root = xml_root(data)
        for cell in root.iter("{*}c") if root is not None else ():
            place = _PLACE.fullmatch(cell.get("r", ""))
            text = "" if cell.get("s") in struck else _text(cell, texts, counts)
            if place is not None and text is not None:
                counts[STRUCK] += cell.get("s") in struck
                found.setdefault(name, {})[_at(place)] = text
    return found


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


def _struck_styles(root: Any) -> set[str]:
    """The numbers of the cell formats whose font is struck."""
    if root is None:
        return set()
    fonts = [_is_on(font, "strike") for font in root.iterfind("{*}fonts/{*}font")]
    struck = {str(number) for number, is_struck in enumerate(fonts) if is_struck}
    formats = enumerate(root.iterfind("{*}cellXfs/{*}xf"))
    return {str(number) for number, one in formats if one.get("fontId") in struck}


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
