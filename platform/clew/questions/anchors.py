"""The names in a question, by their capital letters and quotation marks, and the question with slots in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.questions.words import AUXILIARIES, PREPOSITIONS, QUESTION_WORDS
from clew.text.names import FUNCTION_WORDS, JOINING, LONGEST_NAME, is_name

_QUOTED = re.compile(r"[\"“”]([^\"“”{}]{1,80})[\"“”]")
_CAPITAL = r"(?:A|[a-z]['’]A)(?:[\w'’–-]|\.(?=\w))*"  # of a question's shape, where each capital letter is an A
_NUMBER = r"\d(?:[\w–-]|[,.](?=\d))*"
_JOINING = "|".join(sorted(JOINING - {"and"}))
_COMMA = r", (?=A|[a-z]['’]A|\d+[A-Za-z]{2}\b)"
_BETWEEN = rf" (?:(?:{_JOINING}) ){{0,2}}|{_COMMA}|: |! |\? | [–-] |/|(?<=\bA)\. |(?<=\bA[rst])\. |(?<=\bArs)\. "
_ASIDE = r"(?:(?:(?<=\bAr)|(?<=\.A))\.(?= )|\s?\([^(){}]{1,40}\))?"
_START = rf"(?<![\w-])(?<!\w['’])(?!AA+ of )(?:{_NUMBER} )?{_CAPITAL}"  # "CEO of Tarn Works" is no name
_NAME = re.compile(rf"{_START}(?:(?:{_BETWEEN})(?:{_CAPITAL}|{_NUMBER}))*{_ASIDE}")
_POSSESSIVE = re.compile(r"(?<=.)['’]s?\Z")
_OPENERS = AUXILIARIES | FUNCTION_WORDS
_OPENERS |= set(
    "name list give tell show find describe summarise summarize explain compare along besides given according".split()
)
_ADJECTIVE = re.compile(r".+(?:ish|an|ese|ch|iss|eek|ic)")  # Danish, Korean, Japanese, French, Swiss, Greek, Arabic


def mask(question: str) -> tuple[str, tuple[str, ...]]:
    """The question with ``{n}`` in place of name n, and the names in their order."""
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    runs = [run for run in _runs(question) if not any(run[0] < end and start < run[1] for start, end in quoted)]
    anchors: list[str] = []
    text, at = "", 0
    for start, end in sorted(quoted + runs):
        name = " ".join(question[start:end].strip('"“” ').split())
        if name not in anchors:
            anchors.append(name)
        text += f"{question[at:start]}{{{anchors.index(name)}}}"
        at = end
    return text + question[at:], tuple(anchors)


def _runs(question: str) -> Iterator[tuple[int, int]]:
    """Where runs of capitalised words stand that are names and no adjective of the noun behind them."""
    first = (question.lower().split() or [""])[0]
    # In "In Ansby, Ruben …" and "Which is older in Ansby, A or B" the comma stands between two names.
    has_comma = question.count(",") == 1 and " or " in question and first not in AUXILIARIES
    shape = _shape(question).replace(",", ";" if has_comma or first in PREPOSITIONS else ",")
    for match in _NAME.finditer(shape):
        start, end = match.span()
        end = start + len(_POSSESSIVE.sub("", question[start:end]))
        length = len(question[start:end].split())
        if length <= LONGEST_NAME and (length > 1 or is_name(question[start:end])) and _names(question, start, end):
            yield start, end


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
