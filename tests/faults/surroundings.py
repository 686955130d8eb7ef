"""Faults of the machine: descriptors, threads, disk and memory that run out, and a clock that is set."""

from __future__ import annotations

import random
import resource
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal
from unittest.mock import patch

import psutil

from clew.database.server import managed
from clew.errors import ClewError
from clew.ingest.pipeline import Progress
from clew.operations.backup import backup
from tests.faults.bench import KB, TRANSACTIONS, Bench, Found, Kind, done_by, killed, until_it_answers


def out_of_descriptors(bench: Bench, chance: random.Random) -> Found:
    """The process may open no more files at some moment: it ends with one error, and nothing is half written."""

    def run_out() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    return _running_out(bench, chance, run_out)


def out_of_threads(bench: Bench, chance: random.Random) -> Found:
    """No thread can be started from some moment on: as with descriptors."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def run_out() -> None:
        threading.Thread.start = refuse  # type: ignore[method-assign, assignment]

    return _running_out(bench, chance, run_out)


def _running_out(bench: Bench, chance: random.Random, run_out: Callable[[], None]) -> Found:
    bench.wipe()
    number = chance.randrange(TRANSACTIONS) % 6

    def work(told: Connection) -> None:
        with bench.connected(bench.database.server.uri) as database:
            heard = 0

            def progress(one: Progress) -> None:
                nonlocal heard
                heard += 1
                if heard > number:
                    run_out()
                told.send(done_by(one))

            with suppress(ClewError):
                bench.ingest(bench.on(database), on_progress=progress)

    _, told = killed(work)
    bench.hit()
    return [one for one in told if isinstance(one, str)] + bench.lost(told) + bench.wrong() + bench.finished()


def disk_full(bench: Bench, chance: random.Random) -> Found:
    """The disk that a backup goes to is full at some byte: one error, and no file under the backup's name."""
    if len(bench.written) < len(bench.documents):
        bench.wipe()
        bench.ingest(bench.base)
    with tempfile.TemporaryDirectory() as folder:
        whole, file = Path(folder, "whole.clew"), Path(folder, "one.clew")
        backup(bench.database, whole, [KB])
        limit = chance.randrange(whole.stat().st_size)

        def work(told: Connection) -> None:
            with bench.connected(bench.database.server.uri) as database:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                try:
                    backup(database, file, [KB])
                except ClewError:
                    told.send(True)

        _, told = killed(work)
        bench.hit(True in told)
        wrong = [one for one in told if isinstance(one, str)]
        return wrong + (["there is a backup"] if file.exists() else []) + bench.wrong() + bench.finished()


def clock_set(bench: Bench, chance: random.Random) -> Found:
    """The clock is set forward and back, by up to a day, again and again while an ingest is under way."""
    bench.wipe()
    step = chance.choice((-1, 1)) * chance.choice((2.0, 61.0, 3600.0, 86400.0))

    def work(told: Connection) -> None:
        right = time.time
        with (
            patch("time.time", lambda: right() + (step if int(time.monotonic() * 10) % 2 else 0.0)),
            bench.connected(bench.database.server.uri) as database,
        ):
            bench.ingest(bench.on(database), on_progress=lambda one: told.send(done_by(one)))

    _, told = killed(work)
    bench.hit()
    return [one for one in told if isinstance(one, str)] + bench.lost(told) + bench.wrong() + bench.finished()


def neo4j_short_of(what: Literal["disk", "memory"]) -> Kind:
    """No file of Neo4j's may grow beyond some size, or its process not at all, until the ingest has given up."""
    kind = psutil.RLIMIT_FSIZE if what == "disk" else psutil.RLIMIT_AS

    def fault(bench: Bench, chance: random.Random) -> Found:
        bench.wipe()
        process = psutil.Process(managed.status(bench.settings)["pid"])
        if what == "disk":
            logs = Path(bench.settings.home).rglob("neostore.transaction.db*")
            limit = max(log.stat().st_size for log in logs if log.parent.name != "system")
        else:
            limit = process.memory_info().vms // 2  # what it has stays; it gets no more
        process.rlimit(kind, (limit + chance.randrange(200_000), resource.RLIM_INFINITY))
        done: list[int] = []
        try:
            with bench.connected(bench.database.server.uri) as database:
                bench.ingest(bench.on(database), on_progress=lambda one: done.append(done_by(one)))
        except ClewError:
            bench.hit()
        finally:
            with suppress(psutil.NoSuchProcess):
                process.rlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        managed.up(bench.settings, progress=False)
        until_it_answers(bench.database)
        return bench.lost(done) + bench.wrong() + bench.finished()

    return fault
