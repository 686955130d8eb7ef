"""Supervised training on demonstrations, by TRL, with loss on the policy's own tokens alone.

Tokens are laid out as rollouts lay them out, so that what is learnt here is what is sampled later. What the graph wrote
carries the label that PyTorch ignores.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clew.agent.episode import Episode
from clew.errors import InputError
from clew.files import json_lines, write_whole
from clew.trainer.algorithm.rollout import RolloutSettings, between_turns, prompt_ids
from clew.types import Json

IGNORED = -100


def example(tokenizer: Any, row: Json, rollout: RolloutSettings) -> Json:
    """The ``input_ids`` and ``labels`` of a demonstration. Raises InputError where it is in another dialect."""
    dialect = rollout.dialect
    try:
        name, question, turns = row["dialect"], row["question"], row["turns"]
        texts = [(str(turn["text"]), str(turn["knowledge"])) for turn in turns]
    except (KeyError, TypeError) as error:
        raise InputError("A demonstration lacks its dialect, question or turns; write them anew.") from error
    if name != dialect.name:
        raise InputError(
            f"The demonstrations are in the dialect {name!r}, the recipe in {dialect.name!r}: write others."
        )
    before, after = between_turns(tokenizer)
    most = rollout.max_turns
    ids = list(prompt_ids(tokenizer, Episode(dialect, most).prompt(str(question))))
    labels = [IGNORED] * len(ids)
    for number, (text, block) in enumerate(texts, 1):
        tokens = tokenizer.encode(text, add_special_tokens=False)
        ids += tokens
        labels += tokens
        if block:
            order = dialect.last_lookup if number == most - 1 == len(texts) - 1 else ""
            heard = tokenizer.encode(before + block + order + after, add_special_tokens=False)
            ids += heard
            labels += [IGNORED] * len(heard)
    return {"input_ids": [*ids, tokenizer.eos_token_id], "labels": [*labels, tokenizer.eos_token_id]}


def examples(tokenizer: Any, rows: Sequence[Json], rollout: RolloutSettings) -> list[Json]:
    """The demonstrations that are no longer than a trajectory may be. Raises InputError where none is left."""
    longest = rollout.max_tokens
    found = [example(tokenizer, row, rollout) for row in rows]
    kept = [one for one in found if len(one["labels"]) - _prompt(one) <= longest]
    if not kept:
        raise InputError(f"No demonstration has at most {longest:,} tokens; raise rollout.max_tokens.")
    return kept


def _prompt(one: Json) -> int:
    """How many tokens come before the policy's first."""
    return next(i for i, label in enumerate(one["labels"]) if label != IGNORED)


def sft_trainer(
    rollout: RolloutSettings,
    model: Any,
    tokenizer: Any,
    rows: Sequence[Json],
    arguments: dict[str, Any],
    **options: Any,
) -> Any:
    """TRL's trainer over the demonstrations; ``arguments`` are those that all phases share."""
    from datasets import Dataset  # type: ignore[import-untyped]
    from trl import SFTConfig, SFTTrainer

    score_labels_alone()
    found = examples(tokenizer, rows, rollout)
    config = SFTConfig(
        **arguments,
        max_length=None,
        packing=False,
        dataset_kwargs={"skip_prepare_dataset": True},
        completion_only_loss=False,
        train_sampling_strategy="group_by_length",
    )
    return SFTTrainer(model, args=config, train_dataset=Dataset.from_list(found), processing_class=tokenizer, **options)


def score_labels_alone() -> None:
    """Have TRL put only labelled tokens through the head on a CPU, as on a GPU.

    It puts all of them through where it has no kernel of its own, for devices that compile anew for each shape.
    """
    from trl.trainer import utils

    utils._use_triton = lambda device: True


def write_demonstrations(file: Path, rows: Sequence[Json]) -> None:
    """All lines or no file. Raises InputError where the file is there already, or cannot be written."""
    if file.exists():
        raise InputError(f"{file} exists already; name another file.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json_lines(rows), private=False)
    except OSError as error:
        raise InputError(f"{file} cannot be written ({error.strerror}); name another.") from error
