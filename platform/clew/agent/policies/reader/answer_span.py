"""What a question asks for, of what the reader points at: the end of a period, the value of a year, the whole list.

A reader finds the sentence better than it finds the value in it, where a sentence holds several. What its words and
signs say without doubt is decided here; where they leave it open, the value is never sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.agent.evidence import LIST
from clew.text.attribute import ADJECTIVES
from clew.text.mentions import mentions_all
from clew.text.names import FUNCTION_WORDS, key
from clew.text.series import Span, beside, items
from clew.text.values import date, dates, measures, moment, period, periods, quantities
from clew.text.verbs import stem

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
_UNTIL = re.compile(r"\b(?:until|till|end(?:s|ed)?|close[ds]?|expire[ds]?|shuts?)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:(?:from|since) when|beg[ai]ns?|start(?:s|ed)?|opens?|commence[ds]?)\b", re.IGNORECASE)
"""Words that ask for an end of what a sentence tells of as a period; who dies or leaves does not end it."""
_HOW_LONG = re.compile(r"(?:for )?how long\b", re.IGNORECASE)
_WHEN = re.compile(r"when\b", re.IGNORECASE)
_STOP = re.compile(r"(?<=[^\W\d_]{3})\.\Z")
"""The full stop of the sentence behind a month; that of "a.m." stays."""
_TILL = re.compile(r"\b(?:until|till)\s+\Z", re.IGNORECASE)
_PAST = re.compile(r"\b(?:did|was|were)\b", re.IGNORECASE)
_VERSION = re.compile(r"\b(?:version|release|edition|revision|rev\.?|v)\s?(?P<number>\d+(?:\.\d+)*)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b[12]\d{3}\b")
_CURRENCY = re.compile(r"(?:[A-Z]{3}|[€$£¥])\s?\Z")
_MANY = re.compile(r"how many (?P<noun>[\w-]+)", re.IGNORECASE)
_UNIT = 24
"""Characters behind a number in which its unit may stand."""
_STATES = re.compile(r"(?P<subject>(?:[\w'’-]+\s+){1,6})(?:is|are|was|were)\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A value as it is asked for, and whether its sentence leaves no doubt that it is this one of several."""

    value: str
    clear: bool = True


def asked_for(question: str, text: str, sentence: Span, span: Span, expects: str) -> Asked | None:
    """The value that ``question`` asks for where the reader points at ``span``; None where it asks for another."""
    if _other_version(question, text[slice(*sentence)]):
        return None
    clear = True
    if expects in ("date", "year"):
        found = _dated(question, text, sentence, span)
        if found and _WHEN.match(question) and not (_END.search(question) or _BEGIN.search(question)):
            found = moment(text, *found[0]), found[1]
    else:
        found = _of_year(question, text, sentence, span)
    if found is None:
        return None
    span, clear = found
    value = text[slice(*span)]
    if expects in ("place", "person", "organisation", "date", "year"):
        value = _PREPOSITION.sub("", value)
    if expects == "date":
        value = _STOP.sub("", value)
    if expects == "number" and not _counts(question, text, span):
        return None
    if expects == "year" and not _WHOLE.search(question) and (told := date(value)) and told[0] > 0:
        value = str(told[0])
    return Asked(value if expects in ("date", "year") else _bare(question, value), clear)


def end_asked(question: str, text: str, span: Span) -> str:
    """The words of a question that ask for an end of the period that ``span`` is in: the sentence says them by it."""
    if period(text, *span) is None:
        return ""
    return " ".join(match.group() for asked in (_BEGIN, _END) for match in asked.finditer(question))


def listed(text: str, span: Span, *, plural: bool) -> str:
    """All items of the list that ``span`` is in, where the question asks for more than one; empty where it is in none.

    ``plural`` says that it asks for several; else a list of three or more is one answer, because one item is none.
    """
    found = items(text, *span)
    if len(found) < (2 if plural else 3):
        return ""
    return LIST.join(text[a:b].strip(" *_") for a, b in found)


def is_one_of_several(question: str, text: str, sentence: Span, span: Span) -> bool:
    """Whether the sentence holds another value of the kind of ``span``, so that it may be that of something else.

    A quantity that measures the same counts, and an item of the same list; not a year or version that is asked for.
    """
    inside = text[slice(*sentence)]
    if len(_YEAR.findall(question)) == 1 and len(set(_YEAR.findall(inside))) > 1:
        return False  # ``_of_year`` has chosen
    a, b = span[0] - sentence[0], span[1] - sentence[0]
    told = quantities(inside)
    own = [at for at in told if at[0] < b and a < at[1]]
    kinds = {_measured(inside, at) for at in own} - {""}
    if own or dates(inside[a:b]):
        return len(own) > 1 or any(at not in own and _measured(inside, at) in kinds for at in told)
    found = items(text, *span)
    words = len(text[slice(*span)].split())
    is_item = any(a < span[1] and span[0] < b and len(text[a:b].split()) <= 2 * words for a, b in found)
    is_name = text[span[0]].isupper()
    return is_item and any(text[a].isupper() == is_name for a, b in found if b <= span[0] or span[1] <= a)


def period_of(question: str, names: Sequence[str], title: str, sentence: str) -> str:
    """What a sentence that tells of a period says to a question for it, or for one end of it; else empty.

    Where it asks from when to when, the sentence must have all that the question names. Where it asks for an end, or
    how long something was so, it must tell of one period alone, and have every other word of the question.
    """
    told, near = periods(sentence), f"{title} {sentence}"
    if _WHOLE.search(question):
        if not told or not names or not mentions_all(near, names):
            return ""
        return sentence[told[0][0][0] : told[0][1][1]]
    lasted = _HOW_LONG.match(question) and len(told) == 1
    end = (told[0][0][0], told[0][1][1]) if lasted else _end_of_one(question, told)
    if end is None:
        return ""
    stems = {stem(word) for word in key(near).split()}
    asked = _HOW_LONG.sub(" ", question) if lasted else _SINCE.sub(" ", _UNTIL.sub(" ", question))
    others = set(key(asked).split()) - FUNCTION_WORDS
    said = bool(others) and all(stem(word) in stems for word in others)
    of_hours = not dates(sentence[told[0][0][0] : told[0][1][1]])
    if not said or (of_hours and _PAST.search(question) and not lasted):
        return ""
    return sentence[slice(*end)]


def end_of(question: str, value: str) -> str:
    """The end of a period that a question asks for, where ``value`` is one; else ``value``."""
    end = _end_of_one(question, periods(value))
    return value[slice(*end)] if end else value


def _end_of_one(question: str, told: Sequence[tuple[Span, Span]]) -> Span | None:
    """The end that a question asks for, of the only period that is told."""
    ends, begins = bool(_UNTIL.search(question)), bool(_SINCE.search(question))
    return told[0][1 if ends else 0] if len(told) == 1 and ends != begins else None


def _dated(question: str, text: str, sentence: Span, span: Span) -> tuple[Span, bool] | None:
    """The date that is asked for: an end of a period, or the one behind the question's own verb."""
    whole = period(text, *span)
    if _WHOLE.search(question):
        return ((whole[0][0], whole[1][1]), True) if whole else None
    ends, begins = bool(_END.search(question)), bool(_BEGIN.search(question))
    if whole and not (ends or begins) and not dates(text[whole[0][0] : whole[1][1]]):
        return (whole[0][0], whole[1][1]), True  # hours are one time of the day
    if whole and (ends or begins or _covers(span, whole)):
        return whole[1 if ends else 0], ends or begins
    if not ends and _TILL.search(text, sentence[0], span[0]):
        return None  # it lasted until then, and what is asked is something else
    told = [(a, b) for a, b in dates(text[: sentence[1]]) if a >= sentence[0]]
    inside = [at for at in told if at[0] < span[1] and span[0] < at[1]]
    version = _beside_version(question, text, sentence, told)
    if version:
        return version, True
    if len(told) < 2 or not inside:
        return (span, True) if not (begins and _only_ends(text, span, told, sentence)) else None
    best = max(told, key=lambda at: _led(question, text, at, told, sentence))
    if len(inside) > 1 or _led(question, text, best, told, sentence) > _led(question, text, span, told, sentence):
        span = best
    if begins and _only_ends(text, span, told, sentence):
        return None
    others = [at for at in told if at[1] <= span[0] or span[1] <= at[0]]
    clear = _led(question, text, span, told, sentence) > 2
    return span, clear and not any(_shares(question, _lead(text, at, told, sentence)) for at in others)


def _covers(span: Span, whole: tuple[Span, Span]) -> bool:
    return span[0] <= whole[0][0] and whole[1][1] <= span[1]


def _lead(text: str, at: Span, told: list[Span], sentence: Span) -> str:
    """The words between the date before and this one."""
    return text[max([b for _, b in told if b <= at[0]] or [sentence[0]]) : at[0]]


def _led(question: str, text: str, at: Span, told: list[Span], sentence: Span) -> int:
    """How many words of the question stand right before a date, and two more where both or neither tell of an end."""
    lead = _lead(text, at, told, sentence)
    near = {word for word in key(lead).split() if word not in FUNCTION_WORDS}
    asked = [word for word in key(question).split() if word not in FUNCTION_WORDS]
    both = sum(any(word[:5].startswith(other[:5]) or other.startswith(word) for other in near) for word in asked)
    return both + 2 * (bool(_END.search(lead)) == bool(_END.search(question)))


def _shares(question: str, lead: str) -> bool:
    """Whether what leads a date has a word of the question."""
    return bool((set(key(question).split()) & set(key(lead).split())) - FUNCTION_WORDS)


def _only_ends(text: str, at: Span, told: list[Span], sentence: Span) -> bool:
    """Whether what is said of a date is that something ended then."""
    lead = _lead(text, at, told, sentence)
    return bool(_END.search(lead)) and not _BEGIN.search(lead)


def _of_year(question: str, text: str, sentence: Span, span: Span) -> tuple[Span, bool] | None:
    """The value of the question's year, where the sentence tells of several years; the span itself if of one."""
    asked = _YEAR.findall(question)
    inside = text[slice(*sentence)]
    marks = [match.span() for match in _YEAR.finditer(inside)]
    if len(asked) != 1 or len({inside[slice(*mark)] for mark in marks}) < 2:
        return span, True
    mark = next((mark for mark in marks if inside[slice(*mark)] == asked[0]), None)
    values = quantities(inside)
    own = (span[0] - sentence[0], span[1] - sentence[0])
    of = next((value for value in values if value[0] < own[1] and own[0] < value[1]), None)
    if mark is None or of is None:
        return span, False
    right = beside(inside, mark, marks, values)
    if right is None or right == of:
        return span, right is not None
    wide = own[1] - of[1] if own[1] > of[1] else 0  # its unit stands behind the other one, too
    unit = inside[of[1] : of[1] + wide]
    end = right[1] + (wide if inside[right[1] : right[1] + wide] == unit else 0)
    return (sentence[0] + right[0], sentence[0] + end), True


def _other_version(question: str, sentence: str) -> bool:
    """Whether a sentence tells of versions, and not of the one that is asked for."""
    asked = {match["number"] for match in _VERSION.finditer(question)}
    told = {match["number"] for match in _VERSION.finditer(sentence)}
    return bool(asked and told) and not asked <= told


def _beside_version(question: str, text: str, sentence: Span, told: list[Span]) -> Span | None:
    """The date that stands with the question's version."""
    asked = _VERSION.search(question)
    marks = [match.span() for match in _VERSION.finditer(text, *sentence)]
    own = next((mark for mark in marks if asked and _number(text, mark) == asked["number"]), None)
    return beside(text, own, marks, told) if own and len(marks) > 1 else None


def _number(text: str, mark: Span) -> str:
    match = _VERSION.match(text, mark[0])
    return match["number"] if match else ""


def _counts(question: str, text: str, span: Span) -> bool:
    """Whether a number may be how many of something there are: it has no unit or currency that was not asked for."""
    many = _MANY.search(question)
    if many is None:
        return True
    unit = "money" if _CURRENCY.search(text[: span[0]]) else _measured(text, span)
    return not unit or measures(f"1 {many['noun']}") == unit


def _measured(text: str, span: Span) -> str:
    """What a number measures, by the unit in it or right behind it."""
    return measures(text[span[0] : span[1] + _UNIT])


def _bare(question: str, value: str) -> str:
    """A value without words of the question around it: "the rent is €2,600", "44 metres tall"."""
    asked = set(key(question).split())
    told = _STATES.match(value)
    if told and set(key(told["subject"]).split()) - FUNCTION_WORDS <= asked and told.end() < len(value):
        value = value[told.end() :]
    head, _, last = value.rpartition(" ")
    return head if head and last.islower() and last in ADJECTIVES and last in asked else value
