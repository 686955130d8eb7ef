"""A knowledge base that was backed up, wiped and restored is the one that it was."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.snapshot import Snapshot, vectors
from clew.cli import main
from clew.errors import InputError, NotFoundError
from clew.knowledge_base import KnowledgeBase, list_knowledge_bases
from clew.operations.archive import Writer
from clew.operations.backup import LABELS, backup
from clew.operations.restore import inspect, restore
from clew.resolution.merges import count_pairs, find_entity, merge, refuse
from tests.integration.graphs import CITIES, add, cities, document, graph, same

QUESTION = "What is the capital of New York?"


@pytest.fixture
def told(kb: KnowledgeBase) -> KnowledgeBase:
    """Cities, with a merge, a refusal, and a trajectory with a rating."""
    add(kb, *cities(kb))
    merge(kb, find_entity(kb, "York"), find_entity(kb, "York City"))
    refuse(kb, find_entity(kb, "New York"), find_entity(kb, "New York City"))
    kb.rate(kb.ask(QUESTION, policy="reader").id, 1, "right")
    return kb


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "one.clew"


def answers(kb: KnowledgeBase) -> list[object]:
    found = kb.ask(QUESTION, policy="reader", store=False)
    return [found.answer, found.verdict, found.citations]


def numbers(kb: KnowledgeBase) -> list[tuple[list[str], np.ndarray]]:
    return [vectors(kb.database, kb.name, label) for label in LABELS]


def test_wiped_and_restored_it_is_equal(told: KnowledgeBase, file: Path) -> None:
    before, vectors_before, said = graph(told), numbers(told), answers(told)
    done = backup(told.database, file, [told.name])
    assert done.bytes == file.stat().st_size
    assert file.stat().st_mode & 0o077 == 0
    assert inspect(file).knowledge_bases == done.knowledge_bases
    told.delete()
    assert restore(told.database, file) == {told.name: told.name}
    same(before, graph(told))
    for (ids, old), (ids_now, new) in zip(vectors_before, numbers(told), strict=True):
        assert ids == ids_now
        assert np.array_equal(old, new)
    assert answers(told) == said
    assert count_pairs(told) == {"suggestions": 0, "merges": 1, "refusals": 1}
    [trajectory] = told.trajectories()
    assert (trajectory["rating"], trajectory["comment"]) == (1, "right")
    assert told.trajectory(trajectory["id"])["steps"][0]["facts"]
    # It goes on as if nothing had been: the same documents are known, and a new one is linked.
    assert add(told, *cities(told)).unchanged == len(CITIES)
    assert add(told, document(told, "Hull", "Hull lies east of York.")).documents == 1


def test_under_another_name_it_is_as_if_ingested_there(told: KnowledgeBase, file: Path, other: KnowledgeBase) -> None:
    backup(told.database, file, [told.name])
    assert restore(told.database, file, into=other.name) == {told.name: other.name}
    restored = graph(other)
    assert count_pairs(other) == count_pairs(told)
    assert add(other, *cities(other)).unchanged == len(CITIES)
    same(restored, graph(other))
    [trajectory] = other.trajectories()
    shown = other.trajectory(trajectory["id"])
    assert shown["steps"][0]["facts"]
    assert all(other.document(citation["document"]) for citation in shown["citations"])
    said = answers(other)
    other.delete()
    add(other, *cities(other))
    assert {line for line in restored if not decided(line)} == {line for line in graph(other) if not decided(line)}
    assert said[0] == answers(other)[0]
    assert graph(told)


def decided(line: str) -> bool:
    return any(
        word in line for word in ("Trajectory", "Step", "SAME_AS", "DIFFERENT_FROM", "RETRIEVED", "CITES", "STEP")
    )


@pytest.fixture
def other(told: KnowledgeBase) -> Iterator[KnowledgeBase]:
    base = KnowledgeBase(f"{told.name}-2", told.database, told.settings)
    base.__dict__["embedder"] = told.embedder
    yield base
    if base.exists():
        base.delete()


def test_nothing_that_is_there_is_touched(told: KnowledgeBase, file: Path) -> None:
    backup(told.database, file, [told.name])
    before = graph(told)
    with pytest.raises(InputError, match="already: restore into another name"):
        restore(told.database, file)
    with pytest.raises(NotFoundError, match="has no knowledge base 'none'"):
        restore(told.database, file, name="none")
    with pytest.raises(InputError, match="no name for a knowledge base"):
        restore(told.database, file, into="../up")
    same(before, graph(told))


def test_every_byte_counts(told: KnowledgeBase, file: Path) -> None:
    backup(told.database, file, [told.name])
    told.delete()
    whole = file.read_bytes()
    places = [*range(0, 64), *range(64, len(whole), 997), *range(len(whole) - 64, len(whole))]
    for place in places:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        with pytest.raises(InputError, match=r"damaged|no whole backup"):
            restore(told.database, file)
    for length in (0, 1, 39, 40, 41, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        with pytest.raises(InputError, match=r"damaged|no whole backup"):
            inspect(file)
    assert told.name not in {row["name"] for row in list_knowledge_bases(told.database)}
    assert not graph(told)


def test_others_write_meanwhile(kb: KnowledgeBase, file: Path) -> None:
    """What is restored is the graph at some moment: never half of a document, and never a fact without its vector."""
    add(kb, *cities(kb))
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            add(kb, document(kb, f"Town {number}", f"Town {number} lies near York. Old Maren Light is far from it."))
            if number > 3:
                gone = next(row["id"] for row in kb.documents() if row["title"] == f"Town {number - 3}")
                kb.delete_documents(gone)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(3):
            backup(kb.database, file, [kb.name])
    finally:
        stop.set()
        writer.join()
    kb.delete()
    restore(kb.database, file)
    for label in LABELS:
        ids, found = vectors(kb.database, kb.name, label)
        assert len(ids) == kb.stats()["nodes"][label]
        assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-3)
    # The moment may lie between a document's facts and its links, which the next ingest makes, as after a kill.
    texts = [kb.document(row["id"]) for row in kb.documents()]
    add(kb, *(document(kb, row["title"], row["text"]) for row in texts))
    restored = graph(kb)
    # Written again from the documents that it has, it is the same.
    kb.delete()
    add(kb, *(document(kb, row["title"], row["text"]) for row in texts))
    same(restored, graph(kb))


class Killed(BaseException):
    """Ends a restore where it is."""


def test_a_restore_that_was_killed_is_not_there_and_goes_on(
    told: KnowledgeBase, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = graph(told)
    backup(told.database, file, [told.name])
    told.delete()
    transaction = told.database.transaction
    finished: Snapshot = set()
    for number in range(50):
        calls = 0

        def some(work: object, allowed: int = number) -> object:
            nonlocal calls
            calls += 1
            if calls > 1:  # one part more each time, so every part is the last one once
                raise Killed
            return transaction(work)  # type: ignore[arg-type]

        monkeypatch.setattr(told.database, "transaction", some)
        try:
            restore(told.database, file)
        except Killed:
            assert not told.exists()
            assert told.name not in {row["name"] for row in list_knowledge_bases(told.database)}
            with pytest.raises(NotFoundError):
                told.retrieve("York")
            continue
        finally:
            monkeypatch.undo()
        finished = graph(told)
        break
    same(before, finished)


def test_what_a_restore_left_can_be_deleted(
    told: KnowledgeBase, file: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(told.database, file, [told.name])
    told.delete()
    monkeypatch.setattr(told.database, "transaction", lambda work: (_ for _ in ()).throw(Killed))
    with pytest.raises(Killed):
        restore(told.database, file)
    monkeypatch.undo()
    with pytest.raises(InputError, match="is being restored"):
        add(told, *cities(told))
    command = ["kb", "delete", told.name, "--yes", "--json"]
    done = CliRunner(env=environment).invoke(main, command)
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"deleted": told.name})
    assert CliRunner(env=environment).invoke(main, command).exit_code == 3
    assert not graph(told)
    assert restore(told.database, file)


@pytest.mark.parametrize(
    ("kind", "row", "says"),
    [
        ("vectors", {"label": "KnowledgeBase", "ids": [], "size": 0, "numbers": ""}, "which have none"),
        ("pairs", {"id": "x", "pairs": [["HAS_CHUNK", "y", {}]]}, "does not know"),
        ("documents", {"id": "x", "properties": {"id": "x", "kb": "another"}}, "of another knowledge base"),
        ("documents", {"id": "x"}, "damaged or forged"),
        ("documents", [], "damaged or forged"),
        ("vectors", {"label": "Chunk", "ids": ["x"], "size": 3, "numbers": "AAAA"}, "damaged or forged"),
        ("pairs", {"id": "x"}, "damaged or forged"),
    ],
)
def test_a_forged_backup_adds_nothing_else(
    kind: str, row: dict[str, object], says: str, kb: KnowledgeBase, file: Path
) -> None:
    with Writer(file) as out:
        out.add("clew", "", [], format=1, clew="1", schema=1, made="now", names=[kb.name])
        encoder = {"embedder": "x", "dimensions": 3, "precision": "f32"}
        out.add("knowledge_base", kb.name, [{"properties": encoder}])
        out.add(kind, kb.name, [row])
        out.finish()
    with pytest.raises(InputError, match=says):
        restore(kb.database, file)
    assert not kb.exists()
    kb.delete()
    assert not graph(kb)
