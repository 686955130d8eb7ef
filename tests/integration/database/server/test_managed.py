"""The managed server through its whole life: started by two at once, killed, orphaned, stopped, started again.

The tests share one home and run in their order, because each start of a real server takes seconds.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from clew.database.connection import Database
from clew.database.driver import Server
from clew.database.schema import migrations
from clew.database.server import managed
from clew.database.server import process as processes
from clew.database.server.home import Home
from clew.database.server.jars import fetch_jars, neo4j_version
from clew.database.server.java import find_java
from clew.database.server.managed import down, ensure_server, logs, status, up
from clew.errors import ServerError, SettingsError, StoreFailedError
from clew.knowledge_base import connect
from clew.settings import Settings, load_settings

UP = "from clew.database.server.managed import up; from clew.settings import load_settings as s; print(up(s()).pid)"


def _own(home: Path, **more: object) -> Settings:
    return load_settings(_env_file=None, neo4j_uri=None, home=home, **{"bolt_port": 0, "http_port": 0} | more)


def _start_elsewhere(settings: Settings) -> subprocess.Popen[str]:
    hidden = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE")
    environment = {name: value for name, value in os.environ.items() if name not in hidden} | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "CLEW_HOME": str(settings.home),
        "CLEW_BOLT_PORT": "0",
        "CLEW_HTTP_PORT": "0",
        "A_SECRET": "of-our-own",
        "CLEW_NEO4J_HEAP_MB": "600",
        "CLEW_NEO4J_PAGECACHE_MB": "130",
        "CLEW_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -Dof.our.own='a b'",
    }
    return subprocess.Popen(
        [sys.executable, "-c", UP], stdout=subprocess.PIPE, text=True, env=environment, cwd=settings.home
    )


def _remember(settings: Settings, name: str) -> None:
    with Database.open(settings) as database:
        database.write("kb/create", kb=name, embedder="none", dimensions=3, precision="f32")


def _remember_all(database: Database, names: list[str], written: list[str]) -> None:
    for name in names:
        database.write("kb/create", kb=name, embedder="none", dimensions=3, precision="f32")
        written.append(name)


def _remembers(settings: Settings, name: str) -> bool:
    with Database.open(settings) as database:
        return bool(database.read("kb/get", kb=name))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    settings = _own(tmp_path_factory.mktemp("own"))
    yield settings
    down(settings)


@pytest.fixture(scope="module")
def started(own: Settings) -> Server:
    """The server after two processes have started it at once, in a home where an earlier first start broke off."""
    home = Home.of(own)
    home.make()
    processes.set_first_password(home, find_java(own), fetch_jars(own), home.password())
    running = [_start_elsewhere(own) for _ in range(2)]
    pids = [process.communicate(timeout=240)[0].strip() for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert pids[0] == pids[1]
    server = ensure_server(own)
    assert str(server.pid) == pids[0]
    return server


def test_two_processes_at_once_end_with_one_server(own: Settings, started: Server) -> None:
    home = f"--home-dir={started.home}"
    serving = [p for p in psutil.process_iter() if home in _command(p)]
    assert [process.pid for process in serving] == [started.pid]
    assert started.managed
    assert started.version == neo4j_version()
    assert started.browser_url is not None
    _remember(own, "kept")


def test_all_who_begin_at_once_end_with_one_schema(own: Settings, started: Server) -> None:
    with ThreadPoolExecutor(6) as pool:
        for database in pool.map(lambda _: connect(own), range(6)):
            database.close()
    with Database.open(own) as database:
        applied = [row["number"] for row in database.read("schema/applied")]
        assert sorted(applied) == [number for number, _ in migrations()]


def test_server_is_for_its_owner_alone(own: Settings, started: Server) -> None:
    home = Home.of(own)
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700
    for file in (home.password_file, home.state_file, home.conf / "neo4j.conf"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(started.password) >= 32
    process = psutil.Process(started.pid)
    assert {connection.laddr.ip for connection in process.net_connections("tcp")} <= {"127.0.0.1", "::ffff:127.0.0.1"}
    assert "A_SECRET" not in process.environ()


def test_memory_and_options_are_settings(own: Settings, started: Server) -> None:
    command = psutil.Process(started.pid).cmdline()
    assert {f"-Xmx{600 << 20}", "-Dof.our.own=a b"} <= set(command)
    assert "server.memory.pagecache.size=130m\n" in (Home.of(own).conf / "neo4j.conf").read_text()


def test_password_is_told_nowhere(own: Settings, started: Server) -> None:
    told = [repr(started), json.dumps(status(own)), " ".join(_command(psutil.Process(started.pid)))]
    told += [path.read_text(errors="replace") for path in (started.home or Path()).glob("logs/*")]
    assert len(told) > 4
    assert not [text for text in told if started.password in text]
    assert list(Home.of(own).temporary.glob("first-password")) == []


def test_status_tells_what_a_person_needs(own: Settings, started: Server) -> None:
    told = status(own)
    assert told["running"]
    assert told["pid"] == started.pid
    assert told["uri"] == started.uri
    assert told["browser_url"] == started.browser_url
    assert told["password_file"] == str(started.password_file)
    assert told["uptime_seconds"] > 0
    assert told["disk_bytes"] > 100_000


def test_browser_is_served(started: Server) -> None:
    import httpx

    page = httpx.get(started.browser_url or "", trust_env=False)
    assert page.status_code == 200
    assert "Neo4j Browser" in page.text
    discovery = httpx.get((started.browser_url or "").removesuffix("browser/"), trust_env=False).json()
    assert discovery["bolt_direct"] == started.uri


def test_log_can_be_read(own: Settings, started: Server) -> None:
    assert started.managed
    assert any("Started." in line for line in logs(own, lines=50))
    assert len(list(logs(own, lines=2))) == 2


def test_wrong_password_file_is_named(own: Settings, started: Server) -> None:
    password = started.password_file or Path()
    right = password.read_text()
    password.write_text("wrong\n")
    try:
        with pytest.raises(Exception, match=r"Clew's own Neo4j .* refuses the password in .*/password"):
            up(own)
    finally:
        password.write_text(right)


def test_killed_server_is_started_again_even_if_its_starter_dies(own: Settings, started: Server) -> None:
    os.kill(started.pid or 0, signal.SIGKILL)
    _until(lambda: not status(own)["running"])
    starter = _start_elsewhere(own)
    _until(lambda: status(own)["starting"])
    starter.kill()
    starter.communicate()
    pid = status(own)["pid"]
    server = up(own)
    assert server.pid == pid
    assert server.password == started.password
    assert _remembers(own, "kept")


@pytest.mark.skipif(not hasattr(psutil.Process, "rlimit"), reason="Files are kept from growing by Linux's prlimit.")
@pytest.mark.parametrize("by", ["the next command", "up", "down"])
def test_what_was_written_before_the_disk_was_full_is_there_afterwards(own: Settings, started: Server, by: str) -> None:
    """Asked to stop, Neo4j would go on with the half of a transaction that it wrote last, and never start again."""
    with Database.open(own) as database:
        process = psutil.Process(database.server.pid or 0)
        log = max(Home.of(own).root.rglob("neostore.transaction.db*"), key=lambda file: file.stat().st_size)
        process.rlimit(psutil.RLIMIT_FSIZE, (log.stat().st_size + 5_000, resource.RLIM_INFINITY))
        written: list[str] = []
        with pytest.raises(StoreFailedError, match=r"likely on a full disk: free some space, run `clew up`"):
            _remember_all(database, [f"{by} {number}" for number in range(100)], written)
    process.rlimit(psutil.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    if by == "up":
        up(own)
    elif by == "down":
        down(own)
    assert written
    assert all(_remembers(own, name) for name in written)
    assert ensure_server(own).pid != process.pid
    assert _remembers(own, "kept")
    assert started.managed


def test_a_server_whose_state_is_lost_goes_on(own: Settings, started: Server) -> None:
    before = ensure_server(own)
    for lost in (Home.of(own).state_file.unlink, lambda: Home.of(own).state_file.write_text("{")):
        lost()
        after = ensure_server(own)
        assert (after.pid, after.uri, after.version) == (before.pid, before.uri, before.version)
        assert status(own)["running"]
    assert started.managed


def test_server_without_its_state_is_not_left_alone(own: Settings, started: Server) -> None:
    before = ensure_server(own).pid
    Home.of(own).state_file.unlink()
    assert down(own)
    assert not psutil.pid_exists(before or 0) or not processes.alive(psutil.Process(before))
    assert not down(own)
    assert started.managed


def test_stale_state_of_another_process_is_no_reason_to_kill_it(own: Settings, started: Server) -> None:
    home = Home.of(own)
    with subprocess.Popen(["sleep", "600"]) as other:
        created = psutil.Process(other.pid).create_time()
        write = {"pid": other.pid, "created": created, "bolt_port": 1, "http_port": 2, "version": "1", "ready": True}
        home.state_file.write_text(json.dumps(write))
        assert not status(own)["running"]
        assert not down(own)
        assert other.poll() is None
        home.state_file.write_text(json.dumps(write))
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            defaults = _own(own.home, bolt_port=taken.getsockname()[1])
            defaults.model_fields_set.discard("bolt_port")
            server = up(defaults)
        assert other.poll() is None
        other.kill()
    assert server.uri != f"bolt://127.0.0.1:{defaults.bolt_port}"
    assert server.password == started.password
    assert _remembers(own, "kept")
    assert down(own)
    assert status(own)["running"] is False


def test_server_that_had_to_choose_its_ports_comes_back_on_them(own: Settings, started: Server) -> None:
    before = ensure_server(own)
    assert down(own)
    after = ensure_server(own)
    assert (after.uri, after.browser_url) == (before.uri, before.browser_url)
    assert after.pid != before.pid
    assert after.password == started.password
    assert down(own)


def test_server_that_loses_the_race_for_a_port_takes_another(
    own: Settings, started: Server, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two homes begin at once: the port was free when both looked, and another password opens the other's server."""
    server = database.server
    assert server.password != started.password
    taken, choose = iter([int(server.uri.rpartition(":")[2])]), managed._port
    monkeypatch.setattr(managed, "_port", lambda *asked: next(taken, 0) or choose(*asked))
    after = up(own)
    assert after.uri != server.uri
    assert after.password == started.password
    assert down(own)


def test_port_that_the_user_chose_is_not_replaced(own: Settings, started: Server) -> None:
    assert started.managed
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=rf"Port {port} is held by .*CLEW_BOLT_PORT"):
            ensure_server(_own(own.home, bolt_port=port))


def test_lost_password_is_named_while_there_is_data(own: Settings, started: Server) -> None:
    assert started.password_file is not None
    hidden = started.password_file.with_suffix(".hidden")
    started.password_file.rename(hidden)
    try:
        with pytest.raises(ServerError, match=r"password of Clew's own Neo4j is gone: put it back into .*/password"):
            ensure_server(own)
    finally:
        hidden.rename(started.password_file)


def test_data_of_a_newer_version_is_refused(own: Settings, started: Server) -> None:
    assert started.managed
    home = Home.of(own)
    home.version_file.write_text("2027.03.1\n")
    try:
        with pytest.raises(ServerError, match=r"written by Neo4j 2027\.03\.1, and this Clew runs .* upgrade Clew"):
            ensure_server(own)
    finally:
        home.version_file.write_text(neo4j_version() + "\n")


def test_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match=r"Cannot write to .*file/neo4j .*set CLEW_HOME"):
        ensure_server(_own(tmp_path / "file"))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("java.io.IOException: No space left on device", "its disk is full: free some space"),
        ("Caused by: java.nio.file.AccessDeniedException: /x", "cannot be read or written"),
        ("Error: Could not reserve enough space for heap", "too little free memory"),
        ("Exception: something new", "something new"),
    ],
)
def test_server_that_does_not_start_says_why(tmp_path: Path, said: str, told: str) -> None:
    java = tmp_path / "java"
    version = 'openjdk version "25.0.2"'
    java.write_text(f"#!/bin/sh\nif [ \"$1\" = -version ]; then echo '{version}' >&2; else echo '{said}'; exit 1; fi\n")
    java.chmod(0o755)
    settings = _own(tmp_path / "home", java=str(java))
    with pytest.raises(ServerError, match=rf"did not take its first password: .*{told}"):
        ensure_server(settings)
    login = Home.of(settings).root / "data" / "dbms" / "auth.ini"
    login.parent.mkdir()
    login.touch()
    with pytest.raises(ServerError, match=rf"did not start: .*{told}"):
        ensure_server(settings)
    assert Home.of(settings).read_state() is None


def test_log_is_followed_through_its_rotation(tmp_path: Path) -> None:
    settings = _own(tmp_path)
    with pytest.raises(ServerError, match=r"There is no log .* `clew up`"):
        logs(settings)
    log = Home.of(settings).log
    log.parent.mkdir(parents=True)
    log.write_text("one\ntwo\n")
    following = logs(settings, lines=1, follow=True)
    assert next(following) == "two"
    with log.open("a") as file:
        file.write("three\n")
    assert next(following) == "three"
    log.rename(log.with_suffix(".1"))
    log.write_text("four\n")
    assert next(following) == "four"


def test_down_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "neo4j" / "lock").mkdir(parents=True)
    with pytest.raises(ServerError, match=r"Cannot write to .*neo4j \(Is a directory\).*CLEW_HOME"):
        down(_own(tmp_path))


def test_down_and_status_make_nothing(tmp_path: Path) -> None:
    settings = _own(tmp_path / "none")
    assert not down(settings)
    assert not status(settings)["running"]
    assert not (tmp_path / "none").exists()


def test_two_settings_with_one_port_are_refused(own: Settings, started: Server) -> None:
    assert started.managed
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(SettingsError, match="is the port of Bolt, too"):
        ensure_server(_own(own.home, bolt_port=port, http_port=port))


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
