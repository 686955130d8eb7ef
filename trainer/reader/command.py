"""``python -m trainer reader``: train, pack, calibrate, measure, and write the card."""

from __future__ import annotations

import json
import platform
import random
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.errors import InputError

if TYPE_CHECKING:
    from clew.trainer.reader.calibration import Calibrated
    from clew.trainer.reader.items import Item
    from clew.trainer.reader.settings import ReaderSettings
    from clew.trainer.reader.training import Progress

_PATH = click.Path(exists=True, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("reader")
@click.argument("train", nargs=-1, required=True, type=_FILE, metavar="FILE …")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for weights, card and checkpoint.")
@click.option("--test", multiple=True, type=_FILE, help="Files to measure on; may come several times.")
@click.option("--base", type=_PATH, help="What to begin from: folder of a BERT, or weights of a reader.")
@click.option("--teacher", type=_FILE, help="Weights of a reader whose probabilities are learned from besides.")
@click.option("--leave-out", type=_FILE, help="Ids of examples to leave out, a line each.")
@click.option("--set", "changes", multiple=True, metavar="A=B", help="Change a setting, such as passes=2.")
@click.option("--calibrate/--no-calibrate", default=True, help="Fit the confidence behind a search (needs Neo4j).")
@click.option("--reader", "weights", type=_FILE, help="Train none: calibrate and measure that of these weights.")
def reader(
    train: Sequence[Path], out: Path, test: Sequence[Path], base: Path | None, teacher: Path | None,
    leave_out: Path | None, changes: Sequence[str], calibrate: bool, weights: Path | None,
) -> None:  # fmt: skip
    """Train the span reader on FILEs of questions over passages, and write what Clew reads with.

    With --reader none is trained: the confidence of that one is fitted anew (but for --no-calibrate), and its figures
    on the test files are told. The files are lines of JSON (question,
    context, answers with text and start) or of SQuAD's shape, plain or gzipped.
    A part of the passages is held out for calibration. Killed, the same command goes on from its last checkpoint.
    """
    from clew.trainer.packages import require_packages

    require_packages("torch", "transformers", "sklearn")
    import torch

    from clew.reader.reader import OpenVinoReader
    from clew.trainer.reader.base import read_base
    from clew.trainer.reader.card import calibration_card, card, figures_card
    from clew.trainer.reader.figures import measure
    from clew.trainer.reader.items import parted, read_items
    from clew.trainer.reader.near_misses import ASIDE, near_misses
    from clew.trainer.reader.negatives import beside
    from clew.trainer.reader.network import ReaderNetwork
    from clew.trainer.reader.pack import write
    from clew.trainer.reader.settings import ReaderSettings
    from clew.trainer.reader.training import device, trained
    from clew.trainer.reader.training import train as train_reader

    settings = _changed(ReaderSettings(), changes)
    ids = frozenset(leave_out.read_text(encoding="utf-8").split("\n")) if leave_out else frozenset()
    kept, aside = parted(read_items(train, ids), settings.dev)
    if not kept:
        raise InputError("The files hold no examples to train on.")
    kept += parted(near_misses(), ASIDE)[0]
    click.echo(f"{len(kept):,} examples to train on, {len(aside):,} held out.", err=True)
    asked = read_items(test)
    asked += beside(asked, random.Random(settings.seed))
    if weights is not None:
        out.mkdir(parents=True, exist_ok=True)
        earlier = OpenVinoReader(weights)
        if calibrate:
            click.echo(calibration_card(_calibrated(aside, earlier, settings, out), settings.unanswerable))
            click.echo(f"{out / 'confidence.json'} is what the reader's confidence is weighed with.")
        if asked:
            click.echo(figures_card(measure(asked, earlier, _count)))
        return
    began = time.perf_counter()
    over = read_base(base)
    shown = ReaderNetwork(read_base(teacher)) if teacher else None
    network = train_reader(kept, over, out, settings, _tell, shown)
    minutes = (time.perf_counter() - began) / 60
    machine = torch.cuda.get_device_name() if device().type == "cuda" else platform.machine()
    made = out / "reader.safetensors"
    about: dict[str, Any] = {"encoder": over.name, "examples": len(kept)}
    if not over.built_in:
        about["config"] = over.config
        out.mkdir(parents=True, exist_ok=True)
        (out / "tokenizer.json").write_bytes(over.tokenizer.read_bytes())
    written = write(made, {name: value.numpy() for name, value in trained(network).items()}, about)
    size = sum(file.stat().st_size for file in written)
    calibrated = _calibrated(aside, OpenVinoReader(made), settings, out) if calibrate else None
    figures = measure(asked, OpenVinoReader(made), _count) if asked else None
    changed = [word for change in changes for word in ("--set", change)]
    command = shlex.join(["python", "-m", "clew.trainer", "reader", *(path.name for path in train), *changed])
    text = card(kept, settings, minutes, size, figures, calibrated, command, machine, over.name)
    (out / "README.md").write_text(text, encoding="utf-8")
    click.echo(f"{made} has {size / 1e6:.1f} MB; {out / 'README.md'} tells how well it reads.")


def _calibrated(items: Sequence[Item], reader: Any, settings: ReaderSettings, out: Path) -> Calibrated:
    """Fit on the held-out passages and on the documents with near misses, each in a knowledge base of its own."""
    from clew import KnowledgeBase
    from clew.trainer.reader.calibration import Searched, absent, calibrate
    from clew.trainer.reader.items import parted
    from clew.trainer.reader.near_misses import ASIDE, documents, near_misses

    seed = settings.seed
    titles = {item.context: item.title for item in items if not absent(item)}
    passages = [json.dumps({"title": title or text[:40], "text": text}) for text, title in titles.items()]
    files = {"calibration.jsonl": "\n".join(passages)}
    whole = {one["name"]: one["text"] for one in documents()}
    with (
        KnowledgeBase.open(f"reader-calibration-{seed}") as of_passages,
        KnowledgeBase.open(f"reader-calibration-{seed}-documents") as of_documents,
    ):
        try:
            for kb, written in ((of_passages, files), (of_documents, whole)):
                if kb.exists():
                    kb.delete()  # of a run that was killed: the same passages twice would spoil every rank
                with tempfile.TemporaryDirectory() as folder:
                    for name, text in written.items():
                        Path(folder, name).write_text(text, encoding="utf-8")
                    kb.ingest(folder)
            k = of_passages.settings.top_k
            of = Searched(items, of_passages.strategy("clew"), k)
            near = Searched(parted(near_misses(), ASIDE)[1], of_documents.strategy("clew"), k)
            calibrated = calibrate(of, near, reader, seed, settings.unanswerable)
        finally:
            of_passages.delete()
            of_documents.delete()
    calibrated.write(out / "confidence.json")
    return calibrated


def _changed(settings: ReaderSettings, changes: Sequence[str]) -> ReaderSettings:
    """The settings with each ``A=B``. Raises InputError for a name or value that does not fit."""
    kinds = {field.name: type(getattr(settings, field.name)) for field in fields(settings)}
    for change in changes:
        name, _, value = change.partition("=")
        if name not in kinds:
            raise InputError(f"The reader has no setting {name!r}; it has {', '.join(kinds)}.")
        try:
            settings = replace(settings, **{name: kinds[name](value)})
        except ValueError as error:
            raise InputError(f"{change!r} does not fit: {name} is of the kind {kinds[name].__name__}.") from error
    return settings


def _tell(progress: Progress) -> None:
    rate = progress.examples / max(progress.seconds, 1e-9)
    line = (
        f"batch {progress.step:,}, {progress.share:.0%}, loss {progress.loss:.3f}, {rate:.1f} examples a second, "
        f"{progress.remaining / 60:.0f} minutes to go"
    )
    click.echo(f"\r{line}" if sys.stderr.isatty() else line, err=True, nl=not sys.stderr.isatty())


def _count(done: int) -> None:
    if done % 500 == 0:
        click.echo(f"{done:,} questions measured", err=True)
