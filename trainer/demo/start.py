"""How the tiny policy begins: copying, recall, and the protocol by supervised learning from flawed demonstrations.

    python -m clew.trainer.demo.start     # writes start.safetensors anew, in three minutes

``start.safetensors`` has the weights that ``begin`` ends with for seed 0, in half precision: what the short demo
begins with.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.trainer.demo.scripted import Flaws, batches_by_length, demonstrations
from clew.trainer.demo.tiny import Example, copying, learn, recalling, tiny_model, tiny_tokenizer

WEIGHTS = Path(__file__).with_name("start.safetensors")


@dataclass(frozen=True, slots=True)
class StartSettings:
    """Steps of each stage, at most, and what the demonstrations are like.

    Copying ends when ``copied`` of a batch's tokens are right, recall at ``recalled``, five batches in a row. ``hops``
    holds the shares of demonstrations with 1, 2, … hops; a share ``practice`` of all are whole walks, of lengths
    ``walks``, that teach how to walk but not when to stop.
    """

    copy_steps: int = 1500
    recall_steps: int = 1000
    demonstration_steps: int = 450
    copied: float = 0.95
    recalled: float = 0.98
    batch: int = 32
    copy_rate: float = 2e-3
    recall_rate: float = 1e-3
    demonstration_rate: float = 1.5e-3
    hops: tuple[float, ...] = (0.25, 0.35, 0.25, 0.15)
    flaws: Flaws = field(default_factory=Flaws)
    practice: float = 0.4
    walks: tuple[float, ...] = (0.05, 0.20, 0.30, 0.45)


STAGES = ("copying", "recall", "demonstrations")
OnStart = Callable[[str, int, int, float, float], None]
"""Receives the stage, the step, how many there are at most, the loss, and the accuracy."""


def begin(
    model: Any, tokenizer: Any, seed: int, settings: StartSettings, on_progress: OnStart = lambda *_: None
) -> None:
    """Take a model with random weights to the start of reinforcement learning."""
    rng = random.Random(f"start {seed}")
    pad = tokenizer.pad_token_id

    def on_step_of(stage: str, steps: int) -> Callable[[int, float, float], None]:
        return lambda step, loss, accuracy: on_progress(stage, step, steps, loss, accuracy)

    def practice(
        stage: str, example: Callable[[Any, random.Random], Example], steps: int, rate: float, level: float
    ) -> None:
        learn(
            model,
            _batches(example, tokenizer, rng, settings.batch),
            rate=rate,
            steps=steps,
            decays=False,
            pad=pad,
            enough=_in_a_row(level, 5),
            on_step=on_step_of(stage, steps),
        )

    practice("copying", copying, settings.copy_steps, settings.copy_rate, settings.copied)
    practice("recall", recalling, settings.recall_steps, settings.recall_rate, settings.recalled)
    examples = demonstrations(tokenizer, rng, settings.hops, settings.flaws, settings.practice, settings.walks)
    learn(
        model,
        batches_by_length(examples, 32, rng),
        rate=settings.demonstration_rate,
        steps=settings.demonstration_steps,
        decays=True,
        pad=pad,
        on_step=on_step_of("demonstrations", settings.demonstration_steps),
    )


def load_start(model: Any) -> None:
    """Give a model the weights with which another one has ended this."""
    from safetensors.torch import load_file

    model.load_state_dict({name: weight.float() for name, weight in load_file(WEIGHTS).items()}, strict=False)


def _save_start() -> None:
    from safetensors.torch import save_file

    tokenizer = tiny_tokenizer()
    model = tiny_model(tokenizer, seed=0)
    begin(model, tokenizer, 0, StartSettings())
    tied = "lm_head.weight"
    save_file({name: weight.half() for name, weight in model.state_dict().items() if name != tied}, WEIGHTS)


def _batches(
    example: Callable[[Any, random.Random], Example], tokenizer: Any, rng: random.Random, size: int
) -> Iterator[list[Example]]:
    while True:
        yield [example(tokenizer, rng) for _ in range(size)]


def _in_a_row(level: float, times: int) -> Callable[[float, int], bool]:
    run = 0

    def enough(accuracy: float, _: int) -> bool:
        nonlocal run
        run = run + 1 if accuracy > level else 0
        return run >= times

    return enough


if __name__ == "__main__":
    _save_start()
