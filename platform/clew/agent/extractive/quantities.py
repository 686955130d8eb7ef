"""Dates and numbers as they can be compared: centuries, years before Christ, millions, miles against kilometres."""

from __future__ import annotations

import re

_MONTHS = {
    month: n
    for n, month in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
}
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_UNITS = {
    "length": {
        **{"km": 1e3, "kilometre": 1e3, "kilometer": 1e3, "m": 1.0, "metre": 1.0, "meter": 1.0, "cm": 0.01},
        **{"centimetre": 0.01, "centimeter": 0.01, "mile": 1609.344, "ft": 0.3048, "foot": 0.3048, "feet": 0.3048},
        **{"inch": 0.0254, "inches": 0.0254, "fathom": 1.8288},
    },
    "area": {
        **{"km²": 1e6, "km2": 1e6, "square kilometre": 1e6, "square kilometer": 1e6, "square metre": 1.0},
        **{"square meter": 1.0, "square mile": 2_589_988.0, "square feet": 0.0929, "acre": 4046.86, "hectare": 1e4},
    },
    "weight": {"kg": 1.0, "ton": 1000.0, "tonne": 1000.0},
    "speed": {"km/h": 1.0, "mph": 1.609344, "m/s": 3.6},
    "duration": {
        **{"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86_400.0, "week": 604_800.0},
        **{"month": 2_629_746.0, "year": 31_556_952.0},
    },
    "share": {"%": 1.0, "percent": 1.0, "per cent": 1.0},
}
_KINDS = {unit: (kind, factor) for kind, units in _UNITS.items() for unit, factor in units.items()}
_QUANTITY = re.compile(
    rf"(?P<money>[$€£₹¥])?(?P<sign>[−-])?(?P<number>\d[\d,]*(?:\.\d+)?)(?:\s?(?P<scale>{'|'.join(_SCALES)})\b)?"
    r"(?:[\s-]?(?P<unit>per cent|(?:square\s)?[^\W\d]+[²2]?(?:/[hs])?|%))?"
)
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)[\s–-]+century\b(\s+bce?\b)?")
HALF_A_CENTURY = 50
_NUMERALS = {
    word: n
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
} | {word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_ONE = "|".join(_NUMERALS)
_SPELT = re.compile(
    rf"\b(?P<first>{_ONE}|an?(?= (?:dozen|hundred)))(?:-(?P<second>{_ONE}))?(?P<scale> (?:dozen|hundred))?\b"
)


def quantity(text: str) -> tuple[float, str] | None:
    """A number in the base unit of its kind, and the kind: metres for *length*; an empty one where no unit is known.

    None if there is no number in the text. Only numbers of one kind can be compared.
    """
    match = _QUANTITY.search(_SPELT.sub(_in_digits, text.lower()))
    if match is None:
        return None
    value = float(match["number"].replace(",", "")) * _SCALES.get(match["scale"] or "", 1.0)
    unit = " ".join((match["unit"] or "").split())
    kind, factor = _KINDS.get(unit) or _KINDS.get(unit.removesuffix("s")) or (match["money"] or "", 1.0)
    return (-value if match["sign"] else value) * factor, kind


def _in_digits(spelt: re.Match[str]) -> str:
    """A number in words as digits: "sixty-two", "three hundred"."""
    number = _NUMERALS.get(spelt["first"], 1) + _NUMERALS.get(spelt["second"] or "zero", 0)
    return str(number * {"": 1, "dozen": 12, "hundred": 100}[(spelt["scale"] or "").strip()])


def date_parts(text: str) -> tuple[float, ...]:
    """A date as (year, month, day), as far as it says, a century as the year in its middle; empty if it has no year."""
    lowered = text.lower()
    if century := _CENTURY.search(lowered):
        middle = int(century[1]) * 100.0 - HALF_A_CENTURY
        return (-middle if century[2] else middle,)
    words = re.findall(r"[^\W\d_]+|\d+", lowered)
    month = next((_MONTHS[w] for w in words if w in _MONTHS), None)
    numbers = [int(w) for w in words if w.isdigit()]
    years = [n for n in numbers if n > 31] or numbers[-1:]
    if not years:
        return ()
    year = -years[0] if re.search(r"\bbce?\b", lowered) else years[0]
    days = [n for n in numbers if n <= 31 and n != years[0]]
    if month and days:
        return float(year), float(month), float(days[0])
    return (float(year), float(month)) if month else (float(year),)


def is_century(date: str) -> bool:
    """Whether a date is told as a century only."""
    return _CENTURY.search(date.lower()) is not None


def days(parts: tuple[float, ...]) -> float:
    """The day of a date that ``date_parts`` gave, counted from the year 0; the middle of what it does not tell."""
    year, month, day = (*parts, 6.0, 15.0)[:3] if len(parts) == 1 else (*parts, 15.0)[:3]
    return year * 365.25 + month * 30.44 + day


def year(date: str) -> str:
    """The year of a date, as written; the whole text where it has none of its own."""
    found = re.findall(r"\d{3,4}(?:\s+(?:AD|CE|BCE?))?", date)
    return found[-1] if found else date


def month(date: str) -> str:
    """The month of a date, as written; the whole text where it has none."""
    return next((word for word in re.findall(r"[^\W\d_]+", date) if word.lower() in _MONTHS), date)


def century(date: str) -> str:
    """The century of a date after Christ; the date itself where it has no year."""
    told = re.search(r"\b\d{3,4}\b(?!\s*BC)", date)
    if not told:
        told = _CENTURY.search(date.lower())
        return (told.group() if told else date).replace("-century", " century")
    number = (int(told.group()) + 99) // 100
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending} century"
