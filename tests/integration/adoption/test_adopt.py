"""Graphs that are in Neo4j already: adopted, asked with links to the originals, followed, and left as they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from neo4j import GraphDatabase

from benchmarks.snapshot import difference, snapshot
from clew.adoption.draft import draft_mapping
from clew.adoption.mapping import load_mapping, read_mapping
from clew.cli.adopt import adopt
from clew.database.connection import Database
from clew.errors import InputError
from clew.knowledge_base import KnowledgeBase
from clew.operations.check import check
from clew.serving.api.chat import rendered
from clew.serving.tools import answered
from examples.movies import rows

Run = Callable[..., list[dict[str, Any]]]

LIGHTS = """
CREATE (marr:Keeper:Sailor {id: 7, name: 'Isla Marr', born: date('1871-03-02'), vector: [0.5, 0.25]})
CREATE (vane:Keeper {id: 8, name: 'Tobias Vane', notes: 'He kept bees at Gull Rock. The bees outlived the lamp.'})
CREATE (other:Keeper {id: 9, name: 'Isla Marr', born: date('1902-11-30')})
CREATE (:Keeper {id: 10})
CREATE (rock:Light {name: 'Gull Rock', height: 31.5, lit: true})
CREATE (spit:Light {name: 'Cold Spit'})
CREATE (marr)-[:KEPT {since: 1893}]->(rock), (vane)-[:KEPT]->(rock), (other)-[:KEPT {since: 1925}]->(spit)
CREATE (vane)-[:KNEW {fact: 'Tobias Vane taught Isla Marr to read the barometer.'}]->(marr)
CREATE (w:Handover {no: 'h1', year: 1899})
CREATE (w)-[:GAVE]->(marr), (w)-[:TOOK]->(vane), (w)-[:PLACE]->(rock)
CREATE (log:Logbook {title: 'Log of Cold Spit'})
CREATE (log)-[:HAS_CHUNK]->(:LogPart {index: 1, text: 'The fog bell cracked in 1903. Orla Finch sent a new one.'})
CREATE (log)-[:HAS_CHUNK]->(:LogPart {index: 0, text: 'The lamp of Cold Spit was lit in 1901 by Ansel Roe.'})
CREATE (log)-[:ABOUT]->(spit)
"""
LABELS = ("Keeper", "Light", "Handover", "Logbook", "LogPart", "Foreign")
MAPPING = """
[entities.Keeper]
name = "name"
key = "id"
distinguish_by = "born"
text = "notes"
sentences = ["{name} is a keeper[, born on {.born}]."]
[entities.Light]
name = "name"
key = "name"
sentences = ["The light of {name} is {.height} metres high."]
[documents.Logbook]
name = "title"
[documents.Logbook.parts]
relationship = "HAS_CHUNK"
label = "LogPart"
text = "text"
order = "index"
[relationships.KEPT]
sentence = "{from} kept the light of {to}[ from {.since} on]."
[relationships.KNEW]
sentence = "{from} knew {to}."
text = "fact"
[relationships.ABOUT]
sentence = "{from} is about {to}."
[facts.Handover]
key = "no"
sentence = "{GAVE} handed {PLACE} over to {TOOK}[ in {.year}]."
"""


@pytest.fixture(scope="module")
def run(database: Database) -> Iterator[Run]:
    """Cypher of another program on the same server; what it made is removed in the end."""
    server = database.server
    with GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as driver:

        def run(query: str, **params: Any) -> list[dict[str, Any]]:
            return driver.execute_query(query, params, result_transformer_=lambda found: found.data())

        yield run
        names = [name for film in rows() for name in (film["title"], *(one["name"] for one in film["people"]))]
        run("MATCH (n:Movie|Person) WHERE coalesce(n.title, n.name) IN $names DETACH DELETE n", names=names)
        run(f"MATCH (n:{'|'.join(LABELS)}) DETACH DELETE n")


@pytest.fixture
def lights(run: Run) -> Run:
    """The graph of two lights, as new."""
    run(f"MATCH (n:{'|'.join(LABELS)}) DETACH DELETE n")
    run(LIGHTS)
    return run


def texts(kb: KnowledgeBase) -> dict[str, str]:
    return {row["title"]: kb.document(row["id"])["text"] for row in kb.documents()}


def the_graph(run: Run) -> list[Any]:
    """All of the other program's nodes and relationships."""
    nodes = run(
        f"MATCH (n:{'|'.join(LABELS)}) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS p, "
        "COLLECT { MATCH (n)-[r]-(m) RETURN [type(r), properties(r), elementId(m)] ORDER BY elementId(r) } AS r "
        "ORDER BY id"
    )
    return [json.dumps(node, default=str, sort_keys=True) for node in nodes]


def test_films_answer_with_links_to_their_nodes_and_come_again(
    kb: KnowledgeBase, run: Run, tmp_path: Path, environment: dict[str, str]
) -> None:
    kb.database.write("examples/movies", rows=rows())
    file = str(tmp_path / "films.toml")
    command = CliRunner(env=environment)
    assert command.invoke(adopt, ["--draft", file]).exit_code == 0
    assert "already" in str(command.invoke(adopt, ["--draft", file]).exception)
    assert kb.adopt(load_mapping(file)).documents == 38
    for question, answer, original in (
        ("Who directed Cast Away?", "Robert Zemeckis", '(n:Person {name: "Robert Zemeckis"})'),
        ("When was Apollo 13 released?", "1995", '(n:Movie {title: "Apollo 13"})'),
    ):
        trajectory = kb.ask(question)
        assert trajectory.answer == answer
        assert original in {one.original for one in trajectory.citations}
        assert original in {one["original"] for one in kb.trajectory(trajectory.id)["citations"]}
        assert run(f"MATCH {original} RETURN count(*) AS n") == [{"n": 1}]
        told, annotations = rendered(trajectory, {one.document: "" for one in trajectory.citations})
        assert original in told.replace("\\", "")
        assert original in {one["url_citation"].get("original") for one in annotations}
        assert original in {one.get("original") for one in answered(trajectory)["citations"]}
    [found, *_] = kb.as_retriever(k=1).invoke("Who directed Cast Away?")
    assert found.metadata["original"] == '(n:Person {name: "Robert Zemeckis"})'
    before = snapshot(kb.database, kb.name)
    again = json.loads(command.invoke(adopt, [file, "--kb", kb.name, "--json"]).stdout)
    assert (again["documents"], again["unchanged"]) == (0, 38)
    assert difference(before, snapshot(kb.database, kb.name)) == []


def test_names_types_roles_and_texts_are_kept_and_the_graph_is_untouched(kb: KnowledgeBase, lights: Run) -> None:
    before = the_graph(lights)
    report = kb.adopt(read_mapping(MAPPING))
    assert the_graph(lights) == before
    assert [(note.source.rpartition(" ")[2], note.reason) for note in report.notes] == [
        (":Keeper", "1 of 4 nodes have no 'name' and were left out.")
    ]
    found = texts(kb)
    assert found["Isla Marr (1871-03-02)"] == (
        "Isla Marr (1871-03-02) is a keeper, born on 1871-03-02.\n\n"
        "Isla Marr (1871-03-02) kept the light of Gull Rock from 1893 on."
    )
    assert found["Tobias Vane"].startswith("He kept bees at Gull Rock. The bees outlived the lamp.\n\nTobias Vane is a")
    assert "Tobias Vane taught Isla Marr to read the barometer." in found["Tobias Vane"]
    assert found["Log of Cold Spit"] == (
        "The lamp of Cold Spit was lit in 1901 by Ansel Roe.\n\n"
        "The fog bell cracked in 1903. Orla Finch sent a new one.\n\nLog of Cold Spit is about Cold Spit."
    )
    assert found["Handover: Isla Marr (1871-03-02), Gull Rock, Tobias Vane"] == (
        "Isla Marr (1871-03-02) handed Gull Rock over to Tobias Vane in 1899."
    )
    by_name = {row["name"]: row for row in kb.entities(limit=100)}
    assert {by_name[name]["type"] for name in ("Isla Marr (1871-03-02)", "Tobias Vane")} == {"keeper"}
    assert (by_name["Gull Rock"]["type"], by_name["1899"]["type"]) == ("light", "date")
    facts = {row["text"]: row for row in kb.facts("handed over", limit=50)}
    handed = facts["Isla Marr (1871-03-02) handed Gull Rock over to Tobias Vane in 1899."]
    assert {(one["name"], one["role"]) for one in handed["participants"] if one["role"] != "link"} == {
        ("Isla Marr (1871-03-02)", "gave"),
        ("Gull Rock", "place"),
        ("Tobias Vane", "took"),
        ("1899", "year"),
    }
    about = kb.facts(entity=by_name["Tobias Vane"]["id"], limit=50)
    assert any("He kept bees" in row["text"] for row in about)
    document = next(row for row in kb.documents() if row["title"] == "Gull Rock")
    assert document["metadata"] == {"labels": ["Light"], "height": "31.5", "lit": "yes"}
    assert (document["source"], document["locator"]) == ("adopted:neo4j", '(n:Light {name: "Gull Rock"})')
    assert check(kb).findings == ()


def test_changes_are_followed_one_by_one(kb: KnowledgeBase, lights: Run) -> None:
    mapping = read_mapping(MAPPING)
    kb.adopt(mapping)
    lights("MATCH (:Keeper {id: 7})-[r:KEPT]->() SET r.since = 1894")
    changed = kb.adopt(mapping)
    assert (changed.documents, changed.replaced, changed.removed) == (1, 1, 0)
    assert kb.facts("from 1894 on", limit=1)[0]["text"].endswith("from 1894 on.")
    assert not [row for row in kb.facts("kept the light", limit=50) if "1893" in row["text"]]

    lights("MATCH (n:Keeper {id: 9}) DETACH DELETE n")
    followed = kb.adopt(mapping)
    assert followed.removed == 1
    assert "Isla Marr (1902-11-30)" not in texts(kb)
    # The name has become one that a single node has.
    assert "Isla Marr" in texts(kb)
    assert not [row for row in kb.entities(limit=100) if "1902" in row["name"]]

    lights(f"MATCH (n:{'|'.join(LABELS)}) DETACH DELETE n")
    before = snapshot(kb.database, kb.name)
    with pytest.raises(InputError, match=":Keeper, :Light, :Logbook"):
        kb.adopt(mapping)
    assert difference(before, snapshot(kb.database, kb.name)) == []


def test_a_draft_knows_documents_pieces_and_facts_and_can_be_adopted(kb: KnowledgeBase, lights: Run) -> None:
    lights("CREATE (:Light {name: 'Quote \" and \\\\ [x]', `odd }{ name`: 1})")
    drafted = draft_mapping(kb.database)
    assert "[documents.Logbook.parts]" in drafted
    assert 'sentence = "{from} knew {to}."\ntext = "fact"' in drafted
    assert "[facts.Handover]" in drafted
    mapping = read_mapping(drafted)
    assert mapping.things["Keeper"].key == "id"
    assert set(mapping.facts["Handover"].sentence.gaps) >= {"GAVE", "TOOK", "PLACE", ".year"}
    kb.adopt(mapping)
    assert {"Log of Cold Spit", "Gull Rock"} <= set(texts(kb))


def test_a_label_of_clews_own_may_be_another_graphs_too(kb: KnowledgeBase, lights: Run) -> None:
    lights("CREATE (:Document:Foreign {id: 'theirs', title: 'Letters', text: 'Ada Vale met Bo Lund in 1901.'})")
    mapping = read_mapping('[documents.Document]\nname = "title"\ntext = "text"')
    assert kb.adopt(mapping).documents == 1
    assert kb.adopt(mapping).unchanged == 1
    [document] = kb.documents()
    assert document["metadata"] == {"labels": ["Document", "Foreign"], "id": "theirs"}
    assert lights(f"MATCH {document['locator']} RETURN n.title AS title") == [{"title": "Letters"}]
    [fact] = kb.facts("Ada Vale", limit=9)
    assert fact["text"] == "Letters: Ada Vale met Bo Lund in 1901."
    assert {row["type"] for row in kb.entities("Letters", limit=1)} == {"document"}
