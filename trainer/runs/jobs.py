"""Training and what belongs to it as jobs: processes of their own, that whoever reads their folders can watch and stop.

A run is started, resumed and stopped; its plan is made; questions, demonstrations and policies are written. Each is a
command of ``python -m trainer`` in the words of its ``--help``.
"""

from __future__ import annotations

import re
import shlex
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clew.child import python_module
from clew.errors import InputError
from clew.runs.folder import check_name, held, make, read_json
from clew.runs.job import Job, forget_old, jobs, new_folder, start
from clew.trainer.config import Recipe, load_recipe
from clew.trainer.runs.export import DIALECT
from clew.trainer.runs.folder import Run
from clew.trajectories.export import FOLDER
from clew.types import Json

if TYPE_CHECKING:
    from clew.settings import Settings

RUN, PLAN, DATA, EXPORT = "train", "plan", "data", "export"
"""The kinds of jobs; runs go one after the other, and so does what writes data."""
RUNS = "training"
POLICIES = "policies"
"""Where under Clew's home exported policies are."""
DEMO = "demo"
DEMO_RECIPES = ("graph-r1", "graphrag-r1", "prograph-r1")
"""Those of ``trainer.demo.demo``, which loads torch."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A run before it begins: what ``python -m trainer run`` takes; ``changes`` are fields as ``training.steps=10``."""

    recipe: str
    kb: str
    model: str
    train: tuple[str, ...] = ()
    dev: str = ""
    test: str = ""
    demonstrations: str = ""
    changes: tuple[str, ...] = ()

    def options(self) -> list[str]:
        """The words of the command line after ``run``."""
        words = [self.recipe, "--kb", self.kb, "--model", self.model]
        for name, value in (("dev", self.dev), ("test", self.test), ("demonstrations", self.demonstrations)):
            words += [f"--{name}", value] if value else []
        words += [word for file in self.train for word in ("--train", file)]
        return words + [word for change in self.changes for word in ("--set", change)]

    def resolved(self) -> Recipe:
        """The recipe with all of this. Raises InputError for an unknown field or a value that it cannot have."""
        return load_recipe(self.recipe, self.changes, {"retrieval.kb": self.kb, "model.path": self.model})


@dataclass(frozen=True, slots=True)
class DataSet:
    """Files to train with, by what they are called; an empty place where there is no such file."""

    name: str
    train: str = ""
    dev: str = ""
    test: str = ""
    demonstrations: tuple[str, ...] = ()

    @property
    def kb(self) -> str:
        """The knowledge base that ``write_questions`` has made it of; empty for another one."""
        made = re.fullmatch(r"(.+)-\d{8}-\d{6}", self.name)
        return made[1] if made and self.test else ""


@dataclass(frozen=True, slots=True)
class Served:
    """How an exported policy is served and used: two commands and the settings that name it."""

    gpu: str
    cpu: str
    gpu_settings: str
    cpu_settings: str


def root(settings: Settings) -> Path:
    """Where the runs are."""
    return settings.home / RUNS


def start_run(settings: Settings, wanted: Wanted, name: str = "") -> Job:
    """Begin a run; returns at once. Raises InputError where recipe, model or name cannot be right."""
    _check(wanted)
    name = name or _unused(settings, wanted.recipe)
    _check_name(settings, name)
    where = ["--runs", str(root(settings))]
    command = _trainer("run", *wanted.options(), "--name", name, *where)
    about = {"run": name, "recipe": wanted.recipe, "kb": wanted.kb, "model": wanted.model}
    return _start(settings, RUN, command, about, resume=_trainer("run", "--resume", name, *where), queue=RUN)


def start_demo(settings: Settings, recipe: str = DEMO_RECIPES[0], *, short: bool = False) -> Job:
    """Begin the demo, which needs no data and no model; returns at once. It cannot be resumed.

    A ``short`` one begins with a policy that knows the protocol already.
    """
    name = _unused(settings, DEMO)
    about = {"run": name, "recipe": DEMO, "resumes": False}
    length = ["--short"] if short else []
    command = _trainer("demo", "--recipe", recipe, *length, "--name", name, "--runs", str(root(settings)))
    return _start(settings, RUN, command, about, queue=RUN)


def start_plan(settings: Settings, wanted: Wanted) -> Job:
    """Dry-run: its ``progress`` is the plan once it is done. Raises as ``start_run``."""
    _check(wanted)
    about = {"recipe": wanted.recipe, "kb": wanted.kb, "model": wanted.model}
    return _start(settings, PLAN, _trainer("run", *wanted.options(), "--dry-run"), about)


def resume(settings: Settings, run: Run) -> Job:
    """Go on with a run that was cut, by the job that began it, or by a new one. Raises InputError while it runs."""
    if job := job_of(settings, run.name):
        job.resume()
        return job
    command = _trainer("run", "--resume", run.name, "--runs", str(root(settings)))
    head = run.head()
    about = {"run": run.name, "recipe": head.get("recipe"), "kb": head.get("kb")}
    return _start(settings, RUN, command, about, resume=command, queue=RUN)


def write_questions(settings: Settings, kb: str, count: int) -> Job:
    """Make questions from the graph of a knowledge base, as a data set; returns at once."""
    folder = _data(settings) / f"{kb}-{time.strftime('%Y%m%d-%H%M%S')}"
    command = _trainer("questions", str(folder), "--kb", kb, "--count", str(count))
    return _start(settings, DATA, command, {"kb": kb, "what": "questions", "name": folder.name}, queue=DATA)


def write_demonstrations(settings: Settings, kb: str, data: DataSet, recipe: str) -> Job:
    """Write demonstrations for the training questions of a data set, in the dialect of a recipe; returns at once."""
    file = Path(data.train).with_name(f"{Path(data.train).stem}-{recipe}.demonstrations")
    command = _trainer("demonstrations", data.train, str(file), "--kb", kb, "--recipe", recipe)
    return _start(settings, DATA, command, {"kb": kb, "what": "demonstrations", "name": data.name}, queue=DATA)


def start_export(settings: Settings, run: Run, checkpoint: str = "") -> Job:
    """Write the chosen policy of a run, or that of ``PHASE/STEP``, as a folder to be served; returns at once."""
    folder = policy_folder(settings, run, checkpoint)
    chosen = ["--checkpoint", checkpoint] if checkpoint else []
    command = _trainer("export", run.name, "--out", str(folder), *chosen, "--runs", str(root(settings)))
    return _start(settings, EXPORT, command, {"run": run.name, "checkpoint": checkpoint})


def policy_folder(settings: Settings, run: Run, checkpoint: str = "") -> Path:
    """Where ``start_export`` writes."""
    name = f"{run.name}-{checkpoint.replace('/', '-')}" if checkpoint else run.name
    return settings.home / POLICIES / name


def serving(folder: Path) -> Served:
    """How an exported policy is served. Raises InputError where the folder is none."""
    if (dialect := read_json(folder / DIALECT)) is None:
        raise InputError(f"{folder} is no exported policy: export it again.")
    place = shlex.quote(str(folder))
    name = shlex.quote(folder.name)
    rest = [
        f"CLEW_{key.upper()}={dialect[key]}" for key in ("dialect", "top_k", "max_turns", "strategy") if key in dialect
    ]
    address = "CLEW_LLM_BASE_URL=http://localhost:8000/v1"
    return Served(
        f"vllm serve {place} --served-model-name {name} --port 8000",
        f"transformers serve {place} --port 8000",
        "\n".join([address, f"CLEW_LLM_MODEL={name}", *rest]),
        "\n".join([address, f"CLEW_LLM_MODEL={place}", *rest]),
    )


def data_sets(settings: Settings) -> list[DataSet]:
    """What has been made for training under Clew's home, the latest first."""
    folder = _data(settings)
    found: list[tuple[float, DataSet]] = []
    for place in folder.iterdir() if folder.is_dir() else ():
        if place.is_dir() and (place / "train.jsonl").is_file():
            files = {n: str(place / f"{n}.jsonl") for n in ("train", "dev", "test") if (place / f"{n}.jsonl").is_file()}
            shown = tuple(str(file) for file in sorted(place.glob("*.demonstrations")))
            found.append((place.stat().st_mtime, DataSet(place.name, **files, demonstrations=shown)))
        elif place.suffix == ".jsonl":
            found.append((place.stat().st_mtime, DataSet(place.stem, str(place), demonstrations=(str(place),))))
    return [data for _, data in sorted(found, key=lambda pair: pair[0], reverse=True)]


def keep_upload(settings: Settings, name: str, data: bytes) -> DataSet:
    """Keep a file of questions that was uploaded. Raises InputError where it holds none, with its own name."""
    from clew.evaluation.datasets import keep_upload as keep

    folder = _data(settings)
    make(folder)
    file = keep(folder, name, data, time.strftime("-%Y%m%d-%H%M%S"))
    return DataSet(file.stem, str(file), demonstrations=(str(file),))


def job_of(settings: Settings, run: str) -> Job | None:
    """The job that works, or last worked, on a run."""
    return next((job for job in jobs(settings, RUN) if job.about.get("run") == run), None)


def delete_run(settings: Settings, run: Run) -> None:
    """Delete a run with its checkpoints, and forget its job. Raises InputError while it is worked on."""
    if job := job_of(settings, run.name):
        job.delete()
    with held(run.folder) as mine:
        if not mine:
            raise InputError(f"Another process trains the run {run.name!r}: stop it first.")
        shutil.rmtree(run.folder, ignore_errors=True)


def _check(wanted: Wanted) -> None:
    recipe = wanted.resolved()
    if not wanted.model:
        raise InputError("No model is named: give a folder in Hugging Face's form, or a name on a model hub.")
    supervised = [phase.method == "sft" for phase in recipe.phases]
    if any(supervised) and not wanted.demonstrations:
        raise InputError(f"The recipe {wanted.recipe} has a supervised phase: write demonstrations first.")
    if not all(supervised) and not wanted.train:
        raise InputError("No training questions are named: make some from the graph, or bring a file.")


def _check_name(settings: Settings, name: str) -> None:
    if (root(settings) / check_name(name)).exists():
        raise InputError(f"There is a run {name!r} already: choose another name, or resume that one.")


def _unused(settings: Settings, recipe: str) -> str:
    name = f"{Path(recipe).stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    return name if not (root(settings) / name).exists() else f"{name}-2"


def _data(settings: Settings) -> Path:
    return settings.home / FOLDER


def _trainer(*words: str) -> list[str]:
    return python_module("clew.trainer", *words)


def _start(
    settings: Settings,
    kind: str,
    command: Sequence[str],
    about: Json,
    *,
    resume: Sequence[str] = (),
    queue: str = "",
) -> Job:
    forget_old(settings, kind)
    return start(kind, command, new_folder(settings, kind), resume=resume, about=about, queue=queue)
