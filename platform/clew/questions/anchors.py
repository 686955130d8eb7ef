"""The names in a question, by their capital letters and quotation marks, and the question with slots in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from clew.questions.words import AUXILIARIES, PREPOSITIONS, QUESTION_WORDS
from clew.text.names import FUNCTION_WORDS, JOINING, LONGEST_NAME, is_name

_QUOTED = re.compile(r"[\"“”]([^\"“”{}]{1,80})[\"“”]")
_CAPITAL = r"(?:A|[a-z]['’]A)(?:[\w'’–-]|\.(?=\w))*"  # of a question's shape, where each capital letter is an A
_NUMBER = r"\d(?:[\w–-]|[,.](?=\d))*"
_POSSESSIVE = re.compile(r"(?<=.)['’]s?\Z")
_OFFICE = re.compile(r"([A-Z]{2,}) of (?:the )?")
_PAIR = re.compile(
    r"(?i)\b(?:both|same|or|common|share|between|among|out of|which of|older|younger|earlier|later|are|were|"
    r"(?:born|died) first)\b"
)
"""Words of a question that speaks of two things, in which *and* stands between two names and not within one."""
_OPENERS = AUXILIARIES | FUNCTION_WORDS
_OPENERS |= set(
    "name list give tell show find describe summarise summarize explain compare along besides given according".split()
)
_ADJECTIVE = re.compile(r".+(?:ish|an|ese|ch|iss|eek|ic)")
"""How an adjective of a people ends: *Danish*, *Norwegian*, *Japanese*, *French*, *Swiss*, *Greek*."""


def mask(question: str, names: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The question with ``{n}`` in place of name n, and the names in their order; ``names`` are known to be such."""
    known = [
        match.span()
        for name in sorted(filter(None, names), key=len, reverse=True)
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question)
    ]
    spans: list[tuple[int, int]] = []
    for start, end in (*(match.span() for match in _QUOTED.finditer(question)), *known, *_runs(question)):
        if not any(start < last and first < end for first, last in spans):
            spans.append((start, end))
    anchors: list[str] = []
    text, at = "", 0
    for start, end in sorted(spans):
        name = " ".join(question[start:end].strip('"“” ').split())
        if name not in anchors:
            anchors.append(name)
        text += f"{question[at:start]}{{{anchors.index(name)}}}"
        at = end
    return text + question[at:], tuple(anchors)


def _runs(question: str) -> Iterator[tuple[int, int]]:
    """Where runs of capitalised words stand that are names and no adjective of the noun behind them."""
    first = (question.lower().split() or [""])[0]
    pair = first in AUXILIARIES or _PAIR.search(question) is not None
    # In "In Ansby, Ruben …" and "Which is older in Ansby, A or B" the comma stands between two names.
    one = question.count(",") == 1 and " or " in question and first not in AUXILIARIES
    for match in _pattern(not pair, not (one or first in PREPOSITIONS)).finditer(_shape(question)):
        start, end = match.span()
        if office := _OFFICE.match(question, start, end):  # "CEO of Tarn Works" is no name
            yield start, office.end(1)
            start = office.end()
        end = start + len(_POSSESSIVE.sub("", question[start:end]))
        short = len(question[start:end].split()) <= LONGEST_NAME
        if short and (" " in question[start:end] or is_name(question[start:end])) and _names(question, start, end):
            yield start, end


@cache
def _pattern(joined: bool, listed: bool) -> re.Pattern[str]:
    """What a name looks like; ``joined`` where *and* may stand in it, ``listed`` where a comma may."""
    words = "|".join(sorted(JOINING if joined else JOINING - {"and"}))
    comma = r"|, (?=A|[a-z]['’]A|\d+[A-Za-z]{2}\b)" if listed else ""
    between = rf"(?: (?:(?:{words}) ){{0,2}}|: |! |\? | [–-] |/|(?<=\bA)\. |(?<=\bA[rst])\. |(?<=\bArs)\. {comma})"
    aside = r"(?:(?:(?<=\bAr)|(?<=\.A))\.(?= )|\s?\([^(){}]{1,40}\))?"
    return re.compile(rf"(?<![\w-])(?<!\w['’])(?:{_NUMBER} )?{_CAPITAL}(?:{between}(?:{_CAPITAL}|{_NUMBER}))*{aside}")


def _shape(question: str) -> str:
    """The question with A for each capital letter, but of a word that only opens it or a part of it."""

    def shape(match: re.Match[str]) -> str:
        word, before = match.group(), question[: match.start()].rstrip()
        opens = word.lower() in (QUESTION_WORDS | AUXILIARIES if before[-1:] in (",", "?") else _OPENERS)
        opens = opens and before[-1:] in ("", ",", "?")
        return "a" * len(word) if opens else "".join("A" if c.isupper() else c for c in word)

    return re.sub(r"[^\W_]+", shape, question)


def _names(question: str, start: int, end: int) -> bool:
    """Whether a run names something, and is no adjective: "which 1920 film", "the Danish chemist who"."""
    before = question[:start].lower().split()
    noun = re.match(r" ([a-z][\w-]*)", question[end:])
    if before[-1:] in (["which"], ["what"]):
        return not QUESTION_WORDS.isdisjoint(before[:-1])
    if noun is None or " " in question[start:end] or before[-1:] not in (["the"], ["a"], ["an"]):
        return True
    adjective = noun[1] not in FUNCTION_WORDS and _ADJECTIVE.fullmatch(question[start:end])
    return not adjective and noun[1] not in ("who", "that", "whose")
