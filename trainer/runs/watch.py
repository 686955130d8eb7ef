"""Noticing that training goes wrong: reward, entropy or form falls, or nothing is left to learn from.

Pure functions of a run's metrics, so that the trainer says it aloud while it happens and a report says it afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from clew.trainer.runs.folder import figure
from clew.types import Json

WINDOW = 5
"""Logs that are averaged before anything is said of them."""


def warnings(metrics: Sequence[Json]) -> list[tuple[str, str]]:
    """What is wrong at the end of these records of one phase: a short name, and a line that says what to do."""
    found = []
    rewards = _values(metrics, "reward")
    if len(rewards) >= 2 * WINDOW:
        best, now = _best(rewards), fmean(rewards[-WINDOW:])
        gained = best - fmean(rewards[:WINDOW])
        if best - now > max(0.5 * gained, 0.25 * abs(best), 0.15):
            found.append(
                (
                    "reward",
                    f"the reward has fallen from {best:.2f} to {now:.2f}; lower training.learning_rate or raise beta",
                )
            )
    entropy = _values(metrics, "entropy")
    if len(entropy) >= 2 * WINDOW:
        first, now = fmean(entropy[:WINDOW]), fmean(entropy[-WINDOW:])
        if now < 0.1 * first:
            found.append(
                (
                    "entropy",
                    f"the entropy has fallen from {first:.3f} to {now:.3f}: little is tried; raise training.entropy",
                )
            )
    form = _values(metrics, "well_formed")
    if len(form) >= 2 * WINDOW and _best(form) - fmean(form[-WINDOW:]) > 0.2:
        now = fmean(form[-WINDOW:])
        found.append(
            ("format", f"only {now:.0%} of the turns are well formed, after {_best(form):.0%}; go back to a checkpoint")
        )
    same = _values(metrics, "frac_reward_zero_std")
    if len(same) >= WINDOW and fmean(same[-WINDOW:]) > 0.9:
        found.append(
            (
                "groups",
                f"in {fmean(same[-WINDOW:]):.0%} of the groups all rewards are equal: nothing is learnt from them",
            )
        )
    empty = _values(metrics, "retrieval/empty")
    if len(empty) >= WINDOW and fmean(empty[-WINDOW:]) > 0.5:
        found.append(
            ("retrieval", f"{fmean(empty[-WINDOW:]):.0%} of the queries find nothing; look at the trajectories")
        )
    return found


def _values(metrics: Sequence[Json], name: str) -> list[float]:
    return [value for record in metrics if (value := figure(record, name)) is not None]


def _best(values: Sequence[float]) -> float:
    return max(fmean(values[i : i + WINDOW]) for i in range(len(values) - WINDOW + 1))
