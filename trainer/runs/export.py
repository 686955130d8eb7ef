"""A trained policy as a folder in Hugging Face's form, which vLLM and ``transformers serve`` take as it is.

Weights are safetensors, with LoRA merged; ``clew.json`` says which dialect and limits the policy was trained with, and
the generation configuration ends a turn where the protocol does.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from clew.errors import InputError
from clew.runs.folder import write_json
from clew.trainer.config import Recipe
from clew.trainer.models import ADAPTER, load_model, load_tokenizer
from clew.trainer.runs.folder import CONFIG, MODEL, Run, disk_fault

DIALECT = "clew.json"


def save_policy(weights: Path, recipe: Recipe, tokenizer: Any, folder: Path) -> Path:
    """Write the policy whose weights, or adapter, are in ``weights`` to ``folder``: whole, or not at all."""
    from clew.trainer.sampling import end_tokens

    draft = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    merged = recipe.model.model_copy(update={"path": str(weights)})
    model = load_model(merged, trained=False)
    rollout = recipe.rollout
    config = model.generation_config
    config.eos_token_id = end_tokens(tokenizer, rollout.dialect)
    config.pad_token_id = tokenizer.pad_token_id
    config.do_sample = False
    config.temperature = config.top_p = config.top_k = None
    model.save_pretrained(draft, safe_serialization=True)
    tokenizer.response_template = _whole_reply(tokenizer)
    tokenizer.save_pretrained(draft)
    settings = {"dialect": rollout.dialect.name, "top_k": rollout.k, "max_turns": rollout.max_turns}
    write_json(draft / DIALECT, {**settings, "recipe": recipe.name, "strategy": recipe.retrieval.strategy})
    if folder.exists():
        shutil.rmtree(folder)
    draft.rename(folder)
    return folder


def _whole_reply(tokenizer: Any) -> dict[str, Any]:
    """All that the policy writes is its reply.

    ``transformers serve`` takes the think block of some architectures out of a reply where the tokenizer does not say
    otherwise; here it is part of the protocol.
    """
    ends = list(dict.fromkeys((tokenizer.eos_token, tokenizer.pad_token)))
    asked = [{"role": "user", "content": "q"}]
    bare, opened = (
        tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=add) for add in (False, True)
    )
    anchor = opened.removeprefix(bare)
    return {
        "defaults": {"role": "assistant"},
        "start_anchor": anchor or tokenizer.eos_token,
        "fields": {"content": {"close": ends, "content": "text"}},
    }


def export_run(run: Run, folder: Path, step: str | None = None) -> Path:
    """Write a run's chosen policy, or that of the checkpoint ``PHASE/STEP``, to a new folder: whole, or not at all.

    Raises InputError where the run has no policy yet, or the folder is there already or cannot be written.
    """
    if folder.exists():
        raise InputError(f"{folder} exists already; name a new folder.")
    recipe = run.recipe()
    weights, tokenizer = run.folder / MODEL, None
    if step is not None:
        phase, _, number = step.partition("/")
        weights = run.checkpoints(phase) / f"checkpoint-{number}"
        if step not in (known := run.known_checkpoints()):
            raise InputError(f"The run {run.name} has no checkpoint {step!r}; it has {', '.join(known) or 'none'}.")
        has_tokenizer = (weights / "tokenizer_config.json").is_file() and not (weights / ADAPTER).is_file()
        tokenizer = load_tokenizer(str(weights) if has_tokenizer else recipe.model.path)
    elif not weights.is_dir():
        raise InputError(
            f"The run {run.name} is not done: resume it, or name a checkpoint with --checkpoint PHASE/STEP."
        )

    draft = folder.with_name(f"{folder.name}.part")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(draft, ignore_errors=True)
        if tokenizer is None:
            shutil.copytree(weights, draft)
        else:
            save_policy(weights, recipe, tokenizer, draft)
        shutil.copyfile(run.folder / CONFIG, draft / CONFIG)
        draft.rename(folder)
    except Exception as error:
        for left in (draft, draft.with_name(f"{draft.name}.part")):
            shutil.rmtree(left, ignore_errors=True)
        if not (why := disk_fault(error)):
            raise
        raise InputError(f"{folder} cannot be written ({why}); name another with --out.") from error
    return folder
