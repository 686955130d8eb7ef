"""Notebooks: their texts, their code, and what it printed; no pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clew.ingest.formats.blocks import Draft, Layout
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.parsed import Parsed, Unreadable, title_of_name
from clew.ingest.formats.readers.markdown import markdown
from clew.ingest.formats.records import json_value

_LONGEST_OUTPUT = 2000
_PICTURE = re.compile(r"<[\w. ]+(?: size [\dx.]+)?(?: with \d+ Axes)?(?: at 0x[0-9a-f]+)?>")
"""What stands in the place of a picture: "<Figure size 640x480 with 1 Axes>"."""


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
    for cell in cells:
        if not isinstance(cell, dict):
            continue
        written = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            layout.add(markdown(written)[1])
        else:
            layout.add(Draft(text, "code") for text in [written, *_printed(cell.get("outputs"))])
    yield Parsed(layout.heading() or title_of_name(source.name), layout.text, blocks=tuple(layout.blocks))


def _joined(value: object) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _printed(outputs: Any) -> Iterator[str]:
    """What code printed and gave back as text; what is long is data."""
    for output in outputs if isinstance(outputs, list) else ():
        if isinstance(output, dict):
            data = output.get("data")
            text = _joined(output.get("text") or (data.get("text/plain") if isinstance(data, dict) else ""))
            if output.get("output_type") == "error":
                text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
            if len(text) <= _LONGEST_OUTPUT and not _PICTURE.fullmatch(text.strip()):
                yield text


FORMAT = Format("ipynb", "a notebook", "application/x-ipynb+json", read)
