"""A real Neo4j for the tests: the one that NEO4J_URI names, else one of Clew's own that lives as long as the tests."""

from __future__ import annotations

import os
import signal
import sys
import uuid
from collections.abc import Iterator

import pytest

from clew.database.connection import Database
from clew.llm import options
from clew.settings import Settings, load_settings

# A server that lives for minutes spends more on compiling twice than it gains.
os.environ.setdefault("CLEW_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
# Threads that wait for each other in loops take the processor from what they wait for, where it is shared.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# What stays ready for the next ingest outlives the tests.
os.environ.setdefault("CLEW_WARM_MINUTES", "0.3")
# A shell that starts the tests in the background lets them ignore Ctrl-C, which some of them send.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _strangers() -> None:
    """A model server is a stranger, although one of an earlier test may have listened on its port."""
    options._KNOWN.clear()


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a server for the tests alone; the downloads come from the user's cache."""
    if os.environ.get("NEO4J_URI"):
        yield load_settings(_env_file=None)
        return
    from clew.database.server.managed import down

    own = load_settings(_env_file=None, home=tmp_path_factory.mktemp("clew"), bolt_port=0, http_port=0)
    yield own
    down(own)


@pytest.fixture(scope="session")
def environment(settings: Settings) -> dict[str, str]:
    """Environment variables with which a ``clew`` command in another process uses the same server."""
    here = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    if settings.neo4j_uri:
        return here
    return here | {"CLEW_HOME": str(settings.home), "CLEW_BOLT_PORT": "0", "CLEW_HTTP_PORT": "0"}


@pytest.fixture(scope="session")
def database(settings: Settings) -> Iterator[Database]:
    """An open connection to that server."""
    with Database.open(settings) as opened:
        yield opened


@pytest.fixture
def kb_name(database: Database) -> Iterator[str]:
    """The name of a knowledge base that nothing else uses; what carries it is removed afterwards."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    yield name
    while database.write("schema/delete_some", kb=name, limit=5000)[0]["deleted"]:
        pass
