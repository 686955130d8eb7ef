"""A run from start to end: phase after phase, the checkpoint chosen on the development set, the test set read once.

Everything that a run needs to go on after kill -9 is in its folder: a phase that is done has its ``final`` policy, and
one that was cut goes on from its last whole checkpoint, on the same curve.
"""

from __future__ import annotations

import math
import os
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.database.connection import Database
from clew.errors import InputError
from clew.evaluation.datasets import Question
from clew.retrieval.strategy import Strategy
from clew.trainer.algorithm.rewards import REWARDS
from clew.trainer.algorithm.rollout import Rollout
from clew.trainer.algorithm.sft import sft_trainer
from clew.trainer.config import TEST, Recipe
from clew.trainer.data.splits import Splits
from clew.trainer.evaluate import evaluate_model
from clew.trainer.models import ADAPTER, context_window, in_bfloat16, load_model, load_tokenizer, lora
from clew.trainer.runs.export import save_policy
from clew.trainer.runs.folder import MODEL, Run
from clew.trainer.runs.monitor import monitors
from clew.trainer.runs.plan import schedules
from clew.trainer.runs.stored import store_some
from clew.trainer.sampling import end_tokens, sampler
from clew.types import Json

Tell = Callable[[str], None]
"""Says a line to whoever watches."""


@dataclass(frozen=True, slots=True)
class Job:
    """A run with what it works on."""

    run: Run
    recipe: Recipe
    splits: Splits
    demonstrations: Sequence[Json]
    strategy: Strategy
    database: Database
    tell: Tell


def train(job: Job) -> Json:
    """Do what is left of a run, and return its state with the figures of dev and test.

    Raises InputError where the recipe does not fit the machine, DatabaseError where Neo4j stays away too long.
    """
    run, recipe = job.run, job.recipe
    for index in range(int(run.state()["phase"]), len(recipe.phases)):
        phase = recipe.phases[index]
        job.tell(f"Phase {index + 1} of {len(recipe.phases)}: {phase.name}")
        _train_phase(job, index)
        if _first_process():
            run.update(phase=index + 1)
    _wait()
    if _first_process():
        _finish(job)
    return run.state()


def _train_phase(job: Job, index: int) -> None:
    from transformers import set_seed

    recipe, name = job.recipe.phase(index), job.recipe.phases[index].name
    policy = _start(job, index)
    recipe = recipe.model_copy(update={"model": recipe.model.model_copy(update={"path": str(policy)})})
    set_seed(recipe.seed + index)
    tokenizer = load_tokenizer(str(policy))
    last = job.run.last_checkpoint(name)
    if _first_process():
        _drop_torn(job.run.checkpoints(name))
        job.run.forget_after(name, int(last.name.partition("-")[2]) if last else -1)
    _wait()
    trainer = _trainer(job, recipe, index, tokenizer)
    for monitor in monitors(job.run, trainer, recipe, job.splits.dev, job.strategy, job.tell):
        trainer.add_callback(monitor)
    trainer.train(resume_from_checkpoint=str(last) if last else None)
    chosen = trainer.state.best_global_step or trainer.state.global_step
    trainer.accelerator.wait_for_everyone()
    if _first_process():
        weights = job.run.checkpoints(name) / f"checkpoint-{chosen}"
        job.tell(f"The phase {name} goes on with its step {chosen}.")
        save_policy(weights, recipe, tokenizer, job.run.checkpoints(name) / "final")


def _start(job: Job, index: int) -> Path:
    """The folder of the policy that a phase starts from; an adapter is merged first, so that it has a reference."""
    if index:
        return job.run.checkpoints(job.recipe.phases[index - 1].name) / "final"
    path = Path(job.recipe.model.path)
    if not (path / ADAPTER).is_file():
        return path
    merged = job.run.folder / "start"
    if _first_process() and not merged.is_dir():
        save_policy(path, job.recipe, load_tokenizer(str(path)), merged)
    _wait()
    return merged


def _trainer(job: Job, recipe: Recipe, index: int, tokenizer: Any) -> Any:
    phase, training = recipe.phases[0], recipe.training
    [schedule] = schedules(recipe, len(job.splits.train), len(job.demonstrations))
    shared = shared_arguments(recipe, job.run, phase.name, schedule.steps)
    model = load_model(recipe.model)
    options = {"peft_config": lora(recipe.model)}
    if phase.method == "sft":
        micro = training.micro_batch * processes()
        shared |= {"gradient_accumulation_steps": _whole(training.mini_batch, micro, "training.mini_batch")}
        return sft_trainer(recipe.rollout, model, tokenizer, job.demonstrations, shared, **options)
    from datasets import Dataset  # type: ignore[import-untyped]
    from trl import GRPOConfig

    from clew.trainer.algorithm.grpo import Algorithm, GraphTrainer

    config = GRPOConfig(**shared, **rl_arguments(recipe, tokenizer, context_window(model.config)))
    algorithm = Algorithm(
        REWARDS[phase.reward], recipe.reward, recipe.advantage, recipe.rollout, training.mask_knowledge
    )

    def keep(rollouts: Sequence[Rollout], rewards: Mapping[str, Sequence[float]]) -> None:
        step = trainer.state.global_step
        job.run.keep(phase.name, step, rollouts, rewards)
        if _first_process():
            store_some(job.database, job.run, recipe, step, rollouts, rewards, tokenizer)

    def own_generate(policy: Any) -> Any:
        rollout, batch = recipe.rollout, recipe.generation.batch
        half = in_bfloat16(recipe.model)
        return sampler(policy, tokenizer, rollout.dialect, rollout.temperature, batch, bfloat16=half)

    alone = recipe.generation.engine == "transformers" and processes() == 1
    rows = question_rows(job.splits.train, schedule.batches * training.questions, recipe.seed + index)
    trainer = GraphTrainer(
        model,
        algorithm,
        job.strategy,
        args=config,
        generate=own_generate if alone else None,
        on_rollouts=keep,
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        **options,
    )
    return trainer


def question_rows(questions: Sequence[Question], count: int, seed: int) -> list[Json]:
    """``count`` rows, every question once before any comes again, each time in another order.

    The order is fixed here, and not by a loader's state, so that a resumed run asks the same.
    """
    rng = random.Random(seed)
    rows: list[Json] = []
    while len(rows) < count:
        for question in rng.sample(list(questions), len(questions)):
            rows.append({"prompt": question.question, "id": question.id, "answers": list(question.answers)})
    return rows[:count]


def shared_arguments(recipe: Recipe, run: Run, phase: str, steps: int) -> Json:
    """What TRL's trainers are given in every phase."""
    import torch

    training, on_gpu = recipe.training, torch.cuda.is_available()
    a_batch = training.questions * training.group // training.mini_batch * training.updates
    rl = recipe.phases[0].method == "rl"
    # A checkpoint in the middle of a batch of trajectories would have them played anew after a resume.
    save = -(-training.save_steps // a_batch) * a_batch if rl else training.save_steps
    if recipe.tensorboard:
        os.environ["TENSORBOARD_LOGGING_DIR"] = str(run.folder / "tensorboard" / phase)
    return {
        "output_dir": str(run.checkpoints(phase)),
        "max_steps": steps,
        "per_device_train_batch_size": training.micro_batch,
        "learning_rate": training.learning_rate,
        "lr_scheduler_type": training.schedule,
        "warmup_steps": training.warmup_steps,
        "optim": training.optimizer,
        "adam_beta2": training.adam_beta2,
        "weight_decay": training.weight_decay,
        "max_grad_norm": training.max_grad_norm,
        "activation_checkpointing": _checkpointing(recipe),
        "save_strategy": "steps",
        "save_steps": min(save, steps),
        "save_total_limit": training.keep_checkpoints,
        "logging_steps": 1,
        "report_to": ["tensorboard"] if recipe.tensorboard else [],
        "seed": recipe.seed,
        "bf16": in_bfloat16(recipe.model),
        "use_cpu": not on_gpu,
        "disable_tqdm": True,
    }


def _checkpointing(recipe: Recipe) -> bool:
    """Activations are recomputed where the recipe says so; on a CPU memory is not what is short."""
    import torch

    return recipe.model.gradient_checkpointing and torch.cuda.is_available()


def rl_arguments(recipe: Recipe, tokenizer: Any, window: int | None = None) -> Json:
    """What TRL's GRPO trainer is given besides; ``window`` is the model's context, where it has a limit.

    Raises InputError where the batches cannot be divided among the processes.
    """
    import torch

    training, generation, rollout = recipe.training, recipe.generation, recipe.rollout
    micro = training.micro_batch * processes()
    completions = training.questions * training.group
    kept = "float32" if recipe.model.lora_rank == 0 or not torch.cuda.is_available() else "bfloat16"
    arguments: Json = {
        "gradient_accumulation_steps": _whole(training.mini_batch, micro, "training.mini_batch"),
        "steps_per_generation": _whole(completions, micro, "questions · group"),
        "num_generations": training.group,
        "num_iterations": training.updates,
        "loss_type": training.loss,
        "epsilon": training.epsilon,
        "beta": training.beta,
        "entropy_coef": training.entropy,
        "use_bias_correction_kl": False,
        "temperature": rollout.temperature,
        "max_completion_length": rollout.max_tokens,
        "shuffle_dataset": False,
        "mask_truncated_completions": False,
        "model_init_kwargs": {"dtype": kept if recipe.model.dtype == "auto" else recipe.model.dtype},
    }
    if generation.engine == "transformers":
        return arguments
    return arguments | {
        "use_vllm": True,
        "vllm_mode": generation.engine.removeprefix("vllm-"),
        "vllm_server_base_url": generation.vllm_server if generation.engine == "vllm-server" else None,
        "vllm_gpu_memory_utilization": generation.vllm_memory,
        "vllm_tensor_parallel_size": generation.tensor_parallel,
        "vllm_enable_sleep_mode": generation.sleep and generation.engine == "vllm-colocate",
        "vllm_max_model_length": min(rollout.max_tokens + 1024, window or math.inf),
        "vllm_importance_sampling_mode": "token_truncate",
        "generation_kwargs": {
            "stop": list(rollout.dialect.stop),
            "include_stop_str_in_output": True,
            "stop_token_ids": end_tokens(tokenizer, rollout.dialect),
        },
    }


def processes() -> int:
    """How many processes train together; ``accelerate launch`` says so."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def _whole(all_: int, part: int, name: str) -> int:
    if all_ % part:
        raise InputError(
            f"{name} ({all_}) is no multiple of {part}, what all devices take at once; change training.micro_batch."
        )
    return all_ // part


def _finish(job: Job) -> None:
    """The chosen policy into ``model``, and the test set, once."""
    run = job.run
    final = run.checkpoints(job.recipe.phases[-1].name) / "final"
    if not (run.folder / MODEL).is_dir():
        draft = run.folder / f"{MODEL}.part"
        shutil.rmtree(draft, ignore_errors=True)
        shutil.copytree(final, draft)
        draft.rename(run.folder / MODEL)
    if job.splits.test and "test" not in run.state():
        job.tell(f"The test set is read: {len(job.splits.test):,} questions.")
        last = job.recipe.phase(len(job.recipe.phases) - 1)
        found, played = evaluate_model(last, str(run.folder / MODEL), job.splits.test, job.strategy, lambda _: None)
        run.forget_after(TEST, 0)  # of a process that was killed before it wrote the figures
        run.keep(TEST, 0, played, {})
        run.update(test=found)
    run.update(status="done")


def _drop_torn(folder: Path) -> None:
    """Take away checkpoints that a killed process has not finished."""
    for checkpoint in folder.glob("checkpoint-*"):
        if not (checkpoint / "trainer_state.json").is_file():
            shutil.rmtree(checkpoint)


def _first_process() -> bool:
    return os.environ.get("RANK", "0") == "0"


def _wait() -> None:
    if processes() > 1:
        from accelerate import PartialState  # type: ignore[import-untyped]

        PartialState().wait_for_everyone()
