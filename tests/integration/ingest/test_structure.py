"""Structure travels: cells of a table into the graph, with typed values, and with what is retrieved back out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from neo4j import GraphDatabase

from clew.database.connection import Database
from clew.knowledge_base import KnowledgeBase

_REPORT = (
    """---
author: Anna Berg
---
# Harbours

## Fees

Amounts in thousands of euros.

| Harbour | Berth fee | Opened | Closed in winter |
|---|---|---|---|
| Osby | 40 | 2019-03-01 | no |
| Hallen | 75 | 2020-05-06 | yes |
| Corran | | 2021-07-08 | no |

## Winter

"""
    + "Ice keeps the berths of the north closed for weeks, and the pilots wait ashore. " * 40
)


@pytest.fixture
def harbours(kb: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    (tmp_path / "harbours.md").write_text(_REPORT)
    kb.ingest(str(tmp_path / "harbours.md"))
    return kb


def _query(database: Database, statement: str, kb: str) -> list[dict[str, Any]]:
    with GraphDatabase.driver(database.server.uri, auth=(database.server.username, database.server.password)) as driver:
        return driver.execute_query(statement, kb=kb, result_transformer_=lambda found: found.data())


def test_a_row_is_a_fact_whose_cells_take_part_with_their_column_and_value(
    harbours: KnowledgeBase, database: Database
) -> None:
    rows = _query(
        database,
        "MATCH (:ClewChunk)-[s:STATES]->(h:ClewHyperedge)-[r:CONNECTS]->(e:ClewEntity) "
        "WHERE s.table = 1 AND h.kb = $kb AND r.value IS NOT NULL "
        "RETURN h.name AS row, r.role AS role, e.name AS name, e.type AS type, r.number AS number, r.unit AS unit, "
        "r.date AS date, r.value AS value ORDER BY row, role",
        kb=harbours.name,
    )
    cells = {(row["row"].split(";")[0], row["role"]): row for row in rows}
    fee = cells["Harbour: Hallen", "Berth fee"]
    assert (fee["number"], fee["unit"], fee["type"]) == (75_000.0, "EUR", "amount")
    assert cells["Harbour: Osby", "Opened"]["date"] == "2019-03-01"
    assert cells["Harbour: Hallen", "Closed in winter"]["value"] == "yes"
    assert cells["Harbour: Osby", "Harbour"]["type"] == "name"
    assert ("Harbour: Corran", "Berth fee") not in cells
    dear = [row for row, cell in cells.items() if cell["role"] == "Berth fee" and cell["number"] > 50_000]
    assert dear == [("Harbour: Hallen", "Berth fee")]


def test_a_passage_brings_the_headings_above_it(harbours: KnowledgeBase) -> None:
    (found,) = harbours.retrieve(["What keeps the berths of the north closed?"], 5, "chunks")
    assert {passage.section for passage in found.passages} >= {(), ("Winter",)}


def test_heads_of_columns_are_no_entities(harbours: KnowledgeBase, database: Database) -> None:
    rows = _query(database, "MATCH (e:ClewEntity {kb: $kb}) RETURN e.name AS name", kb=harbours.name)
    names = {row["name"] for row in rows}
    assert {"Osby", "Hallen", "Corran"} <= names
    assert not names & {"Harbour", "Berth fee", "Opened", "Closed in winter"}


@pytest.mark.parametrize("strategy", ["clew", "chunks", "hyperedges", "graph-r1"])
def test_what_is_retrieved_brings_its_structure(harbours: KnowledgeBase, strategy: str) -> None:
    (found,) = harbours.retrieve(["What is the berth fee of Hallen?"], 3, strategy)
    passage = next(passage for passage in found.passages if any(block.cells for block in passage.blocks))
    assert passage.metadata["author"] == "Anna Berg"
    text = harbours.document(passage.document)["text"]
    cells = {text[c.start : c.end]: c for block in passage.blocks for c in block.cells}
    assert (cells["75"].heads, cells["75"].value.number) == (("Berth fee",), 75_000.0)
    assert cells["Hallen"].names_row
    for fact in found.facts:
        source = fact.sources[0]
        if source.block and source.block.table:
            assert source.block.table.scale == 1000
            assert source.block.start <= source.start < source.block.end
