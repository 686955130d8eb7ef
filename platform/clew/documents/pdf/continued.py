"""Drawn tables of a PDF that go on over the end of a page: their heads count for all rows, and none is torn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.documents.pdf.grids import Table, lines_of_table, same_columns
from clew.documents.pdf.layout import Line
from clew.documents.pdf.rows import in_one
from clew.documents.tables.grid import Cell, spread
from clew.documents.tables.rows import figures_below, is_quantity

_MOST_PAGES = 60
"""Pages that are read as one table, at most; what is on the next ones begins another."""
_FINAL = tuple(".!?…:;。！？")

_Rows = list[list[Cell]]


def with_whole_tables(pages: list[list[Line]], tables: Sequence[Sequence[Table]]) -> list[list[Line]]:
    """The lines of the pages, each table that ends one and goes on at the top of the next read as one.

    Each page keeps what begins on it; a row that is torn stands where it begins.
    """
    pages = list(pages)
    for first, parts in _chains(pages, tables):
        rows, ends = list(parts[0].rows), [len(parts[0].blocks)]
        for part in parts[1:]:
            before = len(rows)
            rows = _continued(rows, part.rows)
            ends.append(ends[-1] + len(rows) - before)
        blocks = lines_of_table(rows)
        if len(blocks) < ends[0]:
            continue
        begins = [0, *ends[:-1]]
        for at, (part, begin) in enumerate(zip(parts, begins, strict=True)):
            own = blocks[begin : begins[at + 1] if at + 1 < len(parts) else None]
            page = pages[first + at]
            here = _place(page, part)
            pages[first + at] = [*page[:here], *_as_lines(own, page[here]), *page[here + len(part.blocks) :]]
    return pages


def _chains(pages: Sequence[Sequence[Line]], tables: Sequence[Sequence[Table]]) -> Iterator[tuple[int, list[Table]]]:
    """The tables that go on over pages, each with the first of these and its parts there."""
    number = 0
    while number < len(pages):
        parts = [table for table in tables[number][-1:] if _ends(pages[number], table)]
        first = number
        number += 1
        while (
            0 < len(parts) < _MOST_PAGES and number < len(pages) and _goes_on(parts[-1], pages[number], tables[number])
        ):
            parts.append(tables[number][0])
            number += 1
            if len(tables[number - 1]) > 1 or not _ends(pages[number - 1], parts[-1]):
                number -= 1  # another table may go on from this page
                break
        if len(parts) > 1:
            yield first, parts


def _goes_on(above: Table, page: Sequence[Line], tables: Sequence[Table]) -> bool:
    """Whether a page begins with a table whose columns are as wide as those of the one above."""
    if not tables or _place(page, tables[0]) != 0 or not same_columns(above.xs, tables[0].xs):
        return False
    rows = tables[0].rows
    again, names = _texts(above.rows[0]) == _texts(rows[0]), not any(is_quantity(cell.text) for cell in rows[0])
    return again or not (names and figures_below(spread(rows)))


def _ends(page: Sequence[Line], table: Table) -> bool:
    """Whether nothing stands below a table on its page."""
    return _place(page, table) + len(table.blocks) == len(page)


def _place(page: Sequence[Line], table: Table) -> int:
    """The place of a table among the lines of its page; behind them where it is not there as it was read."""
    count = len(table.blocks)
    places = (at for at in range(len(page) - count + 1) if page[at].text == table.blocks[0])
    return next((at for at in places if [line.text for line in page[at : at + count]] == table.blocks), len(page) + 1)


def _as_lines(blocks: Sequence[str], like: Line) -> list[Line]:
    return [replace(like, text=block, y=like.y - at / len(blocks)) for at, block in enumerate(blocks)]


def _continued(rows: _Rows, more: _Rows) -> _Rows:
    """The rows of both parts: heads that are said again go, and a row that is torn is one."""
    again = 0
    while again < min(len(rows), len(more)) and _texts(rows[again]) == _texts(more[again]):
        again += 1
    more = more[again:] if again < len(more) else more
    if not more or not _is_torn(rows, more):
        return [*rows, *more]
    whole = [replace(a, text=in_one([a.text, b.text])) for a, b in zip(rows[-1], more[0], strict=True)]
    return [*rows[:-1], whole, *more[1:]]


def _is_torn(rows: _Rows, more: _Rows) -> bool:
    """Whether the first row below goes on with the last one above: it has no label, as each other row has one, or
    begins in small letters wherever something stands in it.
    """
    above, below = rows[-1], more[0]
    if len(above) != len(below) or any(cell.rows > 1 or cell.columns > 1 for cell in (*above, *below)):
        return False
    pairs = [(a.text, b.text) for a, b in zip(above, below, strict=True) if b.text]
    if not pairs or any(not a or is_quantity(b) for a, b in pairs):
        return False
    if all(b[0].islower() and not a.endswith(_FINAL) for a, b in pairs):
        return True
    return not below[0].text and all(row[0].text for row in (*rows[1:], *more[1:]))


def _texts(row: Sequence[Cell]) -> list[str]:
    return [cell.text for cell in row]
