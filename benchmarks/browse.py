"""How long each favourite of Neo4j Browser takes.

    python -m benchmarks.browse KB [--json FILE]

Each runs with nothing named, as it does when it is opened: once with its plan still to be made, then several times.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from clew.knowledge_base import KnowledgeBase
from clew.serving.browse import favourites

ROUNDS = 7


def main() -> None:
    """Run every favourite; print milliseconds of the first run, the median and the slowest of the others."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    found = {}
    with KnowledgeBase.open(options.kb) as base:
        for item in favourites():
            times = [_milliseconds(base, item.name, item.parameters) for _ in range(ROUNDS)]
            found[item.name] = {"first": times[0], "median": statistics.median(times[1:]), "slowest": max(times[1:])}
            print(f"{item.name:>12}  " + "  ".join(f"{kind} {ms:.0f} ms" for kind, ms in found[item.name].items()))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def _milliseconds(base: KnowledgeBase, name: str, parameters: tuple[str, ...]) -> float:
    started = time.perf_counter()
    base.database.read(f"browse/{name}", **dict.fromkeys(parameters), kb=base.name)
    return round((time.perf_counter() - started) * 1000, 1)


if __name__ == "__main__":
    main()
