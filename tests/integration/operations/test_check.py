"""Each kind of damage is found, is named, and is mended: the graph is then what the ingest had made of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.snapshot import difference
from clew.database.connection import LANGUAGE, Database
from clew.knowledge_base import KnowledgeBase
from clew.operations.check import check, check_server
from clew.resolution.merges import find_entity, merge
from tests.integration.graphs import CITIES, add, cities, graph

CYPHER: dict[str, tuple[str, str]] = {
    "evidence": ("unstated", "MATCH (:ClewChunk {kb: $kb})-[r:STATES]->(h {id: $fact}) DELETE r"),
    "a fact too many": (
        "unstated",
        "MATCH (e:ClewEntity {kb: $kb}) WITH e LIMIT 3 WITH collect(e) AS es "
        "CREATE (h:ClewHyperedge {id: 'x' + $kb, kb: $kb, name: 'x', text: 'x', lead: 0, key: 'x', "
        "embedding: [1.0] + [i IN range(2, 384) | 0.0]}) "
        "FOREACH (e IN es | CREATE (h)-[:CONNECTS {role: 'name'}]->(e))",
    ),
    "a chunk too many": (
        "chunks",
        "CREATE (:ClewChunk {id: 'x' + $kb, kb: $kb, name: 'x', text: 'x', index: 0, start: 0, end: 1})",
    ),
    "an entity too many": ("entities", "CREATE (:ClewEntity {id: 'x' + $kb, kb: $kb, name: 'x', key: 'x', type: 'n'})"),
    "a degree": ("degrees", "MATCH (e:ClewEntity {kb: $kb}) WITH e LIMIT 3 SET e.degree = e.degree + 1"),
    "no degree": ("degrees", "MATCH (e:ClewEntity {kb: $kb}) WITH e LIMIT 3 REMOVE e.degree"),
    "whether it is a page": ("degrees", "MATCH (e:ClewEntity {kb: $kb}) WITH e LIMIT 3 SET e.page = NOT e.page"),
    "no vector": ("vectors", "MATCH (n:ClewHyperedge|ClewEntity|ClewChunk {kb: $kb}) REMOVE n.embedding"),
    "not a number": (
        "vectors",
        "MATCH (n:ClewHyperedge|ClewEntity {kb: $kb}) WITH n LIMIT 40 SET n.embedding = [0.0/0.0] + n.embedding[1..]",
    ),
    "without an end": (
        "vectors",
        "MATCH (n:ClewEntity {kb: $kb}) WITH n LIMIT 3 SET n.embedding = [1.0/0.0] + n.embedding[1..]",
    ),
    "too long": ("vectors", "MATCH (n:ClewChunk {kb: $kb}) SET n.embedding = [x IN n.embedding | 3 * x]"),
    "too short": ("vectors", "MATCH (n:ClewEntity {kb: $kb}) WITH n LIMIT 3 SET n.embedding = n.embedding[..300]"),
    "where a chunk is": ("offsets", "MATCH (c:ClewChunk {kb: $kb}) SET c.start = c.start + 1, c.end = c.end + 1"),
    "where evidence is": (
        "offsets",
        "MATCH (:ClewChunk {kb: $kb})-[s:STATES]->() SET s.start = s.start + 2, s.end = s.end + 90",
    ),
    "no offsets": ("offsets", "MATCH (c:ClewChunk {kb: $kb})-[s:STATES]->() REMOVE s.start, s.end, c.start"),
    "who takes part": (
        "participants",
        "MATCH (h:ClewHyperedge {kb: $kb}) WITH h LIMIT 4 MATCH (e:ClewEntity {kb: $kb}) "
        "WHERE NOT EXISTS { (h)-[:CONNECTS]->(e) } WITH h, head(collect(e)) AS e "
        "CREATE (h)-[:CONNECTS {role: 'mention', surface: e.name}]->(e) SET e.degree = e.degree + 1",
    ),
    "itself": ("merges", "MATCH (e:ClewEntity {kb: $kb}) WITH e LIMIT 1 CREATE (e)-[:SAME_AS {score: 1.0}]->(e)"),
    "merged twice": ("merges", "MATCH (a:ClewEntity {kb: $kb})-[:SAME_AS]->(b) CREATE (b)-[:SAME_AS {score: 0}]->(a)"),
    "a step": ("steps", "CREATE (:ClewStep {id: 'x' + $kb, kb: $kb, name: 'x'})"),
    "a change": ("changes", "CREATE (:ClewChange {kb: $kb, name: 'x', at: datetime()})"),
}
"""What is damaged: the kind that it is found as, and how it is done."""


@pytest.fixture(scope="module")
def module_kb(database: Database, settings: Any, embedder: Any) -> Iterator[KnowledgeBase]:
    from clew.database.schema import migrate

    migrate(database)
    base = KnowledgeBase(f"test-check-{id(database) % 100_000}", database, settings)
    base.__dict__["embedder"] = embedder
    add(base, *cities(base))
    merge(base, find_entity(base, "York"), find_entity(base, "York City"))
    base.ask("What is the capital of New York?", policy="reader")
    yield base
    base.delete()


def run(database: Database, text: str, **params: object) -> None:
    with database._driver.session(database=database.name) as session:
        session.run(LANGUAGE + text, params).consume()


def kinds(base: KnowledgeBase, *, mend: bool = False) -> set[str]:
    report = check(base, mend=mend)
    assert report.clean == (mend or not report.findings)
    return {found.kind for found in report.findings}


@pytest.mark.parametrize("damage", CYPHER)
def test_damage_is_found_and_mended(damage: str, module_kb: KnowledgeBase) -> None:
    kind, text = CYPHER[damage]
    before = graph(module_kb)
    assert kinds(module_kb) == set()
    fact = next(
        iter(
            sorted(
                row["id"] for row in module_kb.database.read("ingest/facts_page", kb=module_kb.name, after="", limit=1)
            )
        )
    )
    run(module_kb.database, text, kb=module_kb.name, fact=fact)
    assert kind in kinds(module_kb)
    assert kind in kinds(module_kb, mend=True)
    assert kinds(module_kb) == set()
    if damage == "evidence":  # that the fact was ever stated is known to the source alone
        add(module_kb, *cities(module_kb))
        return
    wrong = [line for line in difference(before, graph(module_kb)) if '"Change"' not in line]
    assert wrong == []


def test_a_missing_chunk_is_written_again_by_the_next_ingest(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    before = graph(kb)
    run(
        kb.database,
        "MATCH (d:ClewDocument {kb: $kb, title: 'York'})-[:HAS_CHUNK]->(c) SET c.text = c.text + '!'",
        kb=kb.name,
    )
    assert kinds(kb) == {"documents"}
    assert kinds(kb, mend=True) == {"documents"}
    assert [found.kind for found in check(kb).findings if not found.notice] == []
    assert add(kb, *cities(kb)).unchanged == len(CITIES) - 1
    assert check(kb).findings == ()
    assert difference(before, graph(kb)) == []


def test_a_clean_one_stays_as_it_is(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    before = graph(kb)
    assert check(kb, mend=True).findings == ()
    assert difference(before, graph(kb)) == []


def test_remains_and_indexes_of_the_server(database: Database, kb: KnowledgeBase, tmp_path: Path) -> None:
    add(kb, *cities(kb)[:2])
    run(database, "MATCH (k:ClewKnowledgeBase {name: $kb}) DETACH DELETE k", kb=kb.name)
    run(database, "DROP INDEX clew_trajectory_kb IF EXISTS")
    found = {one.kind: one for one in check_server(database).findings}
    assert found["indexes"].examples == ("clew_trajectory_kb",)
    assert any(kb.name in one for one in found["homeless"].examples)
    check_server(database, mend=True)
    assert not {one.kind for one in check_server(database).findings} & {"indexes", "homeless"}
    assert not graph(kb)
