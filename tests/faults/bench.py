"""What every fault is tried on: documents, an encoder that needs no weights, and what must hold afterwards."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from multiprocessing.connection import Connection
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.snapshot import Snapshot, difference, snapshot
from clew.database.connection import Database
from clew.database.driver import open_driver
from clew.embedding import Vectors
from clew.errors import ClewError
from clew.ids import digest, document_id
from clew.ingest import pipeline
from clew.knowledge_base import KnowledgeBase
from clew.operations.check import check, check_server
from clew.settings import Settings
from clew.types import Document
from tests.faults.proxy import Proxy

KB = "test-faults"
QUICK = 6.0
"""Seconds that a statement may take while there are faults."""
DIMENSIONS = 16
TRANSACTIONS = 24
"""Transactions of an ingest of the corpus, about."""

Found = list[str]
"""What was wrong."""


class Hashed:
    """Unit vectors that are hashes of the texts: the same everywhere, and nothing to load."""

    name = "hashed"
    precision = "f32"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Encode ``texts`` to an (n, dimensions) array of unit rows."""
        rows = [np.frombuffer(hashlib.sha512(text.encode()).digest()[:DIMENSIONS], np.uint8) for text in texts]
        vectors = np.array(rows, np.float32).reshape(len(texts), DIMENSIONS) - 127.5
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def corpus(kb: str, seed: int, count: int = 10) -> list[Document]:
    """Documents that mention each other, the same for the same seed; some have more chunks than go into one batch."""
    chance = random.Random(seed)
    titles = [f"{a} {b}" for a in ("Old", "New", "Great") for b in ("Ansby", "Iskow", "Marley", "Tarmere", "Elock")]
    chance.shuffle(titles)
    found = []
    for title in titles[:count]:
        sentences = [f"{title} was founded in {chance.randint(1500, 1900)} by {chance.choice(titles)}."]
        sentences += [
            f"It lies {chance.randint(2, 90)} miles from {chance.choice(titles)}, and {chance.choice(titles)} is near."
            for _ in range(chance.choice((1, 2, 2, 9)))
        ]
        text = " ".join(sentences)
        source = f"upload:{title}"
        found.append(Document(document_id(kb, source), kb, title, source, text, digest(f"{title}\n{text}")))
    return found


@dataclass
class Bench:
    """A server, and a knowledge base on it that is built, disturbed, finished and compared over and over."""

    database: Database
    settings: Settings
    seed: int = 0
    hits: int = 0
    """Faults that did happen: a chosen transaction or byte may lie beyond the end of the work."""

    def hit(self, happened: bool = True) -> None:
        """Count a fault, if it happened."""
        self.hits += happened

    @cached_property
    def base(self) -> KnowledgeBase:
        """The knowledge base that faults happen to."""
        return self.on(self.database)

    def on(self, database: Database, name: str = KB) -> KnowledgeBase:
        """A knowledge base over any connection, with the encoder that needs no weights."""
        settings = self.settings.model_copy(update={"chunk_chars": 200})
        base = KnowledgeBase(name, database, settings)
        base.__dict__["embedder"] = Hashed()
        return base

    @cached_property
    def documents(self) -> list[Document]:
        """What is ingested."""
        return corpus(KB, self.seed)

    @cached_property
    def expected(self) -> Snapshot:
        """The graph that nobody has disturbed."""
        self.wipe()
        self.ingest(self.base)
        return snapshot(self.database, KB)

    def ingest(self, base: KnowledgeBase, documents: Sequence[Document] | None = None, **options: Any) -> None:
        """Bring documents in, in many small transactions."""
        with patch.multiple(pipeline, CHUNKS=4, LOOKUP=3):
            base.ingest_documents(iter(self.documents if documents is None else documents), **options)

    def wipe(self) -> None:
        """Begin anew."""
        while self.database.write("schema/delete_some", kb=KB, limit=5000)[0]["deleted"]:
            pass

    @property
    def written(self) -> set[str]:
        """The ids of the documents that are wholly in the graph."""
        if not self.base.exists():
            return set()
        return {row["id"] for row in self.base.documents() if row["status"] != "partial"}

    def lost(self, told: Sequence[Any]) -> Found:
        """What an ingest had acknowledged, by the numbers that it told, and is not there."""
        count = max((one for one in told if isinstance(one, int)), default=0)
        there = len(self.written)
        return [f"{count} documents were acknowledged, and {there} are there"] if there < count else []

    def finished(self) -> Found:
        """Finish the work, and say what is wrong afterwards; nothing, where all is well."""
        self.ingest(self.base)
        return self.wrong() + difference(self.expected, snapshot(self.database, KB), 3)

    def wrong(self) -> Found:
        """What a check finds that is no notice."""
        reports = [check_server(self.database)] + ([check(self.base)] if self.base.exists() else [])
        return [
            f"{found.says}: {found.count} ({', '.join(found.examples[:2])})"
            for report in reports
            for found in report.findings
            if not found.notice and not (found.kind == "homeless" and not any(KB in one for one in found.examples))
        ]

    @contextmanager
    def through(self, proxy: Proxy) -> Iterator[KnowledgeBase]:
        """The knowledge base as one sees it through a proxy."""
        with self.connected(proxy.uri) as database:
            yield self.on(database)

    @contextmanager
    def connected(self, uri: str) -> Iterator[Database]:
        """A connection of its own, whose statements are given up soon."""
        server = replace(self.database.server, uri=uri, managed=False)
        driver, _ = open_driver(server, timeout=QUICK)
        with Database(driver, server, self.database.name, QUICK) as database:
            yield database

    @property
    def address(self) -> tuple[str, int]:
        """Where Neo4j's Bolt is."""
        host, _, port = self.database.server.uri.rpartition("/")[2].partition(":")
        return host, int(port or 7687)


Kind = Callable[[Bench, random.Random], Found]
"""A kind of fault: tried on a bench with a source of chance, it says what was wrong afterwards."""


def done_by(progress: pipeline.Progress) -> int:
    """How many documents an ingest has acknowledged."""
    return progress.done if progress.stage == "write" else 0


def until_it_answers(database: Database) -> None:
    """Wait for a connection that was open before a fault: it must come back by itself."""
    for _ in range(60):
        with suppress(ClewError):
            database.read("schema/ping")
            return
        time.sleep(0.5)
    database.read("schema/ping")


def killed(
    work: Callable[[Connection], None], on_told: Callable[[Any], object] = lambda _: None
) -> tuple[int, list[Any]]:
    """Do work in a process of its own, which may kill itself; its exit code, and what it told before that."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def run() -> None:
        ours.close()
        try:
            work(theirs)
            os._exit(0)
        except BaseException as error:
            theirs.send(f"{type(error).__name__}: {error}")
            os._exit(1)

    process = context.Process(target=run)
    process.start()
    theirs.close()
    told = []
    try:
        while True:
            told.append(ours.recv())
            on_told(told[-1])
    except EOFError:
        pass
    process.join(60)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode or 0, told


def kill_self() -> None:
    """End at once, as if the power had gone."""
    os.kill(os.getpid(), signal.SIGKILL)
