"""Downloads against a real HTTP server that can resume, break off, lie and fail."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from clew.database.server import jars
from clew.database.server.jars import Jar, fetch_jars, neo4j_version, read_lock, require_space
from clew.errors import ServerError, SettingsError
from clew.settings import Settings, load_settings


@dataclass
class Repository:
    """What the server gives, how it misbehaves, and what was asked of it: (path, offset)."""

    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)
    resumes: bool = True
    cut_after: int | None = None
    failures: int = 0
    address: str = ""

    def add(self, name: str, content: bytes) -> Jar:
        jar = Jar(f"org.example:{name}:1.0", hashlib.sha256(content).hexdigest(), len(content))
        self.files[f"/{jar.path}"] = content
        return jar


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    state = Repository()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            start = int(re.findall(r"\d+", wanted)[0]) if wanted else 0
            state.asked.append((self.path, start))
            if state.failures:
                state.failures -= 1
                self.send_error(503)
                return
            if self.path not in state.files:
                self.send_error(404)
                return
            content = state.files[self.path]
            if not state.resumes:
                start = 0
            if start >= len(content):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            rest = content[start:]
            if state.cut_after is not None:
                rest, state.cut_after = rest[: state.cut_after], None
            self.wfile.write(rest)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield state
    server.shutdown()
    server.server_close()


@pytest.fixture
def mirror(repository: Repository, tmp_path: Path) -> Settings:
    return load_settings(_env_file=None, cache=tmp_path / "cache", maven_repository=repository.address)


def _content(size: int = 300_000) -> bytes:
    return bytes(range(256)) * (size // 256)


def _part(mirror: Settings, jar: Jar, content: bytes) -> Path:
    folder = mirror.cache / f"neo4j-{neo4j_version()}"
    folder.mkdir(parents=True)
    part = folder / f"{jar.name}.part"
    part.write_bytes(content)
    return part


def test_lock_names_every_jar_once_with_its_checksum() -> None:
    locked = read_lock()
    coordinates = [jar.coordinates for jar in locked]
    assert len(locked) > 200
    assert len({jar.name for jar in locked}) == len(locked)
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in locked)
    assert set(jars.ROOTS) <= set(coordinates)
    assert coordinates == sorted(coordinates)


def test_path_in_repository_follows_maven() -> None:
    jar = Jar("io.netty:netty-transport:4.2.18.Final:linux-x86_64", "", 0)
    assert jar.path == "io/netty/netty-transport/4.2.18.Final/netty-transport-4.2.18.Final-linux-x86_64.jar"


def test_fetches_once_and_removes_what_the_lock_does_not_name(repository: Repository, mirror: Settings) -> None:
    lock = [repository.add(name, _content() + name.encode()) for name in ("one", "two", "three")]
    folder = fetch_jars(mirror, lock=lock)
    assert {path.name for path in folder.iterdir()} == {"one-1.0.jar", "two-1.0.jar", "three-1.0.jar"}
    assert (folder / "two-1.0.jar").read_bytes() == _content() + b"two"
    assert len(repository.asked) == 3
    fetch_jars(mirror, lock=lock)
    assert len(repository.asked) == 3
    fetch_jars(mirror, lock=[*lock[:1], repository.add("four", b"4")])
    assert {path.name for path in folder.iterdir()} == {"one-1.0.jar", "four-1.0.jar"}


def test_a_jar_that_was_damaged_since_is_fetched_again(repository: Repository, mirror: Settings) -> None:
    lock = [repository.add("one", _content()), repository.add("two", b"2")]
    jar = fetch_jars(mirror, lock=lock) / "one-1.0.jar"
    jar.write_bytes(b"?" + _content()[1:])
    fetch_jars(mirror, lock=lock)
    assert jar.read_bytes() == _content()
    assert len(repository.asked) == 3


def test_goes_on_where_an_earlier_run_stopped(repository: Repository, mirror: Settings) -> None:
    jar = repository.add("one", _content())
    _part(mirror, jar, _content()[:100_000])
    folder = fetch_jars(mirror, lock=[jar])
    assert (folder / jar.name).read_bytes() == _content()
    assert repository.asked == [(f"/{jar.path}", 100_000)]


def test_goes_on_after_the_connection_is_cut(repository: Repository, mirror: Settings) -> None:
    jar = repository.add("one", _content())
    repository.cut_after = 50_000
    folder = fetch_jars(mirror, lock=[jar])
    assert (folder / jar.name).read_bytes() == _content()
    assert [start for _, start in repository.asked] == [0, 50_000]


def test_starts_over_where_the_server_cannot_resume(repository: Repository, mirror: Settings) -> None:
    jar = repository.add("one", _content())
    repository.resumes = False
    _part(mirror, jar, b"x" * 1000)
    assert (fetch_jars(mirror, lock=[jar]) / jar.name).read_bytes() == _content()


@pytest.mark.parametrize("size", [1000, 299_776, 400_000], ids=["short", "complete", "too long"])
def test_starts_over_from_a_corrupt_part(repository: Repository, mirror: Settings, size: int) -> None:
    jar = repository.add("one", _content())
    part = _part(mirror, jar, b"x" * size)
    assert (fetch_jars(mirror, lock=[jar]) / jar.name).read_bytes() == _content()
    assert not part.exists()


def test_tries_again_after_a_server_error(repository: Repository, mirror: Settings) -> None:
    jar = repository.add("one", _content())
    repository.failures = 2
    assert (fetch_jars(mirror, lock=[jar]) / jar.name).read_bytes() == _content()
    assert len(repository.asked) == 3


def test_refuses_a_file_that_is_not_the_locked_one(repository: Repository, mirror: Settings) -> None:
    jar = repository.add("one", _content())
    repository.files[f"/{jar.path}"] = _content()[::-1]
    with pytest.raises(ServerError, match=r"one-1\.0\.jar from 127\.0\.0\.1 .*SHA-256 differs"):
        fetch_jars(mirror, lock=[jar])
    assert list((mirror.cache / f"neo4j-{neo4j_version()}").iterdir()) == []


def test_names_a_file_that_the_mirror_lacks(repository: Repository, mirror: Settings) -> None:
    with pytest.raises(ServerError, match=r"does not give org/example/none/.* \(HTTP 404\).*CLEW_MAVEN_REPOSITORY"):
        fetch_jars(mirror, lock=[Jar("org.example:none:1.0", "0" * 64, 1)])


def test_says_that_there_is_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        settings = load_settings(_env_file=None, cache=tmp_path, maven_repository=address)
        with pytest.raises(ServerError, match=r"Cannot download .* check the network, the proxy"):
            fetch_jars(settings, lock=[Jar("org.example:one:1.0", "0" * 64, 1)])


def test_refuses_an_address_that_is_not_http(tmp_path: Path) -> None:
    settings = load_settings(_env_file=None, cache=tmp_path, maven_repository="ftp://mirror.example")
    with pytest.raises(SettingsError, match="CLEW_MAVEN_REPOSITORY"):
        fetch_jars(settings, lock=[Jar("org.example:one:1.0", "0" * 64, 1)])


def test_says_that_the_disk_is_full_before_and_while_it_writes(repository: Repository, mirror: Settings) -> None:
    with pytest.raises(ServerError, match=r"has \d+ MB left and Neo4j needs .* CLEW_CACHE"):
        require_space(mirror.cache.parent, 1 << 60, "CLEW_CACHE")
    if not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    jar = repository.add("one", _content(1 << 20))
    part = _part(mirror, jar, b"")
    part.unlink()
    part.symlink_to("/dev/full")
    with pytest.raises(ServerError, match=r"The disk of .* is full: free some space, or set CLEW_CACHE"):
        fetch_jars(mirror, lock=[jar])


def test_says_that_the_cache_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings = load_settings(_env_file=None, cache=tmp_path / "file")
    with pytest.raises(ServerError, match=r"Cannot write to .* set CLEW_CACHE"):
        fetch_jars(settings, lock=[Jar("org.example:one:1.0", "0" * 64, 1)])


def test_two_processes_at_once_fetch_each_jar_once(repository: Repository, mirror: Settings) -> None:
    lock = [repository.add(f"jar{i}", _content() + bytes([i])) for i in range(12)]
    code = (
        "from pathlib import Path; from clew.settings import load_settings as load\n"
        "from clew.database.server.jars import Jar, fetch_jars\n"
        f"settings = load(_env_file=None, cache=Path({str(mirror.cache)!r}), maven_repository={repository.address!r})\n"
        f"fetch_jars(settings, lock={lock!r})\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    running = [subprocess.Popen([sys.executable, "-c", code], env=environment) for _ in "ab"]
    assert [process.wait(60) for process in running] == [0, 0]
    folder = mirror.cache / f"neo4j-{neo4j_version()}"
    assert {path.name: path.stat().st_size for path in folder.iterdir()} == {jar.name: jar.size for jar in lock}
    assert len(repository.asked) == len(lock)
