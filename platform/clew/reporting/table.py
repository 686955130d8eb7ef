"""A table as plain data, for a page or the app to draw."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """A cell of a table, with something small after it; the best of its column is set off."""

    text: str
    small: str = ""
    best: bool = False


class Table(NamedTuple):
    """A table of the page; the first columns, ``words`` of them, are no numbers."""

    heads: list[str]
    rows: list[list[Cell]]
    words: int = 1
