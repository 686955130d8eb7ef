"""What a document says of itself, typed, and as a line."""

from __future__ import annotations

import re

from clew.documents.blocks import Draft, Layout
from clew.documents.marked.markdown_marks import without_links
from clew.documents.tables.rows import row_line
from clew.text.normalise import normalise, one_line
from clew.text.people import people
from clew.types import Json

_LONGEST = 300


SAID = ("author", "authors", "creator", "editor", "publisher", "date", "created", "published", "updated", "version")
"""Fields that people ask about, so that they belong in the text; the others say how a document is kept or laid out."""
_PEOPLE = ("author", "authors", "creator", "editor")


def unsaid(metadata: Json, text: str) -> Json:
    """Author and dates that the text itself does not tell."""
    missing = {key: value for key, value in metadata.items() if key in SAID and not (value and str(value) in text)}
    return {key: people(value) if key in _PEOPLE and value else value for key, value in missing.items()}


def add_line(layout: Layout, metadata: Json) -> None:
    """End a text with author and date that it does not tell."""
    if layout.size:
        layout.add([Draft(metadata_line(unsaid(metadata, layout.text)), "metadata")])


def add_author(layout: Layout, metadata: Json) -> None:
    """End a text with a line that names its author."""
    add_line(layout, {key: value for key, value in metadata.items() if key == "author"})


def metadata_line(metadata: Json) -> str:
    """The metadata as a row of a table, "" for none."""
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
_NAME = ("name", "literal")
_GIVEN = ("given", "given-names", "first", "firstname", "first_name", "first-name")
_FAMILY = ("family", "family-names", "last", "lastname", "last_name", "last-name", "surname")
"""Of what nests, as an author with a name and an address does, the name stands for it, which may be in two parts."""
_HASHTAG = re.compile(r"#([^\s#,;]+)")
_HASHTAGS = re.compile(r"(?:#[^\s#,;]+[\s,;]*)+")
_ITEM = re.compile(r"""\s*("[^"]*"|'[^']*'|[^,]+)(?:,|\s*\Z)""")
_BETWEEN_TAGS = re.compile(r"\s*[,;]\s*")


def tags_of(written: str) -> list[str]:
    """The tags in a text: "port, fees", "port; fees", "#port #fees"."""
    line = one_line(normalise(written), _LONGEST_FOLDED)
    return _HASHTAG.findall(line) if _HASHTAGS.fullmatch(line) else [tag for tag in _BETWEEN_TAGS.split(line) if tag]


def front_matter(written: str) -> dict[str, object]:
    """The fields at the top of a text (YAML or TOML).

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
    for name in _LISTS & found.keys():
        first = lines[name][0].strip()
        found[name] = _tags(first if _HASHTAGS.fullmatch(first) else found[name])
    if "title" in found:
        found["title"] = one_line(str(found["title"]))
    return {name: value for name, value in found.items() if value not in ("", [])}


def _tags(value: object) -> object:
    """Tags one by one, without the signs that mark them in a text."""
    if isinstance(value, str):
        return tags_of(value)
    return [tag.removeprefix("#") for tag in value] if isinstance(value, list) else value


def _value(first: str, more: list[str]) -> object:
    """The value that a field's own line begins, with the lines below it."""
    if _FOLDED.fullmatch(first):
        return one_line(normalise(" ".join(more)), _LONGEST_FOLDED)
    if first in {"", "~", "null"}:
        items = _items(more)
        nested = _named(more)
        return [plain for item in items[:_MOST_FIELDS] if (plain := _plain(item))] if items else _plain(nested)
    entry = " ".join([first, *more])
    if entry.startswith("[") and entry.endswith("]"):
        return [plain for part in _ITEM.findall(entry[1:-1]) if (plain := _plain(part))][:_MOST_FIELDS]
    if entry.startswith("{"):
        return _plain(_inline(entry))
    return "" if entry.startswith(("&", "*")) else _plain(entry)


def _items(lines: list[str]) -> list[str]:
    """The items of a list; of one that nests, its name, which may stand in any of its lines."""
    found: list[list[str]] = []
    for line in lines:
        if line.startswith("- "):
            found.append([line[2:].strip()])
        elif found:
            found[-1].append(line)
    return [_named(item) or _inline(item[0]) or item[0] for item in found]


def _inline(written: str) -> str:
    """The name of what nests in one line: "{name: Ida Berg, email: …}"; "" of any other text."""
    braced = written.startswith("{") and written.endswith("}")
    return _named([part.strip() for part in _ITEM.findall(written[1:-1])]) if braced else ""


def _named(lines: list[str]) -> str:
    """The name that lines of fields tell, in one or in two parts; "" where they tell none."""
    by_name: dict[str, str] = {}
    for match in filter(None, map(_FIELD.fullmatch, lines)):
        by_name.setdefault(match.group(1).lower(), match.group(2))
    whole, given, family = (
        next((by_name[key] for key in keys if by_name.get(key)), "") for keys in (_NAME, _GIVEN, _FAMILY)
    )
    return _inline(whole) or whole or " ".join(filter(None, map(_plain, (given, family))))


def _plain(written: str) -> str:
    entry = written.strip()
    quoted = len(entry) > 1 and entry[0] == entry[-1] and entry[0] in "\"'"
    if quoted:
        mark = entry[0]
        entry = entry[1:-1].replace("''" if mark == "'" else '\\"', mark)
    else:
        entry = entry.partition(" #")[0]
    return one_line(normalise(without_links(entry)), _LONGEST_FOLDED)
