"""Values of single questions as figures: means with intervals, by group, against each other, and over paraphrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from statistics import mean, pstdev
from typing import TypeVar

from clew.evaluation.datasets import Question
from clew.evaluation.metric import declared
from clew.evaluation.statistics import mean_interval, paired_comparison
from clew.types import Json

T = TypeVar("T")

Values = Mapping[str, float | None]
"""The metrics of one question by name; None, or no entry, where the question does not have it."""

_DIGITS = 6


def figures(rows: Sequence[Values]) -> Json:
    """``{metric: mean}`` with ``intervals``, ``{metric: [low, high]}`` of 95 %, and ``counts``.

    A metric that no question has is None. One that fewer than two questions have has no interval: nothing tells how
    sure it is.
    """
    found: Json = {}
    intervals: dict[str, list[float]] = {}
    counts: dict[str, int] = {}
    for metric in metrics_of(rows):
        values = [row.get(metric) for row in rows]
        interval = mean_interval(values)
        found[metric] = None if interval is None else _round(interval.mean)
        counts[metric] = sum(value is not None for value in values)
        if interval is not None and counts[metric] > 1:
            intervals[metric] = [_round(interval.low), _round(interval.high)]
    return {**found, "intervals": intervals, "counts": counts}


def groups(rows: Mapping[str, Values], questions: Sequence[Question]) -> Json:
    """The ``figures`` of each number of hops and of each kind that the questions name; ``rows`` by question id."""
    found: Json = {}
    tellers: dict[str, Callable[[Question], str]] = {
        "hops": lambda question: "" if question.hops is None else str(question.hops),
        "kind": lambda question: question.kind,
    }
    for group, tell in tellers.items():
        names = sorted({tell(question) for question in questions} - {""}, key=int if group == "hops" else None)
        if names:
            found[group] = {
                name: {"questions": len(own), **figures(own)}
                for name in names
                if (own := [rows[q.id] for q in questions if tell(q) == name and q.id in rows])
            }
    return found


def compared(ours: Mapping[str, Values], theirs: Mapping[str, Values], *, timed: bool = True) -> dict[str, Json]:
    """Ours less theirs, metric by metric, over the questions that both have; both by question id.

    Where the times are not ``timed`` question by question, they are left out.
    """
    shared = [id for id in ours if id in theirs]
    found: dict[str, Json] = {}
    for metric in metrics_of([*ours.values(), *theirs.values()]):
        a, b = ([rows[id].get(metric) for id in shared] for rows in (ours, theirs))
        comparison = paired_comparison(a, b) if shared else None
        if comparison is not None:
            found[metric] = {name: _round(value) for name, value in asdict(comparison).items()}
    return found if timed else without_times(found)


def without_times(row: Mapping[str, T]) -> dict[str, T]:
    """The metrics of retrieval that are no times."""
    return {metric: value for metric, value in row.items() if not declared(metric).timed}


def spread(variants: Sequence[Mapping[str, Values]], metrics: Sequence[str]) -> Json:
    """How much each metric moves between askings: ``variants[0]`` is the question as it stands, rows by question id.

    ``mean`` is over every asking, ``low`` and ``high`` are the means of the worst and of the best asking of each
    question, and ``deviation`` is the mean over questions of the standard deviation between them. Questions that have
    been asked only once are left out; ``questions`` counts the others.
    """
    found: Json = {}
    for metric in metrics:
        values = [
            own
            for id in variants[0]
            if len(own := [v for rows in variants if (v := rows.get(id, {}).get(metric)) is not None]) > 1
        ]
        if values:
            found[metric] = {
                "questions": len(values),
                "mean": _round(mean(mean(own) for own in values)),
                "low": _round(mean(min(own) for own in values)),
                "high": _round(mean(max(own) for own in values)),
                "deviation": _round(mean(pstdev(own) for own in values)),
            }
    return found


def metrics_of(rows: Sequence[Values]) -> list[str]:
    """The names of all metrics, in the order in which they first come."""
    return list(dict.fromkeys(metric for row in rows for metric in row))


def retrieval_values(record: Json) -> Values:
    """The metrics and times of a record of retrieval."""
    times = {"ms_per_query": record["ms"], "ms_per_query_without_embedding": record["ms_without_embedding"]}
    return {**record["metrics"], **times}


def _round(value: float) -> float:
    return value if isinstance(value, int) else round(value, _DIGITS)
