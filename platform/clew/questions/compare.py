"""Two values compared, as the text that they were found as: dates, quantities and words."""

from __future__ import annotations

import calendar
import re
from fractions import Fraction

from clew.questions.plan import Comparison, Values
from clew.questions.words import UNITS, singular
from clew.text.names import FUNCTION_WORDS, key

Date = tuple[int, int, int]
"""Year, month and day; 0 for a month or day that is not told, and a negative year before our era."""

_MONTHS = {name.lower(): i for names in (calendar.month_name, calendar.month_abbr) for i, name in enumerate(names)}
_MONTHS = {"sept": 9} | {name: i for name, i in _MONTHS.items() if name}
_MONTH = r"(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{3,4})(?!\d)"
_ERA = r"(?:\s*(?P<era>b\.?\s?c))"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})\b",
        rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}{_ERA}?",
        rf"\b{_MONTH}\s+(?:{_DAY},?\s+|of\s+)?{_YEAR}{_ERA}?",
        rf"\b{_YEAR}{_ERA}?",
        rf"\b(?P<century>\d{{1,2}})(?:st|nd|rd|th)[ -]century{_ERA}?",
        rf"\b(?P<year>\d{{1,4}}){_ERA}",
    )
)
_QUANTITY = re.compile(
    r"(?P<number>\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<scale>thousand|[mbtr]+illion)?\s*(?P<unit>[^\W\d_]+²?|%)?"
)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()


def decide(comparison: Comparison, values: Values) -> str | None:
    """The answer of a comparison, an option's text or yes or no; None where the values do not tell."""
    left = [values.get(slot, "") for slot in comparison.left]
    right = [values.get(slot, "") for slot in comparison.right]
    if not left or not all((*left, *right)):
        return None
    if comparison.wins == "same":
        days = [date(value) for value in (*left, *right)] if comparison.attribute == "date" else []
        years = {day[0] for day in days if day}
        return "yes" if (len(years) == 1 if all(days) and days else same(left[0], right[0])) else "no"
    order = _order(comparison, left, right)
    if order is None or (order == 0 and not comparison.asked):
        return None
    first = order < 0 if comparison.wins in ("earlier", "less") else order > 0
    if comparison.asked:
        return "yes" if first else "no"
    return values.get(comparison.options[0 if first else 1])


def _order(comparison: Comparison, left: list[str], right: list[str]) -> int | None:
    """-1 where the left value is less or earlier, 1 where it is more, 0 where they are alike; None if not sure."""
    if comparison.attribute == "number":
        return compare_quantities(left[0], right[0])
    if comparison.attribute == "date":
        return compare_dates(date(left[0]), date(right[0]))
    a, b = (_lived(date(born), date(died)) for born, died in (left, right))
    return None if a is None or b is None else (a > b) - (a < b)


def date(text: str) -> Date | None:
    """The first date of a text; the most exact one where it is written in several ways."""
    for pattern in _DATES:
        if match := pattern.search(text):
            parts = match.groupdict()
            year = int(parts.get("year") or (int(parts["century"]) - 1) * 100 + 50)
            month = int(parts["number"]) if parts.get("number") else _MONTHS.get((parts.get("month") or "").lower(), 0)
            return (-year if parts.get("era") else year, month, int(parts.get("day") or 0))
    return None


def compare_dates(left: Date | None, right: Date | None) -> int | None:
    """By year, then by month and day as far as both tell them; None where a date is missing."""
    if left is None or right is None:
        return None
    told = sum(1 for a, b in zip(left, right, strict=True) if a and b)
    return (left[:told] > right[:told]) - (left[:told] < right[:told])


def quantity(text: str) -> tuple[Fraction, str] | None:
    """The first number of a text in the base unit of what it measures, and what that is (its own unit if unknown)."""
    match = _QUANTITY.search(text)
    if match is None:
        small = [_SMALL.index(word) for word in key(text).split() if word in _SMALL]
        return (Fraction(small[0]), "") if small else None
    number = Fraction(match["number"].replace(",", "")) * _SCALES.get(match["scale"] or "", 1)
    unit = match["unit"] or ""
    what, factor = UNITS.get(unit) or UNITS.get(singular(unit)) or (unit.lower(), "1")
    return number * Fraction(factor), what


def compare_quantities(left: str, right: str) -> int | None:
    """-1, 0 or 1; None where one is no number, or they measure different things."""
    a, b = quantity(left), quantity(right)
    measures = {what for what, _ in UNITS.values()}
    if a is None or b is None or (a[1] != b[1] and a[1] and b[1] and {a[1], b[1]} & measures):
        return None
    return (a[0] > b[0]) - (a[0] < b[0])


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
