"""How many retrievals a second ``clew serve`` answers, and how long each takes, with many clients at once.

    clew ingest examples/encyclopaedia --kb encyclopaedia
    uv pip install --no-deps neo4j-graphrag
    python -m benchmarks.serve_load --kb encyclopaedia --clients 100 --seconds 300 --out load.jsonl
    python -m benchmarks.serve_load --kb encyclopaedia --clients 20 --seconds 30    # to see that it works

Every client sends one query after another, of the example questions in turn. Beside it the same requests go to
neo4j-graphrag's VectorRetriever and HybridRetriever over Clew's own indexes of facts, with Clew's encoder, behind the
smallest FastAPI application that can be written: what someone has who serves that package. Each server is a process of
its own. Started again with the same ``--out``, it measures what is not in there yet.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from clew.knowledge_base import KnowledgeBase
from clew.settings import load_settings

QUESTIONS = Path(__file__).parents[1] / "examples" / "questions.jsonl"
WARM_SECONDS = 10.0
PEER = "benchmarks.serve_load:peer"
SAME = ("server", "clients", "seconds", "workers")
"""What tells one measurement from another."""
VECTORS, WORDS = "clew_hyperedge_embedding", "clew_hyperedge_words"


def peer() -> Any:
    """A retriever of neo4j-graphrag as a web service. Started as a process with the settings in its environment."""
    from fastapi import FastAPI
    from neo4j import GraphDatabase
    from neo4j_graphrag.embeddings.base import Embedder
    from neo4j_graphrag.retrievers import HybridRetriever, VectorRetriever

    settings = load_settings()
    base = KnowledgeBase.open(os.environ["CLEW_KB"], settings=settings)
    encoder, server = base.embedder, base.database.server

    class Encoder(Embedder):  # type: ignore[misc]
        """Clew's encoder, so that both spend the same there."""

        def embed_query(self, text: str) -> list[float]:
            """One text."""
            return [float(x) for x in encoder.embed([text])[0]]

    driver = GraphDatabase.driver(server.uri, auth=(server.username, server.password))
    shown = ["text"]
    if os.environ["PEER"] == "HybridRetriever":
        retriever = HybridRetriever(driver, VECTORS, WORDS, Encoder(), return_properties=shown)
    else:
        retriever = VectorRetriever(driver, VECTORS, Encoder(), return_properties=shown)
    app = FastAPI()

    @app.post("/retrieve")
    def retrieve(body: dict[str, Any]) -> Any:
        found = retriever.search(query_text=body["queries"][0], top_k=body["k"])
        return [{"text": item.content, "score": (item.metadata or {}).get("score")} for item in found.items]

    return app


@contextmanager
def serving(command: list[str], port: int, environment: dict[str, str]) -> Iterator[psutil.Process]:
    """A server as a process, once it answers."""
    child = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=sys.stderr)
    try:
        while True:
            if child.poll() is not None:
                sys.exit(f"{command[2]} did not start.")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        yield psutil.Process(child.pid)
    finally:
        child.terminate()
        child.wait()


async def client(port: int, path: str, bodies: list[bytes], turns: Iterator[int], until: float, out: list[Any]) -> None:
    """One client that sends a request after another until it is time; (began, seconds, status) of each.

    It keeps its connection. One that breaks counts as an error, status 0, and is opened again.
    """
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while (began := time.monotonic()) < until:
                status = await asyncio.wait_for(exchange(reader, writer, path, bodies[next(turns) % len(bodies)]), 60)
                out.append((began, time.monotonic() - began, status))
            writer.close()
        except (OSError, EOFError, TimeoutError, ValueError):
            out.append((began, time.monotonic() - began, 0))
            await asyncio.sleep(0.5)


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: bytes) -> int:
    """Send one request and read its answer; the status."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    writer.write(head.encode() + b"\r\n\r\n" + body)
    answer = (await reader.readuntil(b"\r\n\r\n")).lower()
    await reader.readexactly(int(answer.partition(b"content-length:")[2].split(b"\r\n")[0]))
    return int(answer.split()[1])


async def load(
    port: int, path: str, bodies: list[bytes], clients: int, seconds: float, memory: Callable[[], float]
) -> tuple[list[tuple[float, float, int]], list[int]]:
    """What all clients have measured, and the memory of the server in MB, an eighth of the time apart."""
    out: list[tuple[float, float, int]] = []
    sizes: list[int] = []

    async def look() -> None:
        for _ in range(8):
            await asyncio.sleep(seconds / 8)
            sizes.append(round(memory()))

    turns, until = count(), time.monotonic() + seconds
    await asyncio.gather(look(), *(client(port, path, bodies, turns, until, out) for _ in range(clients)))
    return out, sizes


def measured(
    name: str, process: psutil.Process, port: int, path: str, bodies: list[bytes], given: Any
) -> dict[str, Any]:
    """Warm a server up, load it, and say what came of it."""

    def memory() -> float:
        every = [process, *process.children(recursive=True)]
        return sum(one.memory_info().rss for one in every if one.is_running()) / 1e6

    asyncio.run(load(port, path, bodies, given.clients, min(WARM_SECONDS, given.seconds), memory))
    rows, sizes = asyncio.run(load(port, path, bodies, given.clients, given.seconds, memory))
    ms = np.array([seconds for _, seconds, _ in rows]) * 1e3
    return {
        "server": name,
        "clients": given.clients,
        "seconds": given.seconds,
        "workers": given.workers,
        "requests": len(rows),
        "errors": sum(status != 200 for *_, status in rows),
        "per_second": round(len(rows) / given.seconds, 1),
        **{f"p{q}_ms": round(float(np.percentile(ms, q)), 1) if len(ms) else None for q in (50, 95, 99)},
        "memory_mb": sizes,
    }


def main() -> None:
    """Measure all, one after the other, and print a JSON object for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", default="encyclopaedia")
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--strategies", default="clew,chunks")
    parser.add_argument("--port", type=int, default=8391)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--out", type=Path, help="file of JSON lines that the results are added to")
    given = parser.parse_args()
    questions = [json.loads(line)["question"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    done = given.out.read_text("utf-8").splitlines() if given.out and given.out.is_file() else []
    known = {tuple(json.loads(line).get(name) for name in SAME) for line in done}

    def run(name: str, command: list[str], variables: dict[str, str], path: str, more: dict[str, Any]) -> None:
        if (name, given.clients, given.seconds, given.workers) in known:
            return
        bodies = [json.dumps({"queries": [q], "k": given.k, **more}).encode() for q in questions]
        with serving(command, given.port, {"CLEW_KB": given.kb, **variables}) as process:
            row = json.dumps(measured(name, process, given.port, path, bodies, given))
        print(row, flush=True)
        if given.out:
            with given.out.open("a", encoding="utf-8") as file:
                file.write(row + "\n")

    own = [sys.executable, "-m", "clew.cli", "serve", "--port", str(given.port), "--workers", str(given.workers)]
    print(json.dumps({"cores": os.cpu_count(), "load_before": os.getloadavg()[0]}), flush=True)
    for strategy in given.strategies.split(","):
        path = f"/api/knowledge-bases/{given.kb}/retrieve"
        run(f"clew serve, {strategy}", own, {}, path, {"strategy": strategy})
    other = [sys.executable, "-m", "uvicorn", PEER, "--factory", "--port", str(given.port), "--no-access-log"]
    for retriever in () if given.no_peer else ("VectorRetriever", "HybridRetriever"):
        run(
            f"neo4j-graphrag, {retriever}",
            [*other, "--workers", str(given.workers)],
            {"PEER": retriever},
            "/retrieve",
            {},
        )


if __name__ == "__main__":
    main()
