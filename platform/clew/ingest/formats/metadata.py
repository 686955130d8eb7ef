"""What a document says of itself, typed, and as a line of its text that can be asked for and cited."""

from __future__ import annotations

import re

from clew.ingest.formats.blocks import Draft, Layout
from clew.ingest.formats.tables import row_line
from clew.text.normalise import normalise, one_line
from clew.types import Json

_LONGEST = 300


SAID = ("author", "authors", "creator", "editor", "publisher", "date", "created", "published", "updated", "version")
"""Fields that people ask about, so that they belong in the text; the others say how a document is kept or laid out."""


def unsaid(metadata: Json, text: str) -> Json:
    """Who wrote a document and when, as far as its text does not say so."""
    return {key: value for key, value in metadata.items() if key in SAID and not (value and str(value) in text)}


def add_line(layout: Layout, metadata: Json) -> None:
    """End a text with a line that says who wrote it and when, where it does not say so itself."""
    if layout.size:
        layout.add([Draft(metadata_line(unsaid(metadata, layout.text)), "metadata")])


def add_author(layout: Layout, metadata: Json) -> None:
    """End a text with a line that says who wrote it: of a file's properties, the dates are those of the file."""
    add_line(layout, {key: value for key, value in metadata.items() if key == "author"})


def metadata_line(metadata: Json) -> str:
    """The metadata as a row of a table: "author: Karin Holt; date: 2021-05-03."; "" where there is none."""
    values = {
        key: ", ".join(map(str, value)) if isinstance(value, list) else str(value) for key, value in metadata.items()
    }
    return row_line(list(values), [value[:_LONGEST] for value in values.values()])


_FIELD = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]*[:=][ \t]*(.*)")
_MOST_FIELDS = 100


def front_matter(written: str) -> dict[str, object]:
    """The fields at the top of a text (YAML or TOML): plain values, and lists of them; what is nested is left out.

    A few lines are read here in place of YAML, whose parsers follow references that can grow without bound.
    """
    found: dict[str, object] = {}
    key = ""
    for line in written.splitlines():
        entry = line.strip()
        if match := _FIELD.fullmatch(line.rstrip()):
            key = match.group(1).strip().lower()
            value = _value(match.group(2))
            if len(found) < _MOST_FIELDS:
                found[key] = value
        elif (key and entry.startswith("- ") and found.get(key) in ("", [])) or isinstance(found.get(key), list):
            if entry.startswith("- "):
                items = found[key] if isinstance(found[key], list) else []
                assert isinstance(items, list)
                found[key] = [*items, _plain(entry[2:])][:_MOST_FIELDS]
        elif entry and not line[:1].isspace():
            key = ""
    return {name: value for name, value in found.items() if value not in ("", [])}


def _value(written: str) -> object:
    entry = written.strip()
    if entry.startswith("[") and entry.endswith("]"):
        return [plain for part in entry[1:-1].split(",") if (plain := _plain(part))][:_MOST_FIELDS]
    return "" if entry in {"|", ">", "~", "null"} or entry.startswith(("&", "*", "{")) else _plain(entry)


def _plain(written: str) -> str:
    entry = written.strip()
    quoted = len(entry) > 1 and entry[0] == entry[-1] and entry[0] in "\"'"
    return one_line(normalise(entry[1:-1] if quoted else entry.partition(" #")[0]))
