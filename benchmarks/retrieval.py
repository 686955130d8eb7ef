"""How exact the hyperedge index is, and how long graph-r1 takes without the embedding.

    python -m benchmarks.retrieval KB QUESTIONS [--json FILE]

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
import numpy.typing as npt

from clew.embedding import Vectors
from clew.knowledge_base import KnowledgeBase

QUESTIONS = Path(__file__).parents[2] / "shared" / "data" / "2wiki" / "questions.jsonl"
BATCHES = (1, 8, 64)
ROUNDS = 3
PAGE = 5000


class Remembered:
    """An embedder that has encoded every text before, so that only the database is timed."""

    def __init__(self, base: KnowledgeBase, texts: Sequence[str]) -> None:
        self.name = base.embedder.name
        self.precision = base.embedder.precision
        self.dimensions = base.embedder.dimensions
        self._vectors = dict(zip(texts, base.embedder.embed(texts), strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts that were encoded before."""
        return np.stack([self._vectors[text] for text in texts])


def main() -> None:
    """Run the benchmark, print a line a figure, and write them all where ``--json`` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, nargs="?", default=QUESTIONS)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.questions.is_file():
        sys.exit(f"There are no questions at {options.questions}: name a jsonl with a question a line.")
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()]
    with KnowledgeBase.open(options.kb) as base:
        found = {"questions": len(questions), "index_recall@10": index_recall(base, questions)}
        found |= {f"graph-r1_ms_batch_{batch}": milliseconds(base, questions, batch) for batch in BATCHES}
    for name, value in found.items():
        print(f"{name:>24}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def index_recall(base: KnowledgeBase, questions: Sequence[str], k: int = 10) -> float:
    """The share of the exact ``k`` nearest hyperedges of each question that the index finds among its first ``k``."""
    ids, exact = stored_vectors(base)
    vectors = base.embedder.embed(questions)
    nearest = np.argsort(-(vectors @ exact.T), axis=1)[:, :k]
    found = base.strategy("hyperedges").retrieve(questions, k)
    hits = sum(len({fact.id for fact in f.facts} & set(ids[n])) for f, n in zip(found, nearest, strict=True))
    return round(hits / (k * len(questions)), 4)


def stored_vectors(base: KnowledgeBase) -> tuple[npt.NDArray[np.str_], Vectors]:
    """The ids of all hyperedges, and their vectors (n, d)."""
    ids: list[str] = []
    vectors: list[Vectors] = []
    after = ""
    while page := base.database.read("benchmark/vectors", kb=base.name, label="Hyperedge", after=after, limit=PAGE):
        ids += [row["id"] for row in page]
        vectors.append(np.array([row["embedding"] for row in page], np.float32))
        after = ids[-1]
    return np.array(ids), np.concatenate(vectors)


def milliseconds(base: KnowledgeBase, questions: Sequence[str], batch: int) -> float:
    """Median milliseconds a query of graph-r1 with 5 facts, embedding excluded, over batches of that size."""
    from clew.retrieval.graph_r1 import DualPath, DualPathSettings
    from clew.retrieval.query import query_entities

    texts = list(dict.fromkeys([*questions, *(name for q in questions for name in query_entities(q))]))
    strategy = DualPath(base.database, Remembered(base, texts), base.name, "graph-r1", DualPathSettings())
    batches = [questions[at : at + batch] for at in range(0, len(questions) - batch + 1, batch)]
    times = []
    for some in batches[: max(7, 200 // batch)] * ROUNDS:
        started = time.perf_counter()
        strategy.retrieve(some, 5)
        times.append((time.perf_counter() - started) / batch * 1000)
    return round(statistics.median(times[len(times) // ROUNDS :]), 2)


if __name__ == "__main__":
    main()
