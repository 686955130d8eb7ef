"""Charts of Office files as tables: a row for each category, a column for each series."""

from __future__ import annotations

from typing import Any

from clew.ingest.formats.blocks import Draft
from clew.ingest.formats.tables import Cell, table_blocks

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MOST_POINTS = 5_000


def chart_blocks(root: Any) -> list[Draft]:
    """The title of a chart, and its numbers as the rows of a table; none of a chart without numbers."""
    if root is None:
        return []
    title = _words(root.find(f"{_C}chart/{_C}title"))
    names: list[str] = []
    columns: list[dict[int, str]] = []
    categories: dict[int, str] = {}
    for number, series in enumerate(root.iter(f"{_C}ser"), 1):
        values = _points(series, "val") or _points(series, "yVal")
        categories = _points(series, "cat") or _points(series, "xVal") or categories
        if values:
            names.append(_words(series.find(f"{_C}tx")) or f"series {number}")
            columns.append(values)
    if not columns:
        return []
    rows = [[Cell("", head=True), *(Cell(name, head=True) for name in names)]]
    for at in sorted({at for column in columns for at in column})[:_MOST_POINTS]:
        rows.append([Cell(categories.get(at, str(at + 1)), head=True), *(Cell(one.get(at, "")) for one in columns)])
    return [Draft(title, "caption"), *table_blocks(rows, header=1)]


def _points(series: Any, name: str) -> dict[int, str]:
    """The values that a chart keeps beside its formula, by their place."""
    found: dict[int, str] = {}
    for point in series.iterfind(f"{_C}{name}//{_C}pt"):
        value = "".join(point.itertext()).strip()
        at = point.get("idx", "")
        if value and at.isdecimal():
            found[int(at)] = f"{found[int(at)]} {value}" if int(at) in found else _number(value)
    return found


def _number(value: str) -> str:
    """A number without the noise of its binary form: 4.3, not 4.2999999999999998."""
    try:
        return f"{float(value):.10g}" if any(sign in value for sign in ".eE") else value
    except ValueError:
        return value


def _words(element: Any) -> str:
    if element is None:
        return ""
    texts = [one.text or "" for one in element.iter(f"{_A}t", f"{_C}v")]
    return " ".join("".join(texts).split())
