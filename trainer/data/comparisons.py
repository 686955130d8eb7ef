"""Questions that compare: two walks that end in a day by the same words, and which of the two comes first.

Half of HotpotQA's and 2WikiMultiHopQA's questions are of this kind, and the last fact does not hold their answer.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence

from clew.text.values import compare_dates, date
from clew.trainer.data.questions import HOPS, Synthetic, agent_noun

SHARE = 0.25
"""The share of comparisons among all questions, at most."""
_ORDERS = {"was born": ("was born first", "is older", "was born later", "is younger")}


def with_comparisons(questions: Sequence[Synthetic], hops: Sequence[int] = HOPS, seed: int = 0) -> list[Synthetic]:
    """The questions, the last of them replaced by comparisons of pairs, in random order.

    The questions are those of one split. A comparison of one fact each has two hops, one of two facts each has four;
    ``hops`` are those that are wanted.
    """
    rng = random.Random(seed)
    made = [one for one in _comparisons(questions, rng) if one.hops in hops]
    made = rng.sample(made, min(len(made), int(SHARE * len(questions))))
    mixed = [*questions[: len(questions) - len(made)], *made]
    rng.shuffle(mixed)
    return mixed


def _comparisons(questions: Sequence[Synthetic], rng: random.Random) -> Iterator[Synthetic]:
    """Disjoint pairs of questions whose walks go by the same relations to different days."""
    alike: dict[tuple[str, ...], list[Synthetic]] = {}
    for question in questions:
        *before, last = question.walk
        if last.asks == "when" and date(last.answer) and all(map(agent_noun, before)) and len(before) <= 1:
            alike.setdefault(tuple(relation.phrase for relation in question.walk), []).append(question)
    for group in alike.values():
        rng.shuffle(group)
        for left, right in zip(group[::2], group[1::2], strict=False):
            if made := _comparison(left, right, rng):
                yield made


def _comparison(left: Synthetic, right: Synthetic, rng: random.Random) -> Synthetic | None:
    """None where the days do not tell, or both walks are of one thing."""
    (first, *_), last = left.walk, left.walk[-1]
    names = [left.walk[0].subject, right.walk[0].subject]
    order = compare_dates(date(last.answer), date(right.walk[-1].answer))
    if not order or names[0] == names[1]:
        return None
    verb = last.phrase.rpartition(" ")[0]
    words = _ORDERS.get(verb, (f"{verb} first", f"{verb} later"))
    choice = rng.randrange(len(words))
    later = choice >= len(words) // 2
    if left.hops > 1:
        asked = f"Which has the {agent_noun(first)} who"
    else:
        asked = "Who" if verb in ("was born", "died") else "Which"
    answer = names[(order > 0) != later]
    id = hashlib.sha256(f"{left.id} {right.id}".encode()).hexdigest()[:16]
    question = f"{asked} {words[choice]}, {names[0]} or {names[1]}?"
    return Synthetic(id, question, (answer,), (*left.walk, *right.walk), compares=True)
