"""A knowledge base in other tools' formats, read back by these tools; JSON lines come back as they were."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner
from pyarrow import parquet

from clew.cli.export import export as command
from clew.database.connection import Database
from clew.errors import InputError
from clew.knowledge_base import KnowledgeBase
from clew.operations.check import check
from clew.operations.export import export

TEXT = 'Gull Rock was lit in 1901 by Ansel Roe. Its bell, the "Old <Maud>", cracked & was sold.\n\nOrla Finch wept.'
TRIPLES = [["Ansel Roe", "lit", "Gull Rock"], ["Gull Rock", "was lit in", "1901"]]


@pytest.fixture
def base(kb: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    """Sentences, triples, a link between two pages, and signs that every format has to write in its own way."""
    file = tmp_path / "in.jsonl"
    rows = [{"title": "Gull Rock", "text": TEXT, "triples": TRIPLES}]
    rows += [{"title": "Orla Finch", "text": "Orla Finch kept Gull Rock\tfor years.", "triples": []}]
    file.write_text("\n".join(map(json.dumps, rows)))
    kb.import_openie(str(file), sentences=True)
    return kb


def incidence(base: KnowledgeBase) -> set[tuple[str, str, str]]:
    """Who takes part in what, as the library tells it."""
    return {
        (fact["text"], one["name"], one["role"]) for fact in base.facts("", limit=100) for one in fact["participants"]
    }


def test_every_format_says_who_takes_part_in_what(base: KnowledgeBase, tmp_path: Path) -> None:
    expected = incidence(base)
    assert len(expected) > 8
    for name in ("a.graphml", "a.csv", "a.parquet", "a.nt", "a.ttl"):
        assert export(base, tmp_path / name) == len({text for text, _, _ in expected})

    graph = nx.read_graphml(tmp_path / "a.graphml")
    nodes: dict[str, Any] = dict(graph.nodes(data=True))
    assert expected == {(nodes[a]["label"], nodes[b]["label"], told["role"]) for a, b, told in graph.edges(data=True)}
    assert {"fact", "entity"} == {node["kind"] for node in nodes.values()}

    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert expected == {(row["text"], row["name"], row["role"]) for row in table}
    columns = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [{**row, "negated": str(row["negated"])} for row in columns] == table

    triple = re.compile(r'<([^<>\s]+)> <([^<>\s]+)> (?:<([^<>\s]+)>|("(?:[^"\\\n\r]|\\.)*")(?:\^\^<\S+>)?) \.')
    lines = (tmp_path / "a.nt").read_text(encoding="utf-8").splitlines()
    found = [match.groups() for line in lines if (match := triple.fullmatch(line))]
    assert len(found) == len(lines)
    said = {(s, p): json.loads(literal) for s, p, _, literal in found if literal}
    label, text = "http://www.w3.org/2000/01/rdf-schema#label", "urn:clew:text"
    roles = [(s, p.removeprefix("urn:clew:role:"), o) for s, p, o, _ in found if p.startswith("urn:clew:role:")]
    assert expected == {(said[s, text], said[o, label], role) for s, role, o in roles}


def test_edges_are_pairs_of_participants(base: KnowledgeBase, tmp_path: Path, environment: dict[str, str]) -> None:
    done = CliRunner(env=environment).invoke(command, [str(tmp_path / "e.csv"), "--edges", "--kb", base.name])
    assert done.exit_code == 0
    with (tmp_path / "e.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lit = [row for row in rows if row["text"] == "Ansel Roe lit Gull Rock"]
    assert [{row["source_name"], row["target_name"]} for row in lit] == [{"Ansel Roe", "Gull Rock"}]
    assert [{row["source_role"], row["target_role"]} for row in lit] == [{"subject", "object"}]
    for name, edges in (("e.graphml", True), ("e.txt", False), ("none/e.csv", False)):
        with pytest.raises(InputError, match=re.escape(name.rpartition("/")[2]) if not edges else "table"):
            export(base, tmp_path / name, edges=edges)


def test_json_lines_come_back_as_they_were(base: KnowledgeBase, tmp_path: Path, database: Database) -> None:
    assert export(base, tmp_path / "a.jsonl") == 2
    copy = KnowledgeBase(f"{base.name}-copy", database, base.settings)
    copy.__dict__["embedder"] = base.embedder
    try:
        report = copy.import_openie(str(tmp_path / "a.jsonl"))
        assert (report.documents, report.skipped) == (2, ())
        assert incidence(copy) == incidence(base)
        assert check(copy).findings == ()
        export(copy, tmp_path / "b.jsonl")
        told = []
        for name in ("a.jsonl", "b.jsonl"):
            rows = [json.loads(line) for line in (tmp_path / name).read_text(encoding="utf-8").splitlines()]
            told.append(sorted([row["title"], row["text"], row["metadata"], row["facts"]] for row in rows))
        assert told[0] == told[1]
        assert copy.import_openie(str(tmp_path / "a.jsonl")).unchanged == 2

        hostile = {
            "id": "x",
            "title": "T",
            "text": "Ada Vale met Bo Lund.",
            "facts": [
                {"text": "x", "start": 0, "end": 999, "participants": [{"name": "A b"}]},
                {"text": "x", "start": -1, "end": 5, "participants": [{"name": "A b"}]},
                {
                    "text": "<query>x",
                    "start": 0,
                    "end": 21,
                    "lead": 3,
                    "participants": [{"name": "A\u202e b", "role": "link"}],
                },
                {"text": "x", "start": 0, "end": 5, "participants": [{"name": "!"}]},
                7,
            ],
        }
        (tmp_path / "c.jsonl").write_text(json.dumps(hostile))
        report = copy.import_openie(str(tmp_path / "c.jsonl"))
        assert report.extraction is not None
        assert report.extraction.dropped == {"form": 4}
        [kept] = [fact for fact in copy.facts("query", limit=100) if "query" in fact["text"]]
        assert (kept["text"], kept["lead"]) == ("‹query>x", 0)
        assert [(one["name"], one["role"]) for one in kept["participants"]] == [("A b", "participant")]
    finally:
        copy.delete()
