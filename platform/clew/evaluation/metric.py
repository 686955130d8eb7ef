"""Every metric with its formula, as tables, reports and comparisons know it; to add one is a line here."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from clew.agent.protocol import normalise_query
from clew.embedding import Embedder
from clew.evaluation.datasets import Question
from clew.evaluation.metrics import exact_match, f1, f1_graphrag_r1, r_s, right, sbert
from clew.types import Trajectory


@dataclass(frozen=True, slots=True)
class Measured:
    """An answer that is measured: the question, what came of it, and the encoder that compares texts."""

    question: Question
    trajectory: Trajectory
    scorer: Embedder

    @property
    def answer(self) -> str:
        """The answer; empty where there is none."""
        return self.trajectory.answer if self.trajectory.answered else ""

    def seen(self) -> list[str]:
        """The texts that were found, each once."""
        steps = (step for step in self.trajectory.steps if step.query)
        return list(dict.fromkeys(item.text for step in steps for item in step.facts or step.passages))


@dataclass(frozen=True, slots=True)
class Metric:
    """What has to be known of a metric to show it.

    ``name`` is the one in records; one that ends in ``@`` has a k after it. ``short`` heads a column, and ``meaning``
    explains it to who has never met it. A ``share`` is shown in per cent, anything else as a number. ``best`` says
    which end is better, and is empty where neither is. ``unanswered`` is the value of a question that failed, None
    where that has none. ``tables``: it has a column in the figures; ``beside``: it stands beside a single question;
    ``differences``: parts are held against each other by it. ``judged``: a model gives it, so that there is none where
    none was asked. ``stable``: its spread over several askings is given. ``timed``: it is a time of retrieval, of which
    a batch has but one. ``of`` is its formula for one answer; what has none is counted over many, or measured
    elsewhere.
    """

    name: str
    short: str
    meaning: str = ""
    share: bool = True
    best: Literal["most", "least", ""] = "most"
    unanswered: float | None = None
    tables: bool = True
    beside: bool = True
    differences: bool = True
    judged: bool = False
    stable: bool = False
    timed: bool = False
    of: Callable[[Measured], float | None] | None = None


def _number(
    name: str, short: str, meaning: str, best: Literal["most", "least", ""] = "",
    of: Callable[[Measured], float | None] | None = None, **more: bool,
) -> Metric:  # fmt: skip
    return Metric(name, short, meaning, share=False, best=best, differences=False, of=of, **more)


def _published(formula: Callable[[str, Sequence[str]], float]) -> Callable[[Measured], float | None]:
    """A metric that others publish; a question without answers, and a list, have none of them."""

    def measure(one: Measured) -> float | None:
        golds = one.question.answers
        return formula(one.answer, golds) if golds and not one.question.every else None

    return measure


def _sbert(one: Measured) -> float | None:
    return _published(lambda answer, golds: sbert(answer, golds, one.scorer))(one)


def _r_s(one: Measured) -> float | None:
    return r_s(one.seen(), [support.text for support in one.question.supporting if support.text], one.scorer)


def _tokens(one: Measured) -> float:
    return one.trajectory.usage.prompt_tokens + one.trajectory.usage.completion_tokens


def _queries(one: Measured) -> float:
    return len({normalise_query(step.query) for step in one.trajectory.steps if step.query})


METRICS = (
    _number("failed", "failed", "questions that ended in an error; each counts as wrong", beside=False),
    Metric(
        "right",
        "right",
        "answers that a person would call right: numbers count as numbers, dates as dates; none where there is none",
        unanswered=0.0,
        stable=True,
        of=lambda one: right(one.answer, one.question.answers, every=one.question.every),
    ),
    Metric(
        "em",
        "EM",
        "exact match: the words of the right answer, and no others",
        unanswered=0.0,
        stable=True,
        of=_published(exact_match),
    ),
    Metric(
        "f1",
        "F1",
        "how many words an answer shares with the right one, as papers report it",
        unanswered=0.0,
        stable=True,
        of=_published(f1),
    ),
    Metric(
        "supported",
        "supported",
        "answers whose words stand in what they cite",
        differences=False,
        of=lambda one: float(one.trajectory.is_supported) if one.trajectory.answered else None,
    ),
    Metric(
        "f1_graphrag_r1", "F1 (GraphRAG-R1)", unanswered=0.0, tables=False, beside=False, of=_published(f1_graphrag_r1)
    ),
    Metric("sbert", "SBERT", unanswered=0.0, tables=False, of=_sbert),
    Metric("acc_l", "ACC_L", "answers that the language model judges to be right", unanswered=0.0, judged=True),
    Metric("g_e", "G-E", "how good the language model judges an answer to be", unanswered=0.0, judged=True),
    Metric("answered", "answered", "questions that got an answer", best="", unanswered=0.0, stable=True),
    Metric("f1_of_answered", "F1 of answered", "F1 over the questions that got an answer", differences=False),
    Metric("recall@", "R@", "recall: the wanted passages that are among the first so many"),
    Metric("answer_recall@", "ans@", "questions whose answer stands in one of the first so many passages"),
    Metric("r_s", "R-S", "how like in meaning what was found is to the wanted passages", of=_r_s),
    Metric("all_recall@", "all R@", "questions all of whose wanted passages are among the first so many", beside=False),
    _number("calls", "calls", "searches a question", of=_queries),
    _number(
        "turns",
        "turns",
        "times that the agent thought, and searched or answered, a question",
        of=lambda one: len(one.trajectory.steps),
    ),
    _number("llm_calls", "calls of a model", "", of=lambda one: one.trajectory.usage.calls, tables=False, beside=False),
    _number("tokens", "tokens", "tokens of the language model a question", "least", _tokens, beside=False),
    _number("cost", "cost", "", "least", lambda one: one.trajectory.usage.cost, tables=False, beside=False),
    _number("seconds", "seconds", "seconds a question", "least", lambda one: one.trajectory.seconds),
    _number("cost_per_1k_questions", "cost/1k", "cost of a thousand questions", "least", beside=False),
    _number("ms_per_query", "ms", "milliseconds a query", "least", timed=True),
    _number(
        "ms_per_query_without_embedding",
        "ms w/o encoder",
        "milliseconds a query without its embedding",
        "least",
        beside=False,
        timed=True,
    ),
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
    """What is looked at first: right answers, else F1, recall@5 or the nearest; empty where nothing was measured."""
    order = ("right", "f1", nearest(names, "recall@"), nearest(names, "answer_recall@"), *names)
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
