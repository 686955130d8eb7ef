"""What is said not to be so, in questions and in sentences."""

from __future__ import annotations

import re
from collections.abc import Set

from clew.agent.extractive.lexicon import stem

_ASKED = re.compile(r"\b(?:not|never)\b|n['’]t\b")
_SAID = re.compile(r"\b(?:not|cannot|never|no)\b|n['’]t\b")
_REACH = re.compile(r"(?:\b(?:never|not|cannot)|n['’]t)((?: [^\W_]+){1,4})")
"""How far a negation reaches: four words."""


def asks_what_is_not(question: str) -> bool:
    """Whether a question is for what is not so: "who did not sign"."""
    return _ASKED.search(question.lower()) is not None


def negates(text: str) -> bool:
    """Whether a sentence says of something that it is not so."""
    return _SAID.search(text) is not None


def denies(text: str, wanted: Set[str]) -> bool:
    """Whether a sentence says that one of the wanted stems is not so: "never learned to row"."""
    denied = (match.group(1) for match in _REACH.finditer(text.lower()))
    return any(not wanted.isdisjoint(map(stem, words.split())) for words in denied)
