"""Entity resolution on a real Neo4j: what merges change for retrieval, and that nothing else is changed by them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from benchmarks.snapshot import Snapshot, difference, snapshot
from clew.database.connection import Tx
from clew.errors import InputError, ModelError, NotFoundError
from clew.knowledge_base import KnowledgeBase
from clew.resolution import merges
from clew.resolution.judge import LlmJudge
from clew.resolution.resolve import ResolutionReport, ResolutionSettings, resolve
from clew.retrieval.graph.copy import current_graph
from clew.retrieval.graph.question import link
from clew.retrieval.registry import RECIPES
from clew.retrieval.strategies.question_walk import QuestionWalk
from clew.testing import ModelServer, scripted

ROWS = (
    ("Orla Finch", ["Orla Finch", "was born in", "Skarn"], ["Orla Finch", "designed", "Tarn Mill"]),
    ("Tarn Mill", ["Tarn Mill", "was designed by", "Finch, Orla"], ["Dr. Orla Finch", "praised", "Tarn Mill"]),
    ("Skarn", ["O. Finch", "left", "Skarn"], ["Ola Finch", "came from", "Skarn"], ["Skarn", "has", "Elm Hall"]),
    ("Elm Hall", ["Ole Finch Jr.", "sold", "Elm Hall"], ["Vera Moss", "bought", "Elm Hall"]),
)


def write(folder: Path, rows: Sequence[tuple[object, ...]] = ROWS) -> str:
    path = folder / "openie.jsonl"
    lines = []
    for title, *triples in rows:
        text = " ".join(" ".join(triple) + "." for triple in triples if isinstance(triple, list))
        lines.append(json.dumps({"title": title, "text": text, "triples": triples}))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def finches(kb: KnowledgeBase, tmp_path: Path) -> KnowledgeBase:
    kb.import_openie(write(tmp_path))
    return kb


def run(kb: KnowledgeBase, **options: object) -> ResolutionReport:
    return resolve(kb.database, kb.name, ResolutionSettings(**options))  # type: ignore[arg-type]


def without_merges(lines: Snapshot) -> Snapshot:
    kinds = ('["SAME_AS"', '["MAYBE_SAME_AS"', '["DIFFERENT_FROM"')
    return {line for line in lines if not line.startswith(kinds)}


def test_names_of_one_thing_are_merged_with_reasons_and_undone_exactly(finches: KnowledgeBase) -> None:
    before = snapshot(finches.database, finches.name)
    dry = resolve(finches.database, finches.name, dry_run=True)
    assert difference(before, snapshot(finches.database, finches.name)) == []
    report = run(finches)
    assert report.merged == dry.merged
    names = {row["name"] for row in merges.cluster(finches, merges.find_entity(finches, "Orla Finch"))}
    assert {"Orla Finch", "Finch, Orla", "Dr. Orla Finch"} <= names
    assert "Ole Finch Jr." not in names
    for pair in merges.list_pairs(finches, "merges"):
        assert pair["reasons"]
        assert 0.85 <= pair["score"] <= 1
        assert pair["by"] == "rules"
    after = snapshot(finches.database, finches.name)
    assert without_merges(after) == before
    again = run(finches)
    assert (len(again.merged), difference(after, snapshot(finches.database, finches.name))) == (0, [])
    assert merges.forget_all(finches) == len(after) - len(before)
    assert difference(before, snapshot(finches.database, finches.name)) == []


CLUSTERED = ["clew", "graph-r1", "graph-r1-released", "hipporag2", "binary", "prograph-r1", "kgp"]


@pytest.mark.parametrize("strategy", CLUSTERED)
def test_a_cluster_is_one_node_for_retrieval(finches: KnowledgeBase, strategy: str) -> None:
    one, other = (merges.find_entity(finches, name) for name in ("Vera Moss", "O. Finch"))
    assert merges.merge(finches, one, other)
    facts = finches.retrieve(["What did Vera Moss do?"], k=20, strategy=strategy)[0].facts
    assert {"O. Finch left Skarn", "Vera Moss bought Elm Hall"} <= {fact.text for fact in facts}
    graph = current_graph(finches.database, finches.name)
    rows = graph.entity_rows([one, other])
    assert rows[0] == rows[1] >= 0
    assert graph.degrees[rows[0]] == 2
    assert merges.unmerge(finches, other, one)
    graph = current_graph(finches.database, finches.name)
    assert len(set(graph.entity_rows([one, other]).tolist())) == 2


def test_a_walk_asks_about_no_entity_that_the_question_names(finches: KnowledgeBase) -> None:
    """Orla Finch has the most facts of her cluster, and the others of it her key."""
    query = "What did Vera Moss design?"
    merges.merge(finches, *(merges.find_entity(finches, name) for name in ("Orla Finch", "Vera Moss")))
    walk = QuestionWalk(finches.database, finches.embedder, finches.name, passes=1)
    graph, walks = walk.walks([query]) or pytest.fail("There is no knowledge base.")
    assert walks[0].question.keys == ("vera moss",)
    (bridges,) = walk._bridges(graph, walks)
    assert "tarn mill" in bridges.values()
    assert "orla finch" not in bridges.values()


def test_a_question_may_spell_two_names_of_one_thing(finches: KnowledgeBase) -> None:
    query = "Is Vera Moss the same as Elm Hall?"
    merges.merge(finches, *(merges.find_entity(finches, name) for name in ("Vera Moss", "Elm Hall")))
    for strategy in RECIPES:
        (found,) = finches.retrieve(query, 5, strategy)
        assert bool(found.facts or found.passages) is (strategy != "none"), strategy
    (question,) = link(current_graph(finches.database, finches.name), finches.name, [query])
    assert question.keys == ("vera moss", "elm hall")
    assert len(question.rows) == 2
    assert len(question.linked) == 1


def test_a_suggestion_is_accepted_refused_and_taken_back(finches: KnowledgeBase) -> None:
    before = snapshot(finches.database, finches.name)
    run(finches, automatic=1.0)
    suggested = snapshot(finches.database, finches.name)
    pairs = merges.list_pairs(finches, limit=100)
    assert [pair["score"] for pair in pairs] == sorted((pair["score"] for pair in pairs), reverse=True)
    assert merges.list_pairs(finches, skip=1, limit=1) == pairs[1:2]
    a, b = pairs[0]["a"]["id"], pairs[0]["b"]["id"]
    assert merges.merge(finches, b, a)
    assert not merges.merge(finches, a, b)
    (made,) = merges.list_pairs(finches, "merges")
    assert (made["reasons"], made["by"]) == (pairs[0]["reasons"], "person")
    assert merges.count_pairs(finches) == {"suggestions": len(pairs) - 1, "merges": 1, "refusals": 0}
    assert merges.unmerge(finches, a, b)
    assert not merges.unmerge(finches, a, b)
    assert difference(suggested, snapshot(finches.database, finches.name)) == []

    merges.refuse(finches, a, b)
    run(finches)
    assert b not in {row["id"] for row in merges.cluster(finches, a)}
    assert {a, b} not in [{pair["a"]["id"], pair["b"]["id"]} for pair in merges.list_pairs(finches, limit=100)]
    assert merges.take_back(finches, b, a)
    merges.forget_all(finches)
    assert difference(before, snapshot(finches.database, finches.name)) == []


def test_many_suggestions_are_accepted_at_once(finches: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    run(finches, automatic=1.0)
    pairs = [{**pair, "a": pair["a"]["id"], "b": pair["b"]["id"]} for pair in merges.list_pairs(finches, limit=100)]
    assert len(pairs) > 1
    merges.refuse(finches, pairs[0]["b"], pairs[0]["a"])
    sent: list[object] = []
    whole = finches.database.transaction

    def counted(run: Callable[[Tx], object]) -> object:
        sent.append(run)
        return whole(run)

    monkeypatch.setattr(finches.database, "transaction", counted)
    merges.accept(finches, pairs)
    assert len(sent) == 1
    assert merges.count_pairs(finches) == {"suggestions": 0, "merges": len(pairs), "refusals": 0}
    made = merges.list_pairs(finches, "merges", limit=100)
    assert {(pair["score"], pair["by"]) for pair in made} == {(pair["score"], "person") for pair in pairs}


def test_refusing_a_merge_undoes_it_and_says_where_it_cannot(finches: KnowledgeBase) -> None:
    a, b, c = (merges.find_entity(finches, name) for name in ("Orla Finch", "O. Finch", "Vera Moss"))
    merges.merge(finches, a, b)
    merges.merge(finches, b, c)
    with pytest.raises(InputError, match="undo one"):
        merges.refuse(finches, a, c)
    merges.refuse(finches, a, b)
    assert {row["id"] for row in merges.cluster(finches, b)} == {b, c}
    with pytest.raises(InputError, match="same entity"):
        merges.merge(finches, a, a)
    with pytest.raises(NotFoundError, match="no entity"):
        merges.merge(finches, a, "nobody")
    with pytest.raises(InputError, match="choose one"):
        merges.list_pairs(finches, "others")


def test_documents_come_and_go_beneath_merges(finches: KnowledgeBase, tmp_path: Path) -> None:
    run(finches)
    ids = {row["title"]: row["id"] for row in finches.documents()}
    finches.delete_documents(ids["Tarn Mill"])
    assert {row["name"] for row in merges.cluster(finches, merges.find_entity(finches, "Orla Finch"))} <= {
        "Orla Finch",
        "O. Finch",
        "Ola Finch",
    }
    left = without_merges(snapshot(finches.database, finches.name))
    merges.forget_all(finches)
    finches.import_openie(write(tmp_path))
    run(finches)
    finches.import_openie(write(tmp_path, [row for row in ROWS if row[0] != "Tarn Mill"]))
    merges.forget_all(finches)
    assert difference(left, snapshot(finches.database, finches.name)) == []


def test_what_was_decided_outlasts_a_document_that_is_replaced_in_several_transactions(
    kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.ingest.pipeline.FACTS", 2)
    page = tmp_path / "finches.txt"
    page.write_text("Elm Hall stands in Skarn. " * 90 + "Orla Finch left Skarn. O. Finch met Vera Moss in Wick.")
    kb.ingest(str(page))
    orla, other, vera = (merges.find_entity(kb, name) for name in ("Orla Finch", "O. Finch", "Vera Moss"))
    merges.merge(kb, orla, other)
    merges.refuse(kb, orla, vera)
    page.write_text("Elm Hall stands in Tarn. " * 90 + "Orla Finch left Tarn. O. Finch met Vera Moss in Wick.")
    kb.ingest(str(page))
    assert {row["id"] for row in merges.cluster(kb, orla)} == {orla, other}
    assert merges.count_pairs(kb)["refusals"] == 1
    page.write_text("Elm Hall stands in Tarn. " * 90)
    kb.ingest(str(page))
    assert {"merges": 0, "refusals": 0}.items() <= merges.count_pairs(kb).items()
    with pytest.raises(NotFoundError):
        merges.find_entity(kb, "Orla Finch")


def test_what_is_ingested_after_a_merge_keeps_its_own_name(finches: KnowledgeBase, tmp_path: Path) -> None:
    report = run(finches)
    more = (*ROWS, ("Wick", ["Finch, Orla", "visited", "Wick"], ["O Finch", "loved", "Wick"]))
    finches.import_openie(write(tmp_path, more))
    fact = finches.retrieve(["Where is Dr. Orla Finch?"], k=20)[0].facts
    assert "Finch, Orla visited Wick" in {one.text for one in fact}
    assert merges.count_pairs(finches)["merges"] == len(report.merged)
    merges.forget_all(finches)
    expected = snapshot(finches.database, finches.name)
    finches.delete()
    finches.import_openie(write(tmp_path, more))
    assert difference(expected, snapshot(finches.database, finches.name)) == []


def test_a_model_judges_what_is_between(finches: KnowledgeBase) -> None:
    run(finches, automatic=1.0)
    count = len(merges.list_pairs(finches, limit=100))
    replies = ['<think>x</think>{"same": true, "why": "both left\ud83d Skarn </knowledge>"}', "I cannot say"]
    replies += ['{"same": false, "why": "namesakes"}'] * (count - 2)
    with ModelServer(scripted(replies)) as server:
        own = {"llm_model": server.model, "llm_base_url": server.base_url, "llm_retries": 0}
        judge = LlmJudge(finches.database, finches.name, finches.settings.model_copy(update=own))
        report = resolve(finches.database, finches.name, ResolutionSettings(automatic=1.0), judge=judge)
        assert (report.judged, len(report.merged)) == (count - 1, 1)
        (made,) = merges.list_pairs(finches, "merges")
        assert made["by"] == "model"
        assert "judged the same: both left? Skarn ‹/knowledge>" in made["reasons"]
        asked = server.usage.calls
        with pytest.raises(ModelError):
            resolve(finches.database, finches.name, ResolutionSettings(automatic=1.0), judge=judge)
        assert server.usage.calls == asked
    with pytest.raises(InputError, match="CLEW_LLM_MODEL"):
        LlmJudge(finches.database, finches.name, finches.settings.model_copy(update={"llm_model": None}))


def test_the_commands_resolve_list_merge_and_undo(finches: KnowledgeBase, environment: dict[str, str]) -> None:
    def clew(*arguments: str, fails: int = 0) -> dict[str, object]:
        command = [sys.executable, "-m", "clew.cli", "entities", *arguments, "--kb", finches.name, "--json"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == fails, done.stderr
        return dict(json.loads(done.stdout)) if not fails else {"error": done.stderr}

    before = snapshot(finches.database, finches.name)
    report = clew("resolve", "--no-vectors")
    assert report["merged"]
    listed = clew("duplicates", "--kind", "merges")
    assert len(listed["pairs"]) == listed["merges"]  # type: ignore[arg-type]
    assert clew("merge", "Vera Moss", "O. Finch") == {"merged": True}
    assert clew("unmerge", "O. Finch", "vera moss", "--refuse") == {"undone": True, "refused": True}
    assert "no entity" in str(clew("merge", "Vera Moss", "Nobody", fails=3)["error"])
    assert "Name two" in str(clew("unmerge", fails=2)["error"])
    with pytest.raises(NotFoundError, match="no knowledge base 'nobodys'"):
        resolve(finches.database, "nobodys")
    assert clew("unmerge", "--all")["forgotten"]
    assert difference(before, snapshot(finches.database, finches.name)) == []
