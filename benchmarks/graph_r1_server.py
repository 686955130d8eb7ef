"""Graph-R1's own retrieval server beside Clew's `graph-r1`, on the same graph, vectors and questions.

    python -m benchmarks.graph_r1_server CHECKOUT KB QUESTIONS [--search-only] [--json FILE]

CHECKOUT is a clone of LHRLAB/Graph-R1; besides Clew's packages it needs faiss-cpu, nano-vectordb and tiktoken. Its
server searches two flat FAISS indexes and then walks a NetworkX graph, question by question; both are called here as
its script_api.py calls them, without HTTP and without the embedding, which Clew's figures leave out too. With
``--search-only`` the walk is left out, where NetworkX would not fit into memory: the server needs more time than given.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.growth import Original, read
from benchmarks.retrieval import batch_sizes, milliseconds
from benchmarks.snapshot import vector_pages
from clew.embedding import Vectors
from clew.knowledge_base import KnowledgeBase
from clew.types import Json

LABELS = ("Entity", "Hyperedge")
TOP_K = 10
MATCHES = 5
ROUNDS = 40
"""Batches timed at each size, at most."""


def main() -> None:
    """Run the benchmark, and print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("kb")
    parser.add_argument("questions", type=Path, help="a jsonl with a question a line")
    parser.add_argument("--search-only", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if not (options.checkout / "graphr1").is_dir():
        sys.exit(f"There is no Graph-R1 at {options.checkout}: name a clone of its repository.")
    questions = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()]
    with KnowledgeBase.open(options.kb) as base:
        vectors = base.embedder.embed(questions)
        indexes = {label: read_index(base, label) for label in LABELS}
        found: Json = {f"{label.lower()} vectors": len(index.names) for label, index in indexes.items()}
        query = None if options.search_only else graph_r1(options.checkout, read(base), indexes)
        server = graph_r1_server(indexes, query)
        exact = indexes["Hyperedge"].vectors()
        for batch in batch_sizes(len(questions)):
            found |= {
                f"server_ms_batch_{batch}": timed(server, questions, vectors, batch),
                f"numpy_ms_batch_{batch}": timed(
                    lambda _, v: np.argpartition(-(v @ exact.T), 5), questions, vectors, batch
                ),
                f"clew_ms_batch_{batch}": milliseconds(base, "graph-r1", questions, batch),
            }
            found[f"ratio_batch_{batch}"] = round(
                found[f"server_ms_batch_{batch}"] / found[f"clew_ms_batch_{batch}"], 1
            )
    for name, value in found.items():
        print(f"{name:>24}  {value}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def timed(
    answer: Callable[[Sequence[str], Vectors], object], questions: Sequence[str], vectors: Vectors, batch: int
) -> float:
    """Median milliseconds a query over batches of that size."""
    times = []
    for at in list(range(0, len(questions) - batch + 1, batch))[:ROUNDS]:
        started = time.perf_counter()
        answer(questions[at : at + batch], vectors[at : at + batch])
        times.append((time.perf_counter() - started) / batch * 1000)
    return round(statistics.median(times), 2)


@dataclass(slots=True)
class Index:
    """What its server searches: the nodes of one label, by id or by the name that Graph-R1 gives them."""

    names: list[str]
    flat: Any

    def vectors(self) -> Vectors:
        """The vectors that FAISS holds, (n, d), without a copy."""
        import faiss  # type: ignore[import-not-found]

        found: Vectors = faiss.rev_swig_ptr(self.flat.get_xb(), self.flat.ntotal * self.flat.d)
        return found.reshape(self.flat.ntotal, self.flat.d)


def read_index(base: KnowledgeBase, label: str) -> Index:
    """The nodes of one label in a flat FAISS index."""
    import faiss

    index = Index([], faiss.IndexFlatIP(base.embedder.dimensions))
    for ids, rows in vector_pages(base.database, base.name, label):
        index.names += ids
        index.flat.add(rows)
    return index


def graph_r1_server(
    indexes: Mapping[str, Index], query: Callable[[str, list[str], list[str]], Any] | None
) -> Callable[[Sequence[str], Vectors], list[str]]:
    """The function behind its /search address, over a knowledge base of Clew, for questions with their vectors."""
    loop = asyncio.new_event_loop()

    def search(questions: Sequence[str], vectors: Vectors) -> list[str]:
        found = {label: index.flat.search(vectors, MATCHES)[1] for label, index in indexes.items()}
        results = []
        for i, question in enumerate(questions):
            entities, facts = ([indexes[label].names[row] for row in found[label][i]] for label in LABELS)
            results.append(json.dumps(loop.run_until_complete(query(question, entities, facts)) if query else facts))
        return results

    return search


def entity_name(entity: Json) -> str:
    """An entity's name as Graph-R1 writes it; the key keeps namesakes apart."""
    return f'"{entity["key"].upper()}"'


def hyperedge_name(hyperedge: Json) -> str:
    """A hyperedge's name as Graph-R1 writes it; the id keeps copies of one text apart."""
    return f"<hyperedge>{hyperedge['text']} {hyperedge['id']}"


def graph_r1(
    checkout: Path, original: Original, indexes: Mapping[str, Index]
) -> Callable[[str, list[str], list[str]], Any]:
    """Its query over a NetworkX graph filled with the knowledge base; the indexes get the names it knows nodes by."""
    # Its clients of model servers are imported with it, though no question needs them.
    clients = types.ModuleType("graphr1.llm")
    clients.gpt_4o_mini_complete = clients.openai_embedding = _no_model  # type: ignore[attr-defined]
    sys.modules["graphr1.llm"] = clients
    sys.path.insert(0, str(checkout))
    from graphr1 import GraphR1, QueryParam  # type: ignore[import-not-found]

    folder = tempfile.mkdtemp(prefix="graph-r1-")
    # It writes its log into the working directory.
    with contextlib.chdir(folder):
        rag = GraphR1(working_dir=folder)
    graph = rag.chunk_entity_relation_graph._graph
    names = {id: entity_name(entity) for id, entity in original.nodes["Entity"].items()}
    indexes["Entity"].names = [names[id] for id in indexes["Entity"].names]
    facts = original.nodes["Hyperedge"]
    indexes["Hyperedge"].names = [hyperedge_name(facts[id]) for id in indexes["Hyperedge"].names]
    for id, hyperedge in original.nodes["Hyperedge"].items():
        name = hyperedge_name(hyperedge)
        graph.add_node(name, role="hyperedge", weight=1.0, source_id=id)
        for entity, _ in original.connects_of[id]:
            graph.add_node(names[entity], role="entity", entity_type="", description="", source_id=id)
            graph.add_edge(names[entity], name, weight=1.0, source_id=id)
    param = QueryParam(only_need_context=True, top_k=TOP_K)
    return lambda question, entities, facts: rag.aquery(
        question, param=param, entity_match=entities, hyperedge_match=facts
    )


async def _no_model(*_: object, **__: object) -> str:
    raise RuntimeError("No model is needed to retrieve.")


if __name__ == "__main__":
    main()
