"""A run as pages see it: curves over all phases, the latest trajectories, and what is started for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.errors import InputError
from clew.runs.folder import TAIL, append_lines
from clew.settings import Settings, load_settings
from clew.trainer.runs.folder import TRAJECTORIES, create_folder
from clew.trainer.runs.jobs import Wanted, data_sets, keep_upload, serving, start_plan, start_run
from clew.trainer.runs.live import MOST_POINTS, curves, phase_bounds, token_runs

QUESTION = b'{"id": "1", "question": "Who?", "answers": ["she"]}\n'


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    return load_settings(_env_file=None, home=tmp_path)


def test_curves_go_on_from_phase_to_phase() -> None:
    metrics = [
        {"phase": "a", "step": 1, "reward": 0.0, "rewards/x/mean": 0.0, "rewards/y/mean": 0.5},
        {"phase": "a", "step": 2, "reward": 1.0, "dev/em": 0.25},
        {"phase": "b", "step": 1, "reward": 2.0, "loss": "not a number"},
    ]
    found = curves(metrics)
    assert [(p["step"], p["value"]) for p in found["Reward"]] == [(1, 0.0), (2, 1.0), (3, 2.0)]
    assert {p["series"] for p in found["Parts of the reward"]} == {"x", "y"}
    assert found["On the development set"] == [{"step": 2, "series": "EM", "value": 0.25}]
    assert "Loss" not in found
    assert phase_bounds(metrics) == [(0, "a"), (2, "b")]
    assert curves([]) == {}


def test_long_curves_are_thinned_to_means() -> None:
    metrics = [{"phase": "a", "step": n, "reward": float(n % 2)} for n in range(1, 1_001)]
    points = curves(metrics)["Reward"]
    assert MOST_POINTS / 2 < len(points) <= MOST_POINTS
    assert points[0]["step"] == 4.0
    assert points[0]["value"] == pytest.approx(0.5, abs=0.1)


def test_the_latest_trajectories_are_found_at_the_end_of_a_large_file(tmp_path: Path) -> None:
    run = create_folder(tmp_path, "demo", {}, "one")
    assert run.latest_trajectories(3) == []
    wide = "x" * (TAIL // 8)
    append_lines(run.folder / TRAJECTORIES, [{"step": n, "text": wide} for n in range(20)])
    with (run.folder / TRAJECTORIES).open("ab") as file:
        file.write(b'{"torn": ')
    assert [row["step"] for row in run.latest_trajectories(3)] == [19, 18, 17]
    assert token_runs(run, {"segments": []}) == []


def test_what_cannot_work_is_told_before_anything_starts(home: Settings) -> None:
    for wanted, reason in (
        (Wanted("graph-r1", "kb", ""), "No model"),
        (Wanted("graph-r1", "kb", "m"), "No training questions"),
        (Wanted("sft", "kb", "m"), "demonstrations"),
        (Wanted("graph-r1", "kb", "m", ("f",), changes=("training.step=4",)), "did you mean 'training.steps'"),
        (Wanted("graph-2", "kb", "m"), "did you mean"),
    ):
        with pytest.raises(InputError, match=reason):
            start_plan(home, wanted)
    with pytest.raises(InputError, match="no name for a run"):
        start_run(home, Wanted("graph-r1", "kb", "m", ("f",)), "../x")
    with pytest.raises(InputError, match="no exported policy"):
        serving(home.home)
    assert not (home.home / "jobs").exists()


def test_an_upload_is_kept_as_a_data_set_if_it_holds_questions(home: Settings) -> None:
    kept = keep_upload(home, "../my <b>set.jsonl", QUESTION)
    assert Path(kept.train).read_bytes() == QUESTION
    assert Path(kept.train).parent == home.home / "training-data"
    with pytest.raises(InputError, match=r"^bad\.jsonl, line 1"):
        keep_upload(home, "bad.jsonl", b"{")
    assert [data.name for data in data_sets(home)] == [kept.name]
