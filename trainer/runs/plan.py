"""What a run will need before it starts: memory on a device, steps, tokens and time.

Figures are estimates from the model's configuration, and of time from one rollout on this machine; the parts are shown
so that each can be checked.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from clew.trainer.config import Recipe
from clew.trainer.runs.folder import as_row
from clew.types import Json

if TYPE_CHECKING:
    from rich.console import Console

    from clew.trainer.algorithm.rollout import Rollout, RolloutStats

GIB = 2**30
GPU_GIB = 80
RESERVE = 0.06
"""The share of a GPU that CUDA, fragmentation and temporary buffers take."""
ALWAYS, SAMPLING, UPDATING, PASSES, STEP = "always", "sampling", "updating", "forward and backward", "optimiser's step"
"""When memory is held. Sampling and updating take turns, and so do, within an update, its passes and the step."""


@dataclass(frozen=True, slots=True)
class Part:
    """A use of memory: bytes, when it is held, and how it was counted."""

    name: str
    bytes: float
    held: str
    why: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """A phase in numbers."""

    name: str
    method: str
    steps: int
    batches: int
    trajectories: int
    tokens: int


def memory(recipe: Recipe, config: Any, weights: int, adapter: int) -> list[Part]:
    """The parts of one device's memory, with weights and optimiser whole on each device.

    ``weights`` and ``adapter`` count the parameters of the model and of its LoRA layers (0: all weights are trained).
    """
    model, training, generation = recipe.model, recipe.training, recipe.generation
    trained = adapter or weights
    wide = 2 if model.dtype == "bfloat16" else 4
    base = wide if not adapter else (4 if model.dtype == "float32" else 2)
    parts = [Part("weights", weights * base, ALWAYS, f"{weights / 1e9:.2f} G × {base} bytes")]
    if adapter:
        parts.append(Part("LoRA weights", adapter * 4, ALWAYS, f"{adapter / 1e6:.1f} M × 4 bytes"))
    kept = 4 if adapter else wide
    parts.append(Part("gradients", trained * kept, UPDATING, "one for each trained weight"))
    moments = 2 if training.optimizer == "adamw_8bit" else 2 * kept
    parts.append(Part("optimiser", trained * moments, ALWAYS, f"two moments of Adam, {moments} bytes a weight"))
    if training.optimizer == "adamw_torch":
        why = "the roots of the second moments; training.optimizer=adamw_torch_fused saves them"
        parts.append(Part("optimiser's roots", trained * kept, STEP, why))
    learns_by_reward = any(phase.method == "rl" for phase in recipe.phases)
    if learns_by_reward and training.beta > 0 and not adapter:
        parts.append(Part("reference model", weights * base, ALWAYS, "for the KL term; beta = 0 saves it"))
    copy = Part("weights in bfloat16", weights * 2, PASSES, "what arithmetic uses in place of float32")
    if base == 4:
        parts.append(copy)
    parts.append(Part("activations", _activations(recipe, config), PASSES, _activations_why(recipe)))
    if learns_by_reward and generation.engine == "transformers" and base == 4:
        parts.append(replace(copy, held=SAMPLING))
    return parts + (_sampling(recipe, config, weights, adapter) if learns_by_reward else [])


def _sampling(recipe: Recipe, config: Any, weights: int, adapter: int) -> list[Part]:
    """The parts of memory in which trajectories are sampled."""
    training, generation = recipe.training, recipe.generation
    parts = []
    cache = kv_bytes(config)
    tokens = recipe.rollout.max_tokens + PROMPT
    if generation.engine == "transformers":
        batch = min(generation.batch, training.questions * training.group)
        why = f"{batch} contexts × {tokens:,} tokens × {cache / 1024:.0f} KiB; generation.batch lowers it"
        parts.append(Part("KV cache", batch * tokens * cache, SAMPLING, why))
        a_token = 20 * config.hidden_size + (12 if adapter else 8) * _inner(config)
        why = f"{batch} contexts × {tokens:,} tokens × {a_token / 1024:.0f} KiB; generation.batch lowers it"
        parts.append(Part("reading contexts", batch * tokens * a_token, SAMPLING, why))
    elif generation.engine == "vllm-colocate":
        share = generation.vllm_memory * GPU_GIB * GIB
        room = share - weights * 2 / generation.tensor_parallel
        why = f"{generation.vllm_memory:.0%} of {GPU_GIB} GiB: weights again in bfloat16, the rest a cache of "
        why += f"{max(0, int(room / cache)):,} tokens, {max(0, room / cache / tokens):.0f} whole trajectories at a time"
        parts.append(Part("vLLM", share, SAMPLING if generation.sleep else ALWAYS, why))
    return parts


PROMPT = 512
"""Tokens of a prompt, about: the instructions and the question."""
LOGITS = 1024
"""Tokens whose logits TRL's loss of GRPO has at a time, about."""


def peak(parts: list[Part]) -> float:
    """Bytes at the worst moment."""
    return max(while_sampling(parts), while_updating(parts))


def while_sampling(parts: list[Part]) -> float:
    """Bytes that are held, at most, while trajectories are sampled."""
    return _held(parts, ALWAYS) + _held(parts, SAMPLING)


def while_updating(parts: list[Part]) -> float:
    """Bytes that are held, at most, while weights are updated."""
    return _held(parts, ALWAYS) + _held(parts, UPDATING) + max(_held(parts, PASSES), _held(parts, STEP))


def _held(parts: list[Part], when: str) -> float:
    return sum(part.bytes for part in parts if part.held == when)


def kv_bytes(config: Any) -> int:
    """Bytes that one token takes in the cache of keys and values, in bfloat16."""
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return int(2 * 2 * config.num_hidden_layers * heads * width)


def _activations(recipe: Recipe, config: Any) -> float:
    """With checkpointing a layer's input each and one layer in full; then the logits.

    TRL's loss of GRPO has the logits of a chunk of tokens at a time, that of supervised learning all of them.
    """
    tokens = recipe.training.micro_batch * (recipe.rollout.max_tokens + PROMPT)
    hidden, layers = config.hidden_size, config.num_hidden_layers
    inner = 34 * hidden + 6 * _inner(config)
    held = layers * hidden * 2 + inner if recipe.model.gradient_checkpointing else layers * inner
    supervised = any(phase.method == "sft" for phase in recipe.phases)
    at_once = recipe.training.micro_batch * recipe.rollout.max_tokens if supervised else LOGITS
    logits = at_once * config.vocab_size * (2 + 4 + 2)  # as computed, in float32, and their gradient
    return float(tokens * held + logits)


def _inner(config: Any) -> int:
    return int(getattr(config, "intermediate_size", None) or 4 * config.hidden_size)


def _activations_why(recipe: Recipe) -> str:
    tokens = recipe.training.micro_batch * (recipe.rollout.max_tokens + PROMPT)
    kind = "layers recomputed" if recipe.model.gradient_checkpointing else "all layers kept"
    return f"{tokens:,} tokens at once, {kind}, and their logits; training.micro_batch lowers it"


def schedules(recipe: Recipe, questions: int, demonstrations: int) -> list[Schedule]:
    """Steps, batches, trajectories and tokens (at most) of each phase, from how much data there is."""
    found = []
    for index, phase in enumerate(recipe.phases):
        own = recipe.phase(index)
        training = own.training
        if phase.method == "sft":
            steps = training.steps or math.ceil(training.epochs * demonstrations / training.mini_batch)
            trajectories = steps * training.mini_batch
            found.append(Schedule(phase.name, "sft", steps, steps, trajectories, trajectories * own.rollout.max_tokens))
            continue
        a_batch = training.questions * training.group // training.mini_batch * training.updates
        asked = min(questions, own.data.train_questions)
        steps = training.steps or math.ceil(training.epochs * asked / training.questions) * a_batch
        batches = math.ceil(steps / a_batch)
        trajectories = batches * training.questions * training.group
        tokens = trajectories * own.rollout.max_tokens
        found.append(Schedule(phase.name, "rl", steps, batches, trajectories, tokens))
    return found


def one_rollout(recipe: Recipe, question: Any, strategy: Any, tokenizer: Any) -> tuple[Rollout, RolloutStats, float]:
    """One trajectory with the untrained model: that rollout, its figures, and tokens sampled a second."""
    from clew.trainer.algorithm.rollout import RolloutStats, rollouts
    from clew.trainer.models import best_device, load_model
    from clew.trainer.sampling import sampler

    model = load_model(recipe.model, trained=False).to(best_device())
    stats = RolloutStats()
    generate = sampler(model, tokenizer, recipe.rollout.dialect, recipe.rollout.temperature)
    started = time.perf_counter()
    [rollout] = rollouts(generate, tokenizer, [question], strategy, recipe.rollout, stats=stats)
    seconds = time.perf_counter() - started - stats.retrieval_seconds
    return rollout, stats, sum(rollout.env_mask) / max(seconds, 1e-6)


def rollout_hours(phases: list[Schedule], rollout: Rollout, stats: RolloutStats, rate: float) -> float:
    """The hours that all rollouts of a run take one after another, if each is like this one; 0 where there are none."""
    trajectories = sum(phase.trajectories for phase in phases if phase.method == "rl")
    return trajectories * (sum(rollout.env_mask) / rate + stats.retrieval_seconds) / 3600


def as_json(
    recipe: Recipe,
    parts: list[Part],
    phases: list[Schedule],
    rollout: Rollout,
    stats: RolloutStats,
    rate: float,
) -> Json:
    """The plan as plain data, for whoever shows it elsewhere: bytes, steps, hours, and the rollout itself."""
    top = peak(parts) * (1 + RESERVE)
    return {
        "recipe": recipe.name,
        "parts": [asdict(part) for part in parts],
        "peak": top,
        "fits": top <= GPU_GIB * GIB,
        "phases": [asdict(phase) for phase in phases],
        "hours": rollout_hours(phases, rollout, stats, rate),
        "rate": rate,
        "rollout": {**as_row(rollout), "prompt_ids": [], "segments": []},
    }


def print_plan(
    console: Console,
    recipe: Recipe,
    parts: list[Part],
    phases: list[Schedule],
    rollout: Rollout,
    stats: RolloutStats,
    rate: float,
) -> None:
    """The plan on a terminal: memory, steps and time, and the rollout itself."""
    from rich.table import Table

    from clew.reporting.terminal import plain

    table = Table("memory of one device", "GiB", "held", "how it is counted", title=f"{recipe.name}: {recipe.paper}")
    for part in parts:
        table.add_row(part.name, f"{part.bytes / GIB:,.2f}", part.held, part.why)
    top = peak(parts) * (1 + RESERVE)
    fits = "fits" if top <= GPU_GIB * GIB else "does not fit"
    table.add_row("peak", f"{top / GIB:,.2f}", "", f"with {RESERVE:.0%} for CUDA: {fits} one GPU of {GPU_GIB} GiB")
    console.print(table)
    steps = Table("phase", "method", "steps", "batches", "trajectories", "tokens, at most")
    for phase in phases:
        numbers = (phase.steps, phase.batches, phase.trajectories, phase.tokens)
        steps.add_row(phase.name, phase.method, *(f"{n:,}" for n in numbers))
    console.print(steps)
    generated = sum(rollout.env_mask)
    console.print(
        f"One rollout: {len(rollout.turns)} turns, {generated:,} tokens by the policy of {len(rollout.env_mask):,}, "
        f"{rollout.retrievals} retrievals in {stats.retrieval_seconds:.2f} s, ended by {rollout.stopped}."
    )
    if hours := rollout_hours(phases, rollout, stats, rate):
        console.print(
            f"At {rate:,.0f} tokens a second one after another as here, its rollouts take {hours:,.1f} hours; "
            "batches on a GPU take a small part of that."
        )
    for turn in rollout.turns:
        console.print(plain(" ".join(turn.raw.split()))[:400], markup=False, style="dim")
