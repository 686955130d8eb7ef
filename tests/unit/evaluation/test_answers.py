"""Figures of answers: what a question that failed counts for, in a run and between two."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from clew.evaluation.answers import AnswersPlan, Failure, summarise_answers
from clew.evaluation.compare import compare_runs
from clew.evaluation.datasets import Question
from clew.evaluation.report import render
from clew.evaluation.retrieval import Asked
from clew.evaluation.runs import Run, open_run
from clew.evaluation.table import figures_table, overview, print_figures

CELL = ("llm", "chunks")
CONFIG: dict[str, Any] = {"command": "answers", "dataset": "d", "kb": "k", "questions": 5, "embedder": "e"}
QUESTIONS = [Question(str(number), f"Who is number {number}?", ("A",)) for number in range(5)]


def answer(id: str, f1: float, variant: int = 0) -> dict[str, Any]:
    metrics = {"em": f1, "f1": f1, "right": f1, "f1_graphrag_r1": f1, "sbert": f1, "seconds": 1.0, "cost": 0.0004}
    own = {"policy": CELL[0], "strategy": CELL[1], "variant": variant, "id": id, "answer": "A", "answered": True}
    return {"type": "answer", **own, "metrics": metrics}


def verdict(id: str, acc_l: float) -> dict[str, Any]:
    own = {"policy": CELL[0], "strategy": CELL[1], "variant": 0, "id": id}
    return {"type": "verdict", **own, "acc_l": acc_l, "g_e": acc_l, "faults": []}


def complete(root: Path, f1: Mapping[str, float], *, judge: bool = False, new: bool = False) -> Run:
    """A run in which every question without a score failed."""
    run = open_run(root, CONFIG, QUESTIONS, new=new)
    plan = AnswersPlan((CELL[0],), (CELL[1],), judge=judge)
    with run.writing() as write:
        write([answer(id, value) for id, value in f1.items()])
        write([verdict(id, value) for id, value in f1.items()] if judge else [])
    failed = [Failure(CELL, Asked(q, 0, q.question), "Status 400.") for q in QUESTIONS if q.id not in f1]
    run.finish(summarise_answers(run.records(), QUESTIONS, plan, {}, failed))
    return run


@pytest.mark.parametrize("judge", [False, True])
def test_a_failed_question_counts_as_wrong_between_two_runs_too(tmp_path: Path, judge: bool) -> None:
    whole = complete(tmp_path, {question.id: 1.0 for question in QUESTIONS}, judge=judge)
    partly = complete(tmp_path, {"0": 1.0, "1": 1.0, "2": 1.0}, judge=judge, new=True)
    summary = partly.summary()
    assert summary is not None
    assert (summary["failed"], summary["f1"]) == (2, 0.6)
    found = compare_runs(whole, partly)
    metrics = found["parts"]["llm · chunks"]
    counted = ["em", "f1", "f1_graphrag_r1", "sbert", "answered", *(["acc_l", "g_e"] if judge else [])]
    for metric in counted:
        assert (metrics[metric]["difference"], metrics[metric]["count"]) == (-0.4, 5)
        assert summary[metric] == 0.6
    assert metrics["seconds"]["count"] == 3
    assert [(one["id"], one["first"], one["second"]) for one in found["changed"]] == [("3", 1.0, 0.0), ("4", 1.0, 0.0)]
    assert ("acc_l" in metrics) == judge


def test_replies_of_the_judge_that_are_missing_are_told(tmp_path: Path) -> None:
    records = [answer("0", 1.0), answer("1", 1.0), verdict("0", 1.0)]
    records += [verdict("1", 1.0) | {"acc_l": None, "g_e": None, "faults": ["acc_l: Status 500.", "g_e: Status 500."]}]
    plan = AnswersPlan((CELL[0],), (CELL[1],), judge=True)
    summary = {"construction": {}, **summarise_answers(records, QUESTIONS[:2], plan, {})}
    assert (summary["acc_l"], summary["counts"]["acc_l"], summary["judge_replies_missing"]) == (1.0, 1, 2)
    out = io.StringIO()
    print_figures(Console(file=out, width=200), summary)
    told = "2 replies of the judge are missing"
    assert told in out.getvalue()
    assert told in render(open_run(tmp_path, CONFIG, QUESTIONS[:2]), summary)
    whole = {"construction": {}, **summarise_answers([*records[:1], records[2]], QUESTIONS[:1], plan, {})}
    assert overview(whole).notes == []


def test_wordings_and_repeats_have_each_their_spread(tmp_path: Path) -> None:
    """One paraphrase, which changes nothing, and two repeats, of which the second loses half."""
    records = [answer("0", f1, variant) for variant, f1 in enumerate((1.0, 1.0, 1.0, 0.5))]
    plan = AnswersPlan((CELL[0],), (CELL[1],), paraphrases=1, repeats=3)
    row = summarise_answers(records, QUESTIONS[:1], plan, {})
    assert (row["stability"]["f1"]["mean"], row["stability"]["f1"]["low"]) == (1.0, 1.0)
    assert (row["repeats"]["f1"]["mean"], row["repeats"]["f1"]["low"]) == (0.833333, 0.5)
    out = io.StringIO()
    print_figures(Console(file=out, width=200), row)
    assert "Over all wordings" in out.getvalue()
    assert "Over all repeats" in out.getvalue()
    page = render(open_run(tmp_path, CONFIG, QUESTIONS), row)
    assert page.index("Other words, same question") < page.index("The same question once more")
    alone = summarise_answers(records[:2], QUESTIONS[:1], replace(plan, paraphrases=0, repeats=2), {})
    assert "stability" not in alone
    assert alone["repeats"]["f1"]["questions"] == 1


@pytest.mark.parametrize(("policies", "label"), [(("llm",), "clew"), (("llm", "reader"), "llm · clew")])
def test_a_policy_that_all_have_in_common_takes_no_room_in_the_panels(
    tmp_path: Path, policies: tuple[str, ...], label: str
) -> None:
    questions = [replace(question, hops=2) for question in QUESTIONS[:1]]
    plan = AnswersPlan(policies, ("chunks", "clew"))
    records = [answer("0", 1.0) | {"policy": policy, "strategy": strategy} for policy, strategy in plan.cells()]
    summary = {"construction": {}, **summarise_answers(records, questions, plan, {})}
    page = render(open_run(tmp_path, CONFIG, questions), summary)
    assert f">{label}</text>" in page[page.index("2 hops") :]


def test_a_matrix_on_a_narrow_terminal_comes_in_parts_with_whole_numbers() -> None:
    plan = AnswersPlan(("reader",), ("default", "hybrid-text3-graph10"))
    records = [answer("0", 1.0) | {"policy": policy, "strategy": strategy} for policy, strategy in plan.cells()]
    summary = summarise_answers(records, QUESTIONS[:1], plan, {})
    lines = {}
    for width in (80, 300):
        out = io.StringIO()
        print_figures(Console(file=out, width=width), summary)
        lines[width] = out.getvalue().splitlines()
    assert max(map(len, lines[80])) <= 80
    narrow = [line.split() for line in lines[80] if "hybrid-text3-graph10" in line]
    assert len(narrow) > 1
    (wide,) = (line.split() for line in lines[300] if "hybrid-text3-graph10" in line)
    assert [cell for line in narrow for cell in line[3:]] == wide[3:]  # policy · strategy


def test_a_cell_that_failed_is_no_zero(tmp_path: Path) -> None:
    run = open_run(tmp_path, CONFIG | {"questions": 2}, QUESTIONS[:2])
    plan = AnswersPlan(("reader", "llm"), ("chunks",))
    with run.writing() as write:
        write([answer(id, 1.0) | {"policy": "reader"} for id in "01"])
    failed = [Failure(("llm", "chunks"), Asked(q, 0, q.question), "Status 400.") for q in QUESTIONS[:2]]
    questions = [replace(question, hops=1) for question in QUESTIONS[:2]]
    summary = {"construction": {}, **summarise_answers(run.records(), questions, plan, {}, failed)}
    run.finish(summary)
    table = figures_table(overview(summary))
    texts = [dict(zip(table.heads, (cell.text for cell in row), strict=True)) for row in table.rows]
    assert [(row["EM"], row["F1"], row["failed"]) for row in texts] == [
        ("100.0", "100.0", "0"),
        ("failed", "failed", "2"),
    ]
    page = render(run, summary)
    assert page.count("<b>failed</b>") == 2  # beside each question
    assert page.count(">failed</text>") == 1  # by hops
    assert "−100.0" not in page


def test_an_unfinished_cell_has_no_row() -> None:
    plan = AnswersPlan(("llm", "reader"), ("chunks",))
    records = [answer("0", 1.0), *(answer(q.id, 0.5) | {"policy": "reader"} for q in QUESTIONS)]
    found = summarise_answers(records, QUESTIONS, plan, {}, unfinished=[CELL])
    assert [row["policy"] for row in found["matrix"]] == ["reader"]
    assert found["incomplete"] == [{"policy": "llm", "strategy": "chunks", "kept": 1, "of": 5}]
