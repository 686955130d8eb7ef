"""Two sentences that ask together: the first tells of something, the second asks about "that N"."""

from __future__ import annotations

from collections.abc import Sequence

from clew.agent.extractive.plan import Item, lower
from clew.agent.extractive.word_classes import PREPOSITION, RELATIVE, ends_phrase

_NEW = frozenset("a an another one".split())
_POSSESSIVE = ("'s", "’s")
_AGAIN = frozenset("that this".split())


def as_one(items: Sequence[Item]) -> list[Item]:
    """``A lord built X. When did that lord die`` as ``When did the lord that built X die``: what the first sentence
    tells of becomes a clause where the second one names it again. The items as they are where nothing is named again.
    """
    stop = next((i for i in range(1, len(items) - 1) if items[i] == "." and items[i + 1] != "."), 0)
    for j in range(stop + 1, len(items) - 1 if stop else 0):
        noun = lower(items, j + 1)
        if lower(items, j) not in _AGAIN or not noun.isalpha():
            continue
        told = _told(items[:stop], noun)
        if told:
            rest = items[j + 2 :]
            return [*items[stop + 1 : j], *told, *([] if not rest or rest[0] in _POSSESSIVE else [","]), *rest]
    return list(items)


def _told(sentence: Sequence[Item], noun: str) -> list[Item]:
    """``the N that …`` from a sentence that tells of ``a N``; empty where it tells of none."""
    at = next((i for i in range(len(sentence)) if lower(sentence, i) == noun), -1)
    start = at
    while start > 0 and not ends_phrase(sentence, start - 1) and isinstance(sentence[start - 1], str):
        if lower(sentence, start - 1) in _NEW:
            break
        start -= 1
    if at < 0 or lower(sentence, start - 1) not in _NEW:
        return []
    before, after = sentence[: start - 1], sentence[at + 1 :]
    if [lower(sentence, i) for i in range(2)] in (["there", "is"], ["there", "was"]):
        before = before[2:]
    participle = lower(after, 0).endswith("ed") and lower(after, 1) in PREPOSITION
    pronoun = [] if not before and (participle or lower(after, 0) in RELATIVE) else ["that"]
    words = [word for word in sentence[start : at + 1] if word != "certain"]
    return ["the", *words, *pronoun, *before, *after]
