"""Documents to chunks of whole sentences, always as offsets into the document's text."""

from __future__ import annotations

from collections.abc import Iterator

from clew.ids import chunk_id
from clew.text.outline import block_at
from clew.text.sentences import sentences
from clew.types import Chunk, Document


def chunks(document: Document, chunk_chars: int) -> Iterator[Chunk]:
    """Runs of whole sentences of at most ``chunk_chars`` characters (one long sentence may be more).

    Headings stand in one chunk with what comes after them, unless there is nothing but headings.
    """
    index = 0
    run: list[tuple[int, int]] = []
    for first, last in sentences(document.text):
        if run and last - run[0][0] > chunk_chars:
            keep = len(run)
            while keep and _is_heading(document, run[keep - 1][0]):
                keep -= 1
            keep = keep or len(run)
            yield _chunk(document, index, run[0][0], run[keep - 1][1])
            index += 1
            run = run[keep:]
        run.append((first, last))
    if run:
        yield _chunk(document, index, run[0][0], run[-1][1])


def _is_heading(document: Document, position: int) -> bool:
    block = block_at(document.blocks, position)
    return block is not None and block.kind == "heading"


def _chunk(document: Document, index: int, start: int, end: int) -> Chunk:
    text = document.text[start:end]
    return Chunk(chunk_id(document.kb, document.id, index, text), document.id, index, text, start, end)
