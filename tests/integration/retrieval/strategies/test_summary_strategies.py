"""LightRAG, GraphRAG and RAPTOR: what their levels, communities and trees find on small graphs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from clew.errors import ModelError
from clew.ids import entity_id
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.graph.communities import find_communities
from clew.retrieval.graph.copy import current_graph
from clew.retrieval.graph.hypergraph import find
from clew.retrieval.graph.summaries import ChatSummariser, summary_vectors, unit
from clew.retrieval.graph.tree import find_clusters, grow_tree, read_chunk_vectors
from clew.retrieval.strategies.graphrag import GraphRAG, GraphRAGSettings
from clew.retrieval.strategies.lightrag import LightRAG, LightRAGSettings
from clew.retrieval.strategies.raptor import Raptor, RaptorSettings
from clew.settings import Settings
from clew.testing import ModelServer, scripted
from clew.types import Json
from tests.integration.graphs import add, document

PAGES = {
    "Alda Voss": "Alda Voss was born in Quillby. Alda Voss painted ships.",
    "Quillby": "Quillby has one team, and it curls. Quillby lies by Lake Tarn.",
    "Merrow": "Merrow is a town where a sport is played. A painter was born in Merrow.",
    "Sallow": "Sallow is a town where a sport is played. A painter was born in Sallow.",
}
SPORT = "Which sport is played in the town where Alda Voss was born?"
HARBOURS = {
    "Ranby": "Ranby has a lamp, and Tilde Marsk keeps it. Ranby trades with Ostfold Quay.",
    "Ostfold Quay": "Ostfold Quay fishes herring with Tilde Marsk. Ostfold Quay is older than Ranby.",
    "Tilde Marsk": "Tilde Marsk was born in Ranby. Tilde Marsk sails to Ostfold Quay.",
    "Orrin Peak": "Orrin Peak is climbed from Vale Ridge. Orrin Peak was measured by Sigrun Hald.",
    "Vale Ridge": "Vale Ridge belongs to Sigrun Hald. Vale Ridge is below Orrin Peak.",
    "Sigrun Hald": "Sigrun Hald walked from Orrin Peak to Vale Ridge.",
}
COAST = ["Ranby", "Ostfold Quay", "Tilde Marsk"]
HILLS = ["Orrin Peak", "Vale Ridge", "Sigrun Hald"]


@pytest.fixture
def harbours(kb: KnowledgeBase) -> KnowledgeBase:
    add(kb, *(document(kb, title, text) for title, text in HARBOURS.items()))
    return kb


def test_lightrags_levels_look_at_names_and_at_the_rest(kb: KnowledgeBase) -> None:
    add(kb, *(document(kb, title, text) for title, text in PAGES.items()))
    (low,) = kb.retrieve(SPORT, 3, "lightrag-local")
    assert "Alda Voss was born in Quillby" in low.facts[0].text
    assert all("Alda Voss" in fact.entities or "Quillby" in fact.entities for fact in low.facts)
    assert "Quillby" in [passage.title for passage in low.passages]
    (high,) = kb.retrieve(SPORT, 2, "lightrag-global")
    assert {fact.sources[0].title for fact in high.facts} == {"Merrow", "Sallow"}
    (around,) = kb.retrieve(SPORT, 20, "lightrag-global")
    joined = LightRAG(kb.database, kb.embedder, kb.name, LightRAGSettings(("high",), nearest=1))
    (beside,) = joined.retrieve([SPORT], 20)
    assert 1 < len(beside.facts) < len(around.facts)
    assert {fact.sources[0].title for fact in beside.facts} == {beside.facts[0].sources[0].title}
    (both,) = kb.retrieve(SPORT, 4, "lightrag")
    assert [fact.ranks.get("low") == 1 for fact in both.facts[:2]] == [True, False]
    assert both.facts[1].ranks["high"] == 1
    (mix,) = kb.retrieve(SPORT, 4, "lightrag-mix")
    (dense,) = kb.retrieve(SPORT, 1, "chunks")
    assert dense.passages[0].id in [passage.id for passage in mix.passages[:3]]


def test_communities_are_what_facts_join(harbours: KnowledgeBase) -> None:
    graph = current_graph(harbours.database, harbours.name)
    vectors = partial(summary_vectors, harbours.database, harbours.embedder, graph, summariser=None)
    found = find_communities(graph, 0, 10, 2, vectors)
    ids = [[entity_id(harbours.name, name.lower()) for name in names] for names in (COAST, HILLS)]
    coast, hills = (found.of_entity[find(graph.entities, some)].tolist() for some in ids)
    assert len(set(coast)) == len(set(hills)) == 1
    assert coast[0] != hills[0]
    assert np.diff(found.facts.starts).tolist() == [2, 2]
    central, _ = found.facts.of(np.array(coast[:1]))
    assert found.vectors[coast[0]] == pytest.approx(unit(graph.vectors[central].mean(axis=0)[None])[0], abs=1e-6)


def test_graphrag_reads_the_communities_of_the_question(harbours: KnowledgeBase) -> None:
    (local,) = harbours.retrieve("Who keeps the lamp of Ranby?", 3, "graphrag")
    assert "keeps it" in local.facts[0].text
    assert local.facts[0].ranks.keys() == {"entity", "community"}
    (whole,) = harbours.retrieve("Which fish is caught?", 3, "graphrag-global")
    assert "herring" in whole.facts[0].text
    assert [fact.ranks for fact in whole.facts] == [{"community": rank} for rank in (1, 2, 3)]


def test_a_model_may_write_the_summaries(harbours: KnowledgeBase, tmp_path: Path) -> None:
    def reply(messages: list[Json], request: Json) -> str:
        return "Volcanoes." if "Ranby" in messages[-1]["content"] else "Money."

    def titles() -> set[str]:
        settings = GraphRAGSettings(search="global", level=0, communities=1)
        place = harbours.database, harbours.embedder, harbours.name
        (found,) = GraphRAG(*place, settings, summariser=ChatSummariser(there)).retrieve(["Eruptions?"], 4)
        return {fact.sources[0].title for fact in found.facts}

    with ModelServer(reply) as server:
        model = {"llm_base_url": server.base_url, "llm_model": server.model, "llm_retries": 0}
        there = harbours.settings.model_copy(update=model | {"cache": tmp_path})
        assert titles() <= set(COAST)
        assert titles() <= set(COAST)
        assert server.usage.calls == 2
        add(harbours, document(harbours, "Nebel", "Nebel lies beside Orrin Peak and Vale Ridge."))
        assert titles() <= set(COAST)
        assert server.usage.calls == 3
    nowhere = there.model_copy(update={"llm_base_url": "http://127.0.0.1:9/v1"})
    with pytest.raises(ModelError, match="cannot be reached"):
        ChatSummariser(nowhere).summarise([["Ranby has a lamp that nobody has read of."]])


def test_an_empty_summary_is_asked_for_again(settings: Settings, tmp_path: Path) -> None:
    with ModelServer(scripted([" ", "Volcanoes."])) as server:
        model = {"llm_base_url": server.base_url, "llm_model": server.model, "llm_retries": 0}
        summariser = ChatSummariser(settings.model_copy(update=model | {"cache": tmp_path}))
        told = [summariser.summarise([["Ranby smokes.", "Ranby has a crater."]]) for _ in range(3)]
        assert told == [["Ranby smokes.\nRanby has a crater."], ["Volcanoes."], ["Volcanoes."]]
        assert server.usage.calls == 2


def test_a_summary_that_cannot_be_written_as_it_is(settings: Settings, tmp_path: Path) -> None:
    with ModelServer(scripted(["Volcanoes \ud83d smoke."])) as server:
        model = {"llm_base_url": server.base_url, "llm_model": server.model, "llm_retries": 0}
        summariser = ChatSummariser(settings.model_copy(update=model | {"cache": tmp_path}))
        told = [summariser.summarise([["Ranby smokes."]]) for _ in range(2)]
    assert told == [["Volcanoes ? smoke."]] * 2


def test_clusters_hold_what_is_alike_and_fit() -> None:
    centres = np.eye(6, 32)
    vectors = unit(
        (centres.repeat(30, axis=0) + np.random.default_rng(1).normal(0, 0.05, (180, 32))).astype(np.float32)
    )
    clusters = find_clusters(vectors, 20)
    assert max(map(len, clusters)) <= 20
    assert set(np.concatenate(clusters).tolist()) == set(range(180))
    assert all(len({row // 30 for row in rows.tolist()}) == 1 for rows in clusters)
    alike = find_clusters(np.ones((50, 4), np.float32), 20)
    assert sorted(np.concatenate(alike).tolist()) == list(range(50))


def test_raptors_summaries_lead_down_to_passages(harbours: KnowledgeBase) -> None:
    graph = current_graph(harbours.database, harbours.name)
    chunks = read_chunk_vectors(harbours.database, harbours.name, graph)
    vectors = partial(summary_vectors, harbours.database, harbours.embedder, graph, summariser=None)
    tree = grow_tree(graph, chunks, 3, 4, vectors)
    assert tree.layers[1] == len(HARBOURS)
    assert len(tree.layers) > 2
    for node in range(tree.layers[1], tree.layers[-1]):
        below = tree.children.of(np.array([node]))[0]
        assert 0 < len(below) <= 3
        own = tree.facts.of(np.array([node]))[0]
        assert set(own.tolist()) <= set(tree.facts.of(below)[0].tolist())
        assert tree.vectors[node] == pytest.approx(unit(graph.vectors[own].mean(axis=0)[None])[0], abs=1e-6)
    place = harbours.database, harbours.embedder, harbours.name
    (whole,) = Raptor(*place, RaptorSettings(largest=3)).retrieve(["Tell me of the coast"], 6)
    assert {path for fact in whole.facts for path in fact.ranks} == {"leaf", "summary"}
    (down,) = Raptor(*place, RaptorSettings("traversal", largest=3, beam=1)).retrieve(["Tilde Marsk"], 1)
    assert down.passages[0].title in COAST
