"""Tables of values with separators, as spreadsheets and databases export them."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice, pairwise

from clew.ingest.formats.blocks import Draft, Layout
from clew.ingest.formats.encoding import decode
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.parsed import Parsed, Rejected, Unreadable, notes, title_of_name
from clew.ingest.formats.records import MOST_REJECTED, TEXT_FIELDS, record, text_of_lines, with_hope
from clew.ingest.formats.sections import section_blocks
from clew.ingest.formats.tables import Cell, row_line
from clew.text.normalise import one_line

_DELIMITERS = ",;\t|"
_LOOK = 30
_LOOK_CHARACTERS = 50_000
_MOST_TITLE_LINES = 10
_MOST_SECTIONED = 2_000_000
"""Characters of a table that is looked through for sections, at most."""
_BLANK_ROW = re.compile(r"\n[ \t,;|]*\r?\n")
_PAIR = 2
_LEAST_PAIRS = 3
"""Rows of a section of two columns from which it is one of pairs, and no title."""
_NUMBER = re.compile(r"[+-]?\d{1,12}(?:[.,]\d{1,9})?")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_SEPARATOR_LINE = re.compile(r"sep=(.)[ \t]*\r?\n", re.IGNORECASE)

_Row = tuple[int, list[str] | str]
"""A line number with the cells of a row, or with the reason why it cannot be read."""


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a table: rows with a text column are a corpus, any other table one document with a line for each row.

    A first line ``sep=;`` names the separator, which is found otherwise. Lines above the header are the table's title.
    Where blank rows part pairs from a table, as in an order, each is read as what it is.
    Raises Unreadable where there is nothing under the header, nothing but broken rows, or more than ``limit``
    characters of text.
    """
    yield from read_table(source, "")


def read_table(source: Input, delimiter: str) -> Iterator[Parsed | Rejected]:
    """Read a table with this delimiter, or with the one that is found where it is empty; see ``read``."""
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    text = decoded.text.removeprefix("\ufeff")
    skipped = 0
    if named := _SEPARATOR_LINE.match(text):
        delimiter, skipped = named.group(1), 1
        text = text[named.end() :]
    delimiter = delimiter or _delimiter(text)
    if sections := _sections(text, delimiter, source):
        yield _parted(sections, source, notes(decoded.note))
        return
    read_rows = _rows(text, delimiter, longest=source.limit)
    rows = (
        (number + skipped, row if isinstance(row, str) else list(map(source.plain, row))) for number, row in read_rows
    )
    first = list(islice(rows, _LOOK))
    titles, header, first = _header(first)
    names = [one_line(cell) for cell in header]
    fields = [cell.lower() for cell in names]
    told = notes(decoded.note)
    rest = chain(first, rows)
    if set(TEXT_FIELDS) & set(fields):
        yield from with_hope(_noted(_records(rest, fields), told))
    else:
        yield from with_hope(_table(rest, names, titles, source, told))


def _sections(text: str, delimiter: str, source: Input) -> list[list[list[str]]]:
    """The rows between blank ones, where a file holds pairs as well as a table, as an order with its articles does.

    None where it holds one table, below title lines or not, or rows that are documents.
    """
    sample = text[:_LOOK_CHARACTERS]
    if len(text) > _MOST_SECTIONED or not _BLANK_ROW.search(sample):
        return []
    sections: list[list[list[str]]] = [[]]
    for _, row in _rows(text, delimiter, longest=source.limit, blank=True):
        if isinstance(row, str):
            return []
        if any(cell.strip() for cell in row):
            sections[-1].append([source.plain(cell) for cell in row])
        elif sections[-1]:
            sections.append([])
    sections = [section for section in sections if section]
    widths = [max(map(_width, section)) for section in sections]
    pairs = [width == _PAIR and len(section) >= _LEAST_PAIRS for width, section in zip(widths, sections, strict=True)]
    texts = any(set(TEXT_FIELDS) & {cell.strip().lower() for cell in row} for section in sections for row in section)
    return sections if any(pairs) and max(widths) > _PAIR and not texts else []


def _parted(sections: list[list[list[str]]], source: Input, told: tuple[str, ...]) -> Parsed:
    drafts = [draft for section in sections for draft in section_blocks([list(map(Cell, row)) for row in section])]
    layout = Layout(drafts)
    title = next((draft.text for draft in drafts[:1] if draft.kind == "caption"), "")
    return Parsed(title or title_of_name(source.name), layout.text, notes=told, blocks=tuple(layout.blocks))


def _delimiter(text: str) -> str:
    """The separator under which the most rows at the top have one number of cells, and more than one."""
    sample = text[:_LOOK_CHARACTERS]
    best = (0.0, 0)
    found = ","
    for delimiter in _DELIMITERS:
        widths = Counter(
            len(row) for _, row in islice(_rows(sample, delimiter, _LOOK_CHARACTERS), _LOOK) if isinstance(row, list)
        )
        width, count = max(widths.items(), key=lambda item: (item[0] > 1, item[1], item[0]), default=(1, 0))
        fit = (count / max(1, widths.total()) if width > 1 else 0.0, width)
        if fit > best:
            best, found = fit, delimiter
    return found


def _header(rows: list[_Row]) -> tuple[list[str], list[str], list[_Row]]:
    """Title lines, the header, and the rows below it; no header where the first row is one of data.

    A title is alone in its row while the rows below are wider. So is a pair ("Created;2021-03-01") with a blank line or
    half of the table's columns. Raises Unreadable where the header cannot be read.
    """
    widths = [_width(row) for _, row in rows if isinstance(row, list)]
    usual = Counter(widths[1:] or widths).most_common(1)[0][0] if widths else 0
    titles: list[str] = []
    while len(rows) > 1 and len(titles) < _MOST_TITLE_LINES and usual > 1:
        row = rows[0][1]
        if not isinstance(row, list) or not _is_above(row, rows, usual):
            break
        titles.append(one_line(": ".join(cell.strip().rstrip(":") for cell in row if cell.strip())))
        rows = rows[1:]
    if not rows:
        return titles, [], []
    number, header = rows[0]
    if isinstance(header, str):
        raise Unreadable(f"Line {number}: {header}")
    if _is_data(header, [row for _, row in rows[1:] if isinstance(row, list)]):
        return titles, [], rows
    return titles, header[: _width(header)], rows[1:]


def _is_above(row: list[str], rows: list[_Row], usual: int) -> bool:
    """Whether the first of the rows stands above the table."""
    width, number = _width(row), rows[0][0]
    if width == 1:
        return any(_width(below) > 1 for _, below in rows[1:] if isinstance(below, list))
    apart = any(at > number + count for count, (at, _) in enumerate(rows[: _MOST_TITLE_LINES + 1]))
    return width == 2 and usual > 2 and (apart or 2 * width <= usual) and usual in map(_width_of, rows[1:])


def _width_of(row: _Row) -> int:
    return _width(row[1]) if isinstance(row[1], list) else 0


def _is_data(header: list[str], below: list[list[str]]) -> bool:
    """Whether a first row is one like those below: a number stands above numbers in it, and none of them are years, or
    counts that go on from column to column, which heads may be.
    """
    numbers = [(at, cell.strip()) for at, cell in enumerate(header) if _NUMBER.fullmatch(cell.strip())]
    if not numbers or not below or any(_YEAR.fullmatch(cell) for _, cell in numbers):
        return False
    values = [float(cell.replace(",", ".")) for _, cell in numbers]
    counts = len(values) > 1 and all(b - a == 1 for a, b in pairwise(values))
    return not counts and all(
        _NUMBER.fullmatch(row[at].strip()) for at, _ in numbers for row in below if at < len(row) and row[at].strip()
    )


def _width(row: list[str]) -> int:
    """The cells of a row without the empty ones at its end."""
    return max((at for at, cell in enumerate(row, 1) if cell.strip()), default=0)


def _records(rows: Iterator[_Row], fields: list[str]) -> Iterator[Parsed | Rejected]:
    for number, row in rows:
        try:
            if isinstance(row, str):
                raise Unreadable(row)
            if _width(row) > len(fields):
                raise Unreadable(f"{_width(row)} cells, but the header has {len(fields)}.")
            yield record({field: cell for field, cell in zip(fields, row, strict=False) if field})
        except Unreadable as error:
            yield Rejected(f"Line {number}: {error}")


def _noted(items: Iterator[Parsed | Rejected], told: tuple[str, ...]) -> Iterator[Parsed | Rejected]:
    """The same documents, the first of them with the notes on their file."""
    from dataclasses import replace

    for item in items:
        if told and isinstance(item, Parsed):
            item, told = replace(item, notes=told), ()
        yield item


def _rows(text: str, delimiter: str, longest: int, *, blank: bool = False) -> Iterator[_Row]:
    """Rows that are not blank, or all, each with its line number; the reason instead of a row that cannot be read.

    ``longest`` is the number of characters in a cell, at most.
    """
    at_end = False

    def lines() -> Iterator[str]:
        nonlocal at_end
        yield from io.StringIO(text, newline="")
        at_end = True

    csv.field_size_limit(longest)  # of this process; it stands at 131,072, and a document may be longer
    reader = csv.reader(lines(), delimiter=delimiter, skipinitialspace=True)
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, f"not a readable row ({error})."
            continue
        if at_end:  # the reader asked for more than there is: all that follows would be one cell of this row
            yield number, "a quotation mark that is never closed; the rest of the file is not read."
        elif blank or any(cell.strip() for cell in row):
            yield number, row


def _table(
    rows: Iterator[_Row], names: list[str], titles: list[str], source: Input, told: tuple[str, ...]
) -> Iterator[Parsed | Rejected]:
    rejected: list[Rejected] = []
    wide: list[int] = []

    def lines() -> Iterator[str]:
        for number, row in rows:
            if isinstance(row, list):
                if names and _width(row) > len(names):
                    wide.append(number)
                yield row_line(names, row, ", ")
                continue
            rejected.append(Rejected(f"Line {number}: {row}"))
            if len(rejected) > MOST_REJECTED:
                return

    if text := text_of_lines(lines(), source.limit):
        if wide:
            told += (f"Rows with more cells than the header: {len(wide):,} (the first in line {wide[0]}).",)
        layout = Layout([*(Draft(title, "caption") for title in titles), Draft(text, "table")])
        title = titles[0] if titles else title_of_name(source.name)
        yield Parsed(title, layout.text, notes=told, blocks=tuple(layout.blocks))
    yield from rejected


FORMAT = Format("csv", "a table (csv)", "text/csv", read, media_types=("application/csv",), isolated=False)
