"""A round of each target that needs no server, and every round that something went wrong in once."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.mutate import damaged
from tests.fuzz.targets import TARGETS, tried

KEPT: dict[str, tuple[int, ...]] = {}
"""Seeds of rounds that found something, by target."""


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_input_is_read_or_refused(name: str) -> None:
    for seed in (0, *KEPT.get(name, ())):
        wrong, _ = tried(TARGETS[name], Random(f"{name}:{seed}"))
        assert wrong == [], f"python -m tests.fuzz --targets {name} --only {seed}"


def test_what_goes_wrong_is_told() -> None:
    def breaks(drawn: Random) -> list[str]:
        raise KeyError(drawn.randint(0, 0))

    assert tried(breaks, Random(0))[0] == ["KeyError: 0"]


def test_a_seed_makes_the_same_damage_again() -> None:
    made = [damaged(b"It was lit in 1874. " * 9, Random(f"x:{seed}"), b"other") for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
