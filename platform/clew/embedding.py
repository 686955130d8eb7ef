"""Text to unit vectors: the shared encoder φ of entities, hyperedges, chunks and queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Encodes a batch of texts to an (n, dimensions) float32 array of unit rows; no texts give an empty array."""

    name: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> Vectors: ...
