"""The schema beside other tools' graphs, and over a database that an earlier Clew has made.

``schema-27.dump`` is Neo4j's own dump of a database whose last schema was 27: the two documents of ``LAMPS``, ingested
by that Clew, and ``QUESTION``, asked once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.database.connection import Database, Row
from clew.database.schema import LABELS, indexes, migrate, wrong_indexes
from clew.database.server.home import Home
from clew.database.server.jars import fetch_jars
from clew.database.server.java import find_java, flags
from clew.database.server.managed import down
from clew.errors import DatabaseError
from clew.knowledge_base import KnowledgeBase
from clew.operations.check import check, check_server
from clew.settings import Settings, load_settings

DUMP = Path(__file__).with_name("schema-27.dump")
QUESTION = "Where was the one who lit the lamp of Corran Head born?"
COUNTS = {"Document": 2, "Chunk": 2, "Hyperedge": 6, "Entity": 9, "Trajectory": 1, "Step": 2}


def run(database: Database, query: str) -> list[Row]:
    """Rows of a query of a person or another tool."""
    records, _, _ = database._driver.execute_query(query)
    return [record.data() for record in records]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a server whose database is the dump."""
    folder = tmp_path_factory.mktemp("old")
    settings = load_settings(_env_file=None, neo4j_uri=None, home=folder / "home", bolt_port=0, http_port=0)
    home, java = Home.of(settings), find_java(settings)
    home.make()
    home.write_conf(0, 0, 128 << 20)
    shutil.copy(DUMP, folder / "neo4j.dump")
    command = [java.path, *flags(java), "-cp", f"{fetch_jars(settings)}/*", "org.neo4j.cli.AdminTool"]
    command += ["database", "load", "neo4j", f"--from-path={folder}", "--overwrite-destination=true"]
    environment = os.environ | {"NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf)}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    yield settings
    down(settings)


@pytest.fixture(scope="module")
def lamps(own: Settings) -> Iterator[KnowledgeBase]:
    """The knowledge base of the dump, as this Clew opens it."""
    with Database.open(own) as database:
        assert {row["name"] for row in database.read("schema/indexes")} >= {"chunk_embedding", "document_id"}
        assert migrate(database) == len(indexes())
        assert migrate(database) == 0
    with KnowledgeBase.open("lamps", settings=own) as base:
        yield base


def test_what_an_earlier_clew_has_made_is_there_and_whole(lamps: KnowledgeBase) -> None:
    assert lamps.stats()["nodes"] == COUNTS
    assert check(lamps).clean
    assert check_server(lamps.database).clean
    assert [row["question"] for row in lamps.trajectories()] == [QUESTION]
    assert lamps.ask(QUESTION).answer == "Port Ellary"
    for strategy in ("hyperedges", "chunks", "graph-r1"):
        assert lamps.retrieve("Who lit Gull Rock?", 3, strategy)[0]
    lamps.ingest_bytes(b"Orla Finch was born in Port Ellary.", "finch.txt")
    assert lamps.stats()["nodes"]["Document"] == 3
    assert check(lamps).clean


def test_only_labels_of_its_own_are_indexed(lamps: KnowledgeBase) -> None:
    ours = {index.name for index in indexes()}
    made = [row for row in lamps.database.read("schema/indexes") if row["labels"]]
    assert {row["name"] for row in made} == ours
    assert all(label.startswith("Clew") for row in made for label in row["labels"])
    assert all(name.startswith("clew_") for name in ours)
    for label in LABELS:
        plain = run(
            lamps.database, f"MATCH (n:{label}) RETURN count(n) AS n, count(CASE WHEN n:Clew{label} THEN 1 END) AS own"
        )
        assert plain[0]["n"] == plain[0]["own"] > 0


def test_other_tools_may_use_the_same_words(lamps: KnowledgeBase) -> None:
    theirs = "CREATE (:Document {id: 'a', kb: 'x'}), (:Document {id: 'a'}), (:Chunk {id: 1, embedding: [0.5, 0.5]})"
    run(lamps.database, theirs)
    run(lamps.database, "CREATE VECTOR INDEX vector FOR (n:Chunk) ON (n.embedding)")
    run(lamps.database, "CREATE CONSTRAINT chunk_id FOR (n:Chunk) REQUIRE n.id IS UNIQUE")
    assert lamps.stats()["nodes"]["Chunk"] == 3
    assert check_server(lamps.database).clean
    assert migrate(lamps.database) == 0


def test_constraints_of_other_tools_on_plain_labels_stop_nothing(lamps: KnowledgeBase) -> None:
    database = lamps.database
    run(database, "CREATE CONSTRAINT theirs FOR (n:Hyperedge) REQUIRE n.name IS UNIQUE")
    database.left = frozenset()  # of a connection that was open before
    first, second = (f"A lamp was lit in York. So it was in {place}.".encode() for place in ("Hull", "Leeds"))
    lamps.ingest_bytes(first, "Hull.txt")
    with pytest.raises(DatabaseError, match="run it again"):
        lamps.ingest_bytes(second, "Leeds.txt")
    try:
        assert migrate(database) == 0
        assert lamps.ingest_bytes(second, "Leeds.txt").documents == 1
        assert run(database, "MATCH (n:Hyperedge:ClewHyperedge) RETURN count(n) AS n") == [{"n": 0}]
        assert run(database, "MATCH (n:ClewHyperedge) RETURN count(n) AS n")[0]["n"] > 3
        report = check_server(database)
        assert report.clean
        assert report.findings[0].examples == ("theirs on :Hyperedge(name)",)
    finally:
        run(database, "DROP CONSTRAINT theirs")
        migrate(database)


def test_a_name_that_another_tool_has_taken_is_told_and_can_be_mended(lamps: KnowledgeBase) -> None:
    database = lamps.database
    run(database, "DROP INDEX clew_trajectory_kb")
    run(database, "CREATE INDEX clew_trajectory_kb FOR (n:Theirs) ON (n.x)")
    run(database, "DROP CONSTRAINT clew_step_id")
    run(database, "DROP INDEX clew_chunk_embedding")
    run(database, "CREATE VECTOR INDEX clew_chunk_embedding FOR (n:ClewChunk) ON (n.embedding) WITH [n.kb]")
    assert {row["name"] for row in wrong_indexes(database)} == {
        "clew_trajectory_kb",
        "clew_step_id",
        "clew_chunk_embedding",
    }
    run(database, "MATCH (m:ClewMigration {name: 'schema/0042_clew_trajectory_kb'}) DELETE m")
    with pytest.raises(DatabaseError, match=r"clew_trajectory_kb is on :Theirs\(x\), not on :ClewTrajectory\(kb\)"):
        migrate(database)
    assert not check_server(database).clean
    assert check_server(database, mend=True).findings[0].mended == 3
    assert check_server(database).clean
    assert migrate(database) == 1
