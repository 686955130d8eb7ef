"""Participles with more than a name after them: "the party | holding the majority in X"."""

from __future__ import annotations

from collections.abc import Sequence

from clew.agent.extractive.answer_types import ANY, answer_type
from clew.agent.extractive.clauses import TOLD, asks_more, clause_end, make_hop, phrase_start, reduce_clause
from clew.agent.extractive.plan import Draft, Item, lower
from clew.agent.extractive.word_classes import (
    AUXILIARY,
    DETERMINER,
    INVERTING,
    ORDER,
    PREPOSITION,
    QUESTION,
    RELATIVE,
    STOP,
    ends_phrase,
    has_article,
    has_verb,
    is_verb,
    lacks_verb,
    past_participle,
    verbs,
)
from clew.text.names import FUNCTION_WORDS

_RANKS = frozenset("first last only most second third".split())
_OWNED_BY = frozenset("of by from".split())
_NO_PARTICIPLE = frozenset("during including regarding concerning according following red bed hundred".split())


def told_by_participle(draft: Draft) -> bool:
    """``the N PARTICIPLE …``: a clause without its pronoun and its *is*; the one that starts last is the innermost."""
    items = draft.items
    for i in range(len(items) - 2, 1, -1):
        if not _is_participle(items, i):
            continue
        adverb = lower(items, i - 1).endswith("ly")
        noun_end = i - 1 if adverb else i
        start = phrase_start(items, noun_end)
        if (
            start == noun_end
            or not has_article(items, start)
            or noun_end - start > 4
            or not _is_noun(lower(items, noun_end - 1))
        ):
            continue
        end = clause_end(items, i + 1, begun=True)
        inside = items[i + 1 : end]
        if not inside or _unreduced(items, i + 1, end) or _asked(items, start - 2, end):
            continue
        if any(isinstance(x, int) for x in inside):
            return reduce_clause(draft, start, noun_end, noun_end, end)
        told = sum(isinstance(w, str) and w.lower() not in FUNCTION_WORDS for w in items[noun_end:end])
        owned = start > 1 and lower(items, start - 2) not in AUXILIARY
        if told >= TOLD and owned and asks_more(items, start - 1, end):
            words = [w for w in items[start:end] if isinstance(w, str)]
            noun = [w.lower() for w in words[: noun_end - start]]
            return make_hop(draft, start, end, " ".join(["which", *words]), [], noun)
    return False


def told_by_rank(draft: Draft) -> bool:
    """``of the first N …``, ``of the longest N in …``: a rank singles out what is meant without any name."""
    items = draft.items
    for i in range(len(items) - 2, 1, -1):
        rank = lower(items, i + 1)
        ranked = rank in _RANKS or (rank.endswith("est") and len(rank) > 4)
        if lower(items, i) != "the" or lower(items, i - 1) not in _OWNED_BY or not ranked:
            continue
        end = next((j for j in range(i + 2, len(items)) if _ends_rank(items, j)), len(items))
        words = [w for w in items[i + 1 : end] if isinstance(w, str)]
        noun = words[: next((j for j, w in enumerate(words) if w.lower() in PREPOSITION), len(words))]
        plain = len(words) > 2 and len(noun) > 1 and lower(items, end - 1) not in STOP
        if not plain or (end < len(items) and isinstance(items[end], int)) or not asks_more(items, i, end):
            continue
        return make_hop(draft, i, end, " ".join(["which", *words]), [], [w.lower() for w in noun])
    return False


def _ends_rank(items: Sequence[Item], i: int) -> bool:
    word = lower(items, i)
    return isinstance(items[i], int) or word in RELATIVE | AUXILIARY | {",", "'s", "’s", "to"} or is_verb(items, i)


def _is_noun(word: str) -> bool:
    """Whether a participle may follow the word: not after "the longest | reigning" and "the first | elected"."""
    return word not in FUNCTION_WORDS | ORDER and not word.endswith("est")


def _unreduced(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether the clause holds another one, which has to be reduced first, or what the question itself asks."""
    return any(lower(items, i) in QUESTION | {"that"} for i in range(start, end))


def _is_participle(items: Sequence[Item], i: int) -> bool:
    word, before, following = lower(items, i), lower(items, i - 1), lower(items, i + 1)
    if not before.isalpha() or before in STOP or word in AUXILIARY | _NO_PARTICIPLE:
        return False
    if word.endswith("ing") and len(word) > 5:
        plain = following in DETERMINER | PREPOSITION or isinstance(items[i + 1], int)
        kind = answer_type([before], None)[0]
        return following not in AUXILIARY and following not in verbs() and (plain or kind != ANY)
    return past_participle(word) and (following in PREPOSITION or isinstance(items[i + 1], int))


def _asked(items: Sequence[Item], before: int, end: int) -> bool:
    """Whether the participle may be a verb of its own: after *did* or a pronoun ("that the crowd | asked for"), or
    where no pronoun stands ("the man the crowd | asked for")."""
    word = lower(items, before)
    if word in INVERTING | RELATIVE:
        return not has_verb(items, end)
    if word.isalpha() and not ends_phrase(items, before):
        return lower(items, phrase_start(items, before + 1) - 1) in DETERMINER
    return lacks_verb(items, before, end)
