"""Chat templates that show a trajectory as it was written, so that a policy is served what it was trained on.

A rollout only ever adds tokens: the prompt, a turn, what the graph answers, the next turn. Some templates render such a
conversation otherwise: they drop the thoughts of earlier turns (Qwen3), or open the next one themselves (DeepSeek-R1's
distillates). Such a tokenizer gets a template made of the same pieces that keeps every turn, and it is exported with
it. A base model, which has none, gets one that begins as its tokenizer begins every text.
"""

from __future__ import annotations

import json
import re
from typing import Any

from clew.errors import InputError
from clew.trainer.algorithm.rollout import between_turns, rendered

KEEPS_TURNS = "{# Clew's: every turn stays as it was written. #}"
"""How a template begins that was written here."""

_TURNS = ("<think>t1</think>\n<query>q1</query>", "<think>t2</think>\n<query>q2</query>")
_BLOCKS = ("<knowledge>\nb1\n</knowledge>", "<knowledge>\nb2\n</knowledge>")
_OPENED = re.compile(r"<think>\s*(?:</think>\s*)?\Z")
_BODY = """\
{{ OPENING }}{% for m in messages %}{% if m.role == 'assistant' %}{{ AFTER + m.content }}\
{{ eos_token if loop.last else BEFORE }}{% else %}{{ m.content }}\
{{ '' if loop.last or loop.nextitem.role == 'assistant' else '\\n\\n' }}{% endif %}{% endfor %}\
{% if add_generation_prompt %}{{ AFTER }}{% endif %}"""


def keep_turns(tokenizer: Any) -> None:
    """Give the tokenizer a template that keeps every turn, unless its own does.

    Raises InputError where its own does not show a conversation between a user and an assistant.
    """
    if not tokenizer.chat_template:
        begins = tokenizer.encode("")[:1]
        opening = tokenizer.bos_token if begins == [tokenizer.bos_token_id] else ""
        tokenizer.chat_template = _written(opening, "\n", "\n")
        return
    # Jinja's errors, and what is missing in the text, differ from template to template.
    try:
        opening, after = rendered(tokenizer, "\u2020question\u2020").split("\u2020question\u2020", 1)
        before, _ = between_turns(tokenizer)
        kept = _keeps(tokenizer, opening, before, after)
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"The chat template of {tokenizer.name_or_path} cannot show a user and an assistant in turn ({reason}): "
            "mend it, or take it out of the folder to train without."
        ) from error
    if not kept:
        tokenizer.chat_template = _written(opening, before, _OPENED.sub("", after))


def _keeps(tokenizer: Any, opening: str, before: str, after: str) -> bool:
    """Whether a conversation of two turns is rendered as a rollout puts it together."""
    expected = opening + "q" + after
    for turn, block in zip(_TURNS, _BLOCKS, strict=True):
        expected += turn + before + block + after
    return rendered(tokenizer, "q", _TURNS[0], _BLOCKS[0], _TURNS[1], _BLOCKS[1]) == expected


def _written(opening: str, before: str, after: str) -> str:
    pieces = {"OPENING": opening, "BEFORE": before, "AFTER": after}
    return KEEPS_TURNS + re.sub("OPENING|BEFORE|AFTER", lambda m: json.dumps(pieces[m.group()]), _BODY)
