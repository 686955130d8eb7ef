"""A reader learns, ships what it learned, and goes on where it was killed."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from transformers import BertConfig, BertModel  # noqa: E402

from clew.embedding import BUILT_IN, local_folder  # noqa: E402
from clew.errors import InputError, ReaderError  # noqa: E402
from clew.reader.reader import WEIGHTS, OpenVinoReader, Text  # noqa: E402
from clew.reader.windows import Tokens, windows  # noqa: E402
from clew.trainer.reader.base import read_base  # noqa: E402
from clew.trainer.reader.items import Item  # noqa: E402
from clew.trainer.reader.network import ReaderNetwork  # noqa: E402
from clew.trainer.reader.pack import LARGEST, write  # noqa: E402
from clew.trainer.reader.settings import ReaderSettings  # noqa: E402
from clew.trainer.reader.training import Progress, train, trained  # noqa: E402

SETTINGS = ReaderSettings(frozen=2, batch_tokens=640, rate=5e-4, passes=1, checkpoint=1e9)


def encoder() -> Path:
    folder = local_folder(BUILT_IN)
    assert folder is not None
    return folder


def lamps(count: int) -> list[Item]:
    rng = random.Random(1)
    items = []
    for number in range(count):
        maker, year = rng.choice(("Ida Falk", "Eva Strand", "Nils Ek", "Per Holm")), rng.randint(1850, 1950)
        context = f"The lamp was drawn in {year} by {maker}, who sold it in twelve countries."
        start = context.index(maker)
        items.append(Item(str(number), "Who drew the lamp?", "Lamp", context, ((start, start + len(maker)),)))
    return items


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[ReaderNetwork, Path]:
    folder = tmp_path_factory.mktemp("reader")
    network = train(lamps(260), read_base(), folder, SETTINGS)
    weights = folder / "reader.safetensors"
    write(weights, {n: v.numpy() for n, v in trained(network).items()}, {"encoder": BUILT_IN, "frozen": 2})
    return network.eval(), weights


def test_it_learns_to_find_whom_a_question_asks_for(learned: tuple[ReaderNetwork, Path]) -> None:
    text = Text("Lamp", "The lamp was drawn in 1901 by Tora Lindqvist, who sold it in twelve countries.")
    [reading] = OpenVinoReader(learned[1]).read("Who drew the lamp?", [text])
    best = reading.spans[0]
    assert text.text[best.start : best.end] == "Tora Lindqvist"
    assert best.margin > 0


def test_what_is_shipped_reads_as_what_was_trained(learned: tuple[ReaderNetwork, Path]) -> None:
    same_scores(*learned)


def test_a_reader_over_another_bert_brings_all_its_weights(tmp_path: Path) -> None:
    config = json.loads((encoder() / "config.json").read_text())
    folder = tmp_path / "base"
    BertModel(BertConfig(**{**config, "num_hidden_layers": 8}), add_pooling_layer=False).save_pretrained(folder)
    shutil.copy(encoder() / "tokenizer.json", folder)
    base = read_base(folder)
    brief = replace(SETTINGS, frozen=0, passes=9, minutes=1e-9)
    network = train(lamps(20), base, tmp_path, brief, teacher=ReaderNetwork(read_base(WEIGHTS)))
    weights = tmp_path / "reader.safetensors"
    shutil.copy(base.tokenizer, tmp_path)
    about = {"encoder": base.name, "config": base.config}
    files = write(weights, {n: v.numpy() for n, v in trained(network).items()}, about)
    assert len(files) > 1
    assert all(file.stat().st_size <= LARGEST for file in files)
    same_scores(network.eval(), weights)
    same_scores(ReaderNetwork(read_base(weights)).eval(), weights)
    files[1].unlink()
    with pytest.raises(ReaderError, match="cannot be read"):
        OpenVinoReader(weights)


def test_a_shipped_reader_is_a_network_again() -> None:
    same_scores(ReaderNetwork(read_base(WEIGHTS)).eval(), WEIGHTS)


def same_scores(network: ReaderNetwork, weights: Path) -> None:
    tokens = Tokens(encoder() / "tokenizer.json")
    question, title, passage = tokens.encode(["Who drew the lamp?", "Lamp", "It was drawn in 1901 by Ida Falk. " * 8])
    [window, *_] = windows(tokens, question, title, passage)
    [start], [end], [verdict] = OpenVinoReader(weights).scores([window])
    ids, types = torch.tensor([window.ids]), torch.tensor([window.types])
    with torch.no_grad():
        exact = network(ids, torch.ones_like(ids), types)
    for ours, theirs in zip((start, end, verdict), exact, strict=True):
        row = theirs[0].numpy()
        assert np.abs(ours - row).max() < 0.1 * np.ptp(row)
        assert row[np.argmax(ours)] > row.max() - 0.1 * np.ptp(row)  # heads that nobody trained have near ties


def test_only_what_differs_from_the_encoder_is_shipped(learned: tuple[ReaderNetwork, Path]) -> None:
    from safetensors import safe_open

    with safe_open(str(learned[1]), "np") as file:
        names = set(file.keys())
    assert not any(name.startswith(("embeddings.", "encoder.layer.0.", "encoder.layer.1.")) for name in names)
    assert learned[1].stat().st_size < 8_000_000


def test_a_killed_training_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    items = lamps(60)
    small = replace(SETTINGS, batch_tokens=160)
    whole = train(items, read_base(), tmp_path / "whole", small)

    class Killed(Exception):
        pass

    def kill(progress: object) -> None:
        raise Killed

    eager = replace(small, checkpoint=0.0)
    folder = tmp_path / "killed"
    with pytest.raises(Killed):
        train(items, read_base(), folder, eager, kill)
    assert (folder / "checkpoint.safetensors").is_file()
    seen: list[Progress] = []
    again = train(items, read_base(), folder, eager, seen.append)
    assert seen[-1].examples < len(items) * 2, "it did not begin anew"
    for name, value in trained(whole).items():
        assert torch.allclose(value, trained(again)[name], atol=1e-5), name


def test_a_damaged_file_is_named(tmp_path: Path, learned: tuple[ReaderNetwork, Path]) -> None:
    broken = tmp_path / "reader.safetensors"
    broken.write_bytes(learned[1].read_bytes()[:1000])
    with pytest.raises(ReaderError, match=r"reader\.safetensors"):
        OpenVinoReader(broken)


def test_a_loss_that_is_no_number_ends_a_training(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="no number: lower the rate"):
        train(lamps(80), read_base(), tmp_path, replace(SETTINGS, rate=1e30, warm_up=0.0))


def test_a_folder_without_a_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no BERT to train on"):
        read_base(tmp_path)
