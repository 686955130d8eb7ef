"""Drawings of Office files: charts as tables, SmartArt as items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from clew.documents.blocks import Draft
from clew.documents.office.number_formats import date_of, number_format
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks

DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MOST_POINTS = 5_000


def diagram_blocks(root: Any) -> Iterator[Draft]:
    """The points of SmartArt (``dgm:dataModel``) as items, in file order."""
    points = () if root is None else root.iterfind(f"{DIAGRAM}ptLst/{DIAGRAM}pt")
    yield from (Draft(text, "item") for point in points if (text := _words(point)))


def chart_blocks(root: Any) -> list[Draft]:
    """The title and the numbers of a chart as a table."""
    if root is None:
        return []
    epoch = root.find(f"{_C}date1904")
    from_1904 = epoch is not None and epoch.get("val", "1") not in {"0", "false"}
    title = _words(root.find(f"{_C}chart/{_C}title"))
    names: list[str] = []
    columns: list[dict[int, str]] = []
    categories: dict[int, str] = {}
    for number, series in enumerate(root.iter(f"{_C}ser"), 1):
        values = _points(series, "val", from_1904) or _points(series, "yVal", from_1904)
        categories = _points(series, "cat", from_1904) or _points(series, "xVal", from_1904) or categories
        if values:
            names.append(_words(series.find(f"{_C}tx")) or f"series {number}")
            columns.append(values)
    if not columns:
        return []
    rows = [[Cell("", head=True), *(Cell(name, head=True) for name in names)]]
    for at in sorted({at for column in columns for at in column})[:_MOST_POINTS]:
        rows.append([Cell(categories.get(at, str(at + 1)), head=True), *(Cell(one.get(at, "")) for one in columns)])
    return [Draft(title, "caption"), *table_blocks(rows, header=1)]


def _points(series: Any, name: str, from_1904: bool) -> dict[int, str]:
    """The values that a chart keeps beside its formula, by their place, as their format shows them."""
    found: dict[int, str] = {}
    for point in series.iterfind(f"{_C}{name}//{_C}pt"):
        value = "".join(point.itertext()).strip()
        at = point.get("idx", "")
        if value and at.isdecimal():
            code = point.get("formatCode") or point.getparent().findtext(f"{_C}formatCode") or ""
            shown = _shown(value, code, from_1904)
            found[int(at)] = f"{found[int(at)]} {value}" if int(at) in found else shown
    return found


def _shown(value: str, code: str, from_1904: bool) -> str:
    """A value in its format of numbers or dates, a plain one without the noise of its binary form (4.2999999999999998).

    A name of a category stays as it is.
    """
    try:
        number = float(value)
        if not math.isfinite(number):
            return ""
        if date := date_of(code, number, from_1904=from_1904):
            return date
        number_form = number_format(code)
        return number_form.shown(number) if number_form else _plain(value, number)
    except (ValueError, OverflowError):
        return value


def _plain(value: str, number: float) -> str:
    return f"{number:.10g}" if any(sign in value for sign in ".eE") else value


def _words(element: Any) -> str:
    if element is None:
        return ""
    texts = [one.text or "" for one in element.iter(f"{_A}t", f"{_C}v")]
    return " ".join("".join(texts).split())
