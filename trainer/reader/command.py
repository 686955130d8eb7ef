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

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("reader")
@click.argument("train", nargs=-1, required=True, type=_FILE, metavar="FILE …")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for weights, card and checkpoint.")
@click.option("--test", multiple=True, type=_FILE, help="Files to measure on; may come several times.")
@click.option("--leave-out", type=_FILE, help="Ids of examples to leave out, a line each.")
@click.option("--set", "changes", multiple=True, metavar="A=B", help="Change a setting, such as passes=2.")
@click.option("--calibrate/--no-calibrate", default=True, help="Fit the confidence behind a search (needs Neo4j).")
@click.option("--reader", "weights", type=_FILE, help="Train none, and calibrate that of these weights.")
def reader(
    train: Sequence[Path], out: Path, test: Sequence[Path], leave_out: Path | None, changes: Sequence[str],
    calibrate: bool, weights: Path | None,
) -> None:  # fmt: skip
    """Train the span reader on FILEs of questions over passages, and write what Clew reads with.

    With --reader none is trained, and the confidence of that one is fitted anew. The files are lines of JSON (question,
    context, answers with text and start) or of SQuAD's shape, plain or gzipped.
    A part of the passages is held out for calibration. Killed, the same command goes on from its last checkpoint.
    """
    from clew.trainer.packages import require_packages

    require_packages()
    import torch
    from safetensors.numpy import load_file

    from clew.embedding import BUILT_IN, local_folder
    from clew.reader.reader import OpenVinoReader
    from clew.trainer.reader.card import calibration_card, card
    from clew.trainer.reader.figures import measure
    from clew.trainer.reader.items import held_out, read_items
    from clew.trainer.reader.negatives import beside
    from clew.trainer.reader.pack import write
    from clew.trainer.reader.settings import ReaderSettings
    from clew.trainer.reader.training import device, trained
    from clew.trainer.reader.training import train as train_reader

    settings = _changed(ReaderSettings(), changes)
    ids = frozenset(leave_out.read_text(encoding="utf-8").split("\n")) if leave_out else frozenset()
    items = read_items(train, ids)
    kept = [item for item in items if not held_out(item, settings.dev)]
    aside = [item for item in items if held_out(item, settings.dev)]
    if not kept:
        raise InputError("The files hold no examples to train on.")
    click.echo(f"{len(kept):,} examples to train on, {len(aside):,} held out.", err=True)
    if weights is not None and not calibrate:
        raise InputError("--reader is there to calibrate a reader: leave --no-calibrate out.")
    if weights is not None:
        out.mkdir(parents=True, exist_ok=True)
        text = calibration_card(_calibrated(aside, OpenVinoReader(weights), settings.seed, out))
        click.echo(f"{text}\n{out / 'confidence.json'} is what the reader's confidence is weighed with.")
        return
    encoder = local_folder(BUILT_IN)
    assert encoder is not None
    began = time.perf_counter()
    network = train_reader(kept, encoder, out, settings, _tell)
    minutes = (time.perf_counter() - began) / 60
    machine = torch.cuda.get_device_name() if device().type == "cuda" else platform.machine()
    made = out / "reader.safetensors"
    about = {"encoder": BUILT_IN, "frozen": settings.frozen, "examples": len(kept)}
    write(made, {name: value.numpy() for name, value in trained(network).items()}, about)
    load_file(str(made))
    trained_reader = OpenVinoReader(made)
    calibrated = _calibrated(aside, trained_reader, settings.seed, out) if calibrate else None
    asked = read_items(test)
    asked += beside(asked, random.Random(settings.seed))
    figures = measure(asked, trained_reader, _count) if test else None
    changed = [word for change in changes for word in ("--set", change)]
    command = shlex.join(["python", "-m", "clew.trainer", "reader", *(path.name for path in train), *changed])
    text = card(kept, settings, minutes, made.stat().st_size, figures, calibrated, command, machine)
    (out / "README.md").write_text(text, encoding="utf-8")
    click.echo(f"{made} has {made.stat().st_size / 1e6:.1f} MB; {out / 'README.md'} tells how well it reads.")


def _calibrated(items: Sequence[Item], reader: Any, seed: int, out: Path) -> Calibrated:
    """Fit on the held-out passages and on the documents with near misses, each in a knowledge base of its own."""
    from clew import KnowledgeBase
    from clew.trainer.reader.calibration import Searched, absent, calibrate
    from clew.trainer.reader.near_misses import documents, near_misses

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
            near = Searched(near_misses(), of_documents.strategy("clew"), k)
            calibrated = calibrate(of, near, reader, seed)
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
        f"batch {progress.step:,}, {progress.share:.0%}, loss {progress.loss:.3f}, {rate:.0f} examples a second, "
        f"{progress.remaining / 60:.0f} minutes to go"
    )
    click.echo(f"\r{line}" if sys.stderr.isatty() else line, err=True, nl=not sys.stderr.isatty())


def _count(done: int) -> None:
    if done % 500 == 0:
        click.echo(f"{done:,} questions measured", err=True)
