"""How well a reader reads on its own: spans, refusals, yes and no, and lists, over the passages of files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.evaluation.metrics import exact_match, f1
from clew.reader.reader import Reader, Reading, Text
from clew.trainer.reader.items import Item

KEPT = 0.9
"""The share of answerable questions that the threshold of a refusal keeps."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Per domain of answerable questions: how many, F1 and EM of the best span (percent).

    ``margins`` holds (margin, F1) of each answerable question, ``refusals`` the margins of unanswerable ones by domain.
    ``yes_no`` is the share of yes and no that is right, ``yes_no_base`` that of saying the commoner one.
    """

    domains: dict[str, tuple[int, float, float]]
    margins: list[tuple[float, float]]
    refusals: dict[str, list[float]]
    yes_no: float
    yes_no_base: float

    @property
    def mean_f1(self) -> float:
        """F1, the mean over domains."""
        return float(np.mean([f1 for _, f1, _ in self.domains.values()])) if self.domains else 0.0

    @property
    def threshold(self) -> float:
        """The margin above which ``KEPT`` of the answerable questions lie."""
        return float(np.quantile([margin for margin, _ in self.margins], 1 - KEPT)) if self.margins else 0.0

    def refused(self) -> dict[str, float]:
        """The share of the unanswerable questions of each domain that lie below the threshold."""
        return {name: float(np.mean(np.array(low) < self.threshold)) for name, low in self.refusals.items()}


def measure(items: Sequence[Item], reader: Reader, on_item: Callable[[int], None] = lambda done: None) -> Figures:
    """Read every item's own passage, and compare the best span with the answers."""
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    margins: list[tuple[float, float]] = []
    refusals: dict[str, list[float]] = defaultdict(list)
    verdicts: list[tuple[bool, bool]] = []
    for number, item in enumerate(items, 1):
        [reading] = reader.read(item.question, [Text(item.title, item.context)])
        if item.verdict:
            verdicts.append((reading.verdict[0] > 0, item.verdict == 1))
        elif item.spans:
            value = _value(item, reading)
            pair = f1(value, item.answers), exact_match(value, item.answers)
            scores[item.domain].append(pair)
            margins.append((_margin(reading), pair[0]))
        else:
            refusals[item.domain].append(_margin(reading))
        on_item(number)
    domains = {
        name: (len(rows), 100 * float(np.mean([f for f, _ in rows])), 100 * float(np.mean([e for _, e in rows])))
        for name, rows in sorted(scores.items())
    }
    right = [answered == meant for answered, meant in verdicts]
    yes = [meant for _, meant in verdicts]
    base = max(sum(yes), len(yes) - sum(yes)) / len(yes) if yes else 0.0
    return Figures(domains, margins, dict(refusals), sum(right) / len(right) if right else 0.0, base)


def _value(item: Item, reading: Reading) -> str:
    return item.context[reading.spans[0].start : reading.spans[0].end] if reading.spans else ""


def _margin(reading: Reading) -> float:
    return reading.spans[0].margin if reading.spans else -10.0
