"""Ingest without Ray, with it, and with it while a worker is killed; and compare the three graphs.

    python -m benchmarks.ray CORPUS [--limit N] [--ray ADDRESS] [--json FILE]

Each is `clew ingest` in a process of its own, into the same knowledge base, which is empty before and deleted
afterwards. Compared are all nodes and relationships with their properties, and the vectors bit for bit. The worker is
one that is at a task, killed by kill -9 after half of the time that the ingest without Ray took. The exit code is 1
where a graph is not the same.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from itertools import islice
from pathlib import Path

import numpy as np
import psutil

from benchmarks.snapshot import Snapshot, difference, snapshot, vectors
from clew.embedding import Vectors
from clew.knowledge_base import KnowledgeBase
from clew.types import Json

LABELS = ("Chunk", "Hyperedge", "Entity")

Graph = tuple[Snapshot, dict[str, tuple[list[str], Vectors]]]


def main() -> int:
    """Run the benchmark, and print a line for each ingest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, help="a jsonl of title and text")
    parser.add_argument("--limit", type=int, help="passages of the corpus, at most")
    parser.add_argument("--ray", metavar="ADDRESS", default="local")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.corpus.is_file():
        sys.exit(f"There is no corpus at {options.corpus}: name one (a jsonl of title and text).")
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(f"bench-{uuid.uuid4().hex[:8]}") as base:
        corpus = Path(folder) / "corpus.jsonl"
        with options.corpus.open() as lines:
            corpus.write_text("".join(islice(lines, options.limit)))
        try:
            found = measure(base, corpus, options.ray)
        finally:
            if base.exists():
                base.delete()
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 0 if all(one["equal"] for one in found) else 1


def measure(base: KnowledgeBase, corpus: Path, ray: str) -> list[Json]:
    """The three ingests: what each took, and whether its graph is that of the first."""
    first, expected = ingest(base, corpus)
    rows = [first | {"run": "without Ray", "equal": True, "vectors_differing": 0}]
    print(rows[0], flush=True)
    for run, kill_after in (("with Ray", None), ("a worker killed", first["seconds"] / 2)):
        base.delete()
        base.__dict__.pop("embedder", None)
        one, found = ingest(base, corpus, ray, kill_after)
        fault = difference(expected[0], found[0])
        differing = sum(differing_rows(expected[1][label], found[1][label]) for label in LABELS)
        rows.append(one | {"run": run, "equal": not fault and not differing, "vectors_differing": differing})
        print(rows[-1], *fault, sep="\n  ", flush=True)
    return rows


def ingest(
    base: KnowledgeBase, corpus: Path, ray: str | None = None, kill_after: float | None = None
) -> tuple[Json, Graph]:
    """Run `clew ingest`, and kill a worker of it after so many seconds. What it reported, and the graph.

    Raises RuntimeError where the ingest fails.
    """
    command = [sys.executable, "-m", "clew.cli", "ingest", str(corpus), "--kb", base.name, "--json"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    began = time.perf_counter()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        arguments = [*command, "--ray", ray] if ray else command
        process = subprocess.Popen(arguments, env=environment, stdout=output, stderr=errors)
        killed = kill(process, kill_after) if kill_after is not None else 0
        if process.wait():
            errors.seek(0)
            raise RuntimeError(f"The ingest failed with {process.returncode}: {errors.read()[-500:]!r}")
        seconds = time.perf_counter() - began
        output.seek(0)
        report = json.load(output)
    figures = {key: report[key] for key in ("documents", "chunks", "hyperedges", "entities")}
    figures |= {"stages": {name: round(value, 1) for name, value in report["stages"].items()}, "killed": killed}
    rows = {label: vectors(base.database, base.name, label) for label in LABELS}
    return figures | {"seconds": round(seconds, 1)}, (snapshot(base.database, base.name), rows)


def kill(process: subprocess.Popen[bytes], after: float) -> int:
    """Kill a worker of an ingest that is at a task, not before so many seconds; how many were killed."""
    deadline = time.monotonic() + after
    while process.poll() is None:
        if time.monotonic() > deadline:
            for child in psutil.Process(process.pid).children(recursive=True):
                try:
                    if "ray::_apply" in " ".join(child.cmdline()):
                        child.send_signal(signal.SIGKILL)
                        return 1
                except psutil.NoSuchProcess:
                    continue
        time.sleep(0.2)
    return 0


def differing_rows(expected: tuple[list[str], Vectors], found: tuple[list[str], Vectors]) -> int:
    """How many vectors are not the same bit for bit; all of them where the nodes are not the same."""
    if expected[0] != found[0]:
        return max(len(expected[0]), len(found[0]))
    return int(np.any(expected[1].view(np.uint32) != found[1].view(np.uint32), axis=1).sum())


if __name__ == "__main__":
    sys.exit(main())
