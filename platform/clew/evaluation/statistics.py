"""How sure a mean over questions is, and whether two runs on the same questions differ.

A missing value is None: a judge's reply that could not be read, a metric that a question does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Values = npt.NDArray[np.float64]

CONFIDENCE = 0.95
SAMPLES = 2000
_BATCH = 1_000_000
"""Resampled values that are held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its confidence interval."""

    mean: float
    low: float
    high: float


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


def mean_interval(values: Sequence[float | None], samples: int = SAMPLES) -> Interval | None:
    """The mean with its interval of 95 %; None where every value is missing.

    Of values that are 0 or 1 it is Wilson's (1927), so that ten right answers of ten are 72 to 100 %; else that of the
    percentile bootstrap (Efron 1979).
    """
    present = np.array([value for value in values if value is not None], np.float64)
    if not present.size:
        return None
    is_share = bool(np.isin(present, (0, 1)).all())
    return Interval(float(present.mean()), *(_wilson(present) if is_share else _percentiles(present, samples)))


def paired_comparison(a: Sequence[float | None], b: Sequence[float | None]) -> Comparison | None:
    """Compare two runs question by question; ``a[i]`` and ``b[i]`` belong to one question.

    The interval is the bootstrap's over the differences. p is that of the paired permutation test, in which each
    difference may as well have the other sign: exact where few pairs differ, else from ``SAMPLES`` random draws.
    None where no pair is whole.

    Raises ValueError where the two are not equally long.
    """
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if not pairs:
        return None
    differences = np.array([x - y for x, y in pairs], np.float64)
    interval = _percentiles(differences, SAMPLES)
    return Comparison(float(differences.mean()), *interval, _sign_flip(differences), len(pairs), len(a) - len(pairs))


def _wilson(values: Values) -> tuple[float, float]:
    from scipy.stats import binomtest

    interval = binomtest(int(values.sum()), values.size).proportion_ci(CONFIDENCE, method="wilson")
    return float(interval.low), float(interval.high)


def _percentiles(values: Values, samples: int) -> tuple[float, float]:
    from scipy.stats import bootstrap

    if np.all(values == values[0]):
        return float(values[0]), float(values[0])
    interval = bootstrap(
        (values,), np.mean, n_resamples=samples, confidence_level=CONFIDENCE, method="percentile", **_drawn(values),
    ).confidence_interval  # fmt: skip
    return float(interval.low), float(interval.high)


def _sign_flip(differences: Values) -> float:
    from scipy.stats import permutation_test

    differences = differences[differences != 0]  # a tie has no sign to flip: without ties, few draws are all there are
    if differences.size <= 1:  # SciPy refuses one pair: it and its mirror image tell nothing
        return 1.0
    result = permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=SAMPLES, **_drawn(differences)
    )
    return float(result.pvalue)


def _drawn(values: Values) -> dict[str, Any]:
    """How values are drawn: the same at each run, and not too many at a time."""
    return {"batch": max(1, _BATCH // values.size), "rng": np.random.default_rng(0)}
