"""Training the reader: examples to windows, windows to batches, one pass of AdamW, checkpoints to go on from.

The same seed gives the same examples, windows and order. A run that was killed goes on from its last checkpoint, which
is written beside the old one and renamed.
"""

from __future__ import annotations

import json
import logging
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from clew.reader.windows import Encoded, Tokens, Window, room, token_span, window
from trainer.reader.items import Item
from trainer.reader.negatives import negatives
from trainer.reader.network import ReaderNetwork, loss

_log = logging.getLogger(__name__)
_POOL = 64
"""Batches whose examples are sorted by length together: even lengths in a batch, random batches in a pass."""


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """How a reader is trained.

    ``batch_tokens`` counts tokens with padding. A domain gives ``whole`` examples and the share ``rest`` of what it has
    beyond them, so that none drowns the others; ``aside`` is the share of windows of a long passage that show a part
    without the answer. ``dev`` is the share of passages that is held out. ``checkpoint`` is in seconds.
    """

    seed: int = 1
    frozen: int = 2
    batch_tokens: int = 5120
    rate: float = 1.5e-4
    warm_up: float = 0.06
    decay: float = 0.01
    whole: int = 3_000
    rest: float = 0.45
    passes: int = 1
    aside: float = 0.12
    dev: float = 0.03
    checkpoint: float = 240.0


@dataclass(frozen=True, slots=True)
class Example:
    """A window with its right first and last tokens, and its verdict; ``told`` is 0 where its spans are not known."""

    window: Window
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    verdict: int
    told: int


def training_items(items: Sequence[Item], settings: ReaderSettings) -> list[Item]:
    """What one pass reads: of each domain some examples of each kind, and negatives made of them."""
    rng = random.Random(settings.seed)
    by_domain: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        kind = "list" if item.complete else "span" if item.spans else "verdict" if item.verdict else "none"
        by_domain[f"{item.domain}, {kind}"].append(item)
    chosen: list[Item] = []
    for domain in sorted(by_domain):
        found = by_domain[domain]
        rng.shuffle(found)
        chosen += found[: settings.whole + int(settings.rest * max(len(found) - settings.whole, 0))]
    chosen += negatives(chosen, rng)
    rng.shuffle(chosen)
    return chosen


def examples(items: Sequence[Item], tokens: Tokens, settings: ReaderSettings, seed: int) -> list[Example]:
    """One window of each item; of a long passage usually one around an answer, wherever it comes to lie in it."""
    rng = random.Random(seed)
    made = []
    for at in range(0, len(items), 2000):
        part = items[at : at + 2000]
        questions = tokens.encode([item.question for item in part])
        titles = tokens.encode([item.title for item in part])
        passages = tokens.encode([item.context for item in part])
        for item, question, title, passage in zip(part, questions, titles, passages, strict=True):
            if passage.ids and (one := _example(item, tokens, question, title, passage, settings, rng)):
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
    return Example(shown, tuple(a for a, _ in inside), tuple(b for _, b in inside), item.verdict, int(not item.verdict))


def batches(made: Sequence[Example], budget: int, rng: random.Random) -> Iterator[list[Example]]:
    """Examples in random order, of similar length in each batch of at most ``budget`` tokens with padding."""
    order = list(range(len(made)))
    rng.shuffle(order)
    pool = _POOL * max(budget // 128, 1)
    for at in range(0, len(order), pool):
        rows = sorted(order[at : at + pool], key=lambda row: len(made[row].window.ids))
        groups: list[list[Example]] = [[]]
        for row in rows:
            if groups[-1] and (len(groups[-1]) + 1) * len(made[row].window.ids) > budget:
                groups.append([])
            groups[-1].append(made[row])
        rng.shuffle(groups)
        yield from groups


def tensors(batch: Sequence[Example]) -> tuple[Tensor, ...]:
    """ids, mask, types, starts, ends (batch, tokens) and verdicts, told (batch) of a batch."""
    width = max(len(example.window.ids) for example in batch)
    ids, mask, types, starts, ends = (torch.zeros((len(batch), width), dtype=torch.long) for _ in range(5))
    for row, example in enumerate(batch):
        length = len(example.window.ids)
        ids[row, :length] = torch.tensor(example.window.ids)
        mask[row, :length] = 1
        types[row, :length] = torch.tensor(example.window.types)
        starts[row, list(example.starts)] = 1
        ends[row, list(example.ends)] = 1
    verdicts = torch.tensor([example.verdict for example in batch])
    told = torch.tensor([float(example.told) for example in batch])
    return ids, mask, types, starts, ends, verdicts, told


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a training is: batches done of all, the mean loss of the last hundred, examples and seconds so far."""

    step: int
    steps: int
    loss: float
    examples: int
    seconds: float

    @property
    def remaining(self) -> float:
        """Seconds still to go at the rate so far."""
        return self.seconds / max(self.step, 1) * (self.steps - self.step)


def train(
    items: Sequence[Item],
    encoder: Path,
    folder: Path,
    settings: ReaderSettings,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> ReaderNetwork:
    """Train a reader on ``items`` over the encoder in ``encoder``; checkpoints go to ``folder``, and are taken up."""
    tokens = Tokens(encoder / "tokenizer.json")
    torch.manual_seed(settings.seed)
    network = ReaderNetwork(encoder, settings.frozen)
    weights = [p for p in network.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=settings.rate, weight_decay=settings.decay, fused=True)
    chosen = training_items(items, settings)
    plan: list[list[Example]] = []
    for number in range(settings.passes):
        made = examples(chosen, tokens, settings, settings.seed + number)
        plan += batches(made, settings.batch_tokens, random.Random(settings.seed + number))
    begin, spent = _resume(folder, network, optimiser, settings)
    started, saved = time.perf_counter(), time.perf_counter()
    seen, recent = 0, [0.0]
    network.train()
    for step in range(begin, len(plan)):
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * _schedule(step / len(plan), settings.warm_up)
        ids, mask, types, *right = tensors(plan[step])
        value = loss(*network(ids, mask, types), *right)
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        seen += len(plan[step])
        recent = [*recent[-99:], value.item()]
        now = time.perf_counter()
        done = step + 1
        if done % 20 == 0 or done == len(plan):
            mean = sum(recent) / len(recent)
            on_progress(Progress(done, len(plan), mean, seen, spent + now - started))
        if now - saved > settings.checkpoint or done == len(plan):
            _save(folder, network, optimiser, settings, done, spent + now - started)
            saved = time.perf_counter()
    return network


def _schedule(share: float, warm_up: float) -> float:
    """Linear to 1 over the warm-up, then linear to 0."""
    return min(share / warm_up if warm_up else 1.0, (1 - share) / (1 - warm_up))


def trained(network: ReaderNetwork) -> dict[str, Tensor]:
    """The weights that differ from the encoder's, by name."""
    return {name: p.detach().contiguous() for name, p in network.named_parameters() if p.requires_grad}


def _save(
    folder: Path, network: ReaderNetwork, optimiser: torch.optim.Optimizer, settings: ReaderSettings, step: int,
    seconds: float,
) -> None:  # fmt: skip
    from safetensors.torch import save_file

    state = {f"weights.{name}": value for name, value in trained(network).items()}
    for number, moments in optimiser.state_dict()["state"].items():
        state |= {f"optimiser.{number}.{key}": value.contiguous() for key, value in moments.items()}
    about = {"step": str(step), "seconds": str(seconds), "settings": json.dumps(asdict(settings))}
    folder.mkdir(parents=True, exist_ok=True)
    staging = folder / "checkpoint.new"
    save_file(state, str(staging), metadata=about)
    staging.replace(folder / "checkpoint.safetensors")


def _resume(
    folder: Path, network: ReaderNetwork, optimiser: torch.optim.Optimizer, settings: ReaderSettings
) -> tuple[int, float]:
    """The step to go on at and the seconds spent before; 0 and 0 where there is no checkpoint of these settings."""
    from safetensors import safe_open

    path = folder / "checkpoint.safetensors"
    if not path.is_file():
        return 0, 0.0
    with safe_open(str(path), "pt") as file:
        about = file.metadata()
        if json.loads(about["settings"]) != asdict(settings):
            _log.warning("The checkpoint in %s is of other settings: training begins anew.", folder)
            return 0, 0.0
        state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    network.load_state_dict(
        {name.removeprefix("weights."): value for name, value in state.items() if name.startswith("weights.")},
        strict=False,
    )
    moments: dict[int, dict[str, Any]] = defaultdict(dict)
    for name, value in state.items():
        if name.startswith("optimiser."):
            _, number, key = name.split(".", 2)
            moments[int(number)][key] = value
    if moments:
        optimiser.load_state_dict({**optimiser.state_dict(), "state": dict(moments)})
    return int(about["step"]), float(about["seconds"])
