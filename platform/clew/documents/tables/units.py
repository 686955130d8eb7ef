"""Units that a table keeps apart from the heads of its columns, in a row below them or in square brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.text.units import LONE_CAPITAL, unit_of

_SETS_OFF = re.compile(r"(?P<stem>.*[^\W\d]),\s*(?P<unit>\S{1,12})|(?P<before>.*\S)\s*\[(?P<within>[^()\[\]]{1,30})\]")
_LEAST_UNITS = 2


def in_brackets(head: str) -> str:
    """A head with its unit in round brackets: a comma ("Mass, kg") would part fields of the row, others are words."""
    match = _SETS_OFF.fullmatch(head)
    unit = (match["unit"] or match["within"]) if match else ""
    return f"{match['stem'] or match['before']} ({unit})" if match and unit_of(unit) else head


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
    known = all(unit_of(text) or text in LONE_CAPITAL for text in told)
    return len(told) >= _LEAST_UNITS and known and any(len(text) > 1 for text in told)
