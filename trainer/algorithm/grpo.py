"""The algorithm: TRL's GRPO trainer, with Clew's rollouts in front and any of our advantages behind.

What happens in one generation step, top to bottom: ``_roll_out`` plays the questions against the graph, the reward's
parts score the rollouts, and ``_advantages`` turns scores into a (batch, tokens) matrix, which TRL's clipped loss
with KL (Graph-R1 eq. 11) takes in place of one number a trajectory. Everything else (optimiser, distribution, LoRA,
vLLM, checkpoints, resume) is TRL's. Tokens of the environment carry no loss: they have mask 0 in every term.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from accelerate.utils import gather_object  # type: ignore[import-untyped]
from trl import GRPOTrainer
from trl.models.utils import unwrap_model_for_generation

from clew.retrieval.strategy import Strategy
from clew.trainer.algorithm import rewards as formulas
from clew.trainer.algorithm.advantages import AdvantageSettings, gae, outcome_advantages, spread, step_wise
from clew.trainer.algorithm.rewards import Reward, RewardSettings
from clew.trainer.algorithm.rollout import Generate, Rollout, RolloutSettings, RolloutStats, continuations, rollouts
from clew.trainer.algorithm.sft import IGNORED, score_labels_alone
from clew.trainer.algorithm.value import ValueHead

if TYPE_CHECKING:
    from trl import GRPOConfig

CHUNK = 48
"""Continuations that are sampled in one batch on a CPU: sorted by length, such chunks pad little."""
CHUNK_ON_GPU = 256
"""On a GPU, where a batch takes as long as one row of it."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """What sets one paper's training apart from another's: the reward, its constants, limits and estimator.

    ``mask_knowledge`` false trains on the graph's tokens too, which is worse: GraphRAG-R1's ablation.
    """

    reward: Reward
    reward_settings: RewardSettings
    advantages: AdvantageSettings
    rollout: RolloutSettings
    mask_knowledge: bool = True


class GraphTrainer(GRPOTrainer):  # type: ignore[misc]
    """GRPOTrainer over a Clew knowledge base.

    Rows of the data set have ``prompt`` (the question's text), ``id`` and ``answers``. ``generate`` replaces TRL's own
    generation; ``on_rollouts`` receives every batch with the parts of each rollout's reward by name, and ``stats`` adds
    up over all of them. To TRL each part is a reward function, and it logs them one by one.
    """

    def __init__(
        self,
        model: Any,
        algorithm: Algorithm,
        strategy: Strategy,
        *,
        args: GRPOConfig,
        generate: Callable[[Any], Generate] | None = None,
        on_rollouts: Callable[[Sequence[Rollout], Mapping[str, Sequence[float]]], None] = lambda *_: None,
        **options: Any,
    ) -> None:
        self.algorithm = algorithm
        self.strategy = strategy
        self.on_rollouts = on_rollouts
        self.stats = RolloutStats()
        self._asked: list[_Row] = []
        self._rollouts: list[Rollout] = []
        self._scored: torch.Tensor | None = None
        self._rewards = torch.zeros(0)
        self._parts = formulas.part_names(algorithm.reward, algorithm.reward_settings)
        score_labels_alone()
        super().__init__(
            model,
            reward_funcs=[self._part(name) for name in self._parts],
            args=args,
            rollout_func=lambda prompts, _: self._roll_out(prompts),
            **options,
        )
        self.generate = generate(self.model) if generate else partial(_generate_with, self)
        self.value_head = ValueHead(self.model) if algorithm.advantages.estimator == "gae" else None

    def _part(self, name: str) -> Callable[..., list[float]]:
        def score(prompts: object, rollout: Sequence[Rollout], **_: object) -> list[float]:
            return [self.algorithm.reward(one, self.algorithm.reward_settings)[name] for one in rollout]

        score.__name__ = name
        return score

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        # TRL hands only prompts to the rollout, and adds the rollout's fields to the rows it was given.
        self._asked = [_Row(str(row["id"]), row["prompt"], tuple(row["answers"])) for row in inputs]
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        output["advantages"] = self._advantages(output)
        return output

    def _roll_out(self, prompts: list[str]) -> dict[str, Any]:
        assert [row.question for row in self._asked] == prompts
        stats = RolloutStats()
        played = rollouts(
            self.generate, self.processing_class, self._asked, self.strategy, self.algorithm.rollout, stats=stats
        )
        self.stats.add(stats)
        mode = "train" if self.model.training else "eval"
        figures = stats.metrics() | {
            "em": sum(r.correct for r in played) / len(played),
            "answered": sum(r.answer is not None for r in played) / len(played),
            "well_formed": sum(not t.error for r in played for t in r.turns)
            / max(sum(len(r.turns) for r in played), 1),
        }
        for name, value in figures.items():
            self._metrics[mode][name].append(value)
        self._rollouts, self._scored = played, None
        return {
            "prompt_ids": [list(r.prompt_ids) for r in played],
            "completion_ids": [r.completion_ids for r in played],
            "env_mask": [r.env_mask if self.algorithm.mask_knowledge else [1] * len(r.env_mask) for r in played],
            "logprobs": None,
            "rollout": played,
        }

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        self._scored = inputs["tool_mask"]
        loss: torch.Tensor = super()._compute_loss(model, inputs)
        return loss

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        logits_to_keep: int,
        batch_size: int | None = None,
        compute_entropy: bool = False,
        **_: Any,
    ) -> tuple[torch.Tensor, torch.Tensor | None, None]:
        """TRL's, (batch, completion), of the tokens with loss alone, the others 0; no column is all padding."""
        labels = input_ids.masked_fill(attention_mask == 0, IGNORED)
        labels[:, :-logits_to_keep] = IGNORED
        labels[:, -logits_to_keep:].masked_fill_(self._with_loss(logits_to_keep) == 0, IGNORED)
        logps = torch.zeros(input_ids.shape, device=input_ids.device)
        entropies = logps.clone()
        at_once = batch_size or len(input_ids)
        for rows in torch.split(torch.arange(len(input_ids), device=input_ids.device), at_once):
            columns = attention_mask[rows].any(0).nonzero()[:, 0]
            places = rows[:, None], columns
            with self.accelerator.autocast():
                found = model(
                    input_ids=input_ids[places],
                    attention_mask=attention_mask[places],
                    labels=labels[places],
                    fused_lm_head=True,
                )
            places = rows[:, None], columns[1:]
            logps = logps.index_put(places, found.log_probs.float())
            if compute_entropy:
                entropies = entropies.index_put(places, found.entropy.float())
        return logps[:, -logits_to_keep:], entropies[:, -logits_to_keep:] if compute_entropy else None, None

    def _with_loss(self, width: int) -> torch.Tensor:
        """Which tokens of a batch have loss: those of a part that is learnt from, or of all that was just played."""
        if self._scored is None:
            masks = [r.env_mask if self.algorithm.mask_knowledge else [1] * len(r.env_mask) for r in self._rollouts]
            rows = [mask + [0] * (width - len(mask)) for mask in masks]
            self._scored = torch.tensor(rows, device=self.accelerator.device)
        return self._scored

    def _calculate_rewards(self, *args: Any) -> torch.Tensor:
        """TRL's (all processes' trajectories, functions); kept, because advantages are made from it."""
        self._rewards = super()._calculate_rewards(*args)
        own = self._own(self._rewards)
        self.on_rollouts(self._rollouts, {name: own[:, i].tolist() for i, name in enumerate(self._parts)})
        return self._rewards

    def _own(self, gathered: Any) -> Any:
        """This process's rows of what all have gathered."""
        first = self.accelerator.process_index * len(self._rollouts)
        return gathered[first : first + len(self._rollouts)]

    def _advantages(self, output: dict[str, Any]) -> torch.Tensor:
        """Ã for every token, (batch, tokens); 0 on what the environment wrote does not matter, its mask is 0."""
        settings = self.algorithm.advantages
        width = output["completion_ids"].shape[1]
        group = self.num_generations if self.model.training else self.num_generations_eval
        scores = self._rewards.nansum(1).cpu().numpy()
        device = output["completion_ids"].device
        if self.value_head is not None:
            matrix = self._gae(output, self._own(scores))
        elif settings.estimator == "step-wise" and self.model.training:
            steps = step_wise(gather_object(self._step_rewards(scores, group)), group, epsilon=settings.step_epsilon)
            matrix = spread(self._own(steps), [r.step_of_token for r in self._rollouts], width)
        elif group == 1:
            matrix = np.zeros((len(self._rollouts), width))
        else:
            chosen = replace(settings, estimator="grpo") if settings.estimator == "step-wise" else settings
            matrix = self._own(outcome_advantages(scores, group, chosen))[:, None] * np.ones((1, width))
        return torch.tensor(matrix, dtype=torch.float32, device=device)

    def _step_rewards(self, scores: Any, group: int) -> list[list[float]]:
        """R_t of each turn (ProGraph-R1 eq. 11–15), with the policy's own endings as its estimate of P.

        P(s_0) is the group's mean, P(s_T) the trajectory's own outcome, and in between the mean of that outcome and of
        fresh endings from there, one for each of ``continuations``.
        """
        own = self._own(scores)
        start = np.repeat(scores.reshape(-1, group).mean(1), group)
        states = [
            (i, t)
            for i, r in enumerate(self._rollouts)
            for t in range(1, len(r.turns))
            for _ in range(self.algorithm.advantages.continuations)
        ]
        states.sort(key=lambda state: sum(len(s.ids) for s in self._rollouts[state[0]].segments if s.turn < state[1]))
        ends: dict[tuple[int, int], list[float]] = {}
        at_once = CHUNK_ON_GPU if torch.cuda.is_available() else CHUNK
        for first in range(0, len(states), at_once):
            chunk = states[first : first + at_once]
            prefixes = [(self._rollouts[i], t) for i, t in chunk]
            fresh = continuations(self.generate, self.processing_class, prefixes, self.strategy, self.algorithm.rollout)
            for state, ending in zip(chunk, fresh, strict=True):
                ends.setdefault(state, []).append(self._score(ending))
        rewards = []
        for i, (rollout, outcome, before) in enumerate(zip(self._rollouts, own, self._own(start), strict=True)):
            between = [float(np.mean([outcome, *ends[i, t]])) for t in range(1, len(rollout.turns))]
            values = [float(before), *between, float(outcome)]
            steps = formulas.step_rewards(rollout, values, float(outcome), self.algorithm.reward_settings)
            rewards.append([formulas.total(parts) for parts in steps])
        return rewards

    def _score(self, rollout: Rollout) -> float:
        return formulas.total(self.algorithm.reward(rollout, self.algorithm.reward_settings))

    def _gae(self, output: dict[str, Any], scores: Any) -> Any:
        """PPO: the score is earned at the policy's last token; the head predicts it from every state before."""
        assert self.value_head is not None
        settings = self.algorithm.advantages
        mask = (output["completion_mask"] * output["tool_mask"]).cpu().numpy()
        hidden = self.value_head.hidden(self.accelerator.unwrap_model(self.model), output)
        values = self.value_head.predict(hidden).cpu().numpy()
        earned = np.zeros_like(values)
        for row, tokens, score in zip(earned, mask, scores, strict=True):
            if tokens.any():
                row[np.flatnonzero(tokens)[-1]] = score
        advantages, returns = gae(earned, values, mask, discount=settings.discount, trace=settings.trace)
        if self.model.training:
            loss = self.value_head.fit(hidden, returns, mask, self.accelerator)
            self._metrics["train"]["value_loss"].append(loss)
        acting = advantages[mask > 0]
        normalised = (advantages - acting.mean()) / (acting.std() + settings.epsilon)
        return np.where(mask > 0, normalised, 0.0)

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        super()._save_checkpoint(model, trial)
        if self.value_head is not None and self.args.should_save:
            self.value_head.save(Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}")

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        super()._load_from_checkpoint(resume_from_checkpoint, model)
        if self.value_head is not None:
            self.value_head.load(Path(resume_from_checkpoint))


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    question: str
    answers: tuple[str, ...]


def _generate_with(trainer: GraphTrainer, contexts: list[list[int]], limit: int) -> list[list[int]]:
    """Continue contexts by vLLM, or by transformers, up to the end of a turn.

    vLLM takes its stop strings from ``generation_kwargs`` of the arguments (``stop``, ``include_stop_str_in_output``).
    """
    if trainer.use_vllm:
        trainer.vllm_generation.max_completion_length = limit
        ids: list[list[int]] = trainer._generate_single_turn(contexts, None, {}, num_generations=1)[0]
        return ids
    tokenizer = trainer.processing_class
    inputs = tokenizer.pad({"input_ids": contexts}, padding=True, padding_side="left", return_tensors="pt")
    inputs = inputs.to(trainer.accelerator.device)
    with unwrap_model_for_generation(trainer.model_wrapped, trainer.accelerator) as model, torch.no_grad():
        output = model.generate(
            **inputs,
            generation_config=trainer.generation_config,
            max_new_tokens=limit,
            stop_strings=list(trainer.algorithm.rollout.dialect.stop),
            tokenizer=tokenizer,
        )
    rows = output[:, inputs["input_ids"].shape[1] :].tolist()
    return [_without_padding(row, tokenizer, trainer.algorithm.rollout) for row in rows]


def _without_padding(row: list[int], tokenizer: Any, settings: RolloutSettings) -> list[int]:
    """The row up to its end; a tokenizer that pads with its eos token keeps the one that was sampled."""
    pad, kept = tokenizer.pad_token_id, list(row)
    while kept and kept[-1] == pad:
        kept.pop()
    text = tokenizer.decode(kept[-16:], skip_special_tokens=False)
    if pad == tokenizer.eos_token_id and len(kept) < len(row) and not any(s in text for s in settings.dialect.stop):
        kept.append(pad)
    return kept
