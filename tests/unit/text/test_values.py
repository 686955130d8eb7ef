"""Dates and quantities of many spellings, and what is more or earlier."""

from __future__ import annotations

import pytest

from clew.text.values import compare_dates, compare_quantities, date


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 May 1901", (1901, 5, 3)),
        ("born on May 3rd, 1901 in Ansby", (1901, 5, 3)),
        ("1901-05-03", (1901, 5, 3)),
        ("Sept. 1901", (1901, 9, 0)),
        ("in 1901", (1901, 0, 0)),
        ("44 BC", (-44, 0, 0)),
        ("the 12th century", (1150, 0, 0)),
        ("no date", None),
    ],
)
def test_dates_of_many_forms(text: str, value: tuple[int, int, int] | None) -> None:
    assert date(text) == value


def test_dates_compare_as_far_as_both_tell() -> None:
    assert compare_dates((1901, 5, 3), (1901, 0, 0)) == 0
    assert compare_dates((1901, 5, 3), (1901, 5, 4)) == -1
    assert compare_dates((-44, 0, 0), (14, 0, 0)) == -1
    assert compare_dates(None, (14, 0, 0)) is None


def test_quantities_of_different_units() -> None:
    assert compare_quantities("1.2 million", "900,000") == 1
    assert compare_quantities("two ships", "three ships") == -1
    assert compare_quantities("12 months", "1 year") == 0
    assert compare_quantities("5 kg", "5 km") is None
    assert compare_quantities("12 inches", "1 foot") == 0
    assert compare_quantities("five or so", "many") is None
