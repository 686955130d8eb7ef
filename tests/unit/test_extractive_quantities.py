"""Dates and numbers that are compared: what they are worth, and when they cannot be told apart."""

from __future__ import annotations

import pytest

from clew.agent.extractive.compare import decide
from clew.agent.extractive.plan import Comparison
from clew.agent.extractive.quantities import date_parts, quantity


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("12 May 1920", (1920, 5, 12)),
        ("May 12, 1920", (1920, 5, 12)),
        ("March 851", (851, 3)),
        ("1920", (1920,)),
        ("44 BC", (-44,)),
        ("long ago", ()),
        ("the 19th century", (1850,)),
        ("3rd century BC", (-250,)),
    ],
)
def test_dates_are_read_as_far_as_they_go(text: str, parts: tuple[int, ...]) -> None:
    assert date_parts(text) == parts


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("1,200", (1200.0, "")),
        ("1.2 million", (1_200_000.0, "")),
        ("$3 billion", (3e9, "$")),
        ("12 km", (12_000.0, "length")),
        ("98 feet", (29.8704, "length")),
        ("10 inches", (0.254, "length")),
        ("3 square miles", (7_769_964.0, "area")),
        ("2 km²", (2e6, "area")),
        ("40 per cent", (40.0, "share")),
        ("−4 m", (-4.0, "length")),
        ("90 minutes", (5400.0, "duration")),
        ("Sixty-two", (62.0, "")),
        ("three hundred", (300.0, "")),
        ("a dozen", (12.0, "")),
        ("two hours", (7200.0, "duration")),
        ("many", None),
    ],
)
def test_numbers_are_worth_what_their_scale_and_unit_say(text: str, worth: tuple[float, str] | None) -> None:
    found = quantity(text)
    assert (found is None) == (worth is None)
    if found and worth:
        assert found[0] == pytest.approx(worth[0])
        assert found[1] == worth[1]


@pytest.mark.parametrize(
    ("pick", "attribute", "left", "right", "wins"),
    [
        ("most", "number_of", "1.2 million", "900,000", "A"),
        ("most", "length", "200 miles", "250 km", "A"),
        ("least", "length", "200 miles", "250 km", "B"),
        ("most", "length", "200 miles", "3 hours", ""),
        ("most", "length", "200 miles", "250", ""),
        ("first", "founding_date", "19th century", "1750", "B"),
        ("first", "founding_date", "19th century", "1870", ""),
        ("first", "founding_date", "3rd century BC", "200", "A"),
        ("first", "founding_date", "19th century", "18th century", "B"),
    ],
)
def test_what_is_compared_is_of_one_kind(pick: str, attribute: str, left: str, right: str, wins: str) -> None:
    assert decide(Comparison((0, 1), attribute, pick, (2,), (3,)), [left], [right], ("A", "B")) == wins


def test_a_life_of_which_only_a_century_is_known_is_not_measured() -> None:
    lives = Comparison((0, 1), "lifespan", "most", (2, 3), (4, 5))
    assert decide(lives, ["1800", "1870"], ["1801", "1850"], ("A", "B")) == "A"
    assert decide(lives, ["19th century", "1870"], ["1801", "1850"], ("A", "B")) == ""
