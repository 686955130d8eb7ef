"""From start and end scores to spans: the best ones of a passage, apart from each other, with the margin of each.

A span's margin is its start plus its end score, less those of the first token, which stands for "not here" (Devlin et
al., arXiv 1810.04805, §4.3); where windows overlap the greater one counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clew.reader.windows import Window

LONGEST = 48
"""Tokens of a span, at most."""
_CANDIDATES = 12
"""Starts and ends of a window that are paired."""

_BLANK_LINE = re.compile(r"\n\s*\n")

_UNSPACED = "\u0e00"
"""From Thai on, most scripts write no space between words."""

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start:end`` of a passage, and by how much the reader prefers them to "not here"."""

    start: int
    end: int
    margin: float


def best_spans(
    text: str, windows: Sequence[Window], starts: Sequence[Scores], ends: Sequence[Scores], most: int
) -> list[Span]:
    """The ``most`` best spans of a passage's windows, best first, no two of which overlap; none crosses a blank line.

    ``starts`` and ``ends`` hold the scores of each window's tokens, with padding or without.
    """
    found: dict[tuple[int, int], float] = {}
    for one, start, end in zip(windows, starts, ends, strict=True):
        nothing = float(start[0] + end[0])
        for first, last, score in _pairs(one, start, end):
            at = _whole_words(text, one.offsets[first][0], one.offsets[last][1])
            found[at] = max(found.get(at, -np.inf), score - nothing)
    chosen: list[Span] = []
    for (a, b), margin in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])):
        if len(chosen) == most:
            break
        free = all(b <= other.start or other.end <= a for other in chosen)
        if free and not _BLANK_LINE.search(text, a, b):
            chosen.append(Span(a, b, margin))
    return chosen


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with the rest of the words that its tokens cut."""
    while start > 0 and _joined(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _joined(text[end - 1], text[end]):
        end += 1
    return start, end


def _joined(before: str, after: str) -> bool:
    return before.isalnum() and after.isalnum() and max(before, after) < _UNSPACED


def _pairs(window: Window, start: Scores, end: Scores) -> list[tuple[int, int, float]]:
    """Pairs of the likeliest starts and ends among the passage tokens, each with its score."""
    inside = slice(window.first, window.first + len(window.offsets))
    start, end = start[inside], end[inside]
    firsts, lasts = np.argsort(-start)[:_CANDIDATES], np.argsort(-end)[:_CANDIDATES]
    return [(int(i), int(j), float(start[i] + end[j])) for i in firsts for j in lasts if i <= j < i + LONGEST]
