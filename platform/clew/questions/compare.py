"""Two values compared, as the text that they were found as: dates, quantities and words."""

from __future__ import annotations

from clew.questions.plan import Comparison, Values
from clew.text.names import FUNCTION_WORDS, key
from clew.text.values import Date, compare_dates, compare_quantities, date


def decide(comparison: Comparison, values: Values) -> str | None:
    """The answer of a comparison, an option's text or yes or no; None where the values do not tell."""
    left = [values.get(slot, "") for slot in comparison.left]
    right = [values.get(slot, "") for slot in comparison.right]
    if not left or not all((*left, *right)):
        return None
    if comparison.wins == "same":
        is_one = _same_year([*left, *right]) if comparison.attribute == "date" else None
        return "yes" if (same(left[0], right[0]) if is_one is None else is_one) else "no"
    order = _order(comparison, left, right)
    if order is None or (order == 0 and not comparison.asked):
        return None
    first = order < 0 if comparison.wins in ("earlier", "less") else order > 0
    return ("yes" if first else "no") if comparison.asked else values.get(comparison.options[0 if first else 1])


def _same_year(values: list[str]) -> bool | None:
    """Whether dates are of one year; None where one is no date."""
    days = [date(value) for value in values]
    return len({day[0] for day in days if day}) == 1 if all(days) else None


def _order(comparison: Comparison, left: list[str], right: list[str]) -> int | None:
    """-1 where the left value is less or earlier, 1 where it is more, 0 where they are alike; None if not sure."""
    if comparison.attribute == "number":
        return compare_quantities(left[0], right[0])
    if comparison.attribute == "date":
        return compare_dates(date(left[0]), date(right[0]))
    a, b = (_lived(date(born), date(died)) for born, died in (left, right))
    return None if a is None or b is None else (a > b) - (a < b)


def same(left: str, right: str) -> bool:
    """Whether two values are one, by whole words: one begins the other, or both end alike ("Italy", "Rome, Italy")."""
    a, b = sorted((_words(left), _words(right)), key=len)
    ends = [_words(text.rpartition(",")[2]) for text in (left, right)]
    return bool(a) and (b[: len(a)] == a or ends[0] == ends[1] != [])


def _words(text: str) -> list[str]:
    return [word for word in key(text).split() if word not in FUNCTION_WORDS]


def _lived(born: Date | None, died: Date | None) -> tuple[int, int] | None:
    """Whole years and days, roughly, between two dates."""
    if born is None or died is None:
        return None
    days = (died[1] - born[1]) * 31 + died[2] - born[2] if born[1] and died[1] else 0
    return died[0] - born[0] - (days < 0), days % 372
