"""A knowledge base many times as large, made of a real one, and what a query costs in it.

    python -m benchmarks.growth KB TIMES QUESTIONS [--into NAME] [--strategy A,B] [--json FILE]

Every copy but the first has its own documents, passages, hyperedges and entities, except that entities with more than
``HUB`` hyperedges are shared by all, so that hubs grow as they do in a larger corpus. The vector of a copied node is
0.8 of its original's and 0.6 of that of another, random node of its label, normalised: real directions, spread as the
real ones are, near to their original but never equal. NAME (KB-xTIMES) stays, and is made only once.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.retrieval import figures, print_figures
from benchmarks.snapshot import vectors
from clew.database.connection import as_vectors
from clew.embedding import Vectors
from clew.errors import InputError
from clew.ids import chunk_id, document_id, entity_id, hyperedge_id
from clew.ingest.batch import Batch, write
from clew.knowledge_base import KnowledgeBase
from clew.types import Json

HUB = 200
PAGE = 300
"""Documents written in one transaction."""
LABELS = ("Chunk", "Hyperedge", "Entity")


@dataclass(slots=True)
class Original:
    """A knowledge base in memory: nodes by label and id, what each hangs on, and vectors in the order of their ids."""

    nodes: dict[str, dict[str, Json]]
    chunks_of: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    states_of: dict[str, list[tuple[str, Json]]] = field(default_factory=lambda: defaultdict(list))
    connects_of: dict[str, list[tuple[str, Json]]] = field(default_factory=lambda: defaultdict(list))
    rows: dict[str, int] = field(default_factory=dict)
    vectors: dict[str, Vectors] = field(default_factory=dict)
    hubs: set[str] = field(default_factory=set)


def main() -> None:
    """Make the larger knowledge base where it is not there, measure, and print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kb")
    parser.add_argument("times", type=int)
    parser.add_argument("questions", type=Path, help="a jsonl with a question a line")
    parser.add_argument("--into", metavar="NAME")
    parser.add_argument("--strategy", default="graph-r1,clew-one-pass,clew")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not options.questions.is_file():
        sys.exit(f"There are no questions at {options.questions}: name a jsonl with a question a line.")
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()]
    with (
        KnowledgeBase.open(options.kb) as base,
        KnowledgeBase.open(options.into or f"{options.kb}-x{options.times}") as large,
    ):
        found = print_figures([("seconds_to_make", grow(base, large, options.times))])
        sizes = large.stats()["nodes"]
        found |= print_figures((f"{label.lower()}s", sizes[label]) for label in LABELS)
        found |= print_figures(figures(large, options.strategy.split(","), questions))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def grow(base: KnowledgeBase, large: KnowledgeBase, times: int) -> float:
    """Write ``times`` copies of one knowledge base into another; a second call writes what is missing. Seconds."""
    if times < 1:
        raise InputError(f"A knowledge base cannot grow {times} times: name a number from 1 on.")
    started = time.perf_counter()
    embedder = base.embedder
    settings = {"embedder": embedder.name, "dimensions": embedder.dimensions, "precision": embedder.precision}
    large.database.write("kb/create", kb=large.name, **settings)
    there = {row["id"] for row in large.documents()}
    original = read(base)
    for copy in range(times):
        for batch in copies(original, large.name, copy, there):
            write(batch, large.database, embedder)
        print(f"copy {copy + 1} of {times}, {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    large.database.read("schema/await_indexes", seconds=3600)
    return round(time.perf_counter() - started, 1)


def read(base: KnowledgeBase) -> Original:
    """The whole knowledge base, in memory."""
    database, labels = base.database, ["Document", *LABELS]
    original = Original({label: {} for label in labels})
    for row in database.read("benchmark/nodes", kb=base.name, labels=labels):
        original.nodes[row["label"]][row["id"]] = row["properties"]
    for row in database.read("benchmark/relationships", kb=base.name, labels=labels):
        match row["type"]:
            case "HAS_CHUNK":
                original.chunks_of[row["start"]].append(row["end"])
            case "STATES":
                original.states_of[row["start"]].append((row["end"], row["properties"]))
            case "CONNECTS":
                original.connects_of[row["start"]].append((row["end"], row["properties"]))
    degrees: dict[str, int] = defaultdict(int)
    for ends in original.connects_of.values():
        for entity, _ in ends:
            degrees[entity] += 1
    original.hubs = {entity for entity, degree in degrees.items() if degree > HUB}
    for label in LABELS:
        ids, original.vectors[label] = vectors(database, base.name, label)
        original.rows |= {id: row for row, id in enumerate(ids)}
    return original


def copies(original: Original, kb: str, copy: int, there: set[str]) -> Iterator[Batch]:
    """One copy of all documents that are not there, as batches with their vectors."""
    ids = {
        old: document_id(kb, document["source"], f"{document['locator']}#{copy}")
        for old, document in original.nodes["Document"].items()
    }
    missing = [(old, id) for old, id in ids.items() if id not in there]
    mixed = _mixed(original, copy) if missing else {}
    suffix = f" {copy}" if copy else ""
    for at in range(0, len(missing), PAGE):
        batch = Batch(kb, writer=f"growth-{copy}")
        for pair in missing[at : at + PAGE]:
            _add(batch, original, mixed, pair, original.nodes["Document"][pair[0]], suffix)
        yield batch


def _mixed(original: Original, copy: int) -> dict[str, list[Any]]:
    random = np.random.default_rng(copy)
    mixed = {}
    for label, own in original.vectors.items():
        other = own[random.integers(len(own), size=len(own))]
        both = own if copy == 0 else 0.8 * own + 0.6 * other
        mixed[label] = as_vectors((both / np.linalg.norm(both, axis=1, keepdims=True)).astype(np.float32))
    return mixed


def _add(
    batch: Batch,
    original: Original,
    mixed: dict[str, list[Any]],
    ids: tuple[str, str],
    document: Json,
    suffix: str,
) -> None:
    old, id = ids
    title_key = document["title_key"] + suffix if document.get("title_key") else None
    batch.documents[id] = document | {"id": id, "title_key": title_key, "status": "partial"}
    batch.finished.append(id)
    for old_chunk in original.chunks_of[old]:
        chunk = original.nodes["Chunk"][old_chunk]
        new_chunk = chunk_id(batch.kb, id, chunk["index"], chunk["text"])
        batch.chunks[new_chunk] = chunk | {"id": new_chunk, "document": id}
        _place(batch, new_chunk, "Chunk", mixed, original.rows[old_chunk])
        for old_fact, span in original.states_of[old_chunk]:
            fact = original.nodes["Hyperedge"][old_fact]
            new_fact = hyperedge_id(batch.kb, fact["text"] + suffix, fact["lead"])
            batch.hyperedges[new_fact] = fact | {"id": new_fact}
            batch.states.append({"chunk": new_chunk, "hyperedge": new_fact, **span})
            _place(batch, new_fact, "Hyperedge", mixed, original.rows[old_fact])
            for old_entity, role in original.connects_of[old_fact]:
                entity = original.nodes["Entity"][old_entity]
                key = entity["key"] + ("" if old_entity in original.hubs else suffix)
                new_entity = entity_id(batch.kb, key)
                batch.entities[new_entity] = entity | {"id": new_entity, "key": key}
                batch.connects[new_fact, new_entity] = {"hyperedge": new_fact, "entity": new_entity, **role}
                _place(batch, new_entity, "Entity", mixed, original.rows[old_entity])


def _place(batch: Batch, id: str, label: str, mixed: dict[str, list[Any]], row: int) -> None:
    batch.labels[id] = label
    batch.vectors[id] = mixed[label][row]


if __name__ == "__main__":
    main()
