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


_FIELD = re.compile(r"([^\W\d_][\w .-]{0,60}?)[ \t]*[:=][ \t]*(.*)")
_FOLDED = re.compile(r"[|>][+-]?\d?[+-]?")
_MOST_FIELDS = 100
_LONGEST_FOLDED = 1000
_LISTS = frozenset({"tags", "keywords"})
"""Fields that list what they hold also where they are one text."""
_NAME = "name"
"""Of what nests, as an author with a name and an address does, the name stands for it."""
_ITEM = re.compile(r"""\s*("[^"]*"|'[^']*'|[^,]+)(?:,|\s*\Z)""")
_BETWEEN_TAGS = re.compile(r"\s*[,;]\s*")


def tags_of(written: str) -> list[str]:
    """What a text of tags lists: "port, fees", or with semicolons, as Office writes them."""
    return [tag for tag in _BETWEEN_TAGS.split(one_line(normalise(written))) if tag]


def front_matter(written: str) -> dict[str, object]:
    """The fields at the top of a text (YAML or TOML): plain values, and lists of them; of what nests, its name.

    A few lines are read here in place of YAML, whose parsers follow references that can grow without bound, and refuse
    all of it for a colon in a title.
    """
    lines: dict[str, list[str]] = {}
    key = ""
    for line in written.splitlines():
        if match := _FIELD.fullmatch(line.rstrip()):
            key = match.group(1).strip().lower()
            if len(lines) < _MOST_FIELDS:
                lines[key] = [match.group(2)]
        elif line[:1].isspace() or line.startswith(("- ", "]")):
            lines.get(key, []).append(line.strip())
        elif line.strip():
            key = ""
    found = {name: _value(first.strip(), [line for line in more if line]) for name, (first, *more) in lines.items()}
    listed = {name: tags_of(value) for name, value in found.items() if name in _LISTS and isinstance(value, str)}
    return {name: value for name, value in (found | listed).items() if value not in ("", [])}


def _value(first: str, more: list[str]) -> object:
    """The value that a field's own line begins, with the lines below it."""
    if _FOLDED.fullmatch(first):
        return one_line(normalise(" ".join(more)), _LONGEST_FOLDED)
    if first in {"", "~", "null"}:
        items = [_name(line[2:].strip()) or line[2:] for line in more if line.startswith("- ")]
        nested = next(filter(None, map(_name, more)), "")
        return [plain for item in items[:_MOST_FIELDS] if (plain := _plain(item))] if items else _plain(nested)
    entry = " ".join([first, *more])
    if entry.startswith("[") and entry.endswith("]"):
        return [plain for part in _ITEM.findall(entry[1:-1]) if (plain := _plain(part))][:_MOST_FIELDS]
    return "" if entry.startswith(("&", "*", "{")) else _plain(entry)


def _name(line: str) -> str:
    """The value of a line that tells a name, "" of any other."""
    match = _FIELD.fullmatch(line)
    return match.group(2) if match and match.group(1).lower() == _NAME else ""


def _plain(written: str) -> str:
    entry = written.strip()
    quoted = len(entry) > 1 and entry[0] == entry[-1] and entry[0] in "\"'"
    return one_line(normalise(entry[1:-1] if quoted else entry.partition(" #")[0]))
