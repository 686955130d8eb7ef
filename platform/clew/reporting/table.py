"""A table as plain data, and how it is written: as HTML, as Markdown, on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup
from rich.console import Console

from clew.reporting.terminal import plain, print_table

_BEST = Markup("<b>{}</b>")
_SMALL = Markup(" <small>{}</small>")
_HEAD = Markup('<th scope="col" class="{}">{}</th>')
_NAME = Markup('<th scope="row">{1}</th>')
_CELL = Markup('<td class="{}">{}</td>')
_ROW = Markup("<tr>{}</tr>\n")
_TABLE = Markup("<table>\n<thead>{}</thead>\n<tbody>\n{}</tbody>\n</table>")


class Cell(NamedTuple):
    """A cell of a table, with something small after it; the best of its column is set off."""

    text: str
    small: str = ""
    best: bool = False


class Table(NamedTuple):
    """A table with the name of each row in its first cell, and its heads above."""

    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    @classmethod
    def of(cls, heads: Sequence[str], rows: Iterable[Iterable[object]]) -> Table:
        """A table of what reads as text."""
        return cls(heads, [[Cell(str(one)) for one in row] for row in rows])


def as_html(table: Table, clean: Callable[[str], str] = plain) -> Markup:
    """A ``<table>`` whose columns are of class ``words`` or ``numbers``; ``clean`` and escaping go over every text."""
    texts = [[cell.text for cell in row] for row in table.rows]
    wordy = [not at or 2 * sum(row[at][:1].isalpha() for row in texts) > len(texts) for at in range(len(table.heads))]
    kinds = ["words" if words else "numbers" for words in wordy]

    def cell(one: Cell) -> Markup:
        text = Markup.escape(clean(one.text))
        return (_BEST.format(text) if one.best else text) + (_SMALL.format(clean(one.small)) if one.small else "")

    def row(cells: Sequence[Cell]) -> Markup:
        marks = (_CELL if at else _NAME for at in range(len(cells)))
        return _ROW.format(
            Markup("").join(m.format(kind, cell(one)) for m, kind, one in zip(marks, kinds, cells, strict=True))
        )

    heads = Markup("").join(_HEAD.format(kind, clean(head)) for kind, head in zip(kinds, table.heads, strict=True))
    return _TABLE.format(_ROW.format(heads), Markup("").join(map(row, table.rows)))


def as_markdown(table: Table) -> str:
    """A table of Markdown, which ends its last line; what is small in a cell stands after it."""
    rows = [[text.replace("|", "\\|") for text in row] for row in _texts(table)]
    head, *lines = (f"| {' | '.join(line)} |\n" for line in (table.heads, *rows))
    return f"{head}{'|---' * len(table.heads)}|\n{''.join(lines)}"


def show(console: Console, table: Table) -> None:
    """Show a table on a terminal, what is small in a cell after it."""
    print_table(console, table.heads, _texts(table), names=1)


def _texts(table: Table) -> list[list[str]]:
    return [[" ".join(filter(None, cell[:2])) for cell in row] for row in table.rows]
