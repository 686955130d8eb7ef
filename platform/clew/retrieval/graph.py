"""The hypergraph as arrays: a copy of Neo4j's adjacency in memory, renewed as soon as the graph has changed.

A walk touches thousands of hyperedges and their vectors; fetched for each query, they would cost many times what the
walk costs. Texts stay in Neo4j. Every writer gives the knowledge base a new version, every retrieval reads that version
along with what it asks for, and a copy of another version is not used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.database.connection import Database, Row
from clew.embedding import Vectors
from clew.ids import entity_id

Ids = npt.NDArray[np.bytes_]
Rows = npt.NDArray[np.int64]

PAGE = 20_000
"""Hyperedges read in one round trip."""
KEPT = 4
"""Knowledge bases kept in memory, at most."""


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
        order = np.argsort(self.columns, kind="stable")
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        counts = np.bincount(self.columns, minlength=columns)
        return Incidence(np.concatenate([[0], np.cumsum(counts)]), owners[order])


@dataclass(frozen=True, slots=True)
class Graph:
    """A knowledge base at one version. Rows are positions in ``hyperedges``, ``entities`` and ``chunks``, sorted ids.

    ``vectors`` is (hyperedges, d) float32; ``titles`` tells which entities are some page's title; ``passages`` counts
    the chunks that each entity occurs in. Entities that are merged (``clew.resolution``) are one row, that of the best
    connected; ``merged`` are the sorted ids of the others, ``merged_rows`` their rows.
    """

    version: str
    hyperedges: Ids
    entities: Ids
    chunks: Ids
    vectors: Vectors
    titles: npt.NDArray[np.bool_]
    passages: Rows
    entities_of: Incidence
    hyperedges_of: Incidence
    chunks_of: Incidence
    facts_of: Incidence
    merged: Ids = field(default_factory=lambda: np.zeros(0, "S20"))
    merged_rows: Rows = field(default_factory=lambda: np.zeros(0, np.int64))

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


def find(ids: Ids, wanted: Sequence[str]) -> Rows:
    """The rows of ids, -1 where there is none."""
    asked = np.array(wanted, dtype=ids.dtype)
    if not len(ids) or not len(asked):
        return np.full(len(asked), -1)
    at = np.minimum(np.searchsorted(ids, asked), len(ids) - 1)
    rows: Rows = np.where(ids[at] == asked, at, -1)
    return rows


@dataclass(slots=True)
class _Copy:
    lock: Lock = field(default_factory=Lock)
    graph: Graph | None = None


_copies: dict[tuple[str, str | None, str], _Copy] = {}
_copies_lock = Lock()


def latest_graph(database: Database, kb: str) -> Graph:
    """The graph of a knowledge base as it was when last read; read now where it never was. Raises DatabaseError."""
    copy = _copy(database, kb)
    with copy.lock:
        copy.graph = copy.graph or read_graph(database, kb)
        return copy.graph


def current_graph(database: Database, kb: str) -> Graph:
    """The graph of a knowledge base as it is now, read anew where it has changed. Raises DatabaseError."""
    copy = _copy(database, kb)
    version = _version(database, kb)["version"] or ""
    with copy.lock:
        if copy.graph is None or copy.graph.version != version:
            copy.graph = read_graph(database, kb, copy.graph)
        return copy.graph


def read_graph(database: Database, kb: str, old: Graph | None = None) -> Graph:
    """Read a knowledge base's adjacency; the vectors of hyperedges that ``old`` has are taken from there.

    A change while reading is seen by the version, which is that before, so that the next retrieval reads again.
    """
    before = _version(database, kb)
    rows = _pages(database, kb)
    hyperedges = np.array([row["id"] for row in rows], dtype="S20")
    canonical = _canonical(database, kb, rows)
    entities, entities_of = _incidence([_united(row["entities"], canonical) for row in rows])
    merged = np.array(sorted(canonical), dtype="S20")
    merged_rows = find(entities, [canonical[id.decode()] for id in merged.tolist()])
    chunks, chunks_of = _incidence([row["chunks"] for row in rows])
    titles = np.zeros(len(entities), dtype=bool)
    keys = [row["title_key"] for row in database.read("ingest/title_keys", kb=kb)]
    titled = [entity_id(kb, key) for key in keys]
    pages = find(entities, [canonical.get(id, id) for id in titled])
    titles[pages[pages >= 0]] = True
    return Graph(
        before["version"] or "",
        hyperedges,
        entities,
        chunks,
        _vectors(database, hyperedges, before["dimensions"], old),
        titles,
        _passages(entities_of, chunks_of, len(entities), len(chunks)),
        entities_of,
        entities_of.transposed(len(entities)),
        chunks_of,
        chunks_of.transposed(len(chunks)),
        merged,
        merged_rows,
    )


def _copy(database: Database, kb: str) -> _Copy:
    place = database.server.uri, database.name, kb
    with _copies_lock:
        copy = _copies.pop(place, None) or _Copy()
        _copies[place] = copy
        while len(_copies) > KEPT:
            del _copies[next(iter(_copies))]
        return copy


def _version(database: Database, kb: str) -> Row:
    rows = database.read("graph/version", kb=kb)
    return rows[0] if rows else {"version": None, "dimensions": 0}


def _pages(database: Database, kb: str) -> list[Row]:
    rows: list[Row] = []
    after = ""
    while page := database.read("graph/hyperedges", kb=kb, after=after, limit=PAGE):
        rows += page
        after = page[-1]["id"]
        if len(page) < PAGE:
            break
    return rows


def _canonical(database: Database, kb: str, rows: Sequence[Row]) -> dict[str, str]:
    """Of each entity that is merged into another, that other: the best connected of all that are taken for the same."""
    pairs = database.read("resolve/merges", kb=kb)
    if not pairs:
        return {}
    import networkx  # type: ignore[import-untyped]

    degrees = Counter(id for row in rows for id in row["entities"])
    clusters = networkx.Graph((row["a"], row["b"]) for row in pairs if row["a"] in degrees and row["b"] in degrees)
    best = {}
    for cluster in networkx.connected_components(clusters):
        first, *others = sorted(cluster, key=lambda id: (-degrees[id], id))
        best.update(dict.fromkeys(others, first))
    return best


def _united(entities: Sequence[str], canonical: Mapping[str, str]) -> Sequence[str]:
    """A hyperedge's entities, each that is merged once."""
    if not canonical or not any(id in canonical for id in entities):
        return entities
    return sorted({canonical.get(id, id) for id in entities})


def _incidence(lists: Sequence[Sequence[str]]) -> tuple[Ids, Incidence]:
    counts = np.fromiter((len(one) for one in lists), np.int64, len(lists))
    flat = np.array([id for one in lists for id in one], dtype="S20")
    ids, columns = np.unique(flat, return_inverse=True)
    return ids, Incidence(np.concatenate([[0], np.cumsum(counts)]), columns.astype(np.int64))


def _vectors(database: Database, hyperedges: Ids, dimensions: int, old: Graph | None) -> Vectors:
    vectors = np.zeros((len(hyperedges), dimensions), np.float32)
    missing = np.arange(len(hyperedges))
    if old is not None and len(old.hyperedges) and old.vectors.shape[1] == dimensions and len(hyperedges):
        at = np.minimum(np.searchsorted(old.hyperedges, hyperedges), len(old.hyperedges) - 1)
        known = old.hyperedges[at] == hyperedges
        vectors[known] = old.vectors[at[known]]
        missing = np.flatnonzero(~known)
    for first in range(0, len(missing), PAGE):
        part = missing[first : first + PAGE]
        ids = [id.decode() for id in hyperedges[part].tolist()]
        found: dict[str, Any] = {
            row["id"]: row["embedding"] for row in database.read("graph/vectors", ids=ids, dimensions=dimensions)
        }
        for row, id in zip(part, ids, strict=True):
            if id in found:
                vectors[row] = found[id].to_numpy()
    return vectors


def _passages(entities_of: Incidence, chunks_of: Incidence, entities: int, chunks: int) -> Rows:
    """In how many chunks each entity occurs."""
    if not chunks:
        return np.zeros(entities, np.int64)
    columns, owners = entities_of.of(np.arange(len(entities_of.starts) - 1))
    their_chunks, at = chunks_of.of(owners)
    pairs = np.unique(columns[at] * chunks + their_chunks)
    return np.bincount(pairs // chunks, minlength=entities)
