"""Clew as a LangChain retriever."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from clew.knowledge_base import KnowledgeBase
from clew.types import Fact, Passage, Source


class ClewRetriever(BaseRetriever):
    """Gives the passages that a strategy finds, each with its source span and the facts it states in the metadata.

    A strategy that finds facts without passages gives a document for each fact, with the span that first states it.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    knowledge_base: KnowledgeBase
    strategy: str | None = None
    k: int | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.knowledge_base.retrieve([query], self.k, self.strategy)[0]
        if not found.passages:
            return [_document(fact, fact.sources[0] if fact.sources else None, [fact.text]) for fact in found.facts]
        return [
            _document(passage, passage, [f.text for f in found.facts if any(s.chunk == passage.id for s in f.sources)])
            for passage in found.passages
        ]


def _document(item: Fact | Passage, span: Source | Passage | None, facts: list[str]) -> Document:
    metadata: dict[str, Any] = {"score": item.score, "facts": facts}
    if span is not None:
        metadata |= {"document": span.document, "title": span.title, "start": span.start, "end": span.end}
        if span.page is not None:
            metadata["page"] = span.page
    return Document(page_content=item.text, id=item.id, metadata=metadata)
