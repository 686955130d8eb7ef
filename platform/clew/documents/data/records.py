"""Records: what csv, JSON and JSON lines share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from clew.documents.blocks import Draft, DraftCell
from clew.documents.format import Plain, as_it_is
from clew.documents.metadata import metadata_line
from clew.documents.parsed import NO_TEXT, Parsed, Rejected, Unreadable, opening
from clew.documents.tables.rows import row_draft
from clew.ids import digest
from clew.text.normalise import LONGEST_TITLE, normalise, one_line
from clew.types import Json

TEXT_FIELDS = ("text", "contents", "content", "body", "page_content", "passage")
"""The fields that make a row a document, the first that is there."""
TITLE_FIELDS = ("title", "name", "headline", "heading", "subject")
"""The fields that name a row's document, the first that is there."""

_ID_FIELDS = ("id", "_id")
_NAME = "name"
_NAMES = (_NAME, "login", "username", "user_name", "display_name", "displayName", "full_name", "fullName")
"""What an object is called by, the first that is there."""
_FACTS = ("facts", "triples", "extracted_triples", "extracted_entities")
"""What was read off a text, and is no part of it (``clew.extraction.openie``)."""
_LEAST_FIELDS = 2
_LEAST_WORDS = 4
"""Words from which a value that is nested says something."""
_MOST_VALUES = 2_000_000
_LONGEST_ID = 200
_MOST_ROWS = 20_000
_LONGEST_VALUE = 200
_MOST_LISTED = 20
_MOST_LOOKED = 1000
_MOST_FIELDS = 30
_HOPELESS = 20
MOST_REJECTED = 1000
"""Rows of one file that are reported as broken, at most."""
_BLOCK = 1 << 20
_NUMBER = re.compile(r"[+-]?\d[\d.eE+-]*")
_FINAL = tuple(".!?…;:")
_NOISE = re.compile(r"[0-9a-f]{16,}(?:-[0-9a-f]+)*|[A-Za-z0-9+/=_-]{80,}", re.IGNORECASE)


def with_hope(rows: Iterator[Parsed | Rejected]) -> Iterator[Parsed | Rejected]:
    """The same rows, given up where too many are broken."""
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
        elif rejected > MOST_REJECTED:
            raise Unreadable(f"More than {MOST_REJECTED:,} of its rows are broken; the rest was not read.")
        else:
            yield row
    if not hopeful:
        raise Unreadable(f"Nothing in it can be read. {pending[0].reason}" if pending else NO_TEXT)


def text_of_lines(lines: Iterable[str], limit: int) -> str:
    """The lines as one text, joined in blocks to save memory.

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


def table_of(rows: Iterable[Draft], limit: int) -> Draft:
    """Rows as one block; the first ``_MOST_ROWS`` keep their cells.

    Raises Unreadable above ``limit`` characters.
    """
    kept: list[Draft] = []

    def lines() -> Iterator[str]:
        for row in rows:
            if row.text and len(kept) < _MOST_ROWS:
                kept.append(row)
            yield row.text

    return Draft(text_of_lines(lines(), limit), "table", rows=tuple(kept))


def record(row: object) -> Parsed:
    """The document of one row, located by its id or a hash.

    Its other columns are its metadata, and said in a last line of the text, so that they can be asked for. A row
    without a field that is known to hold a text is a text of its fields. Raises Unreadable for a row with neither.
    """
    if isinstance(row, str) and any(map(str.isalpha, row)):
        row = {"text": row}
    if not isinstance(row, dict):
        raise Unreadable("not an object with a text.")
    content = text_of(row)
    if content is not None and not normalise(content) and _has_fields(row):
        content = None  # an entry of a bank without a remark, an issue that is all in its title and labels
    named = next((field for field in TITLE_FIELDS if isinstance(row.get(field), str) and row[field].strip()), "")
    inside = "" if named else _title_inside(row)
    metadata: Json = {}
    known = {named, *_ID_FIELDS}
    if content is not None:
        metadata = _other_columns(row, "title" if named == "title" or inside else "")
        text = normalise(content)
        text = "\n\n".join([text, *_also_said(row, known, metadata, text)]) if text else ""
    else:
        text = _text_of_fields(row, known)
    if not text:
        raise Unreadable("its text is empty.")
    title = one_line(normalise(row[named] if named else inside)) or opening(text)
    locator = _locator(row, f"{title}\n{text}")
    if line := normalise(metadata_line(metadata)):
        text = f"{text}\n\n{line}"
    return Parsed(title, text, locator, row=row, metadata=metadata)


def _text_of_fields(row: Json, known: set[str]) -> str:
    """The fields of a row as its text, without those that are ``known``. Raises Unreadable where nothing is left."""
    fields = "\n".join(filter(None, readable({key: value for key, value in row.items() if key not in known})))
    if not fields:
        raise Unreadable(f"no text (a field {', '.join(TEXT_FIELDS[:-1])} or {TEXT_FIELDS[-1]}).")
    return normalise(fields)


def _locator(row: Json, content: str) -> str:
    """The id of a row; the hash of one that cannot stand in a line, or of the content of a row without."""
    key = next((str(row[field]).strip() for field in _ID_FIELDS if row.get(field) not in (None, "")), "")
    is_plain = 0 < len(key) <= _LONGEST_ID and normalise(key) == key
    return key if is_plain else digest(key or content)[:32]


def _has_fields(row: Json) -> bool:
    """Whether a row has several values of its own, besides what names it and what leads elsewhere."""
    known = {*_ID_FIELDS, *TITLE_FIELDS, *TEXT_FIELDS}
    shown = [scalar(value) for key, value in row.items() if key not in known and not isinstance(value, dict | list)]
    return sum(bool(value) and "://" not in value for value in shown) >= _LEAST_FIELDS


def text_of(row: dict[str, Any]) -> str | None:
    """The text of a row, None where it has none."""
    field = _text_field(row)
    if field is None:
        return None
    value = row[field]
    if isinstance(value, str):
        return value
    if all(isinstance(part, str) for part in value):
        return "\n\n".join(value)
    return "".join(part if isinstance(part, str) else part["text"] for part in value)  # a message with marks in it


def _text_field(row: dict[str, Any]) -> str | None:
    fields = [field for field in TEXT_FIELDS if _is_text(row.get(field))]
    return next((field for field in fields if any(map(_says, row[field]))), fields[0] if fields else None)


def _says(part: object) -> bool:
    return bool(part.strip()) if isinstance(part, str) else True


def _is_text(value: object) -> bool:
    """Whether a value is a text, paragraphs, or the pieces of a message, some of which are marked."""
    if isinstance(value, list) and value:
        plain = sum(isinstance(part, str) for part in value)
        marked = sum(isinstance(part, dict) and isinstance(part.get("text"), str) for part in value)
        return plain > 0 and plain + marked == len(value)
    return isinstance(value, str)


def _also_said(row: Json, known: set[str], metadata: Json, text: str) -> list[str]:
    """What a row says besides its text and metadata: other long texts, and what nests in it (comments of a ticket).

    What repeats the text in another form is left out, and so are numbers and lists of names.
    """
    own = _text_field(row)
    found: list[str] = []
    others = ((key, value) for key, value in row.items() if key not in {own, *known, *_FACTS})
    for key, value in islice(others, _MOST_FIELDS):
        if isinstance(value, str):
            long_text = normalise(value) if len(value) > _LONGEST_VALUE and not _NOISE.fullmatch(value) else ""
            found += [long_text] if long_text and long_text not in text else []
        elif _has_sentence(value) and metadata.get(key) != value:
            found.append("\n".join(filter(None, readable({key: value}))))
    return found


def _has_sentence(value: object) -> bool:
    """Whether an object or a list holds a text of several words somewhere."""
    todo, looked = [value], 0
    while todo and looked < _MOST_LOOKED:
        looked += 1
        node = todo.pop()
        if isinstance(node, str) and len(node.split()) >= _LEAST_WORDS:
            return True
        if isinstance(node, dict):
            todo += node.values()
        elif isinstance(node, list):
            todo += node[:_MOST_LOOKED]
    return False


def _title_inside(row: dict[str, Any]) -> str:
    """The title that a row has among its metadata, "" where it has none."""
    inner = row.get("metadata")
    title = inner.get("title") if isinstance(inner, dict) else None
    return title if isinstance(title, str) else ""


def _other_columns(row: dict[str, Any], title: str) -> Json:
    """The short values of a row that are neither its text, its title nor its id; short lists of them are kept whole.

    Those of an object in it ("metadata": {"author": …}) count as the row's own, but for its name, which stands for the
    object: {"author": {"name": "Jon Ek"}} has the author Jon Ek.
    """
    text = _text_field(row)
    inner = [pair for value in row.values() if isinstance(value, dict) for pair in value.items()]
    called = [(key, _named(value)) for key, value in row.items()]
    found: Json = {}
    for key, value in [*called, *(pair for pair in inner if pair[0] not in _NAMES)]:
        if key in {text, title, *_ID_FIELDS} or len(key) > _LONGEST_VALUE:
            continue
        if (shown := _short(value)) is not None:
            found.setdefault(key, shown)
    return found


def _short(value: object) -> str | list[str] | None:
    """A value that is short, or a list of such values; None for any other."""
    if isinstance(value, list):
        several = [scalar(part) for part in value[:_MOST_LISTED] if part and not isinstance(part, dict | list)]
        is_whole = 0 < len(several) == len(value)
        return several if is_whole and sum(map(len, several)) <= _LONGEST_VALUE else None
    shown = scalar(value) if not isinstance(value, dict) else ""
    return shown if shown and len(shown) <= _LONGEST_VALUE and not _NOISE.fullmatch(shown) else None


def _named(value: object) -> object:
    """The name of an object that has one, those of a list of such objects; any other value is itself."""
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        names = [_named(part) for part in value]
        return value if any(isinstance(name, dict) for name in names) else names
    if isinstance(value, dict):
        return next((value[name] for name in _NAMES if isinstance(value.get(name), str)), value)
    return value


def json_value(data: bytes, plain: Plain = as_it_is) -> Any:
    """The value of JSON text, numbers as they were written.

    Of values that are pieces of web pages it has what ``plain`` makes of them.
    """
    if sum(map(data.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        raise Unreadable(f"JSON with more than {_MOST_VALUES:,} values; split it, or write it as jsonl.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"not valid UTF-8 (byte {error.start + 1}).") from error
    del data
    try:
        made_plain = _reader(text, plain)
        value = json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_hook=made_plain)
        return _made_plain(value, plain) if made_plain else value
    except RecursionError as error:
        raise Unreadable("JSON that is nested too deeply.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise Unreadable(f"not valid JSON ({error.msg}, {where}).") from error


def _reader(text: str, plain: Plain) -> Callable[[Json], Json] | None:
    """What makes the values of each object plain; None where none can have markup, which most corpora have not."""
    if "<" not in text and "&" not in text and "\\u00" not in text:
        return None

    def read(row: Json) -> Json:
        return {key: _made_plain(value, plain) for key, value in row.items()}

    return read


def _made_plain(value: Any, plain: Plain) -> Any:
    if isinstance(value, list):
        return [plain(part) if isinstance(part, str) else part for part in value]
    return plain(value) if isinstance(value, str) else value


def readable_rows(value: object) -> Iterator[Draft]:
    """JSON as lines "path: value", in its own order, without recursion.

    A small object that is one of several is one line, because what it says belongs together.
    """
    todo: list[Iterator[tuple[str, object, str]]] = [iter([("", value, "")])]
    while todo:
        path, node, one_of = next(todo[-1], (None, None, ""))
        if path is None:
            todo.pop()
        elif isinstance(node, dict):
            if one_of and (row := _row(one_of, node)):
                yield row
            else:
                todo.append(_members(path, node))
        elif isinstance(node, list):
            scalars = [scalar(child) for child in node if not isinstance(child, dict | list)]
            if node and len(scalars) == len(node) and all(len(s) <= 80 for s in scalars):
                yield _line(path, ", ".join(filter(None, scalars)))
            else:
                todo.append(_elements(path, node))
        else:
            yield _line(path, scalar(node))


def readable(value: object) -> Iterator[str]:
    """JSON as lines "path: value" (``readable_rows``), without their cells."""
    return (row.text for row in readable_rows(value) if row.text)


def _members(path: str, node: dict[str, object]) -> Iterator[tuple[str, object, str]]:
    alike = len(node) > 1 and all(isinstance(child, dict) and child for child in node.values())
    for key, child in node.items():
        name = key[:LONGEST_TITLE]
        yield f"{path}.{name}" if path else name, child, name if alike else ""


def _elements(path: str, node: list[object]) -> Iterator[tuple[str, object, str]]:
    for number, child in enumerate(node, 1):
        yield f"{path}[{number}]", child, path.rpartition(".")[2] or "-"


def _row(one_of: str, node: dict[str, object]) -> Draft | None:
    """A small object as a row, led by its name or by what it is one of; None where it is no row."""
    names, values = [""], ["" if one_of == "-" else one_of]
    todo = list(reversed(node.items()))
    while todo:
        name, value = todo.pop()
        if isinstance(value, dict):
            todo += [(f"{name}.{key}", child) for key, child in reversed(value.items())]
            continue
        if isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
            if is_shape(value):
                continue  # the outline of a place on a map says nothing in words, and must not part what does
            return None
        shown = ", ".join(map(scalar, value)) if isinstance(value, list) else scalar(value)
        if len(shown) > _LONGEST_VALUE or len(name) > _LONGEST_VALUE or len(names) + len(todo) > _MOST_FIELDS:
            return None
        names, values = [*names, name], [*values, shown]
    return row_draft([(name,) if name else () for name in names], values) if any(values[1:]) else None


def is_shape(value: object) -> bool:
    """Whether a list holds nothing but lists of numbers, however deep."""
    todo, looked = [value], 0
    while todo and looked < _MOST_LOOKED:
        looked += 1
        node = todo.pop()
        if isinstance(node, list):
            todo += node[:_MOST_LOOKED]
        elif not isinstance(node, str) or not _NUMBER.fullmatch(node):
            return False
    return True


def scalar(value: object) -> str:
    """A value as people write it; "" where there is none."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).strip()


def _line(path: str, value: str) -> Draft:
    if not value:
        return Draft("")
    line = f"{path}: {value}" if path else value
    cell = DraftCell(value, (path,) if path else ())
    return Draft(line if line.endswith(_FINAL) else f"{line}.", "row", cells=(cell,))
