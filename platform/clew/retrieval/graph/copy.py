"""The copy of Neo4j's adjacency that walks run on, kept current.

A walk touches thousands of hyperedges and their vectors; fetched for each query, they would cost many times what the
walk costs. Every writer gives the knowledge base a new version, every retrieval reads that version along with what it
asks for, and a copy of another version is not used: what has changed since is read, or all where that is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.database.connection import Database, Row, pages
from clew.embedding import Vectors
from clew.ids import entity_id
from clew.retrieval.graph.hypergraph import Graph, Ids, Incidence, Rows, find
from clew.retrieval.graph.lexical import word_id
from clew.retrieval.graph.vector_table import VectorTable
from clew.types import VALUE_TYPES

PAGE = 20_000
VALUES = list(VALUE_TYPES)
"""Hyperedges read in one round trip."""
KEPT = 4
"""Knowledge bases kept in memory, at most."""


@dataclass(slots=True)
class _Copy:
    """A graph and its parts that the last filters have kept to, by the documents."""

    lock: Lock = field(default_factory=Lock)
    graph: Graph | None = None
    parts: dict[tuple[str, ...], Graph] = field(default_factory=dict)


_copies: dict[tuple[str, str | None, str, str], _Copy] = {}
_copies_lock = Lock()


def latest_graph(database: Database, kb: str) -> Graph:
    """The graph of a knowledge base as it was when last read; read now where it never was. Raises DatabaseError.

    Of a database that is kept to some documents (``Database.only``), the part that these state.
    """
    copy = _copy(database, kb)
    with copy.lock:
        copy.graph = copy.graph or read_graph(database, kb)
        return _part(database, copy, copy.graph)


def current_graph(database: Database, kb: str) -> Graph:
    """The graph of a knowledge base as it is now, read anew where it has changed. Raises DatabaseError."""
    copy = _copy(database, kb)
    with copy.lock:
        # Who has waited while another brought the copy up to date finds it so.
        version = _version(database, kb)["version"] or ""
        if copy.graph is None or copy.graph.version != version:
            copy.graph = (copy.graph and update(database, kb, copy.graph)) or read_graph(database, kb, copy.graph)
        return _part(database, copy, copy.graph)


def _part(database: Database, copy: _Copy, graph: Graph) -> Graph:
    """What the documents state that the database is kept to; the whole graph where it is kept to none."""
    documents = database.documents
    if documents is None:
        return graph
    part = copy.parts.pop(documents, None)
    if part is None or part.version != graph.version:
        part = within(graph, [row["id"] for row in database.read("graph/chunks_of_documents")])
    copy.parts[documents] = part
    while len(copy.parts) > KEPT:
        del copy.parts[next(iter(copy.parts))]
    return part


def within(graph: Graph, chunks: Sequence[str]) -> Graph:
    """The part of a graph that chunks state, by their ids: their hyperedges, and the entities of these."""
    rows = find(graph.chunks, chunks)
    rows = np.unique(rows[rows >= 0])
    hyperedges = np.unique(graph.facts_of.of(rows)[0])
    entities, entities_of = _columns_of(graph.entities_of, hyperedges)
    _, chunks_of = _columns_of(graph.chunks_of, hyperedges, rows)
    words, words_of = _columns_of(graph.words_of, hyperedges)
    stand_for = np.searchsorted(entities, graph.merged_rows)
    there = np.isin(graph.merged_rows, entities)
    return replace(
        graph,
        hyperedges=graph.hyperedges[hyperedges],
        entities=graph.entities[entities],
        chunks=graph.chunks[rows],
        vectors=graph.vectors.changed(hyperedges, graph.vectors.added[:0]),
        titles=graph.titles[entities],
        passages=_passages(entities_of, chunks_of, len(entities), len(rows)),
        entities_of=entities_of,
        hyperedges_of=entities_of.transposed(len(entities)),
        chunks_of=chunks_of,
        facts_of=chunks_of.transposed(len(rows)),
        merged=graph.merged[there],
        merged_rows=stand_for[there],
        words=graph.words[words],
        words_of=words_of,
        facts_with=words_of.transposed(len(words)),
    )


def _columns_of(incidence: Incidence, rows: Rows, kept: Rows | None = None) -> tuple[Rows, Incidence]:
    """The columns that rows touch, all or those ``kept``, sorted; and the incidence of these alone."""
    columns, owners = incidence.of(rows)
    if kept is None:
        kept = np.unique(columns)
    inside = np.isin(columns, kept)
    counts = np.bincount(owners[inside], minlength=len(rows))
    return kept, Incidence(_starts(counts), np.searchsorted(kept, columns[inside]))


def read_graph(database: Database, kb: str, old: Graph | None = None) -> Graph:
    """Read a knowledge base's adjacency; the vectors that ``old`` has of the same encoder are taken from there.

    A change while reading is seen by the version, which is that before, so that the next retrieval reads again.
    """
    before = _version(database, kb)
    rows = _pages(database, kb)
    hyperedges = np.array([row["id"] for row in rows], dtype="S20")
    canonical = _canonical(database, kb, rows)
    entities, entities_of = _incidence([_united(row["entities"], canonical) for row in rows])
    return _graph(
        before,
        hyperedges,
        _vectors(database, kb, hyperedges, before, old),
        (entities, entities_of),
        _incidence([row["chunks"] for row in rows]),
        _incidence(_words(rows)),
        _titles(database, kb, entities, canonical),
        canonical,
    )


def update(database: Database, kb: str, old: Graph) -> Graph | None:
    """``old`` with the changes since it was read; equal to what ``read_graph`` returns.

    None where they are not known, or entities are merged: which of them stands for the others may be another by now.
    """
    now = _version(database, kb)
    changed = _changed(database, kb, old.version, now["version"])
    if changed is None or len(old.merged) or old.encoder != _encoder(now):
        return None
    ids = sorted(changed.hyperedges)
    rows: list[Row] = []
    for first in range(0, len(ids), PAGE):
        rows += database.read("graph/hyperedges_by_id", ids=ids[first : first + PAGE], values=VALUES)
    changed_rows = find(old.hyperedges, ids)
    kept = np.delete(np.arange(len(old.hyperedges)), changed_rows[changed_rows >= 0])
    hyperedges = np.concatenate([old.hyperedges[kept], np.array([row["id"] for row in rows], dtype="S20")])
    order = np.argsort(hyperedges, kind="stable")
    entities, entities_of, moved = _joined(
        old.entities, old.entities_of, kept, [row["entities"] for row in rows], order
    )
    return _graph(
        now,
        hyperedges[order],
        _vectors(database, kb, hyperedges[order], now, old),
        (entities, entities_of),
        _joined(old.chunks, old.chunks_of, kept, [row["chunks"] for row in rows], order)[:2],
        _joined(old.words, old.words_of, kept, _words(rows), order)[:2],
        _changed_titles(database, kb, entities, old.titles, moved, changed.titles),
        {},
    )


def _graph(
    version: Row,
    hyperedges: Ids,
    vectors: VectorTable,
    entities: tuple[Ids, Incidence],
    chunks: tuple[Ids, Incidence],
    words: tuple[Ids, Incidence],
    titles: npt.NDArray[np.bool_],
    canonical: Mapping[str, str],
) -> Graph:
    """The graph of hyperedges in order, with the entities, chunks and words that each of them has."""
    ids, of = entities
    merged = np.array(sorted(canonical), dtype="S20")
    return Graph(
        version["version"] or "",
        hyperedges,
        ids,
        chunks[0],
        vectors,
        titles,
        _passages(of, chunks[1], len(ids), len(chunks[0])),
        of,
        of.transposed(len(ids)),
        chunks[1],
        chunks[1].transposed(len(chunks[0])),
        merged,
        find(ids, [canonical[id.decode()] for id in merged.tolist()]),
        _encoder(version),
        words[0],
        words[1],
        words[1].transposed(len(words[0])),
    )


@dataclass(slots=True)
class _Changed:
    hyperedges: set[str] = field(default_factory=set)
    titles: set[str] = field(default_factory=set)


def _changed(database: Database, kb: str, old: str, new: str | None) -> _Changed | None:
    """What changed from one version to another; None where a change between them is not on record."""
    changes = {row["before"]: row for row in database.read("graph/changes", kb=kb, version=old)}
    changed = _Changed()
    while old != new:
        if (change := changes.get(old)) is None:
            return None
        changed.hyperedges.update(change["hyperedges"])
        changed.titles.update(change["titles"])
        old = change["version"]
    return changed


def _joined(
    names: Ids, incidence: Incidence, kept: Rows, lists: Sequence[Sequence[str]], order: Rows
) -> tuple[Ids, Incidence, Rows]:
    """The rows ``kept`` of an incidence, and those of ``lists`` after them, put in ``order``; unused names are gone.

    The last array tells where each of ``names`` is now, -1 for those that are gone.
    """
    added, added_rows = _incidence(lists)
    new = added[find(names, added) < 0]
    places = np.searchsorted(names, new)
    every = np.insert(names, places, new)
    moved = np.arange(len(names)) + np.searchsorted(places, np.arange(len(names)), side="right")
    columns = np.concatenate([moved[incidence.of(kept)[0]], np.searchsorted(every, added)[added_rows.columns]])
    counts = np.concatenate([incidence.degrees(kept), np.diff(added_rows.starts)])
    columns = Incidence(_starts(counts), columns).of(order)[0]
    used = np.bincount(columns, minlength=len(every)) > 0
    rows = np.where(used, np.cumsum(used) - 1, -1)
    return every[used], Incidence(_starts(counts[order]), rows[columns]), rows[moved]


def _copy(database: Database, kb: str) -> _Copy:
    place = database.server.uri, database.name, database.slot, kb
    with _copies_lock:
        copy = _copies.pop(place, None) or _Copy()
        _copies[place] = copy
        while len(_copies) > KEPT:
            del _copies[next(iter(_copies))]
        return copy


def _version(database: Database, kb: str) -> Row:
    rows = database.read("graph/version", kb=kb, slot=database.slot)
    return rows[0] if rows else {"version": None, "dimensions": 0, "embedder": "", "precision": ""}


def _encoder(version: Row) -> tuple[str, str]:
    return version["embedder"], version["precision"]


def _pages(database: Database, kb: str) -> list[Row]:
    found = pages(database.read, "graph/hyperedges", kb=kb, limit=PAGE, values=VALUES)
    return [row for page in found for row in page]


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


def _words(rows: Sequence[Row]) -> list[list[str]]:
    """The names of the words of hyperedges' keys, in order."""
    names: dict[str, str] = {}
    split = [(row["key"] or "").split() for row in rows]
    for word in {word for words in split for word in words}:
        names[word] = word_id(word)
    return [sorted(names[word] for word in words) for words in split]


def _incidence(lists: Sequence[Sequence[str]]) -> tuple[Ids, Incidence]:
    counts = np.fromiter((len(one) for one in lists), np.int64, len(lists))
    flat = np.array([id for one in lists for id in one], dtype="S20")
    ids, columns = np.unique(flat, return_inverse=True)
    return ids, Incidence(_starts(counts), columns.astype(np.int64))


def _starts(counts: Rows) -> Rows:
    return np.concatenate([[0], np.cumsum(counts)])


def _changed_titles(
    database: Database,
    kb: str,
    entities: Ids,
    old: npt.NDArray[np.bool_],
    moved: Rows,
    changed: Collection[str],
) -> npt.NDArray[np.bool_]:
    """Which entities are some page's title: as before, but for new entities and for titles that came or went.

    ``moved`` tells where each of the old entities is now.
    """
    titles = np.zeros(len(entities), dtype=bool)
    open_ = np.ones(len(entities), dtype=bool)
    titles[moved[moved >= 0]] = old[moved >= 0]
    open_[moved[moved >= 0]] = False
    asked = find(entities, [entity_id(kb, key) for key in changed])
    open_[asked[asked >= 0]] = True
    titles[open_] = False
    ids = [id.decode() for id in entities[open_].tolist()]
    for first in range(0, len(ids), PAGE):
        found = database.read("graph/titled", kb=kb, ids=ids[first : first + PAGE])
        titles[find(entities, [row["id"] for row in found])] = True
    return titles


def _titles(database: Database, kb: str, entities: Ids, canonical: Mapping[str, str]) -> npt.NDArray[np.bool_]:
    """Which entities are some page's title."""
    titles = np.zeros(len(entities), dtype=bool)
    keys = [row["title_key"] for row in database.read("ingest/title_keys", kb=kb)]
    titled = [entity_id(kb, key) for key in keys]
    pages = find(entities, [canonical.get(id, id) for id in titled])
    titles[pages[pages >= 0]] = True
    return titles


def _vectors(database: Database, kb: str, hyperedges: Ids, version: Row, old: Graph | None) -> VectorTable:
    """The vectors of hyperedges: those that ``old`` has of the same encoder, and the others read."""
    dimensions = version["dimensions"]
    # An id is a hash of text alone: documents that another encoder has taken in anew keep their ids.
    if old is None or old.encoder != _encoder(version):
        return VectorTable.of(_read_vectors(database, kb, hyperedges, dimensions))
    rows = find(old.hyperedges, hyperedges)
    return old.vectors.changed(rows, _read_vectors(database, kb, hyperedges[rows < 0], dimensions))


def _read_vectors(database: Database, kb: str, hyperedges: Ids, dimensions: int) -> Vectors:
    """The vectors of hyperedges, (hyperedges, d); zeros for one that is gone meanwhile."""
    vectors = np.zeros((len(hyperedges), dimensions), np.float32)
    for first in range(0, len(hyperedges), PAGE):
        ids = [id.decode() for id in hyperedges[first : first + PAGE].tolist()]
        found: dict[str, Any] = {row["id"]: row["embedding"] for row in database.read("graph/vectors", kb=kb, ids=ids)}
        for row, id in enumerate(ids, first):
            if id in found:
                vectors[row] = found[id].to_numpy()
    return vectors


def _passages(entities_of: Incidence, chunks_of: Incidence, entities: int, chunks: int) -> Rows:
    """In how many chunks each entity occurs."""
    if not chunks:
        return np.zeros(entities, np.int64)
    columns, owners = entities_of.of(np.arange(len(entities_of.starts) - 1))
    their_chunks, at = chunks_of.of(owners)
    # Asked for counts as well, numpy sorts; without, it hashes: a hundred times slower for a million pairs.
    pairs, _ = np.unique(columns[at] * chunks + their_chunks, return_counts=True)
    return np.bincount(pairs // chunks, minlength=entities)
