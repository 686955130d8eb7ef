"""Rows and records: csv, json and jsonl, each a corpus of documents where its rows have a text, else one document."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

from clew.ids import digest
from clew.ingest.formats.parsed import Parsed, Rejected, Unreadable, one_line, opening, title_of_name
from clew.ingest.formats.plain import decode, normalise

TEXT_FIELDS = ("text", "contents", "body")
"""The fields that make a row a document, the first that is there."""

_ID_FIELDS = ("id", "_id")
_MOST_VALUES = 2_000_000
_LONGEST_ID = 200
_HOPELESS = 20
_FINAL = tuple(".!?…;:")


def parse_jsonl(readline: Callable[[int], bytes], limit: int) -> Iterator[Parsed | Rejected]:
    """Read a corpus in constant memory, from a stream's ``readline``.

    ``limit`` bounds the bytes of one line, not of the file. A broken line is rejected with its number. Raises
    Unreadable where the first lines are all broken: what follows is then no corpus, whatever it is.
    """
    number = 0
    pending: list[Rejected] | None = []
    while line := readline(limit + 1):
        number += 1
        if not line.strip() and line.endswith(b"\n"):
            continue
        try:
            row = _row_of_line(line, readline, limit, number)
        except Unreadable as error:
            rejected = Rejected(f"Line {number}: {error}")
            if pending is None:
                yield rejected
            else:
                pending.append(rejected)
                if len(pending) == _HOPELESS:
                    break
            continue
        yield from pending or ()
        pending = None
        yield row
    if pending:
        raise Unreadable(f"No line of it can be read. {pending[0].reason}")
    if pending is not None:
        raise Unreadable("It holds nothing but white space." if number else "It is empty.")


def _row_of_line(line: bytes, readline: Callable[[int], bytes], limit: int, number: int) -> Parsed:
    if len(line) > limit and not line.endswith(b"\n"):
        while (piece := readline(1 << 20)) and not piece.endswith(b"\n"):
            pass
        raise Unreadable(f"longer than {limit / 1e6:g} MB (CLEW_MAX_FILE_MB).")
    if number == 1 and line.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("in UTF-16; save the file as UTF-8.")
    return _record(_json(line))


def parse_json(data: bytes, name: str) -> Iterator[Parsed | Rejected]:
    """Read a list of objects that have a text as a corpus; any other JSON becomes one text of "path: value" lines.

    Raises Unreadable where it is no JSON, is nested too deeply, or has more values than memory should hold.
    """
    value = _json(data)
    del data
    rows = value if isinstance(value, list) else [value]
    if any(isinstance(row, dict) and _text_of(row) is not None for row in rows):
        for number, row in enumerate(rows, 1):
            try:
                yield _record(row)
            except Unreadable as error:
                yield Rejected(f"Entry {number}: {error}")
        return
    title = value.get("title") if isinstance(value, dict) else None
    text = normalise("\n".join(_readable(value)))
    yield Parsed(one_line(title) if isinstance(title, str) and title.strip() else title_of_name(name), text)


def parse_csv(data: bytes, name: str) -> Iterator[Parsed | Rejected]:
    """Read a table: rows with a text column are a corpus, any other table one document with a line for each row.

    Raises Unreadable where there is nothing under the header.
    """
    text = decode(data)
    first = text.lstrip().partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t|", key=first.count))
    rows = _csv_rows(reader)
    header = next((row for _, row in rows if isinstance(row, list)), [])
    names = [one_line(cell) for cell in header]
    fields = [cell.lower() for cell in names]
    if not set(TEXT_FIELDS) & set(fields):
        yield from _table(rows, names, name)
        return
    for number, row in rows:
        try:
            if isinstance(row, str):
                raise Unreadable(row)
            if len(row) > len(fields):
                raise Unreadable(f"{len(row)} cells, but the header has {len(fields)}.")
            yield _record(dict(zip(fields, row, strict=False)))
        except Unreadable as error:
            yield Rejected(f"Line {number}: {error}")


def _csv_rows(reader: Any) -> Iterator[tuple[int, list[str] | str]]:
    """Rows that are not blank, each with its line number; the reason instead of a row that cannot be read."""
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, f"not a readable row ({error})."
            continue
        if any(cell.strip() for cell in row):
            yield number, row


def _table(rows: Iterator[tuple[int, list[str] | str]], names: list[str], name: str) -> Iterator[Parsed | Rejected]:
    lines = []
    for number, row in rows:
        if isinstance(row, str):
            yield Rejected(f"Line {number}: {row}")
        elif len(row) > len(names):
            yield Rejected(f"Line {number}: {len(row)} cells, but the header has {len(names)}.")
        else:
            lines.append(row_line(names, row, ", "))
    text = normalise("\n".join(lines))
    if not text:
        raise Unreadable("It has no rows under its header.")
    yield Parsed(title_of_name(name), text)


def row_line(names: list[str], row: list[str], separator: str = "; ") -> str:
    """A table's row as a line, "header: value; header: value.", without its empty cells."""
    padded = names + [""] * (len(row) - len(names))
    cells = [(n, " ".join(cell.split())) for n, cell in zip(padded, row, strict=False)]
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
    return Parsed(title, text, locator)


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
        raise Unreadable(f"more than {_MOST_VALUES:,} values in one piece of JSON; split it, or write it as jsonl.")
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
    """JSON as lines "path: value", in its own order; without recursion, whatever the depth."""
    todo: list[tuple[str, object]] = [("", value)]
    while todo:
        path, node = todo.pop()
        if isinstance(node, dict):
            todo.extend((f"{path}.{key}" if path else str(key), child) for key, child in reversed(node.items()))
        elif isinstance(node, list):
            scalars = [_scalar(child) for child in node if not isinstance(child, dict | list)]
            if node and len(scalars) == len(node) and all(len(s) <= 80 for s in scalars):
                yield _line(path, ", ".join(filter(None, scalars)))
            else:
                todo.extend((f"{path}[{i}]", child) for i, child in reversed(list(enumerate(node, 1))))
        else:
            yield _line(path, _scalar(node))


def _scalar(value: object) -> str:
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).strip()


def _line(path: str, value: str) -> str:
    if not value:
        return ""
    line = f"{path}: {value}" if path else value
    return line if line.endswith(_FINAL) else f"{line}."
