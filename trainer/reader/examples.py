"""From questions over passages to batches of windows: what one pass reads, cut as the reader cuts it in use.

The same seed gives the same examples, windows and order.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from clew.reader.windows import Encoded, Tokens, room, token_span, window
from clew.trainer.reader.contradictions import beside_denials
from clew.trainer.reader.items import Item
from clew.trainer.reader.negatives import negatives
from clew.trainer.reader.settings import ReaderSettings

_POOL = 64
"""Batches whose examples are sorted by length together: even lengths in a batch, random batches in a pass."""
_PART = 2_000
"""Examples that are tokenised together."""


@dataclass(frozen=True, slots=True)
class Example:
    """A window's token ids with its right first and last tokens, and its verdict.

    ``segment`` is where the title and the passage begin; ``has_spans`` is 0 where the spans are not known.
    """

    ids: npt.NDArray[np.int32]
    segment: int
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    verdict: int
    has_spans: int


def batches_of_pass(
    items: Sequence[Item], tokenizer: Path, settings: ReaderSettings, number: int
) -> list[list[Example]]:
    """The batches of pass ``number`` of a training, in the order in which they are read."""
    seed = settings.seed * 1000 + number
    chosen = training_items(items, settings, seed)
    made = examples(chosen, Tokens(tokenizer), settings, seed)
    return list(batches(made, settings.batch_tokens, random.Random(seed)))


def training_items(items: Sequence[Item], settings: ReaderSettings, seed: int) -> list[Item]:
    """What one pass reads: of each domain some examples of each kind, and negatives made of them."""
    rng = random.Random(seed)
    by_domain: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        kind = "list" if item.complete else "span" if item.spans else "verdict" if item.verdict else "none"
        by_domain[f"{item.domain}, {kind}"].append(item)
    chosen: list[Item] = []
    for domain in sorted(by_domain):
        found = by_domain[domain]
        rng.shuffle(found)
        chosen += found[: settings.whole + int(settings.rest * max(len(found) - settings.whole, 0))]
        chosen += found[: max(settings.whole - len(found), 0)]
    chosen += [*negatives(chosen, rng), *beside_denials(chosen, rng)]
    rng.shuffle(chosen)
    return chosen


def examples(items: Sequence[Item], tokens: Tokens, settings: ReaderSettings, seed: int) -> list[Example]:
    """One window of each item; of a long passage usually one around an answer, wherever it comes to lie in it.

    They come sorted by passage, so that one that many questions ask about is tokenised once.
    """
    rng = random.Random(seed)
    ordered = sorted(items, key=lambda item: (item.context, item.id))
    made = []
    for at in range(0, len(ordered), _PART):
        part = ordered[at : at + _PART]
        unique = list(dict.fromkeys(text for item in part for text in (item.question, item.title, item.context)))
        encoded = dict(zip(unique, tokens.encode(unique), strict=True))
        for item in part:
            passage = encoded[item.context]
            if not passage.ids:
                continue
            one = _example(item, tokens, encoded[item.question], encoded[item.title], passage, settings, rng)
            if one:
                made.append(one)
    return made


def _example(
    item: Item, tokens: Tokens, question: Encoded, title: Encoded, passage: Encoded, settings: ReaderSettings,
    rng: random.Random,
) -> Example | None:  # fmt: skip
    """None where no answer fits into a window."""
    size = room(question, title)
    last = max(len(passage.ids) - size, 0)
    located = [span for start, end in item.spans if (span := token_span(passage, start, end)) is not None]
    spans = [(first, end) for first, end in located if end - first < size]
    if located and not spans:
        return None
    if spans and last and rng.random() >= settings.aside:
        first, end = rng.choice(spans)
        begin = rng.randint(min(max(end - size + 1, 0), last), min(first, last))
    else:
        begin = rng.randint(0, last)
    shown = window(tokens, question, title, passage, begin)
    inside = [(a - begin + shown.first, b - begin + shown.first) for a, b in spans
              if begin <= a and b < begin + len(shown.offsets)]  # fmt: skip
    inside = inside or [(0, 0)]
    return Example(
        np.array(shown.ids, np.int32), shown.segment, tuple(a for a, _ in inside), tuple(b for _, b in inside),
        item.verdict, int(not item.verdict),
    )  # fmt: skip


def batches(made: Sequence[Example], budget: int, rng: random.Random) -> Iterator[list[Example]]:
    """Examples in random order, of similar length in each batch of at most ``budget`` tokens with padding."""
    order = list(range(len(made)))
    rng.shuffle(order)
    pool = _POOL * max(budget // 128, 1)
    for at in range(0, len(order), pool):
        rows = sorted(order[at : at + pool], key=lambda row: len(made[row].ids))
        groups: list[list[Example]] = [[]]
        for row in rows:
            if groups[-1] and (len(groups[-1]) + 1) * len(made[row].ids) > budget:
                groups.append([])
            groups[-1].append(made[row])
        rng.shuffle(groups)
        yield from groups


def tensors(batch: Sequence[Example]) -> tuple[Tensor, ...]:
    """ids, mask, types, starts, ends (batch, tokens) and verdicts, has_spans (batch) of a batch."""
    width = max(len(example.ids) for example in batch)
    ids, mask, types, starts, ends = (np.zeros((len(batch), width), np.int64) for _ in range(5))
    for row, example in enumerate(batch):
        length = len(example.ids)
        ids[row, :length] = example.ids
        mask[row, :length] = 1
        types[row, example.segment : length] = 1
        starts[row, list(example.starts)] = 1
        ends[row, list(example.ends)] = 1
    verdicts = np.array([example.verdict for example in batch])
    has_spans = np.array([example.has_spans for example in batch], np.float32)
    return tuple(torch.from_numpy(one) for one in (ids, mask, types, starts, ends, verdicts, has_spans))
