"""Filters: every strategy sees the documents that fulfil them, all of these, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.snapshot import vectors
from clew.embedding import Embedder
from clew.errors import NotFoundError
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.filter import kept_to
from clew.retrieval.registry import RECIPES
from clew.types import Retrieved

QUERIES = ["Who designed the Old Maren Light?", "Where was Ruben Calloway born?", "lighthouse keepers"]

every_strategy = pytest.mark.parametrize("strategy", [name for name in RECIPES if name != "none"])


@pytest.fixture
def letters(kb: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    """Letters of several people and years, all about the same thing, so that only their fields tell them apart."""
    rows = ["id,author,year,sent,port,text"]
    for number, (author, year, port) in enumerate(
        [(a, y, p) for a in ("Anna Berg", "Jon Ek", "Mia Dahl") for y in (2018, 2019, 2020) for p in ("Tern", "Corran")]
    ):
        sent = f"{year}-0{number % 9 + 1}-11"
        rows.append(f"{number},{author},{year},{sent},{port},The harbour of {port} had {number + 20} boats in {year}.")
    (tmp_path / "letters.csv").write_text("\n".join(rows))
    kb.ingest(str(tmp_path / "letters.csv"))
    return kb


def documents(found: Retrieved) -> set[str]:
    """The documents that a result comes from."""
    return {p.document for p in found.passages} | {s.document for f in found.facts for s in f.sources}


@every_strategy
def test_a_strategy_sees_one_document_alone(encyclopaedia: KnowledgeBase, strategy: str) -> None:
    for row in encyclopaedia.documents()[::9]:
        for found in encyclopaedia.retrieve(QUERIES, 5, strategy, {"title": row["title"]}):
            assert documents(found) == ({row["id"]} if strategy != "words" else documents(found) & {row["id"]})


@every_strategy
def test_nothing_is_found_where_no_document_fulfils_it(encyclopaedia: KnowledgeBase, strategy: str) -> None:
    for found in encyclopaedia.retrieve(QUERIES, 5, strategy, "title=Nowhere"):
        assert not found.facts
        assert not found.passages


@pytest.mark.parametrize("share", [1, 2, 7, 20])
def test_no_neighbour_is_lost_however_few_fulfil_it(
    encyclopaedia: KnowledgeBase, embedder: Embedder, share: int
) -> None:
    kept = encyclopaedia.documents()[::share]
    chosen = {row["id"] for row in kept}
    asked = {"title": [row["title"] for row in kept]}
    database, name = encyclopaedia.database, encyclopaedia.name
    own = [row["id"] for row in database.only(sorted(chosen)).read("graph/chunks_of_documents")]
    ids, matrix = vectors(database, name, "Chunk")
    at = [i for i, id in enumerate(ids) if id in set(own)]
    cosines = embedder.embed(QUERIES) @ matrix[at].T
    for query, found in enumerate(encyclopaedia.retrieve(QUERIES, 5, "chunks", asked)):
        nearest = [ids[at[i]] for i in np.argsort(-cosines[query])[:5]]
        assert [one.id for one in found.passages] == nearest


def test_a_field_that_no_document_has_is_named(letters: KnowledgeBase) -> None:
    with pytest.raises(NotFoundError, match=r"'autor'.*author"):
        letters.retrieve(["How many boats?"], 5, "chunks", "autor=Anna Berg")


def test_a_question_is_answered_from_the_documents_of_the_filter(letters: KnowledgeBase) -> None:
    question = "How many boats had the harbour of Tern?"
    asked = [["author=Jon Ek", f"year={year}"] for year in (2018, 2020)]
    found = [letters.ask(question, filter=one, policy="reader-guess") for one in asked]
    assert [one.answer for one in found] == ["26", "30"]
    kept = letters.trajectory(found[0].id)
    assert kept["filter"] == ["author=Jon Ek", "year=2018"]
    [day] = letters.fields()["came in"]
    assert kept_to(letters.database, letters.name, f"came_in>={day}").documents
    assert kept_to(letters.database, letters.name, f"came_in<{day}").documents == ()
    assert sorted(letters.fields()["author"]) == ["Anna Berg", "Jon Ek", "Mia Dahl"]


def test_places_that_are_hashes_are_not_offered(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"text": "The harbour is full."}\n{"text": "The quay is dry.", "id": "q7"}\n')
    kb.ingest(str(tmp_path / "rows.jsonl"))
    assert kb.fields()["locator"] == ["q7"]


def test_a_filter_counts_what_has_just_been_written_and_deleted(letters: KnowledgeBase, tmp_path: Path) -> None:
    def found() -> list[str]:
        (one,) = letters.retrieve(["How many boats?"], 50, "clew", "author=Anna Berg")
        return [passage.document for passage in one.passages]

    assert len(found()) == 6
    (tmp_path / "new.csv").write_text("author,text\nAnna Berg,The harbour of Ardg had 3 boats.\n")
    letters.ingest(str(tmp_path / "new.csv"))
    assert len(found()) == 7
    letters.delete_documents(*found()[:3])
    assert len(found()) == 4


def test_langchain_documents_tell_source_and_metadata(letters: KnowledgeBase) -> None:
    retriever = letters.as_retriever(filter={"author": "Mia Dahl", "port": "Corran"})
    found = retriever.invoke("How many boats?")
    assert {(one.metadata["author"], one.metadata["port"]) for one in found} == {("Mia Dahl", "Corran")}
    assert {Path(one.metadata["source"]).name for one in found} == {"letters.csv"}
    assert len(retriever.invoke("How many boats?", filter="year=2020", k=10)) == 6
