"""Questions about what two things are: whether both are so, which of them is, and what they have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.agent.extractive.answer_types import answer_type
from clew.agent.extractive.definitions import in_common
from clew.agent.extractive.lexicon import country, find_relation, key, vocabulary
from clew.agent.extractive.plan import FITTING, KINDS, Comparison, Draft, Item, Plan, lower, sentence
from clew.agent.extractive.word_classes import AUXILIARY, PREPOSITION
from clew.text.names import FUNCTION_WORDS

BOTH = "both"
WHICH = "which"
SHARED = "shared"
ALIKE = "alike"
PAIRED = (BOTH, WHICH, SHARED, ALIKE)
FEW = 2
"""Values that are named where several are asked for."""
_BESIDE = frozenset("the a an both either , and or".split())
"""Words that may stand beside an option without saying anything of it."""
_ASKING = frozenset("which who what".split())
_SHARE = re.compile(r"\b(?:in common|share[sd]?)\b")
_ARE_WHAT = re.compile(
    r"(?:both )?x and x (?:both )?(?:are|were|is|was|have|had|held|hold|belong|share)\b"
    r"(?: [a-z]+){0,4} (?:what|which)\b"
)
_WHAT_BOTH = re.compile(
    r"(?:(?:to|in|of|from|for|by) )?(?:what|which)\b.*\b(?:do|does|did|are|were|is|was|have|has) "
    r"(?:both x and x\b|x and x both\b|x and x(?: [a-z]+){0,2}$)|what (?:is|was|are|were) .* of both x and x$"
)
_SHARED_NOUN = re.compile(
    r"\b(?:shared|common|same) ([a-z]+) (?:of|between|for|by|among)\b|\bwhat (?:is|was|are|were) the ([a-z]+) of both\b"
)
_NOUN = re.compile(
    r"\b(?:what|which) (?:two |2 |other |same )?((?:[a-z-]+ )*?)"
    r"(?=(?:do|does|did|are|were|is|was|have|has|can|x|both)\b)|\b(?:what|which) ((?:[a-z-]+ ?)+)$"
)
_OF_KIND = re.compile(r"^(?:kind|type|sort|class|form|name)s? of ")


def pair(question: str, names: list[str], draft: Draft) -> Plan | None:
    """The plan of such a question; None for any other one."""
    found = _options(draft.items)
    if found is None:
        return None
    (a, b), conjunction = found
    slots = [item for item in draft.items if isinstance(item, int)]
    first = lower(draft.items, 0)
    if min(slots) < 0 or len(draft.hops) > 0:
        return None
    text = _text(draft.items)
    if len(slots) == 2 and conjunction == "and" and (_SHARE.search(text) or _ARE_WHAT.match(text) or _both(text)):
        return _shared(question, names, draft, (a, b), text)
    said = _said(draft.items, (a, b))
    if first in AUXILIARY and "same" in text.split():
        return _alike(question, names, draft, (a, b), text)
    if first in AUXILIARY and (conjunction == "and" or "both" in text.split()) and said:
        return _fitting(question, names, draft, (a, b), said, BOTH)
    chosen = first in _ASKING or (first in AUXILIARY and "both" not in text.split())
    if conjunction == "or" and chosen and said:
        return _fitting(question, names, draft, (a, b), said, WHICH)
    return None


def _both(text: str) -> bool:
    return _WHAT_BOTH.match(text) is not None


def _text(items: Sequence[Item]) -> str:
    """The question with *x* for every name, without the articles before names."""
    words = ["x" if isinstance(item, int) else item.lower() for item in items]
    kept = [w for i, w in enumerate(words) if not (w in ("the", "a", "an") and words[i + 1 : i + 2] == ["x"])]
    kept = [w for i, w in enumerate(kept) if w != "," or "x" not in kept[max(0, i - 1) : i]]
    return " ".join(kept)


def _options(items: Sequence[Item]) -> tuple[tuple[int, int], str] | None:
    """The last two names that *and* or *or* joins, and that word."""
    places = [i for i, item in enumerate(items) if isinstance(item, int)]
    for i, j in zip(reversed(places[:-1]), reversed(places[1:]), strict=True):
        between = [lower(items, k) for k in range(i + 1, j)]
        joined = [word for word in between if word in ("and", "or")]
        left, right = items[i], items[j]
        if len(joined) == 1 and set(between) <= _BESIDE and isinstance(left, int) and isinstance(right, int):
            return (left, right), joined[0]
    return None


def _said(items: Sequence[Item], options: tuple[int, int]) -> list[Item]:
    """What is said of the options, without them and the words that lead to them."""
    said: list[Item] = []
    skip = {i for i, item in enumerate(items) if item in options}
    for i, item in enumerate(items):
        beside = isinstance(item, str) and item.lower() in _BESIDE
        if i in skip or item in ("both", ",") or (beside and {i + 1, i + 2, i - 1} & skip and _leads(items, i, skip)):
            continue
        said.append(item)
    if said and isinstance(said[0], str) and said[0].lower() in AUXILIARY | _ASKING:
        said = said[1:]
    tells = [x for x in said if isinstance(x, int) or (x[0].isalnum() and x.lower() not in FUNCTION_WORDS)]
    return said if tells else []


def _leads(items: Sequence[Item], i: int, skip: set[int]) -> bool:
    """Whether only such words stand between a place and the next option."""
    after = next((j for j in range(i + 1, len(items)) if lower(items, j) not in _BESIDE), len(items))
    return after in skip


def _fitting(
    question: str, names: list[str], draft: Draft, options: tuple[int, int], said: list[Item], pick: str
) -> Plan:
    others = [item for item in said if isinstance(item, int)]
    words = sentence(said)
    targets = [draft.append(f"{{{slot}}} {words}", [slot, *others], None, FITTING) for slot in options]
    compared = Comparison(options, words, pick, (targets[0],), (targets[1],))
    return Plan(question, tuple(names), tuple(draft.hops), draft.hints, compared)


def _alike(question: str, names: list[str], draft: Draft, options: tuple[int, int], text: str) -> Plan | None:
    """ "Are X and Y in the same family": yes if the family of both is one."""
    after = text.split(" same ")[-1].split()
    end = next((i for i, word in enumerate(after) if word in FUNCTION_WORDS or word in ("x", "?", ",")), len(after))
    noun = " ".join(after[:end])
    if not noun:
        return None
    return _shared(question, names, draft, options, f"what {noun}", ALIKE)


def _shared(
    question: str, names: list[str], draft: Draft, options: tuple[int, int], text: str, pick: str = SHARED
) -> Plan:
    found = _SHARED_NOUN.search(text) or _NOUN.search(text)
    noun = next((group.strip() for group in found.groups() if group), "") if found else ""
    kind = _OF_KIND.match(f"{noun} ")
    noun = noun[kind.end() :] if kind else noun
    noun = " ".join(word for word in noun.split() if word not in PREPOSITION or word == "of")
    kind_of = f"kind of {noun}" if kind else noun
    targets = []
    for slot in options:
        if asks_what_is(kind_of):
            targets.append(draft.append(f"What is {{{slot}}}", [slot], None, KINDS, noun))
            continue
        relation = find_relation(_singular(noun))
        expects, head = answer_type(_singular(noun).split(), relation)
        targets.append(draft.append(f"{noun} of {{{slot}}}", [slot], relation, expects, head))
    compared = Comparison(options, kind_of, pick, (targets[0],), (targets[1],))
    return Plan(question, tuple(names), tuple(draft.hops), draft.hints, compared)


def _singular(noun: str) -> str:
    return f"{noun[:-3]}y" if noun.endswith("ies") else noun.removesuffix("s")


def _plural(noun: str) -> bool:
    last = noun.split(" ")[-1]
    return last.endswith("s") and not last.endswith("ss") and not noun.startswith("kind of ")


def judge(
    compared: Comparison, left: Sequence[str], right: Sequence[str], names: tuple[str, ...], scores: tuple[float, ...]
) -> str:
    """The answer to such a question by what was found of each side; empty where that does not tell."""
    if compared.pick == BOTH:
        return "no" if "no" in (left[0], right[0]) else "yes"
    if compared.pick == WHICH:
        if scores[0] == scores[1]:
            return ""
        return names[0] if scores[0] > scores[1] else names[1]
    if compared.pick == ALIKE and not asks_what_is(compared.attribute):
        return "yes" if _meant(left[0]) == _meant(right[0]) else "no"
    theirs = {_meant(value): i for i, value in reversed(list(enumerate(right)))}
    alike = [(i + theirs[_meant(value)], value) for i, value in enumerate(left) if _meant(value) in theirs]
    if compared.pick == SHARED and _plural(compared.attribute) and len(alike) > 1:
        return " and ".join(value for _, value in sorted(alike)[:FEW])
    noun = compared.attribute
    shared = min(alike)[1] if alike and not asks_what_is(noun) else in_common(left, right, noun)
    return ("yes" if shared else "no") if compared.pick == ALIKE else shared


def _meant(value: str) -> str:
    return key(country(value) or value)


def asks_what_is(noun: str) -> bool:
    """Whether a noun asks of two things what they are, and not for something else that belongs to both."""
    return noun.startswith("kind of ") or noun.split(" ")[-1].removesuffix("s") in vocabulary("kind_nouns") | {""}


def either(compared: Comparison, left: Sequence[str], right: Sequence[str], names: tuple[str, ...]) -> str:
    """A guess where nothing tells: the side of which something is known, or what is known of it."""
    if compared.pick in (BOTH, ALIKE, "same") or compared.claimed:
        return "yes" if "yes" in (*left, *right) else "no"
    if compared.pick == SHARED:
        return next(iter((*left, *right)), "")
    if compared.pick == "age":
        return ""
    return names[0] if left else names[1]
