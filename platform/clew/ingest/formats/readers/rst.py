"""reStructuredText, by way of the HTML that docutils makes of it."""

from __future__ import annotations

from collections.abc import Iterator

from clew.ingest.formats.blocks import Layout
from clew.ingest.formats.encoding import decode
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.parsed import Parsed, Unreadable, notes, title_of_name
from clew.ingest.formats.readers.html import blocks_of_html, text_of_html
from clew.text.normalise import normalise, one_line

_SAFE = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "doctitle_xform": True,
    "embed_stylesheet": False,
    "smart_quotes": False,
    "footnote_references": "superscript",
}


def read(source: Input) -> Iterator[Parsed]:
    """Read reStructuredText; nothing that it wants to include is read. Unknown directives leave their text.

    Raises Unreadable where docutils cannot make anything of it.
    """
    from docutils.core import publish_parts

    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    try:
        parts = publish_parts(decoded.text, writer="html5", settings_overrides=_SAFE)
    except Exception as error:
        raise Unreadable(f"It is no readable reStructuredText ({one_line(str(error), 100)}).") from error
    layout = Layout(blocks_of_html(parts["html_body"]))
    title = one_line(normalise(text_of_html(parts["title"]))) or title_of_name(source.name)
    yield Parsed(title, layout.text, notes=notes(decoded.note), blocks=tuple(layout.blocks))


FORMAT = Format(
    "rst", "reStructuredText", "text/x-rst", read, endings=("rest",), media_types=("text/prs.fallenstein.rst",)
)
