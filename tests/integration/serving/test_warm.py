"""A server that starts: what the first question needs is there before it is asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.knowledge_base import KnowledgeBase
from clew.reader.reader import load_reader
from clew.serving.warm import last_used, warm


def test_the_knowledge_base_that_was_asked_last_is_warm(
    kb: KnowledgeBase, database: Database, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb.ingest_bytes(b"# Sorrel Mill\n\nSorrel Mill was built by Ada Finch in 1802.", "mill.md")
    kb.ask("Who built Sorrel Mill?")
    kb.ingest_bytes(b"# Sorrel Pond\n\nSorrel Pond was dug by Bert Finch in 1803.", "pond.md")

    assert last_used(database, "none")[0] == kb.name, "the last one first"
    fresh = KnowledgeBase(kb.name, database, kb.settings)
    fresh.__dict__["embedder"] = embedder
    warm(fresh)
    assert len(kb.trajectories()) == 1, "nothing is stored"

    read, statements = database.read, []

    def noted(name: str, **parameters: Any) -> Any:
        statements.append(name)
        return read(name, **parameters)

    monkeypatch.setattr(database, "read", noted)
    assert "Finch" in fresh.ask("Who dug Sorrel Pond?", store=False).answer
    assert "graph/hyperedges" not in statements, "the copy is there"


def test_what_is_loaded_once_is_there_for_all(database: Database, kb: KnowledgeBase) -> None:
    first, second = (KnowledgeBase(kb.name, database, kb.settings) for _ in range(2))
    with ThreadPoolExecutor(4) as pool:
        readers = list(pool.map(lambda _: load_reader(), range(4)))
        encoders = list(pool.map(lambda base: base.embedder, (first, second) * 2))
    assert len(set(map(id, readers))) == len(set(map(id, encoders))) == 1


def test_one_that_is_empty_or_gone_is_passed_over(database: Database, kb: KnowledgeBase) -> None:
    warm(kb)
    assert kb.name not in last_used(database, kb.name), "it does not exist"
