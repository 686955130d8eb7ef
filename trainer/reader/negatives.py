"""Passages that do not answer, made of ones that do: what teaches a reader to say that something is not here.

Each kind breaks one thing that an answer needs: the passage, the sentence, the year, the name. What a question asks
with another year or of somebody else may look as if it were answered, which is what readers fall for; and so may the
passages that a search finds beside the right one, which is what a reader meets most.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from clew.trainer.reader.contradictions import NAMES, contradiction
from clew.trainer.reader.items import Item

FOREIGN, NEAR, CUT, YEAR, NAME, CONTRADICTION = 0.04, 0.25, 0.10, 0.5, 0.12, 0.3
"""The share of answerable examples that gives one more example of each kind, the last three of those that allow it."""
NEIGHBOURS = 6
"""Passages of the same domain that are most like a question, one of which is shown with it."""
BESIDE = 1000
"""Questions whose refusals over other passages are measured, at most."""
_CHUNK = 512

_YEAR = re.compile(r"\b(1[5-9]\d\d|20[0-4]\d)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])|\n+")


def negatives(items: Sequence[Item], rng: random.Random) -> list[Item]:
    """Unanswerable examples made of the answerable ones among ``items``, in random amounts of each kind."""
    by_domain: dict[str, list[Item]] = defaultdict(list)
    names: dict[str, list[str]] = defaultdict(list)
    for item in items:
        by_domain[item.domain].append(item)
        names[item.domain] += NAMES.findall(item.question)
    made: list[Item | None] = []
    near: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        if not item.spans and not item.verdict:
            continue
        if rng.random() < FOREIGN * (3 if item.verdict else 1):
            made.append(_foreign(item, by_domain[item.domain], rng))
        if item.verdict:
            continue
        if rng.random() < NEAR:
            near[item.domain].append(item)
        if rng.random() < CUT:
            made.append(_cut(item))
        if rng.random() < YEAR:
            made.append(_other_year(item, rng))
        if rng.random() < NAME:
            made.append(_other_name(item, names[item.domain], rng))
        if names[item.domain] and rng.random() < CONTRADICTION:
            made.append(contradiction(item, names[item.domain], rng))
    for domain in sorted(near):
        made += _near(near[domain], by_domain[domain], rng)
    return [item for item in made if item is not None]


def beside(items: Sequence[Item], rng: random.Random) -> list[Item]:
    """Answerable questions, ``BESIDE`` at most, over a foreign passage of their domain and over one that a search might
    find beside their own, as domains of those names: what a reader's refusals are measured on.
    """
    answerable = [item for item in items if item.spans]
    passages, asked = _by_domain(answerable), rng.sample(answerable, min(BESIDE, len(answerable)))
    foreign = [_foreign(item, passages[item.domain], rng) for item in asked]
    near = [one for domain, some in sorted(_by_domain(asked).items()) for one in _near(some, passages[domain], rng)]
    kinds = (("foreign passages", foreign), ("passages alike", near))
    return [replace(one, domain=name) for name, made in kinds for one in made if one is not None]


def _by_domain(items: Sequence[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        found[item.domain].append(item)
    return found


def _unanswered(item: Item, **changes: str) -> Item:
    return replace(item, spans=(), verdict=0, complete=False, **changes)


def _foreign(item: Item, others: Sequence[Item], rng: random.Random) -> Item | None:
    other = rng.choice(others)
    if any(answer in other.context for answer in item.answers) or other.context == item.context:
        return None
    return _unanswered(item, context=other.context, title=other.title)


def _near(asked: Sequence[Item], others: Sequence[Item], rng: random.Random) -> list[Item | None]:
    """Each question over a passage that shares its rare words (TF-IDF) and none of its answers."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    passages = list({item.context: item for item in others}.values())
    if len(passages) <= NEIGHBOURS:
        return []
    vectoriser = TfidfVectorizer(stop_words="english", sublinear_tf=True, dtype=np.float32)
    known = vectoriser.fit_transform(f"{item.title} {item.context}" for item in passages).T.tocsr()
    made: list[Item | None] = []
    for at in range(0, len(asked), _CHUNK):
        part = asked[at : at + _CHUNK]
        likeness = (vectoriser.transform([item.question for item in part]) @ known).toarray()
        nearest = np.argpartition(-likeness, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
        for item, found in zip(part, nearest, strict=True):
            free = [other for other in (passages[row] for row in found)
                    if other.context != item.context and not _holds(other.context, item)]  # fmt: skip
            other = rng.choice(free) if free else None
            made.append(_unanswered(item, context=other.context, title=other.title) if other else None)
    return made


def _holds(context: str, item: Item) -> bool:
    low = context.casefold()
    return any(answer.casefold() in low for answer in item.answers)


def _cut(item: Item) -> Item | None:
    """The passage without the sentences of its answers, where nothing else in it repeats them."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(item.context)), len(item.context)]
    kept = [
        item.context[a:b] for a, b in pairwise(ends)
        if not any(start < b and a < end for start, end in item.spans)
    ]  # fmt: skip
    context = "".join(kept)
    if len(context) < 80 or any(answer in context for answer in item.answers):
        return None
    return _unanswered(item, context=context)


def _other_year(item: Item, rng: random.Random) -> Item | None:
    """The question of another year, one of which the passage says nothing."""
    years = _YEAR.findall(item.question)
    if not years or years[0] not in item.context:
        return None
    near = [str(int(years[0]) + d) for d in (-3, -2, -1, 1, 2, 3)]
    absent = [year for year in near if year not in item.context]
    return _unanswered(item, question=item.question.replace(years[0], rng.choice(absent))) if absent else None


def _other_name(item: Item, names: Sequence[str], rng: random.Random) -> Item | None:
    """The question of somebody or something else: another question's name for one that the passage speaks of."""
    own = [name for name in NAMES.findall(item.question) if name in item.context or name in item.title]
    if not own:
        return None
    asked = rng.choice(own)
    other = rng.choice(names)
    if other in item.context or other in item.title or set(other.split()) & set(asked.split()):
        return None
    return _unanswered(item, question=item.question.replace(asked, other))
