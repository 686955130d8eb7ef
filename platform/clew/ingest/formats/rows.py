"""Rows and records: csv, json and jsonl, each a corpus of documents where its rows have a text, else one document."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clew.ids import digest
from clew.ingest.formats.parsed import (
    Parsed,
    Rejected,
    Unreadable,
    opening,
    title_of_name,
)
from clew.ingest.formats.plain import decode
from clew.text.normalise import LONGEST_TITLE, normalise, one_line

TEXT_FIELDS = ("text", "contents", "body")
"""The fields that make a row a document, the first that is there."""

_ID_FIELDS = ("id", "_id")
_MOST_VALUES = 2_000_000
_LONGEST_ID = 200
_HOPELESS = 20
_MOST_REJECTED = 1000
_BLOCK = 1 << 20
_FINAL = tuple(".!?…;:")


def parse_jsonl(readline: Callable[[int], bytes], limit: int) -> Iterator[Parsed | Rejected]:
    """Read a corpus in constant memory, from a stream's ``readline``.

    ``limit`` bounds the bytes of one line, not of the file. A broken line is rejected with its number. Raises
    Unreadable where the first lines are all broken: what follows is then no corpus, whatever it is.
    """
    return _with_hope(_jsonl_rows(readline, limit))


def _with_hope(rows: Iterator[Parsed | Rejected]) -> Iterator[Parsed | Rejected]:
    """The same rows, given up where there are only broken ones at the start, or too many of them."""
    pending: list[Rejected] = []
    hopeful = False
    rejected = 0
    for row in rows:
        if isinstance(row, Parsed):
            yield from pending
            pending.clear()
            hopeful = True
            yield row
            continue
        rejected += 1
        if not hopeful:
            pending.append(row)
            if len(pending) == _HOPELESS:
                break
        elif rejected > _MOST_REJECTED:
            raise Unreadable(f"More than {_MOST_REJECTED:,} of its rows are broken; the rest was not read.")
        else:
            yield row
    if not hopeful:
        raise Unreadable(f"Nothing in it can be read. {pending[0].reason}" if pending else "It has no rows.")


def _jsonl_rows(readline: Callable[[int], bytes], limit: int) -> Iterator[Parsed | Rejected]:
    number = 0
    while line := readline(limit + 1):
        number += 1
        if line.strip() or not line.endswith(b"\n"):
            try:
                yield _row_of_line(line, readline, limit, number)
            except Unreadable as error:
                yield Rejected(f"Line {number}: {error}")


def _row_of_line(line: bytes, readline: Callable[[int], bytes], limit: int, number: int) -> Parsed:
    if len(line) > limit and not line.endswith(b"\n"):
        while (piece := readline(1 << 20)) and not piece.endswith(b"\n"):
            pass
        raise Unreadable(f"longer than {limit / 1e6:g} MB (CLEW_MAX_FILE_MB).")
    if number == 1 and line.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("in UTF-16; save the file as UTF-8.")
    return _record(_json(line.rstrip()))


def parse_json(data: bytes, name: str, limit: int) -> Iterator[Parsed | Rejected]:
    """Read a list of objects that have a text as a corpus; any other JSON becomes one text of "path: value" lines.

    Raises Unreadable where it is no JSON, is nested too deeply, has more values than memory should hold, or more than
    ``limit`` characters of text.
    """
    try:
        value = _json(data)
    except Unreadable as error:
        raise Unreadable(f"It is {error}") from error
    del data
    rows = value if isinstance(value, list) else [value]
    if any(isinstance(row, dict) and _text_of(row) is not None for row in rows):
        yield from _with_hope(_entries(rows))
        return
    title = value.get("title") if isinstance(value, dict) else None
    text = normalise(_text_of_lines(_readable(value), limit))
    yield Parsed(one_line(title) if isinstance(title, str) and title.strip() else title_of_name(name), text)


def _entries(rows: list[Any]) -> Iterator[Parsed | Rejected]:
    for number, row in enumerate(rows, 1):
        try:
            yield _record(row)
        except Unreadable as error:
            yield Rejected(f"Entry {number}: {error}")


def parse_csv(data: bytes, name: str, limit: int) -> Iterator[Parsed | Rejected]:
    """Read a table: rows with a text column are a corpus, any other table one document with a line for each row.

    Raises Unreadable where there is nothing under the header, nothing but broken rows, or more than ``limit``
    characters of text.
    """
    text = decode(data)
    first = text.lstrip().partition("\n")[0]
    rows = _csv_rows(text, delimiter=max(",;\t|", key=first.count), longest=limit)
    number, header = next(rows, (1, []))
    if isinstance(header, str):
        raise Unreadable(f"Line {number}: {header}")
    names = [one_line(cell) for cell in header]
    fields = [cell.lower() for cell in names]
    is_corpus = set(TEXT_FIELDS) & set(fields)
    return _with_hope(_csv_records(rows, fields) if is_corpus else _table(rows, names, name, limit))


def _csv_records(rows: Iterator[tuple[int, list[str] | str]], fields: list[str]) -> Iterator[Parsed | Rejected]:
    for number, row in rows:
        try:
            if isinstance(row, str):
                raise Unreadable(row)
            if len(row) > len(fields):
                raise Unreadable(f"{len(row)} cells, but the header has {len(fields)}.")
            yield _record(dict(zip(fields, row, strict=False)))
        except Unreadable as error:
            yield Rejected(f"Line {number}: {error}")


def _csv_rows(text: str, delimiter: str, longest: int) -> Iterator[tuple[int, list[str] | str]]:
    """Rows that are not blank, each with its line number; the reason instead of a row that cannot be read.

    ``longest`` is the number of characters in a cell, at most.
    """
    at_end = False

    def lines() -> Iterator[str]:
        nonlocal at_end
        yield from io.StringIO(text, newline="")
        at_end = True

    csv.field_size_limit(longest)  # of this process; it stands at 131,072, and a document may be longer
    reader = csv.reader(lines(), delimiter=delimiter)
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
        elif any(cell.strip() for cell in row):
            yield number, row


def _table(
    rows: Iterator[tuple[int, list[str] | str]], names: list[str], name: str, limit: int
) -> Iterator[Parsed | Rejected]:
    rejected: list[Rejected] = []

    def lines() -> Iterator[str]:
        for number, row in rows:
            if isinstance(row, list) and len(row) <= len(names):
                yield row_line(names, row, ", ")
                continue
            fault = row if isinstance(row, str) else f"{len(row)} cells, but the header has {len(names)}."
            rejected.append(Rejected(f"Line {number}: {fault}"))
            if len(rejected) > _MOST_REJECTED:
                return

    if text := normalise(_text_of_lines(lines(), limit)):
        yield Parsed(title_of_name(name), text)
    yield from rejected


def _text_of_lines(lines: Iterable[str], limit: int) -> str:
    """The lines as one text, in blocks because millions of short strings take ten times its size.

    Raises Unreadable above ``limit`` characters: names are repeated on every line, so that a small file can become a
    large text.
    """
    blocks: list[str] = []
    block: list[str] = []
    total = size = 0
    for line in lines:
        if not line:
            continue
        block.append(line)
        size += len(line) + 1
        if size > _BLOCK:
            blocks.append("\n".join(block))
            total += size
            size = 0
            block.clear()
            if total > limit:
                raise Unreadable(f"It unpacks to more than {limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
    return "\n".join([*blocks, "\n".join(block)])


def row_line(names: list[str], row: list[str], separator: str = "; ") -> str:
    """A table's row as a line, "header: value; header: value.", without its empty cells."""
    padded = names + [""] * (len(row) - len(names))
    cells = [(n[:LONGEST_TITLE], " ".join(cell.split())) for n, cell in zip(padded, row, strict=False)]
    line = separator.join(f"{n}: {cell}" if n else cell for n, cell in cells if cell)
    return line if not line or line.endswith(_FINAL) else f"{line}."


def _record(row: object) -> Parsed:
    """The document of one row: its locator is its id, else a hash of title and text (rows may come in any order)."""
    if not isinstance(row, dict):
        raise Unreadable("not an object with a text.")
    content = _text_of(row)
    if content is None:
        raise Unreadable(f"no text (a field {', '.join(TEXT_FIELDS[:-1])} or {TEXT_FIELDS[-1]}).")
    text = normalise(content)
    if not text:
        raise Unreadable("its text is empty.")
    given = row.get("title")
    title = one_line(normalise(given)) if isinstance(given, str) else ""
    title = title or opening(text)
    key = next((str(row[field]).strip() for field in _ID_FIELDS if row.get(field) not in (None, "")), "")
    locator = normalise(key)
    if not locator or len(locator) > _LONGEST_ID or locator != key:
        locator = digest(key or f"{title}\n{text}")[:32]
    return Parsed(title, text, locator, row=row)


def _text_of(row: dict[str, Any]) -> str | None:
    for field in TEXT_FIELDS:
        value = row.get(field)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            return "\n\n".join(value)
    return None


def _json(data: bytes) -> Any:
    """The value of JSON text, numbers as they were written (so that a number of a million digits costs nothing)."""
    if sum(map(data.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        raise Unreadable(f"JSON with more than {_MOST_VALUES:,} values; split it, or write it as jsonl.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise Unreadable(f"not valid UTF-8 (byte {error.start + 1}).") from error
        text = decode(data)
    del data
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError as error:
        raise Unreadable("JSON that is nested too deeply.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise Unreadable(f"not valid JSON ({error.msg}, {where}).") from error


def _readable(value: object) -> Iterator[str]:
    """JSON as lines "path: value", in its own order; without recursion, and one path at a time."""
    todo: list[Iterator[tuple[str, object]]] = [iter([("", value)])]
    while todo:
        path, node = next(todo[-1], (None, None))
        if path is None:
            todo.pop()
        elif isinstance(node, dict):
            todo.append(_members(path, node))
        elif isinstance(node, list):
            scalars = [_scalar(child) for child in node if not isinstance(child, dict | list)]
            if node and len(scalars) == len(node) and all(len(s) <= 80 for s in scalars):
                yield _line(path, ", ".join(filter(None, scalars)))
            else:
                todo.append(_elements(path, node))
        else:
            yield _line(path, _scalar(node))


def _members(path: str, node: dict[str, object]) -> Iterator[tuple[str, object]]:
    for key, child in node.items():
        yield f"{path}.{key[:LONGEST_TITLE]}" if path else key[:LONGEST_TITLE], child


def _elements(path: str, node: list[object]) -> Iterator[tuple[str, object]]:
    for number, child in enumerate(node, 1):
        yield f"{path}[{number}]", child


def _scalar(value: object) -> str:
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).strip()


def _line(path: str, value: str) -> str:
    if not value:
        return ""
    line = f"{path}: {value}" if path else value
    return line if line.endswith(_FINAL) else f"{line}."
