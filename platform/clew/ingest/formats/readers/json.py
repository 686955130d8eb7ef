"""JSON: a corpus where its objects have a text, else one text of lines "path: value"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.parsed import Parsed, Rejected, Unreadable, title_of_name
from clew.ingest.formats.records import (
    TITLE_FIELDS,
    json_value,
    readable,
    record,
    scalar,
    text_of,
    text_of_lines,
    with_hope,
)
from clew.ingest.formats.tables import row_line
from clew.text.normalise import normalise, one_line


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a list of objects that have a text as a corpus, also where it lies in an object ({"data": […]}).

    A list of flat objects is a table, with a line for each; any other JSON becomes lines of "path: value". Raises
    Unreadable where it is no JSON, is nested too deeply, has more values than memory should hold, or more than
    ``limit`` characters of text.
    """
    try:
        value = json_value(source.data)
    except Unreadable as error:
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
    lines = _table(rows) if isinstance(value, list) and all(map(_is_flat, rows)) else readable(value)
    text = normalise(text_of_lines(lines, source.limit))
    yield Parsed(one_line(title) or title_of_name(source.name), text)


def _entries(rows: list[Any]) -> Iterator[Parsed | Rejected]:
    for number, row in enumerate(rows, 1):
        try:
            yield record(row)
        except Unreadable as error:
            yield Rejected(f"Entry {number}: {error}")


def _is_flat(row: object) -> bool:
    return isinstance(row, dict) and bool(row) and not any(isinstance(value, dict | list) for value in row.values())


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    return (row_line(list(row), list(map(scalar, row.values())), ", ") for row in rows)


FORMAT = Format("json", "JSON", "application/json", read, media_types=("text/json",), isolated=False)
