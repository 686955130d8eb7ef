"""Tables of values with separators, as spreadsheets and databases export them."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from clew.documents.blocks import Draft, Layout
from clew.documents.data.records import MOST_REJECTED, TEXT_FIELDS, record, table_of, with_hope
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.parsed import Parsed, Rejected, Unreadable, notes, title_of_name
from clew.documents.tables.csv_heads import Row, header_of, width_of
from clew.documents.tables.parts import Line, leads
from clew.documents.tables.rows import row_draft, row_line
from clew.text.normalise import one_line

_DELIMITERS = ",;\t|"
_LOOK = 30
_LOOK_CHARACTERS = 50_000
_LONGEST_TITLE = 120
_LONG = 20_000
"""Rows above which none is looked at for the name of a part."""
_SEPARATOR_LINE = re.compile(r"sep=(.)[ \t]*\r?\n", re.IGNORECASE)


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a table as a corpus of rows, or as one document.

    A first line ``sep=;`` names the separator, which is found otherwise. Lines above the header are the table's title.
    Raises Unreadable where there is nothing under the header, nothing but broken rows, or more than ``limit``
    characters of text.
    """
    yield from read_table(source, "")


def read_table(source: Input, delimiter: str) -> Iterator[Parsed | Rejected]:
    """Read a table with this delimiter; it is found where empty."""
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    text = decoded.text.removeprefix("\ufeff")
    skipped = 0
    if named := _SEPARATOR_LINE.match(text):
        delimiter, skipped = named.group(1), 1
        text = text[named.end() :]
    delimiter = delimiter or _delimiter(text)
    quoting = delimiter != "\t" or text.count('"') % 2 == 0  # else they are letters, as scientists write them
    read_rows = _rows(text, delimiter, longest=source.limit, quoting=quoting)
    rows = (
        (number + skipped, row if isinstance(row, str) else list(map(source.plain, row))) for number, row in read_rows
    )
    first = list(islice(rows, _LOOK))
    titles, header, first = header_of(first)
    names = [one_line(cell) for cell in header]
    fields = [cell.lower() for cell in names]
    file_notes = notes(decoded.note)
    rest = chain(first, rows)
    if set(TEXT_FIELDS) & set(fields):
        yield from with_hope(_noted(_records(rest, fields), file_notes))
    else:
        yield from with_hope(_table(rest, names, titles, source, file_notes))


def _delimiter(text: str) -> str:
    """The separator under which the most rows at the top have one number of cells, and more than one."""
    sample = text[:_LOOK_CHARACTERS]
    best = (0.0, False, 0)
    found = ","
    for delimiter in _DELIMITERS:
        looked = islice(_rows(sample, delimiter, _LOOK_CHARACTERS), _LOOK)
        rows = [row for _, row in looked if isinstance(row, list)]
        widths = Counter(map(len, rows))
        is_whole = not any('"' in cell for row in rows for cell in row)  # a delimiter within quotation marks is none
        width, count = max(widths.items(), key=lambda item: (item[0] > 1, item[1], item[0]), default=(1, 0))
        fit = (count / max(1, widths.total()) if width > 1 else 0.0, is_whole, width)
        if fit > best:
            best, found = fit, delimiter
    return found


def _records(rows: Iterator[Row], fields: list[str]) -> Iterator[Parsed | Rejected]:
    for number, row in rows:
        try:
            if isinstance(row, str):
                raise Unreadable(row)
            if width_of(row) > len(fields):
                raise Unreadable(f"{width_of(row)} cells, but the header has {len(fields)}.")
            yield record({field: cell for field, cell in zip(fields, row, strict=False) if field})
        except Unreadable as error:
            yield Rejected(f"Line {number}: {error}")


def _noted(items: Iterator[Parsed | Rejected], file_notes: tuple[str, ...]) -> Iterator[Parsed | Rejected]:
    """The same documents, the first of them with the notes on their file."""
    from dataclasses import replace

    for item in items:
        if file_notes and isinstance(item, Parsed):
            item, file_notes = replace(item, notes=file_notes), ()
        yield item


def _rows(text: str, delimiter: str, longest: int, *, quoting: bool = True) -> Iterator[Row]:
    """Rows that are not blank, each with its line number; the reason instead of a row that cannot be read.

    ``longest`` is the number of characters in a cell, at most.
    """
    at_end = False

    def lines() -> Iterator[str]:
        nonlocal at_end
        yield from io.StringIO(text, newline="")
        at_end = True

    csv.field_size_limit(longest)  # of this process; it stands at 131,072, and a document may be longer
    reader = csv.reader(lines(), delimiter=delimiter, skipinitialspace=True, quoting=0 if quoting else csv.QUOTE_NONE)
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, f"not a readable row ({error})."
            continue
        if at_end and quoting:  # the reader asked for more than there is: all that follows would be one cell
            yield number, "a quotation mark that is never closed; the rest of the file is not read."
        elif any(cell.strip() for cell in row):
            yield number, row


def _table(
    rows: Iterator[Row], names: list[str], titles: list[str], source: Input, file_notes: tuple[str, ...]
) -> Iterator[Parsed | Rejected]:
    rejected: list[Rejected] = []
    wide: list[int] = []

    def readable() -> Iterator[list[str]]:
        for number, row in rows:
            if isinstance(row, list):
                if names and width_of(row) > len(names):
                    wide.append(number)
                yield row
                continue
            rejected.append(Rejected(f"Line {number}: {row}"))
            if len(rejected) > MOST_REJECTED:
                return

    table = table_of(_lines(readable(), names), source.limit)
    if table.text:
        if wide:
            file_notes += (f"Rows with more cells than the header: {len(wide):,} (the first in line {wide[0]}).",)
        layout = Layout([*(Draft(title, "caption") for title in titles), table])
        title = titles[0] if titles and len(titles[0]) <= _LONGEST_TITLE else title_of_name(source.name)
        yield Parsed(title, layout.text, notes=file_notes, blocks=tuple(layout.blocks))
    yield from rejected


def _lines(rows: Iterator[list[str]], names: list[str]) -> Iterator[Draft]:
    """The rows, each led by the name of the part that it is in, which stands alone in a row above."""
    first = list(islice(rows, _LONG + 1))
    width = max(map(len, [names, *first]), default=0)
    is_whole = names and width > 1 and len(first) <= _LONG
    parsed_lines = [Line(tuple(map(one_line, [*row, *[""] * (width - len(row))]))) for row in first] if is_whole else []
    parts = leads(parsed_lines, headed=True) if any(line.is_alone for line in parsed_lines) else [""] * len(first)
    heads = [(name,) if name else () for name in names]
    for part, row in zip(parts, first, strict=True):
        yield Draft(row_line([], row[:1]), "row") if part is None else row_draft(heads, row, part, ", ")
    yield from (Draft(row_line(names, row, ", "), "row") for row in rows)


FORMAT = Format("csv", "a table (csv)", "text/csv", read, media_types=("application/csv",), isolated=False)
