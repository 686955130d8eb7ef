"""The walk's copy of the graph follows what other processes write and delete; its facts tell how they were reached."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from clew.ingest import change
from clew.knowledge_base import KnowledgeBase
from clew.resolution import merges
from clew.retrieval.graph import copy as graph_copy
from clew.retrieval.graph.copy import current_graph, read_graph, update
from clew.retrieval.graph.hypergraph import Graph, Incidence
from clew.retrieval.graph.vector_table import VectorTable
from tests.integration.graphs import CITIES, add, cities, document

WALKS = ("clew", "clew-one-pass", "hipporag2")


def elsewhere(environment: dict[str, str], *arguments: str) -> None:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "clew.cli", *arguments]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)


def texts(kb: KnowledgeBase, query: str, strategy: str) -> list[str]:
    (found,) = kb.retrieve([query], 5, strategy)
    return [fact.text for fact in found.facts] + [passage.text for passage in found.passages]


@pytest.mark.parametrize("strategy", WALKS)
def test_what_another_process_writes_and_deletes_counts_at_once(
    kb: KnowledgeBase, environment: dict[str, str], tmp_path: Path, strategy: str
) -> None:
    add(kb, *cities(kb))
    query = "Who keeps the Skarn Beacon?"
    assert not any("Tove Lindqvist" in text for text in texts(kb, query, strategy))
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"title": "Skarn Beacon", "text": "Tove Lindqvist keeps the beacon in New York."}))
    elsewhere(environment, "ingest", str(corpus), "--kb", kb.name)
    assert "Tove Lindqvist" in texts(kb, query, strategy)[0]
    (beacon,) = [row["id"] for row in kb.documents() if row["title"] == "Skarn Beacon"]
    elsewhere(environment, "document", "delete", beacon, "--kb", kb.name, "--yes")
    assert not any("Tove Lindqvist" in text for text in texts(kb, query, strategy))
    assert any("New York" in text for text in texts(kb, query, strategy))


def parts(graph: Graph) -> dict[str, list[object]]:
    """All that a graph holds, as lists."""
    found: dict[str, list[object]] = {"version": [graph.version]}
    for field in fields(graph):
        value = getattr(graph, field.name)
        if isinstance(value, Incidence):
            found |= {f"{field.name} {one.name}": getattr(value, one.name).tolist() for one in fields(value)}
        elif isinstance(value, VectorTable):
            found[field.name] = value.whole().tolist()
        elif isinstance(value, np.ndarray):
            found[field.name] = value.tolist()
    return found


def whole(kb: KnowledgeBase) -> dict[str, list[object]]:
    return parts(read_graph(kb.database, kb.name))


@pytest.mark.parametrize("seed", range(2))
def test_a_copy_with_the_changes_alone_equals_one_that_is_read_whole(kb: KnowledgeBase, seed: int) -> None:
    chance = random.Random(seed)
    add(kb, *cities(kb)[:3])
    copy = read_graph(kb.database, kb.name)
    for step in range(6):
        there = {row["title"]: row["id"] for row in kb.documents()}
        match chance.randrange(3):
            case 0:
                kb.delete_documents(*chance.sample(sorted(there.values()), min(2, len(there))))
            case 1 if there:
                title = chance.choice(sorted(there))
                add(kb, document(kb, title, f"{title} is not what it was. {chance.choice(list(CITIES.values()))}"))
            case _:
                add(kb, *chance.sample(cities(kb), 3))
        if chance.random() < 0.7:
            updated = update(kb.database, kb.name, copy)
            assert updated is not None
            assert parts(updated) == whole(kb), f"after step {step}"
            copy = updated


def test_a_copy_whose_changes_are_not_known_is_read_whole(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    add(kb, *cities(kb))
    current_graph(kb.database, kb.name)
    old = read_graph(kb.database, kb.name)
    one, other = (merges.find_entity(kb, name) for name in ("York", "Light"))
    merges.merge(kb, one, other)
    assert update(kb.database, kb.name, old) is None
    assert parts(current_graph(kb.database, kb.name)) == whole(kb)
    merged = read_graph(kb.database, kb.name)
    add(kb, document(kb, "Ansby", "Ansby is a town by the sea."))
    assert update(kb.database, kb.name, merged) is None
    assert parts(current_graph(kb.database, kb.name)) == whole(kb)
    merges.forget_all(kb)
    old = read_graph(kb.database, kb.name)
    monkeypatch.setattr(change, "KEPT", 1)
    add(kb, document(kb, "Ansby", "Ansby is a hill."))
    add(kb, document(kb, "Ansby", "Ansby is a lake."))
    assert update(kb.database, kb.name, old) is None
    assert parts(current_graph(kb.database, kb.name)) == whole(kb)


def test_who_waits_for_a_copy_takes_the_one_that_was_made_meanwhile(kb: KnowledgeBase) -> None:
    add(kb, document(kb, "Ansby", "Ansby is a town by the sea."))
    current_graph(kb.database, kb.name)
    copy = graph_copy._copy(kb.database, kb.name)
    with ThreadPoolExecutor(1) as pool:
        with copy.lock:
            waiting = pool.submit(current_graph, kb.database, kb.name)
            time.sleep(0.5)
            add(kb, document(kb, "Quillby", "Quillby lies by a lake."))
            copy.graph = made = read_graph(kb.database, kb.name)
        assert waiting.result() is made


def test_a_knowledge_base_that_is_made_anew_is_read_anew(kb: KnowledgeBase) -> None:
    add(kb, document(kb, "Ansby", "Ansby is a town by the sea."))
    assert "town" in texts(kb, "What is Ansby?", "clew")[0]
    kb.delete()
    add(kb, document(kb, "Ansby", "Ansby is a hill without trees."))
    found = texts(kb, "What is Ansby?", "clew")
    assert "hill" in found[0]
    assert not any("town" in text for text in found)


def test_the_same_documents_by_another_encoder_have_its_vectors(kb: KnowledgeBase) -> None:
    vectors = []
    for precision in ("f32", "int8"):
        base = KnowledgeBase(kb.name, kb.database, kb.settings.model_copy(update={"precision": precision}))
        add(base, *cities(base))
        copy = current_graph(base.database, base.name)
        assert parts(copy) == whole(base)
        vectors.append(copy.vectors.whole().tolist())
        base.delete()
    assert len(vectors[0]) == len(vectors[1])
    assert vectors[0] != vectors[1]


def test_each_fact_tells_its_cosine_to_the_query(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    query = "Which lamp does York have?"
    (found,) = kb.retrieve([query], 10, "clew")
    asked, *stated = kb.embedder.embed([query, *(fact.text for fact in found.facts)])
    assert found.facts
    for fact, vector in zip(found.facts, stated, strict=True):
        assert fact.similarity == pytest.approx(float(asked @ vector), abs=0.02)


def test_each_fact_tells_its_way(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    (found,) = kb.retrieve(["Which lamp does York have?"], 10, "clew")
    assert found.facts
    names = {row["title"].split(" (")[0] for row in kb.documents()}
    for fact in found.facts:
        assert fact.way
        assert fact.way[0].seed
        assert not any(hop.seed for hop in fact.way[1:])
        assert [hop.kind == "fact" for hop in fact.way] == [bool(i % 2) for i in range(len(fact.way))]
        assert all(0 < hop.weight <= 1 and hop.name for hop in fact.way)
        if fact.way[-1].kind == "entity":
            assert fact.way[-1].name in fact.entities
    named = {fact.way[0].name for fact in found.facts if fact.way[0].seed == "named in the question"}
    assert "York" in named
    assert named <= names
