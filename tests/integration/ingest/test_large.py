"""Documents over many transactions, and several writers at once."""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pytest

from benchmarks.snapshot import difference, vectors
from clew.database.connection import Database, Tx
from clew.errors import NotFoundError
from clew.explore import look
from clew.ingest import batch as batches
from clew.ingest import pipeline, remove
from clew.ingest.pipeline import Progress
from clew.knowledge_base import KnowledgeBase
from clew.types import Document
from tests.integration.graphs import CITIES, add, cities, document, dump, graph, same


def large(kb: KnowledgeBase, sentences: int = 300, year: int = 1800) -> Document:
    text = " ".join(f"Keeper {i} of York lit lamp {i} in {year + i % 7}." for i in range(sentences))
    return document(kb, "Old Maren Light", text, "upload:large")


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transactions of a few facts, so that a document of some pages is spread over many."""
    monkeypatch.setattr(pipeline, "FACTS", 40)
    monkeypatch.setattr(pipeline, "CHUNKS", 3)


@pytest.fixture
def small_deletes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transactions that delete a few chunks each."""
    monkeypatch.setattr(remove, "CHUNKS", 3)


@pytest.mark.usefixtures("small_batches")
def test_a_large_document_over_many_transactions(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    kb.ingest_documents(
        iter([*cities(kb, ["York"]), large(kb), *cities(kb, ["Light"])]), on_progress=lambda p: written.append(p.done)
    )
    in_pieces = graph(kb)
    assert len(written) > 5
    embedder = kb.embedder
    kb.delete()
    kb.__dict__["embedder"] = embedder
    monkeypatch.setattr(pipeline, "FACTS", 2000)
    monkeypatch.setattr(pipeline, "CHUNKS", 400)
    add(kb, *cities(kb, ["York"]), large(kb), *cities(kb, ["Light"]))
    same(in_pieces, graph(kb))


@pytest.mark.usefixtures("small_batches", "small_deletes")
def test_a_changed_large_document(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb), large(kb, 200, 1900))
    expected = graph(kb)
    add(kb, large(kb, 300))
    add(kb, large(kb, 200, 1900))
    same(expected, graph(kb))


class Halt(Exception):
    """What a test throws to stop an ingest half-way."""


def halt_after(transactions: int) -> Callable[[Progress], None]:
    seen = itertools.count(1)

    def halt(_: Progress) -> None:
        if next(seen) == transactions:
            raise Halt

    return halt


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("transactions", [1, 3])
def test_a_half_written_document_is_finished(kb: KnowledgeBase, transactions: int) -> None:
    old, new = large(kb, 100, 1700), large(kb)
    add(kb, *cities(kb), new)
    expected = graph(kb)
    add(kb, old)
    with pytest.raises(Halt):
        kb.ingest_documents(iter([new]), on_progress=halt_after(transactions))
    assert difference(expected, graph(kb)) != []
    add(kb, new)
    same(expected, graph(kb))


@pytest.mark.usefixtures("small_batches")
def test_a_half_written_document_is_replaced_and_deleted(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    without = graph(kb)
    with pytest.raises(Halt):
        kb.ingest_documents(iter([large(kb)]), on_progress=halt_after(2))
    add(kb, large(kb, 100, 1700))
    kb.delete_documents(large(kb).id)
    same(without, graph(kb))
    with pytest.raises(Halt):
        kb.ingest_documents(iter([large(kb)]), on_progress=halt_after(2))
    kb.delete_documents(large(kb).id)
    same(without, graph(kb))


def stop_before(monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """Let a delete end before this part of it, as where its process is killed."""
    detach = remove.detach
    seen = itertools.count(1)

    def halting(*arguments: Any) -> list[str]:
        if next(seen) == part:
            raise Halt
        return detach(*arguments)

    monkeypatch.setattr(remove, "detach", halting)


@pytest.mark.usefixtures("small_deletes")
def test_a_large_document_is_deleted_over_many_transactions(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    without = graph(kb)
    add(kb, large(kb))
    before = look.version(kb)
    assert kb.delete_documents(large(kb).id) == 1
    assert len(kb.database.read("graph/changes", kb=kb.name, version=before)) > 3
    same(without, graph(kb))


@pytest.mark.usefixtures("small_deletes")
@pytest.mark.parametrize("again", ["delete", "ingest", "another version"])
def test_a_delete_that_was_interrupted_is_completed(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    """Until its last part is gone the document is there, unfinished: it can be deleted again, or brought in."""
    add(kb, *cities(kb))
    without = graph(kb)
    other = large(kb, 100, 1900)
    add(kb, other if again == "another version" else large(kb))
    whole = graph(kb)
    if again == "another version":
        add(kb, large(kb))
    with monkeypatch.context() as patch:
        stop_before(patch, 3)
        with pytest.raises(Halt):
            kb.delete_documents(large(kb).id)
    row = next(row for row in kb.documents() if row["id"] == large(kb).id)
    assert (row["status"], row["chunks"] > 0) == ("partial", True)
    reason = kb.ask("Who founded Ansby?", policy="reader", store=False).verdict.reason
    assert reason.endswith("1 document is still being brought in: ask again when all are there.")
    if again == "delete":
        assert kb.delete_documents(large(kb).id) == 1
        same(without, graph(kb))
    else:
        add(kb, other if again == "another version" else large(kb))
        same(whole, graph(kb))
    assert "being brought in" not in kb.ask("Who founded Ansby?", policy="reader", store=False).verdict.reason


@pytest.mark.usefixtures("small_batches", "small_deletes")
def test_a_document_brought_in_anew_while_it_is_deleted_stays(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(kb, *cities(kb), large(kb))
    expected = graph(kb)
    in_parts = Database.transaction
    parts = itertools.count(1)

    def and_add(database: Database, work: Callable[[Tx], Any]) -> Any:
        done = in_parts(database, work)
        if getattr(work, "func", None) is remove._delete_documents and next(parts) == 2:
            add(kb, large(kb))
        return done

    monkeypatch.setattr(Database, "transaction", and_add)
    assert kb.delete_documents(large(kb).id) == 0
    same(expected, graph(kb))


@pytest.mark.usefixtures("small_batches")
def test_a_document_deleted_while_it_is_written_stays_deleted(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    without = graph(kb)
    deleted: list[int] = []

    def delete(progress: Progress) -> None:
        if not deleted:
            deleted.append(kb.delete_documents(large(kb).id))

    report = kb.ingest_documents(iter([large(kb)]), on_progress=delete)
    assert (deleted, report.documents) == ([1], 0)
    same(without, graph(kb))


@pytest.mark.usefixtures("small_batches")
def test_a_document_changed_while_it_is_written_is_the_later_one(kb: KnowledgeBase) -> None:
    later = large(kb, 100, 1900)
    add(kb, *cities(kb), later)
    expected = graph(kb)
    kb.delete_documents(later.id)
    changed: list[int] = []

    def change(progress: Progress) -> None:
        if not changed:
            changed.append(1)
            add(kb, later)

    kb.ingest_documents(iter([large(kb)]), on_progress=change)
    same(expected, graph(kb))


def test_a_document_that_someone_else_wrote_since_it_was_looked_up(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two versions that come at once the later one is there, and nothing of the other, also where they are alike."""
    monkeypatch.setattr(pipeline, "CHUNKS", 1000)
    one, other = large(kb, 100, 1800), large(kb, 130, 1800)  # other begins with the very chunks of one
    add(kb, *cities(kb), other)
    expected = graph(kb)
    kb.delete_documents(other.id)
    new_nodes = batches.new_nodes

    def and_then_add(batch: batches.Batch, database: Database, before: Collection[batches.Batch]) -> list[str]:
        monkeypatch.setattr(pipeline, "new_nodes", new_nodes)
        ids = new_nodes(batch, database, before)
        add(kb, one)
        return ids

    monkeypatch.setattr(pipeline, "new_nodes", and_then_add)
    add(kb, other)
    same(expected, graph(kb))


def test_what_was_known_and_is_gone_is_encoded(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that the graph had when its vector was left out may be deleted before the batch is written."""
    one = document(kb, "Ansby", "It was founded by Ada.", "upload:one")
    other = document(kb, "Ansby", "It was founded by Ada.", "upload:other")
    add(kb, one)
    new_nodes = batches.new_nodes

    def and_then_delete(batch: batches.Batch, database: Database, before: Collection[batches.Batch]) -> list[str]:
        ids = new_nodes(batch, database, before)
        kb.delete_documents(one.id)
        return ids

    monkeypatch.setattr(pipeline, "new_nodes", and_then_delete)
    add(kb, other)
    nodes, _ = dump(kb)
    assert [node["embedding"] for node in nodes.values() if "lead" in node] == [384]
    ids, found = vectors(kb.database, kb.name, "Hyperedge")
    np.testing.assert_allclose(found, kb.embedder.embed(["Ansby: It was founded by Ada."]), atol=1e-3)
    assert len(ids) == 1


def test_ingest_and_delete_at_once(kb: KnowledgeBase) -> None:
    """One thread deletes and adds what another one ingests; afterwards the graph is what one ingest makes it."""
    add(kb, *cities(kb))
    expected = graph(kb)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        chance = random.Random(seed)
        try:
            for _ in range(6):
                some = chance.sample(list(CITIES), 4)
                if seed % 2:
                    there = {row["id"] for row in kb.documents()}
                    kb.delete_documents(*(one.id for one in cities(kb, some) if one.id in there))
                else:
                    add(kb, *cities(kb, some))
        except NotFoundError:  # the other one has deleted it first
            pass
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    add(kb, *cities(kb))
    same(expected, graph(kb))
    kb.delete_documents(*(one.id for one in cities(kb)))
    assert graph(kb) == set()


@pytest.mark.usefixtures("small_batches")
def test_an_ingest_ends_when_its_knowledge_base_is_deleted(kb: KnowledgeBase) -> None:
    with pytest.raises(NotFoundError, match=kb.name):
        kb.ingest_documents(iter([large(kb)]), on_progress=lambda _: kb.delete() if kb.exists() else None)
    assert graph(kb) == set()
