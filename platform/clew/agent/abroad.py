"""What sentences of other languages than English say to a question of theirs: who did it, and when.

The reader learned English. Elsewhere only this is read off: the one name, or the one year, that a sentence has beside
what the question itself says. No such answer is sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.questions.abroad import asked_abroad, is_caseless
from clew.questions.words import DOERS
from clew.text.names import capitalised_spans, key
from clew.text.values import dates, quantities

_STEM = 5
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
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
        told = {sentence[a:b] for a, b in dates(sentence)} or set(_YEAR.findall(sentence))
        return told.pop() if len(told) == 1 else ""
    if asked[1] == "number":
        counted = quantities(sentence)
        return (_WITH_UNIT.match(sentence, counted[0][0]) or [""])[0] if len(counted) == 1 else ""
    return _person(asked[0], sentence) if asked[1] == "person" else ""


def _speaks_of(question: str, names: Sequence[str], sentence: str) -> bool:
    if not is_caseless(question):
        stems = {word[:_STEM] for word in key(sentence).split()}
        words = [word[:_STEM] for word in key(question).split()[1:] if len(word) > 3]
        shared = sum(word in stems for word in words)
        return all(f" {key(name)} " in f" {key(sentence)} " for name in names) and 2 * shared >= max(len(words), 1)
    pairs = {question[at : at + 2] for at in range(len(question) - 1) if question[at : at + 2].isalpha()}
    return bool(pairs) and sum(pair in sentence for pair in pairs) >= _LEAST_SHARED * len(pairs)


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
