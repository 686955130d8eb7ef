"""Encoders around an encoder: one that knows how long it has worked, one that encodes each text once."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from clew.embedding import Embedder, Vectors
from clew.text.normalise import clean


class TimedEmbedder:
    """Counts the ``seconds`` that the encoder works, so that a strategy's time can be given without it.

    For a strategy that encodes in the thread that calls it.
    """

    def __init__(self, inner: Embedder) -> None:
        self.name, self.precision, self.dimensions = inner.name, inner.precision, inner.dimensions
        self.seconds = 0.0
        self._inner = inner

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Encode ``texts``, and count the time."""
        began = time.perf_counter()
        try:
            return self._inner.embed(texts)
        finally:
            self.seconds += time.perf_counter() - began


class RememberingEmbedder:
    """Encodes each text once: gold passages and answers come back for every strategy and policy."""

    def __init__(self, inner: Embedder) -> None:
        self.name, self.precision, self.dimensions = inner.name, inner.precision, inner.dimensions
        self._inner = inner
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Encode what has not been encoded before."""
        fresh = list(dict.fromkeys(text for text in texts if text not in self._known))
        self._known.update(zip(fresh, self._inner.embed([clean(text) for text in fresh]), strict=True))
        return np.stack([self._known[text] for text in texts]) if texts else self._inner.embed(texts)
