"""Inject faults by the hundred, and say what they did.

    python -m tests.faults [--rounds 25] [--seed 0] [--kinds "connection cut,two writers"] [--results FILE]

Neo4j is one of Clew's own, in a folder of its own, unless NEO4J_URI names another (which is never killed). A round is
one fault of one kind; its seed is told, so that it can be repeated: ``--only SEED``. Rounds are kept line by line in
``--results``, so that what was interrupted goes on where it stopped, and several may be put together. The exit code is
1 where anything acknowledged was lost, a check found something, or a graph differs from that of an undisturbed run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from clew.database.server.managed import down
from clew.knowledge_base import connect
from clew.reporting.table import Table, as_markdown
from clew.settings import Settings, load_settings
from clew.types import Json
from tests.faults.bench import Bench
from tests.faults.kinds import KINDS, OWN_SERVER


def main() -> int:
    """Run the rounds that are missing, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=25, help="faults of each kind")
    parser.add_argument("--seed", type=int, default=0, help="of the documents, and of the first round")
    parser.add_argument("--only", type=int, help="just the round of this seed")
    parser.add_argument("--kinds", default="", help="only these, with commas between them")
    parser.add_argument("--results", type=Path, help="a file of JSON lines, a round each, to go on with")
    options = parser.parse_args()
    wanted = [kind.strip() for kind in options.kinds.split(",") if kind.strip()] or list(KINDS)
    if unknown := [kind for kind in wanted if kind not in KINDS]:
        sys.exit(f"There is no kind {unknown[0]!r}: choose of {', '.join(KINDS)}.")
    done = read(options.results)
    seeds = [options.only] if options.only is not None else range(options.seed, options.seed + options.rounds)
    known = {(row["kind"], row["seed"]) for row in done}
    rounds = [(kind, seed) for seed in seeds for kind in wanted if (kind, seed) not in known]

    def keep(row: Json) -> None:
        done.append(row)
        if options.results:
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings()
        if not settings.neo4j_uri:
            settings = load_settings(home=Path(folder), bolt_port=0, http_port=0)
        try:
            run(settings, rounds, options.seed, keep)
        finally:
            if not settings.neo4j_uri:  # its own, in a folder of its own
                down(settings)
    print(table(done))
    return 1 if any(row["wrong"] for row in done) else 0


def read(results: Path | None) -> list[Json]:
    """The rounds that are kept, in their order."""
    lines = results.read_text(encoding="utf-8").splitlines() if results and results.is_file() else []
    return [json.loads(line) for line in lines]


def run(settings: Settings, rounds: Sequence[tuple[str, int]], documents: int, keep: Callable[[Json], None]) -> None:
    """Run each round, of a kind and a seed, and hand over the faults that happened, the seconds, and what was wrong."""
    words = TextColumn("{task.description}")
    with (
        connect(settings) as database,
        Progress(words, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as bar,
    ):
        bench = Bench(database, settings, documents)
        task = bar.add_task("an undisturbed run", total=len(rounds))
        _ = bench.expected
        for kind, seed in rounds:
            if kind in OWN_SERVER and not database.server.managed:
                bar.advance(task)
                continue
            bar.update(task, description=f"{kind}, seed {seed}")
            began, hits = time.monotonic(), bench.hits
            try:
                wrong = KINDS[kind](bench, random.Random(f"{kind}:{seed}"))
            except Exception as error:  # whatever it is, it is what this looks for
                wrong = [f"{type(error).__name__}: {error}"]
            seconds = round(time.monotonic() - began, 1)
            keep({"kind": kind, "seed": seed, "faults": bench.hits - hits, "seconds": seconds, "wrong": wrong[:5]})
            if wrong:
                bar.console.print(f"{kind}, seed {seed}: {' | '.join(wrong[:5])}", markup=False)
            bar.advance(task)
        bench.wipe()


def table(done: Sequence[Json]) -> str:
    """The rounds as Markdown, a line for each kind."""
    heads = ["kind of fault", "rounds", "faults", "seconds a round", "wrong"]
    kinds = [kind for kind in KINDS if any(row["kind"] == kind for row in done)]
    lines = [_line(kind, [row for row in done if row["kind"] == kind]) for kind in kinds]
    return as_markdown(Table.of(heads, [*lines, _line("**all**", done)]))


def _line(name: str, rows: Sequence[Json]) -> list[object]:
    seconds = sum(row["seconds"] for row in rows) / max(1, len(rows))
    return [name, len(rows), sum(row["faults"] for row in rows), f"{seconds:.1f}", sum(bool(r["wrong"]) for r in rows)]


if __name__ == "__main__":
    sys.exit(main())
