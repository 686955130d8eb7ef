"""Retrieval by itself: every question to every strategy, with what it found and how long it took."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clew import arguments
from clew.embedding import Embedder
from clew.errors import InputError
from clew.evaluation.datasets import Question
from clew.evaluation.embedders import RememberingEmbedder, TimedEmbedder
from clew.evaluation.figures import Values, compared, figures, groups, retrieval_values, spread, without_times
from clew.evaluation.metrics import all_recall_at_k, answer_recall_at_k, r_s, recall_at_k
from clew.evaluation.paraphrase import paraphrases
from clew.evaluation.records import fact_row, passage_row
from clew.evaluation.runs import Write
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.strategy import Strategy
from clew.settings import Settings
from clew.text.normalise import clean
from clew.types import Json, Passage, Retrieved

DEFAULT = "default"
"""The name that stands for the strategy that Clew uses where nobody has set one, whatever the settings say."""
MOST_ASKED = 1000

_WARM_UP = 8
_KEPT_FACTS = 5


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """What to measure. ``batch`` queries go in one call; ``paraphrases`` is the most rewordings of a question."""

    strategies: tuple[str, ...]
    ks: tuple[int, ...] = (2, 5, 10)
    batch: int = 1
    paraphrases: int = 0

    def __post_init__(self) -> None:
        check_names(self.strategies, "strategies")
        if not self.ks or not all(1 <= arguments.whole(k, "Each of ks") <= MOST_ASKED for k in self.ks):
            raise InputError(f"ks is {self.ks!r}: give at least one number of passages, each from 1 to {MOST_ASKED:,}.")
        if arguments.whole(self.batch, "batch") < 1:
            raise InputError(f"batch is {self.batch}: at least 1 question goes in one call.")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in one of its wordings; variant 0 is the question as it stands."""

    question: Question
    variant: int
    text: str


def check_names(names: Sequence[str], what: str) -> None:
    """Raise InputError unless these are names, at least one."""
    if isinstance(names, str):
        raise InputError(f"{what} is the text {names[:40]!r}: give a list of names, [{names[:40]!r}].")
    if not names:
        raise InputError(f"There is nothing to measure: {what} holds no name.")


def resolved(strategy: str) -> str:
    """The strategy's own name: that of Clew's default for ``default``."""
    return str(Settings.model_fields["strategy"].default) if strategy == DEFAULT else strategy


def wordings(questions: Sequence[Question], most: int) -> list[Asked]:
    """Every question as it stands, then the paraphrases of each, by rules, at most ``most`` of them."""
    plain = [Asked(question, 0, clean(question.question)) for question in questions]
    reworded = [
        Asked(question, number, clean(text))
        for question in questions
        for number, text in enumerate(paraphrases(question.question, most), 1)
    ]
    return plain + reworded


def evaluate_retrieval(
    base: KnowledgeBase,
    questions: Sequence[Question],
    plan: RetrievalPlan,
    done: Iterable[Json],
    write: Write,
    on_done: Callable[[str, int], None],
) -> None:
    """Ask every strategy what is not among the records ``done``, and write a record for each question.

    ``on_done`` receives a strategy and how many more questions it has. The milliseconds of a record are its share of
    its batch: the whole call, and the call without the time that the encoder took within it. The first call, which may
    build what a strategy keeps in memory, is not among them. Raises InputError for an unknown strategy, DatabaseError
    and EmbedderError where those fail.
    """
    plain = base.embedder
    timer, scorer = TimedEmbedder(plain), RememberingEmbedder(plain)
    base.embedder = timer
    known = {(record["strategy"], record["variant"], record["id"]) for record in done}
    asked = wordings(questions, plan.paraphrases)
    try:
        strategies = {name: base.strategy(resolved(name)) for name in plan.strategies}
        for name, strategy in strategies.items():
            left = [one for one in asked if (name, one.variant, one.question.id) not in known]
            on_done(name, len(asked) - len(left))
            if not left:
                continue
            began = time.perf_counter()
            depth = _depth(strategy, [clean(q.question) for q in questions[:_WARM_UP]], max(plan.ks))
            warm = time.perf_counter() - began
            for at in range(0, len(left), plan.batch):
                batch = left[at : at + plan.batch]
                timer.seconds = 0.0
                began = time.perf_counter()
                found = strategy.retrieve([one.text for one in batch], depth)
                seconds = time.perf_counter() - began
                times = {
                    "ms": seconds / len(batch) * 1000,
                    "ms_without_embedding": max(0.0, seconds - timer.seconds) / len(batch) * 1000,
                    "asked": depth,
                    "warm_up_seconds": warm,
                }
                write(
                    [_record(name, one, got, plan, times, base, scorer) for one, got in zip(batch, found, strict=True)]
                )
                on_done(name, len(batch))
    finally:
        base.embedder = plain


def summarise_retrieval(records: Sequence[Json], questions: Sequence[Question], plan: RetrievalPlan) -> Json:
    """The figures of every strategy: ``{"strategies": {name: {metric: …}}}``.

    Beside the metrics' means, a strategy has ``intervals``, ``counts``, ``by`` hops and kind, ``against`` the first
    strategy, pair by pair, and ``paraphrases`` where they were asked. The times of a batch are shares of one call, and
    no independent values: with batches they have neither intervals nor differences.
    """
    values: dict[str, list[dict[str, Values]]] = {}
    for name in plan.strategies:
        values[name] = [{} for _ in range(plan.paraphrases + 1)]
    last: dict[str, Json] = {}
    for record in records:
        values[record["strategy"]][record["variant"]][record["id"]] = retrieval_values(record)
        last[record["strategy"]] = record
    first = plan.strategies[0]
    found: Json = {}
    for name, (plain, *reworded) in values.items():
        own = figures(list(plain.values()))
        if plan.batch > 1:
            own["intervals"] = without_times(own["intervals"])
        found[name] = {
            "searched": resolved(name),
            **own,
            **_latency(list(plain.values())),
            "asked": last[name]["asked"] if name in last else None,
            "warm_up_seconds": last[name]["warm_up_seconds"] if name in last else None,
            "by": groups({id: without_times(row) for id, row in plain.items()}, questions),
        }
        if name != first:
            found[name]["against"] = {first: compared(plain, values[first][0], timed=plan.batch == 1)}
        if reworded:
            found[name]["paraphrases"] = spread([plain, *reworded], list(without_times(own["counts"])))
    return {"strategies": found}


def _depth(strategy: Strategy, queries: Sequence[str], k: int) -> int:
    """How much to ask for, so that ``k`` passages come.

    Where the passages are those that state the best facts, several facts share one, and k facts bring fewer. A second
    call with twice and four times as much tells whether that helps; the first one is the warm-up.
    """

    def missing(depth: int) -> int:
        return sum(max(0, k - len(_distinct(one.passages))) for one in strategy.retrieve(queries, depth))

    best, short = k, missing(k)
    for depth in (2 * k, 4 * k):
        if not short or depth > MOST_ASKED:
            break
        if (still := missing(depth)) < short:
            best, short = depth, still
    return best


def _record(
    name: str,
    asked: Asked,
    found: Retrieved,
    plan: RetrievalPlan,
    times: Mapping[str, float],
    base: KnowledgeBase,
    scorer: Embedder,
) -> Json:
    question = asked.question
    passages = _distinct(found.passages)[: max(plan.ks)]
    ranked = [(passage.title, passage.text) for passage in passages]
    texts = [f"{title}\n{text}" for title, text in ranked]
    metrics: dict[str, float | None] = {}
    for k in plan.ks:
        if question.supporting:
            metrics[f"recall@{k}"] = recall_at_k(ranked, question.supporting, k)
            metrics[f"all_recall@{k}"] = all_recall_at_k(ranked, question.supporting, k)
        metrics[f"answer_recall@{k}"] = answer_recall_at_k(texts, question.answers, k)
    if gold := [support.text for support in question.supporting if support.text]:
        metrics["r_s"] = r_s(knowledge(found, base.settings.top_k), gold, scorer)
    return {
        "strategy": name,
        "variant": asked.variant,
        "id": question.id,
        "query": asked.text,
        **times,
        "metrics": metrics,
        "passages": [passage_row(passage, question) for passage in passages],
        "facts": [fact_row(fact, found.passages, question) for fact in found.facts[:_KEPT_FACTS]],
    }


def knowledge(found: Retrieved, most: int) -> list[str]:
    """What an agent would be shown: the texts of the facts, or of the passages where a strategy has no facts."""
    return [one.text for one in (found.facts or found.passages)[:most]]


def _distinct(passages: Sequence[Passage]) -> list[Passage]:
    """The first of each title and text: a document that was brought in twice counts once."""
    found: dict[tuple[str, str], Passage] = {}
    for passage in passages:
        found.setdefault((passage.title, passage.text), passage)
    return list(found.values())


def _latency(rows: Sequence[Values]) -> Json:
    times = sorted(value for row in rows if (value := row["ms_per_query"]) is not None)
    if not times:
        return {}
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    return {"ms_per_query_median": round(statistics.median(times), 3), "ms_per_query_p95": round(p95, 3)}
