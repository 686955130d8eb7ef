"""Policies: loading a model with its tokenizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clew.agent.episode import Episode
from clew.bert import multiplies_bfloat16
from clew.errors import InputError
from clew.trainer.algorithm.rollout import prompt_ids
from clew.trainer.chat_template import keep_turns
from clew.trainer.config import Model, Recipe

ADAPTER = "adapter_config.json"


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """One line for whatever a folder lacks, or a hub refuses."""
    if not path:
        raise InputError("No model is named: use --model PATH, a folder or a name on a model hub.")
    folder = Path(path)
    if not folder.is_dir() and (path.startswith((".", "/", "~")) or path.count("/") != 1):
        raise InputError(f"There is no model folder {path}; check the path.")
    try:
        yield
    except (OSError, ValueError, KeyError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"The model {path} cannot be loaded; name a folder in Hugging Face's form ({reason})."
        ) from error


def load_tokenizer(path: str) -> Any:
    """The tokenizer of a model, padding on the left, with a chat template that keeps every turn.

    Raises InputError where it cannot be loaded, knows no end of text, or has a template for no conversation.
    """
    from transformers import AutoTokenizer, PreTrainedTokenizerFast
    from transformers.models.auto.tokenization_auto import get_tokenizer_config

    with _readable(path):
        # AutoTokenizer goes by the architecture and would take a word tokenizer beside a Qwen2 for Qwen's own.
        declared = get_tokenizer_config(path).get("tokenizer_class")
        kind = PreTrainedTokenizerFast if declared == "TokenizersBackend" else AutoTokenizer
        tokenizer = kind.from_pretrained(path, padding_side="left")
    if tokenizer.eos_token_id is None:
        raise InputError(f"The tokenizer of {path} has no end-of-text token; set eos_token in its configuration.")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    keep_turns(tokenizer)
    return tokenizer


def load_model(settings: Model, *, trained: bool = True) -> Any:
    """The model in memory, its adapter merged where the folder is one, without LoRA layers of its own.

    ``trained`` decides what ``auto`` keeps weights in. Raises InputError where it cannot be loaded.
    """
    import torch
    from transformers import AutoModelForCausalLM

    path = settings.path
    full = trained and settings.lora_rank == 0
    half = not full and (torch.cuda.is_available() or (not trained and in_bfloat16(settings)))
    auto = "bfloat16" if half else "float32"
    options: dict[str, Any] = {"dtype": getattr(torch, auto if settings.dtype == "auto" else settings.dtype)}
    if settings.attention != "auto":
        options["attn_implementation"] = settings.attention
    with _readable(path):
        if (Path(path) / ADAPTER).is_file():
            from peft import AutoPeftModelForCausalLM

            return AutoPeftModelForCausalLM.from_pretrained(path, **options).merge_and_unload()
        return AutoModelForCausalLM.from_pretrained(path, use_safetensors=True, **options)


def lora(settings: Model) -> Any:
    """PEFT's configuration of the recipe's LoRA, on all linear layers; None where all weights are trained."""
    if not settings.lora_rank:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=settings.lora_rank,
        lora_alpha=settings.lora_alpha,
        lora_dropout=settings.lora_dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def best_device() -> str:
    """cuda where there is one, else cpu."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def in_bfloat16(settings: Model) -> bool:
    """Whether arithmetic is bfloat16: on a GPU, and on a CPU with units for it that is not asked for float32."""
    import torch

    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    return settings.dtype != "float32" and multiplies_bfloat16()


def context_window(config: Any) -> int | None:
    """The positions that a model's configuration has, with what its rope scaling adds; None where it sets no limit."""
    text = config.get_text_config()
    places = getattr(text, "max_position_embeddings", None)
    if not places or places < 1:
        return None
    rope = getattr(text, "rope_parameters", None) or {}
    each = [rope] if "rope_type" in rope else [one for one in rope.values() if isinstance(one, dict)]
    # Those of other types have the longer window in max_position_embeddings already.
    scaled = [
        int((one.get("original_max_position_embeddings") or places) * (one.get("factor") or 1))
        for one in each if one.get("rope_type") in ("linear", "dynamic", "yarn")
    ]  # fmt: skip
    return max([int(places), *scaled])


def check_window(recipe: Recipe, config: Any, tokenizer: Any, questions: Iterable[str]) -> None:
    """That the longest prompt and the longest completion fit into the model's context window together.

    Beyond it rotary positions go on in silence, and learned ones crash. Raises InputError that says what to lower.
    """
    window = context_window(config)
    if window is None:
        return
    rollout = max((recipe.phase(index).rollout for index in range(len(recipe.phases))), key=lambda one: one.max_tokens)
    asked = Episode(rollout.dialect, rollout.max_turns).prompt(max(questions, key=len, default=""))
    room = window - len(prompt_ids(tokenizer, asked))
    if rollout.max_tokens <= room:
        return
    does = "shorten the questions"
    if room > rollout.max_turn_tokens:
        does = (
            f"lower rollout.max_tokens to {room:,} or less (--set rollout.max_tokens={room}), and rollout.k and "
            "rollout.max_turn_tokens so that turns and facts fit in"
        )
    raise InputError(
        f"The context window of {recipe.model.path} has {window:,} tokens, the longest prompt {window - room:,} and "
        f"rollout.max_tokens {rollout.max_tokens:,}: {does}, or take a model with a longer one."
    )


def parameters(path: str) -> tuple[Any, int]:
    """A model's configuration and how many weights it has, without loading them.

    Raises InputError where the configuration cannot be read.
    """
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    with _readable(path):
        if (Path(path) / ADAPTER).is_file():
            from peft import PeftConfig

            path = PeftConfig.from_pretrained(path).base_model_name_or_path
        config = AutoConfig.from_pretrained(path)
        with torch.device("meta"):
            model = AutoModelForCausalLM.from_config(config)
    return config, sum(weight.numel() for weight in model.parameters())


def lora_parameters(path: str, rank: int) -> int:
    """How many weights LoRA of this rank adds on all linear layers: rank · (inputs + outputs) of each."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    with _readable(path), torch.device("meta"):
        model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(path))
    head = model.get_output_embeddings()
    layers = (m for m in model.modules() if isinstance(m, torch.nn.Linear) and m is not head)
    return sum(rank * (layer.in_features + layer.out_features) for layer in layers)
