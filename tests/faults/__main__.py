"""Inject faults by the hundred, and say what they did.

    python -m tests.faults [--rounds 25] [--seed 0] [--kinds "connection cut,two writers"] [--json FILE]

Neo4j is one of Clew's own, in a folder of its own, unless NEO4J_URI names another (which is never killed). A round is
one fault of one kind; its seed is told, so that it can be repeated: ``--only SEED``. The exit code is 1 where anything
acknowledged was lost, a check found something, or a graph differs from that of an undisturbed run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from clew.database.server.managed import down
from clew.knowledge_base import connect
from clew.settings import Settings, load_settings
from tests.faults.bench import Bench
from tests.faults.kinds import KINDS, OWN_SERVER


def main() -> int:
    """Run the rounds, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=25, help="faults of each kind")
    parser.add_argument("--seed", type=int, default=0, help="of the documents, and of the first round")
    parser.add_argument("--only", type=int, help="just the round of this seed")
    parser.add_argument("--kinds", default="", help="only these, with commas between them")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    wanted = [kind.strip() for kind in options.kinds.split(",") if kind.strip()] or list(KINDS)
    if unknown := [kind for kind in wanted if kind not in KINDS]:
        sys.exit(f"There is no kind {unknown[0]!r}: choose of {', '.join(KINDS)}.")
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings()
        if not settings.neo4j_uri:
            settings = load_settings(home=Path(folder), bolt_port=0, http_port=0)
        seeds = [options.only] if options.only is not None else range(options.seed, options.seed + options.rounds)
        try:
            rows = run(settings, wanted, list(seeds), options.seed, options.seconds)
        finally:
            if not settings.neo4j_uri:  # its own, in a folder of its own
                down(settings)
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if any(row["wrong"] for row in rows.values()) else 0


def run(
    settings: Settings, kinds: list[str], seeds: list[int], documents: int, seconds: float
) -> dict[str, dict[str, object]]:
    """For each kind how many rounds there were, how long they took, and what was wrong."""
    rows: dict[str, dict[str, object]] = {}
    until = time.monotonic() + seconds if seconds else float("inf")
    with connect(settings) as database:
        bench = Bench(database, settings, documents)
        _ = bench.expected
        for seed in seeds:
            for kind in kinds:
                if (kind in OWN_SERVER and not database.server.managed) or time.monotonic() > until:
                    continue
                began, hits = time.monotonic(), bench.hits
                try:
                    wrong = KINDS[kind](bench, random.Random(f"{kind}:{seed}"))
                except Exception as error:  # whatever it is, it is what this looks for
                    wrong = [f"{type(error).__name__}: {error}"]
                row = rows.setdefault(kind, {"rounds": 0, "hits": 0, "seconds": 0.0, "wrong": []})
                row["hits"] = int(str(row["hits"])) + bench.hits - hits
                row["rounds"] = int(str(row["rounds"])) + 1
                row["seconds"] = round(float(str(row["seconds"])) + time.monotonic() - began, 1)
                if wrong:
                    assert isinstance(row["wrong"], list)
                    row["wrong"].append({"seed": seed, "found": wrong[:5]})
                    print(f"{kind}, seed {seed}: {' | '.join(wrong[:5])}", flush=True)
        bench.wipe()
    return rows


def table(rows: dict[str, dict[str, object]]) -> str:
    """The rows as Markdown."""
    lines = ["| kind of fault | rounds | faults | seconds a round | wrong |", "|---|--:|--:|--:|--:|"]
    for kind, row in rows.items():
        rounds, took, wrong = int(str(row["rounds"])), float(str(row["seconds"])), row["wrong"]
        assert isinstance(wrong, list)
        lines.append(f"| {kind} | {rounds} | {row['hits']} | {took / max(rounds, 1):.1f} | {len(wrong)} |")
    total, hits = (sum(int(str(row[name])) for row in rows.values()) for name in ("rounds", "hits"))
    wrong_in_all = sum(len(row["wrong"]) for row in rows.values() if isinstance(row["wrong"], list))
    return "\n".join([*lines, f"| **all** | {total} | {hits} | | {wrong_in_all} |"])


if __name__ == "__main__":
    sys.exit(main())
