"""Nothing that Clew starts looks up or reaches a machine that no setting names.

Every Python process of these commands, and their children, notes whom it looks up and connects to: Python tells of each
before it happens, so that no network is needed to see it.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from clew.knowledge_base import KnowledgeBase
from tests.trainer_models import write_tiny_model

NOTES = """
import ipaddress, os, sys

def _note(event, given):
    if event in ("socket.connect", "socket.sendto"):
        whom = given[1][0] if isinstance(given[1], tuple) else "localhost"
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        whom = given[0]
    else:
        return
    whom = whom.decode() if isinstance(whom, bytes) else whom or "localhost"
    try:
        address = ipaddress.ip_address(whom)
        outside = not (address.is_loopback or address.is_unspecified)
    except ValueError:
        outside = whom != "localhost"
    if outside:
        with open(os.environ["WHERE_IT_WENT"], "a") as file:
            file.write(f"{event} {whom} by {sys.orig_argv}\\n")

sys.addaudithook(_note)
"""
PASSWORD = "open"
LAMP = "# Lamp\n\nThe lamp was built by Jonas Pell in 1912. It stands in Osterby.\n"
SMALL = {
    "training.steps": 1,
    "training.questions": 1,
    "training.group": 2,
    "training.mini_batch": 2,
    "training.micro_batch": 1,
    "rollout.max_turns": 2,
    "rollout.max_turn_tokens": 8,
}


@pytest.fixture
def watched(environment: dict[str, str], tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of commands that are watched; where one went outside, the test fails."""
    (tmp_path / "sitecustomize.py").write_text(NOTES)
    path = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    went = tmp_path / "went"
    yield environment | {"PYTHONPATH": path, "WHERE_IT_WENT": str(went)}
    assert (went.read_text() if went.exists() else "") == ""


def clew(watched: dict[str, str], *words: str, module: str = "clew.cli") -> str:
    done = subprocess.run([sys.executable, "-m", module, *words], env=watched, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def listening(watched: dict[str, str], command: str, host: str, path: str) -> Iterator[httpx.Client]:
    """A client of the server that a command starts on a free port, once it is up."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "clew.cli", command, "--host", host, "--port", str(port)]
    with (
        subprocess.Popen(words, env=watched, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=120) as http,
    ):
        try:
            while True:
                assert process.poll() is None
                try:
                    if http.get(path).is_success:
                        break
                except httpx.TransportError:
                    time.sleep(0.2)
            yield http
        finally:
            process.terminate()


def test_the_note_is_taken_where_something_goes_out(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOTES)
    own = environment | {"PYTHONPATH": str(tmp_path), "WHERE_IT_WENT": str(tmp_path / "went")}
    asks = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 1))"
    subprocess.run([sys.executable, "-c", asks], env=own, check=False)
    assert "192.0.2.1" in (tmp_path / "went").read_text()


def test_bringing_in_asking_and_serving_stay_here(watched: dict[str, str], kb_name: str, tmp_path: Path) -> None:
    (tmp_path / "lamp.md").write_text(LAMP)
    question = "Who built the lamp?"
    clew(watched, "ingest", str(tmp_path / "lamp.md"), "--kb", kb_name)
    assert json.loads(clew(watched, "ask", question, "--kb", kb_name, "--json"))["answer"] == "Jonas Pell"
    with listening(watched, "serve", "127.0.0.1", "/health") as http:
        told = http.post(f"/api/knowledge-bases/{kb_name}/ask", json={"question": question})
        assert told.json()["answer"] == "Jonas Pell"


def test_the_app_stays_here(watched: dict[str, str]) -> None:
    with listening(watched | {"CLEW_UI_PASSWORD": PASSWORD}, "ui", "0.0.0.0", "/_stcore/health") as http:
        assert http.post("/login", data={"password": PASSWORD}).status_code == 303
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        upgrade |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        for origin, status in ((str(http.base_url).rstrip("/"), 101), ("http://elsewhere.example", 403)):
            with http.stream("GET", "/_stcore/stream", headers=upgrade | {"Origin": origin}) as answer:
                assert answer.status_code == status


def test_training_stays_here(watched: dict[str, str], encyclopaedia: KnowledgeBase, tmp_path: Path) -> None:
    row = {"id": "1", "question": "Who designed the Elleray Observatory?", "answers": ["Ruben Calloway"]}
    (tmp_path / "train.jsonl").write_text(json.dumps(row) + "\n")
    model = str(write_tiny_model(tmp_path / "model"))
    named = ["--kb", encyclopaedia.name, "--model", model, "--train", str(tmp_path / "train.jsonl")]
    options = [part for name, value in SMALL.items() for part in ("--set", f"{name}={value}")]
    clew(watched, "run", "graph-r1", *named, *options, "--runs", str(tmp_path), module="clew.trainer")
