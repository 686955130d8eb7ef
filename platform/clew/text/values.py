"""Dates and quantities, read from text as people write them, and compared."""

from __future__ import annotations

import calendar
import re
import tomllib
from fractions import Fraction
from importlib.resources import files

from clew.text.names import key

Date = tuple[int, int, int]
"""Year, month and day; 0 for a month or day that is not stated, and a negative year before our era."""

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
_NAMED_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WHEN = (
    rf"(?:(?:\d{{1,2}}(?:st|nd|rd|th)?\s+)?(?:{_NAMED_MONTH})\.?\s+(?:\d{{1,2}},?\s+)?\d{{3,4}}|[12]\d{{3}})"
    r"(?![\d]|[.,]\d)"
)
_DATE = re.compile(rf"\b\d{{4}}-\d{{1,2}}-\d{{1,2}}\b|(?<![\d.,]){_WHEN}", re.IGNORECASE)
_HALF_OF_DAY = r"(?:[ap]m\b|[ap]\.\s?m\b\.?)"
_TIME = re.compile(
    rf"(?<![\w.,:])\d{{1,2}}:\d{{2}}(?![\d:])(?:\s?{_HALF_OF_DAY})?|(?<![\w.,:])\d{{1,2}}\s?{_HALF_OF_DAY}", re.I
)
_TENS = re.compile(r"\b(?:twen|thir|for|fif|six|seven|eigh|nine)ty-[a-z]{3,5}\b", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:below|above|up to|at (?:least|most)|(?:no |not )?(?:more|less|fewer) than|a (?:maximum|minimum) of)\s+\Z",
    re.IGNORECASE,
)
"""What makes another amount of the one behind it: a battery that is not charged below 5 °C is charged at 5 °C."""
_LONGEST_BOUND = 20
_QUANTITY = re.compile(
    r"(?P<number>\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<scale>thousand|[mbtr]+illion)?\s*(?P<unit>[^\W\d_]+²?|%)?"
)
_AMOUNT = re.compile(
    r"(?<![\w.,])(?:[€£$¥₹]|(?:EUR|USD|GBP|CHF)\s)?\s?(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?:\s?%|\s(?:per cent|percent))?(?:\s(?:thousand|[mbtr]+illion))?(?![\w.,]*\d)"
)
_SPEED = re.compile(
    r"\s?(?:(?:kph|mph|knots?)\b|(?:[kcm]?m|mi|ft|miles?|feet|(?:kilo|centi)?met(?:re|er)s?)\s?(?:/|per\b|an\b)\s?(?:h|s|min|hour|minute|second)\b)",
    re.IGNORECASE,
)
_TEMPERATURE = re.compile(r"\s?°|\s?degrees\b", re.IGNORECASE)
_MONEY = frozenset("euro dollar franc guinea shilling crown pence cent yen rupee".split())
"""Currencies as words; a pound may be a weight."""
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_UNITS = tomllib.loads((files("clew.text") / "units.toml").read_text("utf-8"))
_MEASURES = {unit: (what, factor) for what, units in _UNITS.items() for unit, factor in units.items()}
"""What a unit measures, and how many of the base unit it is."""


def date(text: str) -> Date | None:
    """The first date of a text; the most exact one where it is written in several ways."""
    for pattern in _DATES:
        if match := pattern.search(text):
            parts = match.groupdict()
            year = int(parts.get("year") or (int(parts["century"]) - 1) * 100 + 50)
            month = int(parts["number"]) if parts.get("number") else _MONTHS.get((parts.get("month") or "").lower(), 0)
            return (-year if parts.get("era") else year, month, int(parts.get("day") or 0))
    return None


def dates(text: str) -> list[tuple[int, int]]:
    """Where the dates of a text stand, each as whole as it is written."""
    return [match.span() for match in _DATE.finditer(text)]


def in_full(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with the rest of a date, time or number that it cuts, and with what bounds it: "below 5 °C"."""
    for a, b in (*dates(text), *(match.span() for cut in (_TIME, _TENS) for match in cut.finditer(text))):
        if a < end and start < b:
            start, end = min(start, a), max(end, b)
    bound = _BOUND.search(text, max(0, start - _LONGEST_BOUND), start) if _AMOUNT.match(text, start) else None
    return (bound.start() if bound else start), end


def compare_dates(left: Date | None, right: Date | None) -> int | None:
    """By year, then by month and day as far as both tell them; None where a date is missing."""
    if left is None or right is None:
        return None
    shared = sum(1 for a, b in zip(left, right, strict=True) if a and b)
    return (left[:shared] > right[:shared]) - (left[:shared] < right[:shared])


def quantity(text: str) -> tuple[Fraction, str] | None:
    """The first number of a text in the base unit of what it measures, and what that is (its own unit if unknown)."""
    match = _QUANTITY.search(text)
    if match is None:
        small = [_SMALL.index(word) for word in key(text).split() if word in _SMALL]
        return (Fraction(small[0]), "") if small else None
    number = Fraction(match["number"].replace(",", "")) * _SCALES.get(match["scale"] or "", 1)
    unit = match["unit"] or ""
    what, factor = _MEASURES.get(unit) or _MEASURES.get(unit.removesuffix("s")) or (unit.lower(), "1")
    return number * Fraction(factor), what


def quantities(text: str) -> list[tuple[int, int]]:
    """Where the numbers of a text stand with their currency, scale and unit; years and numbers of days are none."""
    day = dates(text)
    return [
        match.span() for match in _AMOUNT.finditer(text)
        if not any(a < match.end("number") and match.start("number") < b for a, b in day)
    ]  # fmt: skip


def written_in(value: str, text: str) -> bool:
    """Whether a text has the date or quantity that ``value`` is, however either is written: "19 m" in "19 metres high".

    A value without a unit is in a text whatever the number there measures. Money is not compared: currencies differ.
    """
    value = value.strip(" .,;")
    if dates(value) == [(0, len(value))]:
        return any(date(text[a:b]) == date(value) for a, b in dates(text))
    sought = quantity(value) if _QUANTITY.fullmatch(value) else None
    if sought is None or measures(value) == "money":
        return False
    found = [quantity(text[a:]) for a, _ in quantities(text) if measures(text[a:]) != "money"]
    return any(one and one[0] == sought[0] and sought[1] in (one[1], "") for one in found)


def compare_quantities(left: str, right: str) -> int | None:
    """-1, 0 or 1; None where one is no number, or they measure different things."""
    a, b = quantity(left), quantity(right)
    if a is None or b is None or (a[1] != b[1] and a[1] and b[1] and {a[1], b[1]} & _UNITS.keys()):
        return None
    return (a[0] > b[0]) - (a[0] < b[0])


def is_unit(word: str) -> bool:
    """Whether a word is a known unit, written as it is: *kg*, no *KG*."""
    return word in _MEASURES


def measures(text: str) -> str:
    """What the first number of a text measures (length, money …), by its unit or currency; empty where it has none."""
    match = _AMOUNT.search(text)
    if match is None:
        return ""
    if not match.group()[0].isdigit():
        return "money"
    if _SPEED.match(text, match.end()):
        return "speed"
    if _TEMPERATURE.match(text, match.end()):
        return "temperature"
    for word in re.findall(r"[^\W\d_]+[²³]?", text[match.end() :])[:2]:
        unit = _MEASURES.get(word) or _MEASURES.get(word.removesuffix("s"))
        if unit or word.lower().removesuffix("s") in _MONEY:
            return unit[0] if unit else "money"
    return ""
