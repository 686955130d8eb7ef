"""The same told in other words: which stems of a text say what a question's own words ask, and how surely."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from clew.agent.extractive.lexicon import Relation, own_words, stem, table

DERIVED = 0.9
"""What another word of the same root counts: *execution* for *executed*."""
TOLD_BACK = 0.9
"""How far a cue counts that tells it from the other end."""
SYNONYM = 0.8
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
    lines = [[stem(word) for word in line.split()] for line in table("synonyms.toml")["derived"].strip().splitlines()]
    return {word: frozenset(words[:1]) for words in lines for word in words[1:]}


@lru_cache(maxsize=1)
def _sets() -> dict[str, frozenset[str]]:
    """What tells a word in other words, stems and phrases, by the word's stem."""
    alike: dict[str, set[str]] = defaultdict(set)
    for part in ("verbs", "nouns"):
        for line in table("synonyms.toml")[part].strip().splitlines():
            asked, _, told = (side.split() for side in line.partition(" < "))
            for word in asked:
                if "_" not in word:
                    alike[stem(word)].update(_stem_or_phrase(other) for other in told or asked)
    return {word: frozenset(others - {word}) for word, others in alike.items()}


def _stem_or_phrase(word: str) -> str:
    return word.replace("_", " ") if "_" in word else stem(word)


def _alike(stems: frozenset[str]) -> dict[str, str]:
    """Which of the stems is told by others, which are stems or phrases."""
    roots_of = [(one, root) for one in sorted(stems) for root in roots(one)]
    return {other: one for one, root in roots_of for other in _sets().get(root, ()) if other not in stems}


@lru_cache(maxsize=4096)
def other_words(stems: frozenset[str]) -> Mapping[str, tuple[str, float]]:
    """By root, which of the stems it tells, and how surely."""
    alike = {other: (one, SYNONYM) for other, one in _alike(stems).items() if " " not in other}
    return alike | {root: (one, DERIVED) for one in sorted(stems) for root in roots(one)}


@lru_cache(maxsize=2048)
def in_other_words(stems: frozenset[str], kind: str) -> Relation | None:
    """A relation of no family as other words tell it; None where there are none."""
    phrases = frozenset(other for other in _alike(stems) if " " in other)
    return own_words(frozenset(other_words(stems).keys() - stems), kind, phrases)


@lru_cache(maxsize=1)
def _converses() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Verbs by their stems, and the phrases that tell the same from the other end."""
    lines = [line.partition(" : ") for line in table("synonyms.toml")["converses"].strip().splitlines()]
    return tuple((frozenset(map(stem, a.split())), frozenset(map(_stem_or_phrase, b.split()))) for a, _, b in lines)


@lru_cache(maxsize=2048)
def told_back(stems: frozenset[str], template: str, kind: str) -> Relation | None:
    """A relation of no family as it is told from the other end: *lost to* for *defeated*, and the other way round."""
    verbs: set[str] = set()
    phrases: set[str] = set()
    for ours, theirs in _converses():
        phrased = frozenset(other for other in theirs if " " in other)
        said = own_words(frozenset(), "", phrased)
        if said and said.direct and said.direct.search(template):
            verbs |= ours
        elif not ours.isdisjoint(stems):
            phrases |= phrased
            verbs |= theirs - phrased
    return own_words(frozenset(verbs), kind, frozenset(phrases))


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
