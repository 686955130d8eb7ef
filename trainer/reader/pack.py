"""A trained reader as Clew ships it: int8 where that loses nothing, and only what differs from the encoder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clew.bert import SCALE, Array, quantise

HEADS = ("span", "verdict")


def packed(weights: Mapping[str, Array]) -> dict[str, Array]:
    """Weights by the names of ``ReaderNetwork`` to those of the shipped file.

    Matrices of the layers become int8 with scales in half precision; the rest stays float32.
    """
    result: dict[str, Array] = {}
    for name, value in weights.items():
        short = name.removeprefix("bert.")
        if value.ndim == 2 and short.split(".")[0] not in HEADS:
            result[short], scale = quantise(value)
            result[short + SCALE] = scale.astype(np.float16)
        else:
            result[short] = value.astype(np.float32)
    return result


def write(path: Path, weights: Mapping[str, Array], about: Mapping[str, Any]) -> None:
    """Write a reader's file beside an old one, and put it in its place at once."""
    from safetensors.numpy import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    staging = path.with_suffix(".new")
    save_file(packed(weights), str(staging), metadata={"reader": json.dumps(dict(about), sort_keys=True)})
    staging.replace(path)
