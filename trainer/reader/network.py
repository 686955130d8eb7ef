"""The reader's network in PyTorch: a BERT encoder whose first layers stay as they are, and two linear heads.

Of each token the span head tells whether an answer starts or ends there; the first token stands for "not here" (Devlin
et al., arXiv 1810.04805, §4.3). Of the first token the verdict head tells: neither, yes, no.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import Tensor, nn

VERDICTS = 3


class ReaderNetwork(nn.Module):
    """Start and end scores of each token, and the three scores of the verdict, for a batch of windows.

    ``frozen`` layers, from the first, are the encoder's own and get no gradient, as do its embeddings; ``dropout`` is
    the share of what the layers hand on that training leaves out.
    """

    def __init__(self, encoder: Path, frozen: int, dropout: float = 0.0) -> None:
        super().__init__()
        from transformers import BertModel
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        self.bert: Any = BertModel.from_pretrained(
            str(encoder),
            add_pooling_layer=False,
            attn_implementation="sdpa",
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
            use_safetensors=True,
            local_files_only=True,
        )
        width: int = self.bert.config.hidden_size
        self.span = nn.Linear(width, 2)
        self.verdict = nn.Linear(width, VERDICTS)
        self.frozen = frozen
        for part in (self.bert.embeddings, *self.bert.encoder.layer[:frozen]):
            part.requires_grad_(False)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(batch, tokens) ids, mask and segments to (batch, tokens) start and end scores and (batch, 3) verdicts."""
        hidden = self.bert(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        start, end = self.span(hidden).float().unbind(-1)
        outside = mask == 0
        return start.masked_fill(outside, -1e4), end.masked_fill(outside, -1e4), self.verdict(hidden[:, 0]).float()


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
