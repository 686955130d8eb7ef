"""The hypergraph as arrays: the entities, chunks and words of each hyperedge, and its vector. Texts stay in Neo4j."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from clew.retrieval.graph.vector_table import VectorTable

Ids = npt.NDArray[np.bytes_]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Incidence:
    """Which columns each row touches: ``columns[starts[i]:starts[i + 1]]`` are those of row i."""

    starts: Rows
    columns: Rows

    def of(self, rows: Rows) -> tuple[Rows, Rows]:
        """The columns of several rows, one row after another, and for each of them the position of its row."""
        counts = self.starts[rows + 1] - self.starts[rows]
        owners = np.repeat(np.arange(len(rows)), counts)
        ends = np.cumsum(counts)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        return self.columns[self.starts[rows][owners] + within], owners

    def degrees(self, rows: Rows) -> Rows:
        """How many columns each of the rows has."""
        degrees: Rows = self.starts[rows + 1] - self.starts[rows]
        return degrees

    def transposed(self, columns: int) -> Incidence:
        """The same the other way round, with so many rows."""
        from scipy.sparse import csr_array

        # Counts where to put each column, which for a million takes a sixth of the time of sorting them.
        shape = len(self.starts) - 1, columns
        flipped = csr_array((np.ones(len(self.columns), np.int8), self.columns, self.starts), shape=shape).tocsc()
        return Incidence(flipped.indptr.astype(np.int64), flipped.indices.astype(np.int64))


@dataclass(frozen=True, slots=True)
class Graph:
    """A knowledge base at one version. Rows are positions in ``hyperedges``, ``entities`` and ``chunks``, sorted ids.

    ``vectors`` has a row a hyperedge; ``titles`` tells which entities are some page's title; ``passages`` counts
    the chunks that each entity occurs in. Entities that are merged (``clew.resolution``) are one row, that of the best
    connected; ``merged`` are the sorted ids of the others, ``merged_rows`` their rows. ``encoder`` is the name and the
    precision of the one that made the vectors. ``words`` are the sorted names (``lexical.word_id``) of the words of
    hyperedges, ``words_of`` those of each, as often as it has them, and ``facts_with`` the hyperedges of each word.
    """

    version: str
    hyperedges: Ids
    entities: Ids
    chunks: Ids
    vectors: VectorTable
    titles: npt.NDArray[np.bool_]
    passages: Rows
    entities_of: Incidence
    hyperedges_of: Incidence
    chunks_of: Incidence
    facts_of: Incidence
    merged: Ids = field(default_factory=lambda: np.zeros(0, "S20"))
    merged_rows: Rows = field(default_factory=lambda: np.zeros(0, np.int64))
    encoder: tuple[str, str] = ("", "")
    words: Ids = field(default_factory=lambda: np.zeros(0, "S20"))
    words_of: Incidence = field(default_factory=lambda: Incidence(np.zeros(1, np.int64), np.zeros(0, np.int64)))
    facts_with: Incidence = field(default_factory=lambda: Incidence(np.zeros(1, np.int64), np.zeros(0, np.int64)))

    def entity_rows(self, wanted: Sequence[str]) -> Rows:
        """The rows of entities by their ids, merged ones too; -1 where there is none."""
        rows = find(self.entities, wanted)
        other = find(self.merged, wanted)
        rows[other >= 0] = self.merged_rows[other[other >= 0]]
        return rows

    @property
    def degrees(self) -> Rows:
        """How many hyperedges each entity takes part in."""
        degrees: Rows = np.diff(self.hyperedges_of.starts)
        return degrees


def find(ids: Ids, wanted: Sequence[str] | Ids) -> Rows:
    """The rows of ids, -1 where there is none."""
    asked = np.array(wanted, dtype=ids.dtype)
    if not len(ids) or not len(asked):
        return np.full(len(asked), -1)
    at = np.minimum(np.searchsorted(ids, asked), len(ids) - 1)
    rows: Rows = np.where(ids[at] == asked, at, -1)
    return rows
