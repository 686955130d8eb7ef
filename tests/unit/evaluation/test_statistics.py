"""Intervals and paired comparisons against values worked out by hand, and against the normal approximation."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.evaluation.statistics import Interval, mean_interval, paired_comparison


def test_the_interval_of_a_share_is_about_the_normal_one() -> None:
    interval = mean_interval([1.0] * 60 + [0.0] * 40)
    assert interval is not None
    half = 1.96 * math.sqrt(0.6 * 0.4 / 100)
    assert interval.mean == pytest.approx(0.6)
    assert interval.low == pytest.approx(0.6 - half, abs=0.015)
    assert interval.high == pytest.approx(0.6 + half, abs=0.015)


def test_missing_values_are_left_out() -> None:
    assert mean_interval([None, 0.5, 0.5, None]) == Interval(0.5, 0.5, 0.5)
    assert mean_interval([None]) is None
    assert mean_interval([]) is None
    assert paired_comparison([None, 1.0], [1.0, None]) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=25, deadline=None)
def test_the_interval_holds_the_mean(values: list[float]) -> None:
    interval = mean_interval(values, samples=400)
    assert interval is not None
    assert interval == mean_interval(values, samples=400)
    assert interval.low - 1e-9 <= interval.mean <= interval.high + 1e-9
    lowest, highest = (0, 1) if set(values) <= {0, 1} else (min(values), max(values))
    assert lowest - 1e-9 <= interval.low
    assert interval.high <= highest + 1e-9


def test_ten_right_answers_of_ten_are_no_certainty() -> None:
    interval = mean_interval([1.0] * 10)
    assert interval is not None
    assert interval.low == pytest.approx(0.7225, abs=1e-4)  # by Wilson's formula
    assert interval.high == 1.0


@pytest.mark.parametrize(
    ("a", "b", "difference", "p"),
    [
        ([1.0, 1.0, 1.0, 0.0], [0.0] * 4, 0.75, 2 / 8),  # of 8 sign patterns of three ones, 2 are as extreme
        ([1.0] * 6, [0.0] * 6, 1.0, 2 / 64),
        ([1.0, 0.0], [0.0, 1.0], 0.0, 1.0),
        ([0.3, 0.7], [0.3, 0.7], 0.0, 1.0),
        ([1.0], [0.0], 1.0, 1.0),
        ([1.0] + [0.0] * 99, [0.0] * 100, 0.01, 1.0),
        ([1.0] * 4 + [0.0] * 96, [0.0] * 100, 0.04, 2 / 16),  # ties flip nothing: 16 patterns, however many pairs
        ([1.0] * 10 + [0.5] * 490, [0.0] * 10 + [0.5] * 490, 0.02, 2 / 1024),
        ([1.0] * 5 + [0.0] * 95, [0.0] * 5 + [1.0] + [0.0] * 94, 0.04, 2 * 7 / 64),
    ],
)
def test_p_is_that_of_the_sign_flips(a: list[float], b: list[float], difference: float, p: float) -> None:
    result = paired_comparison(a, b)
    assert result is not None
    assert result.difference == pytest.approx(difference)
    assert result.p == pytest.approx(p)
    assert paired_comparison(b, a).p == result.p  # type: ignore[union-attr]


def test_pairing_finds_what_two_intervals_hide() -> None:
    numbers = random.Random(0)
    b = [numbers.random() for _ in range(200)]
    a = [value + 0.02 + 0.01 * numbers.gauss(0, 1) for value in b]
    result, alone, other = paired_comparison(a, b), mean_interval(a), mean_interval(b)
    assert result is not None
    assert alone is not None
    assert other is not None
    assert alone.low < other.high
    assert 0 < result.low < 0.02 < result.high
    assert result.p < 0.01


def test_pairs_that_lack_a_value_are_dropped_and_lists_of_two_lengths_refused() -> None:
    result = paired_comparison([1.0, None, 0.5], [0.0, 1.0, None])
    assert result is not None
    assert (result.difference, result.count, result.missing) == (1.0, 1, 2)
    with pytest.raises(ValueError, match="zip"):
        paired_comparison([1.0], [])
