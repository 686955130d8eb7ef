"""Answers that are several things: "which airlines …" is answered by all that the sentence lists, word for word."""

from __future__ import annotations

import re
from itertools import pairwise

from clew.agent.extractive.anchors import ASKING
from clew.agent.extractive.lexicon import acts, vocabulary
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.word_classes import AUXILIARY
from clew.text.names import FUNCTION_WORDS

LISTED = frozenset(
    "any language kind person agent organisation place work thing common genre colour occupation sport".split()
)
"""Answer types of which a sentence may list several."""
_PLURAL = frozenset("children people men women".split())
_SINGULAR = frozenset("series species headquarters news".split())
_COUNTED = frozenset("other some two three four five".split())
_JOINING = frozenset("of the de von van for &".split())
_WORD = re.compile(r"[^\W_][\w’'\-&/]*|&")
_BETWEEN = re.compile(r"(?: \([^()]{1,60}\))?(?:, ?(?:and |or |as well as )?| and | or | as well as )(?:the |an? )?")
_LAST = re.compile(r"\b(?:and|or|as well as)\b")


def asks_several(hop: Hop) -> bool:
    """Whether a hop asks for more than one: "who were", "which airlines", "children of X"."""
    words = re.findall(r"[\w’'\-]+|\{\d+\}", hop.template.lower())
    if hop.expects not in LISTED:
        return False
    if words[:2] in (["who", "were"], ["who", "are"]):
        return True
    asked = next((i for i, word in enumerate(words) if word in ("what", "which")), None)
    if asked is None:
        owned = next((i for i, word in enumerate(words) if word.startswith("{")), 0)
        return owned > 1 and words[owned - 1] == "of" and _is_plural(words[owned - 2])
    for word, following in pairwise([*words[asked + 1 :], ""]):
        owning = word.endswith(("'s", "’s"))
        if word in AUXILIARY or word == "the" or word in _COUNTED or word[0] in "{0123456789" or owning:
            continue
        if word in FUNCTION_WORDS | ASKING or word in vocabulary("verbs"):
            return False
        if _is_plural(word) and following != hop.head:  # of a "sports team" there is one
            return True
        if word == hop.head:
            return False
    return False


def takes_list(hop: Hop, value: str) -> bool:
    """Whether a value stands for all that its sentence lists beside it: several are asked for, or whatever is told,
    which a name alone would answer."""
    return asks_several(hop) or (hop.expects in ("any", "common") and not hop.head and value[:1].islower())


def _is_plural(noun: str) -> bool:
    regular = noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > 3
    return noun in _PLURAL or (regular and noun not in _SINGULAR)


def with_list(text: str, value: str, start: int) -> str:
    """A value with all that the text lists beside it, word for word; as it is where the text has it otherwise."""
    if not text.startswith(value, start):
        return value
    first, last = whole_list(text, start, start + len(value))
    return text[first:last]


def whole_list(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the list that the value from ``start`` to ``end`` stands in; its own where it stands alone."""
    named = text[start].isupper()
    items = [(start, end)]
    runs = [run for run in _runs(text, named=named) if run[1] <= start or run[0] >= end]
    for first, last in runs:
        if first >= end and _BETWEEN.fullmatch(text, items[-1][1], first):
            items.append((first, last))
    for first, last in reversed(runs):
        if last <= start and _BETWEEN.fullmatch(text, last, items[0][0]):
            items.insert(0, (first if named else _after_verb(text, first, last), last))
    labelled = text[: items[0][0]].endswith(": ") and not text[items[-1][1] :].strip(" .;")
    while (
        not labelled
        and len(items) > 1
        and items[-1] != (start, end)
        and not _LAST.search(text, items[-2][1], items[-1][0])
    ):
        items.pop()  # what follows the last *and* is no longer of the list
    gloss = re.compile(r" \([^()]{1,60}\)").match(text, items[-1][1])
    stop = gloss.end() if gloss and len(items) > 1 else items[-1][1]
    gaps = (text[a[1] : b[0]] for a, b in pairwise(items))
    return (items[0][0], stop) if labelled or any(map(_LAST.search, gaps)) else (start, end)


def _after_verb(text: str, start: int, end: int) -> int:
    """Where a run of lower-case words begins without the verb before it: "studied | rocks and birds"."""
    words = text[start:end].split(" ")
    while len(words) > 1 and acts(words[0]):
        start += len(words.pop(0)) + 1
    return start


def _runs(text: str, *, named: bool) -> list[tuple[int, int]]:
    """Runs of words with capitals, else of lower-case words that are no function words."""
    runs: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        folded, follows = word.group().lower(), bool(runs) and text[runs[-1][1] : word.start()] == " "
        inside = named and word.group() in _JOINING and follows
        if inside or (word.group()[0].isupper() if named else word.group().islower() and folded not in FUNCTION_WORDS):
            runs[-1:] = [(runs[-1][0], word.end())] if follows else [*runs[-1:], (word.start(), word.end())]
    return runs
