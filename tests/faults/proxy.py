"""A proxy between the driver and Neo4j that does as it is told at chosen bytes."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Action = Literal["cut", "half-close", "reset", "delay", "stall", "call"]
COMMIT = bytes.fromhex("0002b0120000")
"""Bolt's message that asks for a commit, with its length before it and the end of the message after it."""
STALLED = 1.5
"""Seconds for which a stalled connection says nothing."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What to do once so many bytes went ``up`` to the server or ``down`` from it, or, with ``commit``, when the commit
    of this number (from 0) has gone up. ``call`` is run for the action of that name, before anything comes down."""

    action: Action
    at: int = 0
    down: bool = False
    commit: int | None = None
    call: Callable[[], None] = lambda: None


class Proxy:
    """A context manager that listens on a free port of loopback, and passes on to ``host:port``.

    Only the first ``Trouble`` that is due happens; ``happened`` says whether it has. ``refusing`` lets it take no
    connection.
    """

    def __init__(self, address: tuple[str, int], trouble: Trouble | None = None) -> None:
        self.trouble = trouble
        self.happened = False
        self.refusing = False
        self._address = address
        self._counts = {True: 0, False: 0}
        self._commits = 0
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def uri(self) -> str:
        """What to connect to."""
        return f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        for one in list(self._open):
            _shut(one)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.refusing:
                    _reset(client)
                    continue
                try:
                    server = socket.create_connection(self._address, timeout=10)
                except OSError:
                    _reset(client)
                    continue
                server.settimeout(None)
                self._open |= {client, server}
                for source, target, down in ((client, server, False), (server, client, True)):
                    threading.Thread(target=self._pass, args=(source, target, down), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, down: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(16384):
                cut = self._due(data, down)
                if cut is None:
                    target.sendall(data)
                    continue
                if self.trouble is None:
                    return
                target.sendall(data[:cut])
                if not self._act(self.trouble, source, target):
                    return
                target.sendall(data[cut:])
        _shut(source)
        _shut(target)

    def _due(self, data: bytes, down: bool) -> int | None:
        """After how many of these bytes the trouble comes; None where it does not."""
        with self._lock:
            before = self._counts[down]
            self._counts[down] += len(data)
            commits = self._commits
            self._commits += 0 if down else data.count(COMMIT)
            wanted = self.trouble
            if self.happened or wanted is None:
                return None
            if wanted.commit is not None:
                if down or not commits <= wanted.commit < self._commits:
                    return None
                self.happened = True
                return len(data)
            if wanted.down != down or self._counts[down] <= wanted.at:
                return None
            self.happened = True
            return max(0, wanted.at - before)

    def _act(self, trouble: Trouble, source: socket.socket, target: socket.socket) -> bool:
        """Make the trouble; whether the connection goes on."""
        match trouble.action:
            case "delay":
                time.sleep(0.2)
                return True
            case "stall":
                time.sleep(STALLED)
            case "call":
                trouble.call()
            case "half-close":
                with contextlib.suppress(OSError):
                    target.shutdown(socket.SHUT_WR)
                return False
            case "reset":
                _reset(source)
                _reset(target)
                return False
        _shut(source)
        _shut(target)
        return False


def _shut(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


def _reset(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()
