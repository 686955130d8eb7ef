"""Documents to chunks of whole sentences, always as offsets into the document's text."""

from __future__ import annotations

from collections.abc import Iterator

from clew.ids import chunk_id
from clew.text.sentences import sentences
from clew.types import Chunk, Document


def chunks(document: Document, chunk_chars: int) -> Iterator[Chunk]:
    """Runs of whole sentences of at most ``chunk_chars`` characters (one long sentence may be more)."""
    index = 0
    start = end = -1
    for first, last in sentences(document.text):
        if start >= 0 and last - start > chunk_chars:
            yield _chunk(document, index, start, end)
            index += 1
            start = -1
        if start < 0:
            start = first
        end = last
    if start >= 0:
        yield _chunk(document, index, start, end)


def _chunk(document: Document, index: int, start: int, end: int) -> Chunk:
    text = document.text[start:end]
    return Chunk(chunk_id(document.kb, document.id, index, text), document.id, index, text, start, end)
