"""The advantage estimators give the values that one works out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InputError
from clew.trainer.algorithm.advantages import (
    AdvantageSettings,
    gae,
    grpo,
    outcome_advantages,
    reinforce_plus_plus,
    rloo,
    spread,
    step_wise,
)

REWARDS = np.array([1.0, 0.0, 0.0, 3.0])


def test_grpo_eq_12() -> None:
    # Groups (1, 0) and (0, 3): means ½ and 1½, sample deviations 1/√2 and 3/√2.
    expected = [1 / math.sqrt(2), -1 / math.sqrt(2)] * 1 + [-1 / math.sqrt(2), 1 / math.sqrt(2)]
    assert grpo(REWARDS, 2, epsilon=0.0) == pytest.approx(expected)
    assert grpo(REWARDS, 2, scale=False) == pytest.approx([0.5, -0.5, -1.5, 1.5])
    assert grpo(np.array([1.0, 0.0]), 2, epsilon=0.5) == pytest.approx(np.array([0.5, -0.5]) / (1 / math.sqrt(2) + 0.5))


def test_a_group_of_equals_has_no_advantage() -> None:
    assert grpo(np.array([0.7] * 4), 4).tolist() == [0.0] * 4


def test_reinforce_plus_plus_takes_the_groups_mean_and_the_batchs_deviation() -> None:
    # Centred in groups: ½, −½, −1½, 1½; the mean of these is 0, the sample variance (¼+¼+2¼+2¼)/3 = 5/3.
    expected = np.array([0.5, -0.5, -1.5, 1.5]) / math.sqrt(5 / 3)
    assert reinforce_plus_plus(REWARDS, 2, epsilon=0.0) == pytest.approx(expected)
    plain = np.array([0.0, -1.0, -1.0, 2.0]) / math.sqrt(6 / 3)
    assert reinforce_plus_plus(REWARDS, 1, epsilon=0.0) == pytest.approx(plain)


def test_rloo_leaves_one_out() -> None:
    assert rloo(REWARDS, 4) == pytest.approx([0.0, -4 / 3, -4 / 3, 8 / 3])
    with pytest.raises(InputError, match="at least 2"):
        rloo(REWARDS, 1)


def test_gae_by_hand() -> None:
    rewards, values = np.array([[0.0, 0.0, 1.0]]), np.array([[0.5, 0.25, 0.5]])
    # γ = ½, λ = ½: δ = (0 + ½·¼ − ½, 0 + ½·½ − ¼, 1 − ½) = (−⅜, 0, ½); A = (−⅜ + ¼·⅛, ⅛, ½).
    advantages, returns = gae(rewards, values, np.ones((1, 3)), discount=0.5, trace=0.5)
    assert advantages[0] == pytest.approx([-0.375 + 0.25 * 0.125, 0.125, 0.5])
    assert returns[0] == pytest.approx(advantages[0] + values[0])


def test_gae_passes_over_what_the_environment_wrote() -> None:
    values, mask = np.array([[0.5, 99.0, 99.0, 0.25]]), np.array([[1, 0, 0, 1]])
    with_knowledge, _ = gae(np.array([[0.0, 0.0, 0.0, 1.0]]), values, mask, discount=0.9, trace=0.8)
    without, _ = gae(np.array([[0.0, 1.0]]), values[:, [0, 3]], np.ones((1, 2)), discount=0.9, trace=0.8)
    assert with_knowledge[0, [0, 3]] == pytest.approx(without[0])
    assert with_knowledge[0, 1:3].tolist() == [0.0, 0.0]


def test_step_wise_eq_16_compares_within_group_and_step() -> None:
    advantages = step_wise([[1.0, 2.0], [3.0, 4.0, 5.0], [2.0], [2.0]], 2, epsilon=0.0001)
    assert advantages[0] == pytest.approx([-1, -1], rel=1e-3)
    assert advantages[1] == pytest.approx([1, 1, 0], rel=1e-3)
    assert advantages[2:] == [[0.0], [0.0]]
    assert step_wise([[1.0], [3.0]], 2, epsilon=0.1)[1] == pytest.approx([1 / 1.1])


def test_spread_gives_every_token_its_steps_advantage() -> None:
    matrix = spread([[0.5, -1.0], [2.0]], [[0, 0, 1, 1, 1], [0]], 6)
    assert matrix.tolist() == [[0.5, 0.5, -1.0, -1.0, -1.0, 0.0], [2.0, 0, 0, 0, 0, 0]]


def test_outcome_estimators_by_name() -> None:
    for name, expected in (("grpo", grpo(REWARDS, 2)), ("rloo", rloo(REWARDS, 2))):
        settings = AdvantageSettings(name)  # type: ignore[arg-type]
        assert outcome_advantages(REWARDS, 2, settings) == pytest.approx(expected)
    with pytest.raises(InputError, match="step-wise"):
        outcome_advantages(REWARDS, 2, AdvantageSettings("step-wise"))
    with pytest.raises(InputError, match="whole number of groups"):
        grpo(REWARDS, 3)


@given(st.lists(st.floats(-5, 5, width=32), min_size=4, max_size=4), st.floats(-3, 3))
def test_advantages_do_not_change_with_a_shift_of_the_rewards(rewards: list[float], shift: float) -> None:
    array = np.array(rewards)
    for estimator in (grpo, reinforce_plus_plus, rloo):
        assert estimator(array + shift, 4) == pytest.approx(
            estimator(array, 4), abs=1e-2 if estimator is not rloo else 1e-6
        )
