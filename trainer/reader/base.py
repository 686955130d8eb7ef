"""What a reader is trained from: the built-in encoder, another BERT, or an earlier reader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clew.bert import SCALE, Array, buildable, load_weights
from clew.embedding import BUILT_IN, local_folder
from clew.errors import InputError
from clew.reader.reader import read_weights


@dataclass(frozen=True, slots=True)
class Base:
    """A BERT's ``config`` and float ``weights`` by their names in ``transformers``; an earlier reader's heads too."""

    name: str
    config: Mapping[str, Any]
    weights: Mapping[str, Array]
    tokenizer: Path

    @property
    def built_in(self) -> bool:
        """Whether it rests on the encoder of the installation, whose embeddings a reader does not bring."""
        return self.name == BUILT_IN


def read_base(path: Path | None = None) -> Base:
    """The built-in encoder, that of a folder, or the reader of a file of weights.

    Raises InputError for a folder that holds no such network, ReaderError for a file that is no reader.
    """
    built_in = local_folder(BUILT_IN) if path is None else None
    if path is not None and path.is_file():
        weights, about = read_weights(path)
        folder = local_folder(BUILT_IN) if about["encoder"] == BUILT_IN else path.parent
        assert folder is not None
        return Base(about["encoder"], about["config"], _whole(weights), folder / "tokenizer.json")
    folder = built_in or path
    assert folder is not None
    wanted = ("config.json", "tokenizer.json", "model.safetensors")
    if not all((folder / name).is_file() for name in wanted) or not buildable(folder):
        raise InputError(f"{folder} holds no BERT to train on: wanted are {', '.join(wanted)}.")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    name = BUILT_IN if built_in else folder.resolve().name
    return Base(name, config, load_weights(folder / "model.safetensors"), folder / "tokenizer.json")


def _whole(weights: Mapping[str, Array]) -> dict[str, Array]:
    """Weights without int8: matrices times the scales of their groups."""
    return {
        name: (one * weights[name + SCALE].astype(np.float32)).reshape(len(one), -1) if name + SCALE in weights else one
        for name, one in weights.items()
        if not name.endswith(SCALE)
    }
