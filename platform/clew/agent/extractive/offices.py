"""Who holds an office: whether a question asks so, and whom a sentence says to hold or to have left it."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.evidence import Sentence
from clew.agent.extractive.lexicon import stem, vocabulary
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.reading import has_role


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
