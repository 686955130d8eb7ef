"""What sentences of other languages than English say to a question of theirs: who did it, and when.

The reader learned English. Elsewhere only this is read off: the one name, or the one year, that a sentence has beside
what the question itself says. No such answer is sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from clew.questions.abroad import asked_abroad, is_caseless
from clew.questions.words import ABROAD, AUXILIARIES_ABROAD, DOERS
from clew.text.names import capitalised_spans, key
from clew.text.values import dates, quantities

_STEM = 5
_ROOT, _AUGMENT = 4, 2
_HAN = re.compile(r"[\u3400-\u9fff]")
_SYLLABLES = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
"""Kana and Hangul, whose verbs share too little of their written forms."""
_AUXILIARIES = frozenset(map(key, AUXILIARIES_ABROAD))
_QUESTION_WORDS = sorted((word for word in ABROAD if is_caseless(word)), key=len, reverse=True)
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_COUNTED_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?=\s?[年년])")
"""Where a sign says that it is a year, other numbers of four figures are none."""
_BEHIND_YEAR = re.compile(r"^\d+(?:\s+[a-zà-ÿ]+)*\s+")
"""The year before "von", which joins names, too."""
_WITH_UNIT = re.compile(r"\D?\s?\d(?:[\d.,]*\d)?(?:\s?[%€$£]|\s[^\W\d_]+)?")
_LEAST_SHARED = 0.2
"""Share of the pairs of letters of a question that a sentence about the same has, in a script without capitals."""


def told_abroad(question: str, names: Sequence[str], sentence: str) -> str:
    """The value in a sentence that a question in another language asks for; empty where it has none, or several."""
    asked = asked_abroad(question)
    if asked is None or not _speaks_of(asked[0], names, sentence):
        return ""
    if asked[1] == "date":
        told = set(_COUNTED_YEAR.findall(sentence))
        told = told or {sentence[a:b] for a, b in dates(sentence)} or set(_YEAR.findall(sentence))
        return told.pop() if len(told) == 1 else ""
    if asked[1] == "number":
        counted = [(a, b) for a, b in quantities(sentence) if sentence[a:b] not in question]
        return (_WITH_UNIT.match(sentence, counted[0][0]) or [""])[0] if len(counted) == 1 else ""
    return _person(asked[0], sentence) if asked[1] == "person" else ""


def _speaks_of(question: str, names: Sequence[str], sentence: str) -> bool:
    """Whether a sentence is about what the question asks, and says what it asks of that: built, not repaired."""
    if is_caseless(question):
        pairs = _pairs(question)
        about = bool(pairs) and sum(pair in sentence for pair in pairs) >= _LEAST_SHARED * len(pairs)
        return about and _says_caseless(question, sentence)
    said = key(sentence).split()
    stems = {word[:_STEM] for word in said}
    words = [word for word in key(question).split()[1:] if len(word) > 3]
    shared = sum(word[:_STEM] in stems for word in words)
    if not all(f" {key(name)} " in f" {key(sentence)} " for name in names) or 2 * shared < max(len(words), 1):
        return False
    return all(_says(word, said) for word in words if len(word) >= _STEM and word not in _AUXILIARIES)


def _says(word: str, said: Sequence[str]) -> bool:
    """Whether one of the words is the same in another form: a verb has other ends, and may begin with *ge* or *er*.

    Ends alone make no word the same (*renoviert*, *saniert*), nor does what is longer than an augment: *kaufte* is the
    opposite of *verkaufte*.
    """
    return any(
        word[:_STEM] == other[:_STEM] or _begins_within(word, other) or _begins_within(other, word) for other in said
    )


def _begins_within(word: str, other: str) -> bool:
    return len(word) >= _ROOT and 0 <= other.find(word[:_ROOT]) <= _AUGMENT


def _says_caseless(question: str, sentence: str) -> bool:
    """The same where words are not told apart: what the question has beside the longest stretch that both share."""
    bare = re.sub("|".join(map(re.escape, _QUESTION_WORDS)), " ", question)
    match = SequenceMatcher(None, bare, sentence, autojunk=False).find_longest_match()
    rest, elsewhere = (
        f"{bare[: match.a]} {bare[match.a + match.size :]}",
        sentence.replace(bare[match.a :][: match.size], " "),
    )
    if signs := set(_HAN.findall(rest)):
        return 2 * sum(sign in elsewhere for sign in signs) >= len(signs)
    if _SYLLABLES.search(rest):
        return True
    pairs = {pair for word in rest.split() if len(word) > 2 for pair in _pairs(word)}
    return not pairs or any(pair in elsewhere for pair in pairs)


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1) if text[at : at + 2].isalpha()}


def _person(question: str, sentence: str) -> str:
    if is_caseless(sentence):
        found = (match[1].strip() for doer in DOERS if (match := re.search(doer, sentence)))
        return next((name for name in found if name not in question), "")
    said = set(key(question).split())
    names = (_BEHIND_YEAR.sub("", name) for name in capitalised_spans(sentence))
    others = [name for name in names if not said & set(key(name).split()) and not any(map(str.isdigit, name))]
    if len(others) > 1 and " " not in others[0] and sentence.startswith(others[0]):
        others = others[1:]  # an article or adverb that begins the sentence
    several = [name for name in others if " " in name]
    return (several if len(several) == 1 else others)[0] if len(several) == 1 or len(others) == 1 else ""
