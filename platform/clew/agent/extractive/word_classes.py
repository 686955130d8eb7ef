"""Classes of words that tell where the phrases of a question end; all other words may be nouns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from clew.agent.extractive.lexicon import head_types, vocabulary
from clew.agent.extractive.plan import Item, lower

AUXILIARY = frozenset(
    "is are was were be been did does do has have had can could will would may might should must".split()
)
PREPOSITION = frozenset(
    """of for to in on at from by with near into under after before during since as about behind against over
    than""".split()
)
RELATIVE = frozenset("that which who where whose whom when".split())
QUESTION = frozenset("who whom whose what which when where why how".split())
INVERTING = frozenset("did do does will would can could".split())
"""Auxiliaries that stand before the subject of a question, whose verb comes after it."""
PASSIVE = frozenset("is are was were".split())
_CIRCUMSTANCE = frozenset("when where how why in on at by year".split())
PARTS = frozenset("part member".split())
"""Nouns that *of* follows to say what something belongs to."""
DETERMINER = frozenset("the a an this that".split())
POSSESSIVE = frozenset("its his her their".split())
STOP = AUXILIARY | PREPOSITION | RELATIVE | frozenset("and or but if then , . ? ! ; : ( ) 's ’s".split())
ORDER = frozenset("first last most earlier later".split())


@cache
def verbs() -> frozenset[str]:
    """Forms of common verbs, and words of order such as *first*, which end a phrase as verbs do."""
    return vocabulary("verbs") | ORDER


def verb_form(word: str) -> bool:
    """Whether a word is a form of an auxiliary or of a common verb, wherever it stands; *take_place* is one word."""
    return word in AUXILIARY or word.split("_")[0] in vocabulary("verbs")


def ends_phrase(items: Sequence[Item], i: int) -> bool:
    """Whether the word at ``i`` cannot be part of the noun phrase that follows it."""
    word = lower(items, i)
    if word in DETERMINER or word in STOP or word in ("what", "how", "why", "many", "much"):
        return True
    return verb_form(word) and not _between_the_and_noun(items, i)


def _between_the_and_noun(items: Sequence[Item], i: int) -> bool:
    """Whether a form of a verb is a noun by its place: "the work | that tells of X", "the lead | singer of X"."""
    following = lower(items, i + 1)
    return lower(items, i - 1) == "the" and (following in RELATIVE or head_types().get(following) == "person")


def lacks_verb(items: Sequence[Item], at: int, end: int) -> bool:
    """Whether a passive's auxiliary at ``at`` asks for a circumstance and no verb from ``end`` on completes it: "when
    was the law | enacted in X"."""
    inverted = lower(items, at) in PASSIVE and any(lower(items, i) in _CIRCUMSTANCE for i in range(at))
    return inverted and not has_verb(items, end)


def has_verb(items: Sequence[Item], start: int) -> bool:
    """Whether any word from ``start`` on is a form of a verb."""
    return any(verb_form(lower(items, i)) for i in range(start, len(items)))


def is_verb(items: Sequence[Item], i: int) -> bool:
    """Whether the word at ``i`` is a verb or an auxiliary; after an article or a preposition it is none."""
    word = lower(items, i)
    if word in AUXILIARY:
        return True
    listed = verb_form(word) or (word.endswith("ed") and len(word) > 4)
    return listed and lower(items, i - 1) not in DETERMINER | POSSESSIVE | PREPOSITION


def past_participle(word: str) -> bool:
    """Whether a word is a participle by its ending, or a listed one that may follow a noun: *built*, *sold*."""
    return word.endswith("ed") or word in vocabulary("participles")


def has_article(items: Sequence[Item], i: int) -> bool:
    """Whether an article stands before the phrase that begins at ``i``."""
    return lower(items, i - 1) in ("the", "a", "an")


def drop_determiner(items: list[Item], i: int) -> None:
    """Remove the article before a phrase that has become a slot."""
    if has_article(items, i):
        del items[i - 1]
