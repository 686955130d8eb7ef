"""Training the reader: passes of AdamW over batches, and checkpoints to go on from.

A run that was killed goes on from its last checkpoint, which is written beside the old one and renamed. The batches of
later passes are made in processes of their own while one is read.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from math import isfinite
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from clew.bert import multiplies_bfloat16
from clew.errors import ReaderError
from clew.trainer.reader.base import Base
from clew.trainer.reader.examples import Example, batches_of_pass, tensors
from clew.trainer.reader.items import Item
from clew.trainer.reader.network import ReaderNetwork, distance, loss
from clew.trainer.reader.settings import ReaderSettings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a training is: batches and share done, the mean loss of the last hundred, examples and seconds so far."""

    step: int
    share: float
    loss: float
    examples: int
    seconds: float

    @property
    def remaining(self) -> float:
        """Seconds still to go at the rate so far."""
        return self.seconds / max(self.share, 1e-6) * (1 - self.share)


def device() -> torch.device:
    """What a reader is trained on: a GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(
    items: Sequence[Item],
    base: Base,
    folder: Path,
    settings: ReaderSettings,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    teacher: ReaderNetwork | None = None,
) -> ReaderNetwork:
    """Train a reader on ``items`` from ``base``; checkpoints go to ``folder``, and are taken up.

    ``teacher`` is a reader of the same vocabulary to learn from besides.
    It runs on a GPU where there is one, in bfloat16 where the machine is made for it. Raises ReaderError as soon as the
    loss is no number, whose weights would never be one again.
    """
    where = device()
    torch.manual_seed(settings.seed)
    network = ReaderNetwork(base, settings.frozen, settings.dropout).to(where)
    if teacher is not None:
        teacher = teacher.to(where).eval()
    weights = [p for p in network.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=settings.rate, weight_decay=settings.decay, fused=True)
    begin, spent = _resume(folder, network, optimiser, settings)
    started, saved = 0.0, time.perf_counter()
    seen, recent = 0, list[float]()
    network.train()
    half = where.type == "cuda" or multiplies_bfloat16()
    for step, of_passes, end, batch in _plan(items, base.tokenizer, settings, begin):
        started = started or time.perf_counter()  # the batches of a pass are made before its first
        of_minutes = (spent + time.perf_counter() - started) / 60 / settings.minutes if settings.minutes else 0.0
        share, last = min(max(of_passes, of_minutes), 1.0), end or of_minutes >= 1
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * _schedule(share, settings.warm_up)
        ids, mask, types, *right = (one.to(where, non_blocking=True) for one in tensors(batch))
        torch.manual_seed(settings.seed * 1_000_000 + step)  # the same dropout after a restart
        with torch.autocast(where.type, torch.bfloat16, enabled=half):
            outputs = network(ids, mask, types)
            with torch.no_grad():
                shown = teacher(ids, mask, types) if teacher else None
        value = loss(*outputs, *right)
        own_loss = value.item()
        if shown is not None:
            value = (1 - settings.teacher) * value + settings.teacher * distance(outputs, shown, right[-1])
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        seen += len(batch)
        recent = [*recent[-99:], own_loss]
        if not isfinite(recent[-1]):
            raise ReaderError(
                f"The loss of batch {step:,} is no number: lower the rate (--set rate={settings.rate / 4:g})."
            )
        now = time.perf_counter()
        if step % 20 == 0 or last:
            on_progress(Progress(step, share, sum(recent) / len(recent), seen, spent + now - started))
        if now - saved > settings.checkpoint or last:
            _save(folder, network, optimiser, settings, step, spent + now - started)
            saved = time.perf_counter()
        if last:
            break
    return network.cpu()


def _plan(
    items: Sequence[Item], tokenizer: Path, settings: ReaderSettings, begin: int
) -> Iterator[tuple[int, float, bool, list[Example]]]:
    """Batches after the first ``begin``, each with its number, the share done before it, and whether it is the last."""
    step = 0
    workers = max((os.cpu_count() or 1) // 3, 1)
    with ProcessPoolExecutor(workers, get_context("spawn")) as makers:
        made = [makers.submit(batches_of_pass, items, tokenizer, settings, number) for number in range(settings.passes)]
        for number in range(settings.passes):
            now = made.pop(0).result()
            for at, batch in enumerate(now):
                step += 1
                if step > begin:
                    last = not made and at + 1 == len(now)
                    yield step, (number + at / len(now)) / settings.passes, last, batch


def _schedule(share: float, warm_up: float) -> float:
    """Linear to 1 over the warm-up, then linear to 0."""
    return min(share / warm_up if warm_up else 1.0, (1 - share) / (1 - warm_up))


def trained(network: ReaderNetwork) -> dict[str, Tensor]:
    """The weights that training changes, by name."""
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
        if {**json.loads(about["settings"]), "minutes": settings.minutes} != asdict(settings):
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
