"""What a document is about whose title only says what sort of document it is: a contract, minutes, somebody's CV."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.text.names import FUNCTION_WORDS

_SORTS = frozenset(
    """
    programme program minutes agenda leaflet vacancy statutes newsletter handbook notes summary curriculum vitae
    cv resume lease agreement contract award report manual guide plan invoice receipt faq policy decision ruling
    judgment letter notice offer order review questions terms conditions instructions certificate statement
    proposal application protocol brochure specification regulations rules annual final project frequently asked
    service operating operation user business general monthly quarterly weekly draft framework rental employment
    committee meeting board page
    """.split()
)
"""Words of which a title may consist that names nothing: "Annual Report 2024"."""

_APART = re.compile(r"\s+[–—|-]\s+|:\s+|,\s+(?=page\b)")
_NAME_ALONE = re.compile(r"[A-ZÀ-Þ][\w’'.&-]*(?: (?:(?:of|the|de|von|van|and|&) )*[A-ZÀ-Þ0-9][\w’'.&-]*){1,5}")
_TOLD_OF = re.compile(rf"{_NAME_ALONE.pattern}(?= (?:plc|Ltd|Inc|is|was|are|were|has|had|have|will)\b)")
OPENING = 1000
OPENING_LINES = 5
"""Characters and lines from the first on in which a document names what it is about."""


def subject_of(title: str, text: str) -> str:
    """The name that a title has beside the sort of the document ("Project plan: *Tarn Bridge*"), or that stands in a
    line of its own near the beginning; empty where the title names something itself."""
    return _subject(title, text[:OPENING])


@lru_cache(maxsize=4096)
def _subject(title: str, opening: str) -> str:
    parts = _APART.split(title)
    named = [part for part in parts if not is_sort(part)]
    if len(named) == len(parts):
        return ""
    lines = [bare for line in opening.split("\n") if (bare := line.strip(" *#_\t\r"))][:OPENING_LINES]
    alone = (m for part in named or lines if not is_sort(part) and (m := _NAME_ALONE.fullmatch(part.strip())))
    matches = (m for line in lines if (m := _TOLD_OF.match(line)))
    found = next(alone, None) or (None if named else next(matches, None))
    return found.group() if found else ""


def is_sort(text: str) -> bool:
    """Whether a text only says what sort of document it stands over: "Annual Report 2024"."""
    words = [w for w in re.findall(r"[^\W\d_]+", text.lower()) if w not in FUNCTION_WORDS]
    return bool(words) and all(word in _SORTS for word in words)
