"""Recipes dry-run and trained on a real graph with a model of a few thousand weights."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from clew.knowledge_base import KnowledgeBase
from clew.runs.folder import write_json
from clew.trainer.__main__ import main
from clew.trainer.config import recipe_names
from clew.trainer.runs.folder import STATE, Run, create_folder
from clew.trajectories.read import open_trajectory
from clew.trajectories.store import TrajectoryFilter
from tests.trainer_models import write_tiny_model

SMALL = [
    "training.questions=2",
    "training.group=2",
    "training.mini_batch=2",
    "training.micro_batch=1",
    "training.save_steps=2",
    "training.learning_rate=1e-3",
    "rollout.max_turns=2",
    "rollout.max_turn_tokens=8",
    "rollout.max_tokens=6000",
    "data.dev_questions=2",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_tiny_model(tmp_path_factory.mktemp("model") / "tiny"))


@pytest.fixture(scope="module")
def data(encyclopaedia: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Question files, and demonstrations in each dialect."""
    from clew.agent.protocol import get_dialect
    from clew.trainer.algorithm.sft import write_demonstrations
    from clew.trainer.data.demonstrations import by_oracle
    from clew.trainer.data.questions import synthesise

    folder = tmp_path_factory.mktemp("data")
    rows = [question.row() for question in synthesise(encyclopaedia.database, encyclopaedia.name, 16, hops=(1, 2))]
    files = {"train": rows[:12], "test": rows[12:]}
    for name, part in files.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part))
    strategy = encyclopaedia.strategy("chunks")
    for dialect in ("graph-r1", "graphrag-r1"):
        kept = by_oracle(rows, strategy, get_dialect(dialect), 1)
        write_demonstrations(folder / f"{dialect}.jsonl", kept.rows)
    return {name: str(folder / f"{name}.jsonl") for name in ("train", "test", "graph-r1", "graphrag-r1")}


@pytest.fixture(autouse=True)
def _environment(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)


def trainer(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def options(base: KnowledgeBase, model: str, data: dict[str, str], recipe: str, *more: str) -> list[str]:
    dialect = "graphrag-r1" if recipe == "graphrag-r1" else "graph-r1"
    named = ["--kb", base.name, "--model", model, "--train", data["train"], "--demonstrations", data[dialect]]
    return ["run", recipe, *named, *(part for field in (*SMALL, *more) for part in ("--set", field))]


@pytest.mark.parametrize("recipe", recipe_names())
def test_every_recipe_is_planned_without_training(
    recipe: str, encyclopaedia: KnowledgeBase, model: str, data: dict[str, str]
) -> None:
    done = trainer(*options(encyclopaedia, model, data, recipe), "--dry-run")
    assert done.exit_code == 0, done.output
    assert "fits one GPU of 80 GiB" in done.output
    assert "One rollout:" in done.output


def test_three_phases_leave_a_policy_that_is_shown_and_exported(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    runs = ["--runs", str(tmp_path)]
    short = 'phases.0.set={"training.steps"=2, "training.mini_batch"=4}'
    arguments = options(encyclopaedia, model, data, "graphrag-r1", "training.steps=2", short)
    done = trainer(*arguments, "--test", data["test"], "--name", "three", *runs)
    assert done.exit_code == 0, done.output
    run = Run(tmp_path / "three")
    assert run.state()["status"] == "done"
    assert run.state()["test"]["questions"] == 4
    phases = {record["phase"] for record in run.metrics()}
    assert phases == {"cold-start", "pra", "caf"}
    rewards = {row["phase"]: set(row["rewards"]) for row in run.trajectories()}
    assert rewards == {"pra": {"format", "retrieval"}, "caf": {"format", "answer"}, "test": set()}
    shown = trainer("show", "three", "--json", *runs)
    assert json.loads(shown.stdout)["test"]["questions"] == 4
    assert (run.folder / "report.html").read_text().count("<svg") > 5
    out = tmp_path / "exported"
    assert trainer("export", "three", "--out", str(out), *runs).exit_code == 0
    assert json.loads((out / "clew.json").read_text())["dialect"] == "graphrag-r1"
    assert (out / "model.safetensors").is_file()
    assert not list(out.glob("*.bin"))
    for policy in ("three", str(out)):
        told = json.loads(trainer("evaluate", policy, data["test"], "--limit", "1", "--json", *runs).stdout)
        assert (told["kb"], told["strategy"]) == (encyclopaedia.name, "hybrid-text3-graph10"), "as it was trained"
    again = trainer("run", "--resume", "three", *runs)
    assert again.exit_code == 2
    assert "is done" in again.output
    killed = {name: value for name, value in run.state().items() if name != "test"}
    write_json(run.folder / STATE, {**killed, "status": "running"})
    assert trainer("run", "--resume", "three", *runs).exit_code == 0
    assert len([row for row in run.trajectories() if row["phase"] == "test"]) == 4, "none twice"


def test_a_run_that_is_killed_goes_on_with_the_same_curve(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = data | {"train": os.path.relpath(data["train"])}
    arguments = options(encyclopaedia, model, data, "graph-r1", "training.steps=6")
    whole = trainer(*arguments, "--name", "whole", "--runs", str(tmp_path))
    assert whole.exit_code == 0, whole.output
    command = [sys.executable, "-m", "clew.trainer", *arguments, "--name", "cut", "--runs", str(tmp_path)]
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(command, env=os.environ | {"OMP_NUM_THREADS": "1"}, stderr=said)
    cut = Run(tmp_path / "cut")
    try:
        deadline = time.monotonic() + 240
        while cut.last_checkpoint("grpo") is None and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert cut.state()["status"] == "running"
    assert "[RANK" not in Path(tmp_path / "said").read_text(), "TRL's notices are none of the reader's"
    monkeypatch.chdir(tmp_path)
    resumed = trainer("run", "--resume", "cut", "--runs", str(tmp_path))
    assert resumed.exit_code == 0, resumed.output

    def curve(run: Run, name: str) -> list[float]:
        return [record[name] for record in run.metrics() if name in record]

    expected = Run(tmp_path / "whole")
    steps = [record["step"] for record in cut.metrics() if "loss" in record]
    assert steps == [1, 2, 3, 4, 5, 6], "no step is missing, none comes twice"
    assert curve(cut, "reward") == pytest.approx(curve(expected, "reward"))
    assert curve(cut, "loss") == pytest.approx(curve(expected, "loss"), abs=1e-4)
    assert len(cut.trajectories()) == len(expected.trajectories()) == 12
    found, total = encyclopaedia.find_trajectories(TrajectoryFilter(policy="cut, grpo", origin="training"))
    assert total == 6, "the best and the worst of three batches, none twice"
    stored = open_trajectory(encyclopaedia, found[0]["id"])
    own = [row for row in cut.trajectories() if row["question"] == stored.trajectory.question]
    assert stored.rewards in [row["rewards"] for row in own]
    assert [len(run.texts) for run in stored.tokens] in [[len(s["ids"]) for s in row["segments"]] for row in own]


def test_a_run_does_not_go_on_with_other_data(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    own = {name: str(shutil.copy(path, tmp_path)) for name, path in data.items()}
    runs = ["--runs", str(tmp_path)]
    short = 'phases.0.set={"training.steps"=1, "training.mini_batch"=4}'
    arguments = options(encyclopaedia, model, own, "graphrag-r1", "training.steps=2", short)
    assert trainer(*arguments, "--test", own["test"], "--name", "other", *runs).exit_code == 0
    Run(tmp_path / "other").update(status="running")
    for file, what in (("graphrag-r1", "demonstrations"), ("test", "questions")):
        changed = Path(own[file])
        changed.write_text("".join(changed.read_text().splitlines(keepends=True)[1:]))
        done = trainer("run", "--resume", "other", *runs)
        assert done.exit_code == 2
        assert f"The {what} of the run other have changed since it began" in done.output


def test_a_run_goes_on_over_another_graph_only_where_somebody_says_so(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    runs = ["--runs", str(tmp_path)]
    arguments = options(encyclopaedia, model, data, "sft", "training.steps=1", "training.mini_batch=4")
    assert trainer(*arguments, "--name", "moved", *runs).exit_code == 0
    run = Run(tmp_path / "moved")
    now = run.head()
    assert now["graph_version"]
    resume = ("run", "--resume", "moved", *runs)
    for other, told in (
        ({"graph": {**now["graph"], "Document": 7}}, "7 Document nodes then, 42 now"),
        ({"graph_version": "another"}, "same size"),
    ):
        run.update(status="running")
        run.begins(**other)
        done = trainer(*resume)
        assert done.exit_code == 2
        assert told in done.output.splitlines()[-1]
        assert "--resume moved --other-graph" in done.output.splitlines()[-1]
        assert trainer(*resume, "--other-graph").exit_code == 0
        assert {name: run.head()[name] for name in other} == {name: now[name] for name in other}, "asked once"


def test_a_plan_says_what_does_not_fit_and_which_questions_have_no_answer(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    own = {**data, "train": str(tmp_path / "train.jsonl")}
    rows = [{"id": str(i), "question": f"Who sold the mill in {i}?", "answers": []} for i in range(6)]
    Path(own["train"]).write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = trainer(*options(encyclopaedia, model, own, "graph-r1"), "--dry-run")
    assert done.exit_code == 2
    assert "None of the 5 training questions has an answer" in done.output
    rows += [{"id": name, "question": f"Who owns {name}?", "answers": ["Jonas Pell"]} for name in ("it", "us")]
    Path(own["train"]).write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = trainer(*options(encyclopaedia, model, own, "graph-r1"), "--dry-run")
    assert done.exit_code == 0, done.output
    assert "of 7 training questions have no answer" in done.output
    for command in (
        [*options(encyclopaedia, model, data, "graph-r1", "rollout.max_tokens=9000"), "--dry-run"],
        ["evaluate", model, data["test"], "--kb", encyclopaedia.name, "--set", "rollout.max_tokens=9000"],
    ):
        done = trainer(*command)
        assert done.exit_code == 2
        assert "has 8,192 tokens" in done.output
        assert "lower rollout.max_tokens to 7," in done.output


def test_weights_that_are_lost_end_a_run_with_one_line(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    runs = ["--runs", str(tmp_path)]
    arguments = options(encyclopaedia, model, data, "graph-r1", "training.learning_rate=1e9", "training.steps=6")
    lost = trainer(*arguments, "--name", "lost", *runs)
    for done in (lost, trainer("run", "--resume", "lost", *runs)):
        assert done.exit_code == 2, done.output
        assert "lower training.learning_rate" in done.output.splitlines()[-1]
    looks = [record["step"] for record in Run(tmp_path / "lost").metrics() if "dev/em" in record]
    assert looks.count(0) == 1, "what a run did before its first checkpoint is not kept twice"
    shown = trainer("show", "lost", *runs)
    assert shown.exit_code == 0
    assert "not done" in shown.output


def test_a_full_disk_is_told_and_the_run_goes_on_where_there_is_room(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    runs = ["--runs", str(tmp_path)]
    arguments = options(encyclopaedia, model, data, "graph-r1", "training.steps=2")

    def with_small_files(*words: str, kilobytes: int = 100) -> subprocess.CompletedProcess[str]:
        limited = [
            "bash",
            "-c",
            f'ulimit -f {kilobytes}; exec "$@"',
            "bash",
            sys.executable,
            "-m",
            "clew.trainer",
            *words,
            *runs,
        ]
        return subprocess.run(limited, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True)

    full = with_small_files(*arguments, "--name", "full")
    assert full.returncode == 2
    assert "make room there" in full.stderr.splitlines()[-1]
    assert trainer("run", "--resume", "full", *runs).exit_code == 0
    for chosen in ([], ["--checkpoint", "grpo/2"]):
        cut = with_small_files("export", "full", "--out", str(tmp_path / "out"), *chosen, kilobytes=40)
        assert cut.returncode == 2
        assert "name another with --out" in cut.stderr.splitlines()[-1]
    assert not list(tmp_path.glob("out*")), "whole, or not at all"
    assert trainer("export", "full", "--out", str(tmp_path / "out"), "--checkpoint", "grpo/2", *runs).exit_code == 0


def test_demonstrations_that_are_too_long_are_counted(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    from clew.trainer.algorithm.sft import example
    from clew.trainer.config import load_recipe
    from clew.trainer.data.splits import read_lines
    from clew.trainer.models import load_tokenizer

    recipe, tokenizer = load_recipe("sft", SMALL), load_tokenizer(model)
    rows = read_lines(Path(data["graph-r1"]))
    labels = [example(tokenizer, row, recipe.rollout)["labels"] for row in rows]
    lengths = [len(some) - next(i for i, label in enumerate(some) if label >= 0) for some in labels]
    longest = sorted(lengths)[len(lengths) // 2]
    longer = sum(length > longest for length in lengths)
    assert longer > 0
    short = ("training.steps=1", f"rollout.max_tokens={longest}")
    done = trainer(*options(encyclopaedia, model, data, "sft", *short), "--runs", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert f"{longer} of {len(rows)} demonstrations are left out" in done.stderr


def test_a_trained_policy_is_exported_served_and_asked(
    encyclopaedia: KnowledgeBase, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Learn one demonstration by heart, serve the policy, and let the agent ask it the same over HTTP."""
    pytest.importorskip("fastapi", reason="transformers serve needs transformers[serving]")
    from clew.agent.protocol import get_dialect
    from clew.cli import main as clew
    from clew.trainer.algorithm.sft import write_demonstrations
    from clew.trainer.data.demonstrations import by_oracle
    from clew.trainer.data.questions import synthesise

    rows = [question.row() for question in synthesise(encyclopaedia.database, encyclopaedia.name, 8, hops=(1,))]
    kept = by_oracle(rows, encyclopaedia.strategy("graph-r1"), get_dialect("graph-r1"), 5)
    shortest = min(kept.rows, key=lambda row: len(json.dumps(row["turns"])))
    write_demonstrations(tmp_path / "one.jsonl", [shortest])
    fields = ["model.lora_rank=0", "training.mini_batch=1", "training.micro_batch=1", "training.learning_rate=1e-2"]
    fields += ["training.steps=200", "training.save_steps=200"]
    named = ["--kb", encyclopaedia.name, "--model", model, "--demonstrations", str(tmp_path / "one.jsonl")]
    changes = [part for field in fields for part in ("--set", field)]
    done = trainer("run", "sft", *named, *changes, "--name", "heart", "--runs", str(tmp_path))
    assert done.exit_code == 0, done.output
    policy = tmp_path / "policy"
    assert trainer("export", "heart", "--out", str(policy), "--runs", str(tmp_path)).exit_code == 0
    with _served(policy) as address:
        monkeypatch.setenv("CLEW_LLM_BASE_URL", f"{address}/v1")
        monkeypatch.setenv("CLEW_LLM_MODEL", str(policy))
        monkeypatch.setenv("CLEW_DIALECT", json.loads((policy / "clew.json").read_text())["dialect"])
        asked = ["ask", shortest["question"], "--kb", encyclopaedia.name, "--policy", "llm", "--strategy", "graph-r1"]
        told = CliRunner().invoke(clew, [*asked, "--json"], catch_exceptions=False)
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["answer"] in shortest["answers"]


@contextmanager
def _served(policy: Path) -> Iterator[str]:
    """The address of ``transformers serve`` for this folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("transformers")), "serve", str(policy), "--port", str(port)]
    server = subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 200
        while time.monotonic() < deadline and server.poll() is None:
            try:
                httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def test_wrong_arguments_end_with_one_line(
    encyclopaedia: KnowledgeBase, model: str, data: dict[str, str], tmp_path: Path
) -> None:
    runs = ["--runs", str(tmp_path)]
    taken = ["--name", "taken", *runs]
    create_folder(tmp_path, "demo", {}, "demo")
    (lines := tmp_path / "lines.jsonl").write_text('{"id": 1}\n')
    asked = {"id": "1", "question": "Who?", "answers": ["Ada"], "path": [{"q": 1}]}
    (pathless := tmp_path / "pathless.jsonl").write_text(json.dumps(asked) + "\n")
    named = ["--kb", encyclopaedia.name, "--model", model, "--train", data["train"]]
    fits = ["--set", "rollout.max_tokens=4096"]
    for arguments, told in (
        (["run", "grph-r1"], "did you mean"),
        (["run"], "Name a recipe"),
        (["run", "graph-r1", *named, "--set", "training.steps=0.5"], "training.steps"),
        (["run", "graph-r1", *named[:-2], "--dry-run"], "No training questions"),
        (["run", "graph-r1", *named[:2], *named[4:], "--dry-run"], "No model is named"),
        (["run", "graph-r1", *named[:2], *named[4:], "--model", "./none", "--dry-run"], "no model folder"),
        (["run", "graph-r1", "--kb", "nowhere", *named[2:], "--dry-run"], "no knowledge base"),
        (["run", "graphrag-r1", *named, "--dry-run"], "supervised phase"),
        (["run", "graph-r1", *named, "--set", "training.micro_batch=64", "--set", "training.mini_batch=3"], "multiple"),
        (["run", "graph-r1", *named, "--set", "retrieval.strategy=graf-r1", *taken], "did you mean 'graph-r1'"),
        (["run", "graphrag-r1", *named, *fits, "--demonstrations", data["graph-r1"], *taken], "write others"),
        (["run", "graphrag-r1", *named, *fits, "--demonstrations", data["graph-r1"], "--dry-run"], "write others"),
        (["run", "sft", *named[:4], "--demonstrations", str(lines), "--dry-run"], "write them anew"),
        (["demonstrations", str(lines), str(tmp_path / "shown"), *named[:2]], "question 1: no id, question or list"),
        (["demonstrations", str(pathless), str(tmp_path / "shown"), *named[:2]], "has no path"),
        (["demo", "--json", str(tmp_path / "none" / "x.json")], "no folder"),
        (["demo", "--seed", "-1"], "--seed"),
        (["run", "--resume", "demo", "--dry-run", "--set", "a=b", *runs], "leave out --set, --dry-run"),
        (["run", "--resume", "demo", *runs], "has no recipe"),
        (["evaluate", "demo", data["test"], *runs], "has no recipe"),
        (["export", "demo", "--out", "x", *runs], "has no recipe"),
        (["show", "nothing"], "no run"),
        (["export", "nothing", "--out", "x"], "no run"),
    ):
        done = trainer(*arguments)
        assert done.exit_code not in (0, 1), arguments
        assert told in done.output, done.output
        assert "Traceback" not in done.output
    assert not (tmp_path / "taken").exists(), "a run that cannot train takes no name"


def test_help_is_quick() -> None:
    code = "import sys, trainer.__main__; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
