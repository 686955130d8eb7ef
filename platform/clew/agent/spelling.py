"""Names that nothing speaks of, and the nearest ones that something does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from clew.agent.evidence import Shown
from clew.text.names import FUNCTION_WORDS, capitalised_spans, key

LIKE = 0.85
"""Likeness of two names from which one may be the other, misspelt (Ratcliff and Obershelp)."""


def unknown(names: Sequence[str], shown: Sequence[Shown]) -> list[str]:
    """The names of which no text that was shown has a single word."""
    told = {word for one in shown for word in key(f"{one.text.title} {one.text.text}").split()}
    words = {name: {word for word in key(name).split() if len(word) > 1} - FUNCTION_WORDS for name in names}
    return [name for name in names if words[name] and not told & words[name]]


def misspelt(names: Sequence[str], shown: Sequence[Shown]) -> dict[str, str]:
    """The names that no text has, each with the name most like it that one has; without those that none is like."""
    text = " ".join(f" {key(f'{one.text.title} {one.text.text}')} " for one in shown)
    missing = [name for name in names if key(name) and f" {key(name)} " not in text]
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
    """Likeness of two names, 0 where their numbers differ: "Kestrel 200" is no way to write "Kestrel 300"."""
    a, b = key(name), key(other)
    if [word for word in a.split() if word.isdigit()] != [word for word in b.split() if word.isdigit()]:
        return 0.0
    matcher = SequenceMatcher(None, a, b)
    return matcher.ratio() if matcher.real_quick_ratio() >= LIKE and matcher.quick_ratio() >= LIKE else 0.0
