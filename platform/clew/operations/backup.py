"""Knowledge bases into a file that can be restored on any server, also while others write.

Vectors come first: what a node's vector is made from decides its id, so they can be read page by page while others
write. Then the writers wait while everything else is read, which is less than a tenth of the bytes; what was written in
between is there with its vectors, and what was deleted leaves vectors that nothing asks for.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from clew.database.connection import Database, Row, Tx, pages
from clew.database.schema import migrations
from clew.errors import InputError, NotFoundError
from clew.operations.archive import FORMAT, Writer

LABELS = ("Chunk", "Hyperedge", "Entity")
"""Labels of nodes that have vectors."""
KINDS = {"documents": 100, "entities": 2000, "hyperedges": 2000, "chunks": 1000, "pairs": 1000, "trajectories": 100}
"""What else a knowledge base consists of, in an order in which it can be restored, and rows of a page."""
VECTORED = ("entities", "hyperedges", "chunks")
VECTORS = 2000
"""Vectors of a page."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What was written: ``bytes`` in all, and the rows of each kind by the names of the knowledge bases."""

    path: Path
    bytes: int
    knowledge_bases: dict[str, dict[str, int]]


def backup(
    database: Database, path: Path, names: Sequence[str], on_progress: Callable[[str], None] = lambda _: None
) -> Backup:
    """Write knowledge bases to a new file, which has its name only once it is whole; one of that name is replaced.

    ``on_progress`` receives what is being read. Raises InputError where the file cannot be written, NotFoundError for a
    knowledge base that is not there, DatabaseError where Neo4j fails.
    """
    counts: dict[str, dict[str, int]] = {}
    with Writer(path) as out:
        made = datetime.now(UTC).isoformat(timespec="seconds")
        about = {"format": FORMAT, "clew": version("clew-graph"), "schema": migrations()[-1][0], "made": made}
        out.add("clew", "", [], **about, names=list(names))
        for name in names:
            counts[name] = _one(database, name, out, on_progress)
        return Backup(path, out.finish(), counts)


def _one(database: Database, kb: str, out: Writer, on_progress: Callable[[str], None]) -> dict[str, int]:
    on_progress(f"{kb}: vectors")
    if rows := database.read("kb/encoder", kb=kb):
        database = database.at(rows[0]["slot"])
    known: set[str] = set()
    for label in LABELS:
        for page in pages(database.read, f"operations/{label.lower()}_vectors", kb=kb, limit=VECTORS):
            _add_vectors(out, kb, label, page)
            known.update(row["id"] for row in page)
    out.mark()

    def structure(tx: Tx) -> dict[str, int]:
        out.rewind()  # a transient failure lets it begin anew
        held = tx.run("operations/hold", kb=kb)
        if not held:
            raise NotFoundError(f"There is no knowledge base {kb!r}: see `clew kb list`.")
        if (held[0]["properties"].get("slot") or "") != database.slot:
            raise InputError(f"Knowledge base {kb!r} changed to another encoder meanwhile: back it up again.")
        out.add("knowledge_base", kb, [{"properties": held[0]["properties"]}])
        counts = dict.fromkeys(KINDS, 0)
        late: list[str] = []
        for kind, limit in KINDS.items():
            on_progress(f"{kb}: {kind}")
            for page in pages(tx.run, f"operations/{kind}", kb=kb, limit=limit):
                out.add(kind, kb, page)
                counts[kind] += len(page)
                late += [row["id"] for row in page if kind in VECTORED and row["id"] not in known]
        for first in range(0, len(late), VECTORS):
            rows = tx.run("operations/late_vectors", kb=kb, ids=late[first : first + VECTORS])
            for label in LABELS:
                if some := [row for row in rows if row["label"] == label]:
                    _add_vectors(out, kb, label, some)
        return counts

    return database.transaction(structure)


def _add_vectors(out: Writer, kb: str, label: str, page: Sequence[Row]) -> None:
    """Add vectors as one row for each number of dimensions: ids, and float32 numbers, little-endian, in base64."""
    by_size: dict[int, list[tuple[str, Any]]] = {}
    for row in page:
        vector = row["embedding"].to_numpy()
        by_size.setdefault(len(vector), []).append((row["id"], vector))
    for size, some in by_size.items():
        numbers = base64.b64encode(np.stack([vector for _, vector in some]).astype("<f4").tobytes()).decode()
        out.add("vectors", kb, [{"label": label, "ids": [id for id, _ in some], "size": size, "numbers": numbers}])
