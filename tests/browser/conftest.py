"""The app in a real Chromium, with a knowledge base of the examples."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings
from clew.testing import ModelServer
from tests.browser.running import (
    EXAMPLES,
    NARROW,
    PATIENCE_MS,
    Watched,
    opened_chromium,
    running_app,
    temporary_base,
    watched_page,
)


@pytest.fixture(scope="session")
def examples(database: Database, settings: Settings) -> Iterator[KnowledgeBase]:
    """A knowledge base with the example encyclopaedia; tests leave it as it is."""
    from clew.database.schema import migrate

    migrate(database)
    with temporary_base(database, settings) as base:
        base.ingest(str(EXAMPLES))
        yield base


@pytest.fixture
def base(database: Database, settings: Settings) -> Iterator[KnowledgeBase]:
    """An empty knowledge base of one test."""
    with temporary_base(database, settings) as base:
        yield base


@pytest.fixture(scope="session")
def app(
    environment: dict[str, str], examples: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of an app without a language model, on the examples."""
    with running_app(environment, tmp_path_factory.mktemp("app"), CLEW_KB=examples.name) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of all tests."""
    with opened_chromium(PATIENCE_MS) as browser:
        yield browser


@pytest.fixture
def wide(chromium: Browser) -> Iterator[Watched]:
    """A page of 1400 pixels' width."""
    with watched_page(chromium) as watched:
        yield watched
        watched.check()


@pytest.fixture
def narrow(chromium: Browser) -> Iterator[Watched]:
    """A page of 420 pixels' width."""
    with watched_page(chromium, NARROW) as watched:
        yield watched
        watched.check()


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    """A model server whose script each test sets."""
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="session")
def llm_app(
    environment: dict[str, str], examples: KnowledgeBase, model: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An app with that server as its language model."""
    variables = {
        "CLEW_KB": examples.name,
        "CLEW_LLM_BASE_URL": model.base_url,
        "CLEW_LLM_MODEL": model.model,
        "CLEW_LLM_API_KEY": "unused",
        "CLEW_LLM_RETRIES": "0",
    }
    with running_app(environment, tmp_path_factory.mktemp("llm"), **variables) as address:
        yield address
