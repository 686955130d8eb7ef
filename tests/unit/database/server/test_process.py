"""Finding the managed server again, whatever the clock says: a stand-in that is started as Neo4j is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from clew.database.server import process as processes
from clew.database.server.home import Home, State


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home of the test's own."""
    return Home(tmp_path)


@pytest.fixture
def server(home: Home) -> Iterator[psutil.Process]:
    """A process with the command line of a server for this home."""
    words = ["org.neo4j.server.Neo4jCommunity", f"--home-dir={home.root}"]
    code = "import time; print(flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()  # a process that is only just made has no command line yet
        yield psutil.Process(child.pid)
        child.kill()


@pytest.mark.parametrize("step", [-3600.0, -60.0, 0.0, 60.0, 3600.0])
def test_a_server_is_found_again_after_a_step_of_the_clock(home: Home, server: psutil.Process, step: float) -> None:
    state = State(server.pid, server.create_time() + step, 7687, 7474, "2026.09.0", ready=True)
    assert processes.find(home, state) == server
    assert processes.find(Home(home.root / "other"), state) is None
    assert processes.find(home, replace(state, pid=psutil.Process().pid)) is None
