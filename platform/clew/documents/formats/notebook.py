"""Notebooks: their texts, their code, and what it printed; no pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clew.documents.blocks import Draft, Layout
from clew.documents.data.records import json_value
from clew.documents.format import Format, Input
from clew.documents.formats.markdown import FRONT_MATTER, markdown
from clew.documents.metadata import add_line, front_matter
from clew.documents.parsed import Parsed, Unreadable, title_of_name
from clew.documents.web.blocks import blocks_of_html
from clew.text.normalise import normalise, one_line
from clew.types import Json

_TELLS = {"title": "title", "author": "author", "authors": "author", "date": "date"}
_LONGEST_OUTPUT = 2000
_LONGEST_TABLE = 100_000
_PICTURE = re.compile(r"<[\w. ]+(?: size [\dx.]+)?(?: with \d+ Axes)?(?: at 0x[0-9a-f]+)?>")
"""What stands in the place of a picture or page: "<Figure size 640x480 with 1 Axes>"."""


def read(source: Input) -> Iterator[Parsed]:
    """Read a Jupyter notebook; the title is the first heading. Raises Unreadable where it is none."""
    try:
        book = json_value(source.data)
    except Unreadable as error:
        raise Unreadable(f"It is {error}") from error
    cells = book.get("cells") if isinstance(book, dict) else None
    if not isinstance(cells, list):
        raise Unreadable("It is no notebook: it has no cells (or is older than version 4).")
    layout = Layout()
    metadata = _metadata(book.get("metadata"))
    for cell in cells:
        if not isinstance(cell, dict):
            continue
        written = _joined(cell.get("source"))
        if not layout.size and cell.get("cell_type") == "raw" and (front := FRONT_MATTER.match(written)):
            metadata |= front_matter(front.group(2), front.group(1))
            continue
        if cell.get("cell_type") == "markdown":
            layout.add(markdown(written)[1])
        else:
            layout.add([Draft(written, "code"), *_printed(cell.get("outputs"))])
    named = str(metadata.pop("title", ""))
    title = layout.heading() or named or title_of_name(source.name)
    add_line(layout, metadata)
    yield Parsed(title, layout.text, metadata=metadata, blocks=tuple(layout.blocks))


def _metadata(fields: object) -> Json:
    """Title, authors and date among what a notebook says of itself; the rest is about programs."""
    found: Json = {}
    for name, value in fields.items() if isinstance(fields, dict) else ():
        several = value if isinstance(value, list) else [value]
        names = [one.get("name") if isinstance(one, dict) else one for one in several]
        plain = [line for one in names if isinstance(one, str) and (line := one_line(normalise(one)))]
        if name in _TELLS and plain:
            found[_TELLS[name]] = plain if len(plain) > 1 else plain[0]
    return found


def _joined(value: object) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _printed(outputs: Any) -> Iterator[Draft]:
    """What code printed and gave back: tables as such, marked text as text, other text; what is long is data."""
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        data = data if isinstance(data, dict) else {}
        if marked := _marked(data):
            yield from marked
            continue
        text = _joined(output.get("text") or data.get("text/plain"))
        if output.get("output_type") == "error":
            text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
        if len(text) <= _LONGEST_OUTPUT and not _PICTURE.fullmatch(text.strip()):
            yield Draft(text, "code")


def _marked(data: dict[str, Any]) -> list[Draft]:
    """What an output shows as Markdown or as a piece of a web page; none where that says no more than its text.

    A table stands in columns there, of which plain text keeps no heads.
    """
    written = _joined(data.get("text/markdown"))
    if written.strip() and len(written) <= _LONGEST_TABLE:
        return markdown(written)[1]
    page = _joined(data.get("text/html"))
    is_table = "<table" in page and len(page) <= _LONGEST_TABLE
    is_all = len(page) <= _LONGEST_OUTPUT and _PICTURE.fullmatch(_joined(data.get("text/plain")).strip())
    return blocks_of_html(page) if page.strip() and (is_table or is_all) else []


FORMAT = Format("ipynb", "a notebook", "application/x-ipynb+json", read)
