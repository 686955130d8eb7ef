"""The names in a question, by their capital letters and quotation marks, and the question with slots in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.questions.words import AUXILIARIES, DO, PREPOSITIONS, QUESTION_WORDS, is_participle
from clew.text.names import FUNCTION_WORDS, JOINING, LONGEST_NAME, is_name

_TOKEN = re.compile(r"\d[\d,.–-]*\d\w*|[^\W_](?:[\w'’\-–]|\.(?=\w))*|&")
_QUOTED = re.compile(r"[\"“”]([^\"“”{}]{1,80})[\"“”]")
_PARENTHESIS = re.compile(r"\s?\([^(){}]{1,40}\)")
_POSSESSIVE = re.compile(r"['’]s?\Z")
_INITIAL = re.compile(r"(?:[A-Z]\.)*[A-Z]\Z|(?:St|Dr|Mr|Mrs|Ms|Jr|Sr)\Z")
_SPLITS = re.compile(
    r"(?i)\b(?:both|same|or|common|share|between|among|out of|which of|older|younger|earlier|later|are|were|"
    r"(?:born|died) first)\b"
)
"""Words of a question that speaks of two things, in which *and* stands between two names and not within one."""
_OPTIONS = re.compile(r"[^,]*(,) [^,]+ or [^,]+")
"""A question whose only comma stands before its two options, and so in no name."""
_DETERMINERS = frozenset("the a an which what this that".split())
_OPENERS = frozenset("name list give tell show find describe summarise summarize explain compare i".split())
_OPENERS |= {"along", "besides", "according", "given", "following"}


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str

    @property
    def capital(self) -> bool:
        return self.text[0].isupper() or (self.text[1:2] in ("'", "’") and self.text[2:3].isupper())

    @property
    def function(self) -> bool:
        return self.text.lower() in FUNCTION_WORDS


def mask(question: str, names: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The question with ``{n}`` in place of name n, and the names in their order; ``names`` are known to be such."""
    spans: list[tuple[int, int]] = []

    def add(start: int, end: int) -> None:
        if start < end and not any(start < last and first < end for first, last in spans):
            spans.append((start, end))

    for match in _QUOTED.finditer(question):
        add(*match.span())
    for name in sorted(filter(None, names), key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question):
            add(*match.span())
    for start, end in _runs(question):
        add(start, end)
    anchors: list[str] = []
    text, at = "", 0
    for start, end in sorted(spans):
        name = " ".join(question[start:end].strip('"“” ').split())
        if name not in anchors:
            anchors.append(name)
        text += f"{question[at:start]}{{{anchors.index(name)}}}"
        at = end
    return text + question[at:], tuple(anchors)


def _runs(question: str) -> list[tuple[int, int]]:
    """Where runs of capitalised words stand that are names and no adjective of the noun behind them."""
    tokens = [_Token(match.start(), match.end(), match.group()) for match in _TOKEN.finditer(question)]
    apart = bool(tokens) and (tokens[0].text.lower() in AUXILIARIES or bool(_SPLITS.search(question)))
    joining = JOINING - {"and"} if apart else JOINING
    options = None if tokens and tokens[0].text.lower() in AUXILIARIES else _OPTIONS.fullmatch(question)
    apart_at = options.start(1) if options else -1
    spans = []
    i = 0
    while i < len(tokens):
        end = _run_end(question, tokens, i, joining, apart_at) if _begins(tokens, i) else i
        if end == i:
            i += 1
            continue
        last = _adjective(tokens, i, end)
        words = tokens[i:last]
        if words and len(words) <= LONGEST_NAME and (len(words) > 1 or is_name(words[0].text)):
            stop = words[-1].end - len(_tail(words[-1].text))
            aside = _PARENTHESIS.match(question, stop)
            spans.append((words[0].start, aside.end() if aside else stop))
        i = max(end, last)
    return spans


def _begins(tokens: Sequence[_Token], i: int) -> bool:
    token = tokens[i]
    if i == 0 and (token.function or token.text.lower() in _OPENERS | AUXILIARIES):
        return False
    if token.text[0].isdigit():
        return i + 1 < len(tokens) and tokens[i + 1].capital and tokens[i + 1].start == token.end + 1
    return token.capital and (token.text != "I" or (tokens[i + 1 : i + 2][0:1] != [] and tokens[i + 1].capital))


def _run_end(question: str, tokens: Sequence[_Token], i: int, joining: frozenset[str], apart: int) -> int:
    """The index behind the last token of the run that begins at token ``i``."""
    end = i + 1
    led = i == 1 and tokens[0].text.lower() in PREPOSITIONS  # "In Ansby, Ruben …" names two
    while end < len(tokens):
        ahead = end
        while ahead < len(tokens) and ahead - end < 3 and tokens[ahead].text in joining:
            ahead += 1
        if tokens[end - 1].end == apart:
            break
        if ahead == len(tokens) or not (tokens[ahead].capital or tokens[ahead].text[0].isdigit()):
            break
        if any(question[a.end : b.start] != " " for a, b in zip(tokens[end:ahead], tokens[end + 1 : ahead + 1])):  # noqa: B905
            break
        if not _joins(question[tokens[end - 1].end : tokens[end].start], tokens[end - 1], tokens[ahead], led):
            break
        end = ahead + 1
    return end


def _joins(between: str, before: _Token, after: _Token, led: bool) -> bool:
    mark = between.strip()
    if not mark:
        return after.start > before.end
    if mark == ".":
        return bool(_INITIAL.match(before.text))
    if mark in (",", "?"):
        ordinal = mark == "," and re.match(r"\d+(?:st|nd|rd|th)\Z", after.text, re.IGNORECASE)
        return not after.function and not led and bool(after.capital or ordinal)
    return mark in (":", "!", "-", "–", "/")


def _adjective(tokens: Sequence[_Token], i: int, end: int) -> int:
    """Where a run ends that is only an adjective: ``i`` where it names nothing ("which Danish chemist").

    "the Voss drive" is a name up to its noun; "the Danish chemist who" is none.
    """
    before = tokens[i - 1].text.lower() if i else ""
    if before in ("which", "what"):
        relative = any(token.text.lower() in QUESTION_WORDS for token in tokens[: i - 1])
        return end if relative else i
    follows = tokens[end].text if end < len(tokens) else ""
    if before in _DETERMINERS and end - i == 1 and follows in ("who", "that", "whose"):
        return i
    if before not in _DETERMINERS or end - i > 1 or _tail(tokens[i].text):
        return end
    stop = end
    while stop < len(tokens) and tokens[stop].start == tokens[stop - 1].end + 1 and _plain(tokens[stop]):
        stop += 1
    helped = any(token.text.lower() in DO for token in tokens[:i])
    last = stop == len(tokens) and (helped or is_participle(tokens[-1].text))
    nouns = stop - last
    if nouns == end:
        return end
    if i > 1 and tokens[i - 2].text.lower() in DO and not last:
        return end
    return i if before != "the" or (stop < len(tokens) and tokens[stop].text in _RELATIVE) else nouns


def _plain(token: _Token) -> bool:
    return token.text[0].islower() and not token.function and not is_participle(token.text)


_RELATIVE = frozenset("who which that whose where".split())


def _tail(word: str) -> str:
    ending = _POSSESSIVE.search(word)
    return ending.group() if ending and len(ending.group()) < len(word) else ""
