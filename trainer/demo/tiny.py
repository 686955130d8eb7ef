"""A policy small enough to be trained from nothing on a CPU: a word tokenizer and a Qwen2 of 536 thousand parameters.

It begins as a pretrained model does: it learns to copy, to recall from knowledge blocks, and then, from flawed
demonstrations (``trainer.demo.scripted``), the protocol. What it cannot do yet, to go on asking until it knows, is left
to reinforcement learning. Every tag is one token, and so is every name and relation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from clew.agent.protocol import REPEATED, get_dialect
from clew.trainer.demo.world import ENTITIES, RELATIONS

PAD, EOS, UNKNOWN = "[pad]", "[eos]", "[unk]"
IGNORED = -100
"""The label of tokens that carry no loss."""

_CHAT_TEMPLATE = (
    "{% for m in messages %}{{ m.content.split('Question: ')[-1] if loop.first else m.content }} {% endfor %}"
)
"""The instructions are left out: the policy has one task, and no words to read them with."""


def tiny_tokenizer() -> Any:
    """A word tokenizer for worlds, in the form in which Hugging Face's libraries save and load them.

    The numbers of facts are left out, and so is the order to answer; the notes that stand in place of facts are one
    token each.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    dialect = get_dialect("graph-r1")
    tags = dialect.tags
    words = [PAD, EOS, UNKNOWN, *tags, "Q", "?", "|", "repeated", "nothing", *ENTITIES, *RELATIONS]
    core = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token=UNKNOWN))
    tag_pattern = "</?(?:think|query|knowledge|answer)>"
    core.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(dialect.last_lookup, " "),
            normalizers.Replace(Regex(r"\[\d+\]"), " "),
            normalizers.Replace(REPEATED, "repeated"),
            normalizers.Replace("Nothing found.", "nothing"),
        ]
    )
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(tag_pattern), "isolated"), pre_tokenizers.WhitespaceSplit()]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token=PAD, eos_token=EOS, unk_token=UNKNOWN, padding_side="left"
    )
    tokenizer.chat_template = _CHAT_TEMPLATE
    return tokenizer


def tiny_model(tokenizer: Any, seed: int) -> Any:
    """A Qwen2 with random weights: 2 layers, 4 heads, width 128, feed-forward 512, tied embeddings."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(seed)
    dialect = get_dialect("graph-r1")
    ends = [tokenizer.eos_token_id, *(tokenizer.convert_tokens_to_ids(tag) for tag in dialect.stop)]
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=128,
        intermediate_size=512,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
        attn_implementation="sdpa",
    )
    model = Qwen2ForCausalLM(config)
    model.generation_config.eos_token_id = ends
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    return model


Example = tuple[list[int], list[int]]
"""Token ids, and for each the label: itself, or ``IGNORED``."""


def copying(tokenizer: Any, rng: random.Random) -> Example:
    """A random string and the same again, of any length, so that content is learnt to be looked for, not distance.

    Every token takes part, tags too: what is learnt here carries over to knowledge blocks only where the tokens around
    the facts are known. With names and relations alone, recall took ten to forty times as many steps.
    """
    run = rng.sample(range(tokenizer.unk_token_id + 1, len(tokenizer)), k=rng.randint(8, 28))
    again = run[rng.randrange(4) :]
    return run + again, [IGNORED] * (len(run) + 1) + again[1:]


def recalling(tokenizer: Any, rng: random.Random) -> Example:
    """Two queries, each with its block of four facts, and then what was asked for and what the other relations lead to.

    With the answer to the query alone there is so little to learn from that some seeds never learn to look facts up.
    """
    id = tokenizer.convert_tokens_to_ids
    ids: list[int] = []
    labels: list[int] = []
    for _ in range(2):
        subject, relations = rng.choice(ENTITIES), rng.sample(RELATIONS, 4)
        facts = [[subject, relation, *rng.sample(ENTITIES, 2)] for relation in relations]
        asked = rng.choice(facts)
        block = [word for fact in facts for word in fact]
        ids += id(["<query>", *asked[:2], "</query>", "<knowledge>", *block, "</knowledge>", "<think>"])
        for fact in (asked, *rng.sample([one for one in facts if one is not asked], len(facts) - 1)):
            relation, found, bar = id([*fact[1:3], "|"])
            labels += [IGNORED] * (len(ids) - len(labels))
            ids += [relation, found, bar]
            labels += [relation if fact is asked else IGNORED, found, bar]
    return ids, labels


def learn(
    model: Any,
    batches: Iterator[list[Example]],
    *,
    rate: float,
    steps: int,
    decays: bool,
    pad: int,
    enough: Callable[[float, int], bool] = lambda *_: False,
    on_step: Callable[[int, float, float], None] = lambda *_: None,
) -> None:
    """Supervised steps by AdamW, the rate constant or falling to 5 % of itself.

    ``enough`` is asked after each step with the accuracy of its batch on labelled tokens and the step's number, and
    ``on_step`` receives step, loss and accuracy.
    """
    import torch

    from clew.trainer.sampling import pad_left

    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    model.train()
    for step in range(1, steps + 1):
        if decays:
            for group in optimizer.param_groups:
                group["lr"] = rate * (1 - 0.95 * step / steps)
        examples = next(batches)
        ids, mask = pad_left([ids for ids, _ in examples], pad)
        labels, _ = pad_left([labels for _, labels in examples], IGNORED)
        positions = (mask.cumsum(1) - 1).clamp(min=0)
        # The body alone, and the head only where a label is: most tokens of a demonstration are the graph's.
        hidden = model.model(input_ids=ids, attention_mask=mask, position_ids=positions).last_hidden_state
        targets = labels[:, 1:]
        wanted = targets != IGNORED
        logits = model.lm_head(hidden[:, :-1][wanted])
        loss = torch.nn.functional.cross_entropy(logits, targets[wanted])
        accuracy = (logits.argmax(-1) == targets[wanted]).float().mean().item()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        on_step(step, loss.item(), accuracy)
        if enough(accuracy, step):
            return
