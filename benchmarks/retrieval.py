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
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.snapshot import vectors
from clew.evaluation.embedders import RememberingEmbedder
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.registry import RECIPES, create_strategy

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
    with KnowledgeBase.open(options.kb) as base:
        found = {"questions": len(questions), "index_recall@10": index_recall(base, questions)}
        names = list(RECIPES) if options.strategy == "all" else options.strategy.split(",")
        for name in names:
            found |= {f"{name}_ms_batch_{batch}": milliseconds(base, name, questions, batch) for batch in BATCHES}
    for name, value in found.items():
        print(f"{name:>34}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def index_recall(base: KnowledgeBase, questions: Sequence[str], k: int = 10) -> float:
    """The share of the exact ``k`` nearest hyperedges of each question that the index finds among its first ``k``."""
    names, exact = vectors(base.database, base.name, "Hyperedge")
    ids = np.array(names)
    queries = base.embedder.embed(questions)
    nearest = [np.argpartition(-(exact @ query), k)[:k] for query in queries]
    found = base.strategy("hyperedges").retrieve(questions, k)
    hits = sum(len({fact.id for fact in f.facts} & set(ids[n])) for f, n in zip(found, nearest, strict=True))
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
