"""What is watched while a trainer works: its logs, the development set, and signs that it collapses."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from clew.errors import InputError
from clew.evaluation.datasets import Question
from clew.reporting.progress import duration
from clew.retrieval.strategy import Strategy
from clew.runs import tell as report
from clew.trainer.config import Recipe
from clew.trainer.evaluate import play, scores
from clew.trainer.models import in_bfloat16
from clew.trainer.runs.folder import Run
from clew.trainer.runs.watch import warnings
from clew.trainer.sampling import sampler


def monitors(
    run: Run,
    trainer: Any,
    recipe: Recipe,
    dev: Sequence[Question],
    strategy: Strategy,
    tell: Callable[[str], None],
) -> list[Any]:
    """The callbacks of one phase: logs and warnings into the run's metrics, and looks at the development set.

    The best step by F1 on the development set is given to the trainer, which keeps that checkpoint whatever else it
    deletes; the earlier one of two equals.
    """
    from transformers import PrinterCallback, TrainerCallback

    trainer.remove_callback(PrinterCallback)
    logs = type("Logs", (_Logs, TrainerCallback), {})(run, recipe, tell)
    look = partial(_development, trainer, recipe, dev, strategy)
    return [logs, type("Development", (_Development, TrainerCallback), {})(run, recipe, tell, look)] if dev else [logs]


class _Logs:
    """A callback of transformers, which is imported only to train: the log and its warnings."""

    def __init__(self, run: Run, recipe: Recipe, tell: Callable[[str], None]) -> None:
        self.run, self.phase, self.tell, self.minutes = run, recipe.phases[0], tell, recipe.training.minutes
        self.warned: set[str] = set()

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.began, self.first = time.monotonic(), state.global_step

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if self.minutes and time.monotonic() - self.began > self.minutes * 60:
            control.should_training_stop = control.should_save = True

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        if not logs or "train_runtime" in logs:
            return
        phase, run, step = self.phase, self.run, state.global_step
        numbers = {name: value for name, value in logs.items() if isinstance(value, int | float)}
        if not math.isfinite(numbers.get("grad_norm", 0.0)):
            raise InputError(
                f"At step {step} of {phase.name} the gradient is no finite number, and the weights "
                "are lost with it: begin a new run with a lower training.learning_rate."
            )
        if not state.is_world_process_zero:
            return
        run.log({"phase": phase.name, "method": phase.method, "step": step, "of": state.max_steps, **numbers})
        took = (time.monotonic() - self.began) / max(step - self.first, 1)
        left = took * (state.max_steps - step)
        at = {"phase": phase.name, "step": step, "of": state.max_steps}
        report({"run": run.name, **at, "seconds_left": round(left)})
        shown = "reward" if phase.method == "rl" else "loss"
        if shown in numbers:  # a reward is known only at the first step that uses a batch of trajectories
            self.tell(
                f"{phase.name} step {step}/{state.max_steps}  {shown} {numbers[shown]:.3f}  {duration(left)} left"
            )
        if phase.method == "rl":
            self._warn(step)

    def _warn(self, step: int) -> None:
        """Each sign of a collapse once."""
        own = [record for record in self.run.metrics() if record.get("phase") == self.phase.name]
        for name, line in warnings(own):
            if name not in self.warned:
                self.warned.add(name)
                self.run.log({"phase": self.phase.name, "step": step, "warning": name, "says": line})
                self.tell(f"Careful: {line}.")


class _Development:
    """A callback of transformers: the scores on the development set at each checkpoint."""

    def __init__(
        self, run: Run, recipe: Recipe, tell: Callable[[str], None], look: Callable[[], dict[str, float]]
    ) -> None:
        self.run, self.phase, self.tell, self.look = run, recipe.phases[0], tell, look

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step == 0:
            self._score(state)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if control.should_save:
            found = self._score(state)
            if found and (state.best_metric is None or found["f1"] > state.best_metric):
                state.best_metric, state.best_global_step = found["f1"], state.global_step

    def _score(self, state: Any) -> dict[str, float]:
        found, name = self.look(), self.phase.name
        if found and state.is_world_process_zero:
            record = {f"dev/{metric}": value for metric, value in found.items()}
            self.run.log({"phase": name, "step": state.global_step, **record})
            self.tell(f"{name} step {state.global_step}: dev EM {found['em']:.3f}, F1 {found['f1']:.3f}")
        return found


def _development(trainer: Any, recipe: Recipe, dev: Sequence[Question], strategy: Strategy) -> dict[str, float]:
    """Greedy scores on the development set, each process asking its share of the questions."""
    from accelerate.utils import gather_object  # type: ignore[import-untyped]

    own = dev[trainer.accelerator.process_index :: trainer.accelerator.num_processes]
    with _greedy(trainer, recipe) as generate:
        played = play(generate, trainer.processing_class, own, strategy, recipe.rollout)
    if trainer.accelerator.num_processes > 1:
        played = gather_object(played)
    return scores(played)


@contextmanager
def _greedy(trainer: Any, recipe: Recipe) -> Iterator[Any]:
    """The trainer's own way to sample, at temperature 0; that of transformers where it has none."""
    if trainer.accelerator.num_processes == 1 and not getattr(trainer, "use_vllm", False):
        dialect, batch, half = recipe.rollout.dialect, recipe.generation.batch, in_bfloat16(recipe.model)
        yield sampler(trainer.model, trainer.processing_class, dialect, 0.0, batch, bfloat16=half)
        return
    if getattr(trainer, "use_vllm", False):
        engine = trainer.vllm_generation
        before, engine.temperature = engine.temperature, 0.0
        try:
            yield trainer.generate
        finally:
            engine.temperature = before
        return
    config = trainer.generation_config
    before, config.do_sample = config.do_sample, False
    try:
        yield trainer.generate
    finally:
        config.do_sample = before
