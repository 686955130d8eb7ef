"""Two kept runs, question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.agent.abstain import in_a_line
from clew.errors import InputError
from clew.evaluation.figures import Values, compared, retrieval_values
from clew.evaluation.metric import JUDGED, UNANSWERED, main_metric, plain_number, short
from clew.evaluation.runs import Run
from clew.evaluation.table import is_complete, parts_of
from clew.reporting.terminal import counted
from clew.types import Json

CHOICES = {
    "kb": "knowledge base",
    "policies": "who answers",
    "strategies": "retrieval",
    "top_k": "facts per query",
    "k": "k",
    "embedder": "encoder",
    "reranker": "reranker",
    "dialect": "dialect",
    "max_turns": "turns at most",
    "max_tokens": "tokens at most",
    "max_cost": "cost at most",
    "paraphrases": "paraphrases",
    "repeats": "repeats",
    "code_digest": "code",
}
"""What two runs may have been given otherwise, and what a person calls it."""


def compare_runs(first: Run, second: Run) -> Json:
    """What ``second`` has more than ``first``: ``{"first", "second", "note", "parts": {part: {metric: Comparison}},
    "metric", "changed": [question], "differs": {choice: [first, second]}, "conclusions": {part: sentence}}``.

    A part is a strategy, or a policy over a strategy; parts of one name are compared, else those that searched with the
    same strategy, and where each run has a single one, these two. Only questions that both runs have asked, as they
    stand, count; one that failed is an empty answer, as in the figures of its run. Times of batches are left out. The
    ``note`` says where the knowledge bases differ. ``changed`` are the questions whose main ``metric`` differs, those
    that lost most first: ``{"part", "id", "question", "first", "second"}``, and ``answers`` of both where the runs have
    any.

    Of a run that is not complete, the note says how many of its questions each part has.

    Raises InputError where the runs measure different things, mean different questions by one id, or have no part or
    no question in common.
    """
    if first.config["command"] != second.config["command"]:
        raise InputError(
            f"{first.name} measures {first.config['command']} and {second.name} {second.config['command']}: "
            "compare two of one sort."
        )
    _same_questions(first, second)
    ours, theirs = values_by_part(second), values_by_part(first)
    pairs = _pairs({part: part for part in ours}, {part: part for part in theirs}) or _pairs(
        _by_search(second), _by_search(first)
    )
    if not pairs and len(ours) == len(theirs) == 1:
        pairs = list(zip(ours, theirs, strict=True))
    named = {(a if a == b else f"{a} − {b}"): (a, b) for a, b in pairs}
    timed = all(run.config.get("batch", 1) == 1 for run in (first, second))
    parts = {part: found for part, (a, b) in named.items() if (found := compared(ours[a], theirs[b], timed=timed))}
    if not parts:
        only = "" if timed else " but for times of batches, which are not compared"
        raise InputError(f"{first.name} and {second.name} have no strategy with the same questions in common{only}.")
    metric = main_metric([metric for metric in next(iter(parts.values())) if not plain_number(metric)])
    questions = {question.id: question.question for question in second.questions()}
    before, after = _answers(first), _answers(second)
    changed: list[Json] = []
    for part, (a, b) in ((part, named[part]) for part in parts):
        answers = before.get(b, {}), after.get(a, {})
        changed += [{"part": part} | one for one in _changed(questions, metric, (theirs[b], ours[a]), answers)]
    return {
        "first": first.name,
        "second": second.name,
        "note": " ".join(filter(None, [_note(first.config, second.config), *map(_unfinished, (first, second))])),
        "parts": parts,
        "metric": metric,
        "changed": changed,
        "differs": _differs(first.config, second.config),
        "conclusions": _conclusions(parts, metric),
    }


def _differs(first: Json, second: Json) -> dict[str, list[str]]:
    sides = [config | config.get("settings", {}) for config in (first, second)]
    written = {name: [_written(side.get(name)) for side in sides] for name in CHOICES}
    return {CHOICES[name]: values for name, values in written.items() if values[0] != values[1]}


def _written(value: Any) -> str:
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "none")
    return words[:12] if len(words) == 64 else words  # the first digits of a digest tell two apart


def _conclusions(parts: Mapping[str, Mapping[str, Json]], metric: str) -> dict[str, str]:
    named = "share of right answers" if metric == "right" else short(metric)
    return {part: _conclusion(found[metric], named) for part, found in parts.items() if metric in found}


def _conclusion(found: Json, metric: str) -> str:
    """Which of two is better, by how much, and whether that may be chance."""
    asked = counted(found["count"], "question")
    if not found["difference"]:
        return f"Both have the same {metric} over {asked}."
    better = "second" if found["difference"] > 0 else "first"
    sure = "" if found["low"] > 0 or found["high"] < 0 else ", which may be chance"
    return f"The {better}'s {metric} is {100 * abs(found['difference']):.1f} points higher over {asked}{sure}."


def _pairs(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[tuple[str, str]]:
    """The parts that go by one name."""
    return [(part, theirs[name]) for name, part in ours.items() if name in theirs]


def _by_search(run: Run) -> dict[str, str]:
    """The parts by what they searched with, which is the same where one run calls it ``default``."""
    rows = parts_of(run.summary() or {"strategies": {}})
    return {part.removesuffix(part.rpartition(" · ")[2]) + row["searched"]: part for part, row in rows.items()}


def _changed(
    questions: Mapping[str, str], metric: str, sides: Sequence[Mapping[str, Values]], given: Sequence[Mapping[str, str]]
) -> list[Json]:
    """The questions whose metric differs between two sides, those that lost most first, with what each has said."""
    found: list[Json] = []
    for id, question in questions.items():
        values = [side.get(id, {}).get(metric) for side in sides]
        if None in values or values[0] == values[1]:
            continue
        one: Json = {"id": id, "question": question, "first": values[0], "second": values[1]}
        if all(id in answers for answers in given):
            one["answers"] = [answers[id] for answers in given]
        found.append(one)
    return sorted(found, key=lambda one: one["second"] - one["first"])


def _unfinished(run: Run) -> str:
    if is_complete(run.summary()):
        return ""
    parts = values_by_part(run)
    has = ", ".join(f"{part} {len(values):,}" for part, values in parts.items())
    return f"{run.name} is not complete: of {counted(run.config['questions'], 'question')} it has {has or 'none'}."


def _answers(run: Run) -> dict[str, dict[str, str]]:
    """What each part answered to each question as it stands, by question id; nothing of a run without answers."""
    found: dict[str, dict[str, str]] = {}
    for record in run.records():
        if not record["variant"] and "answer" in record:
            answer = in_a_line(record["answer"], record.get("citations", ()))
            found.setdefault(part_of(record), {})[record["id"]] = answer
    return found


def values_by_part(run: Run) -> dict[str, dict[str, Values]]:
    """The metrics of each question as it stands, by strategy, or by policy over strategy, and question id.

    A question that failed counts as an empty answer, as it does in the figures of the run.
    """
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for record in run.records():
        if record["variant"]:
            continue
        values = found.setdefault(part_of(record), {})
        if record.get("type") == "verdict":
            if record["id"] not in values:
                continue  # somebody has taken the answer out
            values[record["id"]] |= {name: record[name] for name in JUDGED}
        elif "ms" in record:
            values[record["id"]] = dict(retrieval_values(record))
        else:
            values[record["id"]] = record["metrics"] | {"answered": float(record["answered"])}
    for part, row in parts_of(run.summary() or {"strategies": {}}).items():
        for question in run.questions() if row.get("failed") else ():
            wrong: dict[str, float | None] = {metric: value for metric, value in UNANSWERED.items() if metric in row}
            found.setdefault(part, {}).setdefault(question.id, wrong)
    return {part: dict(values) for part, values in found.items()}


def _same_questions(first: Run, second: Run) -> None:
    parts = {"question": "questions", "answers": "answers"}
    if first.config["command"] == "retrieval":
        parts["supporting"] = "supporting passages"
    known = {question.id: question for question in first.questions()}
    for question in second.questions():
        other = known.get(question.id, question)
        for part, name in parts.items():
            if getattr(question, part) != getattr(other, part):
                raise InputError(
                    f"{first.name} and {second.name} mean different {name} by the id {question.id!r}: "
                    "compare runs on the same data."
                )


def _note(first: Json, second: Json) -> str:
    if first["kb"] != second["kb"]:
        return f"The knowledge bases differ: {first['kb']} of the first, {second['kb']} of the second."
    if "version" in first and "version" in second:
        changed = first["version"] != second["version"]
    else:
        one, other = (run.get("construction", {}) for run in (first, second))
        changed = any(one[name] != other[name] for name in one.keys() & other.keys())
    return f"The knowledge base {first['kb']} has changed between the two." if changed else ""


def part_of(record: Json) -> str:
    """The strategy of a record, or the policy over the strategy, as tables call it."""
    return f"{record['policy']} · {record['strategy']}" if "policy" in record else str(record["strategy"])
