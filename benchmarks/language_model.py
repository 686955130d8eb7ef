"""Where the time of a language model's training goes on a CPU, a means at a time.

    python -m benchmarks.language_model MODEL DEMONSTRATIONS [--threads 1] [--json FILE]

DEMONSTRATIONS is a file that ``python -m trainer demonstrations`` wrote. Tokens a second are of a core's time, so that
other work on the machine counts little: examples of mean length forwards and backwards, and contexts that are continued
by 24 tokens, shown 150 more, and continued again.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from trl.trainer import utils

from clew.agent.protocol import get_dialect
from clew.trainer.algorithm.rollout import Generate, RolloutSettings
from clew.trainer.algorithm.sft import IGNORED, example, score_labels_alone
from clew.trainer.config import Model
from clew.trainer.data.splits import read_lines
from clew.trainer.models import load_model, load_tokenizer, lora
from clew.trainer.sampling import sampler
from clew.types import Json

TURN, SHOWN = 24, 150
LAST_LAYERS = 10
EVERY_POSITION = utils._use_triton


def measure(name: str, work: Callable[[], int], tell: Callable[[Json], None]) -> None:
    """Run once; ``work`` returns its tokens."""
    wall, core = time.perf_counter(), time.process_time()
    tokens = work()
    core = time.process_time() - core
    figures = {"tokens": tokens, "core_seconds": round(core, 2), "tokens_per_core_second": round(tokens / core)}
    load = round(os.getloadavg()[0], 1)
    tell({"what": name, **figures, "seconds": round(time.perf_counter() - wall, 1), "load": load})


def learning(model: Any, examples: Sequence[Json], half: bool) -> Callable[[], int]:
    """Forwards and backwards, an example at a time."""

    def work() -> int:
        for one in examples:
            ids, labels = torch.tensor([one["input_ids"]]), torch.tensor([one["labels"]])
            with torch.autocast("cpu", torch.bfloat16, enabled=half):
                loss = model(input_ids=ids, labels=labels, fused_lm_head=True).loss
            loss.backward()
            model.zero_grad()
        return sum(len(one["input_ids"]) for one in examples)

    return work


def learn(model: Any, few: Sequence[Json], tell: Callable[[Json], None], recipe: Model) -> None:
    """The means of learning, each on top of those before it."""
    utils.add_fused_lm_head(model, outputs=("log_probs", "entropy", "is_top1"))
    model.train()
    utils._use_triton = EVERY_POSITION
    model.gradient_checkpointing_enable()
    measure("learn: float32, activations recomputed, every position scored", learning(model, few, False), tell)
    model.gradient_checkpointing_disable()
    measure("learn: float32, every position scored", learning(model, few, False), tell)
    score_labels_alone()
    measure("learn: float32, labelled positions scored", learning(model, few, False), tell)
    measure("learn: bfloat16, labelled positions scored", learning(model, few, True), tell)
    head = [model.get_input_embeddings(), *model.base_model.layers[:-LAST_LAYERS]]
    for frozen in head:
        frozen.requires_grad_(False)
    measure(f"learn: the same, the last {LAST_LAYERS} layers alone", learning(model, few, True), tell)
    from peft import get_peft_model

    adapted = get_peft_model(model, lora(recipe))
    measure("learn: the same, LoRA", learning(adapted, few, True), tell)


def sampling(generate: Generate, contexts: list[list[int]], more: list[int]) -> Callable[[], int]:
    """Two turns of every context."""

    def work() -> int:
        first = generate(contexts, TURN)
        second = generate([[*c, *row, *more] for c, row in zip(contexts, first, strict=True)], TURN)
        return sum(map(len, [*first, *second]))

    return work


def library(model: Any, tokenizer: Any, stop: tuple[str, ...]) -> Generate:
    """transformers' own generation, as it was used before."""

    @torch.no_grad()
    def generate(contexts: list[list[int]], limit: int) -> list[list[int]]:
        padded = tokenizer.pad({"input_ids": contexts}, padding_side="left", return_tensors="pt")
        options = {"do_sample": True, "top_k": 0, "max_new_tokens": limit, "min_new_tokens": limit}
        out = model.generate(**padded, **options, stop_strings=list(stop), tokenizer=tokenizer)
        rows: list[list[int]] = out[:, padded["input_ids"].shape[1] :].tolist()
        return rows

    return generate


def main() -> None:
    """Measure all of it."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model")
    arguments.add_argument("demonstrations", type=Path)
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--examples", type=int, default=2)
    arguments.add_argument("--contexts", type=int, default=16)
    arguments.add_argument("--json", type=Path)
    named = arguments.parse_args()
    torch.set_num_threads(named.threads)

    def tell(figures: Json) -> None:
        print(json.dumps(figures), flush=True)
        if named.json:
            with named.json.open("a") as file:
                file.write(json.dumps(figures) + "\n")

    tokenizer = load_tokenizer(named.model)
    examples = [example(tokenizer, row, RolloutSettings()) for row in read_lines(named.demonstrations)]
    mean = sum(len(one["input_ids"]) for one in examples) / len(examples)
    few = sorted(examples, key=lambda one: abs(len(one["input_ids"]) - mean))[: named.examples]
    recipe = Model(path=named.model, lora_rank=16)
    prompt = [id for id, label in zip(few[0]["input_ids"], few[0]["labels"], strict=True) if label == IGNORED]
    contexts, more = [prompt[:280] for _ in range(named.contexts)], prompt[-SHOWN:]
    dialect = get_dialect("graph-r1")
    model = load_model(Model(path=named.model, dtype="float32"))
    before = library(model, tokenizer, dialect.stop)
    measure("sample: transformers' generation, float32", sampling(before, contexts, more), tell)
    for half in (False, True):
        ours = sampler(model, tokenizer, dialect, 1.0, bfloat16=half)
        measure(f"sample: {'bfloat16' if half else 'float32'}, cache over turns", sampling(ours, contexts, more), tell)
    learn(model, few, tell, recipe)


if __name__ == "__main__":
    main()
