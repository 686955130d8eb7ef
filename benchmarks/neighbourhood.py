"""Where the neighbourhood of a walk comes from: one Cypher statement a batch, or the copy of the graph in memory.

    python -m benchmarks.neighbourhood KB QUESTIONS [--limit N] [--json FILE]

Both are given the same restarts and vectors, and must find the same hyperedges. Shown are milliseconds a query by size
of batch, how long it takes to read the whole copy, and how long to bring it up to date after a change.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.retrieval import batch_sizes, print_figures
from clew.database.connection import Database, Tx
from clew.embedding import Vectors
from clew.ingest.change import lock, record
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.graph.copy import read_graph, update
from clew.retrieval.graph.hypergraph import Graph
from clew.retrieval.graph.region import Restart
from clew.retrieval.graph.walk import Neighbourhood, WalkSettings, neighbourhood
from clew.retrieval.strategies.question_walk import QuestionWalk
from clew.types import Json

CHANGED = 300
"""Hyperedges that a change names: about those of 100 documents."""

Walk = tuple[Graph, Restart, Vectors]


def main() -> int:
    """Run the benchmark and print a line a figure; the exit code is 1 where the two disagree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, help="a jsonl with a question a line")
    parser.add_argument("--limit", type=int, default=128)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.questions.is_file():
        sys.exit(f"There are no questions at {options.questions}: name a jsonl with a question a line.")
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()][: options.limit]
    with KnowledgeBase.open(options.kb) as base:
        found = print_figures(figures(base, questions, WalkSettings()), 24)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 0 if found["agreement"] > 0.99 else 1


def figures(base: KnowledgeBase, questions: Sequence[str], settings: WalkSettings) -> Iterator[tuple[str, object]]:
    """Seconds to read the copy and to bring it up to date, how far the two agree, and the milliseconds of both."""
    started = time.perf_counter()
    whole = read_graph(base.database, base.name)
    yield "copy_seconds", round(time.perf_counter() - started, 2)
    yield from after_a_change(base, whole).items()
    walks = restarts(base, questions)
    areas = names(walks, in_memory(walks, settings))
    yield "hyperedges_a_walk", round(statistics.fmean(map(len, areas)))
    yield "agreement", agreement(by_cypher(base.database, walks, settings), areas)
    for batch in batch_sizes(len(walks)):
        cypher = milliseconds(lambda some: by_cypher(base.database, some, settings), walks, batch)
        yield f"cypher_ms_batch_{batch}", cypher
        yield f"memory_ms_batch_{batch}", milliseconds(lambda some: in_memory(some, settings), walks, batch)


def after_a_change(base: KnowledgeBase, old: Graph) -> Json:
    """Seconds until the copy is current after a transaction that says it changed ``CHANGED`` hyperedges."""
    ids = [id.decode() for id in old.hyperedges[:: max(1, len(old.hyperedges) // CHANGED)].tolist()]

    def touch(tx: Tx) -> None:
        record(tx, base.name, lock(tx, base.name), ids)

    base.database.transaction(touch)
    started = time.perf_counter()
    new = update(base.database, base.name, old)
    seconds = time.perf_counter() - started
    if new is None or len(new.hyperedges) != len(old.hyperedges):
        sys.exit("The copy was not brought up to date.")
    return {"changed_hyperedges": len(ids), "update_seconds": round(seconds, 2)}


def restarts(base: KnowledgeBase, questions: Sequence[str]) -> list[Walk]:
    """What the walk of each question begins with, taken from a real retrieval."""
    graph, walks = QuestionWalk(base.database, base.embedder, base.name, passes=1).walks(questions) or sys.exit(
        "Empty."
    )
    return [(graph, walk.start, walk.masked) for walk in walks]


def by_cypher(database: Database, walks: Sequence[Walk], settings: WalkSettings) -> list[set[str]]:
    """The ids of the hyperedges of each neighbourhood, with all that a walk needs fetched in one round trip."""
    found: list[set[str]] = [set() for _ in walks]
    for row in database.read(
        "benchmark/neighbourhood",
        queries=[u.tolist() for _, _, u in walks],
        entities=[[id.decode() for id in graph.entities[start.entities]] for graph, start, _ in walks],
        chunks=[[id.decode() for id in graph.chunks[start.chunks]] for graph, start, _ in walks],
        cap=settings.cap,
        hub=settings.hub,
    ):
        found[row["i"]].add(row["id"])
    return found


def in_memory(walks: Sequence[Walk], settings: WalkSettings) -> list[Neighbourhood]:
    """The neighbourhoods from the copy of the graph."""
    return [neighbourhood(graph, start, u, settings) for graph, start, u in walks]


def names(walks: Sequence[Walk], areas: Sequence[Neighbourhood]) -> list[set[str]]:
    """The ids of the hyperedges of each neighbourhood."""
    pairs = zip(walks, areas, strict=True)
    return [{id.decode() for id in graph.hyperedges[area.hyperedges]} for (graph, *_), area in pairs]


def agreement(some: Sequence[set[str]], others: Sequence[set[str]]) -> float:
    """The mean overlap of the two sets of each walk, which ties at the cap may keep just under 1."""
    return round(float(np.mean([len(a & b) / max(1, len(a | b)) for a, b in zip(some, others, strict=True)])), 4)


def milliseconds(find: Callable[[Sequence[Walk]], object], walks: Sequence[Walk], batch: int) -> float:
    """Median milliseconds a query over batches of that size."""
    times = []
    for at in range(0, len(walks) - batch + 1, batch):
        started = time.perf_counter()
        find(walks[at : at + batch])
        times.append((time.perf_counter() - started) / batch * 1000)
    return round(statistics.median(times), 2)


if __name__ == "__main__":
    sys.exit(main())
