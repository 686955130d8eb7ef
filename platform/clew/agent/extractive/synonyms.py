"""The same told in other words: which stems of a text say what a question's own words ask, and how surely."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from clew.agent.extractive.lexicon import Relation, data, irregular, own_words, stem

DERIVED = 0.9
"""What another word of the same root counts: *execution* for *executed*."""
ALIKE = 0.8
"""What a word of the same sense counts."""

_ENDINGS = (
    ("ization", "iz"),
    ("isation", "is"),
    ("ation", ""),
    ("ation", "at"),
    ("ition", ""),
    ("ion", ""),
    ("ement", ""),
    ("ment", ""),
    ("anc", ""),
    ("enc", ""),
    ("al", ""),
    ("ery", "er"),
    ("ity", ""),
    ("ship", ""),
    ("ly", ""),
    ("ist", ""),
    ("ant", ""),
)
"""Endings of the stems of derived words, and what stands in their place in the verb's or the adjective's."""
SHORTEST = 5
"""Letters that have to be left of a word for it to be the root of another one."""


@lru_cache(maxsize=65_536)
def roots(word: str) -> frozenset[str]:
    """The stems that a stem may be derived from, itself among them."""
    found = {word[: -len(ending)] + instead for ending, instead in _ENDINGS if word.endswith(ending)}
    found = {root for root in found if len(root) >= SHORTEST}
    return frozenset(found | {word}) | _derived().get(word, frozenset())


@lru_cache(maxsize=1)
def _derived() -> dict[str, frozenset[str]]:
    lines = [[stem(word) for word in line.split()] for line in data("synonyms.toml")["derived"].strip().splitlines()]
    return {word: frozenset(words[:1]) for words in lines for word in words[1:]}


@lru_cache(maxsize=1)
def _sets() -> dict[str, frozenset[str]]:
    alike: dict[str, set[str]] = defaultdict(set)
    for part in ("verbs", "nouns"):
        for line in data("synonyms.toml")[part].strip().splitlines():
            asked, directed, told = line.partition(" < ")
            words = line.split()
            for word in asked.split():
                if "_" not in word:
                    alike[stem(word)].update(stem(w) for w in (told.split() if directed else words) if "_" not in w)
    return {word: frozenset(others - {word}) for word, others in alike.items()}


@lru_cache(maxsize=4096)
def other_words(stems: frozenset[str]) -> Mapping[str, tuple[str, float]]:
    """By root, which of the stems it tells, and how surely."""
    found: dict[str, tuple[str, float]] = {}
    for one in sorted(stems):
        for root in roots(one):
            for other in _sets().get(root, ()):
                if other not in stems:
                    found.setdefault(other, (one, ALIKE))
    for one in sorted(stems):
        for root in roots(one):
            found[root] = (one, DERIVED)
    return found


@lru_cache(maxsize=65_536)
def told(word: str, stems: frozenset[str]) -> tuple[str, float] | None:
    """Which of the stems a stem of a text tells, and how surely; None for none."""
    if word in stems:
        return word, 1.0
    table = other_words(stems)
    return max((table[root] for root in roots(word) if root in table), key=lambda pair: pair[1], default=None)


def covered(stems: frozenset[str], text: frozenset[str]) -> dict[str, float]:
    """How surely a text's stems tell each of those that are asked."""
    found = dict.fromkeys(stems & text, 1.0)
    if len(found) < len(stems):
        table = other_words(stems)
        for word in text - stems:
            for root in roots(word):
                if root in table:
                    one, value = table[root]
                    found[one] = max(found.get(one, 0.0), value)
    return found


@lru_cache(maxsize=2048)
def in_other_words(stems: frozenset[str], kind: str) -> Relation | None:
    """A relation of no family as its synonyms tell it; None where it has none."""
    words = frozenset(word for word, (_, value) in other_words(stems).items() if word not in stems)
    return own_words(words, kind)
