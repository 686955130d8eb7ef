"""What other knowledge bases in a database change in what a search finds in one.

    python -m benchmarks.company KB QUESTIONS [--copies 20] [--limit 100] [--strategy A,B] [--json FILE]

KB must be alone in its database. Its questions are asked; then it is restored beside itself under other names, so that
each neighbour holds just what is most alike, and they are asked again. For each strategy the table tells the share of
the first ten facts that stay, of questions whose order is the same, and for a search by vectors alone the share of the
exact ten nearest that is found before and after. The copies are deleted in the end.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from clew.knowledge_base import KnowledgeBase, list_knowledge_bases
from clew.operations.backup import backup
from clew.operations.restore import restore
from clew.retrieval.graph.copy import current_graph
from clew.types import Retrieved

K = 10
BATCH = 50
BY_VECTOR = "hyperedges"
"""The strategy that is a search of the vector index and nothing else."""


def main() -> int:
    """Run the benchmark, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, help="a jsonl with a field question")
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--strategy", default="clew,words,hyperedges,chunks,graph-r1")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    lines = options.questions.read_text(encoding="utf-8").splitlines()[: options.limit]
    queries = [json.loads(line)["question"] for line in lines]
    strategies = options.strategy.split(",")
    with KnowledgeBase.open(options.kb) as base, tempfile.TemporaryDirectory() as folder:
        if others := [row["name"] for row in list_knowledge_bases(base.database) if row["name"] != base.name]:
            print(f"{base.name} is not alone: {', '.join(others)} are there too.", file=sys.stderr)
            return 2
        file = Path(folder, "one.clew")
        backup(base.database, file, [base.name])
        exact = nearest(base, queries)
        alone = {name: ask(base, queries, name) for name in strategies}
        names = [f"{base.name}-beside-{number}" for number in range(options.copies)]
        try:
            for name in names:
                restore(base.database, file, into=name)
            crowded = {name: ask(base, queries, name) for name in strategies}
        finally:
            for name in names:
                KnowledgeBase(name, base.database, base.settings).delete()
        facts = base.stats()["nodes"]["Hyperedge"]
    rows = {name: compared(*alone[name], *crowded[name], exact if name == BY_VECTOR else None) for name in strategies}
    print(f"{options.kb}: {facts:,} facts, {len(queries)} questions, alone and beside {options.copies} copies\n")
    print("| strategy | first ten that stay | order the same | exact ten found, alone | in company | ms | ms |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, row in rows.items():
        found = [f"{row[part]:.3f}" if part in row else "" for part in ("exact_alone", "exact_crowded")]
        times = [f"{row[part]:.1f}" for part in ("ms_alone", "ms_crowded")]
        print(f"| `{name}` | {row['stay']:.3f} | {row['same']:.2f} | {' | '.join(found + times)} |")
    if options.json:
        options.json.write_text(json.dumps({"kb": options.kb, "copies": options.copies, "strategies": rows}) + "\n")
    return 0


Asked = tuple[list[list[str]], float]


def ask(base: KnowledgeBase, queries: list[str], strategy: str) -> Asked:
    """The ids of the first facts for each query (of passages, where a strategy finds no facts), and ms a query."""
    base.retrieve(queries[:BATCH], K, strategy)
    began = time.perf_counter()
    found: list[Retrieved] = []
    for first in range(0, len(queries), BATCH):
        found += base.retrieve(queries[first : first + BATCH], K, strategy)
    ids = [[one.id for one in (each.facts or each.passages)][:K] for each in found]
    return ids, 1e3 * (time.perf_counter() - began) / len(queries)


def nearest(base: KnowledgeBase, queries: list[str]) -> list[set[str]]:
    """The exact nearest facts of each query, by their vectors."""
    graph = current_graph(base.database, base.name)
    cosines = graph.vectors.cosines(base.embedder.embed(queries))
    return [{graph.hyperedges[row].decode() for row in np.argsort(-column)[:K]} for column in cosines.T]


def compared(
    before: list[list[str]], ms_before: float, after: list[list[str]], ms_after: float, exact: list[set[str]] | None
) -> dict[str, Any]:
    """The figures of one strategy."""
    pairs = list(zip(before, after, strict=True))
    row = {
        "stay": float(np.mean([len(set(a) & set(b)) / max(len(a), 1) for a, b in pairs if a])),
        "same": float(np.mean([a == b for a, b in pairs])),
        "ms_alone": ms_before,
        "ms_crowded": ms_after,
    }
    if exact is not None:
        for part, found in (("exact_alone", before), ("exact_crowded", after)):
            row[part] = float(np.mean([len(set(some) & best) / K for some, best in zip(found, exact, strict=True)]))
    return row


if __name__ == "__main__":
    sys.exit(main())
