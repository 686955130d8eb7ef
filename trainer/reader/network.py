"""The reader's network in PyTorch: a BERT encoder whose first layers stay as they are, and two linear heads.

Of each token the span head tells whether an answer starts or ends there; the first token stands for "not here" (Devlin
et al., arXiv 1810.04805, §4.3). Of the first token the verdict head tells: neither, yes, no.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from clew.errors import InputError
from clew.trainer.reader.base import Base

HEADS = ("span", "verdict")
VERDICTS = 3
_ON_CPU = "clew-on-cpu"


class ReaderNetwork(nn.Module):
    """Start and end scores of each token, and the three scores of the verdict, for a batch of windows.

    It begins as ``base``, the heads at random where it has none. ``frozen`` layers, from the first, get no gradient,
    nor do the embeddings of the built-in encoder, which are shared. ``dropout`` is the share of what the layers hand on
    that training leaves out (none in attention, which would turn its fast kernels off).
    """

    def __init__(self, base: Base, frozen: int = 0, dropout: float = 0.0) -> None:
        super().__init__()
        from transformers import AttentionInterface, AttentionMaskInterface, BertConfig, BertModel
        from transformers.masking_utils import sdpa_mask

        AttentionInterface.register(_ON_CPU, _attention)
        AttentionMaskInterface.register(_ON_CPU, sdpa_mask)
        changes = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": 0.0}
        kernel = "sdpa" if torch.cuda.is_available() else _ON_CPU
        config: Any = BertConfig(**{**base.config, **changes}, attn_implementation=kernel)
        self.bert: Any = BertModel(config, add_pooling_layer=False)
        self.span = nn.Linear(config.hidden_size, 2)
        self.verdict = nn.Linear(config.hidden_size, VERDICTS)
        state = {name if name.split(".")[0] in HEADS else f"bert.{name}": torch.from_numpy(one.astype(np.float32))
                 for name, one in base.weights.items()}  # fmt: skip
        missing = self.load_state_dict(state, strict=False).missing_keys
        if lacking := [name for name in missing if name.split(".")[0] not in HEADS]:
            raise InputError(f"{base.name} lacks the weights {', '.join(lacking[:3])} of a BERT.")
        for part in (*([self.bert.embeddings] if base.built_in else []), *self.bert.encoder.layer[:frozen]):
            part.requires_grad_(False)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(batch, tokens) ids, mask and segments to (batch, tokens) start and end scores and (batch, 3) verdicts."""
        hidden = self.bert(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        start, end = self.span(hidden).float().unbind(-1)
        outside = mask == 0
        return start.masked_fill(outside, -1e4), end.masked_fill(outside, -1e4), self.verdict(hidden[:, 0]).float()


def _attention(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **unused: Any
) -> tuple[Tensor, None]:
    """Attention as plain products, (batch, heads, tokens, width) each: PyTorch's fused one learns at a third of the
    speed on a CPU with bfloat16, where its backward step is not vectorised."""
    scores = torch.matmul(query * query.shape[-1] ** -0.5, key.transpose(-1, -2))
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask, -1e4)
    with torch.autocast(query.device.type, enabled=False):
        return torch.matmul(scores.softmax(-1), value).transpose(1, 2), None


def loss(
    start: Tensor, end: Tensor, verdict: Tensor, starts: Tensor, ends: Tensor, verdicts: Tensor, spans: Tensor
) -> Tensor:
    """The mean over a batch of −log p(start) − log p(end), each summed over the right places, and −log p(verdict).

    ``starts`` and ``ends`` are (batch, tokens) with 1 at each right place (the first token where there is none).
    ``spans`` is 1 for rows whose spans are told, which a question of yes or no has not.
    """
    at_start = start.logsumexp(1) - start.masked_fill(starts == 0, -1e4).logsumexp(1)
    at_end = end.logsumexp(1) - end.masked_fill(ends == 0, -1e4).logsumexp(1)
    kind = nn.functional.cross_entropy(verdict, verdicts, reduction="none")
    return ((at_start + at_end) * spans / 2 + 0.5 * kind).mean()


def distance(ours: Sequence[Tensor], theirs: Sequence[Tensor], spans: Tensor) -> Tensor:
    """The mean cross-entropy of start, end and verdict under another reader's probabilities (arXiv 1503.02531, §2)."""
    start, end, kind = (
        nn.functional.cross_entropy(one, other.softmax(1), reduction="none")
        for one, other in zip(ours, theirs, strict=True)
    )
    return ((start + end) * spans / 2 + 0.5 * kind).mean()
