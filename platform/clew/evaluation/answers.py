"""Answers: every question to every policy over every strategy, as a user would ask it, scored against the gold answers.

Trajectories are kept with the run, and in the graph only where that is asked for.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from clew.agent.policies import create_policy
from clew.agent.protocol import get_dialect
from clew.errors import InputError, ModelError
from clew.evaluation.datasets import Question
from clew.evaluation.embedders import RememberingEmbedder
from clew.evaluation.figures import Values, compared, figures, groups, spread
from clew.evaluation.metric import JUDGED, STABLE, UNANSWERED
from clew.evaluation.metrics import RIGHT, normalize_answer
from clew.evaluation.records import answer_record
from clew.evaluation.retrieval import Asked, check_names, resolved, wordings
from clew.evaluation.runs import Write, without_login
from clew.knowledge_base import KnowledgeBase
from clew.llm.chat import chat_model
from clew.reporting.verdict import KEPT
from clew.settings import Settings
from clew.types import Json, Trajectory

if TYPE_CHECKING:
    from clew.evaluation.judge import Verdict

Cell = tuple[str, str]
"""A policy over a strategy."""
Key = tuple[str, str, int, str]
"""Policy, strategy, variant and question id of a record."""

STATED = ("right", "answered")
"""What a question without an answer, or with a list of them, is measured by."""
_FAILURES_IN_A_ROW = 5
_WARM_UP = 3
_JUDGED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class AnswersPlan:
    """What to measure: ``parallel`` questions at a time, up to ``paraphrases`` rewordings of each, and who judges.

    ``repeats`` asks the question as it stands that many times: for a policy that samples, the spread over its seeds.
    """

    policies: tuple[str, ...]
    strategies: tuple[str, ...]
    parallel: int = 1
    paraphrases: int = 0
    repeats: int = 1
    judge: bool = False
    store: bool = False

    def __post_init__(self) -> None:
        check_names(self.policies, "policies")
        check_names(self.strategies, "strategies")

    def cells(self) -> list[Cell]:
        """Each policy over each strategy."""
        return list(itertools.product(self.policies, self.strategies))


class Failure(NamedTuple):
    """A question that has no answer, of a policy over a strategy, and why."""

    cell: Cell
    asked: Asked
    why: str


class Outcome(NamedTuple):
    """The questions that failed, and the cells left unfinished because the model failed several times in a row."""

    failed: list[Failure]
    given_up: dict[Cell, ModelError]


def evaluate_answers(
    base: KnowledgeBase,
    questions: Sequence[Question],
    plan: AnswersPlan,
    done: Iterable[Json],
    write: Write,
    on_done: Callable[[str, int], None],
) -> Outcome:
    """Ask what is not among the records ``done``, and write a record for each answer; returns what failed.

    A question on which the model fails has no record, so that the next call asks it again. ``on_done`` receives a
    policy over a strategy and how many more questions it has. Ctrl-C raises KeyboardInterrupt as soon as the turns
    that are under way end; what is complete is written.

    Raises InputError at once for a strategy or policy that does not exist, SettingsError where the model is not set
    up, and DatabaseError where the database fails. Where the model fails several times in a row, that policy over that
    strategy is given up, and the others go on.
    """
    for policy in plan.policies:
        create_policy(policy, base.settings)
    for strategy in plan.strategies:
        base.strategy(resolved(strategy))
    known = {_key(record) for record in done if record["type"] == "answer"}
    scorer, dialect = RememberingEmbedder(base.embedder), get_dialect(base.settings.dialect)
    asked = _wordings(questions, plan)
    failed, given_up = outcome = Outcome([], {})
    for cell in plan.cells():
        left = [one for one in asked if (*cell, one.variant, one.question.id) not in known]
        on_done(label(cell), len(asked) - len(left))
        if not left:
            continue
        _warm_up(base, cell, [one.text for one in left[-_WARM_UP:]])
        own: list[Failure] = []
        in_a_row = 0
        # A model that was given up over one strategy may be out of reach: then one question shows it, and not five.
        most = 1 if any(policy == cell[0] for policy, _ in given_up) else _FAILURES_IN_A_ROW
        with closing(_answers(base, cell, left, plan)) as answers:
            for one, got in answers:
                on_done(label(cell), 1)
                if isinstance(got, Trajectory):
                    in_a_row, most = 0, _FAILURES_IN_A_ROW
                    record = {**_place(cell, one), **answer_record(one.question, got, scorer, dialect)}
                    write([record | {"trajectory": got.id} if plan.store else record])
                    continue
                in_a_row += 1
                own.append(Failure(cell, one, str(got)))
                if in_a_row == most:
                    if isinstance(got, InputError):
                        raise got
                    given_up[cell] = got
                    break
        failed += [] if cell in given_up else own
    return outcome


def judge_records(
    settings: Settings,
    questions: Sequence[Question],
    records: Sequence[Json],
    parallel: int,
    write: Write,
    on_done: Callable[[int], None],
) -> None:
    """Let the model of the settings judge the answers that have no whole verdict of it yet.

    Answers that the model's server refuses keep their faults, and the next call asks for them again. Raises what
    ``judge.judge_answers`` raises; ModelError where every request fails only while the run has no verdict at all.
    """
    from clew.evaluation.judge import Case, judge_answers

    by_id = {question.id: question for question in questions}
    judge = f"{settings.llm_model} at {without_login(settings.llm_base_url or '')}"
    given = [record for record in records if record["type"] == "verdict" and record.get("judge") == judge]
    answers = {_key(r): r for r in records if r["type"] == "answer" and not r["variant"]}
    complete = {_key(record) for record in given if not record["faults"]}
    left = [record for key, record in answers.items() if key not in complete and _judgeable(by_id[record["id"]])]
    proven = _has_replied(given, answers)
    for at in range(0, len(left), _JUDGED_AT_ONCE):
        some = left[at : at + _JUDGED_AT_ONCE]
        cases = [Case(by_id[r["id"]].question, by_id[r["id"]].answers, _scored(r)) for r in some]
        verdicts = judge_answers(cases, settings, parallel=max(1, parallel), proven=proven)
        proven = proven or any(verdict.usage.calls for verdict in verdicts)
        write([_verdict(record, verdict) | {"judge": judge} for record, verdict in zip(some, verdicts, strict=True)])
        on_done(len(some))


def _has_replied(verdicts: Sequence[Json], answers: Mapping[Key, Json]) -> bool:
    """Whether the judge has judged an answer already; empty answers are judged without it."""
    spoken = {key for key, record in answers.items() if _scored(record).strip()}
    return any(record[name] is not None for record in verdicts if _key(record) in spoken for name in JUDGED)


def summarise_answers(
    records: Sequence[Json],
    questions: Sequence[Question],
    plan: AnswersPlan,
    construction: Json,
    failed: Sequence[Failure] = (),
    unfinished: Sequence[Cell] = (),
) -> Json:
    """The figures: at the top for one policy over one strategy, and a row of ``matrix`` for each of several.

    A cell that is ``unfinished`` has no row; ``incomplete`` says how many of its askings it has.
    A question that failed counts as an empty answer, is counted in ``failed``, and ``failures`` says by its id why it
    did. A row has ``intervals``, ``counts``, ``judge_replies_missing`` and ``judge_cost`` where a judge was asked,
    ``f1_of_answered`` (of the questions that the agent answered), ``by`` hops and kind, ``against`` the first row, pair
    by pair, ``stability`` over the wordings and ``repeats`` over the repeats of a question where such were asked, and
    the graph's ``construction``.
    """
    judged = [record for record in records if record["type"] == "verdict"]
    verdicts = {_key(record): record for record in judged if record.get("judge") == judged[-1].get("judge")}
    cells = _by_cell(records, plan)
    kept = {cell: sum(map(len, cells.pop(cell))) for cell in unfinished}
    values = {
        cell: [_values(cell, number, own, questions, verdicts) for number, own in enumerate(variants)]
        for cell, variants in cells.items()
    }
    first = next(iter(cells), ("", ""))
    rows = []
    for cell, variants in cells.items():
        row: Json = {"policy": cell[0], "strategy": cell[1], "searched": resolved(cell[1])}
        row |= _row(values[cell][0], variants[0], questions)
        row["failures"] = {
            one.asked.question.id: one.why for one in failed if one.cell == cell and not one.asked.variant
        }
        if plan.judge:
            row |= _judging(cell, variants[0], questions, verdicts, judged)
        row |= _spreads(plan, values[cell], variants)
        if cell != first:
            row["against"] = {label(first): compared(values[cell][0], values[first][0])}
        rows.append({**row, "construction": construction})
    found: Json = rows[0] if rows and len(plan.cells()) == 1 else {"matrix": rows}
    if unfinished:
        of = len(_wordings(questions, plan))
        found["incomplete"] = [
            {"policy": policy, "strategy": strategy, "kept": number, "of": of}
            for (policy, strategy), number in kept.items()
        ]
    return found


def _by_cell(records: Sequence[Json], plan: AnswersPlan) -> dict[Cell, list[dict[str, Json]]]:
    """The answers by cell, variant and question id."""
    cells: dict[Cell, list[dict[str, Json]]] = {
        cell: [{} for _ in range(plan.paraphrases + max(1, plan.repeats))] for cell in plan.cells()
    }
    for record in records:
        if record["type"] == "answer":
            cells[record["policy"], record["strategy"]][record["variant"]][record["id"]] = record
    return cells


def _judging(
    cell: Cell,
    records: Mapping[str, Json],
    questions: Sequence[Question],
    verdicts: Mapping[Key, Json],
    judged: Sequence[Json],
) -> Json:
    """What the judge of a cell's answers still owes, and what it has cost."""
    faults = sum(len(verdict["faults"]) for key, verdict in verdicts.items() if key[:2] == cell)
    wanted = {question.id for question in questions if _judgeable(question)}
    unasked = [id for id in records if id in wanted and (*cell, 0, id) not in verdicts]
    cost = sum(record.get("cost", 0.0) for record in judged if _key(record)[:2] == cell)
    return {"judge_replies_missing": faults + len(JUDGED) * len(unasked), "judge_cost": cost}


def _spreads(plan: AnswersPlan, values: Sequence[Mapping[str, Values]], variants: Sequence[Mapping[str, Json]]) -> Json:
    """How far the answers to other wordings, and to the same question again, lie apart."""
    again = plan.paraphrases + 1
    found: Json = {}
    if plan.paraphrases:
        found["stability"] = _stability(values[:again], variants[:again])
    if len(variants) > again:
        found["repeats"] = _stability([values[0], *values[again:]], [variants[0], *variants[again:]])
    return found


def label(cell: Cell) -> str:
    """How a policy over a strategy is called in tables."""
    return f"{cell[0]} · {cell[1]}"


def _warm_up(base: KnowledgeBase, cell: Cell, texts: Sequence[str]) -> None:
    """Load and build what is no question's cost.

    The policy ``reader`` uses all that an agent does beside its model, and asks no model that wants money.
    """
    policy, strategy = cell
    if create_policy(policy, base.settings).model:
        chat_model(base.settings)  # its libraries are large
    with ThreadPoolExecutor(1, "clew-warm-up") as pool:  # see _answers
        for text in texts:
            with suppress(InputError):  # which is reported when the question itself is asked
                pool.submit(base.ask, text, policy="reader", strategy=resolved(strategy), store=False).result()


def _wordings(questions: Sequence[Question], plan: AnswersPlan) -> list[Asked]:
    """The questions, their paraphrases, and as further variants the repeats."""
    again = range(plan.paraphrases + 1, plan.paraphrases + plan.repeats)
    repeats = [Asked(question, number, question.question) for number in again for question in questions]
    return wordings(questions, plan.paraphrases) + repeats


def _answers(
    base: KnowledgeBase, cell: Cell, asked: Sequence[Asked], plan: AnswersPlan
) -> Generator[tuple[Asked, Trajectory | ModelError | InputError]]:
    """Each question with its trajectory, or with why it has none, as they end.

    The agent runs in threads even where it runs alone, since in the main thread it takes Ctrl-C for a reader's stop.
    """
    policy, strategy = cell
    stop = threading.Event()

    def ask(text: str) -> Trajectory:
        return base.ask(
            text,
            policy=policy,
            strategy=resolved(strategy),
            store=plan.store,
            origin="evaluation",
            should_stop=stop.is_set,
        )

    queue = iter(asked)
    running: dict[Future[Trajectory], Asked] = {}
    with ThreadPoolExecutor(max(1, plan.parallel), "clew-evaluate") as pool:
        try:
            while True:
                for one in itertools.islice(queue, max(1, plan.parallel) - len(running)):
                    running[pool.submit(ask, one.text)] = one
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    one = running.pop(future)
                    try:
                        yield one, future.result()
                    except (ModelError, InputError) as error:
                        yield one, error
        finally:
            stop.set()


def _place(cell: Cell, asked: Asked) -> Json:
    """What tells a record of an answer from the others, and what was asked."""
    own = {"type": "answer", "policy": cell[0], "strategy": cell[1], "variant": asked.variant}
    return {**own, "id": asked.question.id, "query": asked.text}


def _verdict(record: Json, verdict: Verdict) -> Json:
    return {
        "type": "verdict",
        **{name: record[name] for name in ("policy", "strategy", "variant", "id")},
        **{name: getattr(verdict, name) for name in JUDGED},
        "dimensions": dict(verdict.dimensions),
        "faults": list(verdict.faults),
        "cost": verdict.usage.cost,
    }


def _judgeable(question: Question) -> bool:
    """Whether there is one right answer that a judge can hold another one against."""
    return bool(question.answers) and not question.every


def _row(values: Mapping[str, Values], records: Mapping[str, Json], questions: Sequence[Question]) -> Json:
    known = [record["metrics"]["f1"] for record in records.values() if record["answered"]]
    scores = [score for score in known if score is not None]
    own = figures(list(values.values()))
    return {
        **own,
        "f1_of_answered": fmean(scores) if scores else None,
        "verdicts": verdict_counts(list(records.values())),
        "calibration": calibration(list(records.values())),
        "cost_per_1k_questions": None if own.get("cost") is None else 1000 * own["cost"],
        "failed": len(questions) - len(records),
        "by": groups(values, questions),
    }


def _values(
    cell: Cell, variant: int, records: Mapping[str, Json], questions: Sequence[Question], verdicts: Mapping[Key, Json]
) -> dict[str, Values]:
    """The metrics of one variant by question id; of the question as it stands, a failed one is an empty answer.

    An empty answer is wrong without a judge, but has no verdict where nothing was judged.
    """
    failed = {metric: value for metric, value in UNANSWERED.items() if verdicts or metric not in JUDGED}
    found: dict[str, Values] = {}
    for question in questions:
        if question.id in records:
            record = records[question.id]
            verdict = verdicts.get((*cell, variant, question.id), {})
            judged = {name: verdict[name] for name in JUDGED if name in verdict}
            found[question.id] = dict(record["metrics"]) | {"answered": float(record["answered"])} | judged
        elif not variant:
            whole = _judgeable(question)
            found[question.id] = {name: value for name, value in failed.items() if whole or name in STATED}
    return found


def verdict_counts(records: Sequence[Json]) -> dict[str, list[int]]:
    """How many answers of each verdict are right, and how many are wrong."""
    rows: dict[str, list[int]] = {kind: [0, 0] for kind in KEPT}
    for record in records:
        score = record["metrics"].get("right")
        if score is not None and record.get("verdict") in rows:
            rows[record["verdict"]][0 if score >= RIGHT else 1] += 1
    return rows


def calibration(records: Sequence[Json], bins: int = 5) -> list[list[float]]:
    """Of the answers by their probability, in bins of equal numbers: mean probability, share that is right, number."""
    rated = sorted(
        (record["probability"], record["metrics"]["right"] >= RIGHT)
        for record in records
        if record["answered"] and record.get("probability") and "right" in record["metrics"]
    )
    size = -(-len(rated) // bins) if rated else 1
    parts = [rated[at : at + size] for at in range(0, len(rated), size)]
    return [[round(fmean(p for p, _ in part), 4), round(fmean(r for _, r in part), 4), len(part)] for part in parts]


def _stability(values: Sequence[Mapping[str, Values]], variants: Sequence[Mapping[str, Json]]) -> Json:
    return {**spread(values, STABLE), "same_answer": _same_answer(variants)}


def _same_answer(variants: Sequence[Mapping[str, Json]]) -> float | None:
    """The share of the questions with several askings whose answers, normalised, are all the same."""
    agree = []
    for id in variants[0]:
        given = {normalize_answer(_scored(records[id])) for records in variants if id in records}
        if sum(id in records for records in variants) > 1:
            agree.append(len(given) == 1)
    return fmean(agree) if agree else None


def _scored(record: Json) -> str:
    """The answer as it is scored: none where the agent says that it does not know."""
    return str(record["answer"]) if record["answered"] else ""


def _key(record: Json) -> Key:
    return record["policy"], record["strategy"], record["variant"], record["id"]
