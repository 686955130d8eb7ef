"""Number formats that say more than the value: "12 kg", "00471".

A format is a code with a section for positive numbers first (ECMA-376 part 1, §18.8.31).
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

_PERCENT = re.compile(r"[#0,. ]*%[^;]*(?:;.*)?")
_ZEROS = re.compile(r"0{2,20}")
_PIECE = re.compile(
    r'"(?P<said>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<money>[^\]-]*)(?:-[^\]]*)?\]|(?P<colour>\[[^\W\d]+\])|[_*].'
    r"|(?P<digits>[#0?][#0?,]*(?:\.[#0?]*)?|\.[#0?]+|General)|(?P<other>[^;])",
    re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*', re.DOTALL)
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|[_*].', re.DOTALL)
_OF_DATES, _OF_HALVES = frozenset("ymdhs"), frozenset("ap")
_FIRST_DAY, _FIRST_DAY_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
BUILT_IN = {9: "0%", 10: "0.00%", 17: "mmm-yy"}
"""Codes that workbooks name by their number alone."""
_LONGEST_CODE = 200
_MOST_DECIMALS = 20
_TYPED = 15
"""Figures of a number that somebody may have typed, at most: programs store no more of what is entered."""
_SHOWN = 11
"""Figures that a cell without a format shows of a number, at most."""
_MOST_OF_PERCENT = 4
"""Decimals of a rate that somebody may have typed, at most; more were calculated, and no cell shows them."""
_LEAST_OF_PERCENT = 0.01


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """Prefix, suffix, decimals (None for all) and thousands of a number.

    ``percent`` is for those that show a hundred times the value, ``zeros`` the least number of figures.
    """

    before: str = ""
    after: str = ""
    decimals: int | None = None
    grouped: bool = False
    percent: bool = False
    zeros: int = 0

    def shown(self, value: float) -> str:
        """The value as a person sees it. Raises OverflowError or ValueError for what is no finite number."""
        if self.percent:
            figures = f"{100 * value:.12g}"
            computed = "e" not in figures and len(figures.partition(".")[2]) > _MOST_OF_PERCENT
            return f"{100 * value:.2f}%" if computed and abs(value) >= _LEAST_OF_PERCENT else f"{figures}%"
        if self.zeros:
            return f"{int(value):0{self.zeros}d}"
        size = abs(value)
        if self.decimals is None:
            figures = f"{size:.12g}"
        else:
            figures = f"{size:,.{self.decimals}f}" if self.grouped else f"{size:.{self.decimals}f}"
        sign = "-" if value < 0 and figures.strip("0.,") else ""
        return f"{sign}{self.before}{figures}{self.after}".strip()


def decimal(value: float) -> str:
    """A number as an unformatted cell shows it, without rounding errors.

    That is 0.09 for 0.08999999999999986, whose last figures nobody wrote.
    """
    figures = repr(value)
    count = sum(map(str.isdecimal, figures.partition("e")[0].lstrip("-0.")))
    return f"{value:.{_SHOWN}g}" if count > _TYPED and math.isfinite(value) else figures


def number_format(code: str) -> NumberFormat | None:
    """The format of a code; None where it adds nothing."""
    if len(code) > _LONGEST_CODE:
        return None
    if _PERCENT.fullmatch(code):
        return NumberFormat(percent=True)
    if _ZEROS.fullmatch(code):
        return NumberFormat(zeros=len(code))
    literals = ["", ""]
    digits = ""
    first = _SECTION.match(code)
    for piece in _PIECE.finditer(first[0] if first else ""):
        if piece["digits"]:
            if digits:
                return None
            digits = piece["digits"]
        elif (other := piece["other"]) is not None and (other.isalpha() or other in "%[]@,"):
            return None
        else:
            literals[bool(digits)] += piece["said"] or piece["escaped"] or piece["money"] or other or ""
    if not digits or digits.endswith(",") or not any(map(_tells, "".join(literals))):
        return None
    before, after = literals
    if digits == "General":
        return NumberFormat(before, after)
    decimals = min(len(digits.partition(".")[2]), _MOST_DECIMALS)
    return NumberFormat(before, after, decimals, "," in digits)


def date_of(code: str, serial: float, *, from_1904: bool = False) -> str:
    """The date that a number stands for, "" unless formatted so.

    Raises OverflowError for a number beyond the calendar.
    """
    letters = _letters(code)
    if not letters & _OF_DATES or letters - _OF_DATES - _OF_HALVES:
        return ""
    moment = (_FIRST_DAY_1904 if from_1904 else _FIRST_DAY) + timedelta(minutes=round(serial * 24 * 60))
    if not letters & set("yd") and letters & set("hs"):
        return moment.strftime("%H:%M")
    if "d" not in letters and "y" in letters:
        return moment.strftime("%Y-%m" if "m" in letters else "%Y")
    return moment.isoformat(" ", "minutes") if "h" in letters else moment.date().isoformat()


@dataclass(frozen=True, slots=True)
class MonthFormat:
    """A format that shows a day as its month or year."""

    code: str
    from_1904: bool = False

    def shown(self, value: float) -> str:
        """The month or year of a day. Raises OverflowError for a number beyond the calendar."""
        return date_of(self.code, value, from_1904=self.from_1904)


def month_format(code: str, *, from_1904: bool = False) -> MonthFormat | None:
    """The format of a code for months or years, if any."""
    return MonthFormat(code, from_1904) if _letters(code) in ({"y"}, {"y", "m"}) else None


def _letters(code: str) -> set[str]:
    """The letters of a code that stand for something."""
    first = _SECTION.match(code[:_LONGEST_CODE])
    return {one for one in _LITERAL.sub("", first[0] if first else "").casefold() if one.isalpha()}


def says_more(shown: str) -> bool:
    """Whether a number as shown says more than its value."""
    return bool(_ZEROS.match(shown) and shown.isdecimal()) or any(_tells(one) for one in shown if one not in "Ee")


def _tells(character: str) -> bool:
    return character.isalpha() or character in "%‰°" or unicodedata.category(character) == "Sc"
