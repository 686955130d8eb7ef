"""Hand damaged input to everything that reads some, for as long as one likes, and keep the seeds of what went wrong.

    python -m tests.fuzz [--minutes 30] [--seed 0] [--targets files,turns] [--only SEED] [--results FILE]
                         [--server ADDRESS] [--kb KB] [--token TOKEN]

A round is a handful of inputs, all made of its seed, so that it can be repeated: ``--targets files --only 17``. With
``--server`` damaged requests are sent to a ``clew serve``, too. Rounds are kept line by line in ``--results``; what was
interrupted goes on there. The exit code is 1 where something crashed, took over ten seconds or a gigabyte, or was read
into what cannot be.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from clew.reporting.table import Table, as_markdown
from clew.types import Json
from tests.fuzz.targets import INPUTS, TARGETS, Target, requests, tried


def main() -> int:
    """Run rounds of the targets in turn until the time is over, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    parser.add_argument("--targets", default="", help="only these, with commas between them")
    parser.add_argument("--only", type=int, help="just the round of this seed")
    parser.add_argument("--results", type=Path, help="a file of JSON lines, a round each, to go on with")
    parser.add_argument("--server", help="the address of a clew serve that gets damaged requests")
    parser.add_argument("--kb", default="examples", help="what that server is asked about")
    parser.add_argument("--token", default=os.environ.get("CLEW_TOKEN", ""), help="for that server")
    options = parser.parse_args()
    targets = dict(TARGETS)
    if options.server:
        targets["requests"] = requests(options.server, options.token, options.kb)
    wanted = [name.strip() for name in options.targets.split(",") if name.strip()] or list(targets)
    if unknown := [name for name in wanted if name not in targets]:
        sys.exit(f"There is no target {unknown[0]!r}: choose of {', '.join(targets)} (requests needs --server).")
    done = run({name: targets[name] for name in wanted}, options)
    print(table(done))
    return 1 if any(row["wrong"] for row in done) else 0


def run(targets: dict[str, Target], options: argparse.Namespace) -> list[Json]:
    """The rounds: those that are kept, and new ones until each target has had its share of the minutes."""
    kept: Path | None = options.results
    done = [json.loads(line) for line in kept.read_text().splitlines()] if kept and kept.is_file() else []
    share = 60 * options.minutes / len(targets)
    bar = Progress(TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(), console=Console(stderr=True))
    with bar:
        task = bar.add_task("", total=60 * options.minutes)
        for name, target in targets.items():
            own = [row for row in done if row["target"] == name]
            known, spent = {row["seed"] for row in own}, sum(row["seconds"] for row in own)
            for seed in count(options.seed) if options.only is None else [options.only]:
                if options.only is None and spent >= share:
                    break
                if seed in known:
                    continue
                row = _round(name, target, seed)
                done.append(row)
                spent += row["seconds"]
                if kept:
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
                for fault in row["wrong"]:
                    bar.console.print(f"{name}, seed {seed}: {fault}", markup=False)
                bar.update(task, description=f"{name}, seed {seed}", advance=row["seconds"])
    return done


def _round(name: str, target: Target, seed: int) -> Json:
    began = time.monotonic()
    wrong, peak = tried(target, Random(f"{name}:{seed}"))
    seconds = round(time.monotonic() - began, 3)
    return {"target": name, "seed": seed, "seconds": seconds, "mb": round(peak), "wrong": wrong}


def table(done: Sequence[Json]) -> str:
    """The rounds as Markdown, a line for each target."""
    heads = ["target", "inputs", "minutes", "longest round (s)", "most memory (MB)", "wrong"]
    names = [name for name in INPUTS if any(row["target"] == name for row in done)]
    lines = []
    for name in names:
        rows = [row for row in done if row["target"] == name]
        minutes = sum(row["seconds"] for row in rows) / 60
        longest, memory = max(row["seconds"] for row in rows), max(row["mb"] for row in rows)
        wrong = sum(bool(row["wrong"]) for row in rows)
        lines.append([name, INPUTS[name] * len(rows), f"{minutes:.1f}", f"{longest:.1f}", f"{memory:.0f}", wrong])
    return as_markdown(Table.of(heads, lines))


if __name__ == "__main__":
    sys.exit(main())
