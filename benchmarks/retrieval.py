"""How exact the hyperedge index is, and how long the strategies take without the embedding.

    python -m benchmarks.retrieval KB QUESTIONS [--strategy A,B] [--json FILE]

KB is a knowledge base that has been ingested, QUESTIONS a jsonl with a ``question`` a line. Recall is the share of the
exact ten nearest hyperedges, found by numpy over the stored vectors, that the index finds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.snapshot import vectors
from clew.evaluation.embedders import RememberingEmbedder
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.registry import RECIPES, create_strategy
from clew.types import Json

BATCHES = (1, 8, 64)
ROUNDS = 3
WARM_SECONDS = 10.0
"""How long the same is asked before it counts: Java compiles what runs often."""


def main() -> None:
    """Run the benchmark, print a line a figure, and write them all where ``--json`` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, help="a jsonl with a question a line")
    parser.add_argument("--strategy", default="graph-r1,clew-one-pass,clew", help="names, or all")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.questions.is_file():
        sys.exit(f"There are no questions at {options.questions}: name a jsonl with a question a line.")
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()]
    names = list(RECIPES) if options.strategy == "all" else options.strategy.split(",")
    with KnowledgeBase.open(options.kb) as base:
        found = print_figures(figures(base, names, questions))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def print_figures(found: Iterable[tuple[str, object]], width: int = 34) -> Json:
    """Figures by name, each printed when it comes: what is measured is not lost where the rest fails."""
    every: Json = {}
    for name, value in found:
        print(f"{name:>{width}}  {value}", flush=True)
        every[name] = value
    return every


def figures(base: KnowledgeBase, strategies: Sequence[str], questions: Sequence[str]) -> Iterator[tuple[str, object]]:
    """How many questions, the recall of the index, and the milliseconds of each strategy by size of batch."""
    yield "questions", len(questions)
    yield "index_recall@10", index_recall(base, questions)
    for name in strategies:
        for batch in batch_sizes(len(questions)):
            yield f"{name}_ms_batch_{batch}", milliseconds(base, name, questions, batch)


def batch_sizes(questions: int) -> list[int]:
    """The sizes of ``BATCHES`` that so many questions fill."""
    return [batch for batch in BATCHES if batch <= questions]


def index_recall(base: KnowledgeBase, questions: Sequence[str], k: int = 10) -> float:
    """The share of the exact ``k`` nearest hyperedges of each question that the index finds where it is asked for k.

    The strategy ``hyperedges`` asks for some more than it tells, and so misses fewer.
    """
    names, exact = vectors(base.database, base.name, "Hyperedge")
    ids = np.array(names)
    queries = base.embedder.embed(questions)
    nearest = [np.argpartition(-(exact @ query), k)[:k] for query in queries]
    rows = base.database.read_batch("retrieve/hyperedges", {"queries": queries}, kb=base.name, limit=k, candidates=k)
    hits = sum(row["id"] in ids[nearest[row["i"]]] for row in rows)
    return round(hits / (k * len(questions)), 4)


def milliseconds(base: KnowledgeBase, name: str, questions: Sequence[str], batch: int) -> float:
    """Median milliseconds a query of a strategy with 5 facts, over batches of that size.

    Every text has been encoded in rounds before, so that the embedding does not count.
    """
    strategy = create_strategy(name, base.database, RememberingEmbedder(base.embedder), base.name)
    batches = [questions[at : at + batch] for at in range(0, len(questions) - batch + 1, batch)][: max(7, 100 // batch)]
    warm = time.perf_counter() + WARM_SECONDS
    while time.perf_counter() < warm:
        for some in batches:
            strategy.retrieve(some, 5)
    times = []
    for some in batches * ROUNDS:
        started = time.perf_counter()
        strategy.retrieve(some, 5)
        times.append((time.perf_counter() - started) / batch * 1000)
    return round(statistics.median(times), 2)


if __name__ == "__main__":
    main()
