"""What the commands do: put recipe, knowledge base, data and model together, and start."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.errors import InputError, NotFoundError
from clew.evaluation.datasets import Question
from clew.evaluation.runs import questions_digest
from clew.knowledge_base import KnowledgeBase
from clew.trainer.config import Recipe
from clew.trainer.data.splits import Splits, load_splits, read_demonstrations, read_questions
from clew.trainer.packages import require_packages
from clew.trainer.quiet import quiet
from clew.types import Json

if TYPE_CHECKING:
    from clew.trainer.runs.folder import Run

UNKNOWN_RECIPE = "graph-r1"
"""Whose limits, dialect and retrieval hold for a model that does not tell what it was trained by."""


@quiet()
def dry_run_plan(recipe: Recipe) -> None:
    """Resolve everything, do one rollout with the untrained model, print the plan. Raises what a run would raise."""
    from clew.reporting.terminal import make_console
    from clew.runs import tell
    from clew.trainer.models import load_tokenizer, lora_parameters, parameters
    from clew.trainer.runs import plan

    require_packages()
    path, rank = recipe.model.path, recipe.model.lora_rank
    tokenizer = load_tokenizer(path)
    splits, rows = _data(recipe)
    with opened(recipe) as base:
        strategy = base.strategy(recipe.retrieval.strategy)
        config, weights = parameters(path)
        adapter = lora_parameters(path, rank) if rank else 0
        _check(recipe, splits, rows, tokenizer, config)
        asked = splits.train[0] if splits.train else Question("plan", str(rows[0]["question"]), ("",))
        rollout, stats, rate = plan.one_rollout(recipe, asked, strategy, tokenizer)
    parts = plan.memory(recipe, config, weights, adapter)
    phases = plan.schedules(recipe, len(splits.train), len(rows))
    plan.print_plan(make_console(stderr=False), recipe, parts, phases, rollout, stats, rate)
    tell(plan.as_json(recipe, parts, phases, rollout, stats, rate))


@quiet()
def begin(root: Path, recipe: Recipe, name: str | None) -> str:
    """Start a run, and return its name when it is done."""
    from clew.trainer.models import load_tokenizer, parameters
    from clew.trainer.runs.folder import Run, create_run

    require_packages()
    with opened(recipe) as base:
        recipe = _absolute(_with_kb(recipe, base))
        splits, rows = _data(recipe)
        # A run that cannot train must not take the name.
        base.strategy(recipe.retrieval.strategy)
        config, _ = parameters(recipe.model.path)
        _check(recipe, splits, rows, load_tokenizer(recipe.model.path), config)
        if os.environ.get("RANK", "0") == "0":
            run = create_run(root, recipe, _about(base, recipe, splits, rows), name)
            _share_name(run.name)
        else:
            run = Run(root / _shared_name())
        _train(run, recipe, base, splits, rows)
    return run.name


@quiet()
def resume_run(root: Path, name: str, other_graph: bool = False) -> str:
    """Go on with a run where it was cut, and return its name when it is done.

    Where its graph has changed, it asks on a terminal, unless ``other_graph`` says that it may. Raises InputError where
    the answer is no, it is done already, its questions or demonstrations have changed, or packages are missing.
    """
    from clew.trainer.runs.folder import find_run

    require_packages()
    run = find_run(root, name)
    if run.state().get("status") == "done":
        raise InputError(f"The run {run.name} is done: `python -m trainer show {run.name}` shows it.")
    recipe = run.recipe()
    with opened(recipe) as base:
        splits, rows = _data(recipe)
        head = run.head()
        for name, digest in _digests(splits, rows).items():
            if head.get(f"{name}_digest", digest) != digest:
                raise InputError(f"The {name} of the run {run.name} have changed since it began: begin a new one.")
        if os.environ.get("RANK", "0") == "0":
            _check_graph(run, base, other_graph)
        _train(run, recipe, base, splits, rows)
    return run.name


def _check_graph(run: Run, base: KnowledgeBase, other: bool) -> None:
    """That a run goes on over the graph that it began with, or somebody says that it may go on over this one."""
    head, now = run.head(), _graph(base)
    then = head.get("graph") or now["graph"]
    changes = [
        f"{then.get(label, 0):,} {label} nodes then, {now['graph'][label]:,} now" for label in _COUNTED
        if then.get(label) != now["graph"][label]
    ]  # fmt: skip
    if not changes and head.get("graph_version", now["graph_version"]) == now["graph_version"]:
        return
    what = (
        f"The graph of {base.name!r} has changed since the run {run.name} began ({'; '.join(changes) or 'same size'}): "
        "rewards before and after are not of one graph."
    )
    if not other and not (sys.stdin.isatty() and click.confirm(f"{what} Go on?", err=True)):
        raise InputError(
            f"{what} `python -m trainer run --resume {run.name} --other-graph` goes on, or begin a new run."
        )
    run.begins(**now)


_COUNTED = ("Document", "Chunk", "Hyperedge", "Entity")
"""What a graph is made of; trajectories are stored beside it, by training too."""


def _graph(base: KnowledgeBase) -> Json:
    [row] = base.database.read("kb/get", kb=base.name)
    return {"graph": base.stats()["nodes"], "graph_version": row["version"]}


def oracle_demonstrations(recipe: Recipe, file: Path, root: Path) -> Recipe:
    """The recipe with demonstrations that a scripted oracle has written for the questions of ``file``."""
    from clew.trainer.algorithm.sft import write_demonstrations
    from clew.trainer.data.demonstrations import by_oracle

    rows = read_questions(file)
    with opened(recipe) as base:
        kept = by_oracle(rows, base.strategy(recipe.retrieval.strategy), recipe.rollout.dialect, recipe.rollout.k)
        recipe = _with_kb(recipe, base)
    if not kept.rows:
        raise InputError(f"No question of {file} gave a demonstration; use a file that `questions` wrote.")
    digest = hashlib.sha256(f"{recipe.retrieval.kb} {recipe.rollout.dialect.name}".encode() + file.read_bytes())
    target = root / "demonstrations" / f"{file.stem}-{digest.hexdigest()[:8]}.jsonl"
    if not target.exists():
        write_demonstrations(target, kept.rows)
    click.echo(f"{target}: {len(kept.rows):,} demonstrations of {len(rows):,} questions", err=True)
    data = recipe.data.model_copy(update={"demonstrations": str(target)})
    return recipe.model_copy(update={"data": data})


def trained_policy(root: Path, model: str) -> tuple[str, str]:
    """Where a model, or a run's chosen policy, is; and the recipe that it was trained by, graph-r1 where none is known.

    Raises InputError where a run has no policy.
    """
    from clew.trainer.runs.folder import CONFIG, HEAD, MODEL, find_run

    folder = Path(model)
    if not folder.is_dir() or (folder / HEAD).is_file():
        try:
            run = find_run(root, model)
        except NotFoundError:  # a name on a model hub
            return model, UNKNOWN_RECIPE
        run.recipe()
        folder = run.folder
        model = str(folder / MODEL)
        if not Path(model).is_dir():
            raise InputError(f"The run {run.name} is not done; `python -m trainer run --resume {run.name}`.")
    own = folder / CONFIG
    return model, str(own) if own.is_file() else UNKNOWN_RECIPE


@quiet()
def evaluate_here(recipe: Recipe, model: str, file: Path, limit: int | None) -> Json:
    """Scores of a model on a file of questions, by the last phase of a recipe."""
    from clew.evaluation.datasets import load_questions
    from clew.trainer.evaluate import evaluate_model

    questions = load_questions(file)[:limit]
    recipe = recipe.phase(len(recipe.phases) - 1)
    with opened(recipe) as base:
        strategy = base.strategy(recipe.retrieval.strategy)
        found, _ = evaluate_model(recipe, model, questions, strategy, lambda n: click.echo(f"{n:,} asked", err=True))
    return {"model": model, "kb": base.name, "strategy": recipe.retrieval.strategy, **found}


@contextmanager
def opened(recipe: Recipe) -> Iterator[KnowledgeBase]:
    """The recipe's knowledge base, which must exist. Raises InputError otherwise."""
    with KnowledgeBase.open(recipe.retrieval.kb or None, progress=True) as base:
        if not base.exists():
            raise InputError(f"There is no knowledge base {base.name!r}: create it with `clew ingest`.")
        yield base


def _train(run: Run, recipe: Recipe, base: KnowledgeBase, splits: Splits, rows: Sequence[Json]) -> None:
    from clew.runs.folder import held
    from clew.trainer.runs.train import Job, train

    if os.environ.get("RANK", "0") != "0":
        train(Job(run, recipe, splits, rows, base.strategy(recipe.retrieval.strategy), base.database, lambda _: None))
        return
    with _written(run), held(run.folder) as mine:
        if not mine:
            raise InputError(f"Another process trains the run {run.name!r}: wait for it.")
        strategy = base.strategy(recipe.retrieval.strategy)
        train(Job(run, recipe, splits, rows, strategy, base.database, lambda line: click.echo(line, err=True)))


@contextmanager
def _written(run: Run) -> Iterator[None]:
    """One line for a disk that is full or refuses to be written to, in whichever library notices it."""
    from clew.trainer.runs.folder import disk_fault

    try:
        yield
    except Exception as error:
        if not (fault := disk_fault(error)):
            raise
        raise InputError(
            f"The run {run.name} cannot be written to {run.folder} ({fault}): make room there, then "
            f"`python -m trainer run --resume {run.name}` goes on from the last checkpoint."
        ) from error


def _data(recipe: Recipe) -> tuple[Splits, list[Json]]:
    """Questions and demonstrations; a recipe that is supervised throughout may do without training questions."""
    rows = read_demonstrations(recipe)
    if not recipe.data.train and all(phase.method == "sft" for phase in recipe.phases):
        return Splits((), (), ()), rows
    return load_splits(recipe), rows


def _check(recipe: Recipe, splits: Splits, rows: Sequence[Json], tokenizer: Any, config: Any) -> None:
    """That all that is asked fits into the model, batches divide among the devices, and demonstrations can be learnt.

    It comes before any weight is loaded, and says what a reader of the plan would not expect.
    """
    from clew.trainer.algorithm.sft import examples
    from clew.trainer.chat_template import KEEPS_TURNS
    from clew.trainer.models import check_window
    from clew.trainer.runs.train import rl_arguments

    questions = [one.question for one in (*splits.train, *splits.dev, *splits.test)]
    check_window(recipe, config, tokenizer, [*questions, *(str(row.get("question", "")) for row in rows)])
    notes = []
    if tokenizer.chat_template.startswith(KEEPS_TURNS):
        notes.append(
            f"{recipe.model.path} has no chat template that shows earlier turns as they were written, with their "
            "thoughts: it is trained and exported with one that does."
        )
    if silent := sum(not question.answers for question in splits.train):
        notes.append(
            f"{silent:,} of {len(splits.train):,} training questions have no answer: for these, saying so is right."
        )
    for index, phase in enumerate(recipe.phases):
        own = recipe.phase(index)
        if phase.method == "rl":
            rl_arguments(own, tokenizer)
        elif longer := len(rows) - len(examples(tokenizer, rows, own.rollout)):
            notes.append(
                f"{longer:,} of {len(rows):,} demonstrations are left out: they are longer than "
                f"rollout.max_tokens, {own.rollout.max_tokens:,}."
            )
    if os.environ.get("RANK", "0") == "0":
        for line in notes:
            click.echo(line, err=True)


def _absolute(recipe: Recipe) -> Recipe:
    """The recipe with whole paths, so that its run can be resumed from another folder."""
    data, model = recipe.data, recipe.model

    def whole(file: str) -> str:
        return str(Path(file).absolute()) if file else ""

    files = {
        "train": tuple(map(whole, data.train)),
        "dev": whole(data.dev),
        "test": whole(data.test),
        "demonstrations": whole(data.demonstrations),
    }
    path = whole(model.path) if Path(model.path).is_dir() else model.path
    return recipe.model_copy(
        update={"data": data.model_copy(update=files), "model": model.model_copy(update={"path": path})}
    )


def _about(base: KnowledgeBase, recipe: Recipe, splits: Splits, rows: Sequence[Json]) -> Json:
    counts = {"train": len(splits.train), "dev": len(splits.dev), "test": len(splits.test)}
    return {
        "kb": base.name,
        "embedder": base.embedder.name,
        "phases": [phase.name for phase in recipe.phases],
        **_graph(base),
        "questions": counts,
        "demonstrations": len(rows),
        **{f"{name}_digest": digest for name, digest in _digests(splits, rows).items()},
    }


def _digests(splits: Splits, rows: Sequence[Json]) -> dict[str, str]:
    """What tells the questions and the demonstrations of a run from others."""
    lines = "\n".join(json.dumps(row, sort_keys=True) for row in rows)
    return {
        "questions": questions_digest([*splits.train, *splits.dev, *splits.test]),
        "demonstrations": hashlib.sha256(lines.encode()).hexdigest(),
    }


def _with_kb(recipe: Recipe, base: KnowledgeBase) -> Recipe:
    return recipe.model_copy(update={"retrieval": recipe.retrieval.model_copy(update={"kb": base.name})})


def _share_name(name: str) -> None:
    """Tell the other processes of this launch which folder the first one made."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        from accelerate import PartialState  # type: ignore[import-untyped]
        from accelerate.utils import broadcast_object_list  # type: ignore[import-untyped]

        PartialState()
        broadcast_object_list([name])


def _shared_name() -> str:
    from accelerate import PartialState
    from accelerate.utils import broadcast_object_list

    PartialState()
    names = [""]
    broadcast_object_list(names)
    return names[0]
