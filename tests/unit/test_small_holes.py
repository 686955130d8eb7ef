"""What is told of servers and arguments that are not as they should be, and what an export carries along."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from clew.agent.protocol import get_dialect
from clew.cli import main
from clew.cli.options import INTERRUPTED
from clew.database.driver import Server, open_driver, without_secrets
from clew.database.server.home import Home, State
from clew.database.server.managed import status
from clew.errors import DatabaseError
from clew.settings import load_settings
from clew.trajectories.export import as_markdown
from clew.trajectories.read import StoredTrajectory
from clew.types import Trajectory


def trajectory(text: str, *, stopped: str = "") -> Trajectory:
    """A trajectory without a turn, with this question and answer."""
    return Trajectory("1", "k", text, text, not stopped, (), (), "reader", "clew", 0.0, stopped=stopped)


@pytest.fixture
def hung() -> Iterator[int]:
    """The port of a server that hangs: the system takes its connections, and nobody answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield int(listening.getsockname()[1])


@pytest.mark.parametrize("password", ["s3same", "s3s@me", "s3s/me", "s3s:@/me@"])
def test_a_password_in_an_address_is_not_shown(password: str) -> None:
    own = load_settings(_env_file=None, neo4j_uri=f"bolt://neo4j:{password}@127.0.0.1:1", neo4j_password=password)
    told = json.dumps(status(own))
    assert password not in told
    assert "bolt://127.0.0.1:1" in told
    assert without_secrets("neo4j+s://db.example:7687") == "neo4j+s://db.example:7687"


def test_a_server_that_hangs_is_said_to_give_no_answer(hung: int) -> None:
    server = Server(f"bolt://127.0.0.1:{hung}", "neo4j", "word")
    with pytest.raises(DatabaseError, match=r"cannot be reached .*no answer in time"):
        open_driver(server, timeout=1.0)


def test_a_managed_server_that_hangs_does_not_run(hung: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.database.server.managed._ANSWER_SECONDS", 0.5)
    own = load_settings(_env_file=None, neo4j_uri=None, home=tmp_path)
    home = Home.of(own)
    home.make()
    words = ["org.neo4j.server.Neo4jCommunity", f"--home-dir={home.root}"]
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *words]) as child:
        created = psutil.Process(child.pid).create_time()
        home.write_state(State(child.pid, created, hung, hung, "2026.09.0", ready=True))
        found = status(own)
        child.kill()
    assert found["running"] is False
    assert "does not answer: run `clew down`, then `clew up`" in found["error"]


@pytest.mark.parametrize(
    "words", [["ask", "x", "--strategy"], ["document", "show"], ["ask", "x", "--kb"], ["kb", "delete", "--yes"]]
)
def test_bytes_that_are_no_text_are_one_line(words: list[str]) -> None:
    own = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    own |= {"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_PASSWORD": "unused"}
    command = [word.encode() for word in [sys.executable, "-P", "-m", "clew.cli", *words]]
    done = subprocess.run([*command, b"\xff\xfe"], env=own, capture_output=True, check=False)
    assert done.returncode in (2, 3, 4)
    assert done.stderr.decode("utf-8").startswith("clew: ")
    assert b"Traceback" not in done.stderr


def test_a_question_that_is_interrupted_before_its_first_turn_ends_as_an_interrupt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Base:
        def __enter__(self) -> Base:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def ask(self, *_: object, **__: object) -> Trajectory:
            return trajectory("Who?", stopped="stopped")

    monkeypatch.setattr(sys.modules["clew.cli.ask"], "open_base", lambda kb: Base())
    monkeypatch.setattr(sys.modules["clew.cli.ask"], "tell_other_encoder", lambda base: None)
    result = CliRunner().invoke(main, ["ask", "Who?"])
    assert result.exit_code == INTERRUPTED
    assert "interrupted" in result.output


def test_an_export_carries_no_character_that_a_terminal_obeys() -> None:
    evil = "Ansby \x1b]0;owned\x07\x1b[2J\x9b31m \u202egnp.exe"
    stored = StoredTrajectory(trajectory(evil), "2026", "chat", 0, "", (), (), {}, (), 0)
    text = as_markdown(stored, get_dialect("graph-r1"))
    assert "Ansby" in text
    assert all(sign == "\n" or sign.isprintable() for sign in text)
