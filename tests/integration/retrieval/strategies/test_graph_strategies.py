"""What the strategies that search the graph find beyond similarity, on a graph of two hops and what looks alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clew.knowledge_base import KnowledgeBase
from clew.retrieval.graph.copy import current_graph
from clew.retrieval.graph.question import link
from clew.retrieval.graph.search import ids
from clew.retrieval.graph.walk import WalkSettings
from clew.retrieval.strategies.kgp import open_question
from clew.retrieval.strategies.proprag import PropRAG, PropRAGSettings
from clew.retrieval.strategies.question_walk import QuestionWalk
from clew.retrieval.strategies.tog import ThinkOnGraph
from tests.integration.retrieval.strategies.conftest import TWO_HOPS, titles

BETWEEN = "What do Alda Voss and Lake Tarn have in common?"


@pytest.mark.parametrize("strategy", ["proprag", "kgp", "tog", "prograph-r1", "linearrag"])
def test_a_passage_two_hops_away_is_reached(towns: KnowledgeBase, strategy: str) -> None:
    (dense,) = towns.retrieve(TWO_HOPS, 3, "chunks")
    assert "Quillby" not in titles(dense)
    (found,) = towns.retrieve(TWO_HOPS, 3, strategy)
    assert "Quillby" in titles(found)


@pytest.mark.parametrize("strategy", ["pathrag", "g-retriever"])
def test_what_joins_two_entities_is_found(towns: KnowledgeBase, strategy: str) -> None:
    (found,) = towns.retrieve(BETWEEN, 5, strategy)
    stated = [fact.text for fact in found.facts]
    assert any("born in Quillby" in text for text in stated)
    assert any("lies by Lake Tarn" in text for text in stated)


def test_a_path_is_worth_more_than_its_first_proposition(towns: KnowledgeBase) -> None:
    (found,) = towns.retrieve(TWO_HOPS, 20, "proprag")
    on_path = [fact for fact in found.facts if "path" in fact.ranks]
    assert len(on_path) > 1
    assert all("pagerank" in fact.ranks for fact in found.facts)
    database, embedder = towns.database, towns.embedder
    single = PropRAG(database, embedder, towns.name, PropRAGSettings(path_length=1, beam_width=1))
    (one,) = single.retrieve([TWO_HOPS], 20)
    assert sum("path" in fact.ranks for fact in one.facts) == 1


def test_a_fact_that_a_question_about_a_bridge_brought_says_so(towns: KnowledgeBase) -> None:
    began = []
    for passes in (1, 2):
        settings = WalkSettings(bridge_mass=2.0, hop_facts=0)
        walk = QuestionWalk(towns.database, towns.embedder, towns.name, settings=settings, passes=passes)
        (found,) = walk.retrieve([TWO_HOPS], 20)
        began.append({(fact.way[0].seed, fact.way[0].name) for fact in found.facts})
    assert "asked about" not in dict(began[0])
    assert ("asked about", "Quillby") in began[1]
    assert ("asked about", "Alda Voss") not in began[1]


def test_a_question_of_two_hops_begins_at_what_its_first_hop_speaks_of_too(towns: KnowledgeBase) -> None:
    place = towns.database, towns.embedder, towns.name
    whole = QuestionWalk(*place, settings=WalkSettings(hop_facts=0, nearest_facts=1))
    apart = QuestionWalk(*place, settings=WalkSettings(hop_facts=3, nearest_facts=1))
    _, (one,) = whole.walks([TWO_HOPS]) or pytest.fail("There is no knowledge base.")
    _, (other,) = apart.walks([TWO_HOPS]) or pytest.fail("There is no knowledge base.")
    assert one.hops.first == ()
    assert [("Alda Voss" in hop, "born" in hop) for hop in other.hops.first] == [(True, True)]
    assert set(one.start.entities) < set(other.start.entities)


def test_the_hops_of_one_question_of_a_batch_are_no_seeds_of_another(towns: KnowledgeBase) -> None:
    walk = QuestionWalk(towns.database, towns.embedder, towns.name)
    asked = [BETWEEN, TWO_HOPS, "Alda Voss painted ships", TWO_HOPS]
    _, together = walk.walks(asked) or pytest.fail("There is no knowledge base.")
    assert [len(one.hops.first) for one in together] == [0, 1, 0, 1]
    for query, one in zip(asked, together, strict=True):
        _, (alone,) = walk.walks([query]) or pytest.fail("There is no knowledge base.")
        assert one.start.entities.tolist() == alone.start.entities.tolist()
        assert one.start.chunks.tolist() == alone.start.chunks.tolist()
        assert len(one.bridges) == len(one.near.hyperedges)


def test_paths_may_be_encoded_as_one_text(towns: KnowledgeBase) -> None:
    encoding = PropRAG(towns.database, towns.embedder, towns.name, PropRAGSettings(reencoded=10))
    (found,) = encoding.retrieve([TWO_HOPS], 3)
    assert "Quillby" in titles(found)


def test_kgp_asks_for_what_the_way_leaves_open(towns: KnowledgeBase) -> None:
    graph = current_graph(towns.database, towns.name)
    (question,) = link(graph, towns.name, ["Was Alda Voss older than Lake Tarn?"])
    (found,) = towns.retrieve("Alda Voss painted ships", 1, "chunks")
    assert titles(found) == ["Alda Voss"]
    here = ids(graph.chunks, range(len(graph.chunks))).index(found.passages[0].id)
    assert " ".join(open_question(graph, question, [here]).split()) == "Was older than Lake Tarn?"
    (twice,) = link(graph, towns.name, ["Did Alda Voss know Lake Tarn, and Lake Tarn Alda Voss?"])
    assert " ".join(open_question(graph, twice, [here]).split()) == "Did know Lake Tarn, and Lake Tarn ?"
    (alone,) = link(graph, towns.name, ["Alda Voss"])
    assert open_question(graph, alone, [here]) == "Alda Voss"


def test_tog_follows_its_scorer(towns: KnowledgeBase) -> None:
    asked: list[str] = []

    def ships(question: str, facts: Sequence[str]) -> list[float]:
        asked.append(question)
        return [float("ships" in fact) for fact in facts]

    scored = ThinkOnGraph(towns.database, towns.embedder, towns.name, scorer=ships)
    (found,) = scored.retrieve([TWO_HOPS], 5)
    assert "ships" in found.facts[0].text
    assert found.facts[0].ranks == {"step 1": 1}
    assert set(asked) == {TWO_HOPS}
    (plain,) = towns.retrieve(TWO_HOPS, 5, "tog")
    assert "born in Quillby" in plain.facts[0].text


@pytest.mark.parametrize("strategy", ["clew", "clew-one-pass", "hipporag2", "linearrag", "kgp", "raptor", "graphrag"])
def test_a_passage_that_states_no_fact_follows_the_others(kb: KnowledgeBase, tmp_path: Path, strategy: str) -> None:
    built = ["Orla Finch", "built", "Tarn Mill"]
    rows: list[dict[str, Any]] = [
        {"title": "Rain", "text": "It rains on most days of the year.", "triples": []},
        {"title": "Tarn Mill", "text": "Orla Finch built Tarn Mill.", "triples": [built]},
    ]
    path = tmp_path / "openie.jsonl"
    for some in (rows[:1], rows):
        path.write_text("".join(json.dumps(row) + "\n" for row in some))
        kb.import_openie(str(path))
        (found,) = kb.retrieve("How often does it rain at Tarn Mill?", 5, strategy)
        assert sorted(titles(found)) == [row["title"] for row in some]
        scores = [passage.score for passage in found.passages]
        assert scores == sorted(scores, reverse=True)
    assert titles(found)[-1] == "Rain"
