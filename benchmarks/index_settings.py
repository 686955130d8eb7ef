"""Which settings of the vector index find the most, the fastest: the table behind cypher/schema.

    python -m benchmarks.index_settings KB QUESTIONS [--json FILE]

The hyperedge vectors of KB are copied under a label of their own, indexed once with each setting, searched for every
question, and deleted. The index is filled while the rows come in, as in an ingest, not built at once at the end.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.snapshot import vectors as stored_vectors
from clew.database.connection import Database, as_vectors
from clew.embedding import Vectors
from clew.knowledge_base import KnowledgeBase

SETTINGS = (
    ("BINARY", 16, 100, 3.0),
    ("BINARY", 16, 100, 10.0),
    ("SCALAR", 16, 100, 3.0),
    ("SCALAR", 32, 200, 3.0),
    ("NONE", 16, 100, 3.0),
    ("NONE", 16, 64, 4.0),
    ("NONE", 16, 100, 6.0),
)
"""Quantisation, m, ef_construction, and the candidates looked at for each neighbour asked for."""

K = 10
BATCHES = (1, 64)
ROWS = 2000


def main() -> None:
    """Run the benchmark, print a line a setting, and write them all where ``--json`` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, help="a jsonl with a question a line")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()]
    found = []
    with KnowledgeBase.open(options.kb) as base:
        names, vectors = stored_vectors(base.database, base.name, "Hyperedge")
        ids = np.array(names)
        queries = base.embedder.embed(questions)
        nearest = [set(ids[row].tolist()) for row in np.argsort(-(queries @ vectors.T), axis=1)[:, :K]]
        for setting in SETTINGS:
            found.append(trial(base, setting, names, vectors, queries, nearest))
            print("  ".join(f"{name} {value}" for name, value in found[-1].items()), flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def trial(
    base: KnowledgeBase,
    setting: tuple[str, int, int, float],
    ids: Sequence[str],
    vectors: Vectors,
    queries: Vectors,
    nearest: Sequence[set[str]],
) -> dict[str, Any]:
    """One setting: seconds to write and index, recall@10, and milliseconds a query by batch size."""
    database, kb = base.database, base.name
    quantisation, m, ef, expansion = setting
    config = {
        "vector.similarity_function": "cosine",
        "vector.quantization.type": quantisation,
        "vector.hnsw.m": m,
        "vector.hnsw.ef_construction": ef,
        "vector.default_search_expansion_factor": expansion,
    }
    clear(database)
    try:
        database.write("benchmark/create_index", options={"indexConfig": config})
        started = time.perf_counter()
        for at in range(0, len(ids), ROWS):
            some = zip(ids[at : at + ROWS], as_vectors(vectors[at : at + ROWS]), strict=True)
            rows = [{"id": id, "embedding": vector} for id, vector in some]
            database.write("benchmark/copy_vectors", kb=kb, rows=rows)
        database.read("schema/await_indexes", seconds=600)
        seconds = time.perf_counter() - started
        times = {batch: search(database, kb, queries, batch) for batch in BATCHES}
        found = database.read("benchmark/search_trial", kb=kb, queries=queries, limit=K)
        hits = sum(row["id"] in nearest[row["i"]] for row in found)
    finally:
        clear(database)
    return {
        "quantisation": quantisation,
        "m": m,
        "ef": ef,
        "expansion": expansion,
        "recall@10": round(hits / (K * len(nearest)), 4),
        "write_seconds": round(seconds, 1),
        **{f"ms_batch_{batch}": round(value, 2) for batch, value in times.items()},
    }


def search(database: Database, kb: str, queries: Vectors, batch: int) -> float:
    """Median milliseconds a query."""
    times = []
    for at in range(0, min(len(queries) - batch + 1, 200 if batch == 1 else len(queries)), batch):
        started = time.perf_counter()
        database.read("benchmark/search_trial", kb=kb, queries=queries[at : at + batch], limit=K)
        times.append((time.perf_counter() - started) / batch * 1000)
    return statistics.median(times[len(times) // 4 :])


def clear(database: Database) -> None:
    """Remove the index and the copies."""
    database.write("benchmark/drop_index")
    while database.write("benchmark/delete_copies", limit=ROWS)[0]["deleted"]:
        pass


if __name__ == "__main__":
    main()
