"""How sure a mean over questions is, and whether two runs on the same questions differ.

A missing value is None: a judge's reply that could not be read, a metric that a question does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Values = npt.NDArray[np.float64]

_BATCH = 1_000_000
"""Resampled values that are held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of ``count`` values with its confidence interval; ``missing`` more had no value."""

    mean: float
    low: float
    high: float
    count: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean of a − b over ``count`` pairs, its interval, and the two-sided ``p`` of no difference.

    ``missing`` counts the pairs that lack a value on either side.
    """

    difference: float
    low: float
    high: float
    p: float
    count: int = 0
    missing: int = 0


def bootstrap_interval(
    values: Sequence[float | None], *, confidence: float = 0.95, samples: int = 2000, seed: int = 0
) -> Interval | None:
    """The mean with its percentile bootstrap interval (Efron 1979); None where every value is missing.

    Values that are all equal give an interval of no width, so a share of exactly 0 or 1 over few questions is less
    sure than it looks.
    """
    present = np.array([value for value in values if value is not None], np.float64)
    if not present.size:
        return None
    low, high = _percentiles(present, confidence, samples, seed)
    return Interval(float(present.mean()), low, high, present.size, len(values) - present.size)


def paired_comparison(
    a: Sequence[float | None],
    b: Sequence[float | None],
    *,
    confidence: float = 0.95,
    samples: int = 2000,
    seed: int = 0,
) -> Comparison | None:
    """Compare two runs question by question; ``a[i]`` and ``b[i]`` belong to one question.

    The interval is the bootstrap's over the differences. p is that of the paired permutation test, in which each
    difference may as well have the other sign: exact where few pairs differ, else from ``samples`` random draws.
    None where no pair is whole.

    Raises ValueError where the two are not equally long.
    """
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if not pairs:
        return None
    differences = np.array([x - y for x, y in pairs], np.float64)
    low, high = _percentiles(differences, confidence, samples, seed)
    p = _sign_flip(differences, samples, seed)
    return Comparison(float(differences.mean()), low, high, p, len(pairs), len(a) - len(pairs))


def _percentiles(values: Values, confidence: float, samples: int, seed: int) -> tuple[float, float]:
    from scipy.stats import bootstrap

    if np.all(values == values[0]):
        return float(values[0]), float(values[0])
    interval = bootstrap(
        (values,),
        np.mean,
        n_resamples=samples,
        batch=max(1, _BATCH // values.size),
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(interval.low), float(interval.high)


def _sign_flip(differences: Values, samples: int, seed: int) -> float:
    from scipy.stats import permutation_test

    differences = differences[differences != 0]  # a tie has no sign to flip: without ties, few draws are all there are
    if differences.size <= 1:  # SciPy refuses one pair: it and its mirror image tell nothing
        return 1.0
    result = permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=samples,
        batch=max(1, _BATCH // differences.size),
        rng=np.random.default_rng(seed),
    )
    return float(result.pvalue)
