"""The vectors of a graph whose hyperedges come and go."""

from __future__ import annotations

import random

import numpy as np
import pytest

from clew.embedding import Vectors
from clew.retrieval.graph.vector_table import LOOSE, VectorTable


def some(count: int, first: int = 0) -> Vectors:
    """Vectors that tell which one they are."""
    return np.arange(first, first + count, dtype=np.float32)[:, None] * np.array([1, -1], np.float32)


@pytest.mark.parametrize("seed", range(5))
def test_after_many_changes_each_row_has_its_own_vector(seed: int) -> None:
    chance = random.Random(seed)
    plain = some(40)
    table = VectorTable.of(plain)
    for step in range(30):
        rows = sorted(chance.sample(range(len(plain)), len(plain) - chance.randrange(4)))
        rows = [row for one in rows for row in ([one, -1] if chance.random() < 0.1 else [one])]
        order = np.array(rows)
        new = some(int((order < 0).sum()), 1_000 * (step + 1))
        table = table.changed(order, new)
        plain = plain[order]
        plain[order < 0] = new
        assert np.array_equal(table.whole(), plain)
        assert len(table.stored) + len(table.added) <= (1 + 2 * LOOSE) * len(plain)
        few = chance.sample(range(len(plain)), 5)
        assert np.array_equal(table[few], plain[few])


def test_a_small_change_copies_nothing_of_what_is_there() -> None:
    old = VectorTable.of(some(100))
    new = old.changed(np.array([*range(50), -1, *range(50, 100)]), some(1, 500))
    assert new.stored is old.stored
    assert new[[50]].tolist() == [[500.0, -500.0]]
    assert old.whole().tolist() == some(100).tolist()


def test_a_table_may_be_empty_before_and_after() -> None:
    none = VectorTable.of(some(0))
    assert (len(none), none.dimensions, none.whole().shape) == (0, 2, (0, 2))
    full = none.changed(np.array([-1, -1]), some(2))
    assert full.whole().tolist() == some(2).tolist()
    assert full.changed(np.zeros(0, np.int64), some(0)).whole().shape == (0, 2)
