"""Plain text: bytes to characters in their normal form."""

from __future__ import annotations

from collections.abc import Iterator

from clew.documents.blocks import Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.marked.plain_blocks import paragraphs
from clew.documents.parsed import Parsed, headline, notes, title_of_name


def read(source: Input) -> Iterator[Parsed]:
    """Read plain text; a first line that stands alone is its title.

    Raises Unreadable where the bytes are no text, or no encoding fits them.
    """
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    layout = Layout(paragraphs(decoded.text))
    title = headline(layout.text) or title_of_name(source.name)
    yield Parsed(title, layout.text, notes=notes(decoded.note), blocks=tuple(layout.blocks))


FORMAT = Format("txt", "plain text", "text/plain", read, endings=("text", "log"), isolated=False)
