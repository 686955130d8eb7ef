"""A Qwen2 of a few thousand weights with a real byte-level tokenizer, built from nothing, for tests of the trainer."""

from __future__ import annotations

from pathlib import Path

TEXT = """\
<think>I have to look this up.</think>
<query>Who is the keeper of the lighthouse?</query>
<knowledge>[1] The lighthouse: It was built by the harbour board in 1861.</knowledge>
<answer>the harbour board</answer>
Answer the question with the help of a knowledge graph that you look things up in, one query a turn.
In every turn, reason inside and first. Then write exactly one of these two, and stop. Question: When was she born?
"""

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def write_tiny_model(folder: Path, seed: int = 0) -> Path:
    """Write tokenizer and random weights in Hugging Face's form to ``folder``."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import Qwen2Config, Qwen2ForCausalLM, Qwen2Tokenizer

    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator([TEXT] * 3, vocab_size=500, min_frequency=2, show_progress=False)
    folder.mkdir(parents=True, exist_ok=True)
    trained.save_model(str(folder))
    tokenizer = Qwen2Tokenizer(
        str(folder / "vocab.json"),
        str(folder / "merges.txt"),
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
    )
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder
