"""How far other knowledge bases in a database move what a search finds in one.

    python -m benchmarks.neighbours KB [--neighbours 20] [--queries 200] [--share 1.0] [--json FILE]

The vectors of KB's hyperedges are copied under a label of their own, with an index like that of hyperedges. Each
neighbour is a copy whose vectors are 0.8 of the original's and 0.6 of another's. For each number of neighbours and each
way of searching, the table tells the share of the exact ten nearest that is found, and the milliseconds of a query.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.index_settings import ROWS, clear
from benchmarks.snapshot import vectors
from clew.database.connection import Database, as_vectors
from clew.embedding import Vectors
from clew.knowledge_base import KnowledgeBase

K = 10
FETCHED = (10, 20, 40, 80, 160)
"""How many are asked for, of which the best ten count."""
STEPS = (0, 1, 2, 4, 8, 12, 20)
CONFIG = {
    "vector.similarity_function": "cosine",
    "vector.quantization.type": "NONE",
    "vector.default_search_expansion_factor": 4.0,
    "vector.hnsw.m": 16,
    "vector.hnsw.ef_construction": 64,
}
"""As in cypher/schema."""


def main() -> None:
    """Run the benchmark, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("--neighbours", type=int, default=20)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--most", type=int, default=0, help="vectors of each knowledge base, at most; 0: all")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    random = np.random.default_rng(0)
    with KnowledgeBase.open(options.kb) as base:
        ids, own = vectors(base.database, base.name, "Hyperedge")
        chosen = random.permutation(len(ids))[: options.most or None]
        ids, own = [ids[row] for row in chosen], own[chosen]
        queries = mixed(own[random.integers(len(own), size=options.queries)], own, random)
        exact = [{ids[row] for row in rows} for rows in np.argsort(-(queries @ own.T), axis=1)[:, :K]]
        database = base.database
        clear(database)
        rows: list[dict[str, Any]] = []
        try:
            database.write("benchmark/create_index", options={"indexConfig": CONFIG})
            copy(database, base.name, ids, own)
            there = 0
            for step in [step for step in STEPS if step <= options.neighbours]:
                for number in range(there, step):
                    copy(database, f"{base.name}-{number}", ids, mixed(own, own, random))
                there = step
                database.read("schema/await_indexes", seconds=600)
                rows.append({"neighbours": step, **searched(database, base.name, queries, exact)})
                print(row_of(rows[-1]), flush=True)
        finally:
            clear(database)
    print(f"\n{len(ids):,} vectors in each knowledge base\n")
    print("| neighbours | " + " | ".join(f"{fetched} asked for" for fetched in FETCHED) + " |")
    print("|--:|" + "--:|" * len(FETCHED))
    print("\n".join(row_of(row) for row in rows))
    if options.json:
        options.json.write_text(json.dumps({"vectors": len(ids), "rows": rows}) + "\n")


def mixed(vectors: Vectors, others: Vectors, random: np.random.Generator) -> Vectors:
    """Vectors near to these and never equal to one: real directions, spread as the real ones are."""
    both = 0.8 * vectors + 0.6 * others[random.integers(len(others), size=len(vectors))]
    return np.asarray(both / np.linalg.norm(both, axis=1, keepdims=True), np.float32)


def copy(database: Database, kb: str, ids: list[str], numbers: Vectors) -> None:
    """Write vectors of one knowledge base."""
    for at in range(0, len(ids), ROWS):
        some = zip(ids[at : at + ROWS], as_vectors(numbers[at : at + ROWS]), strict=True)
        database.write("benchmark/copy_vectors", kb=kb, rows=[{"id": id, "embedding": one} for id, one in some])


def searched(database: Database, kb: str, queries: Vectors, exact: list[set[str]]) -> dict[str, Any]:
    """For each number that is asked for, the share of the exact ten that is found, and milliseconds a query."""
    found: dict[str, Any] = {}
    for fetched in FETCHED:
        began = time.perf_counter()
        first: dict[int, list[str]] = {}
        for row in database.read("benchmark/search_trial", kb=kb, queries=queries, limit=fetched):
            first.setdefault(row["i"], []).append(row["id"])
        ms = (time.perf_counter() - began) / len(queries) * 1000
        hits = sum(len(set(first.get(i, [])[:K]) & wanted) for i, wanted in enumerate(exact))
        found[str(fetched)] = [round(hits / (K * len(exact)), 4), round(ms, 2)]
    return found


def row_of(row: dict[str, Any]) -> str:
    """A row of the table: recall, and milliseconds."""
    cells = [f"{row[str(fetched)][0]:.3f} ({row[str(fetched)][1]:.1f} ms)" for fetched in FETCHED]
    return f"| {row['neighbours']} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
