"""The contract of an extractor: the seam between documents and the hypergraph."""

from __future__ import annotations

from typing import Protocol

from clew.types import Chunk, Document, ExtractedFact


class Extractor(Protocol):
    """Turns one chunk into n-ary facts, each with its participants and the span that states it.

    This is π_ext of Graph-R1 §4.1, eq. 4. Offsets refer to ``document.text`` and lie inside the chunk. The same chunk
    of the same document always gives the same facts, in the same order: ids are hashes of content, and an ingest that
    is interrupted goes on where it stopped. ``name`` carries a version that grows whenever the rules change, so that
    documents are extracted anew.
    """

    name: str

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]: ...
