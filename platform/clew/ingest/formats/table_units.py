"""Units in the heads of columns: a number in a cell says what it measures ("Mass (kg)": "12" is 12 kg)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.ingest.formats.grid import Cell, Grid, text_at
from clew.text.values import measures

_BARE = re.compile(r"[~≈<>≤≥±+−-]{0,2}\s?\d[\d.,'’\u00a0\u202f ]*(?:\s?[–-]\s?\d[\d.,]*)?")
"""A number or a range of two that nothing else stands with."""
_BASE = (
    "m|g|s|mol|Hz|N|Pa|J|W|V|Ω|Bq|Gy|Sv|lm|lx|l|L|t|bar|eV|Wh|Ah|VA|bit|B|h|min|d|ha|in|ft|yd|mi|kn|lbs?|oz|psi|rpm|"
    "dBA?|ppm|px|pcs|cal"
)
_ONE = rf"(?:(?:[kMGTmcdhµμn]|da)?(?:{_BASE})|mA|kA|°[CF]?|%|‰)(?:[²³]|\^?[23])?"
_SYMBOL = re.compile(rf"{_ONE}(?:\s?[/·*]\s?(?:{_ONE}|[^\W\d]{{3,12}}))?")
"""A unit of the SI or one that is used beside it, alone or by another: km/h, kg/m³."""
_LONE_CAPITAL = frozenset("NJLB")
"""Units that are told by another letter than a group ("Team (B)") by nothing but what they measure."""
_NO_KEYS = frozenset({"in", "min"})
"""What ends the key of a column ("logged_in", "stock_min") is no unit where it may be another word."""
_CODES = (
    "EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|ILS|ZAR|BRL|MXN|KRW|SGD|"
    "HKD|THB|AED|SAR"
)
_MONEY = re.compile(
    rf"(?P<money>(?:US|AU|CA|NZ|HK|[AC])?\$|[€£¥₹₩₽₺₴]|{_CODES})(?P<per>\s?(?:/|per\s)\s?[^\W\d]{{1,12}}\.?)?(?P<rest>[,;]?\s.*)?"
)
_SCALED = re.compile(
    rf"(?:in\s)?(?:(?P<before>thousand|[mb]illion)s?\s(?:of\s)?)?(?P<money>[$€£¥]|{_CODES})"
    r"(?:\s(?P<after>thousand|[mb]illion)s?)?"
)
_FUSED = re.compile(r"[kKmMT](?:[€$£¥]|EUR|USD|GBP|CHF)|[€$£¥](?:[kKmMb]|mn|bn)")
"""Money in thousands or millions, as one sign: it stands behind its number as it is written."""
_SCALE = re.compile(r"[,;]?\s*(?:thousand|[mb]illion|[kKmMTt]|mn|bn|mio|mrd|tsd|['’]?000)(?![^\W\d_])", re.IGNORECASE)
_TRAILING = rf"[kMGTcdmµ](?:m|g|l|Wh?|V|Hz|B|Ah|Pa|N|J|cal)[²³]?|°[CF]?|[%‰]|{_ONE}/{_ONE}"
"""Units that are told from words where nothing sets them off ("Rain mm")."""
_IN_HEAD = (
    re.compile(r"(?P<stem>.*?)\s*[(\[](?P<unit>[^()\[\]]{1,30})[)\]]"),
    re.compile(r"(?P<stem>.*\S)\s+(?:in|/)\s+(?P<unit>\S{1,12})"),
    re.compile(r"(?P<stem>.*[^\W\d]),\s*(?P<unit>\S{1,12})"),
    re.compile(rf"(?P<stem>.*[^\W\d]\.?)\s+(?P<unit>[$€£¥]|{_CODES}|{_TRAILING})"),
    re.compile(r"(?P<stem>[^\W\d_]\w*)_(?P<unit>[a-zA-Z]{2,7})"),
)
_SQUARE = re.compile(r"(?P<stem>.*\S)\s*\[(?P<unit>[^()\[\]]{1,30})\]")
_LEAST_UNITS = 2
_CLOSE = frozenset({"%", "‰", "°"})


def with_units(heads: Sequence[str], cells: Sequence[str]) -> list[str]:
    """The cells of a row, numbers with the units that the heads of their columns name.

    Where the label of the row names one, its column has no head, and the others name none, the row has that unit.
    """
    units = _units(tuple(heads))
    if cells and not heads[0] and any(heads) and not any(units):
        units = ("", *[_in_head(cells[0])[2]] * (len(cells) - 1))
    pairs = zip(units, cells, strict=True)
    return [_with(unit, cell) if unit and _BARE.fullmatch(cell) else cell for unit, cell in pairs]


def in_brackets(head: str) -> str:
    """A head with its unit in round brackets: a comma ("Mass, kg") would part fields of the row, others are words."""
    match = _IN_HEAD[2].fullmatch(head) or _SQUARE.fullmatch(head)
    return f"{match['stem']} ({match['unit']})" if match and _unit(match["unit"], by_key=False) else head


def heads_with_units(heads: Sequence[str], below: Sequence[str], data: Sequence[str]) -> list[str]:
    """The heads with the units in a row of their own below them ("Temp (°C)"); none where it holds anything else.

    ``data`` is the row that follows: where it holds units as well, they are what the table is about.
    """
    told = [text.strip().strip("()[]") for text in below]
    if len(told) > len(heads) or not _are_units(told) or _are_units(data):
        return []
    units = [*told, *[""] * (len(heads) - len(told))]
    return [f"{head} ({unit})" if head and unit else head or unit for head, unit in zip(heads, units, strict=True)]


def _are_units(texts: Sequence[str]) -> bool:
    """Whether a row holds units and nothing else, of which not all are letters alone."""
    told = [text.strip() for text in texts if text.strip()]
    known = all(_unit(text, by_key=False) or text in _LONE_CAPITAL for text in told)
    return len(told) >= _LEAST_UNITS and known and any(len(text) > 1 for text in told)


def with_unit_columns(rows: Grid, width: int) -> Grid:
    """The rows of a table with the units that one column holds behind the numbers that they are of.

    These stand before that column, or after it where no number is before it.
    """
    for column in range(width):
        known = _all_units(rows, column)
        if len(known) > 1 and 2 * len(known) >= len(rows):
            before = column > 0 and any(_BARE.fullmatch(text_at(rows[at], column - 1)) for at in known)
            places = range(column - 1, column) if before else range(column + 1, width)
            return [_measured(row, known.get(at, ""), places) for at, row in enumerate(rows)]
    return rows


def _all_units(rows: Grid, column: int) -> dict[int, str]:
    """The units of the rows that name one in a column; none where anything else stands there."""
    found: dict[int, str] = {}
    for at, row in enumerate(rows):
        if told := text_at(row, column):
            unit = _unit(told, by_key=False)
            if not unit:
                return {}
            found[at] = unit
    return found if any(len(text_at(rows[at], column)) > 1 for at in found) else {}  # letters alone may be of people


def _measured(row: list[Cell | None], unit: str, places: Iterable[int]) -> list[Cell | None]:
    found = list(row)
    for at in places:
        number = text_at(row, at)
        if unit and at < len(row) and (cell := row[at]) is not None and _BARE.fullmatch(number):
            found[at] = replace(cell, text=_with(unit, number))
    return found


@lru_cache(maxsize=256)
def _units(heads: tuple[str, ...]) -> tuple[str, ...]:
    """For each head the unit that it names, "" for none.

    What stands behind a word is a unit only where it is one behind the same word in the other heads, too: beside
    "Heat (max)", "Heat (min)" is no time.
    """
    found = [_in_head(head) for head in heads]
    others = {stem for stem, written, unit in found if written and not unit}
    return tuple("" if stem in others else unit for stem, _, unit in found)


def _in_head(head: str) -> tuple[str, str, str]:
    """What of a head stands before its unit, what may be one, and the unit if it is."""
    maybe = ("", "", "")
    for pattern in _IN_HEAD:
        if match := pattern.match(head) if pattern is _IN_HEAD[0] else pattern.fullmatch(head):
            stem, written = match["stem"].strip().casefold(), match["unit"].strip()
            if unit := _unit(written, by_key=pattern is _IN_HEAD[-1]):
                return stem, written, unit
            maybe = maybe if maybe[1] else (stem, written, "")
    return maybe


def _unit(written: str, *, by_key: bool) -> str:
    """A unit as it is to stand with a number, money with its place for it ("€{}"); "" for what is none."""
    if by_key and written.islower() and written.upper() in _CODES.split("|"):
        written = written.upper()
    is_symbol = _SYMBOL.fullmatch(written) and written not in (_NO_KEYS if by_key else _LONE_CAPITAL)
    if is_symbol or _FUSED.fullmatch(written) or _is_plural(written):
        return written
    if (scaled := _SCALED.fullmatch(written)) and (scaled["before"] or scaled["after"]):
        return f"{_before(scaled['money'])} {scaled['before'] or scaled['after']}"
    money = _MONEY.fullmatch(written)
    if money is None:
        return ""
    if _SCALE.match(money["rest"] or ""):
        return written
    if money["per"] and money["per"].strip("/ ") in _CODES.split("|"):
        return written  # a rate of exchange
    return _before(money["money"]) + (money["per"] or "")


def _before(money: str) -> str:
    return f"{money} {{}}" if money.isalpha() else f"{money}{{}}"


def _is_plural(written: str) -> bool:
    """Whether a word names several of a unit ("years"); one alone may be the name of what is told ("year")."""
    return len(written) > 3 and written.endswith("s") and bool(measures(f"2 {written.lower()}"))


def _with(unit: str, cell: str) -> str:
    if "{}" in unit:
        return unit.replace("{}", cell)
    return f"{cell}{'' if unit in _CLOSE else ' '}{unit}"
