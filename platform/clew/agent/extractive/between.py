"""What stands between two places of a sentence, and what a place alone says of who belongs to whom."""

from __future__ import annotations

import re

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import NO_ORDINAL


def text_between(text: str, start: int, end: int) -> str:
    """What stands between two places, without the white space around it."""
    return text[start:end].strip() if end > start else ""


def words_between(text: str, start: int, end: int) -> int:
    """How many words stand between two places."""
    return len(re.findall(r"\w+", text[start:end])) if end > start else 0


def names_between(text: str, start: int, end: int) -> int:
    """How many names stand between two places, by their capitals."""
    return (
        len(re.findall(r"(?<![\w.])(?:[A-ZÀ-Þ][\w.\-'’]*(?:\s(?:of\s|de\s|the\s)?)?)+", text[start:end]))
        if end > start
        else 0
    )


def attached(text: str, c: Candidate, at: tuple[int, int] | None) -> float:
    """Whether the candidate belongs to the subject by its place alone: "Mozart's Requiem", "China ($1.18 trillion)"."""
    if c.kind == "number" and at and text[c.end : at[0]] == " ":
        return 1.0  # "12 State University campuses"
    if not at or not at[1] or c.start < at[1]:
        return 0.0
    return float(_ATTACHED.fullmatch(text[at[1] : c.start]) is not None)


_ATTACHED = re.compile(r"['’´`]s? |\s?\((?:about |around |c\. |approximately |nearly |over )?")


def identified(text: str, c: Candidate, template: str) -> float:
    """Whether the candidate is said to be the first of its kind: "the largest town is X", "X, the largest town"."""
    found = 0.0
    for word in SUPERLATIVE.findall(template.lower()):
        told = re.compile(rf"{NO_ORDINAL}\b(?:{'|'.join(_alike(word))})\b")
        before = re.search(r"([^.;]{0,90})\b(?:is|was|are|were)\s(?:the\s)?$", text[: c.start].lower())
        after = re.match(r"(?:,|\s(?:is|was|are|were)\b)([^.;]{0,60})", text[c.end :].lower())
        if (before and told.search(before.group(1))) or (after and told.search(after.group(1))):
            found = 1.0
    return found


def _alike(word: str) -> frozenset[str]:
    return next((words for words in _SAME if word in words), frozenset((word,)))


SUPERLATIVE = re.compile(
    r"\b(?:largest|biggest|smallest|highest|tallest|longest|shortest|oldest|youngest|deepest|wealthiest|richest|"
    r"most populous|most populated|second largest|second-largest|only|sole)\b"
)
"""What singles out one of many."""
_SAME = (
    frozenset(("largest", "biggest", "most populous", "most populated")),
    frozenset(("highest", "tallest")),
    frozenset(("second largest", "second-largest")),
    frozenset(("wealthiest", "richest")),
)


def share_parent(text: str, c: Candidate, at: tuple[int, int] | None) -> bool:
    """Whether candidate and subject are named together as somebody's children: "the father of X and Y"."""
    if not at:
        return False
    first, last = sorted([(c.start, c.end), at])
    together = re.fullmatch(r",? and |, ", text[first[1] : last[0]])
    return together is not None and _OFFSPRING.search(text[: first[0]]) is not None


_OFFSPRING = re.compile(r"\b(?:(?:father|mother|parents?) of|children|sons|daughters|siblings)\b[^.;]*$")
