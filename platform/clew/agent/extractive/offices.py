"""Who holds an office: whether a question asks so, and whom a sentence says to hold or to have left it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.evidence import Sentence
from clew.agent.extractive.lexicon import in_lower, stem, vocabulary
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.reading import has_role


@lru_cache(maxsize=8192)
def in_order(hop: Hop, wanted: frozenset[str], text: str, c: Candidate) -> float:
    """Whether a candidate is said to be the first, the last or the present one as is asked, −1 where another one.

    ``wanted`` are the stems of the question's own words: one of them stands beside the word for the order. Where
    somebody's office is asked for in the present, the present holder is meant.
    """
    asked = _place(_ORDER.findall(hop.template.lower())[:1])
    if not asked and asks_office(hop) and _NOW.match(hop.template.lower()):
        asked = "now"
    if not asked:
        return 0.0
    if asked == "now" and _STILL.match(text, c.end):
        return 1.0
    nouns = (wanted | _HOLDER) - _ORDERED
    lowered = in_lower(text)
    before, after = _ORDER_BEFORE.search(lowered, 0, c.start), _ORDER_AFTER.match(lowered, c.end)
    for told in (before, after):
        if told and not nouns.isdisjoint(map(stem, told.group(2).split())):
            return 1.0 if _place([told.group(1)]) == asked else -1.0
    return 1.0 if asked == "now" and _INCUMBENT.search(text, 0, c.start) else 0.0


def _place(words: Sequence[str]) -> str:
    """The place in an order that a word says, each in one form; empty where there is none."""
    return next((_PLACES.get(word, word) for word in words), "")


_PLACES = {
    **dict.fromkeys("1st inaugural founding earliest original".split(), "first"),
    **dict.fromkeys("current present incumbent new newest latest sitting reigning".split(), "now"),
    **dict.fromkeys("final".split(), "last"),
    **dict.fromkeys("previous ex".split(), "former"),
    **{"2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth", "6th": "sixth", "7th": "seventh"},
}
_ORDER = re.compile(
    r"\b(first|1st|inaugural|earliest|original|current|present|incumbent|new|newest|latest|sitting|reigning|last|final"
    r"|former|previous|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))\b"
)
_ORDERED = frozenset(map(stem, _ORDER.pattern.replace("\\b", "").strip("()").split("|")))
_HOLDER = frozenset(map(stem, "holder person man woman one".split()))
"""Stems of words for whoever holds an office."""
_NOW = re.compile(r"(?:who|what) (?:is|are) |(?:the )?[a-z -]+ of ")
_STILL = re.compile(
    r"[^.;A-ZÀ-Þ]{0,40}\b(?:since (?:[A-ZÀ-Þ]\w+ )?(?:\d{1,2},? )?(?:[A-ZÀ-Þ]\w+ )?\d{4}|present\b|incumbent\b)"
)
"""What tells that somebody is still in office: "X since 2013", "X, 2014 – present"."""
_INCUMBENT = re.compile(r"\b[Ii]ncumbent(?: [a-z]+)?,? (?:is |the )?$")
_ORDER_BEFORE = re.compile(
    rf"{_ORDER.pattern}((?: [\w’'-]+){{0,8}}?),?(?: (?:is|was|named|called|being|became))?(?: the)? $"
)
_ORDER_AFTER = re.compile(
    rf"(?: \([^()]*\))?,? (?:who )?(?:is|was|became|remains|as|the|being|had been|has been|served as)?(?: also)? ?"
    rf"(?:the |its |their |an? )?(?:[\w-]+ ){{0,2}}?{_ORDER.pattern}((?: [\w’'-]+){{1,6}})"
)


@lru_cache(maxsize=1024)
def asks_agent(template: str) -> bool:
    """Whether a sub-question asks who does what its verb says: "who won X", "the team that won X"."""
    return _AGENT.search(template.lower()) is not None


_AGENT = re.compile(
    r"\b(?:who|that|which) (?:has |have |had |also |first )*"
    r"(?!(?:is|was|are|were|did|does|do|can|could|would|will|has|have|had|be|been|the|an?|of|in|on|at|to|from)\b)"
    r"[a-z]+ "
)


def asks_office(hop: Hop) -> bool:
    """Whether a hop asks who holds an office: "secretary of X", not "who maintains X" or "daughter of X"."""
    return (
        hop.expects == "person"
        and (hop.relation is None or hop.relation.name == "ruler")
        and not asks_agent(hop.template)
    )


def holds(hop: Hop, wanted: frozenset[str], text: str, c: Candidate) -> bool:
    """Whether a candidate has an office as its title, or the sentence calls it so: "the secretary, Lena Fischer"."""
    title, _, name = c.text.partition(" ")
    if c.kind != "name" or not hop.head:
        return False
    return (name[:1].isupper() and stem(title) == stem(hop.head)) or has_role(wanted, text, c)


def of_another_office(hop: Hop, sentence: Sentence) -> bool:
    """Whether a sentence speaks of another office than is asked for: a governor is no president."""
    offices = vocabulary("offices")
    other = stem(hop.head) not in sentence.stems and not sentence.stems.isdisjoint(map(stem, offices))
    return hop.head in offices and other


def is_lesser(hop: Hop, sentence: Sentence) -> bool:
    """Whether a lesser office is asked for than a sentence tells of: a commodore is no vice-commodore."""
    lesser = _LESSER.search(hop.template.lower())
    return lesser is not None and lesser.group(1) not in sentence.folded.split()


_LESSER = re.compile(r"\b(vice|deputy|assistant|co|ex|acting)[- ][a-z]{3,}")


def has_left(hop: Hop, text: str, c: Candidate) -> bool:
    """Whether somebody only left an office to another: the Dale of "X was chosen, replacing Dale"."""
    return (
        asks_office(hop) and not _PAST.search(hop.template.lower()) and _REPLACED.search(text, 0, c.start) is not None
    )


_PAST = re.compile(r"\b(?:former|previous|first|last|old|in \d{4}|before|succeeded|replaced|was|did|had)\b")
_REPLACED = re.compile(
    r"\b(?:replac(?:ing|ed|es)|succeed(?:ing|ed|s)|defeating|replacement for|successor (?:of|to)|instead of|in place of"
    r"|taking over from) (?:[a-z]+ ){0,2}$"
)
