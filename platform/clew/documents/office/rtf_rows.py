"""Rows of RTF tables: which places each cell covers.

A row tells the right edge of each of its cells, and which of them go on with the one before or above (RTF 1.9.1, Table
Definitions).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from clew.documents.tables.grid import Cell

_WORD = re.compile(r"\\(?:\\|(trowd|clmrg|clvmrg|row|cellx)(?![a-z])(-?\d{1,6})?)")
_ROW = "\ue110"
"""A sign of no meaning around the number of a row, while the library turns the rest into text."""
_NUMBERED = re.compile(f"{_ROW}(\\d{{1,9}}){_ROW}$")
_SAME_EDGE = 60
"""Twentieths of a point by which edges of one column differ: a millimetre."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a cell ends, and which neighbours it continues."""

    right: int
    goes_on: bool = False
    goes_down: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """The texts of a row's cells, and their edges if known."""

    texts: list[str]
    edges: Sequence[Edge] = ()


def numbered_rows(written: str) -> tuple[str, list[list[Edge]]]:
    """The same with a number behind each row, and edges by number."""
    rows: list[list[Edge]] = []
    edges: list[Edge] = []
    merged: set[str] = set()

    def numbered(word: re.Match[str]) -> str:
        nonlocal edges
        if word[1] == "trowd":
            edges = []
            merged.clear()
        elif word[1] == "cellx":
            edges.append(Edge(int(word[2] or 0), "clmrg" in merged, "clvmrg" in merged))
            merged.clear()
        elif word[1] == "row":
            rows.append(edges)
            sign = f"\\u{ord(_ROW)}?"
            return f"{{\\uc1{sign}{len(rows) - 1}{sign}}}{word[0]}"
        elif word[1]:
            merged.add(word[1])
        return word[0]

    return _WORD.sub(numbered, written), rows


def row_of(line: str, rows: list[list[Edge]]) -> Row | None:
    """The row in a line of the library's text, if any."""
    number = _NUMBERED.search(line)
    cells = line[: number.start()] if number else line
    if not cells.endswith("|") or (not number and cells.count("|") < 2):
        return None
    texts = cells[:-1].split("|")
    edges = rows[int(number[1])] if number and int(number[1]) < len(rows) else []
    return Row(texts, edges if len(edges) == len(texts) else ())


def without_numbers(text: str) -> str:
    """A line that is no row, without the sign of one."""
    return _NUMBERED.sub("", text)


def spanned(rows: Sequence[Row]) -> list[list[Cell]]:
    """The cells of a table with the places they cover."""
    places = _places(rows)
    table: list[list[Cell]] = []
    above: dict[int, tuple[int, int]] = {}
    for row in rows:
        cells: list[Cell] = []
        column = 0
        for at, text in enumerate(row.texts):
            edge = row.edges[at] if row.edges else None
            last = max(column + 1, places[edge.right]) if edge else column + 1
            if edge and edge.goes_on and cells:
                cells[-1] = replace(cells[-1], columns=cells[-1].columns + last - column)
            elif edge and edge.goes_down and column in above:
                number, place = above[column]
                over = table[number][place]
                table[number][place] = replace(over, rows=len(table) - number + 1)
            else:
                above[column] = len(table), len(cells)
                cells.append(Cell(text, last - column))
            column = last
        table.append(cells)
    return table


def _places(rows: Sequence[Row]) -> dict[int, int]:
    """By the right edge of a cell, the number of columns up to it."""
    edges = sorted({edge.right for row in rows for edge in row.edges})
    found, count = dict.fromkeys(edges[:1], 1), 1
    for left, right in pairwise(edges):
        count += right - left > _SAME_EDGE
        found[right] = count
    return found
