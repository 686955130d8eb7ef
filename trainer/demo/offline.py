"""The demo where there is a GPU but no Neo4j: facts from a file, one cold start, and recipes beside each other.

``python -m clew.trainer.demo.offline FOLDER MODEL OUT MINUTES RECIPE …`` trains on what ``write_graph`` and the demo's
own preparation have left in FOLDER, all in so many minutes: the cold start takes a third of them at most. What is
learned comes back as adapters, to be measured on the real graph.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.embedding import Embedder
from clew.errors import DatabaseError
from clew.files import json_lines, write_whole
from clew.knowledge_base import KnowledgeBase
from clew.operations.export import rows_of
from clew.retrieval.strategies.graph_r1 import RECIPES
from clew.trainer.config import load_recipe
from clew.trainer.data.splits import load_splits, read_demonstrations, read_lines
from clew.trainer.demo.language import GPU, Wanted, demo_recipe
from clew.types import Json

GRAPH = "graph.jsonl"
STRATEGY = "graph-r1"
"""The only retrieval that is answered from memory."""
START = "sft"
"""The recipe of the cold start, from which all others begin."""
COLD = 1 / 3
"""The share of the time that the cold start takes, at most."""
_NOWHERE = {"document": "", "chunk": "", "text": "", "start": 0, "end": 0, "chunk_start": 0, "chunk_end": 0}
_NOWHERE |= {"pages": None, "section": None, "blocks": None, "metadata": None}


def write_graph(base: KnowledgeBase, folder: Path) -> int:
    """Write the facts of a knowledge base with the names of who takes part in each, and return how many."""
    count: Counter[str] = Counter()
    facts = (
        {
            "id": row["id"],
            "text": row["text"],
            "entities": [one["name"] for one in row["participants"]],
            "titles": list(dict.fromkeys(one["title"] for one in row["sources"]))[:1],
        }
        for row in rows_of(base, "facts", count)
    )
    write_whole(folder / GRAPH, json_lines(facts, ascii=False), private=False)
    return count.total()


class MemoryGraph:
    """Facts in memory, which answer the statement of ``DualPath`` as Neo4j does (Graph-R1 §4.2).

    It stands where a ``Database`` would. Of its sources a fact has the title alone, merged entities are one only by
    their name, and whatever else is asked raises DatabaseError.
    """

    def __init__(self, facts: Sequence[Json], embedder: Embedder) -> None:
        self._described = [
            {**one, "sources": [{**_NOWHERE, "title": title} for title in one["titles"]]} for one in facts
        ]
        self._around: dict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(facts):
            for name in dict.fromkeys(one["entities"]):
                self._around[name].append(number)
        self._names = sorted(self._around)
        self._fact_vectors = embedder.embed([one["text"] for one in facts])
        self._name_vectors = embedder.embed(self._names)

    def read_batch(
        self, statement: str, batch: Mapping[str, npt.NDArray[np.float32]], *, k_v: int, k_h: int, limit: int, **_: Any
    ) -> list[Json]:
        """The rows of ``retrieve/dual_path`` for the vectors ``queries`` and ``entities`` of a batch."""
        if statement != "retrieve/dual_path":
            raise DatabaseError(f"Without Neo4j there is no {statement}.")
        likeness = batch["queries"] @ self._fact_vectors.T
        of_names = batch["entities"] @ self._name_vectors.T
        rows = []
        for i, (facts, names) in enumerate(zip(likeness, of_names, strict=True)):
            near = _best(facts, k_h)
            around: dict[int, None] = {}
            for name in _best(names, k_v):
                some = self._around[self._names[name]]
                around |= dict.fromkeys(sorted(some, key=lambda one: -facts[one]))
            ranks: dict[int, list[Json]] = defaultdict(list)
            for path, found in (("entities", list(around)), ("hyperedges", near)):
                for rank, number in enumerate(found, 1):
                    if rank <= limit or number in near:
                        ranks[number].append({"path": path, "rank": rank})
            rows += [{"i": i, "ranks": some, **self._described[number]} for number, some in ranks.items()]
        return rows

    def write(self, statement: str, **_: object) -> list[Json]:
        """Raises DatabaseError: nothing is kept here."""
        raise DatabaseError(f"Without Neo4j there is no {statement}.")

    transaction = write


def _best(scores: npt.NDArray[np.float32], count: int) -> list[int]:
    count = min(count, len(scores))
    nearest = np.argpartition(-scores, count - 1)[:count]
    return [int(one) for one in nearest[np.argsort(-scores[nearest], kind="stable")]]


def train_offline(folder: Path, model: str, root: Path, recipe: str, changes: Sequence[str]) -> Path:
    """Train by a recipe, from a cold start where the model has had none; the folder of the run."""
    from clew.embedding import shared_embedder
    from clew.settings import load_settings
    from clew.trainer.models import best_device
    from clew.trainer.runs.folder import create_run
    from clew.trainer.runs.train import Job, train

    wanted = Wanted(model, recipe, GPU, 0, None, None, (f"retrieval.strategy={STRATEGY}", *changes))
    made = demo_recipe(wanted, model, folder)
    embedder = shared_embedder(load_settings(device=best_device()))
    database: Any = MemoryGraph(read_lines(folder / GRAPH), embedder)
    strategy = RECIPES[STRATEGY].make(database, embedder, "", settings=RECIPES[STRATEGY].settings)
    run = create_run(root, made, {"graph": GRAPH}, recipe)
    tell = partial(print, f"{recipe}:", flush=True)
    train(Job(run, made, load_splits(made), read_demonstrations(made), strategy, database, tell))
    return run.folder


def main(arguments: Sequence[str]) -> None:
    """The cold start, then all recipes at once, each a process; of each phase the adapter and the curve."""
    folder, model, out, minutes, *rest = arguments
    recipes = [one for one in rest if "=" not in one]
    changes = [one for one in rest if "=" in one]
    root = Path(f"{out}-runs")
    if len(recipes) == 1:
        phases = sum(phase.method == "rl" for phase in load_recipe(recipes[0]).phases) or 1
        changes.append(f"training.minutes={float(minutes) / phases}")
        keep(train_offline(Path(folder), model, root, recipes[0], changes), Path(out))
        return
    begin, began = [sys.executable, "-m", "clew.trainer.demo.offline", folder], time.monotonic()
    subprocess.run([*begin, model, out, str(float(minutes) * COLD), START, *changes], check=True)
    left = str(float(minutes) - (time.monotonic() - began) / 60)
    start = str(root / START / "model")
    every = [subprocess.Popen([*begin, start, out, left, recipe, *changes]) for recipe in recipes]
    codes = [one.wait() for one in every]
    if any(codes):
        sys.exit("Not all recipes came to their end.")


def keep(run: Path, out: Path) -> None:
    """Copy the last adapter of each phase, in bfloat16, and the run's curve."""
    import torch
    from safetensors.torch import load_file, save_file

    from clew.trainer.runs.folder import METRICS

    found = run.glob("checkpoints/*/checkpoint-*/adapter_model.safetensors")
    for adapter in sorted(found, key=lambda one: int(one.parent.name.rpartition("-")[2])):
        phase = adapter.parent.parent.name
        weights = {name: one.to(torch.bfloat16) for name, one in load_file(str(adapter)).items()}
        (out / f"{run.name}-{phase}").mkdir(parents=True, exist_ok=True)
        save_file(weights, str(out / f"{run.name}-{phase}" / adapter.name))
        shutil.copy(adapter.with_name("adapter_config.json"), out / f"{run.name}-{phase}")
    shutil.copy(run / METRICS, out / f"{run.name}-{METRICS}")


if __name__ == "__main__":
    main(sys.argv[1:])
