"""The real server, on a real port, over the example encyclopaedia."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
import uvicorn

from clew.knowledge_base import KnowledgeBase
from clew.serving.api.app import create_app
from clew.settings import Settings

Serve = Callable[..., str]


@contextmanager
def running(settings: Settings) -> Iterator[str]:
    """A server of these settings; its address."""
    server = uvicorn.Server(
        uvicorn.Config(create_app(settings), host="127.0.0.1", port=0, log_config=None, access_log=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)


@pytest.fixture(scope="package", autouse=True)
def jobs_use_this_server(environment: dict[str, str]) -> Iterator[None]:
    """An environment in which the jobs that a server starts use its Neo4j."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def served(settings: Settings, encyclopaedia: KnowledgeBase) -> Iterator[str]:
    """The address of a server on loopback that asks for no token; its default knowledge base is the encyclopaedia."""
    with running(settings.model_copy(update={"kb": encyclopaedia.name, "serve_mcp_write": True})) as address:
        yield address


@pytest.fixture(scope="session")
def guarded(settings: Settings, encyclopaedia: KnowledgeBase) -> Iterator[str]:
    """The address of a server that always asks for a token, which is what one beyond loopback does."""
    with running(
        settings.model_copy(update={"kb": encyclopaedia.name, "serve_tokens": "always", "serve_rate": 0})
    ) as address:
        yield address


@pytest.fixture(scope="session")
def http(served: str) -> Iterator[httpx.Client]:
    """A client of the server that asks for no token."""
    with httpx.Client(base_url=served, timeout=120) as client:
        yield client
