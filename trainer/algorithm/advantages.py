"""Advantages: from rewards to what each token of a trajectory is worth, as pure functions.

Trajectories of one question stand together, ``group`` of them in a row. The outcome estimators take a reward a
trajectory, (batch,), and give an advantage each; the step-wise one and GAE tell turns and tokens apart, and give
(batch, tokens).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from clew.errors import InputError

Array = npt.NDArray[Any]
Estimator = Literal["grpo", "reinforce++", "rloo", "gae", "step-wise"]


@dataclass(frozen=True, slots=True)
class AdvantageSettings:
    """Which estimator, and its constants.

    ``scale``: whether GRPO divides by the group's standard deviation (F_norm of Graph-R1 eq. 12). ``epsilon`` is added
    to the standard deviation, ``step_epsilon`` to that of a step. ``discount`` and ``trace`` are γ and λ of GAE.
    ``continuations``: fresh endings from each state that estimate P of ProGraph-R1 eq. 11.
    """

    estimator: Estimator = "grpo"
    scale: bool = True
    epsilon: float = 1e-4
    step_epsilon: float = 0.1
    discount: float = 1.0
    trace: float = 1.0
    continuations: int = 1


def outcome_advantages(rewards: Array, group: int, settings: AdvantageSettings) -> Array:
    """The advantages of an estimator that needs rewards alone. Raises InputError for any other."""
    match settings.estimator:
        case "grpo":
            return grpo(rewards, group, scale=settings.scale, epsilon=settings.epsilon)
        case "reinforce++":
            return reinforce_plus_plus(rewards, group, epsilon=settings.epsilon)
        case "rloo":
            return rloo(rewards, group)
    raise InputError(f"{settings.estimator!r} is no estimator of outcomes; choose grpo, reinforce++ or rloo.")


def grpo(rewards: Array, group: int, *, scale: bool = True, epsilon: float = 1e-4) -> Array:
    """Â = (R − mean(R)) / (std(R) + ε) within each group (Graph-R1 eq. 12; arXiv 2402.03300 §4.1.2).

    The standard deviation is the sample's (n − 1), as TRL's.
    """
    grouped = _grouped(rewards, group)
    centred = grouped - grouped.mean(1, keepdims=True)
    if scale:
        centred /= grouped.std(1, ddof=1, keepdims=True) + epsilon
    flat: Array = centred.reshape(-1)
    return flat


def reinforce_plus_plus(rewards: Array, group: int, *, epsilon: float = 1e-4) -> Array:
    """REINFORCE++ with baseline: R − mean of the group, normalised over the whole batch (arXiv 2501.03262 §3.2).

    A group of one has no baseline of its own: that is plain REINFORCE++.
    """
    grouped = _grouped(rewards, group)
    centred = (grouped - grouped.mean(1, keepdims=True) if group > 1 else grouped).reshape(-1)
    normalised: Array = (centred - centred.mean()) / (centred.std(ddof=1) + epsilon)
    return normalised


def rloo(rewards: Array, group: int) -> Array:
    """R less the mean of the group's others (leave one out; arXiv 2402.14740 eq. 7). Raises InputError for group 1."""
    if group < 2:
        raise InputError("RLOO leaves one out of a group: generate at least 2 trajectories a question.")
    grouped = _grouped(rewards, group)
    others = (grouped.sum(1, keepdims=True) - grouped) / (group - 1)
    flat: Array = (grouped - others).reshape(-1)
    return flat


def gae(
    rewards: Array, values: Array, mask: Array, *, discount: float = 1.0, trace: float = 1.0
) -> tuple[Array, Array]:
    """Advantages and returns of PPO, (batch, tokens) each (arXiv 1506.02438 eq. 16; arXiv 1707.06347 eq. 11).

    δ_t = r_t + γ·V_{t+1} − V_t and A_t = δ_t + γλ·A_{t+1}, where t runs over the tokens with mask 1 alone: what the
    environment wrote is no action, so it neither ends a trajectory nor discounts it. ``rewards`` stand at the tokens
    that earn them, (batch, tokens).
    """
    advantages = np.zeros_like(values, dtype=np.float64)
    ahead = np.zeros(len(values))
    value_ahead = np.zeros(len(values))
    for t in reversed(range(values.shape[1])):
        acts = mask[:, t] > 0
        delta = rewards[:, t] + discount * value_ahead - values[:, t]
        ahead = np.where(acts, delta + discount * trace * ahead, ahead)
        value_ahead = np.where(acts, values[:, t], value_ahead)
        advantages[:, t] = np.where(acts, ahead, 0.0)
    return advantages, np.where(mask > 0, advantages + values, 0.0)


def step_wise(rewards: Sequence[Sequence[float]], group: int, *, epsilon: float = 0.1) -> list[list[float]]:
    """Ã_t: each step's reward normalised among the group's trajectories that reached step t (ProGraph-R1 eq. 16).

    (R_t − mean) / (std + ε), with the population's standard deviation. A step that only one trajectory reached has
    nothing to be compared with, and gets 0.
    """
    if len(rewards) % group:
        raise InputError(f"{len(rewards)} trajectories are no whole number of groups of {group}.")
    advantages: list[list[float]] = [[0.0] * len(row) for row in rewards]
    for first in range(0, len(rewards), group):
        rows = range(first, first + group)
        for t in range(max(len(rewards[i]) for i in rows)):
            reached = [i for i in rows if len(rewards[i]) > t]
            some = np.array([rewards[i][t] for i in reached])
            if len(reached) > 1:
                for i, advantage in zip(reached, (some - some.mean()) / (some.std() + epsilon), strict=True):
                    advantages[i][t] = float(advantage)
    return advantages


def spread(advantages: Sequence[Sequence[float]], step_of_token: Sequence[Sequence[int]], width: int) -> Array:
    """The (batch, ``width``) matrix in which every token of step t carries Ã_t; padding carries 0."""
    matrix = np.zeros((len(advantages), width))
    for row, steps, turns in zip(matrix, step_of_token, advantages, strict=True):
        row[: len(steps)] = [turns[step] for step in steps]
    return matrix


def _grouped(rewards: Array, group: int) -> Array:
    if group < 1 or len(rewards) % group:
        raise InputError(f"{len(rewards)} trajectories are no whole number of groups of {group}.")
    return np.asarray(rewards, np.float64).reshape(-1, group)
