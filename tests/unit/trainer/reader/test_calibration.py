"""Confidence is fitted so that what it calls sure is mostly right, and is judged on folds it was not fitted on."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from clew.trainer.reader.calibration import Sample, curve, fit, held_out_tops, threshold, weighted


def questions(count: int) -> list[Sample]:
    """Three spans a question; the greater the margin, the likelier a span is right, and rank says nothing."""
    rng = random.Random(4)
    rows = []
    for _ in range(count):
        margins = [rng.gauss(0, 3) for _ in range(3)]
        right = [rng.random() < 1 / (1 + np.exp(1 - margin)) for margin in margins]
        rows.append(Sample([{"margin": margin, "rank": rng.random()} for margin in margins], right))
    return rows


def test_what_tells_gets_weight_and_what_does_not_gets_none() -> None:
    weights = fit(questions(800))
    assert 0.7 < weights["margin"] < 1.3
    assert abs(weights["rank"]) < 0.35
    assert -1.5 < weights["constant"] < -0.5


def test_probabilities_are_calibrated_on_other_folds() -> None:
    probabilities, right = held_out_tops(questions(1500))
    for point in curve(probabilities, right, np.ones(1500), 5):
        assert abs(point.probability - point.right) < 0.12


def test_fewer_questions_without_an_answer_make_it_bolder() -> None:
    nothing = [replace(row, right=[False] * 3, answerable=False) for row in questions(800)]
    constants = []
    for share in (0.5, 0.2):
        rows = weighted([*questions(800), *nothing], share)
        assert sum(row.weight for row in rows if not row.answerable) == pytest.approx(800 * share / (1 - share))
        constants.append(fit(rows)["constant"])
    assert constants[1] > constants[0] + 0.3


def test_from_the_threshold_on_an_answer_is_right_with_the_share() -> None:
    probabilities, right = held_out_tops(questions(1500))
    at = threshold(probabilities, right, 0.9)
    assert right[probabilities >= at].mean() >= 0.9
    near = (probabilities > at - 0.04) & (probabilities < at + 0.04)
    assert abs(right[near].mean() - 0.9) < 0.07


def test_probabilities_that_are_too_low_are_seen_through() -> None:
    rng = np.random.default_rng(3)
    true = rng.uniform(0.3, 1, 20_000)
    shown = true**2
    assert abs(threshold(shown, rng.random(20_000) < true, 0.95) - 0.95**2) < 0.04


def test_one_wrong_answer_among_the_best_moves_it_little() -> None:
    rng = np.random.default_rng(5)
    probabilities = np.sort(rng.uniform(0.2, 0.98, 200))
    right = rng.random(200) < probabilities**0.3
    at = threshold(probabilities, right, 0.95)
    for place in (-1, -10, -30):
        other = right.copy()
        other[place] = not other[place]
        assert abs(threshold(probabilities, other, 0.95) - at) < 0.08


def test_all_may_be_sure_where_all_are_right() -> None:
    assert threshold(np.linspace(0.4, 1, 50), np.ones(50, bool), 0.95) == 0.4


def test_nothing_is_sure_where_nothing_is_right() -> None:
    assert threshold(np.linspace(0, 1, 200), np.zeros(200, bool), 0.95) == 1.0
