"""Training runs that are kept: a folder each, from which a run that was killed goes on, and from which it is shown.

``config.resolved.toml`` is the recipe with every default, ``run.json`` what else determines the run (graph, code,
versions), ``state.json`` how far it has come. ``metrics.jsonl`` and ``trajectories.jsonl`` grow by whole lines;
``checkpoints/PHASE`` holds what the phase saved, and ``model`` the policy that was chosen.
"""

from __future__ import annotations

import errno
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from clew.agent.episode import numbered
from clew.errors import ClewError, InputError
from clew.files import json_lines, write_whole
from clew.runs.folder import (
    NO_SPACE,
    append_lines,
    check_name,
    find_folder,
    latest_lines,
    list_folders,
    make,
    read_json,
    read_lines,
    writable,
    write_json,
)
from clew.trainer.config import Recipe, dump_toml, load_recipe
from clew.types import Json

if TYPE_CHECKING:
    from clew.trainer.algorithm.rollout import Rollout

CONFIG = "config.resolved.toml"
HEAD = "run.json"
STATE = "state.json"
METRICS = "metrics.jsonl"
TRAJECTORIES = "trajectories.jsonl"
NOTES = "notes.json"
MODEL = "model"
TOKENIZER = "tokenizer"
FACT_CHARS = 300
"""Characters of a fact that a kept trajectory shows; its id finds the whole."""

_LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "vllm")


@dataclass(frozen=True, slots=True)
class Run:
    """A training run in its folder."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's name, by which the command line knows the run."""
        return self.folder.name

    def recipe(self) -> Recipe:
        """The recipe as it was resolved. Raises InputError where the file is damaged, or the run is a demo's."""
        if not (self.folder / CONFIG).is_file():
            raise InputError(
                f"The run {self.name} has no recipe, as those of the demo: it can be shown, not resumed or exported."
            )
        return load_recipe(str(self.folder / CONFIG))

    def head(self) -> Json:
        """What determines the run besides its recipe: when, which graph, which code and libraries."""
        return read_json(self.folder / HEAD) or {}

    def begins(self, **changes: object) -> None:
        """Change what determines the run: the whole file or nothing."""
        write_json(self.folder / HEAD, {**self.head(), **changes})

    def state(self) -> Json:
        """How far it is: ``status`` (running, done), ``phase`` (from 0), and at the end the figures of the ``test``."""
        return read_json(self.folder / STATE) or {"status": "running", "phase": 0}

    def update(self, **changes: object) -> None:
        """Change the state: the whole file or nothing."""
        write_json(self.folder / STATE, {**self.state(), **changes})

    def metrics(self) -> list[Json]:
        """A record for each log of the trainer, look at the development set, and warning, in order."""
        return read_lines(self.folder / METRICS)

    def trajectories(self) -> list[Json]:
        """Every trajectory with its rewards and its tokens by owner, in order; of all processes."""
        files = sorted(self.folder.glob("trajectories*.jsonl"))
        return [record for file in files for record in read_lines(file)]

    def latest_trajectories(self, count: int) -> list[Json]:
        """The last trajectories, the latest first, without reading all of a large file."""
        files = self.folder.glob("trajectories*.jsonl")
        return [record for file in files for record in latest_lines(file, count)][:count]

    def known_checkpoints(self) -> list[str]:
        """The checkpoints that are whole, as ``PHASE/STEP``."""
        found = (self.folder / "checkpoints").glob("*/checkpoint-*/trainer_state.json")
        named = [(file.parent.parent.name, file.parent.name.partition("-")[2]) for file in found]
        return [f"{phase}/{step}" for phase, step in sorted(named, key=lambda one: (one[0], len(one[1]), one[1]))]

    def log(self, record: Mapping[str, object]) -> None:
        """Append a record to the metrics, with the time of day; it is on disk when this returns."""
        append_lines(self.folder / METRICS, [{**record, "at": round(time.time(), 2)}])

    def notes(self) -> Json:
        """What a person has written down of it: ``tags``, a list of words, and a ``note``."""
        return {"tags": [], "note": "", **(read_json(self.folder / NOTES) or {})}

    def annotate(self, tags: Sequence[str], note: str) -> None:
        """Keep tags and a note: the whole file or nothing."""
        write_json(self.folder / NOTES, {"tags": list(tags), "note": note})

    def keep(self, phase: str, step: int, rollouts: Sequence[Rollout], rewards: Mapping[str, Sequence[float]]) -> None:
        """Append trajectories with their rewards by name; each process has a file of its own."""
        rank = os.environ.get("RANK", "0")
        file = self.folder / (TRAJECTORIES if rank == "0" else f"trajectories.{rank}.jsonl")
        rows = []
        for i, rollout in enumerate(rollouts):
            parts = {name: values[i] for name, values in rewards.items()}
            rows.append({"phase": phase, "step": step, "rewards": parts, **as_row(rollout)})
        append_lines(file, rows)

    def checkpoints(self, phase: str) -> Path:
        """Where a phase saves its checkpoints."""
        return self.folder / "checkpoints" / phase

    def last_checkpoint(self, phase: str) -> Path | None:
        """The latest checkpoint of a phase that is whole: its state, which is written last, can be read."""
        found = self.checkpoints(phase).glob("checkpoint-*/trainer_state.json")
        found = (file for file in found if read_json(file) is not None)
        numbered = [(int(n), file.parent) for file in found if (n := file.parent.name.partition("-")[2]).isdigit()]
        return max(numbered)[1] if numbered else None

    def forget_after(self, phase: str, step: int) -> None:
        """Drop what was logged in a phase after ``step``: it is done again from the checkpoint of that step."""
        for file in (self.folder / METRICS, *self.folder.glob("trajectories*.jsonl")):
            records = read_lines(file)
            # A trajectory is played before the step that it leads to, a metric is written after.
            last = step if file.name == METRICS else step - 1
            kept = [r for r in records if r.get("phase") != phase or int(r.get("step", 0)) <= last]
            if file.exists():
                write_whole(file, json_lines(kept))


def create_run(root: Path, recipe: Recipe, about: Json, name: str | None = None) -> Run:
    """A new run's folder. Raises InputError where it exists already, or cannot be written."""
    return create_folder(root, recipe.name, about, name, {CONFIG: dump_toml(recipe)})


def create_folder(
    root: Path, recipe: str, about: Json, name: str | None = None, contents: Mapping[str, str] | None = None
) -> Run:
    """``create_run`` for what is no recipe of a file, such as the demo, with other ``contents``. Raises InputError."""
    run = Run(root / check_name(name or f"{recipe}-{datetime.now(UTC):%Y%m%d-%H%M%S}"))
    with writable(run.folder):
        try:
            make(run.folder, new=True)
        except FileExistsError as error:
            raise InputError(
                f"There is a run {run.name!r} in {root} already: use --resume {run.name}, or another name."
            ) from error
        for file, text in (contents or {}).items():
            write_whole(run.folder / file, text)
        started = datetime.now(UTC).isoformat(timespec="seconds")
        write_json(run.folder / HEAD, {"recipe": recipe, "started": started, **code_version(), **about})
        run.update(status="running", phase=0)
    return run


def find_run(root: Path, name: str) -> Run:
    """The run called ``name``, by the beginning of its name where only one begins so, or by its folder.

    Raises NotFoundError where there is none, InputError where several begin so.
    """
    if (folder := Path(name)).is_dir() and (folder / HEAD).is_file():
        return Run(folder)
    return Run(find_folder(root, name, HEAD, "python -m trainer list")[0])


def list_runs(root: Path) -> list[Run]:
    """The runs in a folder, the latest first. Raises InputError where it cannot be read."""
    return [Run(folder) for folder, _ in list_folders(root, HEAD)]


def as_row(rollout: Rollout) -> Json:
    """A trajectory as plain data: what was said and found, and every token with who wrote it.

    Facts and passages have the ``number`` under which the policy was shown them, None where it was not.
    """
    turns = [
        {
            "thought": turn.thought,
            "query": turn.query,
            "answer": turn.answer,
            "error": turn.error,
            "raw": turn.raw,
            "facts": [
                {"id": fact.id, "number": number, "text": fact.text[:FACT_CHARS]}
                for fact, number in zip(turn.facts, numbers, strict=False)
            ],
            "passages": [
                {"id": passage.id, "number": number, "title": passage.title}
                for passage, number in zip(turn.passages, numbers[len(turn.facts) :], strict=False)
            ],
        }
        for turn, numbers in zip(rollout.turns, _numbers(rollout), strict=True)
    ]
    return {
        "question_id": rollout.question_id,
        "question": rollout.question,
        "answers": list(rollout.answers),
        "answer": rollout.answer,
        "correct": rollout.correct,
        "stopped": rollout.stopped,
        "retrievals": rollout.retrievals,
        "turns": turns,
        "prompt_ids": list(rollout.prompt_ids),
        "segments": [{"owner": s.owner, "turn": s.turn, "ids": list(s.ids)} for s in rollout.segments],
    }


def _numbers(rollout: Rollout) -> list[list[int | None]]:
    """Of each turn's facts, and then its passages, the numbers under which they were shown."""
    shown = numbered(rollout.turns, rollout.episode.dialect)
    return [
        [*numbers, *[None] * (len(turn.facts) + len(turn.passages) - len(numbers))]
        for turn, numbers in zip(rollout.turns, shown, strict=True)
    ]


def code_version() -> Json:
    """The commit of this code where it is a checkout, else its version; versions of libraries, and the machine."""
    libraries = {}
    for library in _LIBRARIES:
        try:
            libraries[library] = version(library)
        except PackageNotFoundError:
            continue
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        described = version("clew-graph")
    return {"code": described, "libraries": libraries, "machine": _machine()}


def _machine() -> str:
    """Cores, memory and GPUs; of GPUs only where PyTorch has been loaded already."""
    parts = [f"{os.cpu_count()} CPU cores", f"{psutil.virtual_memory().total / 2**30:.0f} GiB"]
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_available():
        parts += [f"{torch.cuda.device_count()} x {torch.cuda.get_device_name(0)}"]
    return ", ".join(parts)


def figure(record: Mapping[str, object], name: str) -> float | None:
    """A figure of a metrics record; None where it has none, or one that is no finite number."""
    value = record.get(name)
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def disk_fault(error: Exception) -> str:
    """Why a disk could not be written, in whichever library noticed it; empty for an error of another kind."""
    match error:
        case ClewError():
            return ""
        case shutil.Error():
            return str(error.args[0][0][-1])
        case OSError() if error.filename or error.errno in (*NO_SPACE, errno.EIO):
            return error.strerror or str(error)
    # By name, as neither library is loaded here: safetensors and PyTorch's own files.
    by_library = type(error).__name__ == "SafetensorError" or "PytorchStreamWriter" in str(error)
    return " ".join(str(error).split())[:200] if by_library else ""
