"""Three graphs of one corpus, from sentences, from imported triples, and from both: what each finds.

    python -m benchmarks.openie DIR [--strategies A,B] [--markdown FILE]

DIR holds corpus.jsonl (title and text), openie.jsonl (title, text, entities and triples of each passage) and
questions.jsonl with supporting passages. Each graph is measured as ingested, and again with its entities resolved, by
`clew evaluate retrieval`. The table is printed, and written where ``--markdown`` says.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path

from clew.knowledge_base import KnowledgeBase
from clew.reporting.table import Table, as_markdown
from clew.resolution.resolve import resolve
from clew.types import IngestReport, Json

HIPPORAG_2 = ["HippoRAG 2, its own code, on these triples", "44.2 / 67.7 / 77.8", "", ""]
"""Measured beside Clew with the same encoder and without its filter by a language model."""


def main() -> None:
    """Ingest three times, measure six times, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--strategies", default="clew,hipporag2,graph-r1,chunks")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    options = parser.parse_args()
    files = {name: options.directory / f"{name}.jsonl" for name in ("corpus", "openie", "questions")}
    if missing := [path for path in files.values() if not path.is_file()]:
        sys.exit(f"There is no {missing[0]}: name a folder with corpus.jsonl, openie.jsonl and questions.jsonl.")
    triples = str(files["openie"])
    graphs: dict[str, Callable[[KnowledgeBase], IngestReport]] = {
        "sentences, without a model": lambda base: base.ingest(str(files["corpus"])),
        "triples of a model": lambda base: base.import_openie(triples),
        "both": lambda base: base.import_openie(triples, sentences=True),
    }
    rows = [HIPPORAG_2]
    for name, ingest in graphs.items():
        rows += measure(name, ingest, options.directory, options.strategies)
    table = as_markdown(Table.of(["graph, strategy", "recall@2 / 5 / 10", "@5, 95 %", "facts, entities"], rows))
    print(table)
    if options.markdown:
        options.markdown.write_text(table)


def measure(
    name: str, ingest: Callable[[KnowledgeBase], IngestReport], directory: Path, strategies: str
) -> list[list[str]]:
    """The rows of one graph, as ingested and with its entities resolved."""
    with KnowledgeBase.open(f"bench-openie-{uuid.uuid4().hex[:8]}") as base:
        try:
            report = ingest(base)
            if report.extraction:
                print(f"{name}: {report.extraction.facts:,} facts, dropped {report.extraction.dropped}", flush=True)
            nodes = base.stats()["nodes"]
            size = f"{nodes['Hyperedge']:,}, {nodes['Entity']:,}"
            rows = [_row(f"{name}: {one}", found, size) for one, found in evaluate(base.name, directory, strategies)]
            merged = len(resolve(base.database, base.name).merged)
            again = evaluate(base.name, directory, "clew")
            return rows + [
                _row(f"{name}, entities resolved: {one}", found, f"{merged:,} merges") for one, found in again
            ]
        finally:
            base.delete()


def evaluate(kb: str, directory: Path, strategies: str) -> list[tuple[str, Json]]:
    """The figures of each strategy, by `clew evaluate retrieval` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        command = [sys.executable, "-m", "clew.cli", "evaluate", "retrieval", str(directory), "--kb", kb]
        command += ["--strategy", strategies, "--runs", folder, "--json", str(figures)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"The evaluation failed: {done.stderr.strip()[-500:]}")
        return list(json.loads(figures.read_text())["strategies"].items())


def _row(name: str, found: Json, size: str) -> list[str]:
    recall = " / ".join(f"{100 * found[f'recall@{k}']:.1f}" for k in (2, 5, 10))
    low, high = found["intervals"]["recall@5"]
    return [name, recall, f"{100 * low:.1f}–{100 * high:.1f}", size]


if __name__ == "__main__":
    main()
