"""Two questions in one: "When was X born, and where did she die?"."""

from __future__ import annotations

import re

from clew.agent.extractive.lexicon import acts
from clew.agent.extractive.word_classes import AUXILIARY, PREPOSITION, QUESTION

_ASKS = rf"(?:(?:{'|'.join(sorted(PREPOSITION))}) )?(?:{'|'.join(sorted(QUESTION))})"
_JOINED = re.compile(rf"(?P<first>{_ASKS}\b.+?),? and (?P<second>{_ASKS} .+)", re.IGNORECASE | re.DOTALL)
_ACTOR = frozenset("who what".split())
"""Question words that a verb may follow: "who designed it"."""
_DETERMINING = frozenset("which what how whose".split())
"""Question words that other words may come between and the auxiliary: "which lighthouse did", "how many rooms has"."""
_BETWEEN = 3


def both(question: str) -> tuple[str, str] | None:
    """The two questions that one asks; None where it asks but one, such as of a town "where X lived and where Y died".

    The second one is as it was written: its pronouns may mean what the first names, or the answer to it.
    """
    joined = _JOINED.fullmatch(question.strip())
    if joined is None:
        return None
    first, second = joined["first"], joined["second"]
    words = re.findall(r"[\w’'-]+", second.lower())
    asks = next(i for i, word in enumerate(words) if word in QUESTION)
    word, following = words[asks], words[asks + 1 :]
    inverted = any(w in AUXILIARY for w in following[: _BETWEEN + 1 if word in _DETERMINING else 1])
    acted = word in _ACTOR and following[:1] != [] and acts(following[0])
    counted = word == "how" and following[:1] in (["many"], ["much"])
    if not (inverted or acted or counted) or re.search(rf"(?<!^)\b{word}\b", first.lower().partition(" ")[2]):
        return None
    return f"{first.rstrip(' ?,')}?", second[0].upper() + second[1:]
