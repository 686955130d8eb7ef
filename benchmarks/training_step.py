"""What a step of training takes on this machine's GPU, beside the plan of ``python -m trainer run --dry-run``.

    python -m benchmarks.training_step [--shape 0.5B] [--steps 2] [--json FILE] [FIELD=VALUE …]

The recipe is graph-r1 with 8 questions of 2 trajectories; FIELD=VALUE changes it (``model.lora_rank=16``). The model
has the shape of a Qwen2.5 with random weights. What it samples is random too: each turn is given a thought's and a
query's tags, so that every trajectory goes on to its limit of tokens, and the knowledge is random words, found at once.
So memory and time are those of the device alone, at the longest trajectories that there can be.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset  # type: ignore[import-untyped]
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, TrainerCallback
from trl import GRPOConfig

from clew.evaluation.datasets import Question
from clew.trainer.algorithm.grpo import Algorithm, GraphTrainer
from clew.trainer.algorithm.rewards import REWARDS
from clew.trainer.algorithm.rollout import Generate
from clew.trainer.config import Recipe, load_recipe
from clew.trainer.models import load_model, load_tokenizer, lora, lora_parameters, parameters
from clew.trainer.runs.folder import Run
from clew.trainer.runs.plan import ALWAYS, GIB, RESERVE, memory, peak, while_sampling, while_updating
from clew.trainer.runs.train import question_rows, rl_arguments, shared_arguments
from clew.trainer.sampling import sampler
from clew.types import Fact, Json, Retrieved

VOCABULARY = 151_936
"""Tokens of Qwen2.5."""
FACT_WORDS = 90
QUERY_WORDS = 3
BATCH = (
    "training.questions=8",
    "training.group=2",
    "training.mini_batch=16",
    "rollout.max_turn_tokens=100",
    "rollout.k=10",
)
"""Few trajectories, which hold little that is sampled and much that was found: sampling is what takes long."""
ENDS = ("[pad]", "[eos]", "[unk]")


@dataclass(frozen=True, slots=True)
class Shape:
    """A Qwen2.5: width, width of the feed-forward layer, layers, heads, heads of keys and values."""

    hidden: int
    inner: int
    layers: int
    heads: int
    kv_heads: int


SHAPES = {
    "tiny": Shape(64, 128, 2, 4, 2),
    "0.5B": Shape(896, 4864, 24, 14, 2),
    "1.5B": Shape(1536, 8960, 28, 12, 2),
    "3B": Shape(2048, 11008, 36, 16, 2),
}


@dataclass(slots=True)
class Watch(TrainerCallback):  # type: ignore[misc]
    """Seconds and most bytes of each step, apart for sampling and for updating."""

    steps: list[Json] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)
    sampled: tuple[float, int] = (0.0, 0)

    def rolled_out(self) -> None:
        """Sampling is over, the update begins."""
        self.sampled = self._taken()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        """The update is over."""
        seconds, most = self._taken()
        self.steps.append(
            {
                "sampling_seconds": self.sampled[0],
                "sampling_bytes": self.sampled[1],
                "updating_seconds": seconds,
                "updating_bytes": most,
                "held_bytes": torch.cuda.memory_allocated() if torch.cuda.is_available() else 0,
            }
        )

    def _taken(self) -> tuple[float, int]:
        most = 0
        if torch.cuda.is_available():
            torch.cuda.synchronize()
            most = torch.cuda.max_memory_allocated()
            torch.cuda.reset_peak_memory_stats()
        now = time.perf_counter()
        seconds, self.began = now - self.began, now
        return seconds, most


class RandomFacts:
    """Answers every query with random words, at once."""

    name = "random"

    def __init__(self) -> None:
        self._rng = random.Random(0)

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """``k`` facts for each query."""
        return [Retrieved(query, tuple(Fact(str(i), self._words(), (), 1.0) for i in range(k))) for query in queries]

    def _words(self) -> str:
        return " ".join(f"w{self._rng.randrange(VOCABULARY // 2)}" for _ in range(FACT_WORDS))


def main() -> None:
    """Train some steps, and print what the last of them took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--shape", choices=SHAPES, default="0.5B")
    parser.add_argument("--steps", type=int, default=2, help="the last one is shown; the first has no moments yet")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append a row to it")
    parser.add_argument("fields", nargs="*", metavar="FIELD=VALUE")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("There is no GPU: seconds are this processor's, and memory is not known.", file=sys.stderr)
    fields = [*BATCH, f"training.steps={options.steps}", *options.fields]
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        recipe = load_recipe("graph-r1", fields, {"model.path": str(model)})
        make_model(SHAPES[options.shape], recipe, model)
        row = {"shape": options.shape, "fields": options.fields, **measure(recipe, Path(folder) / "run")}
    print(json.dumps(row, indent=2))
    if options.json:
        with options.json.open("a") as file:
            file.write(json.dumps(row) + "\n")


def make_model(shape: Shape, recipe: Recipe, folder: Path) -> None:
    """Write a model with random weights and a tokenizer that knows one word a token."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = [*ENDS, *recipe.rollout.dialect.tags]
    words += [f"w{i}" for i in range(VOCABULARY - len(words))]
    core = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token=ENDS[2]))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    pad, eos, unknown = ENDS
    PreTrainedTokenizerFast(tokenizer_object=core, pad_token=pad, eos_token=eos, unk_token=unknown).save_pretrained(
        folder
    )
    config = Qwen2Config(
        vocab_size=VOCABULARY,
        hidden_size=shape.hidden,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        max_position_embeddings=32_768,
        tie_word_embeddings=True,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    config.architectures = ["Qwen2ForCausalLM"]
    with torch.device("cuda" if torch.cuda.is_available() else "cpu"):
        Qwen2ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def measure(recipe: Recipe, folder: Path) -> Json:
    """Train, and say what the last step took and what had been planned. Bytes are those that PyTorch has given out."""
    tokenizer = load_tokenizer(recipe.model.path)
    shared = shared_arguments(recipe, Run(folder), recipe.phases[0].name, recipe.training.steps)
    watch = Watch()
    lengths: list[int] = []

    def keep(rollouts: Sequence[Any], _: object) -> None:
        watch.rolled_out()
        lengths[:] = [len(one.completion_ids) for one in rollouts]

    def generate(policy: Any) -> Generate:
        rollout = recipe.rollout
        return goes_on(
            sampler(policy, tokenizer, rollout.dialect, rollout.temperature, recipe.generation.batch), tokenizer, recipe
        )

    questions = [Question(str(i), " ".join(f"w{i}" for i in range(20)), ("w1",)) for i in range(64)]
    trainer = GraphTrainer(
        load_model(recipe.model),
        Algorithm(REWARDS[recipe.phases[0].reward], recipe.reward, recipe.advantage, recipe.rollout),
        RandomFacts(),
        args=GRPOConfig(**(shared | {"save_strategy": "no"}), **rl_arguments(recipe, tokenizer)),
        generate=generate,
        on_rollouts=keep,
        train_dataset=Dataset.from_list(question_rows(questions, recipe.training.questions * recipe.training.steps, 0)),
        processing_class=tokenizer,
        peft_config=lora(recipe.model),
    )
    trainer.add_callback(watch)
    trainer.train()
    config, weights = parameters(recipe.model.path)
    rank = recipe.model.lora_rank
    parts = memory(recipe, config, weights, lora_parameters(recipe.model.path, rank) if rank else 0)
    last = watch.steps[-1]
    return {
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        "weights": weights,
        "tokens": sum(lengths) / len(lengths),
        "planned_peak": peak(parts) * (1 + RESERVE) / GIB,
        "planned_always": sum(part.bytes for part in parts if part.held == ALWAYS) / GIB,
        "planned_sampling": while_sampling(parts) / GIB,
        "planned_updating": while_updating(parts) / GIB,
        "always": last["held_bytes"] / GIB,
        "sampling": last["sampling_bytes"] / GIB,
        "updating": last["updating_bytes"] / GIB,
        "reserved": torch.cuda.max_memory_reserved() / GIB if torch.cuda.is_available() else 0.0,
        "sampling_seconds": last["sampling_seconds"],
        "updating_seconds": last["updating_seconds"],
    }


def goes_on(generate: Generate, tokenizer: Any, recipe: Recipe) -> Generate:
    """What a random model samples, with a thought and a query around it: each turn has all its tokens and asks."""
    tags = recipe.rollout.dialect
    opens = tokenizer.encode(tags.think.open)
    asks, closes = tokenizer.encode(f"{tags.think.close} {tags.query.open}"), tokenizer.encode(tags.query.close)
    special = len(ENDS) + len(tags.tags)

    def turn(ids: list[int], limit: int) -> list[int]:
        tokens = [max(id, special) for id in ids] + [special] * (limit - len(ids))
        query, thought = (
            tokens[:QUERY_WORDS],
            tokens[QUERY_WORDS : max(0, limit - len(opens) - len(asks) - len(closes))],
        )
        return [*opens, *thought, *asks, *query, *closes]

    return lambda contexts, limit: [turn(ids, limit) for ids in generate(contexts, limit)]


if __name__ == "__main__":
    main()
