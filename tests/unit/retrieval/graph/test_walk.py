"""The walk against its equations on a graph of four facts, and the names it finds in a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from clew.ids import entity_id
from clew.retrieval.graph.hypergraph import Graph, Incidence, find
from clew.retrieval.graph.question import Question, link
from clew.retrieval.graph.search import Start
from clew.retrieval.graph.vector_table import VectorTable
from clew.retrieval.graph.walk import ASKED, WalkSettings, neighbourhood, restart, second_pass, walk, way_to
from clew.retrieval.strategies.hipporag2 import HippoRAG2Settings
from clew.retrieval.strategies.hipporag2 import restart as hipporag_restart

KB = "tiny"
KEYS = ["anna", "bert", "carl", "the long way home"]
FACTS = [["anna", "bert"], ["bert", "carl"], ["carl", "the long way home"], ["anna"]]
CHUNKS = [0, 1, 2, 2]
SETTINGS = WalkSettings(title_weight=2.0, iterations=3, beta=2.0, damping=0.5)


def graph(titles: Sequence[str] = ("anna", "the long way home")) -> Graph:
    ids = [entity_id(KB, key) for key in KEYS]
    entities = np.array(sorted(ids), dtype="S20")
    lists = [sorted(find(entities, [entity_id(KB, key) for key in fact]).tolist()) for fact in FACTS]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in lists])])
    entities_of = Incidence(starts, np.array([row for one in lists for row in one]))
    chunks_of = Incidence(np.arange(5), np.array(CHUNKS))
    angles = np.array([0.1, 0.5, 0.9, 1.3])
    pages = np.zeros(4, dtype=bool)
    pages[find(entities, [entity_id(KB, key) for key in titles])] = True
    return Graph(
        "1",
        np.array(["a", "b", "c", "d"], dtype="S20"),
        entities,
        np.array(["p", "q", "r"], dtype="S20"),
        VectorTable.of(np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)),
        pages,
        np.ones(4, np.int64),
        entities_of,
        entities_of.transposed(4),
        chunks_of,
        chunks_of.transposed(3),
    )


def row(one: Graph, key: str) -> int:
    return int(find(one.entities, [entity_id(KB, key)])[0])


def test_restart_gives_each_part_its_mass() -> None:
    one = graph()
    anna = row(one, "anna")
    start = restart(one, [anna], np.array([1]), np.array([0.5]), np.array([0, 2]), np.array([0.2, 0.6]), SETTINGS)
    mass = dict(zip(start.entities.tolist(), start.entity_mass, strict=True))
    assert np.isclose(mass[anna], 0.6)
    assert np.isclose(mass[row(one, "bert")] + mass[row(one, "carl")], 0.3)
    assert np.allclose(start.chunk_mass, [0.0, 0.1])
    alone = restart(one, [anna], np.array([], int), np.zeros(0), np.array([], int), np.zeros(0), SETTINGS)
    assert np.allclose(alone.entity_mass, [1.0])


def test_hipporag_scales_facts_by_those_around_and_links_the_best_entities() -> None:
    one = graph()
    none = np.zeros(0)
    start = Start(
        Question("", (), (), "", -1),
        np.array([1, 0], np.float32),
        np.array([1, 0], np.float32),
        np.zeros(0, np.int64),
        none,
        np.array([0, 1]),
        np.array([0.9, 0.7]),
        np.array([0, 2]),
        np.array([0.6, 0.2]),
        (),
    )
    found = hipporag_restart(one, start, 0.4, HippoRAG2Settings(passage_weight=0.1))
    mass = dict(zip(found.entities.tolist(), found.entity_mass.tolist(), strict=True))
    assert mass == {
        row(one, "anna"): pytest.approx(1.0),
        row(one, "bert"): pytest.approx(0.8),
        row(one, "carl"): pytest.approx(0.6),
    }
    assert np.allclose(found.chunk_mass, [0.1, 0.0])
    two = hipporag_restart(one, start, 0.4, HippoRAG2Settings(link_entities=2))
    assert set(two.entities.tolist()) == {row(one, "anna"), row(one, "bert")}
    assert two.entities.tolist() == sorted(two.entities.tolist())
    alike = hipporag_restart(one, replace(start, similarity=np.array([0.4, 0.4])), 0.4, HippoRAG2Settings())
    assert np.allclose(alike.entity_mass, 1.0)


def test_facts_unlike_the_question_restart_nothing() -> None:
    one = graph()
    anna, carl = row(one, "anna"), row(one, "carl")
    facts, none = np.array([0, 2]), np.array([], int)
    some = restart(one, [carl], facts, np.array([0.02, -0.05]), none, np.zeros(0), SETTINGS)
    mass = dict(zip(some.entities.tolist(), some.entity_mass.tolist(), strict=True))
    assert min(mass.values()) >= 0
    assert np.isclose(sum(mass.values()), 1)
    assert mass[anna] > 0 == mass[row(one, "the long way home")]
    nothing = restart(one, [anna], facts, np.array([-0.03, -0.01]), np.array([0, 1]), np.array([0.1, 0.3]), SETTINGS)
    assert nothing.entities.tolist() == [anna]
    assert np.allclose([*nothing.entity_mass, *nothing.chunk_mass], [6 / 7, 0, 1 / 7])


def test_walk_is_the_equations() -> None:
    one = graph()
    u = np.array([1.0, 0.0], np.float32)
    start = restart(one, [row(one, "anna")], np.array([1]), np.array([1.0]), np.array([2]), np.array([0.5]), SETTINGS)
    near = neighbourhood(one, start, u, SETTINGS)
    assert near.hyperedges.tolist() == [0, 1, 2, 3]
    incidence = np.zeros((4, 7))
    for fact in range(4):
        for key in FACTS[fact]:
            incidence[fact, row(one, key)] = 1
        incidence[fact, 4 + CHUNKS[fact]] = 1
    t = np.array([2.0 if one.titles[e] else 1.0 for e in range(4)] + [1.0] * 3)
    weight = np.exp(2.0 * (one.vectors.whole() @ u).astype(float))
    r = np.zeros(7)
    r[start.entities] = start.entity_mass
    r[4 + start.chunks] = start.chunk_mass
    x_n, x_h = r.copy(), np.zeros(4)
    for _ in range(3):
        y = x_h / (incidence @ t)
        new_h = 0.5 * weight * (incidence @ (x_n / (incidence.T @ weight)))
        x_n, x_h = 0.5 * t * (incidence.T @ y) + 0.5 * r, new_h
    masses = walk(near, start, SETTINGS)
    assert np.allclose(masses.hyperedges, x_h)
    assert np.allclose(np.concatenate([masses.entities, masses.chunks]), x_n)


def test_the_cap_keeps_the_facts_that_fit_the_question_best() -> None:
    one = graph()
    start = restart(one, [row(one, "anna")], np.array([], int), np.zeros(0), np.array([], int), np.zeros(0), SETTINGS)
    for u, kept in (([1.0, 0.0], 0), ([0.0, 1.0], 3)):
        near = neighbourhood(one, start, np.array(u, np.float32), replace(SETTINGS, cap=1, hub=0))
        assert near.hyperedges.tolist() == [kept]


def test_the_way_to_a_fact_begins_at_its_seed() -> None:
    one = graph()
    start = restart(one, [row(one, "anna")], np.array([], int), np.zeros(0), np.array([], int), np.zeros(0), SETTINGS)
    near = neighbourhood(one, start, np.array([1.0, 0.0], np.float32), SETTINGS)
    settled = replace(SETTINGS, iterations=30)
    masses = walk(near, start, settled)
    (only,) = way_to(near, masses, 0, settled)
    assert near.entities[only[0]] == row(one, "anna")
    (seed, over, bridge) = [at for at, _ in way_to(near, masses, 1, settled)]
    assert near.entities[[seed, bridge]].tolist() == [row(one, "anna"), row(one, "bert")]
    assert near.hyperedges[over] == 0
    assert all(0 < weight <= 1 for _, weight in way_to(near, masses, 1, settled))


def test_the_way_begins_where_a_bridge_was_asked_about() -> None:
    one = graph()
    settings = replace(SETTINGS, iterations=30, bridge_mass=20.0, bridge_facts=1)
    start = restart(one, [row(one, "anna")], np.array([], int), np.zeros(0), np.array([], int), np.zeros(0), settings)
    near = neighbourhood(one, start, np.array([1.0, 0.0], np.float32), settings)
    masses = second_pass(near, start, np.array([[0.0], [0.9], [0.0]]), settings)
    assert np.flatnonzero(masses.asked).tolist() == [1]
    ((seed, weight),) = way_to(near, masses, 1, settings)
    assert seed == ASKED
    assert 0.5 < weight < 1
    (first, over, last) = [at for at, _ in way_to(near, masses, 0, settings)]
    assert (first, near.hyperedges[over], near.entities[last]) == (ASKED, 1, row(one, "bert"))


def test_a_question_names_the_longest_known_run_of_words() -> None:
    one = graph()
    question, lower, aside, title = link(
        one, KB, ["Who wrote The Long Way Home (Anna)?", "who wrote the long way home?", "Did Bert see Carl?", "No one"]
    )
    assert question.keys == ("the long way home",)
    assert question.masked == "Who wrote  (Anna)?"
    assert question.about("Bert") == "Who wrote Bert (Anna)?"
    assert lower.keys == ("the long way home",)
    assert aside.keys == ("bert", "carl")
    assert title.keys == ()
    assert title.about("Bert") == "No one Bert"


def test_a_word_in_capitals_that_opens_a_question_is_a_name_only_where_the_facts_have_it_as_one() -> None:
    """Ten facts have "bert", and two are about him; both with "anna" are about her."""
    words = np.array(["anna", "bert"], dtype="S20")
    facts_with = Incidence(np.array([0, 2, 12]), np.array([0, 3, *range(10)]))
    one = replace(graph(), words=words, facts_with=facts_with)
    opening, name, inside = link(one, KB, ["¿Bert knows Carl, bert?", "Anna knows Carl?", "Does Bert know Carl?"])
    assert (opening.keys, opening.masked) == (("carl",), "¿Bert knows , bert?")
    assert name.keys == ("anna", "carl")
    assert inside.keys == ("bert", "carl")
