"""What sets runs apart: their determinants, departures from the recipe, and which is best."""

from __future__ import annotations

from pathlib import Path

from clew.reporting.table import Cell
from clew.trainer.config import load_recipe
from clew.trainer.runs.compare import changes, comparison, determines, differences
from clew.trainer.runs.folder import Run, create_run
from clew.trainer.runs.report import phases_table, summary


def make_run(root: Path, name: str, *fields: str, em: float) -> Run:
    """A run that is done, with its recipe changed in these fields."""
    run = create_run(root, load_recipe("graph-r1", fields), {"kb": "papers", "phases": ["grpo"]}, name)
    run.update(status="done", test={"em": em, "em_interval": [em - 0.1, em + 0.1]})
    return run


def test_what_differs_is_named_and_the_best_run_told_with_its_chance(tmp_path: Path) -> None:
    first = make_run(tmp_path, "first", em=0.5)
    second = make_run(tmp_path, "second", "training.steps=7", "seed=3", em=0.75)
    assert changes(first) == []
    assert changes(second) == ["training.steps = 7 instead of 0"]
    assert determines(second)["seed"] == "3"
    rows = {row[0].text: row[1:] for row in differences([first, second]).rows}
    assert set(rows) == {"seed", "training.steps"}
    assert rows["seed"] == [Cell("0"), Cell("3")]
    assert len(differences([first, second], only=False).rows) > 20
    assert comparison([first, second]) == (
        "second is best: test EM 0.750, 0.250 more than first. They differ in seed, training.steps."
    )
    third = make_run(tmp_path, "third", em=0.7)
    assert "may be chance" in comparison([second, third])
    third.update(test={"em": 0.7})
    assert "no intervals, so it may be chance" in comparison([second, third])


def test_a_phase_under_way_has_its_steps_and_time_left(tmp_path: Path) -> None:
    run = create_run(tmp_path, load_recipe("graph-r1"), {"phases": ["sft", "grpo"]}, "one")
    for step in (1, 2):
        run.log({"phase": "sft", "step": step, "of": 10, "mean_token_accuracy": step / 4})
    rows = [[cell.text for cell in row] for row in phases_table(summary(run)).rows]
    assert rows[0][:2] == ["sft", "2 of 10"]
    assert rows[0][4] == "0.500"
    assert rows[1][:2] == ["grpo", "to come"]
