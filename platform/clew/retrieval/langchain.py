"""Clew as a LangChain retriever."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import run_in_executor
from pydantic import ConfigDict

from clew.types import Fact, Passage, Retrieved, Source


@runtime_checkable
class Searched(Protocol):
    """What the retriever needs of a knowledge base."""

    def retrieve(self, queries: Sequence[str], k: int | None, strategy: str | None) -> list[Retrieved]: ...


class ClewRetriever(BaseRetriever):
    """Gives the passages that a strategy finds, each with its source span and the facts it states in the metadata.

    A strategy that finds facts without passages gives a document for each fact, with the span that first states it.
    ``invoke(question, k=3)`` asks for another number than the retriever's own this once.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    knowledge_base: Searched
    strategy: str | None = None
    k: int | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        found = self.knowledge_base.retrieve([query], self.k if k is None else k, self.strategy)[0]
        if not found.passages:
            return [_document(fact, fact.sources[0] if fact.sources else None, [fact.text]) for fact in found.facts]
        return [
            _document(passage, passage, [f.text for f in found.facts if any(s.chunk == passage.id for s in f.sources)])
            for passage in found.passages
        ]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        find = partial(self._get_relevant_documents, query, run_manager=run_manager.get_sync(), k=k)
        return await run_in_executor(None, find)


def _document(item: Fact | Passage, span: Source | Passage | None, facts: list[str]) -> Document:
    metadata: dict[str, Any] = {"score": item.score, "facts": facts}
    if span is not None:
        metadata |= {"document": span.document, "title": span.title, "start": span.start, "end": span.end}
        if span.page is not None:
            metadata["page"] = span.page
    return Document(page_content=item.text, id=item.id, metadata=metadata)
