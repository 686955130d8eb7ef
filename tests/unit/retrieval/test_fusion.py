"""Reciprocal rank fusion."""

from __future__ import annotations

import pytest

from clew.retrieval.fusion import reciprocal_rank


def test_ranks_add_up() -> None:
    assert reciprocal_rank({"entities": 1, "hyperedges": 4}) == 1.25
    assert reciprocal_rank({"entities": 2}) == 0.5
    assert reciprocal_rank({}) == 0.0


def test_the_constant_flattens() -> None:
    assert reciprocal_rank({"a": 1, "b": 2}, 60) == pytest.approx(1 / 61 + 1 / 62)


def test_a_fact_on_both_paths_beats_one_that_is_as_good_on_one() -> None:
    assert reciprocal_rank({"a": 3, "b": 3}) > reciprocal_rank({"a": 3})
    assert reciprocal_rank({"a": 2, "b": 2}) == reciprocal_rank({"a": 1})
