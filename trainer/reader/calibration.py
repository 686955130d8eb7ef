"""Fitting the reader's confidence: on held-out passages and on whole documents, behind the walk, as it will be used.

They become knowledge bases, their questions are looked up, and every value that is read is right or wrong. Logistic
regression (scikit-learn) weighs what is seen of a value. An answer is given where it is likelier right than wrong, and
sure from where each of those that may be sure is likely enough to be right. Probabilities for that threshold and the
curve come from folds that the weights were not fitted on. The share of questions without an answer decides how timid a
reader is; it is set, since what is fitted to has more of them than people ask.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from clew.agent.evidence import LIST, Seen, gather
from clew.agent.policies.reader.policy import TOLD_BY_SENTENCES
from clew.agent.policies.reader.reading import READ, seen_values, seen_verdicts
from clew.agent.protocol import DIALECTS
from clew.evaluation.metrics import f1
from clew.questions.grammar import plan
from clew.reader.confidence import certain
from clew.reader.reader import Reader
from clew.retrieval.strategy import Strategy
from clew.text.names import key
from clew.trainer.reader.items import Item
from clew.types import Step

Numbers = np.ndarray[Any, np.dtype[np.float64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

RIGHT = 0.6
"""F1 from which a span counts as right."""
SURE = 0.9
"""How likely it is, at least, that an answer at the threshold is right: of all sure ones about 97 of 100 are then."""
PROBABLE = 0.5
"""Probability from which an answer is given: it is likelier right than wrong."""
WEIGHED = ("margin", "lead", "rank", "said", "open")
"""What is weighed of a value; the rest of what is seen says the same in other words, and tells folds no better."""
WEIGHED_VERDICT = ("decided", "margin", "rank", "said", "named")
OF_DOCUMENTS = 2.0
"""How often a question over whole documents counts for one over a passage: so many more of these there are."""
BATCH = 32
"""Questions of one retrieval."""
FOLDS = 5
ABSENT = 0.12
"""The share of passages that is not ingested."""
DOMAIN = 120
"""Questions of a domain and kind, at most, so that none outweighs the others."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Questions, and the strategy over their texts with the number of results that is looked at."""

    items: Sequence[Item]
    strategy: Strategy
    k: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One question's values: the features of each, and whether it is right; whether there is an answer at all.

    ``weight`` is how often the question counts.
    """

    features: list[dict[str, float]]
    right: list[bool]
    answerable: bool = True
    weight: float = 1.0

    def best(self, weights: Mapping[str, float]) -> dict[str, float]:
        """The features of the most probable span; the question must have one."""
        return max(self.features, key=lambda seen: _probability(weights, seen))


@dataclass(frozen=True, slots=True)
class Point:
    """One bin of the calibration curve: mean probability, share of right answers, and how many."""

    probability: float
    right: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Weights of values and of verdicts, the probabilities from which a value is sure and given, and the curve.

    ``given`` has, of passages and of documents, the share of questions with an answer that get the right one, and a
    wrong one, and the share of those without an answer that get one.
    """

    span: dict[str, float]
    verdict: dict[str, float]
    sure: float
    probable: float
    curve: list[Point]
    given: dict[str, tuple[float, float, float]]

    def write(self, path: Path) -> None:
        """Write what ``clew.reader.confidence`` reads."""
        fitted = {name: getattr(self, name) for name in ("span", "verdict", "sure", "probable")}
        path.write_text(json.dumps(fitted, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def calibrate(
    passages: Searched, documents: Searched, reader: Reader, seed: int, unanswerable: float
) -> Calibrated:  # fmt: skip
    """Fit on the questions of held-out passages, some of which are not there, and on those of whole documents.

    Questions without an answer count for the share ``unanswerable`` of all.
    """
    balanced_items = [replace(item, spans=()) if absent(item) else item for item in balanced(passages.items, seed)]
    spans, verdicts = samples(replace(passages, items=balanced_items), reader)
    near, near_verdicts = samples(documents, reader)
    rows = weighted([*spans, *(replace(row, weight=OF_DOCUMENTS) for row in near)], unanswerable)
    weights = np.array([row.weight for row in rows])
    fitted = fit(rows, WEIGHED)
    probabilities, right = held_out_tops(rows, WEIGHED)
    read = np.array([bool(row.features) for row in rows])
    may_be_sure = np.array([bool(row.features) and certain(row.best(fitted)) for row in rows])
    sure = threshold(probabilities[may_be_sure], right[may_be_sure], SURE, weights[may_be_sure])
    given = probabilities >= PROBABLE
    answerable = np.array([row.answerable for row in rows])
    parts = {"passages": slice(0, len(spans)), "documents": slice(len(spans), None)}
    shares = {name: _given(given[part], right[part], answerable[part]) for name, part in parts.items()}
    bins = curve(probabilities[read], right[read], weights[read])
    verdict = fit([*verdicts, *near_verdicts], WEIGHED_VERDICT)
    return Calibrated(fitted, verdict, round(sure, 4), PROBABLE, bins, shares)


def weighted(rows: Sequence[Sample], unanswerable: float) -> list[Sample]:
    """The questions, those without an answer weighted so that they are this share of all."""
    answerable = sum(row.weight for row in rows if row.answerable)
    others = sum(row.weight for row in rows if not row.answerable)
    times = unanswerable / (1 - unanswerable) * answerable / others if others else 1.0
    return [row if row.answerable else replace(row, weight=row.weight * times) for row in rows]


def _given(given: Flags, right: Flags, answerable: Flags) -> tuple[float, float, float]:
    shares = (given & right)[answerable].mean(), (given & ~right)[answerable].mean(), given[~answerable].mean()
    return float(shares[0]), float(shares[1]), float(shares[2])


def absent(item: Item) -> bool:
    """Whether an item's passage is left out of the knowledge base, so that its questions have no answer there."""
    return int(hashlib.sha256(f"absent {item.context}".encode()).hexdigest()[:8], 16) < ABSENT * 0x1_0000_0000


def balanced(items: Sequence[Item], seed: int) -> list[Item]:
    """At most ``DOMAIN`` questions of each domain and kind, in random order."""
    rng = random.Random(seed)
    groups: dict[tuple[str, bool, int], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.domain, bool(item.spans), bool(item.verdict)].append(item)
    chosen = [item for key in sorted(groups) for item in rng.sample(groups[key], min(DOMAIN, len(groups[key])))]
    rng.shuffle(chosen)
    return chosen


def samples(searched: Searched, reader: Reader) -> tuple[list[Sample], list[Sample]]:
    """The values and the verdicts that are read for each question behind its search; a list for each kind."""
    spans, verdicts = [], []
    asked = [item.question for item in searched.items]
    batches = (asked[at : at + BATCH] for at in range(0, len(asked), BATCH))
    found = [one for batch in batches for one in searched.strategy.retrieve(batch, searched.k)]
    for item, retrieved in zip(searched.items, found, strict=True):
        step = Step("", item.question, retrieved.facts, retrieved.passages)
        shown = gather([step], DIALECTS["graph-r1"]).of(item.question)[:READ]
        taken = plan(item.question)
        if item.verdict:
            seen = list(seen_verdicts(item.question, taken.anchors, shown, reader))
            right = [(one.value == "yes") == (item.verdict == 1) and _own(one, item) for one in seen]
            verdicts.append(Sample([one.features for one in seen], right))
        elif taken.kind not in TOLD_BY_SENTENCES:
            expects = taken.hops[-1].expects
            seen = list(seen_values(item.question, taken.anchors, expects, shown, reader, taken.kind))
            answers = [LIST.join(item.answers)] if item.complete else item.answers
            right = [bool(item.spans) and f1(one.value, answers) >= RIGHT for one in seen]
            spans.append(Sample([one.features for one in seen], right, bool(item.spans)))
    return spans, verdicts


def _own(seen: Seen, item: Item) -> bool:
    """Whether the text is part of the question's own passage: elsewhere a right verdict is luck."""
    return key(seen.shown.text.text[:60]) in key(item.context)


def fit(rows: Sequence[Sample], names: Sequence[str] = ()) -> dict[str, float]:
    """Weights of the features that are named, else of all, and ``constant``: logistic regression over all values."""
    names, x, y, counts = _matrix(rows, names)
    model = _regression().fit(x, y, logisticregression__sample_weight=counts)
    scaler, regression = model[0], model[1]
    weights = regression.coef_[0] / scaler.scale_
    constant = float(regression.intercept_[0] - (weights * scaler.mean_).sum())
    return {**{name: round(float(weight), 5) for name, weight in zip(names, weights, strict=True)},
            "constant": round(constant, 5)}  # fmt: skip


def held_out_tops(rows: Sequence[Sample], names: Sequence[str] = ()) -> tuple[Numbers, Flags]:
    """For each question the probability of its best span, by weights of other folds, and whether that span is right."""
    probabilities, right = np.zeros(len(rows)), np.zeros(len(rows), bool)
    for fold in range(FOLDS):
        weights = fit([row for at, row in enumerate(rows) if at % FOLDS != fold], names)
        for at, row in enumerate(rows):
            if at % FOLDS == fold and row.features:
                scores = [_probability(weights, seen) for seen in row.features]
                best = int(np.argmax(scores))
                probabilities[at], right[at] = scores[best], row.right[best]
    return probabilities, right


def threshold(probabilities: Numbers, right: Flags, share: float, weights: Numbers | None = None) -> float:
    """The probability from which each answer is right with a chance of ``share``; 1 where none is.

    The chance is a logistic curve over the log odds of all answers (Platt 1999). Counting how many are right above each
    probability rests on the few uppermost: one that is wrong among them moved the threshold by a fifth of the scale.
    """
    if right.all() or not right.any():
        return float(probabilities.min()) if right.any() else 1.0
    model = _regression(1e6).fit(
        _log_odds(probabilities)[:, None], right, logisticregression__sample_weight=weights
    )  # fmt: skip
    scale = np.linspace(0, 1, 10_001)
    enough = model.predict_proba(_log_odds(scale)[:, None])[:, 1] >= share
    return float(scale[enough].min()) if enough.any() else 1.0


def _log_odds(probabilities: Numbers) -> Numbers:
    inner = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(inner / (1 - inner)))


def curve(probabilities: Numbers, right: Flags, weights: Numbers, bins: int = 10) -> list[Point]:
    """The calibration curve over bins of equal numbers of answers."""
    parts = [part for part in np.array_split(np.argsort(probabilities), bins) if len(part)]
    means = [[float(np.average(of[p], weights=weights[p])) for of in (probabilities, right)] for p in parts]
    return [Point(probability, share, len(p)) for (probability, share), p in zip(means, parts, strict=True)]


def _matrix(rows: Sequence[Sample], names: Sequence[str]) -> tuple[Sequence[str], Numbers, Flags, Numbers]:
    features = [seen for row in rows for seen in row.features]
    names = names or sorted(features[0])
    x = np.array([[seen[name] for name in names] for seen in features])
    counts = np.array([row.weight for row in rows for _ in row.features])
    return names, x, np.array([right for row in rows for right in row.right]), counts


def _regression(loose: float = 1.0) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=loose, max_iter=1000))


def _probability(weights: Mapping[str, float], seen: dict[str, float]) -> float:
    z = weights["constant"] + sum(weights.get(name, 0.0) * value for name, value in seen.items())
    return float(1 / (1 + np.exp(-z)))
