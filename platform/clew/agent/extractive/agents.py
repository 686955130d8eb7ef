"""Who does what a verb says, or holds an office, where the name stands before it: "Jon Vale directed the film"."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.extractive.between import after_aside
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import Relation, acts, in_lower, irregular, stem, vocabulary
from clew.agent.extractive.synonyms import covered, told
from clew.text.names import FUNCTION_WORDS


@lru_cache(maxsize=32_768)
def told_of(relation: Relation, text: str, c: Candidate, wanted: frozenset[str] = frozenset()) -> float:
    """How far a sentence says of a candidate what a relation asks of whom its page is about: "Jon Vale *produced* it",
    "Ada Finch has been its *president* since 2010", "Jon Vale, the club's *secretary*".

    ``wanted`` are the stems of the question's own words.
    """
    if c.inside:
        return 0.0
    return 1.0 if does(relation, text, c) else _is_said(relation, text, c, wanted)


@lru_cache(maxsize=32_768)
def does_so(template: str, text: str, c: Candidate) -> float:
    """How far a candidate does what a sub-question asks of *who*: for "who led the expedition to X" that of "Ada Finch,
    with her brother, led an expedition"; 0 where the question has no object that could tell."""
    deed = _deed(template)
    done = _THEN.match(text, after_aside(text, c.end, len(text))) if deed else None
    if deed is None or done is None:
        return 0.0
    verb, objects = deed
    said = told(stem(done.group(1)), frozenset((verb,)))
    clause = in_lower(text[done.end() : done.end() + CLAUSE]).split(";")[0]
    found = covered(objects, frozenset(map(stem, re.findall(r"[^\W\d_]+", clause))))
    share = sum(found.values()) / len(objects)
    return said[1] * (HALF + (1 - HALF) * share) if said and share else 0.0


CLAUSE = 90
"""Characters behind a verb in which its object stands."""
HALF = 0.5
"""How far somebody who does what a verb says to something else does what is asked."""
_THEN = re.compile(
    r"(?:,? (?:who|also|first|later|then|has|had|have|once|himself|herself|finally|soon|successfully))* ([a-z]+)"
)
_WHO_DOES = re.compile(
    r"(?:who|(?:which|what) [a-z]+) (?:has |have |had |also |first |originally |then |once )*"
    r"(?!(?:is|was|are|were|did|does|do|can|could|would|will|has|have|had|be|been)\b)([a-z]+) (.*)"
)


@lru_cache(maxsize=1024)
def _deed(template: str) -> tuple[str, frozenset[str]] | None:
    """The stem of the verb of "who VERB …", and those of what it is done to; None where a question is no such one."""
    asked = _WHO_DOES.match(template.lower())
    words = re.findall(r"[^\W\d_]+", re.sub(r"\{\d+\}", " ", asked.group(2))) if asked else []
    objects = frozenset(stem(word) for word in words if word not in FUNCTION_WORDS)
    return (stem(asked.group(1)), objects) if asked and objects else None


MIXED = {"ruler": 0.5, "education": 0.9, "founding_date": 0.9, "end_date": 0.9, "team": 0.9}
"""Relations whose cues tell different things, and how far a cue leads to a value where the question has another word:
a secretary is no president, a school that somebody attended not the one of their degree."""


def suits(relation: Relation, cue: str, wanted: frozenset[str]) -> float:
    """How well a cue suits the words that the question has itself: who *graduated* somewhere did not only attend it."""
    said = wanted & relation.words
    if relation.name not in MIXED or not said or not said.isdisjoint({*map(stem, cue.split()), *_LEADING}):
        return 1.0
    other = not (relation.words - _LEADING).isdisjoint(map(stem, cue.split()))
    return MIXED[relation.name] if other or relation.name != "ruler" else 1.0


_LEADING = frozenset(map(stem, "leader head lead led leads ruler ruled rules governs governed manager coach".split()))
"""Stems of words that mean the holder of any office, or several that mean the same."""


def does(relation: Relation, text: str, c: Candidate) -> bool:
    """Whether a candidate does to *it* what the relation's verb says."""
    before = _DOING.match(text, c.end)
    verb = relation.inverse.match(in_lower(text), before.end()) if before and relation.inverse else None
    if verb is None or not _is_verb(verb.group()) or not (done := _IT.match(text, verb.end())):
        return False
    part = done.group().split()[-1]
    return part not in vocabulary("written_parts") or relation.name == "author" or stem(part) in relation.words


def _is_said(relation: Relation, text: str, c: Candidate, wanted: frozenset[str]) -> float:
    """How far a candidate is said to be the relation's noun."""
    for before in (_IS.match(text, c.end), _APPOSED.match(text, c.end)):
        noun = _NOUNS.match(text, before.end()) if before else None
        for start in _starts(noun):
            cue = relation.direct.match(in_lower(text), start) if relation.direct else None
            if cue and _is_noun(cue.group()) and _ENDS.match(text, cue.end()):
                return suits(relation, cue.group(), wanted)
    return 0.0


def _starts(words: re.Match[str] | None) -> list[int]:
    """Where the words of a phrase begin."""
    return [words.start() + m.start() for m in re.finditer(r"\S+", words.group())] if words else []


def of_whom_it_follows(relation: Relation, text: str, cue: re.Match[str], at: tuple[int, int] | None) -> bool:
    """Whether a cue tells of the name before it, which is not the subject's, and so leads to none behind it."""
    verb = relation.inverse is not None and relation.inverse.fullmatch(cue.group()) is not None
    if verb and _is_verb(cue.group()):
        named = _NAME_DOES.search(text, 0, cue.start()) if _IT.match(text, cue.end()) else None
    elif _is_noun(cue.group()) and _ENDS.match(text, cue.end()):
        named = _NAME_IS.search(text, 0, cue.start())
    else:
        return False
    return named is not None and not (at and at[0] < named.end(1) and named.start(1) < at[1])


def _is_verb(cue: str) -> bool:
    return " " not in cue and (acts(cue) or cue in irregular())


def _is_noun(cue: str) -> bool:
    return not acts(cue) and not cue.endswith((" by", " of", " in", " at", " on", " to", " for"))


_ALSO = r"(?:(?:has|had|also|later|first|then|originally|initially|himself|herself|once) )*"
_PERSON = r"[A-ZÀ-Þ][\w’'.-]*(?: (?:(?:of|de|van|von|the) )*[A-ZÀ-Þ][\w’'.-]*)*"
_JOINED = r"(?:[a-z]+(?:ed|ote|t)(?:, (?:and )?| and ))?"
"""Another verb of the same name: "X *wrote and* directed it"."""
_DOING = re.compile(rf"(?: (?:and|&) {_PERSON}|, who)? {_ALSO}{_JOINED}")
_NAME_DOES = re.compile(rf"({_PERSON})(?:, who)? {_ALSO}{_JOINED}$")
_IT = re.compile(
    r" (?:it|them|him|her|(?:the|its|their|this) [a-z][\w-]*)\b|,? (?:and|or) [a-z]+(?:ed|ote|t) (?:it|the)\b"
)
"""What a verb's object is where it stands for what the page is about."""
_BEING = (
    r"(?:(?:has|had) (?:long |also )?been|is|was|became|remained|served|serves|acted|acts|worked"
    r"|was (?:named|appointed|elected|made|hired|chosen))(?: (?:also|then|later|now|still|currently))?(?: as)?"
)
_IS = re.compile(rf"(?:, who|,? which)? {_BEING} (?:the |its |their |an? )?")
_APPOSED = re.compile(r", (?:the|its|their) ")
_NAME_IS = re.compile(rf"({_PERSON})(?:, who|,? which)? {_BEING} (?:the |its |their |an? )?(?:[a-z-]+ ){{0,3}}$")
_NOUNS = re.compile(r"(?:[\w’'-]+ ?){1,4}")
_ENDS = re.compile(r"[.,;]|$| (?:and|from|since|until|in|for|when|at)\b| of (?:the|its|this) [a-z]")
"""What follows a noun that is not that of something else: not "president | of Norland"."""
