"""Every seed and recipe of the trainer's demo, and a table of them for the docs.

    python -m benchmarks.demo_seeds [--recipes A,B] [--seeds N] [--results FILE] [--table FILE]

Each run is a process of its own, one after the other, all recipes of a seed before the next seed. Results are kept
line by line, so that a benchmark that is interrupted goes on where it stopped. ``--seeds 0`` only writes the table. The
table shows every seed: no run is left out, and the last line of each recipe is the median.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from clew.types import Json

RECIPES = ("graph-r1", "graphrag-r1", "prograph-r1")
RESULTS = Path("benchmarks/demo_seeds.jsonl")
TABLE = Path("docs/demo.md")
HOPS = ("1", "2", "3", "4")

_INTRODUCTION = """\
# What the demo learns

`python -m trainer demo --recipe R --seed N`, one line a run: exact match on 100 held-out questions a hop, over a graph
that was never trained on, before reinforcement learning and after it; retrievals a question afterwards; minutes in
all; and retrieval's share of the time that rollouts took. Written by `python -m benchmarks.demo_seeds` on 26 November
2026, a thread each on two cores of an AMD EPYC that did much else: the same work took from 6 to 44 minutes.

| recipe | seed | before: 1 / 2 / 3 / 4 hops | after: 1 / 2 / 3 / 4 hops | retrievals | minutes | retrieval |
|---|---|---|---|---|---|---|
"""


def main(arguments: list[str] | None = None) -> int:
    """Run what is missing, and write the table; the exit code is that of the first run that failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recipes", default=",".join(RECIPES))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    done = {(row["recipe"], row["seed"]) for row in read(options.results)}
    runs = [(recipe, seed) for seed in range(options.seeds) for recipe in options.recipes.split(",")]
    for recipe, seed in runs:
        if (recipe, seed) in done:
            continue
        code = _run(recipe, seed, options.results)
        if code:
            print(f"demo_seeds: {recipe} with seed {seed} failed; run this again to go on.", file=sys.stderr)
            return code
    options.table.write_text(table(read(options.results)), encoding="utf-8")
    return 0


def read(results: Path) -> list[Json]:
    """The runs that are kept, in their order."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.is_file() else []
    return [json.loads(line) for line in lines]


def _run(recipe: str, seed: int, results: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.json"
        command = [
            sys.executable,
            "-m",
            "trainer",
            "demo",
            "--recipe",
            recipe,
            "--seed",
            str(seed),
            "--json",
            str(file),
        ]
        code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
        if code == 0:
            with results.open("a", encoding="utf-8") as out:
                out.write(json.dumps(json.loads(file.read_text(encoding="utf-8"))) + "\n")
    return code


def table(rows: list[Json]) -> str:
    """The page with every run, and each recipe's median."""
    lines = []
    for recipe in sorted({row["recipe"] for row in rows}):
        some = sorted((row for row in rows if row["recipe"] == recipe), key=lambda row: row["seed"])
        lines += [_line(recipe, str(row["seed"]), row) for row in some]
        middle = {when: {hop: median(row[when][hop] for row in some) for hop in HOPS} for when in ("before", "after")}
        figures = {name: median(row[name] for row in some) for name in ("retrievals", "seconds", "retrieval_share")}
        lines.append(_line(f"**{recipe}**", "**median**", middle | figures))
    return _INTRODUCTION + "\n".join(lines) + "\n"


def _line(recipe: str, seed: str, row: Json) -> str:
    before, after = (" / ".join(f"{row[when][hop]:.2f}" for hop in HOPS) for when in ("before", "after"))
    minutes, share = f"{row['seconds'] / 60:.1f}", f"{row['retrieval_share']:.0%}"
    return f"| {recipe} | {seed} | {before} | {after} | {row['retrievals']:.1f} | {minutes} | {share} |"


if __name__ == "__main__":
    sys.exit(main())
