"""Clew as a LangChain retriever, and its encoder as LangChain's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import run_in_executor
from pydantic import ConfigDict

from clew.database.connection import Row
from clew.embedding import Embedder
from clew.retrieval.filter import Filter
from clew.text.normalise import clean
from clew.types import ADOPTED, Fact, Passage, Retrieved, Source


@runtime_checkable
class Searched(Protocol):
    """What the retriever needs of a knowledge base."""

    def retrieve(
        self, queries: Sequence[str], k: int | None, strategy: str | None, filter: Filter | None
    ) -> list[Retrieved]: ...

    def documents_by_id(self, ids: Sequence[str]) -> dict[str, Row]: ...


class ClewRetriever(BaseRetriever):
    """Gives the passages that a strategy finds, each with its source span and the facts it states in the metadata.

    There is also what the document says of itself, under the names that it has there, and ``source``, where it comes
    from. A strategy that finds facts without passages gives a document for each fact, with the span that first states
    it. ``filter`` keeps the search to some documents, as in ``KnowledgeBase.retrieve``.
    ``invoke(question, k=3, filter="author=Karin Holt")`` asks for other than the retriever's own this once.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    knowledge_base: Searched
    strategy: str | None = None
    k: int | None = None
    filter: Any = None

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Filter | None = None,
    ) -> list[Document]:
        kept = self.filter if filter is None else filter
        found = self.knowledge_base.retrieve([query], self.k if k is None else k, self.strategy, kept)[0]
        if found.passages:
            documents = [
                _document(one, one, [f.text for f in found.facts if any(s.chunk == one.id for s in f.sources)])
                for one in found.passages
            ]
        else:
            documents = [_document(f, f.sources[0] if f.sources else None, [f.text]) for f in found.facts]
        rows = self.knowledge_base.documents_by_id(list({one.metadata.get("document", "") for one in documents}))
        for one in documents:
            if row := rows.get(one.metadata.get("document", "")):
                original = {"original": row["locator"]} if row["source"].startswith(ADOPTED) else {}
                one.metadata = {**row["metadata"], **one.metadata, "source": row["source"], **original}
        return documents

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Filter | None = None,
    ) -> list[Document]:
        find = partial(self._get_relevant_documents, query, run_manager=run_manager.get_sync(), k=k, filter=filter)
        return await run_in_executor(None, find)


class ClewEmbeddings(Embeddings):
    """An encoder in LangChain's form: for queries on Clew's vector indexes, by tools that read them."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A unit vector for each text."""
        vectors: list[list[float]] = self._embedder.embed([clean(text) for text in texts]).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The unit vector of one text."""
        return self.embed_documents([text])[0]


def _document(item: Fact | Passage, span: Source | Passage | None, facts: list[str]) -> Document:
    metadata: dict[str, Any] = {"score": item.score, "facts": facts}
    if span is not None:
        metadata |= {"document": span.document, "title": span.title, "start": span.start, "end": span.end}
        if span.page is not None:
            metadata["page"] = span.page
    return Document(page_content=item.text, id=item.id, metadata=metadata)
