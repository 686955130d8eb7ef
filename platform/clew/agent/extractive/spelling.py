"""Names as the documents spell them: what was found has them with their capitals, and without the question's errors."""

from __future__ import annotations

import re

from rapidfuzz.distance import OSA

from clew.agent.extractive.anchors import ASKING
from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.lexicon import key
from clew.text.names import FUNCTION_WORDS, LONGEST_NAME

SHORTEST, LONG = 5, 8
"""Letters of a word that may have an error, and of one that may have two."""
SHORTEST_ALONE = 7
"""Letters of a name of one word that may have an error: no other word beside it says who is meant."""

_WORD = re.compile(r"[^\W_]+")


def with_capitals(question: str, evidence: Evidence) -> str:
    """A question in lower case with the names that were found as they are written; others stay as they are."""
    if any(match.group()[0].isupper() for match in _WORD.finditer(question, 1)):
        return question
    spans, words = _words(question)
    at = len(words)
    while at > 0:
        for first in range(max(0, at - LONGEST_NAME), at):
            name = evidence.spelled.get(" ".join(words[first:at]), "")
            if name and _may_name(words[first:at], name, evidence):
                question = question[: spans[first][0]] + name + question[spans[at - 1][1] :]
                at = first + 1
                break
        at -= 1
    return question


def respelled(question: str, evidence: Evidence) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The question without the errors in its names, and those that were changed, as written and as meant.

    Only a word that was found nowhere is taken for misspelt, and only in a name whose other words are the question's.
    """
    spans, words = _words(question)
    changed: list[tuple[str, str]] = []
    at = len(words)
    while at > 0:
        at -= 1
        if not _may_err(words[at], evidence):
            continue
        if found := _meant(words, at, evidence, question[spans[at][0]].isupper()):
            at, end, name = found
            start, stop = spans[at][0], spans[end - 1][1]
            changed.insert(0, (question[start:stop], name))
            question = question[:start] + name + question[stop:]
    return question, tuple(changed)


def _words(question: str) -> tuple[list[tuple[int, int]], list[str]]:
    """Where the question's words are, and their keys."""
    spans = [match.span() for match in _WORD.finditer(question)]
    return spans, [key(question[start:end]) for start, end in spans]


def _may_name(words: list[str], name: str, evidence: Evidence) -> bool:
    """Whether known words are a name rather than words of the question, which may be a name elsewhere."""
    if len(words) > 1:
        return len(words) > 2 or words[0] not in FUNCTION_WORDS | ASKING
    if words[0] in FUNCTION_WORDS | ASKING or name == name.lower():
        return False
    common = re.compile(rf"\b{re.escape(name.lower())}\b")
    return not any(common.search(sentence.text) for sentence in evidence.sentences)


def _may_err(word: str, evidence: Evidence) -> bool:
    return len(word) >= SHORTEST and word.isalpha() and word not in evidence.words


def _meant(words: list[str], at: int, evidence: Evidence, capital: bool) -> tuple[int, int, str] | None:
    """The first word and the end of the name that the word at ``at`` is a part of, and how the name is written."""
    for folded, name in evidence.spelled.items():
        parts = folded.split()
        for place, part in enumerate(parts):
            first, end = at - place, at - place + len(parts)
            if first < 0 or end > len(words) or not _alike(words[at], part):
                continue
            if len(parts) == 1 and not (capital and len(part) >= SHORTEST_ALONE):
                continue
            others = zip(words[first:end], parts, strict=True)
            if all(ours == theirs or (_may_err(ours, evidence) and _alike(ours, theirs)) for ours, theirs in others):
                return first, end, name
    return None


def _alike(word: str, part: str) -> bool:
    """Whether a word is another with a letter too many, too few, wrong or in its neighbour's place; two in long ones.

    The first letter is nearly always right.
    """
    if word[0] != part[0] or len(part) < SHORTEST:
        return False
    errors = 2 if min(len(word), len(part)) >= LONG else 1
    return OSA.distance(word, part, score_cutoff=errors) <= errors
