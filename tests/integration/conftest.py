"""A knowledge base on the tests' Neo4j, with one encoder for all of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.database.connection import Database
from clew.database.schema import migrate
from clew.embedding import Embedder, load_embedder
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def embedder(settings: Settings) -> Embedder:
    """The built-in encoder, loaded once."""
    return load_embedder(settings)


@pytest.fixture
def kb(kb_name: str, database: Database, settings: Settings, embedder: Embedder) -> KnowledgeBase:
    """A knowledge base of the test's own; it comes into being with the first ingest."""
    migrate(database)
    base = KnowledgeBase(kb_name, database, settings)
    base.__dict__["embedder"] = embedder
    return base


@pytest.fixture(scope="session")
def encyclopaedia(database: Database, settings: Settings, embedder: Embedder) -> Iterator[KnowledgeBase]:
    """The example encyclopaedia, for tests that only read it."""
    migrate(database)
    base = KnowledgeBase(f"test-examples-{uuid.uuid4().hex[:8]}", database, settings)
    base.__dict__["embedder"] = embedder
    base.ingest(str(EXAMPLES / "encyclopaedia"))
    yield base
    base.delete()
