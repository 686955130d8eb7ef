"""The value of a span that the reader points at: its form, the list it belongs to, others beside it."""

from __future__ import annotations

import re

from clew.agent.evidence import LIST, Shown
from clew.text.attribute import ADJECTIVES
from clew.text.names import FUNCTION_WORDS, key
from clew.text.outline import block_at
from clew.text.series import items
from clew.text.values import date, dates, in_full, quantities

Span = tuple[int, int]
_PREPOSITION = re.compile(r"^(?:in|at|on|by|from|near|to)\s+(?=\S)", re.IGNORECASE)
_STOP = re.compile(r"(?<=[^\W\d_]{3})\.\Z")
"""The full stop of the sentence behind a month; that of "a.m." stays."""
_SHARE = re.compile(r"%|\bper ?cent(?:age)?\b", re.IGNORECASE)
_SUM = re.compile(
    r"how much (?:do|does|did|will|would|must|can)\b.*\b(?:cost|pay|charge|earn|spend)\b"
    r"(?=\W*\Z| (?:for|to|per|in|at|a)\b)",
    re.IGNORECASE,
)
_STATES = re.compile(r"(?P<subject>(?:[\w'’-]+\s+){1,6})(?:is|are|was|were)\s+(?=\S)")


def answer_span(question: str, text: str, span: Span, expects: str) -> str:
    """The value of ``span`` of ``text`` in the form that ``question`` expects: with its unit, without "in" or "by"."""
    value = text[slice(*in_full(text, *span))]
    if expects in ("place", "person", "organisation", "date", "year"):
        value = _PREPOSITION.sub("", value)
    if expects == "year" and (day := date(value)) and day[0] > 0:
        return str(day[0])
    return _STOP.sub("", value) if expects in ("date", "year") else _bare(question, value)


def of_other_measure(question: str, value: str) -> bool:
    """Whether a value is a share where a sum of money is asked for, or none where a share is."""
    is_share = _SHARE.search(value) is not None
    return not is_share if _SHARE.search(question) else is_share and _SUM.match(question) is not None


def listed(one: Shown, span: Span) -> str:
    """All items of the list that ``span`` is in; empty where it is in none."""
    text, here = one.text.text, block_at(one.blocks, one.start + span[0])
    if here is not None and here.kind == "item":
        at = one.blocks.index(here)
        first = last = at
        while first and one.blocks[first - 1].kind == "item":
            first -= 1
        while last + 1 < len(one.blocks) and one.blocks[last + 1].kind == "item":
            last += 1
        found = [one.words(block).strip(" -*•") for block in one.blocks[first : last + 1] if block.level == here.level]
    else:
        found = [text[a:b].strip(" *_") for a, b in items(text, *span)]
    return LIST.join(found) if len(found) > 1 else ""


def is_one_of_several(sentence: str, value: str) -> bool:
    """Whether a sentence holds another date or quantity beside the value that is one, or the value is one of a list."""
    at = sentence.find(value)
    own = (at, at + len(value))
    for found in (dates(sentence), quantities(sentence)):
        if any(a < own[1] and own[0] < b for a, b in found):
            return len(found) > 1
    return sum(sentence[a].isupper() == value[:1].isupper() for a, _ in items(sentence, *own)) > 1


def _bare(question: str, value: str) -> str:
    """A value without words of the question around it: "the rent is €2,600", "44 metres tall"."""
    asked = set(key(question).split())
    subject = _STATES.match(value)
    if subject and set(key(subject["subject"]).split()) - FUNCTION_WORDS <= asked and subject.end() < len(value):
        value = value[subject.end() :]
    head, _, last = value.rpartition(" ")
    return head if head and last.islower() and last in ADJECTIVES and last in asked else value
