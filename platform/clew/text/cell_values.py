"""What the cells of a table hold: numbers with scale and unit, money, dates, yes or no, boxes.

One place types values for every format, so that the graph, the reader and the app agree on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from dateutil import parser as dates

from clew.text.values import is_unit
from clew.types import Value

_CURRENCIES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "euro": "EUR", "euros": "EUR"} | {
    code: code for code in "EUR USD GBP JPY CHF SEK NOK DKK PLN CZK CAD AUD NZD CNY INR BRL ZAR".split()
}
_WORDS_OF_MONEY = {"dollars": "USD", "dollar": "USD", "pounds": "GBP", "pound": "GBP", "yen": "JPY", "francs": "CHF"}
_SCALES = {
    **dict.fromkeys(("thousand", "thousands", "'000", "’000", "000s", "000", "k", "tsd"), 1e3),
    **dict.fromkeys(("million", "millions", "m", "mn", "mio", "mln"), 1e6),
    **dict.fromkeys(("billion", "billions", "bn", "mrd"), 1e9),
}
_NUMBER = re.compile(
    r"(?P<before>[^\d\s+\-−(.,]{0,4})\s?(?P<sign>[+\-−(]?)\s?(?P<figures>\d(?:[\d.,'’\s]*\d)?)\s?\)?"
    r"\s?(?P<after>[^\d\s][^\d]{0,19})?"
)
_MEASURE = re.compile(r"[€$£¥₹%]|'000|’000|\b000s?\b|\b[A-Z]{3}(?=(?:k|m|mn|bn)\b)|[^\W\d_]+(?:[²³]|/[^\W\d_]+)?")
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]\s*")
_STATED = re.compile(r"\bin\s+(?P<measure>(?:[€$£¥₹%]|'000|[^\W\d_]+)(?:\s+(?:of\s+)?[^\W\d_]+){0,3})", re.IGNORECASE)
_YES, _NO = {"yes", "true", "✓", "✔"}, {"no", "false", "✗", "✘"}
_TICKED, _UNTICKED = {"☑", "☒", "[x]", "■"}, {"☐", "[ ]", "□", "❑"}
_NOTHING = {"", "-", "–", "—", "…", "...", "n/a", "n.a."}
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|(?=.*[^\W\d_]{3})[\w ,.]{6,20}\d")
_LONGEST_UNIT = 4
"""Characters of a unit behind "in", at most: a head may name a place there, too."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_OF_YEARS = frozenset("year founded established opened built since".split())
"""Words of a head under which a number such as 1985 is a year, also where the table is one of millions."""
_NO_UNITS = frozenset("of a b c d e f note notes actual budget forecast plan target".split())
"""What stands in brackets behind a head and is no unit: "Sales (a)", "2026 (budget)"; nor is "2025 (restated)"."""
_COUNTED = frozenset("number employees headcount staff people fte ftes shares stores days margin ratio rate".split())
"""Words of the name of a row that holds no money, also in a table of millions of euros."""
_NO_MEASURE = ("", 1.0)


@lru_cache(maxsize=4096)
def measure_of(head: str) -> tuple[str, float]:
    """The unit and scale in a head or caption: in brackets, after "in", or money at its end ("Revenue €m")."""
    for found in reversed(list(_BRACKETS.finditer(head))):
        unit, scale = _measure(found[1])
        if found.end() == len(head) or scale > 1 or unit == "%" or unit in _CURRENCIES.values():
            return unit, scale
    match = _STATED.search(head)
    unit, scale = _measure(match[1]) if match else _NO_MEASURE
    last = _measure(head.split()[-1]) if head and not unit else _NO_MEASURE
    if last[0] in _CURRENCIES.values() and last[1] > 1:
        return last
    return (unit, scale) if scale > 1 or len(unit) <= _LONGEST_UNIT else _NO_MEASURE


def stated_measure(line: str) -> tuple[str, float]:
    """The unit and scale that a line above a table states: ("EUR", 1e6) of "All amounts in millions of euros".

    A line that is nothing else, such as "€ million", states it, too.
    """
    written = [found[1] for found in (*_STATED.finditer(line), *_BRACKETS.finditer(line))]
    for one in [*written, line] if _is_measure(line, _measure(line)) else written:
        unit, scale = _measure(one)
        if scale > 1 or unit in _CURRENCIES.values():
            return unit, scale
    return _NO_MEASURE


def value_of(text: str, heads: Sequence[str] = (), unit: str = "", scale: float = 1.0, row: str = "") -> Value:
    """What a cell holds, typed. ``unit`` and ``scale`` are those of its table; a head of its column counts before.

    So does the name of its ``row`` where that states a currency, a share or a known unit: "Weight (g)".
    """
    text = " ".join(text.split())
    if text.casefold() in _NOTHING:
        return Value("empty")
    if text.casefold() in _YES or text.casefold() in _NO:
        return Value("yes" if text.casefold() in _YES else "no")
    if text in _TICKED or text in _UNTICKED:
        return Value("ticked" if text in _TICKED else "unticked")
    if date := _date(text):
        return Value("date", date=date)
    return _number(text, heads, *_of_row(row, unit, scale)) or Value("text")


def _of_row(row: str, unit: str, scale: float) -> tuple[str, float]:
    """The unit and scale of a row of a table that has these; of one letter only where the table states none."""
    own = measure_of(row)
    if own[0] == "%" or own[0] in _CURRENCIES.values() or (is_unit(own[0]) and (len(own[0]) > 1 or not unit)):
        return own
    return _NO_MEASURE if not _COUNTED.isdisjoint(row.casefold().split()) else (unit, scale)


def _measure(written: str, unit: str = "") -> tuple[str, float]:
    """The unit and scale of what is written: "€m", "millions of euros", "kg", "%"; ``unit`` stands before it."""
    scale = 1.0
    for word in _MEASURE.findall(written):
        folded = word.casefold()
        if folded in _SCALES and (folded != "m" or unit):
            scale *= _SCALES[folded]
        elif not unit and _may_be_unit(word):
            unit = _CURRENCIES.get(word) or _CURRENCIES.get(folded) or _WORDS_OF_MONEY.get(folded) or word
    return unit, scale


def _may_be_unit(word: str) -> bool:
    return word not in _NO_UNITS and not word.endswith("ed")


def _number(text: str, heads: Sequence[str], unit: str, scale: float) -> Value | None:
    match = _NUMBER.fullmatch(text)
    number = _float(match["figures"]) if match else None
    if match is None or number is None:
        return None
    before, after = match["before"], match["after"] or ""
    own = _measure(after, _CURRENCIES.get(before, ""))
    if (before and before not in _CURRENCIES) or (after and not _is_measure(after, own)):
        return None
    of_head = next((found for head in reversed(heads) if (found := measure_of(head)) != _NO_MEASURE), None)
    column = of_head or (_NO_MEASURE if _is_year(text, heads) else (unit, scale))
    factor = column[1] if own[1] == 1.0 and own[0] != "%" else own[1]
    sign = -1 if match["sign"] in {"-", "−", "("} else 1
    unit = own[0] or column[0]
    return Value("money" if unit in _CURRENCIES.values() else "number", number * factor * sign, unit)


def _is_year(text: str, heads: Sequence[str]) -> bool:
    """Whether a number of four digits under these heads is a year, and none of the amounts that a table measures."""
    words = " ".join(heads).casefold()
    of_years = not words or (not _YEAR.search(words) and not _OF_YEARS.isdisjoint(words.split()))
    return of_years and _YEAR.fullmatch(text) is not None


def _is_measure(after: str, measure: tuple[str, float]) -> bool:
    """Whether what stands behind a number is its unit and scale, and no text."""
    units = [word for word in _MEASURE.findall(after) if word.casefold() not in {"of", *_SCALES}]
    return measure != _NO_MEASURE and len(units) <= 1


def _float(figures: str) -> float | None:
    """A number as people write it: "1,250.00", "1.250,00", "12 500"; the last sign before one or two digits parts."""
    plain = re.sub(r"[\s'’]", "", figures)
    last = max(plain.rfind("."), plain.rfind(","))
    if last >= 0:
        groups = re.split(r"[.,]", plain)
        is_decimal = len(groups[-1]) != 3 or (len(groups) == 2 and groups[0] == "0") or plain[last] not in ",."
        mixed = "." in plain and "," in plain
        if mixed or (is_decimal and len(groups) == 2) or (len(groups) == 2 and plain[last] == "."):
            plain = re.sub(r"[.,]", "", plain[:last]) + "." + plain[last + 1 :]
        else:
            plain = re.sub(r"[.,]", "", plain)
    try:
        return float(plain)
    except ValueError:
        return None


def _date(text: str) -> str | None:
    """The date that a text is, as ISO 8601; None of a bare year, which may as well be a number."""
    if len(text) > 25 or not _DATE.fullmatch(text) or _YEAR.fullmatch(text):
        return None
    try:
        first = dates.parse(text, dayfirst=True, default=datetime(1, 1, 1))
        other = dates.parse(text, dayfirst=True, default=datetime(2, 2, 2))
    except (ValueError, OverflowError):
        return None
    if first.year != other.year:
        return None  # no year in it
    if re.match(r"\d{4}-\d{2}", text):
        first = other = dates.isoparse(text) if len(text) in {7, 10} else first
    if first.month != other.month:
        return f"{first.year:04d}"
    return f"{first:%Y-%m-%d}" if first.day == other.day and len(text) > 7 else f"{first:%Y-%m}"
