"""Metrics of answers and of retrieval. Every value lies between 0 and 1, and 1 is best.

An empty answer is wrong under every metric, whatever the gold answers are.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from clew.text.normalise import normalise, one_line, plain_signs
from clew.text.values import compare_quantities, date, measures, quantity

if TYPE_CHECKING:
    from clew.embedding import Embedder, Vectors
    from clew.evaluation.datasets import Support

ENOUGH_OVERLAP = 0.5
"""Share of the shorter text that a chunk and a supporting passage have in common where one runs into the other."""
SHORTEST_PART = 20
"""Characters below which a text that stands inside another one says nothing about where it comes from."""

RIGHT = 0.6
"""Token F1 from which words count as right."""
_ITEMS = re.compile(r";\s*|\n+|,\s+(?:and\s+)?|\s+and\s+")
_DATE_ONLY = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:[A-Za-z]{3,9}\.?,?\s+)?(?:\d{1,2},\s*)?\d{4}(?:-\d{1,2}){0,2}"
)
_QUANTITY_ONLY = re.compile(r"[€£$¥]?\s?\d[\d,.]*\s?(?:%|[^\W\d]+²?(?:\s[^\W\d]+){0,2})?")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_TRUTH = {"true": "yes", "false": "no"}
_CLOSED = frozenset({"yes", "no", "noanswer"})

Key = tuple[str, str]


def normalize_answer(text: str) -> str:
    """The text as SQuAD's evaluation compares it: lower case, no ASCII punctuation, no articles, single spaces.

    Beyond SQuAD's, typographic signs count as the plain ones, and letters with their accents are one character.
    """
    return " ".join(_ARTICLES.sub(" ", plain_signs(text).lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, golds: Sequence[str]) -> float:
    """1 if the answer is one of the gold answers after normalisation, else 0 (EM of SQuAD)."""
    return float(any(_equal(answer, gold) for gold in golds))


def f1(answer: str, golds: Sequence[str]) -> float:
    """Token F1 after normalisation, tokens counted as often as they stand, best over the gold answers (SQuAD).

    Where nothing is left of answer or gold answer (*The The*), they count only as equal strings.
    """
    return max((_f1(answer, gold) for gold in golds), default=0.0)


def right(answer: str, golds: Sequence[str], *, every: bool = False) -> float:
    """Whether an answer is right as a person would say: 1 or 0, and for a list its F1 over whole items.

    Numbers are compared as numbers in one unit, dates as far as the gold one goes, everything else by token F1 from
    ``RIGHT`` on. Without gold answers it is right to give none.
    """
    if not golds or not answer.strip():
        return float(not golds and not answer.strip())
    answer, golds = plain_signs(answer), [plain_signs(gold) for gold in golds]
    if not every:
        return float(any(_agrees(answer, gold) for gold in golds))
    given = [item for item in _ITEMS.split(answer) if item.strip()]
    matched = sum(any(_agrees(item, gold) for item in given) for gold in golds)
    wanted = sum(any(_agrees(item, gold) for gold in golds) for item in given)
    recall, precision = matched / len(golds), wanted / max(len(given), 1)
    return 2 * recall * precision / (recall + precision) if matched and wanted else 0.0


def _agrees(answer: str, gold: str) -> bool:
    """Whether an answer is this gold one; of two quantities the first numbers count, and what they measure."""
    if (day := date(gold)) and _DATE_ONLY.fullmatch(gold.strip()):
        own = date(answer)
        return own is not None and all(a == b for a, b in zip(own, day, strict=True) if b)
    if _QUANTITY_ONLY.fullmatch(gold.strip()):
        given, wanted = quantity(answer), quantity(gold)
        if given is None or wanted is None or compare_quantities(answer, gold) != 0:
            return False
        return not (measures(answer) and measures(gold)) or measures(answer) == measures(gold)
    return _f1(answer, gold) >= RIGHT


def f1_graphrag_r1(answer: str, golds: Sequence[str]) -> float:
    """Token F1 as GraphRAG-R1's script takes it (arXiv 2507.23581).

    True and False are read as yes and no, and the score is 0 where exactly one of the two is yes, no or noanswer:
    *yes it is* gets nothing for *yes*.
    """
    given = _yes_no(answer)
    scores = [0.0]
    for gold in map(_yes_no, golds):
        closed = {normalize_answer(given), normalize_answer(gold)} & _CLOSED
        if not closed or normalize_answer(given) == normalize_answer(gold):
            scores.append(_f1(given, gold))
    return max(scores)


def passage_key(title: str, text: str) -> Key:
    """Title and text as passages are compared by: as an ingest leaves them, in one line and one case."""
    return one_line(normalise(title)).casefold(), " ".join(normalise(text).split()).casefold()


def recall_at_k(ranked: Sequence[tuple[str, str]], supporting: Sequence[Support], k: int) -> float:
    """The share of the supporting passages that are among the first ``k`` of the ranked (title, text).

    A chunk counts for a supporting passage of its title if they are the same text, if one contains the other, or if
    the end of one is the start of the other, by half of the shorter one at least: long passages are split, and chunks
    do not end where passages do. Another version of the passage, a word changed, does not count. Of a supporting
    passage without text the title decides; of one without title, the text.

    Raises ValueError where there are no supporting passages, or ``k`` is less than 1.
    """
    found = _found(ranked, supporting, k)
    return sum(found) / len(found)


def all_recall_at_k(ranked: Sequence[tuple[str, str]], supporting: Sequence[Support], k: int) -> float:
    """1 if every supporting passage is among the first ``k``, else 0; otherwise as ``recall_at_k``."""
    return float(all(_found(ranked, supporting, k)))


def answer_recall_at_k(texts: Sequence[str], answers: Sequence[str], k: int) -> float | None:
    """1 if a gold answer stands, normalised and as whole words, in one of the first ``k`` texts, else 0.

    Of yes, no and what is empty after normalisation no passage can tell (*NO* is also an alias of Norway): such gold
    answers do not count, and where there are no others, the value is None.

    Raises ValueError where ``k`` is less than 1.
    """
    _check(k)
    wanted = {normalize_answer(answer) for answer in answers} - {"", "yes", "no"}
    if not wanted:
        return None
    bordered = [f" {normalize_answer(text)} " for text in texts[:k]]
    return float(any(f" {answer} " in text for text in bordered for answer in wanted))


def r_s(retrieved: Sequence[str], gold: Sequence[str], embedder: Embedder) -> float | None:
    """R-S of Graph-R1: the cosine of retrieved and gold knowledge, each the mean direction of its texts' vectors.

    The mean stands in for one vector of all texts, because an encoder cuts off what is longer than its window. Cosines
    below 0 count as 0, and so does an empty retrieval. None where there is no gold knowledge.
    """
    if not gold:
        return None
    if not retrieved:
        return 0.0
    vectors = embedder.embed([*retrieved, *gold])
    return _cosine(vectors[: len(retrieved)].mean(0), vectors[len(retrieved) :].mean(0))


def sbert(answer: str, golds: Sequence[str], embedder: Embedder) -> float:
    """The cosine of the embeddings of answer and gold answer, best over the gold answers; below 0 it counts as 0."""
    if not answer.strip() or not golds:
        return 0.0
    vectors = embedder.embed([answer, *golds])
    return max(_cosine(vectors[0], gold) for gold in vectors[1:])


def _equal(answer: str, gold: str) -> bool:
    given = normalize_answer(answer)
    if given:
        return given == normalize_answer(gold)
    bare = answer.strip().lower()
    return bool(bare) and bare == gold.strip().lower()


def _f1(answer: str, gold: str) -> float:
    given, wanted = normalize_answer(answer).split(), normalize_answer(gold).split()
    if not given or not wanted:
        return float(_equal(answer, gold))
    common = sum((Counter(given) & Counter(wanted)).values())
    return 2 * common / (len(given) + len(wanted))


def _yes_no(answer: str) -> str:
    return _TRUTH.get(normalize_answer(answer), answer)


def _found(ranked: Sequence[tuple[str, str]], supporting: Sequence[Support], k: int) -> list[bool]:
    _check(k)
    if not supporting:
        raise ValueError("Recall is not defined without supporting passages.")
    first = [passage_key(title, text) for title, text in ranked[:k]]
    return [any(_counts_for(key, passage_key(s.title, s.text)) for key in first) for s in supporting]


def _check(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}, but counts passages: at least 1.")


def _counts_for(chunk: Key, wanted: Key) -> bool:
    (title, text), (wanted_title, wanted_text) = chunk, wanted
    if wanted_title and title != wanted_title:
        return False
    if not wanted_text or not text:
        return not wanted_text and bool(wanted_title)
    if text == wanted_text:
        return True
    short, long = sorted((text, wanted_text), key=len)
    if len(short) < SHORTEST_PART:
        return False
    least = max(SHORTEST_PART, math.ceil(ENOUGH_OVERLAP * len(short)))
    return short in long or _runs_into(short, long, least) or _runs_into(long, short, least)


def _runs_into(first: str, second: str, least: int) -> bool:
    """Whether the last characters of one text, ``least`` or more, are the first ones of the other."""
    opening = second[:least]
    place = first.find(opening)
    while place >= 0:
        if second.startswith(first[place:]):
            return True
        place = first.find(opening, place + 1)
    return False


def _cosine(a: Vectors, b: Vectors) -> float:
    norms = float(np.linalg.norm(a) * np.linalg.norm(b))
    return min(1.0, max(0.0, float(a @ b) / norms)) if norms else 0.0
