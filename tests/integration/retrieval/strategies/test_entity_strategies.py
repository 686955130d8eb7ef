"""What the strategies that go by entities and words find, each on a small graph that shows its own way."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.snapshot import vectors as entity_vectors
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.graph.copy import current_graph
from clew.retrieval.graph.hypergraph import Graph, find
from clew.retrieval.graph.search import Near, Place, Ranking, Start, search
from clew.retrieval.query import query_entities
from clew.retrieval.registry import create_strategy
from clew.retrieval.strategies.binary import triples
from clew.retrieval.strategies.linearrag import LinearRAG, LinearRAGSettings
from clew.retrieval.strategies.prograph_r1 import ProGraphR1, ProGraphSettings
from clew.types import Retrieved
from tests.integration.graphs import add, document
from tests.integration.retrieval.strategies.conftest import ALIKE, TWO_HOPS, texts, titles


def test_what_only_the_entity_of_the_query_knows_is_most_informative(towns: KnowledgeBase) -> None:
    """E_q are Alda's two facts. R̂ is log 2 where every entity is in E_q alone; Quillby is in one of its three facts."""
    structure = ProGraphR1(
        towns.database, towns.embedder, towns.name, settings=ProGraphSettings(context=False, structure=True)
    )
    (found,) = structure.retrieve(["What did Alda Voss do?"], 10)
    scores = {fact.text: fact.score for fact in found.facts}
    assert scores["Alda Voss: Alda Voss painted ships."] == pytest.approx(math.log(2), abs=1e-5)
    of_quillby = math.log(1 + 1 / 3)
    assert scores["Alda Voss: Alda Voss was born in Quillby."] == pytest.approx(
        (math.log(2) + of_quillby) / 2, abs=1e-5
    )
    assert scores["Quillby: Quillby has one team, and it curls."] == pytest.approx(of_quillby, abs=1e-5)
    assert not any(name in text for name in ALIKE for text in scores)


def test_context_weighs_the_entities_of_a_fact(towns: KnowledgeBase) -> None:
    """Ŝ of Alda Voss is more than that of Quillby, so that both together score above the plain mean of I(v)."""
    plain, whole = (
        create_strategy(name, towns.database, towns.embedder, towns.name).retrieve(["What did Alda Voss do?"], 10)[0]
        for name in ("prograph-r1-structure", "prograph-r1")
    )
    mixed = "Alda Voss: Alda Voss was born in Quillby."
    before, after = ({fact.text: fact.score for fact in one.facts}[mixed] for one in (plain, whole))
    assert before < after < math.log(2)


def woken(kb: KnowledgeBase, settings: LinearRAGSettings) -> Sequence[str]:
    (found,) = LinearRAG(kb.database, kb.embedder, kb.name, settings).retrieve([TWO_HOPS], 20)
    return [fact.text for fact in found.facts if "bridge" in fact.ranks]


def test_a_sentence_like_the_question_wakes_the_next_entity(towns: KnowledgeBase) -> None:
    low = LinearRAGSettings(threshold=0.01, sentences=1)
    assert "Alda Voss: Alda Voss was born in Quillby." in woken(towns, low)
    assert any(text.startswith("Quillby:") for text in woken(towns, low))
    assert not any(text.startswith("Quillby:") for text in woken(towns, LinearRAGSettings(threshold=0.01, steps=1)))
    assert woken(towns, LinearRAGSettings(threshold=1.1)) == []


def test_full_text_search_finds_words_and_not_meanings(towns: KnowledgeBase) -> None:
    (found,) = towns.retrieve("QUILLBY curls!", 5, "words")
    assert texts(found)[0] == "Quillby: Quillby has one team, and it curls."
    assert found.facts[0].score > found.facts[1].score
    assert {"Quillby", "Alda Voss"} == set(titles(found))
    (nothing,) = towns.retrieve("the AND of OR zeppelin*", 5, "words")
    assert nothing == Retrieved("the AND of OR zeppelin*")


def test_a_hyperedge_is_taken_apart_into_triples() -> None:
    text = "Alda Voss: In 1890 she moved from Quillby to Lake Tarn Lodge with Berta Lind."
    people = ["Alda Voss", "Quillby", "Lake Tarn", "Lake Tarn Lodge", "Berta Lind"]
    apart = list(triples("h", text, [(name.lower(), name, name) for name in people] + [("x", "Ostby", "the town")]))
    assert [triple.text for triple in apart] == [
        "Alda Voss In 1890 she moved from Quillby",
        "Alda Voss to Lake Tarn Lodge",
        "Alda Voss with Berta Lind",
        "Alda Voss Ostby",
    ]
    assert {triple.names[0] for triple in apart} == {"Alda Voss"}
    assert list(triples("h", text, [("a", "Alda Voss", "Alda Voss")])) == []


def test_a_triple_has_lost_what_the_hyperedge_knows(towns: KnowledgeBase) -> None:
    text = "Mara Lind built the Ostby Light with Jon Berg for Ranfeld."
    add(towns, document(towns, "Mara Lind", text))
    (found,) = towns.retrieve("With whom did Mara Lind build for Ranfeld?", 20, "binary")
    (whole,) = towns.retrieve("With whom did Mara Lind build for Ranfeld?", 20, "graph-r1")
    (triple,) = (fact for fact in found.facts if fact.sources[0].title == "Mara Lind")
    (fact,) = (fact for fact in whole.facts if fact.id == triple.id)
    assert {"Mara Lind", "Ostby Light", "Jon Berg", "Ranfeld"} <= set(fact.entities)
    assert len(triple.entities) == 2
    assert set(triple.entities) < set(fact.entities)
    assert fact.text == f"Mara Lind: {text}"
    assert not all(name in triple.text for name in ("Ostby Light", "Jon Berg"))


def test_only_the_arity_of_the_binary_graph_differs(towns: KnowledgeBase) -> None:
    """The same entities, those nearest to the mean of the names; passages are those of the facts and no others."""
    asked = "Did Alda Voss of Quillby paint Lake Tarn?"
    (found,) = towns.retrieve(asked, 3, "binary")
    assert {passage.id for passage in found.passages} == {s.chunk for fact in found.facts for s in fact.sources}
    begun: list[Start] = []

    def seen(_: Graph, starts: Sequence[Start], __: int) -> list[Ranking]:
        begun.extend(starts)
        return [Ranking((), ()) for _ in starts]

    place = Place(towns.database, towns.embedder, towns.name)
    (nothing,) = search(place, [asked], 3, Near(entities=3, mean=True), seen, fill=False)
    assert not nothing.passages
    (nearest,) = search(place, [asked], 3, Near(), seen)
    assert len(nearest.passages) == 3
    ids, vectors = entity_vectors(towns.database, towns.name, "Entity")
    mean = towns.embedder.embed(query_entities(asked)).mean(axis=0)
    exact = [ids[i] for i in np.argsort(-(vectors @ mean), kind="stable")[:3]]
    assert begun[0].entities.tolist() == find(current_graph(towns.database, towns.name).entities, exact).tolist()


def test_context_alone_does_not_look_at_what_is_joined(towns: KnowledgeBase) -> None:
    add(towns, document(towns, "Alda Vossen", "Alda Vossen kept bees."))
    asked = "What did Alda Voss do?"
    (context,) = towns.retrieve(asked, 10, "prograph-r1-context")
    (structure,) = towns.retrieve(asked, 10, "prograph-r1-structure")
    bees = "Alda Vossen: Alda Vossen kept bees."
    assert bees in texts(context)
    assert bees not in texts(structure)


@pytest.mark.parametrize(
    ("recipe", "facts", "passages"),
    [
        ("hybrid-text5", 0, 5),
        ("hybrid-text3-graph10", 10, 3),
        ("hybrid-text1-graph10", 10, 1),
        ("hybrid-graph20", 20, 0),
    ],
)
def test_a_hybrid_brings_the_numbers_of_its_recipe(
    towns: KnowledgeBase, recipe: str, facts: int, passages: int
) -> None:
    (base,) = towns.retrieve(TWO_HOPS, 20, "hipporag2")
    assert len(base.facts) == 20
    for k in (1, 20):
        (found,) = towns.retrieve(TWO_HOPS, k, recipe)
        assert texts(found) == texts(base)[:facts]
        assert titles(found) == titles(base)[:passages]


def test_vectors_of_entities_are_where_their_ids_are(towns: KnowledgeBase) -> None:
    graph = current_graph(towns.database, towns.name)
    ids = [id.decode() for id in graph.entities.tolist()]
    (row,) = towns.database.read(
        "retrieve/entity_similarity", names=towns.embedder.embed(["quillby"]), entities=[[*ids, "none"]]
    )
    assert set(find(graph.entities, [id for id, _ in row["cosines"]])) == set(range(len(ids)))
    assert max(cosine for _, cosine in row["cosines"]) == pytest.approx(1.0, abs=0.01)
