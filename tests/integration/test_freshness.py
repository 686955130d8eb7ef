"""The walk's copy of the graph follows what other processes write and delete; its facts tell how they were reached."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clew.knowledge_base import KnowledgeBase
from tests.integration.graphs import add, cities, document

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


def test_a_knowledge_base_that_is_made_anew_is_read_anew(kb: KnowledgeBase) -> None:
    add(kb, document(kb, "Ansby", "Ansby is a town by the sea."))
    assert "town" in texts(kb, "What is Ansby?", "clew")[0]
    kb.delete()
    add(kb, document(kb, "Ansby", "Ansby is a hill without trees."))
    found = texts(kb, "What is Ansby?", "clew")
    assert "hill" in found[0]
    assert not any("town" in text for text in found)


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
