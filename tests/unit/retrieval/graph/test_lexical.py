"""BM25 in memory is what its equation says, and finds the same whatever else is there."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from clew.retrieval.graph.copy import _incidence, _words, within
from clew.retrieval.graph.hypergraph import Graph
from clew.retrieval.graph.lexical import K1, B, bm25
from tests.unit.retrieval.graph.test_walk import graph

KEYS = [
    "the lamp of corran head was lit in 1871",
    "the lamp the lamp the other lamp",
    "corran lies on the coast",
    "灯台は海岸にあり とても古いものであると言われている",
]


def worded(keys: list[str]) -> Graph:
    """The tiny graph of the walk's tests, whose four hyperedges have these keys."""
    words, words_of = _incidence(_words([{"key": key} for key in keys]))
    return replace(graph(), words=words, words_of=words_of, facts_with=words_of.transposed(len(words)))


def expected(keys: list[str], query: list[str], row: int) -> float:
    """The score as Robertson and Zaragoza write it, without the factor k₁ + 1."""
    split = [key.split() for key in keys]
    mean = sum(map(len, split)) / len(split)
    total = 0.0
    for word in query:
        having, times = sum(word in words for words in split), split[row].count(word)
        idf = math.log(1 + (len(keys) - having + 0.5) / (having + 0.5))
        total += idf * times / (times + K1 * (1 - B + B * len(split[row]) / mean))
    return total


def test_scores_are_those_of_the_equation_and_best_first() -> None:
    query = ["lamp", "corran", "unheard"]
    rows, scores = bm25(worded(KEYS), query, 10)
    assert sorted(rows.tolist()) == [0, 1, 2]
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)
    assert np.allclose(scores, [expected(KEYS, query, row) for row in rows.tolist()])
    assert bm25(worded(KEYS), query, 1)[0].tolist() == rows[:1].tolist()
    assert [len(part) for part in bm25(worded(KEYS), ["unheard"], 10)] == [0, 0]


def test_of_a_part_only_its_own_words_count() -> None:
    whole = worded(KEYS)
    part = within(whole, ["p", "q"])  # the chunks that state the first two hyperedges
    assert part.hyperedges.tolist() == whole.hyperedges[:2].tolist()
    _, scores = bm25(part, ["lamp", "corran"], 10)
    assert np.allclose(sorted(scores), sorted(expected(KEYS[:2], ["lamp", "corran"], row) for row in range(2)))


def test_cosines_are_those_of_each_row_whatever_came_and_went() -> None:
    table = graph().vectors
    changed = table.changed(np.array([3, 0, -1]), np.array([[0.6, 0.8]], np.float32))
    few = table.changed(np.array([1]), table.stored[:0])
    queries = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    for one in (table, changed, few):
        assert np.allclose(one.cosines(queries), one.whole() @ queries.T)
