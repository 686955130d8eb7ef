"""Neo4j's jars: the committed lock, and a download that resumes and checks every byte.

``python -m clew.database.server.jars --lock`` resolves ``ROOTS`` again with Maven and writes the lock.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from clew.database.server.progress import byte_counter
from clew.errors import ServerError, SettingsError
from clew.files import private_folder, sha256

if TYPE_CHECKING:
    import httpx

    from clew.settings import Settings

ROOTS = ("org.neo4j:neo4j:2026.09.0", "org.neo4j.app:neo4j-server:2026.09.0", "org.neo4j.client:neo4j-browser:5.24.0")
LOCK = Path(__file__).with_name("neo4j.lock")

_CONNECTIONS = 6
_ATTEMPTS = 4
_SPARE_BYTES = 100 << 20


@dataclass(frozen=True, slots=True)
class Jar:
    """One file of the lock: Maven coordinates (``group:artifact:version[:classifier]``), SHA-256 in hex, bytes."""

    coordinates: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        """The file's name, such as ``neo4j-2026.09.0.jar``."""
        _, artifact, version, *classifier = self.coordinates.split(":")
        return "-".join([artifact, version, *classifier]) + ".jar"

    @property
    def path(self) -> str:
        """Where it lies in a Maven repository."""
        group, artifact, version, *_ = self.coordinates.split(":")
        return f"{group.replace('.', '/')}/{artifact}/{version}/{self.name}"


def read_lock(path: Path = LOCK) -> list[Jar]:
    """The jars that the lock names: lines of SHA-256, size and coordinates, # for comments."""
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [Jar(coordinates, sha256, int(size)) for sha256, size, coordinates in lines]


@cache
def neo4j_version() -> str:
    """The version of Neo4j that the lock pins."""
    return next(jar.coordinates.split(":")[2] for jar in read_lock() if jar.coordinates.startswith("org.neo4j:neo4j:"))


def fetch_jars(settings: Settings, *, progress: bool = True, lock: Iterable[Jar] | None = None) -> Path:
    """The folder in ``settings.cache`` that holds every jar of the lock; what is missing is downloaded first.

    A download that was cut off goes on where it stopped, and two processes may call this at once. Raises ServerError
    where there is no network, no space, no such file, or a file that is not the one in the lock.
    """
    jars = read_lock() if lock is None else list(lock)
    folder = settings.cache / f"neo4j-{neo4j_version()}"
    if not _missing(jars, folder):
        return folder
    from filelock import FileLock

    try:
        private_folder(settings.cache, readable=True)
        private_folder(folder, readable=True)
        with FileLock(f"{folder}.lock"):
            if missing := _missing(jars, folder):
                _download(missing, folder, settings, progress)
            wanted = {jar.name for jar in jars}
            for other in folder.glob("*.jar"):
                if other.name not in wanted:
                    other.unlink()
    except OSError as error:
        raise cannot_write(folder, error, "CLEW_CACHE") from error
    return folder


def damaged_jars(settings: Settings) -> list[str] | None:
    """The names of jars that are missing or not those of the lock; None where none was fetched yet."""
    folder = settings.cache / f"neo4j-{neo4j_version()}"
    return [jar.name for jar in _missing(read_lock(), folder)] if folder.is_dir() else None


def require_space(folder: Path, size: int, setting: str) -> None:
    """Raise ServerError where the disk of ``folder`` has less than ``size`` bytes left; ``setting`` can move it."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise ServerError(
            f"The disk of {folder} has {free / 1e6:.0f} MB left and Neo4j needs {size / 1e6:.0f} MB: "
            f"free some space, or set {setting} to a folder on another disk."
        )


def cannot_write(folder: Path, error: OSError, setting: str) -> ServerError:
    """The error for a folder of Clew's that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ServerError(f"The disk of {folder} is full: free some space, or set {setting} to a folder elsewhere.")
    reason = error.strerror or error
    return ServerError(f"Cannot write to {folder} ({reason}): make it writable, or set {setting} to another folder.")


def _missing(jars: list[Jar], folder: Path) -> list[Jar]:
    # The checksum was right when a file got its name; since then a disk, or someone, may have changed it.
    sizes = {entry.name: entry.stat().st_size for entry in os.scandir(folder)} if folder.is_dir() else {}
    return [jar for jar in jars if sizes.get(jar.name) != jar.size or sha256(folder / jar.name) != jar.sha256]


def _repository(settings: Settings) -> str:
    if settings.maven_repository:
        return settings.maven_repository.rstrip("/")
    from jgo.constants import MAVEN_CENTRAL_URL

    return str(MAVEN_CENTRAL_URL).rstrip("/")


def _download(jars: list[Jar], folder: Path, settings: Settings, progress: bool) -> None:
    import httpx

    total = sum(jar.size for jar in jars)
    require_space(folder, total + _SPARE_BYTES, "CLEW_CACHE")
    base = _repository(settings)
    stop = threading.Event()
    limits = httpx.Limits(max_connections=_CONNECTIONS)
    try:
        client = httpx.Client(follow_redirects=True, timeout=20.0, limits=limits)
    except OSError as error:
        raise ServerError(
            f"Cannot read the certificates for downloads ({error}): correct SSL_CERT_FILE or SSL_CERT_DIR."
        ) from error
    with (
        client,
        byte_counter(f"Fetching Neo4j {neo4j_version()}", total, show=progress) as count,
        ThreadPoolExecutor(_CONNECTIONS) as pool,
    ):
        futures = [pool.submit(_fetch, client, base, jar, folder, count, stop) for jar in jars]
        try:
            for future in futures:
                future.result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _fetch(
    client: httpx.Client, base: str, jar: Jar, folder: Path, count: Callable[[int], None], stop: threading.Event
) -> None:
    """Fetch one jar to ``NAME.part``, check it, and give it its name."""
    import httpx

    part = folder / f"{jar.name}.part"
    url = f"{base}/{jar.path}"
    failure = ""
    mismatches = 0
    count(_size(part))
    for attempt in range(_ATTEMPTS):
        if stop.wait(0.2 * 2**attempt if failure else 0):
            return
        try:
            failure = _continue(client, url, jar, part, count, stop)
        except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise SettingsError(f"CLEW_MAVEN_REPOSITORY is not an http(s) address ({error}): correct it.") from error
        except httpx.HTTPError as error:
            failure = f"{error}" or type(error).__name__
        if failure or stop.is_set():
            continue
        if sha256(part) == jar.sha256:
            part.replace(folder / jar.name)
            return
        count(-_size(part))
        part.unlink()
        mismatches += 1
        if mismatches == 2:
            raise ServerError(
                f"{jar.name} from {_host(url)} is not the file that Clew expects (its SHA-256 differs): "
                f"check the mirror or proxy you download through (CLEW_MAVEN_REPOSITORY)."
            )
    raise ServerError(
        f"Cannot download {jar.name} from {_host(url)} ({failure}): check the network, the proxy (HTTPS_PROXY), or set "
        f"CLEW_MAVEN_REPOSITORY to a mirror. What was fetched is kept; run it again to go on."
    )


def _continue(
    client: httpx.Client, url: str, jar: Jar, part: Path, count: Callable[[int], None], stop: threading.Event
) -> str:
    """Fetch what ``part`` lacks; what went wrong in a way that may pass, else an empty string."""
    have = _size(part)
    if have == jar.size:
        return ""
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with client.stream("GET", url, headers=headers) as reply:
        if reply.status_code in (408, 416, 429) or reply.status_code >= 500:
            if reply.status_code == 416:
                count(-have)
                part.unlink(missing_ok=True)
            return f"HTTP {reply.status_code}"
        if reply.status_code not in (200, 206):
            raise ServerError(
                f"{_host(url)} does not give {jar.path} (HTTP {reply.status_code}): "
                f"set CLEW_MAVEN_REPOSITORY to a mirror of Maven Central that has it."
            )
        if reply.status_code == 200:
            count(-have)
            have = 0
        with part.open("ab" if have else "wb") as file:
            for block in reply.iter_raw():
                file.write(block)
                count(len(block))
                have += len(block)
                if have > jar.size or stop.is_set():
                    break
    return "the connection was cut" if have < jar.size else ""


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _host(url: str) -> str:
    import httpx

    return httpx.URL(url).host


def write_lock(path: Path = LOCK) -> int:
    """Resolve ``ROOTS`` with Maven (``mvn`` on the PATH) and write the lock; the number of jars in it."""
    dependencies = "".join(
        "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>".format(
            *root.split(":")
        )
        for root in ROOTS
    )
    pom = (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>clew</groupId><artifactId>lock</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, "jars")
        Path(work, "pom.xml").write_text(pom)
        goal = "mvn -q -B dependency:copy-dependencies -DincludeScope=runtime -Dmdep.useRepositoryLayout".split()
        subprocess.run([*goal, f"-DoutputDirectory={folder}"], cwd=work, check=True)
        lines = sorted(_lock_line(jar, folder) for jar in folder.rglob("*.jar"))
    header = "# Written by `python -m clew.database.server.jars --lock`: SHA-256, bytes, Maven coordinates.\n"
    path.write_text(header + "".join(line + "\n" for _, line in lines))
    return len(lines)


def _lock_line(jar: Path, repository: Path) -> tuple[str, str]:
    *group, artifact, version, _ = jar.relative_to(repository).parts
    classifier = jar.stem.removeprefix(f"{artifact}-{version}").lstrip("-")
    coordinates = ":".join(filter(None, [".".join(group), artifact, version, classifier]))
    return coordinates, f"{sha256(jar)} {jar.stat().st_size} {coordinates}"


if __name__ == "__main__":
    if sys.argv[1:] != ["--lock"]:
        sys.exit("usage: python -m clew.database.server.jars --lock")
    sys.stderr.write(f"{write_lock()} jars in {LOCK.name}\n")
