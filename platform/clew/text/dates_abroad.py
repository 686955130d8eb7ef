"""Dates as other languages than English write them: "3. Mai 2021", "3 de mayo de 2021", "2021年5月3日"."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from clew.text.values import Date

Span = tuple[int, int]
_SIGNS = re.compile(
    r"(?<!\d)(?P<year>\d{4})\s?(?:年|년)(?:\s?(?P<month>\d{1,2})\s?(?:月|월)(?:\s?(?P<day>\d{1,2})\s?(?:日|号|號|일))?)?"
)
_VIETNAMESE = re.compile(
    r"(?<!\d)(?P<day>\d{1,2}) tháng (?P<month>\d{1,2})(?:,| năm) (?P<year>\d{4})(?!\d)", re.IGNORECASE
)
_YEAR = re.compile(r"\d{4}")
_NAME = r"(?P<name>[^\W\d_][^\s\d.,;:()]*(?:\s(?:الأول|الثاني))?)"
_DAY = r"(?<![\d.,])(?P<day>\d{1,2})(?:er|re|\.|º|°|-го)?"
_FOUR = r"(?P<year>\d{4})(?!\d)"
_DAY_OF_MONTH = re.compile(rf"{_DAY}\s(?:de |di |d['’])?{_NAME}", re.IGNORECASE)
_NAMED = (
    re.compile(rf"{_DAY}\s(?:de |di |d['’])?{_NAME}\.?,?\s(?:de |del |do )?{_FOUR}", re.IGNORECASE),
    re.compile(rf"(?<!\w){_NAME}\.?,?\s(?:de |del |do )?{_FOUR}", re.IGNORECASE),
    re.compile(rf"(?<!\d){_FOUR}\.?\s{_NAME}\s(?P<day>\d{{1,2}})(?!\d)", re.IGNORECASE),  # Hungarian
)
_MONTHS_OF_YEAR = 12
_DAYS = 31
_NONE = 13


def dates_abroad(text: str) -> list[tuple[Span, Date]]:
    """Where the dates of a text stand that have a month in another language, or the signs of one, and what they are."""
    if not _YEAR.search(text):
        return []
    found = []
    for pattern in (*_NAMED, _SIGNS, _VIETNAMESE):
        for match in pattern.finditer(text):
            told = match.groupdict()
            name = told.get("name")
            month = _months().get(name.lower(), _NONE) if name else int(told.get("month") or 0)
            day = int(told.get("day") or 0)
            if month <= _MONTHS_OF_YEAR and day <= _DAYS:
                found.append((match.span(), (int(told["year"]), month, day)))
    return sorted(one for one in found if not any(_is_in(one[0], other[0]) for other in found))


def days_abroad(text: str) -> list[Span]:
    """Where a day and a month of another language stand, with or without a year: "am 3. Mai"."""
    return [match.span() for match in _DAY_OF_MONTH.finditer(text) if match["name"].lower() in _months()]


def _is_in(one: Span, other: Span) -> bool:
    return other != one and other[0] <= one[0] and one[1] <= other[1]


@lru_cache(1)
def _months() -> dict[str, int]:
    tables = tomllib.loads((files("clew.text") / "months.toml").read_text("utf-8"))
    return {
        form.replace("_", " "): number
        for table in tables.values()
        for number, forms in enumerate(table.split(), 1)
        for form in forms.split("|")
    }
