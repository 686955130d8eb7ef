"""Plain text: bytes to characters, and the one normal form that every offset refers to."""

from __future__ import annotations

from collections.abc import Iterator

from clew.ingest.formats.encoding import decode
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.parsed import Parsed, headline, notes, title_of_name
from clew.text.normalise import normalise


def read(source: Input) -> Iterator[Parsed]:
    """Read plain text; its title is its first line where that stands alone, else the file's name.

    Raises Unreadable where the bytes are no text, or no encoding fits them.
    """
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    text = normalise(decoded.text)
    yield Parsed(headline(text) or title_of_name(source.name), text, notes=notes(decoded.note))


FORMAT = Format("txt", "plain text", "text/plain", read, endings=("text", "log"), isolated=False)
