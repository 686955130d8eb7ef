"""Entity resolution on a world whose duplicates are known: precision, recall, exact undo, and seconds.

    python -m benchmarks.resolution [THINGS] [--seed 1] [--hashed] [--kb NAME] [--quick] [--json FILE]

The world of ``benchmarks.namesakes`` is imported, resolved with the standard settings, and everything undone. A pair
counts as merged where both names end in one cluster. ``--hashed`` takes vectors of letter groups in place of the
encoder's, which are quick to make: for measuring time on many entities. ``--kb`` names a knowledge base that is kept,
and taken as it is where it exists: the import of a large world takes longer than all the rest. ``--quick`` leaves out
the two snapshots of the whole graph that show the undo to be exact. The exit code is 1 where it is not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import uuid
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.namesakes import World, make_world
from benchmarks.snapshot import difference, snapshot
from clew.database.connection import Row
from clew.embedding import Vectors
from clew.ids import entity_id
from clew.knowledge_base import KnowledgeBase
from clew.resolution.merges import forget_all
from clew.resolution.resolve import ResolutionReport, resolve
from clew.settings import load_settings

SHOWN = 12
PAGE = 10_000
SECONDS = 1800.0
"""For one statement: the snapshots read everything at once."""


class LetterGroups:
    """Vectors of hashed groups of three letters: alike for names that are written alike."""

    name = "letter-groups"
    dimensions = 64
    precision = "f32"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 64) float32, unit norm."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            padded = f"  {text} "
            for at in range(len(padded) - 2):
                vectors[row, zlib.crc32(padded[at : at + 3].encode()) % self.dimensions] += 1
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors


def main() -> int:
    """Run the benchmark, print a line a figure, and some of the errors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("things", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hashed", action="store_true")
    parser.add_argument("--kb", metavar="NAME")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    world = make_world(options.things, options.seed)
    settings = load_settings(neo4j_timeout=SECONDS)
    name = options.kb or f"bench-resolution-{uuid.uuid4().hex[:8]}"
    with KnowledgeBase.open(name, settings=settings) as base:
        if options.hashed:
            base.__dict__["embedder"] = LetterGroups()
        try:
            found = measure(base, world, quick=options.quick)
        finally:
            if not options.kb:
                base.delete()
    errors = found.pop("errors")
    for name, value in found.items():
        print(f"{name:>24}  {value}")
    for line in errors:
        print(line)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 0 if options.quick or found["undo is exact"] else 1


def measure(base: KnowledgeBase, world: World, *, quick: bool) -> dict[str, Any]:
    """Import a world where it is not there yet, resolve it, undo that; the figures, and what was wrong in words."""
    if not base.exists():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "world.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in world.rows))
            base.import_openie(str(path))
    before = set() if quick else snapshot(base.database, base.name)
    report = resolve(base.database, base.name, on_stage=lambda stage: print(stage, file=sys.stderr))
    forgotten = forget_all(base)
    changed = [] if quick else difference(before, snapshot(base.database, base.name))
    figures = compare(base.name, world, report, {row["id"] for row in _entities(base)})
    return {
        "entities": report.entities,
        **figures,
        "suggested": len(report.suggested),
        "pairs compared": report.compared,
        "seconds": round(report.seconds, 1),
        "stages": report.stages,
        "relationships undone": forgotten,
        **({} if quick else {"undo is exact": not changed}),
    }


def _entities(base: KnowledgeBase) -> Iterator[Row]:
    """All entities, page by page."""
    after = ""
    while page := base.database.read("resolve/entities", kb=base.name, after=after, limit=PAGE):
        after = page[-1]["key"]
        yield from page


def compare(kb: str, world: World, report: ResolutionReport, there: set[str]) -> dict[str, Any]:
    """Precision and recall of the merged pairs, and the recall by how a name was changed."""
    things = {entity_id(kb, key): thing for key, thing in world.things.items()}
    names = {entity_id(kb, key): key for key in world.things}
    clusters = _clusters((one.a, one.b) for one in report.merged)
    merged = {frozenset(pair) for cluster in clusters for pair in combinations(sorted(cluster), 2)}
    by_thing: defaultdict[int, list[str]] = defaultdict(list)
    for id, thing in things.items():
        if id in there:
            by_thing[thing].append(id)
    true = {frozenset(pair) for ids in by_thing.values() for pair in combinations(sorted(ids), 2)}
    right = merged & true
    made = {entity_id(kb, key): how for key, how in world.made.items()}
    ways: Counter[str] = Counter()
    got: Counter[str] = Counter()
    for pair in true:
        how = sorted(made[id] for id in pair if id in made)
        ways[how[0] if len(how) == 1 else "two ways"] += 1
        got[how[0] if len(how) == 1 else "two ways"] += pair in right
    wrong = [f"wrong   {_pair_line(pair, names)}" for pair in sorted(merged - true, key=sorted)[:SHOWN]]
    missed = [f"missed  {_pair_line(pair, names)}" for pair in sorted(true - merged, key=sorted)[:SHOWN]]
    suggested = {frozenset((one.a, one.b)) for one in report.suggested}
    return {
        "duplicate pairs": len(true),
        "merged pairs": len(merged),
        "precision": round(len(right) / max(1, len(merged)), 4),
        "recall": round(len(right) / max(1, len(true)), 4),
        "recall with suggestions": round(len(right | (suggested & true)) / max(1, len(true)), 4),
        "recall by way": {way: f"{got[way]}/{count}" for way, count in sorted(ways.items())},
        "errors": [*wrong, *missed],
    }


def _clusters(pairs: Iterable[tuple[str, str]]) -> list[set[str]]:
    import networkx  # type: ignore[import-untyped]

    return [set(cluster) for cluster in networkx.connected_components(networkx.Graph(pairs))]


def _pair_line(pair: frozenset[str], names: Mapping[str, str]) -> str:
    return " = ".join(sorted(names.get(id, id) for id in pair))


if __name__ == "__main__":
    sys.exit(main())
