"""Dates and quantities of many spellings, and what is more or earlier."""

from __future__ import annotations

import pytest

from clew.text.values import compare_quantities, date, in_full, written_in


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


@pytest.mark.parametrize(
    ("value", "text", "is_there"),
    [
        ("44 m", "The tower is 44 metres high.", True),
        ("44", "The tower is 44 metres high.", True),
        ("44 km", "The tower is 44 metres high.", False),
        ("44 metres", "It has 44.", False),
        ("12500", "It holds 12,500 barrels.", True),
        ("12,500", "It holds 12500 barrels.", True),
        ("1912-04-07", "It opened on 7 April 1912.", True),
        ("April 7, 1912", "It opened on 7 April 1912.", True),
        ("April 8, 1912", "It opened on 7 April 1912.", False),
        ("1912", "It opened on 7 April 1912.", False),
        ("€12", "It costs £12.", False),
        ("Ada", "Ada opened it in 1912.", False),
        ("", "It opened in 1912.", False),
    ],
)
def test_a_value_is_known_however_it_is_written(value: str, text: str, is_there: bool) -> None:
    assert written_in(value, text) is is_there


def test_quantities_of_different_units() -> None:
    assert compare_quantities("1.2 million", "900,000") == 1
    assert compare_quantities("two ships", "three ships") == -1
    assert compare_quantities("12 months", "1 year") == 0
    assert compare_quantities("5 kg", "5 km") is None
    assert compare_quantities("12 inches", "1 foot") == 0
    assert compare_quantities("five or so", "many") is None


@pytest.mark.parametrize(
    ("text", "cut", "value"),
    [
        ("Started: 2024-04-15, full time", "2024-04", "2024-04-15"),
        ("on 9 May 2026 at 06:55", "06", "06:55"),
        ("It leaves at 7:30 pm.", "7:30", "7:30 pm"),
        ("Do not charge it below 5 °C.", "5 °C", "below 5 °C"),
        ("The fine is up to £8 a month.", "£8", "up to £8"),
        ("It holds no more than 40 people.", "40", "no more than 40"),
        ("The hall has 12 windows.", "12", "12"),
        ("Twenty-two men went.", "two", "Twenty-two"),
        ("He came from above.", "above", "above"),
    ],
)
def test_a_value_is_taken_in_full(text: str, cut: str, value: str) -> None:
    at = text.index(cut)
    start, end = in_full(text, at, at + len(cut))
    assert text[start:end] == value
