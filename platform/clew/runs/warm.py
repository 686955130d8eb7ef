"""A process that stays ready for some minutes after a job, so that the next one of its queue begins at once.

The process that watches a job (``clew.runs.__main__``) hands it over by a socket beside the jobs, and sees it end as it
would see a process of its own end. One that was started with other settings, or from other code, goes.
"""

from __future__ import annotations

import hashlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import clew
from clew.child import SAFE_PATH
from clew.files import keep_private, open_to_append
from clew.runs.job import Job
from clew.types import Json

_COMES_UP = 30.0
_LOOK_SECONDS = 1.0


class Handed:
    """A job that another process does, with what is used of ``subprocess.Popen``."""

    def __init__(self, connection: socket.socket, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._connection = connection

    def poll(self) -> int | None:
        """The exit code of the job, None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0.0)
        return None

    def wait(self, timeout: float) -> int:
        """The exit code of the job; raises TimeoutExpired where it is not over in time."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            self.returncode = int(_receive(self._connection).get("exit", -signal.SIGKILL))
            self._connection.close()
        return self.returncode


def hand_over(job: Job) -> Handed | None:
    """Let the process that is ready for the job's queue do it; None where there is none and none can be started."""
    with suppress(OSError):
        if handed := _offer(job, time.monotonic()):
            return handed
    with suppress(OSError):
        command = [*job.stays, str(job.meeting), _key()]
        environment = os.environ | {"PYTHONUNBUFFERED": "1", SAFE_PATH: "1"}
        quiet = subprocess.DEVNULL
        subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, env=environment, start_new_session=True)
        return _offer(job, time.monotonic() + _COMES_UP)
    return None


def stay(meeting: Path, key: str, work: Callable[[Job], int], seconds: float) -> None:
    """Do the jobs that are handed over, until none has come for so long or one has not ended well."""
    keep_private()
    with socket.socket(socket.AF_UNIX) as door:
        meeting.unlink(missing_ok=True)
        door.bind(str(meeting))
        door.listen(1)
        door.settimeout(_LOOK_SECONDS)
        mine = meeting.stat().st_ino
        try:
            until = time.monotonic() + max(_COMES_UP, seconds)
            while time.monotonic() < until and _inode(meeting) == mine:
                with suppress(TimeoutError):
                    connection, _ = door.accept()
                    with connection:
                        if not _serve(connection, key, work):
                            return
                    until = time.monotonic() + seconds
        finally:
            if _inode(meeting) == mine:
                meeting.unlink(missing_ok=True)


def _offer(job: Job, until: float) -> Handed | None:
    """Hand the job to whoever listens, or will before ``until``. Raises OSError where nobody does."""
    connection = socket.socket(socket.AF_UNIX)
    while True:
        try:
            connection.connect(str(job.meeting))
            break
        except OSError:
            if time.monotonic() >= until:
                connection.close()
                raise
            time.sleep(0.05)
    _send(connection, {"key": _key(), "folder": str(job.folder)})
    connection.settimeout(_COMES_UP)
    answer = _receive(connection)
    connection.settimeout(None)
    if "pid" in answer:
        return Handed(connection, answer["pid"])
    connection.close()
    return None


def _serve(connection: socket.socket, key: str, work: Callable[[Job], int]) -> bool:
    """Do one job; whether another may follow in this process."""
    connection.settimeout(None)
    asked = _receive(connection)
    if asked.get("key") != key:
        return False
    _send(connection, {"pid": os.getpid()})
    job = Job(Path(asked["folder"]))
    with _printing_to(job.log_file):
        try:
            code = work(job)
        except Exception:
            traceback.print_exc()
            code = 1
    try:
        _send(connection, {"exit": code})
    except OSError:
        return False  # nobody watches any more: that this process ends tells that the job is over
    return code == 0


@contextmanager
def _printing_to(path: Path) -> Iterator[None]:
    with open_to_append(path) as log, Path(os.devnull).open("wb") as nowhere:
        for stream in (1, 2):
            os.dup2(log.fileno(), stream)
        try:
            yield
        finally:
            sys.stdout.flush()
            for stream in (1, 2):
                os.dup2(nowhere.fileno(), stream)


def _key() -> str:
    """What a process that stays must have been started with: environment, current folder, and code."""
    code = max(path.stat().st_mtime_ns for path in Path(clew.__file__).parent.rglob("*.py"))
    parts = [sorted(os.environ.items()), str(Path.cwd()), code]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _send(connection: socket.socket, message: Json) -> None:
    connection.sendall(json.dumps(message).encode() + b"\n")


def _receive(connection: socket.socket) -> Json:
    """What the other side says; empty where it is gone."""
    line = b""
    with suppress(OSError):
        while not line.endswith(b"\n"):
            some = connection.recv(1 << 16)
            if not some:
                return {}
            line += some
    found: Json = json.loads(line or b"{}")
    return found
