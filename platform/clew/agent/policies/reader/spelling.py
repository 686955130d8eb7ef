"""Names that nothing speaks of, and the nearest ones that something does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from clew.agent.evidence import Shown
from clew.text.mentions import mentions
from clew.text.names import FUNCTION_WORDS, capitalised_spans, key

LIKE = 0.85
"""Likeness of two names from which one may be the other, misspelt (Ratcliff and Obershelp)."""


def unknown(names: Sequence[str], shown: Sequence[Shown]) -> list[str]:
    """The names of which no text that was shown has a single word, or not the number or letter that tells one from
    others of the kind: "Kestrel 200", "Lease C"."""
    found = {word for one in shown for word in key(f"{one.text.title} {one.text.text}").split()}
    words = {name: {word for word in key(name).split() if len(word) > 1} - FUNCTION_WORDS for name in names}
    return [name for name in names if words[name] and (not found & words[name] or not _codes(name) <= found)]


def _codes(name: str) -> set[str]:
    """What tells a name from others of its kind: its last word, where that has a digit or is a letter, but initials."""
    *before, last = ["", *key(name).split()]
    is_letter = len(last) == 1 and len(before[-1]) > 1
    return {last} if is_letter or any(map(str.isdigit, last)) else set()


def misspelt(names: Sequence[str], shown: Sequence[Shown]) -> dict[str, str]:
    """The names that no text has, each with the name most like it that one has; without those that none is like."""
    texts = [f"{one.text.title} {one.text.text}" for one in shown]
    missing = [name for name in names if key(name) and not any(mentions(text, name) for text in texts)]
    if not missing:
        return {}
    known = {name for one in shown for part in (one.text.title, one.text.text) for name in _names(part)}
    found = {}
    for name in missing:
        likeness, near = max(((_like(name, other), other) for other in known), default=(0.0, ""))
        if likeness >= LIKE:
            found[name] = near
    return found


def _names(text: str) -> Iterable[str]:
    """The names of a text, and each run of as many words in them as a name may have been shortened to."""
    for name in capitalised_spans(text):
        words = name.split()
        for first in range(len(words)):
            for last in range(first + 1, len(words) + 1):
                yield " ".join(words[first:last])


def _like(name: str, other: str) -> float:
    """Likeness of two names, 0 where their numbers or last letters differ: "Kestrel 200" is no "Kestrel 300"."""
    a, b = key(name), key(other)
    if _codes(name) != _codes(other) or [w for w in a.split() if w.isdigit()] != [w for w in b.split() if w.isdigit()]:
        return 0.0
    matcher = SequenceMatcher(None, a, b)
    return matcher.ratio() if matcher.real_quick_ratio() >= LIKE and matcher.quick_ratio() >= LIKE else 0.0
