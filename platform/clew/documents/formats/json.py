"""JSON: a corpus of objects with a text, else one text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from clew.documents.blocks import Draft, Layout
from clew.documents.data.records import (
    TITLE_FIELDS,
    json_value,
    readable_rows,
    record,
    scalar,
    table_of,
    text_of,
    with_hope,
)
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.formats.jsonl import read_lines
from clew.documents.parsed import Parsed, Rejected, Unreadable, notes, title_of_name
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import row_draft, table_blocks
from clew.text.normalise import one_line


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read JSON as a corpus of objects, or as one document.

    A list of flat objects is a table, with a line for each; so is a list of rows whose first one names the columns.
    Any other JSON becomes lines of "path: value". Objects of which each has a line of its own are read as such. Raises
    Unreadable where it is no JSON, is nested too deeply, has more values than memory should hold, or more than
    ``limit`` characters of text.
    """
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    data = decoded.text.encode()
    try:
        value = json_value(data, source.plain)
    except Unreadable as error:
        if _is_lines(data):
            yield from read_lines(io.BytesIO(data).readline, source.limit, source.plain)
            return
        raise Unreadable(f"It is {error}") from error
    rows = value if isinstance(value, list) else [value]
    lists = [inner for inner in value.values() if isinstance(inner, list)] if isinstance(value, dict) else []
    for some in [rows, *lists]:
        if any(isinstance(row, dict) and text_of(row) is not None for row in some):
            yield from with_hope(_entries(some))
            return
    title = (
        next((value[f] for f in TITLE_FIELDS if isinstance(value.get(f), str)), "") if isinstance(value, dict) else ""
    )
    layout = Layout([table_of(_lines(value), source.limit)])
    title, file_notes = one_line(title) or title_of_name(source.name), notes(decoded.note)
    yield Parsed(title, layout.text, notes=file_notes, blocks=tuple(layout.blocks))


def _is_lines(data: bytes) -> bool:
    """Whether the first line is a whole object, and another one follows."""
    first, _, rest = data.strip().partition(b"\n")
    try:
        return rest.lstrip()[:1] == b"{" and isinstance(json_value(first.rstrip().removesuffix(b",")), dict)
    except Unreadable:
        return False


def _lines(value: object) -> Iterator[Draft]:
    if isinstance(value, list) and value and all(map(_is_flat, value)):
        return _table(value)
    if isinstance(value, list) and len(value) > 1 and all(map(_is_row, value)):
        return iter(table_blocks([[Cell(scalar(cell)) for cell in row] for row in value]))
    return readable_rows(value)


def _is_row(row: object) -> bool:
    return isinstance(row, list) and len(row) > 1 and not any(isinstance(value, dict | list) for value in row)


def _entries(rows: list[Any]) -> Iterator[Parsed | Rejected]:
    for number, row in enumerate(rows, 1):
        try:
            yield record(row)
        except Unreadable as error:
            yield Rejected(f"Entry {number}: {error}")


def _is_flat(row: object) -> bool:
    return isinstance(row, dict) and bool(row) and not any(isinstance(value, dict | list) for value in row.values())


def _table(rows: list[dict[str, Any]]) -> Iterator[Draft]:
    return (row_draft([(name,) for name in row], list(map(scalar, row.values())), separator=", ") for row in rows)


FORMAT = Format("json", "JSON", "application/json", read, media_types=("text/json",), isolated=False)
