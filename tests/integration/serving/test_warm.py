"""A server that starts: what the first question needs is there before it is asked."""

from __future__ import annotations

from typing import Any

import pytest

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.knowledge_base import KnowledgeBase
from clew.reader.reader import load_reader
from clew.serving.warm import warm


def test_the_knowledge_base_that_was_asked_last_is_warm(
    kb: KnowledgeBase, database: Database, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb.ingest_bytes(b"# Sorrel Mill\n\nSorrel Mill was built by Ada Finch in 1802.", "mill.md")
    kb.ask("Who built Sorrel Mill?")
    kb.ingest_bytes(b"# Sorrel Pond\n\nSorrel Pond was dug by Bert Finch in 1803.", "pond.md")
    load_reader.cache_clear()
    opened: list[KnowledgeBase] = []

    def fresh(name: str) -> KnowledgeBase:
        opened.append(KnowledgeBase(name, database, kb.settings))
        opened[-1].__dict__["embedder"] = embedder
        return opened[-1]

    warm(lambda: database, fresh)
    assert opened[0].name == kb.name, "the last one first"
    assert len(kb.trajectories()) == 1, "nothing is stored"
    assert load_reader.cache_info().currsize == 1

    read, statements = database.read, []

    def noted(name: str, **parameters: Any) -> Any:
        statements.append(name)
        return read(name, **parameters)

    monkeypatch.setattr(database, "read", noted)
    assert "Finch" in opened[0].ask("Who dug Sorrel Pond?", store=False).answer
    assert "graph/hyperedges" not in statements, "the copy is there"
