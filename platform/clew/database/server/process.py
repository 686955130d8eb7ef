"""The managed server as a process of the operating system: start it, find it again, stop it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import threading
import time
from pathlib import Path

import psutil

from clew.database.server.home import Home, State
from clew.database.server.java import VECTOR_MODULE, Java, flags
from clew.errors import ServerError
from clew.files import write_whole

_MAIN = "org.neo4j.server.Neo4jCommunity"
_ADMIN = "org.neo4j.cli.AdminTool"
_STOP_SECONDS = 60.0
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ")

_REASONS = (
    (r"No space left on device|not enough space|Disk quota exceeded", "its disk is full: free some space"),
    (r"Address already in use|BindException", "another program took its port: try again"),
    (r"locked by another process|StoreLockException|FileLockException", "another Neo4j uses this folder: stop it"),
    (r"newer version|unsupported store version|UnknownStoreVersion|StoreVersion\w*Exception|Unknown format version",
     "a newer version of Neo4j wrote this data: upgrade Clew, or remove the folder to start empty"),
    (r"AccessDenied|Permission denied", "some file there cannot be read or written: correct its owner and mode"),
    (r"Could not reserve enough space|insufficient memory|Cannot allocate memory|OutOfMemoryError",
     "this machine has too little free memory: free some"),
)  # fmt: skip


def start(home: Home, java: Java, jars: Path, heap: int, options: str) -> psutil.Process:
    """Start the server with the configuration in ``home``, detached from this process, its terminal and its session.

    ``heap`` is in bytes, at most; ``options`` are Java's own, as a shell would take them.
    """
    shutil.rmtree(home.temporary, ignore_errors=True)  # what a server left there that was killed
    home.temporary.mkdir(mode=0o700, exist_ok=True)
    command = [
        java.path,
        f"-Xms{min(heap, 512 << 20)}",
        f"-Xmx{heap}",
        "-XX:+UseParallelGC",
        "-XX:+ExitOnOutOfMemoryError",
        f"-Djava.io.tmpdir={home.temporary}",
        *flags(java),
        *shlex.split(options),
        *(("--add-modules", VECTOR_MODULE) if java.vectors else ()),
        "-cp",
        f"{jars}/*",
        _MAIN,
        f"--home-dir={home.root}",
        f"--config-dir={home.conf}",
    ]
    with home.output.open("wb") as output:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=home.root,
            env=_environment(home),
            start_new_session=True,
        )
    process = psutil.Process(child.pid)
    threading.Thread(target=child.wait, daemon=True).start()  # so that it leaves no zombie if it ends before us
    return process


def set_first_password(home: Home, java: Java, jars: Path, password: str) -> None:
    """Set the password before the first start. It goes through a private file, since every user sees command lines."""
    arguments = home.temporary / "first-password"
    words = [*flags(java), "-cp", f"{jars}/*", _ADMIN, "dbms", "set-initial-password", password]
    write_whole(arguments, "\n".join(f'"{_escaped(word)}"' for word in words) + "\n")
    try:
        done = subprocess.run(
            [java.path, "-XX:TieredStopAtLevel=1", f"@{arguments}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=_environment(home),
            timeout=120,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ServerError("Setting the first password of Neo4j took over two minutes: try again.") from None
    finally:
        arguments.unlink(missing_ok=True)
    if done.returncode:
        output = (done.stderr + done.stdout).replace(password, "***")
        raise ServerError(f"Neo4j did not take its first password: {explain(output, home)}.")


def find(home: Home, state: State | None) -> psutil.Process | None:
    """The process of ``state`` if it still is the one that was started for ``home``, and not another with its pid."""
    if state is None:
        return None
    try:
        process = psutil.Process(state.pid)
        # What it was started with says whose it is. Its start, as the system tells it, moves where the clock is set.
        same = _serves(process, home)
    except psutil.Error:
        return None
    return process if same else None


def find_orphan(home: Home) -> psutil.Process | None:
    """A server for ``home`` that no state tells of, because its starter died too early or the state was lost."""
    for process in psutil.process_iter():
        try:
            if _serves(process, home):
                return process
        except psutil.Error:
            continue
    return None


def stop(process: psutil.Process, *, ask: bool = True) -> None:
    """Ask the server to stop, and end it where it does not within a minute; at once where it is not to be asked."""
    try:
        if ask:
            process.terminate()
        if not ask or not _gone(process, _STOP_SECONDS):
            process.kill()
            _gone(process, 10.0)
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as error:
        raise ServerError(
            f"Neo4j (process {process.pid}) belongs to another user: stop it as user {process.username()}."
        ) from error


def alive(process: psutil.Process) -> bool:
    """Whether it still runs; one that only waits to be collected by its parent does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def explain(output: str, home: Home) -> str:
    """Why Neo4j did not start, as far as its ``output`` tells, in one line without a full stop."""
    for pattern, reason in _REASONS:
        if re.search(pattern, output, re.IGNORECASE):
            return f"{reason} ({home.root})"
    lines = [line.strip() for line in output.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    tells = r"\bERROR\b|Caused by|Exception|Error:|Unrecognized|Invalid"
    telling = [line for line in lines if re.search(tells, line)] or lines
    return f"{' | '.join(line[:200] for line in telling[-3:]) or 'it said nothing'} (see {home.log.parent})"


def _serves(process: psutil.Process, home: Home) -> bool:
    command = process.cmdline()
    return _MAIN in command and f"--home-dir={home.root}" in command


def _gone(process: psutil.Process, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while alive(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _environment(home: Home) -> dict[str, str]:
    """Nothing that Neo4j does not need: above all no keys and passwords."""
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return inherited | {"NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf)}


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"')
