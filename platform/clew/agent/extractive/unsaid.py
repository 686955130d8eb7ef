"""Whether a sentence says anything of what is asked, so that a value in it may be believed."""

from __future__ import annotations

import re

from clew.agent.extractive.answer_types import KIND, MEASURED
from clew.agent.extractive.candidates import Candidate, tells_life
from clew.agent.extractive.cues import CUED, KINSHIP
from clew.agent.extractive.evidence import stems
from clew.agent.extractive.lexicon import stem
from clew.agent.extractive.offices import asks_agent, is_lesser
from clew.agent.extractive.reading import asked
from clew.agent.extractive.setting import Setting


def unsaid(s: Setting, c: Candidate, features: dict[str, float]) -> bool:
    """Whether a sentence says nothing of what is asked.

    A date, a number or somebody's place of birth then belongs to something else, and a name that is not like an
    organisation's is none, nor is a relative's that is like nobody's. Of a kind, the sentence has to have the noun.
    """
    if s.hop.expects == KIND:
        named = c.role == "kind" or stem(s.hop.head) in s.sentence.stems
        return not named and not (s.about > 0.9 and _IS_OF_KIND.search(s.hop.template))
    if s.unit is not None and s.unit.search(c.text):
        return False
    if s.hop.relation is not None and s.hop.relation.name in KINSHIP and features["type"] <= 0:
        return True  # who looks like nobody
    if c.role == "span" and s.at and _IN_BRACKETS.fullmatch(s.sentence.text, s.at[1], c.start):
        return False
    if s.relation and s.relation.name == "located" and c.role in ("birth", "death"):
        return not features["overlap"]
    if is_lesser(s.hop, s.sentence) or _measures_another(s):
        return True
    told = max(features.get(name, 0.0) for name in ("direct", "inverse", "attached"))
    if s.hop.relation is None and features.get("similar", 0.0) < ALIKE:
        if told < CUED and "uncued" in features and not features["overlap"] and not _dated_alike(s):
            return True
        if told < SAID and asks_agent(s.hop.template) and _silent(s):
            return True
    if s.hop.expects == "date":
        role = s.relation.role if s.relation else ""
        bracketed = s.sentence.text.rfind("(", 0, c.start) > s.sentence.text.rfind(")", 0, c.start)
        dated = told >= CUED or features.get("role", 0.0) > 0 or bracketed
        silent = role in ("birth", "death") and not dated and not tells_life(s.sentence.text, role)
        return ("uncued" in features or silent) and not features["overlap"]
    if s.hop.expects == "organisation":
        return told < CUED and features["type"] < 0 and not features["overlap"]
    return s.hop.expects == "number" and told < CUED and features["near"] < CUED / 2


def _measures_another(s: Setting) -> bool:
    """Whether a number is asked for by an adjective that the sentence has not, and that no unit tells: "how loud"."""
    measured = _HOW.match(s.hop.template.lower()) if s.hop.expects == "number" and s.unit is None else None
    return measured is not None and not s.age and stem(measured.group(1)) not in s.sentence.stems


_HOW = re.compile(rf"how (?!{'|'.join(MEASURED)})([a-z]+) (?:is|are|was|were) ")
SAID = 0.9
"""How clearly a cue must lead to a value to count where the sentence has no word of what is asked."""


def _dated_alike(s: Setting) -> bool:
    """Whether a sentence has all numbers of a question, as of a day: "3 May: Tarn United (home)"."""
    numbers = re.findall(r"\b\d+\b", re.sub(r"\{\d+\}", " ", s.hop.template))
    return bool(numbers) and all(re.search(rf"\b{number}\b", s.sentence.text) for number in numbers)


ALIKE = 0.25
"""What a cosine must be above the usual for a sentence to tell in other words what is asked."""


def _silent(s: Setting) -> bool:
    """Whether neither a sentence nor its heading has a word of what is asked of the subject, whatever it says of it."""
    predicate = asked(re.sub(r"\{\d+\}", "x", s.hop.template)).predicate - {"x"}
    return bool(predicate) and predicate.isdisjoint(s.sentence.stems | stems(s.sentence.heading))


_IS_OF_KIND = re.compile(r" (?:is|are|was|were)(?: an?| the)? \{\d+\}$")
"""A kind that a page's own definition may tell without the noun: "what type of feature is X"."""


_IN_BRACKETS = re.compile(r"\s?(?:\([^()]*\)\s?)*\((?:[^()]*[;,] )?")
"""What may stand between a name and its years: "Ada Finch (the Gull) (1890–1950)"."""
