"""Steiner trees and flow on graphs small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from clew.retrieval.strategies.g_retriever import steiner_tree
from clew.retrieval.strategies.pathrag import Between, PathRAGSettings, reliable_paths

LINE = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])


def test_a_tree_takes_what_lies_between_two_prizes() -> None:
    prizes = np.array([3.0, 0, 0, 0, 2.0])
    assert steiner_tree(LINE, np.full(4, 0.25), prizes).tolist() == [0, 1, 2, 3, 4]


def test_a_tree_leaves_a_prize_that_does_not_pay_its_way() -> None:
    prizes = np.array([3.0, 0, 1.5, 0, 0.9])
    assert steiner_tree(LINE, np.full(4, 0.5), prizes).tolist() == [0, 1, 2]


def test_a_tree_takes_the_cheaper_of_two_ways() -> None:
    links = np.array([[0, 1], [1, 3], [0, 2], [2, 3]])
    costs = np.array([0.25, 0.25, 0.25, 0.2])
    assert steiner_tree(links, costs, np.array([2.0, 0, 0, 1.0])).tolist() == [0, 2, 3]


def test_a_tree_stays_in_one_piece() -> None:
    links = np.array([[0, 1], [2, 3]])
    assert steiner_tree(links, np.full(2, 0.1), np.array([1.0, 1.0, 5.0, 1.0])).tolist() == [2, 3]
    assert steiner_tree(np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0)).tolist() == []


def joined(size: int, targets: list[int], edges: list[tuple[int, int]]) -> Between:
    """A graph whose fact of an edge is ten times its one end plus the other, the lower end first."""
    facts = np.full((size, size), -1)
    for a, b in edges:
        facts[a, b] = facts[b, a] = 10 * a + b
    retrieved = np.isin(np.arange(size), targets)
    return Between(np.arange(size), retrieved, [np.flatnonzero(row >= 0).tolist() for row in facts], facts)


def test_reliability_is_the_flow_along_a_path_by_its_edges() -> None:
    """From 0 with two neighbours: S(1) = S(3) = 0.4; 1 has two neighbours: S(2) = 0.8·0.4/2 + 0.8·0.4/2 from 3."""
    area = joined(4, [0, 2], [(0, 1), (1, 2), (0, 3), (2, 3)])
    paths = {path.entities: path for path in reliable_paths(area, PathRAGSettings(threshold=0.05))}
    assert {min(way, way[::-1]) for way in paths} == {(0, 1, 2), (0, 3, 2)}
    for path in paths.values():
        assert path.reliability == pytest.approx((1 + 0.4 + 0.32) / 2)
        assert set(path.facts) in ({1, 12}, {3, 23})


def test_flow_below_the_threshold_goes_no_further() -> None:
    area = joined(3, [0, 2], [(0, 1), (1, 2)])
    assert [path.reliability for path in reliable_paths(area, PathRAGSettings())] == [
        pytest.approx((1 + 0.8 + 0.32) / 2)
    ]
    assert reliable_paths(area, PathRAGSettings(threshold=0.5)) == []
    assert reliable_paths(area, PathRAGSettings(hops=1)) == []


def test_a_direct_path_is_more_reliable_than_a_way_round() -> None:
    area = joined(3, [0, 2], [(0, 1), (1, 2), (0, 2)])
    best = max(reliable_paths(area, PathRAGSettings()), key=lambda path: path.reliability)
    assert len(best.facts) == 1
