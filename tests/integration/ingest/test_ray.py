"""Ingest spread over a real Ray: the same graph as without, id for id and bit for bit, whatever happens to a worker."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from benchmarks.snapshot import vectors
from clew.errors import ClusterError, InputError, NotFoundError
from clew.extraction.sentences import SentenceExtractor
from clew.ingest.pipeline import Progress
from clew.ingest.spread import Spread, connected
from clew.knowledge_base import KnowledgeBase
from clew.types import Chunk, Document, ExtractedFact
from tests.integration.graphs import cities, graph, same

EXAMPLES = str(Path(__file__).parents[3] / "examples" / "encyclopaedia" / "*.md")


@pytest.fixture(scope="module")
def ray() -> Iterator[Spread]:
    """A Ray of the tests' own on this machine."""
    pytest.importorskip("ray")
    with connected("local") as spread:
        yield spread


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of a few documents, so that several are under way at once."""
    monkeypatch.setattr("clew.ingest.pipeline.CHUNKS", 2)


def _vectors(kb: KnowledgeBase) -> dict[str, tuple[list[str], bytes]]:
    found = {}
    for label in ("Chunk", "Hyperedge", "Entity"):
        ids, rows = vectors(kb.database, kb.name, label)
        found[label] = ids, np.ascontiguousarray(rows).tobytes()
    return found


def _busy() -> list[psutil.Process]:
    """The workers that are at a task."""
    children = psutil.Process().children(recursive=True)
    return [p for p in children if p.is_running() and p.status() != "zombie" and "ray::_apply" in " ".join(p.cmdline())]


def test_the_graph_is_the_same_also_when_a_worker_is_killed(
    kb: KnowledgeBase, ray: Spread, small_batches: None
) -> None:
    report = kb.ingest(EXAMPLES)
    expected, expected_vectors = graph(kb), _vectors(kb)
    embedder = kb.embedder

    def anew() -> None:
        kb.delete()
        kb.__dict__["embedder"] = embedder

    anew()
    spread = kb.ingest(EXAMPLES, spread=ray)
    same(expected, graph(kb))
    assert _vectors(kb) == expected_vectors
    counted = (report.documents, report.chunks, report.hyperedges, report.entities)
    assert (spread.documents, spread.chunks, spread.hyperedges, spread.entities) == counted
    assert spread.stages["embed"] > 0 < spread.stages["extract"]
    again = kb.ingest(EXAMPLES, spread=ray)
    assert (again.documents, again.unchanged) == (0, report.documents)

    anew()
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if not killed and (busy := _busy()):
            killed.append(busy[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    kb.ingest(EXAMPLES, spread=ray, on_progress=kill)
    assert killed
    same(expected, graph(kb))
    assert _vectors(kb) == expected_vectors


def test_results_come_in_order_and_none_is_lost(ray: Spread) -> None:
    def slow_if_even(number: int) -> int:
        time.sleep(0.05 * (number % 2 == 0))
        return number

    assert list(ray.map(slow_if_even, range(30))) == list(range(30))
    assert list(ray.map(slow_if_even, [])) == []


def test_items_are_taken_as_they_are_needed(ray: Spread) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    found = ray.map(abs, items())
    assert [next(found), next(found)] == [0, 1]
    assert len(taken) < 100
    found.close()  # type: ignore[attr-defined]


def test_what_a_worker_raises_is_told_as_here(kb: KnowledgeBase, ray: Spread) -> None:
    class Refusing(SentenceExtractor):
        def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
            raise NotFoundError(f"{document.title} is not found.") if document.title == "York" else ValueError("Odd.")

    with pytest.raises(NotFoundError, match=r"\AYork is not found\.\Z"):
        kb.ingest_documents(iter(cities(kb)), extractor=Refusing(), spread=ray)
    with pytest.raises(ClusterError, match=r"failed \(ValueError: Odd\)\.") as caught:
        kb.ingest_documents(iter(cities(kb, ["Lodz"])), extractor=Refusing(), spread=ray)
    assert "\n" not in str(caught.value)
    report = kb.ingest_documents(iter(cities(kb)), spread=ray)
    assert report.documents == len(cities(kb))


def test_an_item_that_kills_every_worker_ends_the_ingest(
    ray: Spread, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("clew.ingest.spread.RETRIES", 1)

    def die(number: int) -> int:
        if number == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    found = ray.map(die, range(4))
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(ClusterError, match=r"could not finish a task \(WorkerCrashedError.*run the same command again"):
        next(found)
    assert capfd.readouterr().out == ""


def test_what_cannot_travel_is_named(ray: Spread) -> None:
    lock = threading.Lock()

    def locked(number: int) -> int:
        with lock:
            return number

    with pytest.raises(InputError, match=r"locked.* cannot travel to Ray's workers .*ingest without --ray"):
        list(ray.map(locked, [1]))
