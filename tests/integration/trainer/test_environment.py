"""A Clew graph as TRL's environment, in TRL's own trainer."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.agent.protocol import REPEATED
from clew.knowledge_base import KnowledgeBase
from clew.trainer.environment import NO_MORE, answer_reward, search_environment
from tests.trainer_models import write_tiny_model


def test_facts_are_numbered_over_a_rollout_and_searches_end(encyclopaedia: KnowledgeBase) -> None:
    environment = search_environment(encyclopaedia, k=3, searches=2)()
    first = environment.search("Old Maren Light designer").splitlines()
    assert "Ruben Calloway" in " ".join(first)
    assert environment.search("old maren light, designer!") == REPEATED
    second = environment.search("Ruben Calloway born").splitlines()
    assert second[0].startswith(f"[{len(first) + 1}] ")
    assert environment.search("one more") == NO_MORE
    environment.reset(prompt=[], answers=["x"])
    assert environment.search("Old Maren Light designer").splitlines() == first


def test_the_answer_is_what_the_last_message_says() -> None:
    said = [
        [{"role": "assistant", "content": "<think>Ada Finch?</think><answer>Ruben Calloway</answer>"}],
        [{"role": "tool", "content": "Ruben Calloway"}, {"role": "assistant", "content": "Ada Finch"}],
        [{"role": "assistant", "content": "<think>It is Ruben Calloway"}],
    ]
    assert answer_reward(said, [["Ruben Calloway"]] * 3) == [1.0, 0.0, 0.0]


@pytest.mark.slow
def test_grpo_of_trl_trains_on_the_graph(encyclopaedia: KnowledgeBase, tmp_path: Path) -> None:
    from datasets import Dataset  # type: ignore[import-untyped]
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer
    from trl.chat_template_utils import qwen3_chat_template

    folder = write_tiny_model(tmp_path / "tiny")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = qwen3_chat_template
    question = {"role": "user", "content": "Who designed the Old Maren Light?"}
    trainer = GRPOTrainer(
        model=AutoModelForCausalLM.from_pretrained(folder),
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([{"prompt": [question], "answers": ["Ruben Calloway"]}] * 4),
        reward_funcs=answer_reward,
        environment_factory=search_environment(encyclopaedia, k=3),
        args=GRPOConfig(
            output_dir=str(tmp_path / "run"),
            max_steps=5,
            per_device_train_batch_size=2,
            num_generations=2,
            max_completion_length=16,
            report_to=[],
            use_cpu=True,
            bf16=False,
        ),
    )
    trainer.train()
    assert trainer.state.global_step == 5
    assert [tool.__name__ for tool in trainer.tools] == ["search"]
