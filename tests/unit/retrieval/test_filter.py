"""Conditions on what documents say of themselves: numbers as numbers, dates as dates, texts without case."""

from __future__ import annotations

from typing import Any

import pytest

from clew.errors import InputError
from clew.retrieval.filter import conditions

LETTER = {
    "author": "Anna Berg",
    "year": "2019",
    "sent": "2019-03-11",
    "tags": ["port", "fees"],
    "version": "10",
    "source": "/archive/letters/fees.md",
}


@pytest.mark.parametrize(
    "wanted",
    [
        "author=anna berg",
        "Author = Anna Berg",
        "author!=Jon Ek",
        "editor!=Jon Ek",
        ["year>=2019", "year<2020"],
        {"year": {"$gte": 2019, "$lt": 2020}},
        {"author": ["Anna Berg", "Jon Ek"]},
        'author in "Berg, Anna", Anna Berg',
        "version>9",
        "sent=2019",
        "sent=2019-03",
        "sent<=2019",
        "sent>2018",
        "sent>=2019-03-11",
        "tags=fees",
        "tags in fees, boats",
        "source=*/letters/*",
        (),
        None,
    ],
)
def test_it_holds(wanted: Any) -> None:
    assert all(one.holds(LETTER) for one in conditions(wanted))


@pytest.mark.parametrize(
    "wanted",
    [
        "author=Anna",
        "author=Anna?Berg",
        "author!=ANNA BERG",
        "editor=Anna Berg",
        "year>2019",
        "version<9",
        "sent>2019",
        "sent>=2019-04",
        "tags!=port",
        "tags>3",
        "source=*/letters",
        {"author": []},
    ],
)
def test_it_does_not_hold(wanted: Any) -> None:
    assert not all(one.holds(LETTER) for one in conditions(wanted))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [("Anna Berg", "'Anna Berg'"), ("year>many", "'many'"), ({"year": {"about": 2}}, "'about'"), (7, "7")],
)
def test_what_is_no_filter_is_named(wanted: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        conditions(wanted)


def test_a_condition_is_told_as_it_is_written() -> None:
    asked = ["author=Anna Berg", "year>=2019", "tags in port, fees"]
    assert [str(one) for one in conditions(asked)] == asked
