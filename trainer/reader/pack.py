"""A trained reader as Clew ships it: int8 where that loses nothing, and only what differs from the encoder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clew.bert import SCALE, Array, quantise
from clew.reader.reader import part_of
from clew.trainer.reader.network import HEADS

LARGEST = 16_000_000
"""Bytes of one file of weights, at most."""
_HEADER = 100_000


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


def write(path: Path, weights: Mapping[str, Array], about: Mapping[str, Any]) -> list[Path]:
    """Write a reader's files beside old ones, and put them in their place; at most ``LARGEST`` bytes each."""
    from safetensors.numpy import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    parts: list[dict[str, Array]] = [{}]
    for name, value in packed(weights).items():
        if parts[-1] and sum(one.nbytes for one in parts[-1].values()) + value.nbytes > LARGEST - _HEADER:
            parts.append({})
        parts[-1][name] = value
    written = [part_of(path, number) for number in range(len(parts))]
    about_file = {"reader": json.dumps({**about, "parts": len(parts)}, sort_keys=True)}
    for file, part in zip(written, parts, strict=True):
        save_file(part, str(file.with_suffix(".new")), metadata=about_file)
    for file in written:
        file.with_suffix(".new").replace(file)
    return written
