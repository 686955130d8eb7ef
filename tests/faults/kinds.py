"""The kinds of faults: each takes a bench and a source of chance, and says what was wrong afterwards."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

import psutil

from benchmarks.snapshot import difference, snapshot
from clew.errors import ClewError, NotFoundError
from clew.ingest.pipeline import Progress
from clew.knowledge_base import KnowledgeBase
from clew.operations.backup import backup
from clew.operations.restore import restore
from clew.resolution.merges import find_entity, merge, unmerge
from clew.runs.job import Job
from clew.testing import Fault, ModelServer, agent, at_rate
from tests.faults.bench import KB, TRANSACTIONS, Bench, Found, Kind, done_by, kill_self, killed, until_it_answers
from tests.faults.proxy import Proxy, Trouble
from tests.faults.surroundings import clock_set, disk_full, neo4j_short_of, out_of_descriptors, out_of_threads

When = Literal["before send", "after send", "before acknowledgement"]

BYTES_UP, BYTES_DOWN = 60_000, 8_000
"""Bytes that an ingest sends and receives, about."""


def _fatal(base: KnowledgeBase, number: int, when: When) -> None:
    """Let this process die at the transaction of that number (from 0), whether of one statement or of several."""
    count = -1
    whole, single = base.database.transaction, base.database.write

    def transaction(work: Callable[[Any], Any]) -> Any:
        nonlocal count
        count += 1
        fatal = count == number
        if fatal and when == "before send":
            kill_self()

        def run(tx: Any) -> Any:
            result = work(tx)
            if fatal and when == "after send":
                kill_self()
            return result

        result = whole(run)
        if fatal and when == "before acknowledgement":
            kill_self()
        return result

    def write(statement: str, /, **params: object) -> Any:
        nonlocal count
        count += 1
        if count == number and when != "before acknowledgement":
            kill_self()
        result = single(statement, **params)
        if count == number:
            kill_self()
        return result

    base.database.transaction = transaction  # type: ignore[method-assign]
    base.database.write = write  # type: ignore[method-assign]


def _ingesting(bench: Bench, prepare: Callable[[KnowledgeBase], None], uri: str = "") -> Callable[[Connection], None]:
    """An ingest that tells each time how many documents it has acknowledged."""

    def work(told: Connection) -> None:
        with bench.connected(uri or bench.database.server.uri) as database:
            base = bench.on(database)
            prepare(base)
            bench.ingest(base, on_progress=lambda progress: told.send(done_by(progress)))

    return work


def killed_at(when: When) -> Kind:
    """The process is killed at a transaction."""

    def kind(bench: Bench, chance: random.Random) -> Found:
        number = chance.randrange(TRANSACTIONS)
        bench.wipe()
        code, told = killed(_ingesting(bench, lambda base: _fatal(base, number, when)))
        bench.hit(code == -signal.SIGKILL)
        return bench.lost(told) + bench.wrong() + bench.finished()

    return kind


def killed_in_commit(bench: Bench, chance: random.Random) -> Found:
    """The process is killed when its commit has been sent, and before it can hear of it."""
    bench.wipe()
    pid: list[int] = []

    def kill() -> None:
        with suppress(ProcessLookupError):
            os.kill(pid[0], signal.SIGKILL)

    with Proxy(bench.address, Trouble("call", commit=chance.randrange(TRANSACTIONS), call=kill)) as proxy:

        def work(told: Connection) -> None:
            told.send(("pid", os.getpid()))
            _ingesting(bench, lambda _: None, proxy.uri)(told)

        code, told = killed(work, lambda one: pid.append(one[1]) if isinstance(one, tuple) else None)
    bench.hit(code == -signal.SIGKILL)
    return bench.lost(told) + bench.wrong() + bench.finished()


def connection(action: Literal["cut", "half-close", "reset", "delay", "stall"]) -> Kind:
    """The connection fails at some byte, one way or the other, or at a commit."""

    def kind(bench: Bench, chance: random.Random) -> Found:
        down = chance.random() < 0.5
        trouble = Trouble(action, chance.randrange(BYTES_DOWN if down else BYTES_UP), down)
        if chance.random() < 0.4:
            trouble = Trouble(action, commit=chance.randrange(TRANSACTIONS))
        bench.wipe()
        done: list[int] = []
        proxy = Proxy(bench.address, trouble)
        with suppress(ClewError), proxy, bench.through(proxy) as base:
            bench.ingest(base, on_progress=lambda progress: done.append(done_by(progress)))
        bench.hit(proxy.happened)
        return bench.lost(list(done)) + bench.wrong() + bench.finished()

    return kind


def refusing(bench: Bench, chance: random.Random) -> Found:
    """Connections are cut, and new ones refused for some time."""
    bench.wipe()
    done: list[int] = []
    with Proxy(bench.address, Trouble("cut", chance.randrange(BYTES_UP))) as proxy:
        seconds = chance.uniform(0.1, 2)

        def refuse() -> None:
            while not proxy.happened and not stop.is_set():
                time.sleep(0.01)
            proxy.refusing = True
            stop.wait(seconds)
            proxy.refusing = False

        stop = threading.Event()
        thread = threading.Thread(target=refuse)
        thread.start()
        try:
            with suppress(ClewError), bench.through(proxy) as base:
                bench.ingest(base, on_progress=lambda progress: done.append(done_by(progress)))
        finally:
            stop.set()
            thread.join()
    bench.hit(proxy.happened)
    return bench.lost(list(done)) + bench.wrong() + bench.finished()


def neo4j(how: Literal["killed", "restarted", "paused"]) -> Kind:
    """Neo4j itself is killed, stopped and started, or does not run for some seconds, while an ingest is under way."""

    def kind(bench: Bench, chance: random.Random) -> Found:
        from clew.database.server import managed

        bench.wipe()
        process = psutil.Process(managed.status(bench.settings)["pid"])
        done: list[int] = []
        at = chance.randrange(len(bench.documents))
        hit = threading.Event()

        def progress(one: Progress) -> None:
            done.append(done_by(one))
            if one.done >= at:
                hit.set()

        def disturb() -> None:
            hit.wait(30)
            if how == "paused":
                process.suspend()
                time.sleep(30 if chance.random() < 0.1 else chance.uniform(0.5, 4))
                process.resume()
            elif how == "killed":
                process.kill()
            else:
                managed.down(bench.settings)

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            with suppress(ClewError), bench.connected(bench.database.server.uri) as database:
                bench.ingest(bench.on(database), on_progress=progress)
        finally:
            hit.set()
            thread.join()
        bench.hit()
        managed.up(bench.settings, progress=False)
        until_it_answers(bench.database)
        return bench.lost(list(done)) + bench.wrong() + bench.finished()

    return kind


def two_writers(bench: Bench, chance: random.Random) -> Found:
    """Two ingests of the same documents at once, in other orders; sometimes one of them dies."""
    bench.wipe()
    orders = [chance.sample(bench.documents, len(bench.documents)) for _ in range(2)]
    number = chance.randrange(2 * TRANSACTIONS)

    def other(told: Connection) -> None:
        with bench.connected(bench.database.server.uri) as database:
            base = bench.on(database)
            _fatal(base, number, "after send")
            bench.ingest(base, orders[1])

    bench.hit()
    thread = threading.Thread(target=killed, args=(other,))
    thread.start()
    with suppress(ClewError):
        bench.ingest(bench.base, orders[0])
    thread.join()
    return bench.wrong() + bench.finished()


def writer_against_deleter(bench: Bench, chance: random.Random) -> Found:
    """Documents are deleted while others, and the same, are being written."""
    bench.wipe()
    bench.ingest(bench.base, bench.documents[:5])

    def delete(stop: threading.Event) -> None:
        with bench.connected(bench.database.server.uri) as database:
            base = bench.on(database)
            while not stop.is_set():
                with suppress(ClewError):  # gone already, or too long a wait for the writer
                    if there := [row["id"] for row in base.documents()]:
                        base.delete_documents(chance.choice(there))

    return _ingested_while(bench, delete)


def _ingested_while(bench: Bench, others: Callable[[threading.Event], None]) -> Found:
    """What is wrong once all is written while others do something until it is."""
    stop = threading.Event()
    told: Found = []
    bench.hit()
    thread = threading.Thread(target=others, args=(stop,))
    thread.start()
    try:
        bench.ingest(bench.base)
    except ClewError as error:
        told.append(f"the writer: {error}")
    finally:
        stop.set()
        thread.join()
    return told + bench.wrong() + bench.finished()


def deleter_killed(bench: Bench, chance: random.Random) -> Found:
    """Who deletes documents is killed at a transaction; what is left is deleted, and all is written again."""
    bench.wipe()
    bench.ingest(bench.base)
    ids = [row["id"] for row in bench.base.documents()]
    number = chance.randrange(4)
    when: When = chance.choice(("before send", "after send", "before acknowledgement"))

    def work(told: Connection) -> None:
        with bench.connected(bench.database.server.uri) as database:
            base = bench.on(database)
            _fatal(base, number, when)
            base.delete_documents(*chance.sample(ids, 4))

    bench.hit(killed(work)[0] == -signal.SIGKILL)
    return bench.wrong() + bench.finished()


def merge_against_ingest(bench: Bench, chance: random.Random) -> Found:
    """Entities are merged and unmerged while documents are written; in the end no merge is left."""
    bench.wipe()
    bench.ingest(bench.base, bench.documents[:4])

    def merging(stop: threading.Event) -> None:
        with bench.connected(bench.database.server.uri) as database:
            base = bench.on(database)
            names = [document.title for document in bench.documents[:4]]
            while not stop.is_set():
                a, b = chance.sample(names, 2)
                with suppress(ClewError):
                    first, second = find_entity(base, a), find_entity(base, b)
                    if merge(base, first, second):
                        unmerge(base, first, second)

    return _ingested_while(bench, merging)


def restore_killed(bench: Bench, chance: random.Random) -> Found:
    """A restore is killed at a part while others ask: nobody sees it before it is whole, and the next one finishes."""
    with _backed_up(bench) as (file, expected):
        number = chance.randrange(12)
        when: When = chance.choice(("before send", "after send", "before acknowledgement"))

        def work(told: Connection) -> None:
            with bench.connected(bench.database.server.uri) as database:
                base = bench.on(database)
                _fatal(base, number, when)
                restore(database, file)

        stop = threading.Event()
        seen: Found = []

        def ask() -> None:
            while not stop.is_set():
                try:
                    bench.on(bench.database).retrieve([bench.documents[0].title], 3, "graph-r1")
                    if difference(expected, snapshot(bench.database, KB)):
                        seen.append("it was there before it was whole")
                except NotFoundError:
                    continue

        thread = threading.Thread(target=ask)
        thread.start()
        code, _ = killed(work)
        bench.hit(code == -signal.SIGKILL)
        there = bench.base.exists()
        stop.set()
        thread.join()
        if not there:
            restore(bench.database, file)
        elif code == 0 and number < 2:
            seen.append("the restore was not killed")
        return seen + bench.wrong() + difference(expected, snapshot(bench.database, KB), 3) + bench.finished()


def backup_against_writer(bench: Bench, chance: random.Random) -> Found:
    """A backup is made while documents come and go; restored, it is clean, and finished it is the whole graph."""
    bench.wipe()
    bench.ingest(bench.base, bench.documents[:3])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "one.clew")
        thread = threading.Thread(target=lambda: bench.ingest(bench.base))
        thread.start()
        time.sleep(chance.uniform(0, 0.5))
        backup(bench.database, file, [KB])
        bench.hit(thread.is_alive())
        thread.join()
        bench.wipe()
        restore(bench.database, file)
        return bench.wrong() + bench.finished()


def damaged_backup(bench: Bench, chance: random.Random) -> Found:
    """A byte of a backup is another, or its end is missing: it is refused, and nothing is there."""
    with _backed_up(bench) as (file, _):
        whole = bytearray(file.read_bytes())
        if chance.random() < 0.3:
            whole = whole[: chance.randrange(len(whole))]
        else:
            whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        file.write_bytes(whole)
        bench.hit()
        try:
            restore(bench.database, file)
            return ["a damaged backup was restored"]
        except ClewError:
            pass
        there = ["something is there"] if bench.base.exists() or snapshot(bench.database, KB) else []
        return there + bench.finished()


@contextmanager
def _backed_up(bench: Bench) -> Iterator[tuple[Path, set[str]]]:
    """A backup of the whole graph, which is gone."""
    bench.wipe()
    bench.ingest(bench.base)
    expected = snapshot(bench.database, KB)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "one.clew")
        backup(bench.database, file, [KB])
        bench.wipe()
        yield file, expected


def model_server(bench: Bench, chance: random.Random) -> Found:
    """The model's server drops, stalls, lies and fails: a question ends in an answer or in one error, and is kept."""
    if len(bench.written) < len(bench.documents):
        bench.wipe()
        bench.ingest(bench.base)
    status = chance.choice((429, 500, 503))
    kinds = (
        *(Fault("status", status=status), Fault("delay", seconds=2.0), Fault("drop"), Fault("malformed")),
        *(Fault("html"), Fault("empty"), Fault("garbled"), Fault("no_usage")),
    )
    faults = chance.sample(kinds, 4)
    before = bench.base.find_trajectories()[1]
    answered = 0
    with ModelServer(agent(), faults=at_rate(0.6, *faults, seed=chance.randrange(1 << 30))) as server:
        settings = {"policy": "llm", "llm_model": server.model, "llm_base_url": server.base_url, "llm_timeout": 1.0}
        base = bench.on(bench.database)
        base.settings = base.settings.model_copy(update=settings | {"llm_retries": 1})
        for document in chance.sample(bench.documents, 3):
            with suppress(ClewError):
                found = base.ask(f"Who founded {document.title}?", strategy="graph-r1")
                base.trajectory(found.id)  # what was acknowledged is there
                answered += 1
    bench.hit(answered < 3)
    kept = bench.base.find_trajectories()[1] - before
    told = [f"{answered} were answered, and {kept} kept"] if kept < answered else []
    found_wrong = bench.wrong()
    bench.database.write("trajectory/delete_all", kb=KB)
    return told + found_wrong + bench.finished()


def torn_job_files(bench: Bench, chance: random.Random) -> Found:
    """A job's files are torn at some byte: its state is still told, and it can be started again, or deleted."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(Path(folder, "20260101-000000-ingest-abcdef"))
        job.folder.mkdir()
        from clew.runs.folder import append_lines, read_lines, write_json

        write_json(job.folder / "job.json", {"kind": "ingest", "argv": ["true"], "resume": [], "once": "", "about": {}})
        job.write_state({"state": "running", "pid": 2**22 + 1, "created": 1.0, "at": 1.0, "before": 0.0, "began": 1.0})
        job.write_progress({"done": 3})
        append_lines(job.folder / "rows.jsonl", [{"row": number} for number in range(5)])
        file = job.folder / chance.choice(("job.json", "state.json", "progress.json", "rows.jsonl"))
        whole = file.read_bytes()
        file.write_bytes(whole[: chance.randrange(len(whole))])
        bench.hit()
        told = [job.state, job.kind, job.about, job.progress, job.seconds, job.error, job.running, job.log()]
        if file.name == "rows.jsonl":
            rows = read_lines(file)
            append_lines(file, [{"row": 9}])
            if [row["row"] for row in read_lines(file)] != [*range(len(rows)), 9]:
                return ["a torn line was not cut off"]
        wrong = [f"a job whose process is gone counts as {told[0]}"] if told[0] == "running" else []
        job.delete()
        return wrong + (["it cannot be deleted"] if job.folder.exists() else [])


KINDS: dict[str, Kind] = {
    "process killed before a transaction is sent": killed_at("before send"),
    "process killed after it is sent": killed_at("after send"),
    "process killed before it is acknowledged": killed_at("before acknowledgement"),
    "process killed while it commits": killed_in_commit,
    "connection cut": connection("cut"),
    "connection half closed": connection("half-close"),
    "connection reset": connection("reset"),
    "connection delayed": connection("delay"),
    "connection stalled": connection("stall"),
    "connections refused": refusing,
    "two writers": two_writers,
    "writer against deleter": writer_against_deleter,
    "deleter killed": deleter_killed,
    "merge against ingest": merge_against_ingest,
    "restore killed while others ask": restore_killed,
    "backup against writer": backup_against_writer,
    "backup damaged": damaged_backup,
    "model server fails and lies": model_server,
    "job files torn": torn_job_files,
    "descriptors run out": out_of_descriptors,
    "threads run out": out_of_threads,
    "disk full where a backup goes": disk_full,
    "clock set": clock_set,
    "Neo4j paused": neo4j("paused"),
    "Neo4j restarted": neo4j("restarted"),
    "Neo4j killed": neo4j("killed"),
    "Neo4j out of disk": neo4j_short_of("disk"),
    "Neo4j out of memory": neo4j_short_of("memory"),
}
OWN_SERVER = tuple(kind for kind in KINDS if kind.startswith("Neo4j"))
"""Those that need a server that Clew has started."""
