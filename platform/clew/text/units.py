"""Units that the heads of columns name: a number below "Mass (kg)" or "fare_eur" says what it measures by them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

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
LONE_CAPITAL = frozenset("NJLB")
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
_CLOSE = frozenset({"%", "‰", "°"})


def is_bare(text: str) -> bool:
    """Whether a text is a number or a range of two, and nothing else."""
    return _BARE.fullmatch(text) is not None


def measured(heads: Sequence[str], cells: Sequence[str], at: int) -> str:
    """A cell of a row with its unit where it is a bare number: that which the head of its column names, or the only
    cell that is one; or that of the row's label, where its column has no head and no other head names a unit.

    >>> measured(["Boat", "Mass (kg)"], ["Tern", "12"], 1)
    '12 kg'
    """
    cell = cells[at]
    if not is_bare(cell):
        return cell
    units = _units(tuple(heads))
    found = units[at]
    if not found:
        apart = [n for n, text in enumerate(cells) if n != at and _stands_for_a_unit(text)]
        found = unit_of(cells[apart[0]]) if len(apart) == 1 and apart[0] <= at + 1 else ""
    if not found and at and not heads[0] and not any(units):
        found = _in_head(cells[0])[2]
    return _with(found, cell) if found else cell


def _stands_for_a_unit(text: str) -> bool:
    """Whether a cell is a unit; a letter alone may be anything."""
    return not (len(text) == 1 and text.isalpha()) and bool(unit_of(text))


def unit_of(text: str) -> str:
    """A text that is a unit and nothing else as it is to stand with a number, money with its place for it ("€{}");
    "" for any other.
    """
    return _unit(text, by_key=False)


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
    is_symbol = _SYMBOL.fullmatch(written) and written not in (_NO_KEYS if by_key else LONE_CAPITAL)
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
