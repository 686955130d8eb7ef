"""What a document says of itself, typed, and as a line."""

from __future__ import annotations

import re
import tomllib
from itertools import islice

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


_LINE = re.compile(r"([^\W\d_][\w .-]{0,60}?):[ \t]+(.*)")
_MOST_FIELDS = 100
_LONGEST_TAGS = 1000
_LISTS = frozenset({"tags", "keywords"})
"""Fields that list what they hold also where they are one text."""
_NAME = ("name", "literal")
_GIVEN = ("given", "given-names", "first", "firstname", "first_name", "first-name")
_FAMILY = ("family", "family-names", "last", "lastname", "last_name", "last-name", "surname")
"""Of what nests, as an author with a name and an address does, the name stands for it, which may be in two parts."""
_HASHTAG = re.compile(r"#([^\s#,;]+)")
_HASHTAGS = re.compile(r"(?:#[^\s#,;]+[\s,;]*)+")
_BETWEEN_TAGS = re.compile(r"\s*[,;]\s*")


def tags_of(written: str) -> list[str]:
    """The tags in a text: "port, fees", "port; fees", "#port #fees"."""
    line = one_line(normalise(written), _LONGEST_TAGS)
    return _HASHTAG.findall(line) if _HASHTAGS.fullmatch(line) else [tag for tag in _BETWEEN_TAGS.split(line) if tag]


def front_matter(written: str, mark: str = "---") -> dict[str, object]:
    """The fields at the top of a text: TOML where its ``mark`` is "+++", else YAML.

    Of what is no YAML, as for a colon in a title, the lines that are fields count.
    """
    found: dict[str, object] = {}
    for name, held in islice(_fields(written, mark).items(), _MOST_FIELDS):
        key, value = str(name).strip().lower(), _plain(held)
        if key in _LISTS:
            value = tags_of(value) if isinstance(value, str) else [tag.removeprefix("#") for tag in value]
        found[key] = value
    return {key: value for key, value in found.items() if value}


def _fields(written: str, mark: str) -> Json:
    try:
        fields = tomllib.loads(written) if mark == "+++" else _yaml(written)
    except (ValueError, RecursionError):
        fields = None
    lines = map(_LINE.fullmatch, written.splitlines())
    return fields if isinstance(fields, dict) else {line[1]: line[2] for line in lines if line}


def _yaml(written: str) -> object:
    """YAML with its values as they are written. Raises ValueError for what is none, or refers to itself."""
    import yaml

    class Loader(yaml.BaseLoader):
        """Follows no references, which can grow without bound."""

        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            """A part of the document."""
            if self.check_event(yaml.AliasEvent):
                raise ValueError("a reference")
            return super().compose_node(parent, index)

    try:
        return yaml.load(written, Loader)  # noqa: S506 - a loader of texts
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _plain(value: object) -> str | list[str]:
    """A value as a text, or a list of texts; of what nests, its name."""
    if isinstance(value, list):
        return [text for one in value[:_MOST_FIELDS] if isinstance(text := _plain(one), str) and text]
    if isinstance(value, dict):
        whole, given, family = (next(filter(None, map(value.get, keys)), "") for keys in (_NAME, _GIVEN, _FAMILY))
        return _plain(whole) if whole else " ".join(str(part) for part in (given, family) if part)
    return one_line(normalise(without_links(str(value))), _LONGEST_TAGS)
