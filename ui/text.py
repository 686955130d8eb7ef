"""Hostile text made fit to show: names, titles and messages in places that read Markdown or are one line high."""

from __future__ import annotations

import re
import unicodedata

_PUNCTUATION = re.compile(r"([!-/;-@\[-`{-~:])")
_LINK = re.compile(r"(\\[:@]|www(?=\\\.))", re.IGNORECASE)
_JOINER = "\u2060"
"""Takes no room, and keeps ``:name:``, ``www.name`` and ``name@name`` from becoming an icon or a link."""
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_NEEDED = {"\u200c", "\u200d"}
"""Joiners without which some scripts and emoji are misspelt."""
_MARKS = str.maketrans("", "", "\u200e\u200f\u061c")
"""Direction marks, which Arabic and Hebrew titles have; one alone turns no text, and has nothing to show."""


def visible(text: str, limit: int = 160) -> str:
    """One line of at most ``limit`` characters; ``�`` for signs that are unseen or turn the reading direction."""
    line = " ".join(text[: 4 * limit].translate(_MARKS).split())
    line = "".join("�" if unicodedata.category(c) in _HIDDEN and c not in _NEEDED else c for c in line)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def markdown(text: str, limit: int = 400) -> str:
    """``visible`` text that a Streamlit label or message shows as it is: no emphasis, link, picture or formula."""
    return _LINK.sub(rf"\1{_JOINER}", _PUNCTUATION.sub(r"\\\1", visible(text, limit)))


def count(number: int, one: str, many: str = "") -> str:
    """A number with what it counts: ``1 document``, ``2,000 documents``."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def when(moment: object) -> str:
    """A moment as ISO 8601 writes it, to the minute: ``2026-11-29 00:36``."""
    return str(moment)[:16].replace("T", " ")
