"""What a backup costs, and that nothing is lost: seconds and bytes beside ``neo4j-admin database dump``.

    python -m benchmarks.backup KB [--questions FILE] [--limit 100] [--json FILE]

The knowledge base is backed up, deleted and restored; its nodes, relationships, vectors and the answers to questions
must then be what they were, or the exit code is 1. The server must be Clew's own: a dump needs it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.snapshot import difference, snapshot, vectors
from clew.database.server import managed
from clew.database.server.home import Home
from clew.database.server.jars import fetch_jars
from clew.database.server.java import find_java, flags
from clew.knowledge_base import KnowledgeBase
from clew.operations.backup import LABELS, backup
from clew.operations.restore import inspect, restore
from clew.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds that passed, those of this process and its children at work, and bytes that were written."""

    seconds: float
    own: float
    bytes: int = 0


def main() -> int:
    """Run the benchmark, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("--questions", type=Path, help="a jsonl with a field question")
    parser.add_argument("--limit", type=int, default=100, help="questions that are asked before and afterwards")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    lines = options.questions.read_text().splitlines()[: options.limit] if options.questions else []
    questions = [json.loads(line)["question"] for line in lines]
    costs: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(options.kb) as base:
        file = Path(folder, "one.clew")
        before = state_of(base, questions)
        costs["clew backup"], done = timed(lambda: backup(base.database, file, [base.name]))
        costs["clew backup"] = Cost(costs["clew backup"].seconds, costs["clew backup"].own, done.bytes)
        costs["clew backup --verify"], _ = timed(lambda: inspect(file))
        base.delete()
        costs["clew restore"], _ = timed(lambda: restore(base.database, file))
        wrong = compared(before, state_of(base, questions))
        nodes = base.stats()["nodes"]
        if base.database.server.managed:
            costs["neo4j-admin database dump"] = dump(base.settings, Path(folder))
    print(
        f"{options.kb}: {', '.join(f'{count:,} {label}' for label, count in nodes.items())}; {len(questions)} questions"
    )
    print("\n| | seconds | of its own | MB |\n|---|--:|--:|--:|")
    for name, cost in costs.items():
        print(f"| `{name}` | {cost.seconds:.1f} | {cost.own:.1f} | {f'{cost.bytes / 1e6:.1f}' if cost.bytes else ''} |")
    print("\nrestored, it is equal" if not wrong else "\nDIFFERENT\n  " + "\n  ".join(wrong))
    if options.json:
        rows = {name: [cost.seconds, cost.own, cost.bytes] for name, cost in costs.items()}
        options.json.write_text(json.dumps({"kb": options.kb, "nodes": nodes, "costs": rows, "wrong": wrong}) + "\n")
    return 1 if wrong else 0


Snapshot = tuple[set[str], list[tuple[list[str], object]], list[object]]


def state_of(base: KnowledgeBase, questions: list[str]) -> Snapshot:
    """All nodes and relationships, all vectors, and the answers."""
    answers: list[object] = []
    for question in questions:
        found = base.ask(question, policy="reader", store=False)
        answers.append([found.answer, found.verdict, found.citations])
    return snapshot(base.database, base.name), [vectors(base.database, base.name, one) for one in LABELS], answers


def compared(before: Snapshot, after: Snapshot) -> list[str]:
    """What is not the same."""
    wrong = difference(before[0], after[0])
    for label, (ids, numbers), (ids_now, numbers_now) in zip(LABELS, before[1], after[1], strict=True):
        if ids != ids_now or not np.array_equal(np.asarray(numbers), np.asarray(numbers_now)):
            wrong.append(f"vectors of {label}")
    others = sum(old != new for old, new in zip(before[2], after[2], strict=True))
    return wrong + ([f"{others} answers"] if others else [])


def timed(work: Callable[[], T]) -> tuple[Cost, T]:
    """What something costs, and gives."""
    began, before = time.perf_counter(), _own()
    result = work()
    return Cost(time.perf_counter() - began, _own() - before), result


def dump(settings: Settings, folder: Path) -> Cost:
    """The cost of Neo4j's own dump of the whole database; the server is stopped for it, and started again."""
    home, java, jars = Home.of(settings), find_java(settings), fetch_jars(settings)
    managed.down(settings)
    command = [java.path, *flags(java), "-cp", f"{jars}/*", "org.neo4j.cli.AdminTool"]
    command += ["database", "dump", "neo4j", f"--to-path={folder}", "--overwrite-destination=true"]
    environment = os.environ | {"NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf)}
    try:
        cost, done = timed(
            lambda: subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        )
    finally:
        managed.ensure_server(settings)
    if done.returncode:
        sys.exit(f"neo4j-admin database dump failed: {done.stderr.strip()[-300:]}")
    return Cost(cost.seconds, cost.own, (folder / "neo4j.dump").stat().st_size)


def _own() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    sys.exit(main())
