"""The Neo4j server: the user's own, or one that Clew starts, finds again and stops.

The managed server outlives the process that started it. Everything that changes it happens under a file lock, so any
number of processes may call these functions at once.
"""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import psutil

from clew.cypher import statement
from clew.database.driver import LOGIN_SECONDS, Server, explained, open_driver, without_secrets
from clew.database.server import process as processes
from clew.database.server.home import Home, State, memory
from clew.database.server.jars import cannot_write, fetch_jars, neo4j_version, require_space
from clew.database.server.java import find_java
from clew.database.server.progress import spinner
from clew.database.server.upgrade import keep, older_data, put_back, settle
from clew.errors import DatabaseError, ServerError, SettingsError, StoreFailedError

if TYPE_CHECKING:
    from clew.settings import Settings

T = TypeVar("T")

_START_SECONDS = 180.0
"""Without a new line in its log: on a machine that is busy a start may take many times as long as usual."""
_LOCK_SECONDS = 600.0
_DATA_BYTES = 256 << 20
_ATTEMPTS = 3
_ANSWER_SECONDS = 5.0
_BOLT_HELLO = bytes.fromhex("6060b017 00080805 00000004 00000003 00000000")
"""The start of a conversation in Bolt: its magic number, and the versions that we would speak."""


def ensure_server(settings: Settings, *, progress: bool = True) -> Server:
    """The server that the settings name; else Clew's own in ``settings.home``, started where it does not run.

    A server that the settings name is not contacted here. ``progress`` shows on standard error what takes longer than
    a second. Raises SettingsError for settings that cannot work, ServerError where no server can be started.
    """
    if settings.neo4j_uri:
        return _external(settings)
    home = Home.of(settings)
    state = home.read_state()
    if state is not None and state.ready and processes.find(home, state):
        return _managed(home, state)
    try:
        home.make()
        with _locked(home, progress):
            return _start(settings, home, progress)
    except OSError as error:
        raise cannot_write(home.root, error, "CLEW_HOME") from error


def up(settings: Settings, *, progress: bool = True) -> Server:
    """``ensure_server``, and make sure that it lets us in; the server with its version.

    Raises DatabaseError where it cannot be reached, refuses the password or is too old.
    """

    def pinged(server: Server) -> Server:
        return replace(server, version=_pinged(server, settings.neo4j_timeout, settings.neo4j_database))

    return reached(settings, pinged, progress=progress)


def reached(settings: Settings, reach: Callable[[Server], T], *, progress: bool = True) -> T:
    """What ``reach`` makes of ``ensure_server``; the managed one is started anew first if it cannot write to its disk.

    Raises what ``reach`` raises, and ServerError where the server does not start.
    """
    server = ensure_server(settings, progress=progress)
    try:
        return reach(server)
    except StoreFailedError:
        if not server.managed:
            raise
    home = Home.of(settings)
    with _locked(home, progress):
        state = home.read_state()
        process = processes.find(home, state)
        if process and state and _failed(home, state):  # another process may have started it anew
            processes.stop(process, ask=False)
        server = _start(settings, home, progress)
    return reach(server)


def down(settings: Settings) -> bool:
    """Stop the managed server of ``settings.home``, and nothing else; false where none runs.

    Raises ServerError where it belongs to another user, or the folder cannot be written.
    """
    home = Home.of(settings)
    if not home.root.is_dir():
        return False
    try:
        with _locked(home, False):
            state = home.read_state()
            process = processes.find(home, state) or processes.find_orphan(home)
            if process is not None:
                processes.stop(process, ask=state is None or not _failed(home, state))
            home.state_file.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(home.root, error, "CLEW_HOME") from error
    return process is not None


def status(settings: Settings) -> dict[str, Any]:
    """What there is to know about the server, ready for JSON. Starts nothing, and never tells the password."""
    if settings.neo4j_uri:
        return _external_status(settings)
    home = Home.of(settings)
    state = home.read_state()
    process = processes.find(home, state)
    if not process:
        state = None
    hangs = state is not None and state.ready and not _speaks(state.bolt_port)
    return {
        "running": state is not None and state.ready and not hangs,
        "starting": state is not None and not state.ready,
        "managed": True,
        "uri": state and state.uri,
        "browser_url": state and state.browser_url,
        "username": "neo4j",
        "password_file": str(home.password_file) if home.password_file.exists() else None,
        "version": state.version if state else neo4j_version(),
        "pid": state and state.pid,
        "uptime_seconds": process and round(max(0.0, time.time() - process.create_time()), 1),
        "home": str(home.root),
        "disk_bytes": home.disk_use(),
        "error": f"Clew's own Neo4j (process {process.pid}) does not answer: run `clew down`, then `clew up`."
        if hangs and process
        else None,
    }


def logs(settings: Settings, lines: int = 100, follow: bool = False) -> Iterator[str]:
    """The last ``lines`` of the managed server's log; with ``follow`` also what is added later, without end.

    Raises ServerError where there is no log.
    """
    path = Home.of(settings).log
    if not path.is_file():
        if settings.neo4j_uri:
            raise ServerError(
                f"The log of {without_secrets(settings.neo4j_uri)} is with that server: Clew keeps one of its own only."
            )
        raise ServerError(f"There is no log at {path}: start the server with `clew up`.")
    return _lines(path, lines, follow)


def _start(settings: Settings, home: Home, progress: bool) -> Server:
    """Start the server, or wait for one that another process has begun to start. Only under the lock."""
    state = home.read_state()
    process = processes.find(home, state)
    found = process is not None
    if not found and (process := processes.find_orphan(home)):
        state = home.state_of(process)
    if process is not None and state is not None:
        if state.ready:
            return _managed(home, state)
        # Whoever began to start it has gone; it may end, too, while we wait. One without a state that does not answer
        # is stopped, and another started.
        with suppress(_DiedError if found else ServerError), spinner("Waiting for Neo4j to start", show=progress):
            _wait(home, state, process, 0)
            return _managed(home, state)
    home.state_file.unlink(missing_ok=True)
    settle(home)
    if older := older_data(home):
        keep(home, older, progress=progress)
    try:
        return _start_new(settings, home, progress)
    except ServerError as error:
        if not older:
            raise
        put_back(home, older)
        raise ServerError(
            f"Neo4j {neo4j_version()} could not take over the data of {older}, which are as they were: {error}"
        ) from error


def _start_new(settings: Settings, home: Home, progress: bool) -> Server:
    """Start the server on the data that are there."""
    require_space(home.root, _DATA_BYTES, "CLEW_HOME")
    password = home.password()
    heap, page_cache = memory(settings)
    java = find_java(settings)
    jars = fetch_jars(settings, progress=progress)
    with spinner("Starting Neo4j", show=progress):
        if not home.has_login():
            processes.set_first_password(home, java, jars, password)
        for attempt in range(1, _ATTEMPTS + 1):
            bolt_port = _port(settings, "bolt_port", set(), home.last_port("bolt"))
            http_port = _port(settings, "http_port", {bolt_port}, home.last_port("http"))
            home.write_conf(bolt_port, http_port, page_cache)
            offset = home.log.stat().st_size if home.log.exists() else 0
            process = processes.start(home, java, jars, heap, settings.java_options)
            state = State(process.pid, process.create_time(), bolt_port, http_port, neo4j_version(), ready=False)
            home.write_state(state)
            try:
                _wait(home, state, process, offset)
                return _managed(home, state)
            except _PortTakenError:
                if attempt == _ATTEMPTS:
                    raise
    raise AssertionError("unreachable")


class _DiedError(ServerError):
    """The server ended before it answered."""


class _PortTakenError(_DiedError):
    """Another program took the port between our looking and Neo4j's listening."""


def _wait(home: Home, state: State, process: psutil.Process, offset: int) -> None:
    """Wait until the server answers a query, and note that it does. What fails to start is stopped."""
    server = _managed(home, state)
    deadline, logged = time.monotonic() + _START_SECONDS, -1
    try:
        while not _answers(server, state, process):
            if not processes.alive(process):
                output = _output(home, offset)
                kind = _PortTakenError if "Address already in use" in output else _DiedError
                raise kind(f"Neo4j did not start: {processes.explain(output, home)}.")
            if (size := home.log.stat().st_size if home.log.exists() else 0) != logged:
                deadline, logged = time.monotonic() + _START_SECONDS, size
            if time.monotonic() > deadline:
                output = _output(home, offset)
                raise ServerError(
                    f"Neo4j said nothing for {_START_SECONDS:.0f} s, nor answered: {processes.explain(output, home)}."
                )
            time.sleep(0.1)
    except DatabaseError:
        processes.stop(process)
        home.state_file.unlink(missing_ok=True)
        raise
    home.write_state(replace(state, ready=True))
    home.version_file.write_text(state.version + "\n")


def _answers(server: Server, state: State, process: psutil.Process) -> bool:
    """Whether Bolt answers an authenticated query and HTTP listens. Raises DatabaseError for a refused password."""
    from neo4j.exceptions import AuthError

    if not _listens(process, state.bolt_port, state.http_port):
        return False
    try:
        _pinged(server)
    except DatabaseError as error:
        if isinstance(error.__cause__, AuthError):
            raise
        return False
    return True


def _managed(home: Home, state: State) -> Server:
    return Server(
        uri=state.uri,
        username="neo4j",
        password=home.password(),
        managed=True,
        browser_url=state.browser_url,
        version=state.version,
        pid=state.pid,
        started=state.created,
        home=home.root,
        password_file=home.password_file,
    )


def _external(settings: Settings) -> Server:
    if settings.neo4j_password is None:
        raise SettingsError(
            "NEO4J_URI is set and NEO4J_PASSWORD is not: set the password, or leave both empty for Clew's own server."
        )
    return Server(
        uri=settings.neo4j_uri or "",
        username=settings.neo4j_username,
        password=settings.neo4j_password.get_secret_value(),
        ca=settings.neo4j_ca,
    )


def _external_status(settings: Settings) -> dict[str, Any]:
    uri = without_secrets(settings.neo4j_uri or "")
    known: dict[str, Any] = {"running": False, "starting": False, "managed": False, "uri": uri}
    known |= {"browser_url": None, "username": settings.neo4j_username, "password_file": None, "version": None}
    known |= {"pid": None, "uptime_seconds": None, "home": None, "disk_bytes": None, "error": None}
    try:
        server = up(settings)
    except (DatabaseError, SettingsError) as error:
        return known | {"error": str(error)}
    return known | {"running": True, "version": server.version}


@contextmanager
def _locked(home: Home, progress: bool) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(home.lock_file, mode=0o600)
    try:
        with spinner("Waiting for another process that starts or stops Neo4j", show=progress):
            lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout:
        raise ServerError(
            f"Another process has been starting or stopping Neo4j in {home.root} for {_LOCK_SECONDS / 60:.0f} minutes: "
            f"end it, then try again."
        ) from None
    try:
        yield
    finally:
        lock.release()


def _port(settings: Settings, name: str, avoid: set[int], last: int) -> int:
    """The port of the setting ``name``; if it is taken and the user has not chosen it, ``last`` or any free one."""
    wanted: int = getattr(settings, name)
    if wanted in avoid and wanted:
        raise SettingsError(f"CLEW_{name.upper()}={wanted} is the port of Bolt, too: choose another.")
    if wanted and can_bind(wanted):
        return wanted
    if wanted and name in settings.model_fields_set:
        raise ServerError(
            f"Port {wanted} is held by {holder(wanted)}: stop that, set CLEW_{name.upper()} to another port, "
            f"or to 0 for any free one."
        )
    # Who has a knowledge base open over a restart holds the address of before.
    if last and last not in avoid and can_bind(last):
        return last
    return _free_port(avoid)


def _free_port(avoid: set[int]) -> int:
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port not in avoid:
            return port


def can_bind(port: int) -> bool:
    """Whether nobody listens on a port of loopback."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _pinged(server: Server, timeout: float = LOGIN_SECONDS, database: str | None = None) -> str:
    """The version of a server that has answered a query."""
    driver, version = open_driver(server, timeout=timeout)
    with driver, explained(server, doing="schema/ping"):
        driver.execute_query(statement("schema/ping"), database_=server.database(database))
    return version


def _failed(home: Home, state: State) -> bool:
    """Whether it could not write its transaction log, and waits to be started again.

    Asked to stop once its disk has room, Neo4j 2026.09 writes that log on behind the half of a transaction that it
    got to the disk, and no start can read it. Killed, it finds the half, and cuts it off.
    """
    if not (state.ready and _speaks(state.bolt_port)):
        return False
    try:
        _pinged(_managed(home, state))
    except DatabaseError as error:
        return isinstance(error, StoreFailedError)
    return False


def _listens(process: psutil.Process, *ports: int) -> bool:
    """Whether a process listens on these ports: of two Neo4j started at once, the other would be asked to let us in."""
    try:
        held = {one.laddr.port for one in process.net_connections("tcp") if one.status == psutil.CONN_LISTEN}
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # a system that does not tell
        return not any(map(can_bind, ports))
    return held.issuperset(ports)


def _speaks(port: int) -> bool:
    """Whether Neo4j answers there: the system accepts connections for a process that hangs, too."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_ANSWER_SECONDS) as connection:
            connection.sendall(_BOLT_HELLO)
            return len(connection.recv(4)) > 0
    except OSError:
        return False


def holder(port: int) -> str:
    """Who listens on a port, as far as the system tells."""
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr.port == port and connection.pid:
                return f"{psutil.Process(connection.pid).name()} (process {connection.pid})"
    except psutil.Error:
        pass  # only root sees whose the ports of others are
    return "another program"


def _output(home: Home, offset: int) -> str:
    """What this start printed and logged."""
    text = home.output.read_text(errors="replace")[-20_000:] if home.output.exists() else ""
    if home.log.exists():
        with home.log.open("rb") as file:
            file.seek(offset if offset <= home.log.stat().st_size else 0)
            text = file.read().decode(errors="replace")[-20_000:] + text
    return text


def _lines(path: Path, count: int, follow: bool) -> Iterator[str]:
    file = path.open(encoding="utf-8", errors="replace")
    try:
        yield from (line.rstrip("\n") for line in deque(file, maxlen=count))
        pending = ""
        while follow:
            pending += file.readline()
            if pending.endswith("\n"):
                yield pending.rstrip("\n")
                pending = ""
                continue
            time.sleep(0.2)
            # Neo4j rotates its log: go on with the new file once the old one has been read to its end.
            if path.exists() and path.stat().st_ino != os.fstat(file.fileno()).st_ino:
                file.close()
                file = path.open(encoding="utf-8", errors="replace")
    finally:
        file.close()
