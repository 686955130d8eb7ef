"""The loss: tokens of the environment move nothing, and a constant matrix is the scalar advantage, bit by bit."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trl import GRPOConfig, GRPOTrainer

from clew.agent.protocol import get_dialect
from clew.retrieval.strategies.none import NoRetrieval
from clew.trainer.algorithm.advantages import AdvantageSettings, Estimator
from clew.trainer.algorithm.grpo import Algorithm, GraphTrainer
from clew.trainer.algorithm.rewards import RewardSettings
from clew.trainer.algorithm.rollout import RolloutSettings
from clew.trainer.algorithm.value import ValueHead
from clew.trainer.demo.tiny import tiny_model, tiny_tokenizer
from clew.trainer.demo.world import make_questions, make_world
from clew.trainer.sampling import sampler

LOSSES = ("grpo", "dapo", "dr_grpo", "bnpo", "cispo")


def make_trainer(folder: Path, estimator: Estimator = "grpo", steps: int = 1) -> GraphTrainer:
    """A trainer of an untrained tiny policy that finds nothing."""
    rng = random.Random(0)
    tokenizer = tiny_tokenizer()
    tiny_model(tokenizer, 0).save_pretrained(folder / "start")
    questions = make_questions(make_world(rng), 1, 2 * steps, rng)
    arguments = GRPOConfig(
        output_dir=str(folder),
        per_device_train_batch_size=8,
        num_generations=4,
        max_completion_length=40,
        max_steps=steps,
        learning_rate=1e-3,
        beta=0.0,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        disable_tqdm=True,
        activation_checkpointing=False,
    )
    return GraphTrainer(
        str(folder / "start"),
        Algorithm(
            lambda rollout, _: {"length": len(rollout.completion_ids) / 40, "turns": float(len(rollout.turns))},
            RewardSettings(),
            AdvantageSettings(estimator),
            RolloutSettings(max_turns=3, max_turn_tokens=12, max_tokens=40, k=1),
        ),
        NoRetrieval(),
        args=arguments,
        generate=lambda model: sampler(model, tokenizer, get_dialect("graph-r1"), 1.0, seed=0),
        train_dataset=Dataset.from_list(
            [{"prompt": q.question, "id": q.id, "answers": list(q.answers)} for q in questions]
        ),
        processing_class=tokenizer,
    )


@pytest.fixture(scope="module")
def trainer(tmp_path_factory: pytest.TempPathFactory) -> GraphTrainer:
    made = make_trainer(tmp_path_factory.mktemp("trainer"))
    made.current_gradient_accumulation_steps = 1
    return made


def batch(seed: int) -> dict[str, Any]:
    """Three completions of other lengths, with the environment's tokens anywhere in them."""
    generator = torch.Generator().manual_seed(seed)
    mask = torch.ones(3, 12, dtype=torch.long)
    mask[1, 9:] = 0
    tool = torch.randint(0, 2, (3, 12), generator=generator)
    tool[:, 0], tool[:, 4] = 1, 0
    return {
        "prompt_ids": torch.randint(3, 80, (3, 5), generator=generator),
        "prompt_mask": torch.ones(3, 5, dtype=torch.long),
        "completion_ids": torch.randint(3, 80, (3, 12), generator=generator),
        "completion_mask": mask,
        "tool_mask": tool,
        "advantages": torch.randn(3, generator=generator),
        "num_items_in_batch": (mask * tool).sum(),
    }


def gradients(trainer: GraphTrainer, inputs: dict[str, Any]) -> tuple[float, list[torch.Tensor]]:
    trainer.model.zero_grad()
    loss = trainer._compute_loss(trainer.model, inputs)
    loss.backward()  # type: ignore[no-untyped-call]
    return loss.item(), [p.grad.clone() for p in trainer.model.parameters() if p.grad is not None]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), loss=st.sampled_from(LOSSES), value=st.sampled_from([1e6, -1e6, 3.0]))
def test_masked_tokens_change_no_gradient(trainer: GraphTrainer, seed: int, loss: str, value: float) -> None:
    trainer.loss_type = loss
    inputs = batch(seed)
    matrix = inputs["advantages"][:, None].expand(3, 12).clone()
    one = gradients(trainer, inputs | {"advantages": matrix})
    masked = (inputs["completion_mask"] * inputs["tool_mask"]) == 0
    other = gradients(trainer, inputs | {"advantages": torch.where(masked, torch.tensor(value), matrix)})
    assert one[0] == other[0]
    assert all(torch.equal(a, b) for a, b in zip(one[1], other[1], strict=True))
    assert any(bool(g.abs().max() > 0) for g in one[1])


@pytest.mark.parametrize("loss", LOSSES)
def test_a_constant_step_wise_advantage_is_the_scalar_one_bit_by_bit(trainer: GraphTrainer, loss: str) -> None:
    trainer.loss_type = loss
    inputs = batch(7)
    scalar = gradients(trainer, inputs)
    matrix = gradients(trainer, inputs | {"advantages": inputs["advantages"][:, None].expand(3, 12).clone()})
    assert scalar[0] == matrix[0]
    assert all(torch.equal(a, b) for a, b in zip(scalar[1], matrix[1], strict=True))


def test_scoring_less_gives_the_loss_of_scoring_everything(
    trainer: GraphTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer.loss_type = "grpo"
    inputs = batch(11)
    inputs["prompt_mask"][:2, :2] = 0
    inputs["prompt_mask"][2, :1] = 0
    inputs["completion_mask"][:, 10:] = 0
    loss, moved = gradients(trainer, inputs)
    name = "_get_per_token_logps_and_entropies"
    monkeypatch.setattr(GraphTrainer, name, getattr(GRPOTrainer, name))
    expected, reference = gradients(trainer, inputs)
    assert loss == pytest.approx(expected, abs=1e-6)
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(moved, reference, strict=True))


@pytest.mark.parametrize("estimator", ["grpo", "reinforce++", "rloo", "gae", "step-wise"])
def test_every_estimator_trains(tmp_path: Path, estimator: Estimator) -> None:
    trainer = make_trainer(tmp_path, estimator, steps=2)
    seen: list[int] = []
    trainer.on_rollouts = lambda played, scores: seen.extend([len(played), len(scores["length"]) * len(scores) // 2])
    before = trainer.model.lm_head.weight.detach().clone()
    trainer.train()
    assert seen == [8, 8, 8, 8]
    assert not torch.equal(before, trainer.model.lm_head.weight)
    assert trainer.stats.trajectories >= 16
    assert trainer._score(trainer._rollouts[0]) == pytest.approx(trainer._rewards[0].sum().item(), abs=1e-5)


def test_knowledge_may_be_trained_on_for_the_ablation(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    object.__setattr__(trainer.algorithm, "mask_knowledge", False)
    trainer._asked = []
    inputs = [dict(row) for row in trainer.train_dataset.select([0] * 4)]
    output = trainer._generate_and_score_completions(inputs)
    assert bool((output["tool_mask"] == 1).all())


def test_the_value_head_learns_and_is_kept(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    head = ValueHead(trainer.model)
    inputs = batch(1)
    hidden = head.hidden(trainer.model, inputs)
    mask = (inputs["completion_mask"] * inputs["tool_mask"]).numpy()
    losses = [head.fit(hidden, np.ones((3, 12)), mask, trainer.accelerator) for _ in range(10)]
    assert losses[0] == pytest.approx(1.0)
    assert losses[-1] < 0.2
    head.save(tmp_path)
    again = ValueHead(trainer.model)
    again.load(tmp_path)
    assert torch.equal(again.predict(hidden), head.predict(hidden))
    for one in (head, again):
        one.fit(hidden, np.zeros((3, 12)), mask, trainer.accelerator)
    assert torch.equal(again.predict(hidden), head.predict(hidden)), "it goes on as if it had not been cut"
