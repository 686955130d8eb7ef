"""What 10⁶, 10⁸ and 10⁹ hyperedges take, worked out from constants that were measured on one small machine.

    python -m benchmarks.scale                                                            the table of docs/scale.md
    python -m benchmarks.scale --measure KB --ingest FILE --questions FILE [--times N]    measure anew into scale.json

To measure, KB must be alone on a server that Clew runs, because its files are weighed; a copy N times as large is made
beside it (benchmarks.growth) and stays. What is assumed, such as prices and the size of a region, is in ``Assumed``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.growth import grow
from benchmarks.retrieval import milliseconds
from clew.knowledge_base import KnowledgeBase
from clew.reporting.table import Table, as_markdown
from clew.retrieval.graph.copy import read_graph
from clew.retrieval.graph.hypergraph import Graph, Incidence

FILE = Path(__file__).with_suffix(".json")
SIZES = (10**6, 10**8, 10**9)
STRATEGIES = ("graph-r1", "clew")


@dataclass(frozen=True, slots=True)
class Measured:
    """Constants for each hyperedge, of a zero-LLM graph with vectors of ``dimensions``.

    Seconds of encoding and extracting are those of one core; writing shared the machine with both.
    """

    dimensions: int
    characters: float
    chunks: float
    entities: float
    relationships: float
    store_bytes: float
    vector_index_bytes: float
    other_index_bytes: float
    copy_bytes: float
    copy_seconds: float
    write_seconds: float
    encode_seconds: float
    extract_seconds: float
    sizes: tuple[int, int]
    latency_ms: dict[str, tuple[float, float]]
    index_seconds: float = 5.4 / 21_342
    """For each vector: what benchmarks.index_settings measured of writing an index of the chosen setting."""

    @property
    def vectors(self) -> float:
        """Vectors for each hyperedge: its own, and its shares of chunks and entities."""
        return 1 + self.chunks + self.entities


@dataclass(frozen=True, slots=True)
class Assumed:
    """What is assumed. A region is a part of the graph with a server of its own; money is US dollars.

    The model's figures are those that Graph-R1 tells of GPT-4o-mini, for each million tokens of documents.
    """

    region: int = 10**7
    memory_per_region_gb: int = 128
    encoding_cores: int = 128
    core_hour: float = 0.04
    gb_memory_month: float = 3.0
    gb_disk_month: float = 0.1
    characters_per_token: float = 4.0
    model_per_million_tokens: float = 2.81
    model_seconds_per_thousand_tokens: float = 5.69
    model_requests_at_once: int = 100


def main() -> None:
    """Print the table, or measure first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--measure", metavar="KB")
    parser.add_argument("--times", type=int, default=5, help="how much larger the copy is that latency is measured on")
    parser.add_argument("--ingest", type=Path, metavar="FILE", help="what benchmarks.ingest or benchmarks.ray wrote")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="a jsonl with a question a line")
    options = parser.parse_args()
    if options.measure:
        if not (options.ingest and options.questions):
            sys.exit("Name --ingest, what `python -m benchmarks.ingest CORPUS --json FILE` wrote, and --questions.")
        questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()][:100]
        with (
            KnowledgeBase.open(options.measure) as base,
            KnowledgeBase.open(f"{options.measure}-x{options.times}") as large,
        ):
            found = measure(base, large, options.times, json.loads(options.ingest.read_text()), questions)
        FILE.write_text(json.dumps(asdict(found), indent=2) + "\n")
    print(table(read_constants(), Assumed()))


def read_constants() -> Measured:
    """The constants in ``scale.json``."""
    found = json.loads(FILE.read_text())
    pairs = {name: (first, second) for name, (first, second) in found["latency_ms"].items()}
    return Measured(**found | {"sizes": tuple(found["sizes"]), "latency_ms": pairs})


def measure(base: KnowledgeBase, large: KnowledgeBase, times: int, ingest: Any, questions: list[str]) -> Measured:
    """Grow ``base`` into ``large``, weigh the files of both, read the larger one into memory and ask both.

    ``ingest`` is what a quiet run of benchmarks.ingest measured of its stages.
    """
    grow(base, large, times)
    counts, small = large.stats(), base.stats()["nodes"]["Hyperedge"]
    hyperedges = counts["nodes"]["Hyperedge"]
    began = time.perf_counter()
    graph = read_graph(large.database, large.name)
    copy_seconds = time.perf_counter() - began
    texts = large.documents()
    files = weigh(large.settings.home / "neo4j" / "data" / "databases" / "neo4j")
    every = hyperedges + small
    ingested = ingest[0] if isinstance(ingest, list) else ingest
    return Measured(
        dimensions=large.embedder.dimensions,
        characters=sum(row["characters"] for row in texts) / hyperedges,
        chunks=counts["nodes"]["Chunk"] / hyperedges,
        entities=counts["nodes"]["Entity"] / hyperedges,
        relationships=sum(counts["relationships"].values()) / hyperedges,
        store_bytes=files["store"] / every,
        vector_index_bytes=files["vector"] / every,
        other_index_bytes=files["other"] / every,
        copy_bytes=graph_bytes(graph) / hyperedges,
        copy_seconds=copy_seconds / hyperedges,
        write_seconds=ingested["stages"]["write"] / ingested["hyperedges"],
        encode_seconds=ingested["stages"]["embed"] * (os.cpu_count() or 1) / ingested["hyperedges"],
        extract_seconds=ingested["stages"]["extract"] / ingested["hyperedges"],
        sizes=(small, hyperedges),
        latency_ms={
            name: (milliseconds(base, name, questions, 1), milliseconds(large, name, questions, 1))
            for name in STRATEGIES
        },
    )


def weigh(folder: Path) -> dict[str, int]:
    """Bytes of a database's files: of the ``store``, of its ``vector`` indexes and of all ``other`` ones."""
    found = {"store": 0, "vector": 0, "other": 0}
    for file in folder.rglob("*"):
        if file.is_file():
            path = file.relative_to(folder).as_posix()
            kind = "store" if "index/" not in path else "vector" if "vector" in path else "other"
            found[kind] += file.stat().st_size
    return found


def graph_bytes(value: Graph | Incidence) -> int:
    """Bytes of all arrays of a graph in memory."""
    parts = [getattr(value, one.name) for one in fields(value)]
    arrays = sum(part.nbytes for part in parts if isinstance(part, np.ndarray))
    return arrays + sum(graph_bytes(part) for part in parts if isinstance(part, Incidence))


def table(measured: Measured, assumed: Assumed, sizes: tuple[int, ...] = SIZES) -> str:
    """The table of docs/scale.md, in Markdown."""
    columns = [column(measured, assumed, size) for size in sizes]
    head = ["hyperedges", *(f"10{_power(size)}" for size in sizes)]
    return as_markdown(Table.of(head, ([name, *(one[name] for one in columns)] for name in columns[0]))).rstrip("\n")


def column(m: Measured, a: Assumed, size: int) -> dict[str, str]:
    """What a graph with so many hyperedges takes, by what is given."""
    regions = math.ceil(size / a.region)
    region = size / regions
    vectors = size * m.vectors
    disk = size * (m.store_bytes + m.vector_index_bytes + m.other_index_bytes)
    index = size * m.vector_index_bytes
    quantised = vectors * m.dimensions
    work = size * (m.encode_seconds + m.extract_seconds)
    tokens = size * m.characters / a.characters_per_token
    memory = a.memory_per_region_gb * regions if regions > 1 else _memory(m, size)
    month = disk / 1e9 * a.gb_disk_month + memory * a.gb_memory_month
    return {
        "text": _bytes(size * m.characters),
        "nodes, relationships": f"{_number(size * m.vectors)}, {_number(size * m.relationships)}",
        "vectors in the indexes": _number(vectors),
        "disk in all": _bytes(disk),
        "… store / vector indexes / other indexes": " / ".join(
            _bytes(size * one) for one in (m.store_bytes, m.vector_index_bytes, m.other_index_bytes)
        ),
        "vectors in memory: f32 / int8 / 1 bit": " / ".join(map(_bytes, (index, quantised, quantised / 8))),
        "copy of the graph in one process": f"{_bytes(size * m.copy_bytes)}, read in {_time(size * m.copy_seconds)}",
        f"regions of {_number(a.region)}": str(regions),
        "extracting and encoding, one core": _time(work),
        f"… with {a.encoding_cores} cores": _time(work / a.encoding_cores),
        "writing with the indexes, one writer": _time(size * m.write_seconds),
        "… a writer for each region": _time(region * m.write_seconds),
        "building the vector indexes anew, a region": _time(region * m.vectors * m.index_seconds),
        **{f"latency of `{name}`, ms, in a region": f"{latency(m, name, region):.0f}" for name in STRATEGIES},
        "extraction by a model: cost": _money(tokens / 1e6 * a.model_per_million_tokens),
        f"… time, {a.model_requests_at_once} requests at once": _time(
            tokens / 1e3 * a.model_seconds_per_thousand_tokens / a.model_requests_at_once
        ),
        "encoding, at the price of cores": _money(work / 3600 * a.core_hour),
        "servers and disks, a month": _money(month),
    }


def latency(m: Measured, strategy: str, size: float) -> float:
    """Milliseconds of a query at a size, on the line through both measured sizes over the logarithm of the size."""
    small, large = m.latency_ms[strategy]
    slope = (large - small) / math.log(m.sizes[1] / m.sizes[0])
    return small + max(0.0, slope) * math.log(size / m.sizes[0])


def _memory(m: Measured, size: int) -> float:
    return math.ceil(size * (m.vector_index_bytes + m.store_bytes + m.copy_bytes) / 1e9)


def _power(size: int) -> str:
    return str(round(math.log10(size))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _number(value: float) -> str:
    for unit, name in ((1e9, "bn"), (1e6, "m"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value:.3g}"


def _bytes(value: float) -> str:
    for unit, name in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value / 1e3:.3g} kB"


def _money(value: float) -> str:
    return f"${value:,.0f}" if value >= 10 else f"${value:,.2f}"


def _time(seconds: float) -> str:
    for unit, name in ((365.25 * 86400, "years"), (86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds:.2g} s"


if __name__ == "__main__":
    main()
