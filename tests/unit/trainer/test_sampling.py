"""Sampling: what is in a batch with a row, or was read a turn before, changes nothing for it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch

from clew.agent.protocol import get_dialect
from clew.trainer.demo.tiny import tiny_model, tiny_tokenizer
from clew.trainer.models import load_tokenizer
from clew.trainer.sampling import ends_turn, sampler
from tests.trainer_models import write_tiny_model

TOKENIZER = tiny_tokenizer()
DIALECT = get_dialect("graph-r1")


def test_sampling_in_a_ragged_batch_is_sampling_alone() -> None:
    """Rows of other lengths, some at their end or at the limit, change nothing for a row: not even by rounding much."""
    model = tiny_model(TOKENIZER, 3)
    rng = random.Random(5)
    contexts = [rng.choices(range(3, 84), k=n) for n in (3, 30, 11, 64, 5)]
    together = sampler(model, TOKENIZER, DIALECT, 0.0)(contexts, 14)
    assert together == [sampler(model, TOKENIZER, DIALECT, 0.0)([context], 14)[0] for context in contexts]
    # Sampled rows end at different tokens; each must have the probability that the model itself gives it.
    sampled = sampler(model, TOKENIZER, DIALECT, 1.5, seed=2)(contexts * 8, 14)
    assert len({len(row) for row in sampled}) > 1
    assert max(map(len, sampled)) == 14
    logs = []
    for context, row in zip(contexts * 8, sampled, strict=True):
        with torch.no_grad():
            logits = model(torch.tensor([context + row])).logits[0, len(context) - 1 : -1] / 1.5
        logs.append(logits.log_softmax(-1)[range(len(row)), row].mean().item())
    entropy = -sum(logs) / len(logs)
    with torch.no_grad():
        expected = torch.distributions.Categorical(logits=model(torch.tensor([contexts[1]])).logits[0, -1] / 1.5)
    assert entropy == pytest.approx(float(expected.entropy()), abs=0.3)  # type: ignore[no-untyped-call]


def test_a_turn_goes_on_from_what_was_read_before_it() -> None:
    """Three turns of ragged rows, some of which stop, with a cache and each read anew."""
    model = tiny_model(TOKENIZER, 4)
    rng = random.Random(6)
    kept = sampler(model, TOKENIZER, DIALECT, 0.0)
    contexts = [rng.choices(range(3, 84), k=n) for n in (12, 40, 7, 23)] * 2
    read = []
    model.register_forward_pre_hook(lambda _, __, given: read.append(given["input_ids"].shape), with_kwargs=True)
    for turn in range(3):
        rows = kept(contexts, 10)
        width = read[0][1]
        assert (width < 20) == (turn > 0), "only what is new is read"
        assert rows == [sampler(model, TOKENIZER, DIALECT, 0.0)([context], 10)[0] for context in contexts]
        known = [rng.choices(range(3, 84), k=rng.randint(1, 9)) for _ in contexts]
        contexts = [c + row + new for c, row, new in zip(contexts, rows, known, strict=True)][turn:]
        read.clear()


def test_an_adapter_is_sampled_as_if_merged() -> None:
    from peft import LoraConfig, get_peft_model

    adapted = get_peft_model(tiny_model(TOKENIZER, 3), LoraConfig(r=4, target_modules="all-linear", lora_alpha=64))
    torch.manual_seed(1)
    for name, weights in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weights, std=0.05)
    contexts = [random.Random(5).choices(range(3, 84), k=n) for n in (3, 30, 11)]
    before = sampler(tiny_model(TOKENIZER, 3), TOKENIZER, DIALECT, 0.0)(contexts, 14)
    sampled = sampler(adapted, TOKENIZER, DIALECT, 0.0)(contexts, 14)
    assert sampled != before
    merged = adapted.merge_and_unload()
    assert sampled == sampler(merged, TOKENIZER, DIALECT, 0.0)(contexts, 14)


def test_a_tag_of_several_tokens_ends_a_turn(tmp_path: Path) -> None:
    tokenizer = load_tokenizer(str(write_tiny_model(tmp_path / "tiny")))
    ended = ends_turn(tokenizer, get_dialect("graphrag-r1"))
    row = tokenizer.encode("x > y <|begin_of_query|>z<|end_of_query|>", add_special_tokens=False)
    assert [ended(row[:n]) for n in range(1, len(row) + 1)] == [False] * (len(row) - 1) + [True]
    assert ended([tokenizer.eos_token_id])
