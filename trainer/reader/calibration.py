"""Fitting the reader's confidence: on held-out passages as documents, behind the walk, as it will be used.

Passages become a knowledge base, their questions are looked up, and every span that is read is right or wrong. Logistic
regression (scikit-learn) weighs what is seen of a span; the thresholds are those at which the share of right answers
among the sure, and among all that are given, is what is wanted. Probabilities for the thresholds and the curve come
from folds that the weights were not fitted on.
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

from clew.agent.evidence import gather
from clew.agent.protocol import DIALECTS
from clew.agent.reading import READ, Seen, seen_spans, seen_verdicts
from clew.evaluation.metrics import f1
from clew.questions.grammar import plan
from clew.reader.confidence import certain
from clew.reader.reader import Reader
from clew.retrieval.strategy import Strategy
from clew.trainer.reader.items import Item
from clew.types import Step

RIGHT = 0.6
"""F1 from which a span counts as right."""
SURE, REFUSED = 0.95, 0.87
"""The share of right answers among the sure ones, and that of unanswerable questions which get no value."""
TRUSTED = 0.8
"""How likely the share among the sure ones is to hold: those held out are few, and the best of many cuts is lucky."""
BATCH = 32
"""Questions of one retrieval."""
FOLDS = 5
ABSENT = 0.12
"""The share of passages that is not ingested."""
DOMAIN = 120
"""Questions of a domain and kind, at most, so that none outweighs the others."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One question's spans: the features of each, and whether it is right; whether its passage is there at all."""

    features: list[dict[str, float]]
    right: list[bool]
    answerable: bool = True

    def best(self, weights: Mapping[str, float]) -> dict[str, float]:
        """The features of the most probable span; the question must have one."""
        return max(self.features, key=lambda seen: _probability(weights, seen))

    def leading(self) -> Sample:
        """The span of the greatest margin of each text: the others hide what tells texts apart."""
        first: dict[float, int] = {}
        for at, seen in enumerate(self.features):
            known = first.get(seen["rank"])
            if known is None or seen["margin"] > self.features[known]["margin"]:
                first[seen["rank"]] = at
        kept = list(first.values())
        return Sample([self.features[at] for at in kept], [self.right[at] for at in kept], self.answerable)


@dataclass(frozen=True, slots=True)
class Point:
    """One bin of the calibration curve: mean probability, share of right answers, and how many."""

    probability: float
    right: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Weights of spans and of verdicts, the probabilities from which a value is sure and given, and the curve."""

    span: dict[str, float]
    verdict: dict[str, float]
    sure: float
    probable: float
    curve: list[Point]

    def write(self, path: Path) -> None:
        """Write what ``clew.reader.confidence`` reads."""
        fitted = {name: getattr(self, name) for name in ("span", "verdict", "sure", "probable")}
        path.write_text(json.dumps(fitted, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def calibrate(items: Sequence[Item], strategy: Strategy, reader: Reader, k: int, seed: int) -> Calibrated:
    """Fit on the questions of held-out passages that ``strategy`` searches, and of some that it does not find there."""
    asked = [replace(item, spans=()) if absent(item) else item for item in balanced(items, seed)]
    spans, verdicts = samples(asked, strategy, reader, k)
    fitted = fit(spans)
    probabilities, right = held_out_tops(spans)
    may_be_sure = np.array([certain(row.best(fitted)) for row in spans])
    sure = threshold(probabilities[may_be_sure], right[may_be_sure], SURE)
    refused = [p for p, row in zip(probabilities, spans, strict=True) if not row.answerable]
    given = min(float(np.quantile(refused, REFUSED)), sure)
    return Calibrated(fitted, fit(verdicts), round(sure, 4), round(given, 4), curve(probabilities, right))


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


def samples(items: Sequence[Item], strategy: Strategy, reader: Reader, k: int) -> tuple[list[Sample], list[Sample]]:
    """The spans and the verdicts that are read for each question behind ``strategy``; a list for each kind."""
    spans, verdicts = [], []
    asked = [item.question for item in items]
    found = [one for at in range(0, len(asked), BATCH) for one in strategy.retrieve(asked[at : at + BATCH], k)]
    for item, retrieved in zip(items, found, strict=True):
        step = Step("", item.question, retrieved.facts, retrieved.passages)
        shown = gather([step], DIALECTS["graph-r1"]).of(item.question)[:READ]
        names = plan(item.question).anchors
        if item.verdict:
            seen = list(seen_verdicts(item.question, names, shown, reader))
            right = [(one.value == "yes") == (item.verdict == 1) and _own(one, item) for one in seen]
            verdicts.append(Sample([one.features for one in seen], right))
        else:
            expects = plan(item.question).hops[-1].expects
            seen = list(seen_spans(item.question, names, expects, shown, reader))
            right = [bool(item.spans) and f1(one.value, item.answers) >= RIGHT for one in seen]
            if seen:
                spans.append(Sample([one.features for one in seen], right, bool(item.spans)).leading())
    return spans, verdicts


def _own(seen: Seen, item: Item) -> bool:
    """Whether the text is part of the question's own passage: elsewhere a right verdict is luck."""
    return seen.shown.text.text[:60] in item.context


def fit(rows: Sequence[Sample]) -> dict[str, float]:
    """Weights by feature, and ``constant``: logistic regression over all spans of the samples."""
    names, x, y = _matrix(rows)
    model = _regression().fit(x, y)
    scaler, regression = model[0], model[1]
    weights = regression.coef_[0] / scaler.scale_
    constant = float(regression.intercept_[0] - (weights * scaler.mean_).sum())
    return {**{name: round(float(weight), 5) for name, weight in zip(names, weights, strict=True)},
            "constant": round(constant, 5)}  # fmt: skip


def held_out_tops(rows: Sequence[Sample]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """For each question the probability of its best span, by weights of other folds, and whether that span is right."""
    probabilities, right = np.zeros(len(rows)), np.zeros(len(rows), bool)
    for fold in range(FOLDS):
        weights = fit([row for at, row in enumerate(rows) if at % FOLDS != fold])
        for at, row in enumerate(rows):
            if at % FOLDS == fold and row.features:
                scores = [_probability(weights, seen) for seen in row.features]
                best = int(np.argmax(scores))
                probabilities[at], right[at] = scores[best], row.right[best]
    return probabilities, right


def threshold(probabilities: np.ndarray[Any, Any], right: np.ndarray[Any, Any], share: float) -> float:
    """The lowest probability above which at least ``share`` of the answers are right; 1 where there is none.

    The share counts at the lower end of its one-sided interval (Clopper and Pearson, 1934) at ``TRUSTED``.
    """
    from scipy.stats import beta

    order = np.argsort(-probabilities)
    good = np.cumsum(right[order])
    wrong = np.arange(1, len(order) + 1) - good
    enough = np.nonzero(beta.ppf(1 - TRUSTED, good, wrong + 1) >= share)[0]
    return float(probabilities[order][enough[-1]]) if len(enough) else 1.0


def curve(probabilities: np.ndarray[Any, Any], right: np.ndarray[Any, Any], bins: int = 10) -> list[Point]:
    """The calibration curve over bins of equal numbers of answers."""
    parts = np.array_split(np.argsort(probabilities), bins)
    return [Point(float(probabilities[p].mean()), float(right[p].mean()), len(p)) for p in parts if len(p)]


def _matrix(rows: Sequence[Sample]) -> tuple[list[str], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    features = [seen for row in rows for seen in row.features]
    names = sorted(features[0])
    x = np.array([[seen[name] for name in names] for seen in features])
    return names, x, np.array([right for row in rows for right in row.right])


def _regression() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=1000))


def _probability(weights: Mapping[str, float], seen: dict[str, float]) -> float:
    z = weights["constant"] + sum(weights[name] * value for name, value in seen.items())
    return float(1 / (1 + np.exp(-z)))
