"""Every metric as tables, reports and comparisons know it; to add one is a line here, and its formula in metrics.py."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Metric:
    """What has to be known of a metric to show it.

    ``name`` is the one in records; one that ends in ``@`` has a k after it. ``short`` heads a column. A ``share`` is
    shown in per cent, anything else as a number. ``best`` says which end is better, and is empty where neither is.
    ``unanswered`` is the value of a question that failed, None where that has none. ``tables``: it has a column in the
    figures; ``beside``: it stands beside a single question; ``differences``: parts are held against each other by it.
    ``judged``: a model gives it, so that there is none where none was asked. ``stable``: its spread over several
    askings is told. ``timed``: it is a time of retrieval, of which a batch has but one.
    """

    name: str
    short: str
    share: bool = True
    best: Literal["most", "least", ""] = "most"
    unanswered: float | None = None
    tables: bool = True
    beside: bool = True
    differences: bool = True
    judged: bool = False
    stable: bool = False
    timed: bool = False


def _number(name: str, short: str, best: Literal["most", "least", ""] = "", **more: bool) -> Metric:
    return Metric(name, short, share=False, best=best, differences=False, **more)


METRICS = (
    _number("failed", "failed", beside=False),
    Metric("em", "EM", unanswered=0.0, stable=True),
    Metric("f1", "F1", unanswered=0.0, stable=True),
    Metric("right", "right", unanswered=0.0, stable=True),
    Metric("supported", "supported", differences=False),
    Metric("f1_graphrag_r1", "F1 (GraphRAG-R1)", unanswered=0.0, tables=False, beside=False),
    Metric("sbert", "SBERT", unanswered=0.0, tables=False),
    Metric("acc_l", "ACC_L", unanswered=0.0, judged=True),
    Metric("g_e", "G-E", unanswered=0.0, judged=True),
    Metric("answered", "answered", best="", unanswered=0.0, stable=True),
    Metric("f1_of_answered", "F1 of answered", differences=False),
    Metric("recall@", "R@"),
    Metric("answer_recall@", "ans@"),
    Metric("r_s", "R-S"),
    Metric("all_recall@", "all R@", beside=False),
    _number("calls", "calls"),
    _number("turns", "turns"),
    _number("llm_calls", "calls of a model", tables=False, beside=False),
    _number("tokens", "tokens", "least", beside=False),
    _number("cost", "cost", "least", tables=False, beside=False),
    _number("seconds", "seconds", "least"),
    _number("cost_per_1k_questions", "cost/1k", "least", beside=False),
    _number("ms_per_query", "ms", "least", timed=True),
    _number("ms_per_query_without_embedding", "ms w/o encoder", "least", beside=False, timed=True),
)
"""In the order of their columns."""

JUDGED = tuple(metric.name for metric in METRICS if metric.judged)
STABLE = tuple(metric.name for metric in METRICS if metric.stable)
UNANSWERED: dict[str, float | None] = {
    metric.name: metric.unanswered for metric in METRICS if metric.unanswered is not None
}
"""What a question that failed counts as, by metric: an empty answer."""

_BY_NAME = {metric.name: metric for metric in METRICS}
_USUAL_K = 5


def declared(name: str) -> Metric:
    """The metric of a name such as ``f1`` or ``recall@5``; one that a later Clew measured is a share by its name."""
    stem, at, _ = name.partition("@")
    return _BY_NAME.get(stem + at) or Metric(name, name)


def short(name: str) -> str:
    """A metric's name as the head of a column."""
    return declared(name).short + name.partition("@")[2]


def plain_number(name: str) -> bool:
    """Whether a metric is a number of its own, and no share that is shown in per cent."""
    return not declared(name).share


def nearest(names: Collection[str], stem: str) -> str:
    """Of the metrics ``stem`` with a k the one whose k comes nearest to 5 by ratio; empty where there is none.

    2 and 10 are nearer to 5 than 1 is.
    """
    ks = [int(name.removeprefix(stem)) for name in names if name.startswith(stem)]
    return f"{stem}{min(ks, key=lambda k: abs(math.log(k / _USUAL_K)))}" if ks else ""


def main_metric(names: Collection[str]) -> str:
    """What is looked at first: F1, recall@5 or what comes nearest to it; empty where nothing was measured."""
    order = ("f1", nearest(names, "recall@"), nearest(names, "answer_recall@"), *names)
    return next((name for name in order if name in names), "")


def columns(names: Collection[str]) -> list[str]:
    """Those that have a column in the figures, in its order; of the all-recalls the one nearest to the main metric."""
    all_recall = f"all_{nearest(names, 'recall@')}"
    order = {metric.name: place for place, metric in enumerate(METRICS)}

    def place(name: str) -> int:  # all of one k stay together
        return order["recall@" if "@" in name else declared(name).name] if declared(name) in METRICS else len(order)

    shown = [n for n in names if declared(n).tables and (declared(n).name != "all_recall@" or n == all_recall)]
    return sorted(shown, key=place)


def held_against(names: Collection[str]) -> list[str]:
    """Those by which parts are held against each other; of each ``name@k`` the one nearest to 5."""
    own = [name for name in names if declared(name).differences]
    return [name for name in own if "@" not in name or name == nearest(own, declared(name).name)]
