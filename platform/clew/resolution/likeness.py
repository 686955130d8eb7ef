"""How alike two names are, and what speaks against their being one: evidence with weights and reasons.

The score is that of Fellegi and Sunter (1969): every piece of evidence adds its weight, the logarithm of how much more
often it is seen between names of one thing than between namesakes, and the sum becomes a probability. The weights were
set by hand on one world of ``benchmarks.namesakes`` and are measured on others (docs/benchmarks.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rapidfuzz.distance import OSA

from clew.resolution.name import DISTINCT, FEMALE, MALE, OPPOSITES, Name, plain_spelling
from clew.text.names import JOINING

SAME, ORDER, JOINED, TYPO, INITIALS, DROPPED, ACRONYM = 5.0, 1.6, 1.6, 3.2, 0.8, 0.8, 0.8
"""Weights of the ways in which two names are alike."""
SECOND_TYPO, FIRST_LETTER, SHORT_WORD, MIXED = -1.2, -2.0, -1.2, -0.5
BOTH_KNOWN, NEITHER_KNOWN = -5.0, -1.6
"""Weights of a typing error between two words that several names have, and between two that no other name has."""
GENERATION, RANK = -6.0, -4.0
"""Weights of junior or senior in one name alone, and of other ranks."""
SINGLE, JOINER, ENDING = -2.0, -0.8, -1.5
"""Weights of there being one word only, of words left out of a name such as "Count of X", and of an ending more."""
INVERTED, TURNED, TWO_LETTERS = 2.0, 1.0, -1.0
"""Weights of "Lovelace, Ada", of the last of several words standing first, and of an acronym of two letters."""
SHORTEST_JOINED = 5
"""Letters of a name that may be written as one word or as several."""
RARE, RARE_BELOW = 0.6, 5
"""Weight of a word that both have and fewer than so many names of the graph."""
SHORTEST_TYPO, SHORT, LONG_WORD = 4, 5, 8
"""Letters of a word that may have a typing error, of one that is more often another word, and of one that may have two
errors."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something that speaks for two names being one (weight above 0) or against it, in words."""

    weight: float
    reason: str


AGAINST = -3.5
"""Weight from which on evidence rules out that two names are in one cluster, whatever else they share."""

Likeness = tuple[str, list[Evidence]]
"""The way in which two names are alike (``same``, ``typo``, ``initials``, ``dropped`` or ``acronym``), and why."""

WEAK = frozenset({"initials", "dropped", "acronym"})
"""Ways in which several things may be called the same."""


class _Reader(NamedTuple):
    """How many names have a word, and how many errors a word may have for one that is usual."""

    known: Mapping[str, int]
    errors: int


@dataclass(slots=True)
class _Aligned:
    """What it takes to read one name as another, word by word."""

    equal: list[str]
    initials: int = 0
    dropped: int = 0
    typos: int = 0
    first_letters: int = 0
    short: int = 0
    known: int = 0
    unknown: int = 0


def may_be_one(a: Name, b: Name, known: Mapping[str, int]) -> bool:
    """Whether two names may be of one thing that has a third name too: each of the two may have errors of its own."""
    found = likeness(a, b, known, errors=2)
    return found is not None and not ruled_out(found[1])


def ruled_out(evidence: Sequence[Evidence]) -> bool:
    """Whether something in the evidence is enough to keep two names apart."""
    return any(one.weight <= AGAINST for one in evidence)


def score(evidence: Sequence[Evidence]) -> float:
    """The probability that evidence adds up to, from 0 to 1."""
    total = sum(one.weight for one in evidence)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def conflict(a: Name, b: Name) -> str:
    """Why two names cannot be of one thing, or nothing."""
    if a.numbers != b.numbers:
        return "other numbers"
    if a.generation and b.generation and a.generation != b.generation:
        return "junior and senior"
    if (a.titles & MALE and b.titles & FEMALE) or (a.titles & FEMALE and b.titles & MALE):
        return "titles of different sexes"
    only_a, only_b = set(a.words) - set(b.words), set(b.words) - set(a.words)
    if any(only_a & group and only_b & group for group in OPPOSITES):
        return "opposite words"
    return ""


def likeness(a: Name, b: Name, known: Mapping[str, int], *, errors: int = 1) -> Likeness | None:
    """How two names may be one, or None where they may not; ``known`` counts the names that have a word.

    A typing error is believed where one of the two words is hardly known: words that many names have are names. Both
    names may have ``errors``.
    """
    if conflict(a, b):
        return None
    found = _same(a, b, known) or _acronym(a, b) or _alike(a, b, known, errors)
    if found is None:
        return None
    if a.titles and b.titles and a.titles != b.titles:
        found[1].append(Evidence(RANK, "other titles"))
    if a.generation != b.generation:
        found[1].append(Evidence(GENERATION, f"only one is called {a.generation or b.generation}"))
    return found


def _same(a: Name, b: Name, known: Mapping[str, int]) -> Likeness | None:
    joined = "".join(a.spelt)
    if len(joined) < SHORTEST_JOINED and a.capitals != b.capitals:
        return None  # "MA" is no "Ma"
    if a.spelt == b.spelt:
        return "same", [Evidence(SAME, "the same words")]
    if sorted(a.spelt) == sorted(b.spelt):
        evidence = [Evidence(ORDER, "the same words in another order"), *_rare(a.words, known)]
        if a.inverted != b.inverted:
            evidence.append(Evidence(INVERTED, "one is written with its last name first"))
        elif len(a.spelt) > 2:
            turned = (*a.spelt[1:], a.spelt[0]) == b.spelt or (*b.spelt[1:], b.spelt[0]) == a.spelt
            evidence.append(Evidence(TURNED if turned else -TURNED, f"the order is {'' if turned else 'not '}turned"))
        return "same", evidence
    if joined == "".join(b.spelt):
        return "same", [Evidence(JOINED, "the same letters")]
    return None


def _acronym(a: Name, b: Name) -> Likeness | None:
    for short, long in ((a, b), (b, a)):
        if short.capitals and short.words[0] in long.acronyms:
            evidence = [Evidence(ACRONYM, "the first letters of the other's words")]
            return "acronym", evidence + [Evidence(TWO_LETTERS, "only two letters")] * (len(short.words[0]) < 3)
    return None


def _alike(a: Name, b: Name, known: Mapping[str, int], errors: int) -> Likeness | None:
    """Word by word; one may have its last word first."""
    long, short = (a.words, b.words) if len(a.words) >= len(b.words) else (b.words, a.words)
    turned = [short] if len(short) < 2 else [short, (*short[1:], short[0]), (short[-1], *short[:-1])]
    for n, words in enumerate(turned):
        aligned = _align(long, words, _Reader(known, errors), turned=n > 0)
        if aligned is None:
            continue
        if aligned.dropped and (a.several != b.several or (set(long) - set(words)) & DISTINCT):
            continue
        evidence = _weigh(aligned, known)
        if n:
            evidence.append(Evidence(MIXED, "in another order"))
        if aligned.dropped and JOINING & set(long):
            evidence.append(Evidence(JOINER, "words of what it is are left out"))
        if len(long) == 1:
            evidence.append(Evidence(SINGLE, "only one word"))
            if long[0].startswith(words[0]) or words[0].startswith(long[0]):
                evidence.append(Evidence(ENDING, "one has an ending more"))
        kinds = [("initials", aligned.initials), ("dropped", aligned.dropped), ("typo", aligned.typos)]
        kind = next((kind for kind, times in kinds if times), None)
        return (kind, evidence) if kind else None
    return None


def _weigh(aligned: _Aligned, known: Mapping[str, int]) -> list[Evidence]:
    evidence = []
    if aligned.typos:
        evidence.append(Evidence(TYPO, "a typing error apart" if aligned.typos == 1 else "typing errors apart"))
        if aligned.typos > 1:
            evidence.append(Evidence(SECOND_TYPO * (aligned.typos - 1), f"{aligned.typos} letters differ"))
        if aligned.first_letters:
            evidence.append(Evidence(FIRST_LETTER, "a first letter differs"))
        if aligned.short:
            evidence.append(Evidence(SHORT_WORD, "the word is short"))
        if aligned.known:
            evidence.append(Evidence(BOTH_KNOWN, "both spellings are names elsewhere"))
        elif aligned.unknown:
            evidence.append(Evidence(NEITHER_KNOWN, "no other name has either spelling"))
    ways = [
        (aligned.initials, INITIALS, "initials of the other's words"),
        (aligned.dropped, DROPPED, "middle names left out"),
    ]
    weak = [Evidence(weight, reason) for times, weight, reason in ways if times]
    if weak and aligned.typos:
        # The weakest way in which they are alike decides.
        evidence = [Evidence(MIXED + min(0.0, sum(one.weight for one in evidence[1:])), "and a typing error apart")]
    evidence = [*weak[:1], *(Evidence(2 * MIXED, one.reason) for one in weak[1:]), *evidence]
    return evidence + _rare(aligned.equal, known)


def _rare(words: Sequence[str], known: Mapping[str, int]) -> list[Evidence]:
    rarest = min((known.get(word, 0) for word in words if len(word) > 2), default=RARE_BELOW)
    return [Evidence(RARE, "a rare word in both")] if rarest < RARE_BELOW else []


def _align(long: tuple[str, ...], short: tuple[str, ...], reader: _Reader, *, turned: bool) -> _Aligned | None:
    """Read ``short`` as ``long``: first and last words must fit, and the others in their order.

    The last name, which is the first word where the order is ``turned``, is no initial.
    """
    aligned = _Aligned([])
    if len(short) == 1 and len(long) > 1:
        return None
    ends = [(long[-1], short[-1])] if len(short) == 1 else [(long[-1], short[-1]), (long[0], short[0])]
    whole = 0 if turned and len(short[-1]) == 1 else -1
    if len(long[whole]) == 1 or len(short[whole]) == 1 or not all(_fit(u, v, aligned, reader) for u, v in ends):
        return None
    rest = list(long[1:-1])
    for word in short[1:-1]:
        while rest and not _fit(rest[0], word, aligned, reader):
            rest.pop(0)
            aligned.dropped += 1
        if not rest:
            return None
        rest.pop(0)
    aligned.dropped += len(rest)
    if reader.errors > 1 or any(len(word) > 2 for word in aligned.equal):
        return aligned
    least = SHORTEST_TYPO + 2 if len(long) == 1 else LONG_WORD
    return aligned if aligned.typos == 1 and len(short[-1]) >= least else None


def _fit(u: str, v: str, aligned: _Aligned, reader: _Reader) -> bool:
    if plain_spelling(u) == plain_spelling(v):
        aligned.equal.append(u)
        return True
    if min(len(u), len(v)) == 1:
        aligned.initials += u[0] == v[0]
        return u[0] == v[0]
    if min(len(u), len(v)) < SHORTEST_TYPO:
        return False
    most = reader.errors * (2 if min(len(u), len(v)) >= LONG_WORD else 1)
    distance = OSA.distance(u, v, score_cutoff=most)
    if distance > most:
        return False
    aligned.typos += distance
    aligned.first_letters += u[0] != v[0]
    aligned.short += max(len(u), len(v)) <= SHORT
    few, many = sorted((reader.known.get(u, 0), reader.known.get(v, 0)))
    aligned.known += few > 2 or (few == 2 and many < 4)
    aligned.unknown += many < 2
    return True
