"""Marks on text: raised figures, which change a number where they are lost, and what a reader says it left out."""

from __future__ import annotations

import re
from collections import Counter

_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_RAISABLE = re.compile(r"[0-9+\-−=()ni]+")
_NUMBER = re.compile(r"\[?[0-9*†‡§]+\]?")
STRUCK = "struck or deleted text"
HIDDEN = "hidden text"
COMMENTS = "comments"


def raised(text: str) -> str:
    """Superscript text in characters that say so: ``6`` becomes ``⁶``.

    Letters ("5th") stay as they are, and what mixes figures with other signs is led by ``^``.
    """
    if _RAISABLE.fullmatch(text):
        return text.translate(_RAISED)
    return f"^{text}" if any(character.isdigit() for character in text) else text


def is_reference(text: str) -> bool:
    """Whether superscript text in brackets is the mark of a note: "[2]", "*"."""
    mark = text.strip()
    return bool(_NUMBER.fullmatch(mark)) and not mark.isdigit()


def left_out(counts: Counter[str]) -> tuple[str, ...]:
    """A note for each kind of thing that was left out, with its number."""
    return tuple(f"Left out: {what} ({number:,})." for what, number in sorted(counts.items()) if number)
