"""What a model's folder says: its context window, and a template by which it is served what it was trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.agent.episode import Episode, messages
from clew.agent.protocol import get_dialect
from clew.errors import InputError
from clew.trainer.algorithm.rollout import RolloutSettings, prompt_ids, rollouts
from clew.trainer.chat_template import KEEPS_TURNS
from clew.trainer.config import load_recipe
from clew.trainer.models import check_window, context_window, load_tokenizer
from clew.types import Fact, Retrieved, Step
from tests.trainer_models import TEMPLATE, write_tiny_model

DIALECT = get_dialect("graph-r1")
TURNS = [
    DIALECT.render_turn("First, who built it.", query="builder of the mill"),
    DIALECT.render_turn("Now his town [1].", query="town of Jonas Pell"),
    DIALECT.render_turn("It is there [2].", answer="Hallow"),
]


def template(name: str) -> str:
    """A chat template as TRL keeps it of the model that it belongs to."""
    import trl

    return (Path(trl.__file__).parent / "chat_templates" / f"{name}.jinja").read_text()


def tokenizer_with(folder: Path, chat_template: str | None, *, begins: bool = False) -> Any:
    """The tiny model's tokenizer as it is loaded with this template; ``begins``: it puts a token before every text."""
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    own = AutoTokenizer.from_pretrained(write_tiny_model(folder))
    marks = ["<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>", "<start_of_turn>", "<end_of_turn>", "[INST]"]
    own.add_special_tokens({"bos_token": "<|begin|>", "additional_special_tokens": [*marks, "<|im_start|>", "[/INST]"]})
    own.chat_template = chat_template
    if begins:
        core = TemplateProcessing(single="<|begin|> $A", special_tokens=[("<|begin|>", own.bos_token_id)])
        own.backend_tokenizer.post_processor = core
    (folder / "chat_template.jinja").unlink()
    own.save_pretrained(folder)
    return load_tokenizer(str(folder))


class Library:
    """A strategy that answers every query with one fact of its own."""

    name = "library"

    def retrieve(self, queries: list[str], k: int) -> list[Retrieved]:
        return [Retrieved(query, (Fact(query, f"Of the {query}.", (), 1.0),)) for query in queries]


@pytest.mark.parametrize(
    ("name", "rewritten"),
    [
        ("qwen2_5", False),
        ("llama3", False),
        ("gemma", False),
        ("qwen3", True),
        ("deepseek_r1_distill", True),
        ("qwen3_5_nothink", True),
        ("gptoss", True),
        (None, True),
    ],
)
def test_what_is_sampled_from_is_what_a_server_renders(name: str | None, rewritten: bool, tmp_path: Path) -> None:
    """Token by token, at every turn: the rollout's context, and the served template over the agent's messages."""
    tokenizer = tokenizer_with(tmp_path, name and template(name), begins=True)
    contexts: list[list[int]] = []

    def generate(batch: list[list[int]], limit: int) -> list[list[int]]:
        contexts.append(batch[0])
        ids: list[int] = tokenizer.encode(TURNS[len(contexts) - 1], add_special_tokens=False)
        return [ids]

    class Asked:
        id, question, answers = "1", "Where did the builder of the mill live?", ("Hallow",)

    limits = RolloutSettings(max_turns=4)
    [played] = rollouts(generate, tokenizer, [Asked], Library(), limits)  # type: ignore[arg-type]
    assert played.answer == "Hallow"
    assert tokenizer.chat_template.startswith(KEEPS_TURNS) is rewritten
    served = load_tokenizer(tokenizer.save_pretrained(tmp_path / "exported")[0].rpartition("/")[0])
    for number, context in enumerate(contexts):
        steps = [Step(turn.thought, turn.query, turn.facts, raw=turn.raw) for turn in played.turns[:number]]
        said = messages(DIALECT, Asked.question, steps)
        text = served.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
        assert tokenizer.decode(context) == text
        assert context == served.encode(text, add_special_tokens=False)


def test_a_base_model_gets_the_token_that_begins_a_text_where_its_tokenizer_sets_one(tmp_path: Path) -> None:
    begins = tokenizer_with(tmp_path / "a", None, begins=True)
    assert prompt_ids(begins, "Who?") == tuple(begins.encode("Who?\n"))
    bare = tokenizer_with(tmp_path / "b", None)
    assert prompt_ids(bare, "Who?") == tuple(bare.encode("Who?\n", add_special_tokens=False))


def test_a_template_that_shows_no_conversation_is_refused(tmp_path: Path) -> None:
    for broken in (template("llava_next"), "{{ messages[0].content }}", "{{ raise_exception('no') }}"):
        with pytest.raises(InputError, match="cannot show a user and an assistant in turn"):
            tokenizer_with(tmp_path, broken)


def test_context_windows_are_read_with_what_stretches_them() -> None:
    from transformers import BloomConfig, GPT2Config, LlamaConfig

    def llama(**rope: Any) -> int | None:
        return context_window(LlamaConfig(max_position_embeddings=256, rope_parameters={"rope_theta": 1e4, **rope}))

    assert llama(rope_type="default") == 256
    assert llama(rope_type="linear", factor=4.0) == llama(rope_type="dynamic", factor=4.0) == 1024
    assert llama(rope_type="yarn", factor=8.0, original_max_position_embeddings=128) == 1024
    extended = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
    assert llama(rope_type="llama3", factor=8.0, **extended) == 256
    assert context_window(GPT2Config(n_positions=300)) == 300
    assert context_window(BloomConfig()) is None


def test_a_run_that_is_longer_than_the_context_window_is_refused_with_what_to_lower(tmp_path: Path) -> None:
    from transformers import GPT2Config

    tokenizer = tokenizer_with(tmp_path, TEMPLATE)
    questions = ["Who?", "Who built the old mill by the river?"]
    recipe = load_recipe("graph-r1", ["rollout.max_turn_tokens=64"], {"model.path": "m"})
    prompt = len(prompt_ids(tokenizer, Episode(DIALECT, recipe.rollout.max_turns).prompt(questions[1])))
    exact = GPT2Config(n_positions=prompt + recipe.rollout.max_tokens)
    check_window(recipe, exact, tokenizer, questions)
    exact.n_positions -= 1
    room = recipe.rollout.max_tokens - 1
    with pytest.raises(InputError, match=f"--set rollout.max_tokens={room}\\)"):
        check_window(recipe, exact, tokenizer, questions)
    with pytest.raises(InputError, match=r"has 128 tokens.*shorten the questions, or take a model with a longer one"):
        check_window(recipe, GPT2Config(n_positions=128), tokenizer, questions)
