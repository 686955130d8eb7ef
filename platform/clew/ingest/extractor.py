"""The contract of an extractor: the seam between documents and the hypergraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from clew.types import Chunk, Document, ExtractedFact, ExtractionReport, Usage


class Extractor(Protocol):
    """Turns one chunk into n-ary facts, each with its participants and the span that states it.

    This is π_ext of Graph-R1 §4.1, eq. 4. Offsets refer to ``document.text`` and lie inside the chunk. The same chunk
    of the same document always gives the same facts, in the same order: ids are hashes of content, and an ingest that
    is interrupted goes on where it stopped. ``name`` carries a version that grows whenever the rules change, so that
    documents are extracted anew.
    """

    name: str

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]: ...


@dataclass(frozen=True, slots=True)
class Extraction:
    """The facts of one chunk, and what they cost where a paid model gave them."""

    facts: list[ExtractedFact]
    usage: Usage | None = None


@runtime_checkable
class ConcurrentExtractor(Extractor, Protocol):
    """An extractor that waits for others to answer, and so takes many chunks at once.

    ``extract_documents`` gives the chunks of each document in the order in which they came, or None where a budget did
    not last for all of a document, and in the end raises BudgetExceededError then. ``stop`` lets everything that waits
    end at once.
    """

    def extract_documents(
        self, documents: Iterable[tuple[Document, Sequence[Chunk]]]
    ) -> Iterator[list[Extraction] | None]: ...

    def stop(self) -> None: ...

    def report(self) -> ExtractionReport: ...
