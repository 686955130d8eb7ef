"""What a document says of itself, typed, and as a line of its text that can be asked for and cited."""

from __future__ import annotations

from clew.ingest.formats.blocks import Draft, Layout
from clew.ingest.formats.tables import row_line
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
