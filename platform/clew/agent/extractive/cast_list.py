"""Casts told in one breath: lists whose separators are lost, and actors whose parts follow *respectively*."""

from __future__ import annotations

import re
from functools import lru_cache

Entry = tuple[int, int, str]
"""Where an actor's name begins and ends, and what the text calls the part."""

LEAST = 3
"""Parts from which a run of names is a list: "Ada Finch as Mira Jon Vale as Brand Tess Orr as the keeper"."""
_AS = re.compile(r" as ")
_ACTOR = re.compile(
    r"(?:^|(?<=\s))[A-ZÀ-Þ][\w’'-]*\.?\s(?:[A-ZÀ-Þ]\.\s|[dv](?:e|an|on)\s)?[A-ZÀ-Þ][\w’'-]+(?:\s(?:Jr|Sr)\.)?$"
)
_BROKEN = re.compile(r"[.;:](?=\s[a-z]|$)|,|\band\b|\b(?:is|was|who|which|stars|starring)\b")
_RESPECTIVELY = re.compile(r",? respectively\b")
_ALIKE = re.compile(r",? (?:as|plays?|playing|portrays?|portraying|voices?|voicing) ")
_ITEMS = re.compile(r", and |, | and ")
_NAME = re.compile(r"[A-ZÀ-Þ][\w’'.-]*(?:\s(?:(?:de|van|von)\s)?[A-ZÀ-Þ][\w’'.-]*)*$")


@lru_cache(maxsize=4096)
def entries(text: str) -> tuple[Entry, ...]:
    """The actors of such lists with their parts; none in other text."""
    return (*_run(text), *_respective(text))


def parted(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans of names with the actors of a list cut off the parts that stand before them."""
    starts = {end: start for start, end, _ in entries(text)}
    return [(max(start, starts.get(end, start)), end) for start, end in spans]


def _run(text: str) -> list[Entry]:
    """A list that runs on, as in "Ada Finch as Mira Jon Vale as Brand": two capitals before *as* are an actor."""
    marks = [(mark, actor) for mark in _AS.finditer(text) if (actor := _ACTOR.search(text, 0, mark.start()))]
    if len(marks) < LEAST:
        return []
    ends = [*(actor.start() for _, actor in marks[1:]), len(text)]
    found = [
        (actor.start(), actor.end(), text[mark.end() : end].strip())
        for (mark, actor), end in zip(marks, ends, strict=True)
    ]
    return [] if _BROKEN.search(text, marks[0][0].end(), marks[-1][0].start()) else found


def _respective(text: str) -> list[Entry]:
    """Who plays what in "Ada Finch and Jon Vale as Mira and Brand respectively": the first plays the first."""
    found: list[Entry] = []
    for mark in _RESPECTIVELY.finditer(text):
        joint = next(reversed(list(_ALIKE.finditer(text, 0, mark.start()))), None)
        if joint is None:
            continue
        parts = _ITEMS.split(text[joint.end() : mark.start()])
        ends = [*[m.start() for m in _ITEMS.finditer(text, 0, joint.start())][1 - len(parts) :], joint.start()]
        names = [_NAME.search(text, 0, end) for end in ends]
        if len(ends) == len(parts) > 1:
            found += [(n.start(), n.end(), part) for n, part in zip(names, parts, strict=True) if n]
    return found
