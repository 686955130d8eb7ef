"""Kill an ingest at random moments, run it again, and compare the graph with that of an uninterrupted run.

    python -m benchmarks.kill CORPUS [--limit N] [--kills 10] [--seed 0]

Every round starts with an empty knowledge base: `clew ingest` is killed by kill -9 at a moment between its first write
and the time that the uninterrupted run took, and then run again. The exit code is 1 where a graph is not the same.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from itertools import islice
from pathlib import Path

from benchmarks.snapshot import Snapshot, difference, snapshot
from clew.knowledge_base import KnowledgeBase


def main() -> int:
    """Run the benchmark, and print a line for each kill and a verdict."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, help="a jsonl of title and text")
    parser.add_argument("--limit", type=int, help="passages of the corpus, at most")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not options.corpus.is_file():
        sys.exit(f"There is no corpus at {options.corpus}: name one (a jsonl of title and text).")
    name = f"bench-kill-{uuid.uuid4().hex[:8]}"
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(name) as base:
        corpus = Path(folder) / "corpus.jsonl"
        with options.corpus.open() as lines:
            corpus.write_text("".join(islice(lines, options.limit)))
        try:
            differing = rounds(base, corpus, options.kills, random.Random(options.seed))
        finally:
            if base.exists():
                base.delete()
    print(f"{options.kills - differing} of {options.kills} graphs equal that of an uninterrupted run")
    return 1 if differing else 0


def rounds(base: KnowledgeBase, corpus: Path, kills: int, chance: random.Random) -> int:
    """Kill, finish and compare ``kills`` times; how many graphs differ."""
    seconds = ingest(base, corpus, None)
    expected = snapshot(base.database, base.name)
    print(f"uninterrupted: {seconds:.1f} s, {len(expected):,} nodes and relationships", flush=True)
    differing = 0
    for number in range(1, kills + 1):
        base.delete()
        moment = chance.uniform(0, seconds)
        ingest(base, corpus, moment)
        there = snapshot(base.database, base.name)
        again = ingest(base, corpus, None)
        fault = difference(expected, snapshot(base.database, base.name))
        differing += bool(fault)
        print(line(number, moment, there, expected, again, fault), flush=True)
    return differing


def line(number: int, moment: float, there: Snapshot, expected: Snapshot, again: float, fault: list[str]) -> str:
    """What one round showed."""
    share = len(there & expected) / len(expected)
    text = f"kill {number:>2} after {moment:5.1f} s: {share:4.0%} was there; finished in {again:.1f} s: "
    return text + ("equal" if not fault else "DIFFERENT\n  " + "\n  ".join(fault))


def ingest(base: KnowledgeBase, corpus: Path, kill_after: float | None) -> float:
    """Ingest by the command line; kill it so many seconds after it has begun to write. The seconds it took from there.

    Raises RuntimeError where an ingest that was not killed fails.
    """
    command = [sys.executable, "-m", "clew.cli", "ingest", str(corpus), "--kb", base.name]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    if uri := base.settings.neo4j_uri:
        environment["NEO4J_URI"] = uri
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    while not base.exists() and process.poll() is None:
        time.sleep(0.01)
    began = time.perf_counter()
    try:
        _, output = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    else:
        if process.returncode:
            raise RuntimeError(f"The ingest failed with {process.returncode}: {output.strip()[-500:]}")
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
