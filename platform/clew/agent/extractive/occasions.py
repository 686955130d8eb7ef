"""Of what occasion a sentence tells: in which year's work, whether only planned."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.evidence import Page, Sentence
from clew.agent.extractive.quantities import date_parts

NUMBER = re.compile(r"\b\d{3,4}\b")
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_DEFINED = re.compile(r"\b(?:is|was) (?:an?|the) (?:[A-ZÀ-Þ][\w-]+ )?((?:1\d|20)\d\d)\b")


def unmet(template: str, sentence: Sentence, page: Page) -> float:
    """How many of a sub-question's numbers neither a sentence nor what it builds on has.

    The year of a work ("the 1964 film") may stand anywhere on its page, unless the page defines another year's.
    """
    text = _EARLIER.sub("", f"{sentence.title} {sentence.text}")
    if not _YEAR.search(sentence.text):
        text += sentence.previous  # which has said of which year both speak
    missing = 0
    for number in NUMBER.findall(template):
        if _names_work(template, number):
            defined = _DEFINED.search(page.lead)
            missing += defined.group(1) != number if defined else number not in text + _told(page)
        else:
            missing += number not in text
    return float(missing)


_EARLIER = re.compile(r"\b(?:sequel|prequel|follow-up|remake|spin-off|adaptation) (?:to|of) [^,.;]*")
"""A work that another one builds on, whose year is not its own."""


OPENING = 3
"""Sentences of a page in which it says of which year its subject is."""


def _told(page: Page) -> str:
    return _EARLIER.sub("", " ".join(sentence.text for sentence in page.sentences if sentence.index < OPENING))


@lru_cache(maxsize=1024)
def _names_work(template: str, number: str) -> bool:
    """Whether a year only says which work is meant: "the 1964 film", "the 1964 {0}", "{0} 1964"."""
    return re.search(rf"\b[Tt]he {number} (?:[a-z]|\{{)|\}} {number}\b", template) is not None


def planned(text: str, question: str) -> bool:
    """Whether a sentence only tells of a plan, where a question in lower case asks when it was carried out."""
    return _CARRIED_OUT.match(question) is not None and _PLAN.search(text) is not None


_CARRIED_OUT = re.compile(r"(?:when|(?:in |on )?(?:what|which) (?:year|date|day|month)) (?:was|were|did)\b")
_PLAN = re.compile(
    r"\b(?:plan(?:s|ned)?|intend(?:s|ed)?|propose[sd]?|hope[sd]?|agreed|offered|expect(?:s|ed)) to (?!have\b)[a-z]+"
)


def long_before(text: str, c: Candidate) -> bool:
    """Whether a date only says since when something had not been so: "for the first time since 1962"."""
    return _SINCE_NOT.search(text, 0, c.start) is not None


_SINCE_NOT = re.compile(r"\b(?:not|never|n[’']t|no|nobody|none|first|only)\b[^.;]*\bsince (?:the |early |late )?$")


def of_another_year(question: str, c: Candidate) -> bool:
    """Whether a date is not of the year that a question in lower case names: "when does it start again in 2018"."""
    asked = _IN_YEAR.search(question)
    told = _YEAR.findall(c.text)
    return asked is not None and bool(told) and asked.group(1) not in told


_IN_YEAR = re.compile(r"^when (?!.*\b(?:that|which|who|whose|after|before|since)\b).* in ((?:1\d|20)\d\d)\W*$")


def latest(question: str, c: Candidate, dates: tuple[str, ...]) -> float:
    """-1 for a date that is not the latest of its sentence where a question in lower case asks for the last time, or
    not the earliest where it asks for the first; else 0."""
    asked = _ORDER.search(question)
    own = date_parts(c.text)
    others = [parts for date in dates if (parts := date_parts(date)) and parts != own]
    if asked is None or not own or not others:
        return 0.0
    last = asked.group(1) != "first"
    return -float(any((own < one) is last for one in others))


_ORDER = re.compile(r"\b(first|last|latest|most recent) time\b")
