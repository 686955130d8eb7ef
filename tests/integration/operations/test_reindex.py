"""A knowledge base changes its encoder under the hands of those who ask it and write to it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.snapshot import vectors
from clew.database.connection import Database
from clew.embedding import Vectors
from clew.errors import EmbedderError, InputError
from clew.knowledge_base import KnowledgeBase
from clew.operations.backup import backup
from clew.operations.check import check
from clew.operations.reindex import drop, reindex
from clew.operations.restore import restore
from clew.settings import Settings
from tests.faults.bench import Hashed
from tests.integration.graphs import CITIES, add, cities, document


class Other(Hashed):
    """The same hashes in another number of dimensions."""

    name = "other"
    dimensions = 24

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = super().embed(texts)
        wide = np.concatenate([rows, -rows[:, :8]], axis=1)
        return np.asarray(wide / np.linalg.norm(wide, axis=1, keepdims=True), np.float32)


class Both(KnowledgeBase):
    """A knowledge base whose encoders need no weights."""

    def _load(self, row: object) -> Hashed | Other:
        assert isinstance(row, dict) or row is None
        return Other() if row and row["embedder"] == "other" else Hashed()


@pytest.fixture
def both(kb: KnowledgeBase, database: Database, settings: Settings) -> Both:
    base = Both(kb.name, database, settings)
    add(base, *cities(base))
    return base


def found(base: KnowledgeBase) -> list[str]:
    """What the vector searches bring back; one needs the copy of the graph, too."""
    strategies = ("hyperedges", "graph-r1", "clew", "chunks", "raptor")
    return [fact.id for name in strategies for one in base.retrieve(["York"], 5, name) for fact in one.facts]


def test_the_switch_is_seen_in_its_results_alone(both: Both) -> None:
    before = found(both)
    trajectory = both.ask("What is the capital of New York?", policy="reader")
    done = reindex(both, Other())
    assert (done.before, done.now) == ("hashed", "other")
    nodes = both.stats()["nodes"]
    assert done.encoded == sum(nodes[label] for label in ("Chunk", "Hyperedge", "Entity"))
    assert both.encoder()[0].name == "other"
    assert found(both)
    assert both.trajectory(trajectory.id)
    assert check(both).findings == ()
    with pytest.raises(InputError, match="has the encoder 'other' already"):
        reindex(both, Other())
    # What is written from here on is found, and what goes back is only that.
    add(both, document(both, "Hull", "Hull lies east of York."))
    assert check(both).findings == ()
    assert 0 < reindex(both, Hashed()).encoded < 10
    assert check(both).findings == ()
    both.delete_documents(*[row["id"] for row in both.documents() if row["title"] == "Hull"])
    assert found(both) == before
    assert drop(both) == "other"
    assert drop(both) == ""
    assert reindex(both, Other()).encoded == done.encoded


def test_one_that_was_interrupted_goes_on(both: Both) -> None:
    class Fails(Other):
        left = 2

        def embed(self, texts: Sequence[str]) -> Vectors:
            self.left -= 1
            if self.left < 0:
                raise EmbedderError("out of order")
            return super().embed(texts)

    from unittest.mock import patch

    from clew.operations import reindex as module

    before = found(both)
    with patch.multiple(module, PAGE=20, LATE=0), pytest.raises(EmbedderError, match="out of order"):
        reindex(both, Fails())
    assert both.encoder()[0].name == "hashed"
    assert found(both) == before
    assert check(both).findings == ()
    nodes = both.stats()["nodes"]
    assert reindex(both, Other()).encoded == sum(nodes[one] for one in ("Chunk", "Hyperedge", "Entity")) - 40


def test_who_began_before_the_switch_leaves_nothing_of_it_to_those_after(both: Both) -> None:
    began = both.strategy("raptor")
    reindex(both, Other())
    for _ in range(2):
        assert began.retrieve(["York"], 5)[0].facts
        assert both.retrieve(["York"], 5, "raptor")[0].facts


def test_nobody_fails_meanwhile(both: Both, database: Database, settings: Settings) -> None:
    stop = threading.Event()
    failed: list[BaseException] = []
    asked = 0

    def ask() -> None:
        nonlocal asked
        own = Both(both.name, database, settings)
        while not stop.is_set():
            try:
                assert found(own)
                asked += 1
            except BaseException as error:
                failed.append(error)
                return

    def write() -> None:
        own = Both(both.name, database, settings)
        number = 0
        while not stop.is_set():
            number += 1
            one = document(own, f"Town {number}", f"Town {number} lies near York. Old Maren Light is far from it.")
            while not stop.is_set():
                try:
                    add(own, one)
                    break
                except InputError:  # an ingest that began before the switch is told to begin again
                    continue
                except BaseException as error:
                    failed.append(error)
                    return

    threads = [threading.Thread(target=work) for work in (ask, ask, write)]
    for thread in threads:
        thread.start()
    try:
        for embedder in (Other(), Hashed(), Other()):
            reindex(both, embedder)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failed == []
    assert asked
    assert [one for one in check(both).findings if not one.notice] == []


def test_a_backup_has_the_vectors_that_are_searched(both: Both, tmp_path: Path) -> None:
    reindex(both, Other())
    ids, numbers = vectors(both.database.at("_2"), both.name, "Hyperedge")
    backup(both.database, tmp_path / "one.clew", [both.name])
    both.delete()
    restore(both.database, tmp_path / "one.clew")
    ids_now, numbers_now = vectors(both.database, both.name, "Hyperedge")
    assert ids == ids_now
    assert np.array_equal(numbers, numbers_now)
    assert both.encoder()[0].name == "other"
    assert add(both, *cities(both)).unchanged == len(CITIES)
    assert check(both).findings == ()


def test_a_setting_that_differs_is_told(both: Both) -> None:
    from clew.operations.doctor import _base

    line = _base(both.name, "hashed", both.settings)
    assert line.state == "notice"
    assert f"clew reindex --kb {both.name} --embedder {both.settings.embedder}" in line.advice
