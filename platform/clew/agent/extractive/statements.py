"""Questions that state first and ask last: "X is a ballad by a singer born where", "X plays for which club".

Their question word stands in the place of the answer, mostly in a clause about something that is told by what precedes
it. That is asked for first ("X is a ballad by which singer"), then the clause of what was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.agent.extractive.answer_types import answer_type
from clew.agent.extractive.clauses import clause_end
from clew.agent.extractive.lexicon import vocabulary
from clew.agent.extractive.plan import Item, lower
from clew.agent.extractive.word_classes import (
    AUXILIARY,
    PASSIVE,
    PREPOSITION,
    QUESTION,
    RELATIVE,
    STOP,
    ends_phrase,
    has_article,
    past_participle,
    verb_form,
)
from clew.text.names import FUNCTION_WORDS

_ENDING = frozenset("who whom where when".split())
"""Question words that stand alone in the place of the answer."""
_ASKED = frozenset("what which whom when whose".split())
_ADVERB = frozenset("also later now currently once first".split())
_ARTICLE = frozenset("a an the this".split())
_CIRCUMSTANCE = frozenset("in on at since until during from near".split())
_JOINING = PREPOSITION - RELATIVE
_NAMED = frozenset("person organisation place country work thing".split())
"""Types whose things have names, which can be asked for."""
_OF_NAMES = frozenset("who whose where whom".split())
"""Pronouns that follow a name without a comma."""
LONGEST = 6
"""Words of a noun phrase that a clause may follow, at most."""


@dataclass(frozen=True, slots=True)
class Split:
    """A statement in two: what tells of whom the clause speaks, empty where that has a name, and the rest.

    ``outer`` is asked next, with the answer of ``inner`` at place ``at``; where there is no ``inner`` it is whole.
    """

    inner: list[Item]
    outer: list[Item]
    at: int = 0


def question_word(items: Sequence[Item]) -> int:
    """Where the question word stands that takes the place of the answer; −1 where the question begins with one, or
    wants yes or no."""
    if lower(items, 0) in QUESTION | AUXILIARY or lower(items, 1) in _ASKED:
        return -1
    for i in range(len(items) - 1, 1, -1):
        word = lower(items, i)
        if word not in QUESTION:
            continue
        if lower(items, i - 1) in (",", "."):
            return -1  # "In 1999, which club …"
        if word == "what" or (word == "how" and lower(items, i + 1) in ("many", "much", "old", "long")):
            return i
        if (word in _ENDING and i == len(items) - 1) or (word == "which" and _asks(items, i)):
            return i
    asking = [i for i in range(2, len(items)) if lower(items, i) in QUESTION]
    return asking[0] if len(asking) == 1 and lower(items, asking[0]) == "which" else -1


def _asks(items: Sequence[Item], i: int) -> bool:
    """Whether *which* asks: a noun follows it, and a verb or a preposition stands before it, no noun."""
    following = lower(items, i + 1)
    noun = following.isalpha() and not verb_form(following) and following not in FUNCTION_WORDS
    named = i + 2 == len(items) and isinstance(items[i + 1], int)
    return noun or named


def as_asked(items: Sequence[Item]) -> list[Item]:
    """A statement in the order of a question, where it asks for a place or a time: "in what year was X founded" for "X
    was founded in which year"."""
    plain = noun_last(items)
    at = question_word(plain)
    if at < 0:
        return plain
    start = at - (lower(plain, at - 1) in _CIRCUMSTANCE)
    end = at + 1
    if lower(plain, at) == "what":
        while _in_phrase(plain, end) or _is_modifier(plain, end):
            end += 1
        kind = answer_type([lower(plain, i) for i in range(at, end) if isinstance(plain[i], str)], None)[0]
        if start == at or kind not in ("place", "country", "date"):
            return plain
        if lower(plain, end) in ("of", "in") and end + 1 < len(plain) and isinstance(plain[end + 1], int):
            end += 2  # "in what town in Y is X"
    if any(lower(plain, i) in RELATIVE for i in range(1, start)) or not isinstance(plain[0], int):
        return plain
    if lower(plain, at) not in ("what", "where", "when") or start < 2:
        return plain
    helped = lower(plain, 1) in AUXILIARY
    auxiliary = lower(plain, 1) if helped else "did"
    return [*plain[start:end], auxiliary, plain[0], *plain[1 + helped : start], *plain[end:]]


def noun_last(items: Sequence[Item]) -> list[Item]:
    """The items with "what population" for a last "a population of what", and *what* for a *which* that asks."""
    at = question_word(items)
    if at < 0:
        return list(items)
    plain = [*items[:at], "what" if lower(items, at) == "which" else items[at], *items[at + 1 :]]
    start = _noun(plain, at - 1)
    if plain[-2:] == ["of", "what"] and has_article(plain, start):
        plain[start - 1 :] = ["what", *plain[start : at - 1]]
    return plain


def _in_phrase(items: Sequence[Item], i: int) -> bool:
    return lower(items, i).isalpha() and (not ends_phrase(items, i) or lower(items, i) == "and")


def _is_modifier(items: Sequence[Item], i: int) -> bool:
    """Whether a name only says which noun is meant: "in what | Danland | county"."""
    return i + 1 < len(items) and isinstance(items[i], int) and _in_phrase(items, i + 1)


def _noun(items: Sequence[Item], end: int) -> int:
    """Where the noun phrase before ``end`` begins, without its article."""
    start = end
    while start and isinstance(items[start - 1], str) and not ends_phrase(items, start - 1):
        start -= 1
    return start


def split(items: Sequence[Item]) -> Split | None:
    """A statement with its question word in a clause, in two parts; None where there is no such clause."""
    at = question_word(items)
    for i in range(at - 1, 1, -1):
        if (found := _clause(items, i, at)) is not None:
            return found
    return None


def _clause(items: Sequence[Item], i: int, asked: int) -> Split | None:
    """The parts if a clause begins at ``i`` that holds the question word."""
    word = lower(items, i)
    pronoun = word in RELATIVE and word != "when"
    joining = word in _JOINING and (i == asked - 1 or word == "with")
    if not (pronoun or joining or _participle(items, i)):
        return None
    beside = word in PREPOSITION and i == asked - 1
    if not beside and clause_end(items, i + 1, begun=not pronoun) <= asked:
        return None
    end = i - 1 if word in RELATIVE and lower(items, i - 1) in PREPOSITION | {","} else i
    end -= lower(items, end - 1) == ","
    clause = list(items[i + pronoun :])
    joined = lower(items, i - 1) if word in RELATIVE and lower(items, i - 1) in PREPOSITION else ""
    named = isinstance(items[end - 1], int)
    if named and (lower(items, i - 1) == "," or word in _OF_NAMES):
        return Split([], _about([items[end - 1]], word, clause, joined)[0])  # "in X, which lies in what state"
    start = _described(items, end) if named else _phrase(items, end)
    if start is None or start < 2:
        return None
    noun, before = list(items[start:end]), list(items[: start - 1])
    kind, _ = answer_type([lower(items, j) for j in range(start, end) if isinstance(items[j], str)], None)
    definite = lower(items, start - 1) == "the"
    if word in _JOINING and (kind not in _NAMED or (definite and (kind, word) != ("person", "of"))):
        return None  # "took a part in what"
    subject = _predicated(before)
    if subject is None:
        if word in _JOINING and definite:
            clause = ["the", *noun, *clause]  # "X married | the singer of what band"
        outer, place = _about([""], word, clause, joined)
        return Split([*before, "what", *noun], outer, place)
    return Split([], _about(subject, word, clause, joined)[0]) if subject and word not in _JOINING else None


def _about(subject: list[Item], word: str, clause: list[Item], preposition: str) -> tuple[list[Item], int]:
    """A clause as a statement of its own about ``subject``, and where that stands in it."""
    if word == "whose":
        return [*subject, "'s", *clause], 0
    if word == "where" or preposition:
        return [*clause, preposition or "in", *subject], len(clause) + 1
    if word in _JOINING:
        return [*subject, *(["has", *clause[1:]] if word == "with" else ["is", *clause])], 0
    if word not in RELATIVE and past_participle(word):
        return [*subject, "was", *clause], 0
    return [*subject, *clause], 0


def _participle(items: Sequence[Item], i: int) -> bool:
    """Whether a word is a participle after its noun: "a firm | founded by whom", "a singer | born where"."""
    word, before = lower(items, i), lower(items, i - 1)
    noun = not verb_form(before) or _names_agent(before)
    if not before.isalpha() or before in STOP or not noun or word in AUXILIARY:
        return isinstance(items[i - 1], int) and lower(items, i - 2) in ("a", "an") and past_participle(word)
    return past_participle(word) or (word.endswith("ing") and len(word) > 5)


def _phrase(items: Sequence[Item], end: int) -> int | None:
    """Where the noun phrase that ends before ``end`` begins, after its article; None where it has none."""
    for i in range(end - 1, max(-1, end - 2 - LONGEST), -1):
        if lower(items, i) in _ARTICLE:
            return i + 1 if i + 1 < end else None
        joined = lower(items, i) in ("and", "or", "of") or (i == end - 1 and _names_agent(lower(items, i)))
        if isinstance(items[i], str) and ends_phrase(items, i) and not joined:
            return None
    return None


def _names_agent(word: str) -> bool:
    """Whether a form of a verb is a noun as well: a *host*."""
    return word in vocabulary("owned") or word in vocabulary("person", "nouns")


def _described(items: Sequence[Item], end: int) -> int | None:
    """The same for a phrase that a name ends: "this | hotel near X that has how many rooms", or that is one: "a | 1931
    Harbour film based on what"."""
    if lower(items, end - 2) in ("a", "an"):
        return end - 1
    for i in range(end - 3, 0, -1):
        if lower(items, i) in _ARTICLE:
            following = next((j for j in range(i + 1, end) if isinstance(items[j], int) or ends_phrase(items, j)), end)
            return i + 1 if following > i + 1 and lower(items, following) in PREPOSITION else None
        if lower(items, i) in RELATIVE | AUXILIARY:
            return None
    return None


def _predicated(before: Sequence[Item]) -> list[Item] | None:
    """Whom a noun phrase after these words only describes: "X is | a ballad that …"; empty where a pronoun stands for
    them, None where it is somebody else."""
    words = [item for item in before if not (isinstance(item, str) and item.lower() in _ADVERB)]
    if len(words) < 2 or lower(words, len(words) - 1) not in PASSIVE:
        return None
    if isinstance(words[-2], int):
        return [words[-2]]
    return [] if any(lower(words, i) in RELATIVE for i in range(len(words))) else words[:-1]
