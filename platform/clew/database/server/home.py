"""What the managed server keeps on disk: configuration, password, state, data and logs, all for its owner alone."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from clew.errors import ServerError
from clew.files import private_folder, write_whole

if TYPE_CHECKING:
    from clew.settings import Settings

_MB = 1 << 20


@dataclass(frozen=True, slots=True)
class State:
    """The process that was started last, with its start time (seconds since the epoch) as the system tells it.

    ``ready`` turns true once it has answered a query.
    """

    pid: int
    created: float
    bolt_port: int
    http_port: int
    version: str
    ready: bool

    @property
    def uri(self) -> str:
        """The address of Bolt."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def browser_url(self) -> str:
        """The address of Neo4j Browser."""
        return f"http://127.0.0.1:{self.http_port}/browser/"


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of the managed server, and the places in it."""

    root: Path

    @classmethod
    def of(cls, settings: Settings) -> Home:
        """The home that the settings name; nothing is made yet."""
        return cls(settings.home / "neo4j")

    @property
    def conf(self) -> Path:
        """Where neo4j.conf lies."""
        return self.root / "conf"

    @property
    def log(self) -> Path:
        """Neo4j's own log, which it rotates itself."""
        return self.root / "logs" / "neo4j.log"

    @property
    def output(self) -> Path:
        """What the process printed: only of interest where it did not get as far as its log."""
        return self.root / "logs" / "output.log"

    @property
    def temporary(self) -> Path:
        """Java's temporary files: /tmp may be noexec, and is everyone's."""
        return self.root / "tmp"

    @property
    def password_file(self) -> Path:
        """Holds the password of user neo4j, readable by its owner alone."""
        return self.root / "password"

    @property
    def state_file(self) -> Path:
        """Holds a State while a server runs."""
        return self.root / "state.json"

    @property
    def version_file(self) -> Path:
        """Names the version of Neo4j that wrote the data."""
        return self.root / "version"

    @property
    def lock_file(self) -> Path:
        """Held by whoever starts or stops the server."""
        return self.root / "lock"

    def make(self) -> None:
        """Make the folders, for the owner alone."""
        private_folder(self.root.parent)
        for folder in (self.root, self.conf, self.root / "data", self.root / "logs", self.temporary):
            folder.mkdir(mode=0o700, exist_ok=True)
        self.root.chmod(0o700)

    def password(self) -> str:
        """The password, generated if there is none yet.

        Raises ServerError where the file is gone although there is data that it belongs to.
        """
        if self.password_file.is_file():
            return self.password_file.read_text().strip()
        if self.has_data():
            raise ServerError(
                f"The password of Clew's own Neo4j is gone: put it back into {self.password_file}, "
                f"or remove {self.root} to start with an empty database."
            )
        password = secrets.token_hex(20)
        write_whole(self.password_file, password + "\n")
        return password

    def has_data(self) -> bool:
        """Whether a server has ever run here."""
        return (self.root / "data" / "databases" / "system").is_dir()

    def has_login(self) -> bool:
        """Whether the first password is already set."""
        return self.has_data() or (self.root / "data" / "dbms" / "auth.ini").is_file()

    def read_state(self) -> State | None:
        """The state that was written last; None where there is none, or where it cannot be read."""
        try:
            return State(**json.loads(self.state_file.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def state_of(self, process: psutil.Process) -> State | None:
        """The state of a server that runs and whose own was lost, from what it was started with; not ``ready``."""
        bolt, http = self.last_port("bolt"), self.last_port("http")
        try:
            version = self.version_file.read_text().strip()
            return State(process.pid, process.create_time(), bolt, http, version, ready=False)
        except (OSError, psutil.Error):
            return None

    def write_state(self, state: State) -> None:
        """Replace the state at once, so that no one reads half of it."""
        write_whole(self.state_file, json.dumps(asdict(state)) + "\n")

    def disk_use(self) -> int:
        """Bytes on disk, logs and transaction logs included."""
        total = 0
        for folder, _, names in os.walk(self.root):
            for name in names:
                try:
                    total += Path(folder, name).lstat().st_blocks * 512
                except FileNotFoundError:
                    continue
        return total

    def last_port(self, protocol: str) -> int:
        """The port on which ``protocol`` (bolt or http) was served last; 0 before the first start."""
        try:
            written = (self.conf / "neo4j.conf").read_text()
        except OSError:
            return 0
        found = re.search(rf"^server\.{protocol}\.listen_address=127\.0\.0\.1:(\d+)$", written, re.MULTILINE)
        return int(found[1]) if found else 0

    def write_conf(self, bolt_port: int, http_port: int, page_cache: int) -> None:
        """Write neo4j.conf: loopback only, ``page_cache`` bytes of files in memory, nothing sent to anyone."""
        settings = {
            "server.default_listen_address": "127.0.0.1",
            "server.default_advertised_address": "127.0.0.1",
            "server.bolt.listen_address": f"127.0.0.1:{bolt_port}",
            "server.bolt.advertised_address": f"127.0.0.1:{bolt_port}",
            "server.http.listen_address": f"127.0.0.1:{http_port}",
            "server.http.advertised_address": f"127.0.0.1:{http_port}",
            "server.https.enabled": "false",
            "server.http.x_forward.enabled": "false",
            "server.fleet_discovery.enabled": "false",
            "server.memory.pagecache.size": f"{page_cache // _MB}m",
            "dbms.security.auth_enabled": "true",
            "dbms.usage_report.enabled": "false",
            "dbms.fleet_manager.enabled": "false",
            "client.allow_telemetry": "false",
            "db.query.default_language": "CYPHER_25",
            # Few and small transaction logs: the graph can be made again from its documents.
            "db.tx_log.rotation.retention_policy": "1 files",
            "db.tx_log.rotation.size": "64m",
            "db.tx_log.preallocate": "false",
            "db.checkpoint.interval.time": "5m",
            # A search visits each segment of an index, and each transaction adds some: merge before they are many.
            "internal.dbms.index.vector.standard_merge_factor": "20",
            # A client that died under a transaction holds its locks until its connection is missed: two of these.
            "server.bolt.connection_keep_alive": "15s",
            # Without this each stop waits for ten seconds of silence on its ports.
            "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
        }
        lines = ["# Written by Clew at each start; changes are lost."]
        lines += [f"{name}={value}" for name, value in settings.items()]
        write_whole(self.conf / "neo4j.conf", "\n".join(lines) + "\n")


def memory(settings: Settings) -> tuple[int, int]:
    """Bytes for the heap and for the page cache: as set, else an eighth and a twelfth of the machine, in bounds."""
    total = psutil.virtual_memory().total
    with contextlib.suppress(OSError, ValueError):  # where a container sets no limit
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    heap, page_cache = _between(512 * _MB, total // 8, 4096 * _MB), _between(128 * _MB, total // 12, 4096 * _MB)
    return settings.neo4j_heap_mb * _MB or heap, settings.neo4j_pagecache_mb * _MB or page_cache


def _between(low: int, value: int, high: int) -> int:
    return max(low, min(value, high))
