"""A knowledge base as one value, so that two of them can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from clew.database.connection import Database
from clew.embedding import Vectors
from clew.explore.schema import NODES

Snapshot = set[str]
"""Nodes and relationships, one line of JSON each."""

_PAGE = 5000


def snapshot(database: Database, kb: str) -> Snapshot:
    """All nodes and relationships of a knowledge base with their properties; of a vector, only its dimensions.

    Two relationships that are alike give two lines, so that one too many is seen.
    """
    labels = list(NODES)
    lines: Snapshot = set()
    for row in database.read("benchmark/nodes", kb=kb, labels=labels):
        lines.add(_line([row["label"], row["id"], row["properties"]]))
    times: dict[str, int] = {}
    for row in database.read("benchmark/relationships", kb=kb, labels=labels):
        line = _line([row["type"], row["start"], row["end"], row["properties"]])
        times[line] = times.get(line, 0) + 1
        lines.add(line if times[line] == 1 else f"{line} again {times[line]}")
    return lines


def difference(expected: Snapshot, found: Snapshot, most: int = 10) -> list[str]:
    """What is missing (-) and what is too much (+), at most ``most`` lines of each."""
    missing = [f"- {line}" for line in sorted(expected - found)[:most]]
    return missing + [f"+ {line}" for line in sorted(found - expected)[:most]]


def vectors(database: Database, kb: str, label: str) -> tuple[list[str], Vectors]:
    """The ids of all nodes with a label, in order, and their vectors, (n, d)."""
    pages = list(vector_pages(database, kb, label))
    ids = [id for some, _ in pages for id in some]
    return ids, np.concatenate([rows for _, rows in pages]) if pages else np.zeros((0, 0), np.float32)


def vector_pages(database: Database, kb: str, label: str) -> Iterator[tuple[list[str], Vectors]]:
    """The same page by page, for those that do not fit into memory twice."""
    after = ""
    while page := database.read(f"operations/{label.lower()}_vectors", kb=kb, after=after, limit=_PAGE):
        after = page[-1]["id"]
        yield [row["id"] for row in page], np.stack([row["embedding"].to_numpy() for row in page]).astype(np.float32)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
