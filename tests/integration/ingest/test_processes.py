"""Ingests that are killed, and ingests at the same time: the graph is that of one that nobody disturbed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.snapshot import Snapshot, difference, snapshot
from clew.database.connection import Database
from clew.database.schema import migrate
from clew.embedding import Embedder
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of 200 passages that mention each other."""
    chance = random.Random(7)
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    titles = [f"{a} {b}" for a in ("Old", "New", "Little", "Great") for b in NAMES]
    with path.open("w") as file:
        for title in titles:
            others = chance.sample(titles, 4)
            text = f"{title} was founded by {others[0]} in {chance.randint(1500, 1900)}. "
            text += f"It lies near {others[1]} and {others[2].split()[1]}. The bells of {others[3]} are heard there."
            file.write(json.dumps({"title": title, "text": text}) + "\n")
    return path


NAMES = [
    f"{a}{b}" for a in ("Ans", "Isk", "Mar", "Tar", "El") for b in "by en ow ley mere ock fell wick ton garth".split()
]


def cli(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "clew.cli", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> dict[str, object]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return dict(json.loads(out))


@pytest.fixture(scope="module")
def uninterrupted(
    passages: Path, database: Database, settings: Settings, embedder: Embedder
) -> Iterator[tuple[str, Snapshot]]:
    """The name of a knowledge base, and what the passages make of it."""
    migrate(database)
    base = KnowledgeBase(f"test-kill-{os.getpid()}", database, settings)
    base.__dict__["embedder"] = embedder
    base.ingest(str(passages))
    yield base.name, snapshot(database, base.name)
    if base.exists():
        base.delete()


@pytest.mark.parametrize(
    ("number", "moment"), [(signal.SIGINT, 0.5), (signal.SIGKILL, 0.05), (signal.SIGKILL, 0.5), (signal.SIGKILL, 1.5)]
)
def test_an_interrupted_ingest_is_finished_by_the_next(
    number: signal.Signals,
    moment: float,
    uninterrupted: tuple[str, Snapshot],
    passages: Path,
    database: Database,
    settings: Settings,
    environment: dict[str, str],
) -> None:
    """``moment`` counts seconds from when the ingest has begun."""
    name, expected = uninterrupted
    base = KnowledgeBase(name, database, settings)
    if base.exists():
        base.delete()
    command = ("ingest", str(passages), "--kb", name, "--json")
    process = cli(environment, *command)
    while not base.exists() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(moment)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    if process.returncode:
        assert process.returncode == (-signal.SIGKILL if number is signal.SIGKILL else 130), err
    if process.returncode == 130:
        assert out == ""
        assert err.strip() == "clew: interrupted; run the same command again to go on."
    report = finished(cli(environment, *command))
    assert report["skipped"] == []
    if out:  # the signal came when it had told what it did, and was on its way out
        assert (report["documents"], report["unchanged"]) == (0, json.loads(out)["documents"])
    assert difference(expected, snapshot(database, name)) == []


def test_two_processes_ingest_the_same_at_once(
    uninterrupted: tuple[str, Snapshot],
    passages: Path,
    database: Database,
    settings: Settings,
    environment: dict[str, str],
) -> None:
    name, expected = uninterrupted
    base = KnowledgeBase(name, database, settings)
    if base.exists():
        base.delete()
    both = [cli(environment, "ingest", str(passages), "--kb", name, "--json") for _ in range(2)]
    reports = [finished(process) for process in both]
    assert all(report["skipped"] == [] for report in reports)
    assert difference(expected, snapshot(database, name)) == []
