"""Turns sampled from a policy outside of vLLM: ragged batches, with a cache of keys and values that outlives a turn.

A turn's contexts go on from those of the turn before, so only what the graph has added is read; contexts that are
alike are read once. Rows are padded on the left, and what a row has not written is masked for good: the cache has
holes, and positions count tokens, not columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

from clew.agent.protocol import Dialect
from clew.trainer.algorithm.rollout import Generate

TAIL = 16
"""Tokens among which a closing tag that is several tokens is looked for."""
ROOM = 128
"""Columns by which a cache grows."""


def sampler(
    model: Any,
    tokenizer: Any,
    dialect: Dialect,
    temperature: float,
    batch: int = 64,
    *,
    seed: int | None = None,
    bfloat16: bool = False,
) -> Generate:
    """Sample ``batch`` contexts at a time, each up to what ends its turn; ``temperature`` 0 is greedy.

    Where a closing tag is several tokens, its text ends the turn; what the last token holds after it is sampled too.
    ``bfloat16`` samples from a copy of the weights, of which half as much is read for each token; a model with an
    adapter is sampled from a copy with that merged, too, which spares two products a matrix.
    """
    ended = ends_turn(tokenizer, dialect)
    pad = tokenizer.pad_token_id
    generator = torch.Generator(model.device).manual_seed(seed) if seed is not None else None
    copy = _copy(model, bfloat16) if bfloat16 or hasattr(model, "peft_config") else None
    last: _Read | None = None

    @torch.no_grad()
    def generate(contexts: list[list[int]], limit: int) -> list[list[int]]:
        nonlocal last
        network, training = copy or model, model.training
        network.eval()
        rows: list[list[int]] = []
        for first in range(0, len(contexts), batch):
            part = contexts[first : first + batch]
            found = last.going_on(part) if last else None
            if found is None and copy:
                copy.load_state_dict(_merged(model))
            last, logits = _read(network, found, part, pad)
            rows += _write(network, last, logits, limit, ended, pad, lambda x: _draw(x, temperature, generator))
        model.train(training)
        return rows

    return generate


def end_tokens(tokenizer: Any, dialect: Dialect) -> list[int]:
    """The tokens that end a turn: end of text, and the closing tags that are one token of this tokenizer."""
    ends = [tokenizer.eos_token_id]
    for tag in dialect.stop:
        ids = tokenizer.encode(tag, add_special_tokens=False)
        if len(ids) == 1 and ids[0] != tokenizer.unk_token_id:
            ends.append(ids[0])
    return ends


def pad_left(rows: Sequence[Sequence[int]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and mask, (batch, longest) each."""
    longest = max(map(len, rows))
    ids = torch.full((len(rows), longest), pad)
    mask = torch.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, longest - len(row) :] = torch.tensor(row, dtype=torch.long)
        mask[i, longest - len(row) :] = 1
    return ids, mask


def ends_turn(tokenizer: Any, dialect: Dialect) -> Callable[[list[int]], bool]:
    """Whether a row has ended with its last token."""
    ends = set(end_tokens(tokenizer, dialect))
    last = {tag[-1] for tag in dialect.stop}
    may_close = {id for text, id in tokenizer.get_vocab().items() if any(mark in text for mark in last)}

    def ended(row: list[int]) -> bool:
        if row[-1] in ends:
            return True
        if row[-1] not in may_close or len(ends) > len(dialect.stop):
            return False
        text = tokenizer.decode(row[-TAIL:], skip_special_tokens=False)
        return any(tag in text for tag in dialect.stop)

    return ended


class _Growing(DynamicLayer):  # type: ignore[misc]
    """Keys and values at the front of a larger buffer: growing by ``torch.cat`` copies all of them for each token."""

    keys: Any
    values: Any
    buffers: tuple[torch.Tensor, torch.Tensor] | None = None

    def update(self, key_states: Any, value_states: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        had = self.get_seq_length()
        has = had + key_states.shape[-2]
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        if self.buffers is None or has > self.buffers[0].shape[-2]:
            held = (self.keys, self.values) if had else (None, None)
            new = (key_states, value_states)
            self.buffers = tuple(_roomy(old, one, has + ROOM) for old, one in zip(held, new, strict=True))  # type: ignore[assignment]
        keys, values = self.buffers  # type: ignore[misc]
        keys[:, :, had:has], values[:, :, had:has] = key_states, value_states
        self.keys, self.values = keys[:, :, :has], values[:, :, :has]
        return self.keys, self.values

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        super().batch_select_indices(indices)
        self.buffers = None


def _roomy(held: torch.Tensor | None, like: torch.Tensor, columns: int) -> torch.Tensor:
    batch, heads, _, width = like.shape
    buffer = like.new_empty(batch, heads, columns, width)
    if held is not None:
        buffer[:, :, : held.shape[-2]] = held
    return buffer


@dataclass(slots=True)
class _Read:
    """What the network has read: the cache, the tokens of each row, and which of its columns are tokens."""

    cache: Any
    rows: list[list[int]]
    mask: torch.Tensor

    def going_on(self, contexts: Sequence[Sequence[int]]) -> _Read | None:
        """The rows that these contexts begin with; None where one begins with none, or the cache cannot have holes."""
        if isinstance(self.cache, DynamicCache):
            return None
        known = {tuple(row): i for i, row in enumerate(self.rows)}
        lengths = {len(row) for row in self.rows}
        places = []
        for context in contexts:
            heads = (tuple(context[:n]) for n in lengths if n < len(context))
            place = next((known[head] for head in heads if head in known), None)
            if place is None:
                return None
            places.append(place)
        self.cache.batch_select_indices(torch.tensor(places, device=self.mask.device))
        return _Read(self.cache, [self.rows[place] for place in places], self.mask[places])


def _read(network: Any, before: _Read | None, contexts: Sequence[list[int]], pad: int) -> tuple[_Read, torch.Tensor]:
    """The contexts read, and the logits after each."""
    distinct = [list(one) for one in dict.fromkeys(map(tuple, contexts))] if before is None else contexts
    if before is None:
        none = torch.zeros((len(distinct), 0), dtype=torch.long, device=network.device)
        before = _Read(_cache(network), [[] for _ in distinct], none)
    fresh = [context[len(row) :] for row, context in zip(before.rows, distinct, strict=True)]
    ids, mask = (one.to(network.device) for one in pad_left(fresh, pad))
    positions = (before.mask.sum(1, keepdim=True) + mask.cumsum(1) - 1).clamp(min=0)
    mask = torch.cat([before.mask, mask], 1)
    logits = _forward(network, ids, mask, positions, before.cache)
    if len(distinct) < len(contexts):
        places = torch.tensor([distinct.index(context) for context in contexts], device=network.device)
        before.cache.batch_select_indices(places)
        mask, logits = mask[places], logits[places]
    return _Read(before.cache, [list(context) for context in contexts], mask), logits


def _write(
    network: Any,
    read: _Read,
    logits: torch.Tensor,
    limit: int,
    ended: Callable[[list[int]], bool],
    pad: int,
    draw: Callable[[torch.Tensor], torch.Tensor],
) -> list[list[int]]:
    """Sample on from ``read``, which grows by what is sampled, but for each row's last token where nothing follows."""
    written: list[list[int]] = [[] for _ in read.rows]
    alive = [True] * len(written)
    positions = read.mask.sum(1, keepdim=True)
    while True:
        wrote = torch.tensor(alive, dtype=torch.long, device=network.device)
        tokens = torch.where(wrote > 0, draw(logits), pad)
        for i, token in enumerate(tokens.tolist()):
            if alive[i]:
                written[i].append(token)
                alive[i] = not ended(written[i])
        if not any(alive) or max(map(len, written)) >= limit:
            return written
        read.mask = torch.cat([read.mask, wrote[:, None]], 1)
        for row, token, new in zip(read.rows, tokens.tolist(), wrote.tolist(), strict=True):
            row.extend([token] * new)
        logits = _forward(network, tokens[:, None], read.mask, positions, read.cache)
        positions = positions + wrote[:, None]


def _forward(network: Any, ids: torch.Tensor, mask: torch.Tensor, positions: torch.Tensor, cache: Any) -> torch.Tensor:
    """The logits after the last column, (batch, vocabulary)."""
    found = network(
        input_ids=ids,
        attention_mask=mask,
        position_ids=positions,
        past_key_values=cache,
        use_cache=True,
        logits_to_keep=1,
    )
    logits: torch.Tensor = found.logits[:, -1].float()
    return logits


def _cache(network: Any) -> Any:
    kinds = set(getattr(network.config, "layer_types", None) or ["full_attention"])
    return Cache(layer_class_to_replicate=_Growing) if kinds == {"full_attention"} else DynamicCache(network.config)


def _draw(logits: torch.Tensor, temperature: float, generator: torch.Generator | None) -> torch.Tensor:
    if temperature == 0:
        return logits.argmax(-1)
    return torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)[:, 0]


def _copy(model: Any, bfloat16: bool) -> Any:
    """A network of the same shape without an adapter, whose weights are yet to be filled in."""
    from transformers.initialization import no_init_weights

    plain = _plain(model)
    with no_init_weights():
        dtype = torch.bfloat16 if bfloat16 else plain.dtype
        return type(plain)._from_config(plain.config, dtype=dtype).to(plain.device).eval()


def _plain(model: Any) -> Any:
    """The network beneath an adapter, or the network itself."""
    return model.get_base_model() if hasattr(model, "peft_config") else model


def _merged(model: Any) -> dict[str, torch.Tensor]:
    """The weights by their names without an adapter, what that adds to them included."""
    plain = _plain(model)
    state = {name.replace(".base_layer", ""): one for name, one in plain.state_dict().items() if ".lora_" not in name}
    for name, module in plain.named_modules():
        if hasattr(module, "get_delta_weight"):
            state[f"{name}.weight"] = state[f"{name}.weight"] + module.get_delta_weight(module.active_adapters[0])
    return state
