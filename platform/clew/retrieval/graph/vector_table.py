"""The vectors of rows that come and go, most of which stay where they are in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clew.embedding import Vectors

LOOSE = 0.25
"""Share of vectors that were added since all were last copied, or are no longer used, above which all are again."""


@dataclass(frozen=True, slots=True)
class VectorTable:
    """Vectors by row: those of ``table[rows]`` are (rows, d) float32.

    Each row has a place, first in ``stored`` and then in ``added``, (·, d) each, which are never written to: tables of
    several versions share what they have in common, and a change costs what it adds and not what is there.
    """

    stored: Vectors
    added: Vectors
    places: npt.NDArray[np.int64]

    @classmethod
    def of(cls, vectors: Vectors) -> VectorTable:
        """The table whose rows are those of an (n, d) array."""
        return cls(vectors, vectors[:0], np.arange(len(vectors)))

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, rows: npt.NDArray[np.int64] | Sequence[int]) -> Vectors:
        places = self.places[rows]
        if not len(self.added):
            return self.stored[places]
        late = places >= len(self.stored)
        found = self.stored[np.where(late, 0, places)]
        found[late] = self.added[places[late] - len(self.stored)]
        return found

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.stored.shape[1])

    def whole(self) -> Vectors:
        """All vectors in the order of the rows, (n, d)."""
        return self[np.arange(len(self))]

    def cosines(self, vectors: Vectors) -> Vectors:
        """The products of every row with (q, d) vectors, (rows, q): cosines, where all have length 1."""
        if 2 * len(self) < len(self.stored):
            return self.whole() @ vectors.T
        stored = self.stored @ vectors.T
        return (np.concatenate([stored, self.added @ vectors.T]) if len(self.added) else stored)[self.places]

    def changed(self, rows: npt.NDArray[np.int64], new: Vectors) -> VectorTable:
        """The table of ``rows`` of this one; where they are -1, of those of ``new`` in their order."""
        fresh = rows < 0
        if fresh.all():
            return VectorTable.of(new)
        places = self.places[rows]
        places[fresh] = len(self.stored) + len(self.added) + np.arange(len(new))
        table = VectorTable(self.stored, np.concatenate([self.added, new]), places)
        unused = len(self.stored) - np.count_nonzero(places < len(self.stored))
        return VectorTable.of(table.whole()) if len(table.added) + unused > LOOSE * len(rows) else table
