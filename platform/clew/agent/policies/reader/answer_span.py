"""What a question asks for of several values: that of a year, an end of a period, all items of a list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from clew.agent.evidence import LIST, Shown
from clew.text.attribute import ADJECTIVES
from clew.text.names import FUNCTION_WORDS, key
from clew.text.outline import block_at
from clew.text.series import items
from clew.text.values import date, dates, in_full, moment, period, quantities

Span = tuple[int, int]
_PREPOSITION = re.compile(r"^(?:in|at|on|by|from|near|to)\s+(?=\S)", re.IGNORECASE)
_END = re.compile(
    r"\b(?:die[ds]?|death|end(?:s|ed|ing)?|until|till|last|clos(?:e[ds]?|ing)|expir(?:es?|ed|y)|finish(?:es|ed)?|left|"
    r"leaves?|retire[ds]?|resign(?:s|ed)?|stop(?:s|ped)?|cease[ds]?|complet(?:e[ds]?|ion))\b",
    re.IGNORECASE,
)
_BEGIN = re.compile(
    r"\b(?:beg[aiu]ns?|beginning|start(?:s|ed)?|from when|since|open(?:s|ed)?|join(?:s|ed)?|commence[ds]?)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\bfrom when (?:to|until|till) when\b|\b(?:what|which) period\b|\bbetween (?:which|what)\b", re.I)
_YEAR = re.compile(r"\b[12]\d{3}\b")
_STOP = re.compile(r"(?<=[^\W\d_]{3})\.\Z")
"""The full stop of the sentence behind a month; that of "a.m." stays."""
_STATES = re.compile(r"(?P<subject>(?:[\w'’-]+\s+){1,6})(?:is|are|was|were)\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A value as it is asked for, and whether its sentence leaves no doubt that it is this one of several.

    ``chosen`` says that it is the one beside the question's year, ``implied`` are the words of the question that ask
    for this end of a period.
    """

    value: str
    clear: bool = True
    chosen: bool = False
    implied: str = ""


def asked_span(question: str, text: str, sentence: Span, span: Span, expects: str) -> Asked | None:
    """The value that ``question`` asks for where the reader points at ``span``; None where it asks for another."""
    span = in_full(text, *span)
    clear, chosen, implied = True, False, ""
    if expects in ("date", "year"):
        found = _of_period(question, text, sentence, span)
        if found is None:
            return None
        span, implied = found
        clear = len(dates(text[slice(*sentence)])) < 2 or bool(implied)
    else:
        span, clear, chosen = _of_year(question, text, sentence, span)
    value = text[slice(*span)]
    if expects in ("place", "person", "organisation", "date", "year"):
        value = _PREPOSITION.sub("", value)
    if expects == "year" and not _WHOLE.search(question) and (told := date(value)) and told[0] > 0:
        value = str(told[0])
    if expects == "date":
        value = _STOP.sub("", value)
    return Asked(value if expects in ("date", "year") else _bare(question, value), clear, chosen, implied)


def listed(one: Shown, span: Span, *, plural: bool) -> str:
    """All items of the list that ``span`` is in; empty where it is in none.

    ``plural`` says that a question asks for several; else a list of three or more is one answer, because one item is
    none.
    """
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
    return LIST.join(found) if len(found) >= (2 if plural else 3) else ""


def is_one_of_several(sentence: str, value: str) -> bool:
    """Whether a sentence holds another date or quantity beside the value that is one, or the value is one of a list."""
    at = sentence.find(value)
    own = (at, at + len(value))
    for found in (dates(sentence), quantities(sentence)):
        if any(a < own[1] and own[0] < b for a, b in found):
            return len(found) > 1
    return sum(sentence[a].isupper() == value[:1].isupper() for a, _ in items(sentence, *own)) > 1


def _of_period(question: str, text: str, sentence: Span, span: Span) -> tuple[Span, str] | None:
    """The date that is asked for, an end of a period where it is in one, and the words that ask for this end."""
    whole = period(text, *span)
    ends, begins = _END.search(question), _BEGIN.search(question)
    asked = ends or begins
    if whole is None:
        found = None if _WHOLE.search(question) else _led(text, sentence, span, ends=bool(ends), begins=bool(begins))
        return (_moment(question, text, found), asked[0] if asked else "") if found else None
    if _WHOLE.search(question) or not (asked or dates(text[whole[0][0] : whole[1][1]])):
        return _moment(question, text, (whole[0][0], whole[1][1])), ""
    if not asked and not (span[0] <= whole[0][0] and whole[1][1] <= span[1]):
        return span, ""
    return whole[1 if ends else 0], asked[0] if asked else ""


def _moment(question: str, text: str, span: Span) -> Span:
    """The span, where "when" is asked for with the day and the time of the day around it."""
    return moment(text, *span) if question.lower().startswith("when") else span


def _led(text: str, sentence: Span, span: Span, *, ends: bool, begins: bool) -> Span | None:
    """The date of a sentence that a word of ending or beginning leads, where one is asked for; None where only the
    other one is told.
    """
    told = [(a, b) for a, b in dates(text[: sentence[1]]) if a >= sentence[0]]
    if ends == begins or not told:
        return span
    leads = [text[a:b] for a, b in zip([sentence[0], *(b for _, b in told)], (a for a, _ in told), strict=False)]
    wanted, other = (_END, _BEGIN) if ends else (_BEGIN, _END)
    own = [at for at, lead in zip(told, leads, strict=True) if wanted.search(lead)]
    if own:
        return own[0]
    return None if any(other.search(lead) for lead in leads) else span


def _of_year(question: str, text: str, sentence: Span, span: Span) -> tuple[Span, bool, bool]:
    """The value of the question's year, whether it is clear, and whether it was chosen of several by its order."""
    asked, inside = _YEAR.findall(question), text[slice(*sentence)]
    marks = [match.span() for match in _YEAR.finditer(inside)]
    if len(asked) != 1 or len({inside[slice(*mark)] for mark in marks}) < 2:
        return span, True, False
    values = quantities(inside)
    mark = next((mark for mark in marks if inside[slice(*mark)] == asked[0]), None)
    right = _beside(inside, mark, marks, values) if mark else None
    return ((sentence[0] + right[0], sentence[0] + right[1]), True, True) if right else (span, False, False)


def _beside(text: str, mark: Span, marks: list[Span], values: list[Span]) -> Span | None:
    """The value that stands with a year, where years and values alternate, or do so between brackets and semicolons."""
    borders = [0, *(match.start() for match in re.finditer(r"[;()\n]", text)), len(text)]
    for a, b in pairwise(borders):
        if a <= mark[0] < b:
            own = sorted([(m, True) for m in marks if a <= m[0] < b] + [(v, False) for v in values if a <= v[0] < b])
            kinds = [is_mark for _, is_mark in own]
            if len(own) % 2 or any(x == y for x, y in pairwise(kinds)):
                return None
            at = next(n for n, (span, _) in enumerate(own) if span == mark)
            return own[at + 1 if kinds[0] else at - 1][0]
    return None


def _bare(question: str, value: str) -> str:
    """A value without words of the question around it: "the rent is €2,600", "44 metres tall"."""
    asked = set(key(question).split())
    told = _STATES.match(value)
    if told and set(key(told["subject"]).split()) - FUNCTION_WORDS <= asked and told.end() < len(value):
        value = value[told.end() :]
    head, _, last = value.rpartition(" ")
    return head if head and last.islower() and last in ADJECTIVES and last in asked else value
