"""Clew as a LangChain retriever."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from clew.knowledge_base import KnowledgeBase


class ClewRetriever(BaseRetriever):
    """Gives the passages that a strategy finds, each with its source span and the facts it states in the metadata.

    A strategy that finds facts without passages gives a document for each fact.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    knowledge_base: KnowledgeBase
    strategy: str | None = None
    k: int | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.knowledge_base.retrieve([query], self.k, self.strategy)[0]
        if not found.passages:
            return [
                Document(page_content=fact.text, id=fact.id, metadata={"score": fact.score, "facts": [fact.text]})
                for fact in found.facts
            ]
        documents = []
        for passage in found.passages:
            facts = [fact.text for fact in found.facts if any(s.chunk == passage.id for s in fact.sources)]
            metadata: dict[str, Any] = {
                "document": passage.document,
                "title": passage.title,
                "start": passage.start,
                "end": passage.end,
                "score": passage.score,
                "facts": facts,
            }
            if passage.page is not None:
                metadata["page"] = passage.page
            documents.append(Document(page_content=passage.text, id=passage.id, metadata=metadata))
        return documents
