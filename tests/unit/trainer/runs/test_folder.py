from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from clew.agent.episode import Episode, Turn
from clew.agent.protocol import get_dialect
from clew.errors import InputError, NotFoundError
from clew.evaluation.datasets import load_questions
from clew.trainer.__main__ import main
from clew.trainer.algorithm.rewards import REWARDS, RewardSettings, part_names
from clew.trainer.algorithm.rollout import Rollout, Segment
from clew.trainer.config import load_recipe
from clew.trainer.data.splits import load_splits
from clew.trainer.runs.folder import Run, create_run, find_run, list_runs
from clew.trainer.runs.live import curves
from clew.trainer.runs.report import render, summary
from clew.trainer.runs.watch import warnings
from clew.types import Fact


@pytest.mark.parametrize(
    "arguments", [["run", "graph-r1"], ["run", "graph-r1", "--dry-run"], ["run", "--resume", "one"], ["demo"]]
)
def test_packages_that_are_missing_are_told_before_anything_starts(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("trl", "peft"):
        monkeypatch.setitem(sys.modules, name, None)
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == InputError.exit_code
    assert done.stderr == "trainer: Training needs trl, peft: run `make install-train` in the repository.\n"


def rollout(answer: str | None = "Ada", queries: int = 1, hostile: str = "") -> Rollout:
    dialect = get_dialect("graph-r1")
    turns = [
        Turn(
            "t",
            f"q{i}",
            None,
            "",
            (Fact("f", f"a fact {hostile}", ("Ada",), 1.0),),
            raw=dialect.render_turn("t", query="q"),
        )
        for i in range(queries)
    ]
    segments = [Segment("policy", i, (1, 2)) for i in range(queries)]
    segments += [Segment("environment", i, (3,)) for i in range(queries)]
    if answer is not None:
        turns.append(Turn("t", "", answer, "", raw=dialect.render_turn("t", answer=answer)))
        segments.append(Segment("policy", queries, (4, 5, 6)))
    episode = Episode(dialect, turns=tuple(turns), stopped="turns" if answer is None else "answer")
    return Rollout("q1", f"Who {hostile}?", ("Ada",), (9, 9), tuple(segments), episode)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return create_run(tmp_path / "runs", load_recipe("graph-r1"), {"kb": "notes"}, "first")


def test_every_reward_has_the_same_parts_whatever_the_rollout() -> None:
    settings = RewardSettings()
    for name, reward in REWARDS.items():
        for one in (rollout(), rollout("Bob", 3), rollout(None, 2), rollout("Ada", 0)):
            assert tuple(reward(one, settings)) == part_names(reward, settings), name


def test_a_run_is_found_and_read_back(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    assert find_run(root, "fi").folder == run.folder == find_run(root, str(run.folder)).folder
    assert [one.name for one in list_runs(root)] == ["first"]
    assert run.recipe() == load_recipe("graph-r1")
    assert run.head()["kb"] == "notes"
    assert run.head()["libraries"]["trl"]
    run.update(phase=1)
    assert run.state() == {"status": "running", "phase": 1}
    with pytest.raises(NotFoundError, match="no run"):
        find_run(root, "other")
    with pytest.raises(InputError, match="already"):
        create_run(root, load_recipe("graph-r1"), {}, "first")
    with pytest.raises(InputError, match="no name for a run"):
        create_run(root, load_recipe("graph-r1"), {}, "../x")


def test_trajectories_keep_every_token_with_its_owner(run: Run) -> None:
    one = rollout(queries=2)
    run.keep("grpo", 3, [one], {"format": [0.0], "answer": [1.0]})
    [row] = run.trajectories()
    assert row["rewards"] == {"format": 0.0, "answer": 1.0}
    assert [id for s in row["segments"] for id in s["ids"]] == one.completion_ids
    mask = [int(s["owner"] == "policy") for s in row["segments"] for _ in s["ids"]]
    assert mask == one.env_mask
    assert [[fact["number"] for fact in turn["facts"]] for turn in row["turns"]] == [[1], [2], []]


def test_what_came_after_a_checkpoint_is_forgotten(run: Run) -> None:
    for step in range(4):
        run.keep("grpo", step, [rollout()], {})
        run.log({"phase": "grpo", "step": step + 1})
    run.log({"phase": "earlier", "step": 9})
    run.forget_after("grpo", 2)
    assert [(row["phase"], row["step"]) for row in run.metrics()] == [("grpo", 1), ("grpo", 2), ("earlier", 9)]
    assert [row["step"] for row in run.trajectories()] == [0, 1]


def test_only_a_whole_checkpoint_counts(run: Run) -> None:
    for step, written in ((2, "{}"), (10, "{}"), (12, None), (14, ""), (16, '{"epoch": 1.')):
        folder = run.checkpoints("grpo") / f"checkpoint-{step}"
        folder.mkdir(parents=True)
        if written is not None:
            (folder / "trainer_state.json").write_text(written)
    last = run.last_checkpoint("grpo")
    assert last is not None
    assert last.name == "checkpoint-10"
    assert run.last_checkpoint("other") is None


def _metrics(name: str, values: list[float]) -> list[dict[str, object]]:
    return [{"step": i, name: value} for i, value in enumerate(values)]


@pytest.mark.parametrize(
    ("metrics", "told"),
    [
        (_metrics("reward", [0.1 * i for i in range(10)] + [0.1] * 6), "reward"),
        (_metrics("entropy", [1.0] * 6 + [0.02] * 6), "entropy"),
        (_metrics("well_formed", [0.5] * 3 + [0.95] * 8 + [0.4] * 6), "format"),
        (_metrics("frac_reward_zero_std", [1.0] * 6), "groups"),
        (_metrics("retrieval/empty", [0.9] * 6), "retrieval"),
    ],
)
def test_a_collapse_is_noticed(metrics: list[dict[str, object]], told: str) -> None:
    assert [name for name, _ in warnings(metrics)] == [told]


def test_nothing_is_said_of_a_run_that_learns() -> None:
    rising = [
        {"reward": 0.05 * i, "entropy": 1.0 - 0.02 * i, "well_formed": 0.9, "retrieval/empty": 0.1} for i in range(20)
    ]
    assert warnings(rising) == []


def test_a_report_shows_hostile_text_as_text(run: Run) -> None:
    hostile = "<script>alert(1)</script>\x1b[2J"
    for step in range(6):
        run.keep("grpo", step, [rollout(hostile=hostile), rollout(None)], {"answer": [float(step), 0.0]})
        run.log({"phase": "grpo", "step": step + 1, "reward": float(step), "dev/f1": 0.1 * step, "dev/em": 0.0})
    run.log({"phase": "grpo", "step": 6, "warning": "reward", "says": "<b>the reward"})
    page = render(run)
    assert "<script" not in page
    assert "\x1b" not in page
    assert "&lt;script&gt;" in page
    assert page.count("<svg") >= 6
    assert "pass@G" in page
    told = summary(run)
    assert told["phases"][0]["best_step"] == 6
    assert told["warnings"]


def test_a_figure_that_is_no_number_leaves_a_gap(run: Run) -> None:
    for step, value in enumerate([0.5, math.nan, math.inf, 0.7], 1):
        run.log({"phase": "grpo", "step": step, "reward": value, "grad_norm": value})
    assert summary(run)["phases"][0]["last_reward"] == 0.7
    assert render(run).count("step 4: 0.700") == 1
    assert [point["value"] for point in curves(run.metrics())["Reward"]] == [0.5, 0.7]
    assert warnings(run.metrics()) == []


def _write(file: Path, names: list[str]) -> Path:
    rows = [{"id": name, "question": f"Who is {name}?", "answers": [name]} for name in names]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert load_questions(file)
    return file


def test_no_question_is_in_two_splits(tmp_path: Path) -> None:
    train = _write(tmp_path / "train.jsonl", [f"n{i}" for i in range(20)])
    more = _write(tmp_path / "more.jsonl", ["n1", "n30"])
    test = _write(tmp_path / "test.jsonl", ["n2", "n3"])
    values = {"data.train": [str(train), str(more)], "data.test": str(test)}
    splits = load_splits(load_recipe("graph-r1", values=values))
    ids = [{q.id for q in part} for part in (splits.train, splits.dev, splits.test)]
    assert set.union(*ids) == {*(f"n{i}" for i in range(20)), "n30"}
    assert sum(map(len, ids)) == 21
    assert len(splits.dev) == 3
    again = load_splits(load_recipe("graph-r1", values=values))
    assert again == splits
    other = load_splits(load_recipe("graph-r1", ["seed=1"], values))
    assert other.train != splits.train
    with pytest.raises(InputError, match="No training questions"):
        load_splits(load_recipe("graph-r1"))
    with pytest.raises(InputError, match="in the dev or test file too"):
        load_splits(load_recipe("graph-r1", values={"data.train": [str(test)], "data.test": str(test)}))
