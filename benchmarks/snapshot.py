"""A knowledge base as one value, so that two of them can be compared."""

from __future__ import annotations

import json

import numpy as np

from clew.database.connection import Database
from clew.embedding import Vectors
from clew.knowledge_base import NODES

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
    ids: list[str] = []
    rows: list[list[float]] = []
    while page := database.read("benchmark/vectors", kb=kb, label=label, after=ids[-1] if ids else "", limit=_PAGE):
        ids += [row["id"] for row in page]
        rows += [row["embedding"] for row in page]
    return ids, np.asarray(rows, np.float32)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
