"""The door to Neo4j: rows, transactions and vectors on a real server, and what each failure says."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from clew.cypher import statement
from clew.database.connection import Database, Tx, as_vectors
from clew.database.driver import check_version
from clew.database.schema import migrate
from clew.database.server.managed import status, up
from clew.errors import DatabaseError, SettingsError
from clew.settings import Settings, load_settings


def _create(kb: str) -> dict[str, object]:
    return {"kb": kb, "embedder": "none", "dimensions": 3, "precision": "f32"}


def _at(uri: str, password: str | None = "wrong", **more: object) -> Settings:
    return load_settings(_env_file=None, neo4j_uri=uri, neo4j_username="neo4j", neo4j_password=password, **more)


@pytest.fixture
def web_server() -> Iterator[int]:
    """The port of a program that is not Neo4j."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_rows_come_back_as_plain_dictionaries(database: Database, kb_name: str) -> None:
    assert database.write("kb/create", **_create(kb_name)) == [{"embedder": "none", "dimensions": 3}]
    assert database.read("kb/get", kb=kb_name) == [{"embedder": "none", "dimensions": 3, "version": None}]
    assert database.read("kb/get", kb="no such knowledge base") == []
    assert check_version(f"Neo4j/{database.server.version}", "") == database.server.version


def test_parameters_are_never_cypher(database: Database, kb_name: str) -> None:
    hostile = kb_name + "'}) DETACH DELETE n //"
    database.write("kb/create", **_create(hostile))
    assert len(database.read("kb/get", kb=hostile)) == 1
    assert database.write("kb/delete", kb=hostile) == [{"deleted": 1}]


def test_transaction_counts_as_a_whole(database: Database, kb_name: str) -> None:
    def fail(tx: Tx) -> None:
        tx.run("kb/create", **_create(kb_name))
        assert tx.run("kb/lock", kb=kb_name) == [{"before": None, "restoring": None}]
        raise ValueError("of the caller's own")

    with pytest.raises(ValueError, match="of the caller's own"):
        database.transaction(fail)
    assert database.read("kb/get", kb=kb_name) == []

    def work(tx: Tx) -> int:
        tx.run("kb/create", **_create(kb_name))
        return len(tx.run("kb/get", kb=kb_name))

    assert database.transaction(work) == 1
    assert len(database.read("kb/get", kb=kb_name)) == 1


def test_what_fails_in_a_transaction_is_named(database: Database) -> None:
    def ask(tx: Tx, number: int) -> None:
        tx.run("schema/await_indexes", seconds="x" * number)

    for work in (lambda tx: ask(tx, 1), partial(ask, number=1)):
        with pytest.raises(DatabaseError, match=" in test what fails in a transaction is named "):
            database.transaction(work)


def test_reading_writes_nothing(database: Database, kb_name: str) -> None:
    with pytest.raises(DatabaseError, match=r"kb/create"):
        database.read("kb/create", **_create(kb_name))
    assert database.read("kb/get", kb=kb_name) == []


def test_vectors_arrive_as_they_are(database: Database, kb_name: str) -> None:
    array = np.random.default_rng(7).normal(size=(5, 384)).astype(np.float32)
    for sent in (array, array.astype(np.float64), array[:, ::-1][:, ::-1]):
        np.testing.assert_array_equal(np.array([vector.to_native() for vector in as_vectors(sent)], np.float32), array)
    assert as_vectors(np.empty((0, 384), np.float32)) == []


def test_vectors_are_stored_and_found(database: Database, kb_name: str) -> None:
    migrate(database)
    array = np.random.default_rng(7).normal(size=(5, 384)).astype(np.float32)
    document: dict[str, object] = dict.fromkeys(
        ["title", "title_key", "source", "locator", "media_type", "sha256", "recipe", "text"], "x"
    )
    document |= {"id": kb_name, "name": "x", "pages": [], "status": "ready"}
    database.write("ingest/write_documents", kb=kb_name, documents=[document], writer="")
    chunks = [
        {"id": f"{kb_name}-{i}", "document": kb_name, "name": "x", "index": i, "text": f"text {i}"}
        | {"start": i, "end": i, "embedding": vector}
        for i, vector in enumerate(as_vectors(array))
    ]
    database.write("ingest/write_chunks", kb=kb_name, chunks=chunks)
    rows = database.read("retrieve/chunks", kb=kb_name, queries=array[[3, 1]], limit=2)
    best = {row["i"]: row for row in reversed(rows)}
    assert [(best[i]["text"], round(best[i]["similarity"], 3)) for i in (0, 1)] == [("text 3", 1.0), ("text 1", 1.0)]


def test_threads_share_one_connection(database: Database, kb_name: str) -> None:
    database.write("kb/create", **_create(kb_name))
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda _: database.read("kb/get", kb=kb_name), range(40)))
    assert rows == [[{"embedder": "none", "dimensions": 3, "version": None}]] * 40


def test_statement_that_waits_too_long_is_given_up(settings: Settings, database: Database, kb_name: str) -> None:
    database.write("kb/create", **_create(kb_name))
    locked, release = threading.Event(), threading.Event()

    def hold(tx: Tx) -> None:
        tx.run("kb/lock", kb=kb_name)
        locked.set()
        release.wait(20)

    with ThreadPoolExecutor(1) as pool, Database.open(settings.model_copy(update={"neo4j_timeout": 0.5})) as hasty:
        holding = pool.submit(database.transaction, hold)
        assert locked.wait(10)
        try:
            with pytest.raises(DatabaseError, match=r"longer than 0\.5 s in kb/lock: .*CLEW_NEO4J_TIMEOUT"):
                hasty.write("kb/lock", kb=kb_name)
        finally:
            release.set()
        holding.result(20)


def test_unknown_statement_is_named(database: Database) -> None:
    for name in ("kb/none", "../pyproject", "kb/get.cypher", ""):
        with pytest.raises(DatabaseError, match="no Cypher statement"):
            database.read(name)
    assert not any(line.startswith("//") for line in statement("kb/lock").splitlines())


def test_missing_parameter_is_told_in_one_line(database: Database) -> None:
    with pytest.raises(DatabaseError, match=r"kb/get \(.*kb") as caught:
        database.read("kb/get")
    assert "\n" not in str(caught.value)


def test_wrong_password(database: Database) -> None:
    with pytest.raises(DatabaseError, match=r"refuses user 'neo4j' .*NEO4J_PASSWORD") as caught:
        Database.open(_at(database.server.uri))
    assert "wrong" not in str(caught.value)


def test_missing_password() -> None:
    settings = load_settings(_env_file=None, neo4j_uri="bolt://127.0.0.1:1").model_copy(update={"neo4j_password": None})
    with pytest.raises(SettingsError, match="NEO4J_PASSWORD is not"):
        Database.open(settings)


def test_missing_database(database: Database) -> None:
    settings = _at(database.server.uri, database.server.password, neo4j_database="nothere")
    with pytest.raises(DatabaseError, match=r"no such database .*NEO4J_DATABASE"):
        Database.open(settings.model_copy(update={"neo4j_username": database.server.username}))


def test_server_that_is_not_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        uri = f"bolt://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(DatabaseError, match=rf"Neo4j at {uri} cannot be reached .*correct NEO4J_URI"):
            up(_at(uri))
        told = status(_at(uri))
    assert not told["running"]
    assert uri in told["error"]


def test_another_program_on_the_port(web_server: int) -> None:
    with pytest.raises(DatabaseError, match=r"(does not speak Neo4j's Bolt protocol|cannot be reached).*NEO4J_URI"):
        up(_at(f"bolt://127.0.0.1:{web_server}", neo4j_timeout=2))


def _bolt(client: socket.socket, version: bytes, agent: str) -> None:
    """Play a server that speaks Bolt ``version`` and answers every message with its name."""
    client.recv(20)
    client.sendall(version)
    name = agent.encode()
    fields = b"\x86server" + bytes([0xD0, len(name)]) + name + b"\x8dconnection_id\x81x"
    success = b"\xb1\x70\xa2" + fields
    messages = client.makefile("rb")
    while size := int.from_bytes(messages.read(2), "big"):
        messages.read(size + 2)
        client.sendall(len(success).to_bytes(2, "big") + success + b"\x00\x00")


@pytest.mark.parametrize(
    ("serve", "told"),
    [
        (lambda client: client.recv(20), "does not speak Neo4j's Bolt"),
        (lambda client: client.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"), "is not a Neo4j that Clew can talk to"),
        (
            lambda client: _bolt(client, b"\0\0\1\5", "Neo4j/5.1.0"),
            "runs a Neo4j of before 5.7, and Clew needs Neo4j 2026.01",
        ),
        (
            lambda client: _bolt(client, b"\0\0\4\5", "Neo4j/5.26.30"),
            "runs Neo4j/5.26.30, and Clew needs Neo4j 2026.01",
        ),
        (lambda client: _bolt(client, b"\0\0\4\5", "Memgraph/3.0"), "is not Neo4j (it calls itself 'Memgraph/3.0')"),
    ],
    ids=["hangs up", "ssh", "very old", "old", "another database"],
)
def test_server_that_will_not_do(serve: Callable[[socket.socket], object], told: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as pool:
        listening.settimeout(10)

        def accept() -> None:
            client, _ = listening.accept()
            with client:
                serve(client)

        serving = pool.submit(accept)
        uri = f"bolt://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(DatabaseError) as caught:
            up(_at(uri, neo4j_timeout=5))
        serving.result(10)
    assert told in str(caught.value)
    assert uri in str(caught.value)


def test_server_without_encryption(web_server: int) -> None:
    with pytest.raises(DatabaseError, match=r"it does not use encryption: leave out \+s"):
        up(_at(f"bolt+s://127.0.0.1:{web_server}", neo4j_timeout=2))


@pytest.mark.parametrize("uri", ["http://127.0.0.1:7474", "127.0.0.1:7687", "bolt://"])
def test_address_that_is_none(uri: str) -> None:
    with pytest.raises(SettingsError, match="is not an address of Neo4j: use bolt://"):
        up(_at(uri))


def test_secrets_in_an_address_are_not_told() -> None:
    with pytest.raises((DatabaseError, SettingsError)) as caught:
        up(_at("bolt://me:hidden@127.0.0.1:1"))
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("agent", ["Neo4j/2026.01.0", "Neo4j/2026.09.0", "Neo4j/2027.01.0-aura", "Neo4j/2026.01-0042"])
def test_version_that_is_new_enough(agent: str) -> None:
    assert check_version(agent, "bolt://x") == agent.removeprefix("Neo4j/")


@pytest.mark.parametrize("agent", ["Neo4j/5.26.30", "Neo4j/4.4.1", "Neo4j/2025.12.1"])
def test_version_that_is_too_old(agent: str) -> None:
    with pytest.raises(DatabaseError, match=r"at bolt://x runs .* needs Neo4j 2026\.01 or newer"):
        check_version(agent, "bolt://x")


def _ping_until(database: Database, seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)  # a busy machine may take longer than that to get here
    while True:
        database.read("schema/ping")


def test_ctrl_c_in_the_midst_of_queries_is_always_told_and_breaks_no_connection(database: Database) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    alarm = signal.signal(signal.SIGALRM, lambda sign, frame: os.kill(os.getpid(), signal.SIGINT))
    try:
        for tick in range(200):
            with pytest.raises(KeyboardInterrupt):
                _ping_until(database, 0.0002 + tick * 0.00001)
        assert database.read("schema/ping")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGINT, before)
