"""Confidence is fitted so that what it calls sure is mostly right, and is judged on folds it was not fitted on."""

from __future__ import annotations

import random

import numpy as np

from clew.trainer.reader.calibration import Sample, curve, fit, held_out_tops, threshold


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
    for point in curve(probabilities, right, 5):
        assert abs(point.probability - point.right) < 0.12


def test_the_threshold_keeps_the_share() -> None:
    probabilities, right = held_out_tops(questions(1500))
    at = threshold(probabilities, right, 0.95)
    assert right[probabilities >= at].mean() >= 0.95
    lower = np.sort(probabilities[probabilities < at])[-200:]
    assert right[probabilities >= lower[0]].mean() < 0.95


def test_the_share_holds_for_others_too_and_not_by_luck_of_the_cut() -> None:
    rng = np.random.default_rng(3)
    kept = []
    for _ in range(100):
        probabilities = rng.uniform(0.6, 1, 400)
        at = threshold(probabilities, rng.random(400) < probabilities, 0.95, trusted=0.8)
        kept.append((at + 1) / 2 >= 0.95)  # what is right above the cut, of all that could be drawn
    assert np.mean(kept) > 0.7


def test_nothing_is_sure_where_nothing_is_right() -> None:
    assert threshold(np.linspace(0, 1, 200), np.zeros(200, bool), 0.95) == 1.0
