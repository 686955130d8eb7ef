"""How long an ingest takes, against plain fp32 encoding of the same texts in the same run.

    python -m benchmarks.ingest CORPUS [--limit N] [--json FILE]

The ingest is `clew ingest` in a process of its own, into a new knowledge base that is deleted afterwards. The baseline
is ``SentenceTransformer.encode`` with its defaults on the very texts that the ingest encoded, read back from the graph.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from itertools import islice
from pathlib import Path
from typing import Any

import psutil

from clew.knowledge_base import KnowledgeBase


def main() -> None:
    """Run the benchmark, print a line a figure, and write them all where ``--json`` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, help="a jsonl of title and text")
    parser.add_argument("--limit", type=int, help="passages of the corpus, at most")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.corpus.is_file():
        sys.exit(f"There is no corpus at {options.corpus}: name one (a jsonl of title and text).")
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(f"bench-{uuid.uuid4().hex[:8]}") as base:
        corpus = options.corpus
        if options.limit:
            corpus = Path(folder) / "corpus.jsonl"
            with options.corpus.open() as lines:
                corpus.write_text("".join(islice(lines, options.limit)))
        try:
            found = measure(base, corpus)
        finally:
            if base.exists():
                base.delete()
    for name, value in found.items():
        print(f"{name:>24}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def measure(base: KnowledgeBase, corpus: Path) -> dict[str, Any]:
    """Ingest, encode plainly, ingest again; seconds, the ratio, and the ingest's peak memory in megabytes."""
    first, seconds, peak = ingest(base.name, corpus)
    texts = [row["text"] for row in base.database.read("benchmark/texts", kb=base.name)]
    plain = encode_plainly(texts)
    again, seconds_again, _ = ingest(base.name, corpus)
    return {
        "documents": first["documents"],
        "hyperedges": first["hyperedges"],
        "entities": first["entities"],
        "precision": base.embedder.precision,
        "ingest_seconds": round(seconds, 1),
        "stages": {name: round(value, 1) for name, value in first["stages"].items()},
        "texts": len(texts),
        "plain_encode_seconds": round(plain, 1),
        "ratio": round(seconds / plain, 3),
        "peak_mb": round(peak / 1e6),
        "again_seconds": round(seconds_again, 1),
        "again_created": again["documents"] + again["chunks"] + again["hyperedges"] + again["entities"],
    }


def ingest(kb: str, corpus: Path) -> tuple[dict[str, Any], float, int]:
    """Run `clew ingest`: its report, seconds from start to end, and the peak memory of the process in bytes."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "clew.cli", "ingest", str(corpus), "--kb", kb, "--json"]
    with tempfile.TemporaryFile() as output, subprocess.Popen(command, stdout=output) as process:
        peak = 0
        watched = psutil.Process(process.pid)
        while process.poll() is None:
            try:
                peak = max(peak, watched.memory_info().rss)
            except psutil.NoSuchProcess:
                break
            time.sleep(0.2)
        if process.wait() != 0:
            sys.exit(f"clew ingest failed with exit code {process.returncode}.")
        seconds = time.perf_counter() - started
        output.seek(0)
        return json.load(output), seconds, peak


def encode_plainly(texts: list[str]) -> float:
    """Seconds that SentenceTransformer.encode takes in fp32 with its defaults, without loading the model."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer

    from clew.embedding import BUILT_IN, local_folder

    model = SentenceTransformer(str(local_folder(BUILT_IN)), device="cpu")
    model.encode(texts[:64])
    started = time.perf_counter()
    model.encode(texts)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
