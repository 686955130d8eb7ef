"""Data of an older Neo4j, which a newer one takes over: a copy stays until the newer one has answered, and longer.

Neo4j changes its files on the first start of a newer version, and no older one opens them again.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from clew.database.server.home import Home
from clew.database.server.jars import neo4j_version, require_space
from clew.database.server.progress import spinner
from clew.errors import ServerError

_SPARE_BYTES = 500 << 20


def wrote(home: Home) -> str:
    """The version of Neo4j that the data are of; empty where there are none, or none is known."""
    if not home.version_file.is_file() or not home.has_data():
        return ""
    return home.version_file.read_text().strip()


def older_data(home: Home) -> str:
    """The version that wrote the data, where it is older than the one that Clew runs; else empty.

    Raises ServerError where it is newer.
    """
    version = wrote(home)
    if version and _numbers(version) > _numbers(neo4j_version()):
        raise ServerError(
            f"The data in {home.root} was written by Neo4j {version}, and this Clew runs {neo4j_version()}: "
            f"upgrade Clew, or set CLEW_HOME to another folder."
        )
    return version if version and _numbers(version) < _numbers(neo4j_version()) else ""


def keep(home: Home, version: str, *, progress: bool) -> None:
    """Copy the data of a server that does not run, unless a start that was cut off has done it already.

    Raises ServerError where there is no room for it.
    """
    copy = _copy(home, version)
    if copy.is_dir():
        return
    data = home.root / "data"
    require_space(home.root, _size(data) + _SPARE_BYTES, "CLEW_HOME")
    part = copy.with_name(f"{copy.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    with spinner(f"Keeping a copy of the data before Neo4j {neo4j_version()} takes them over", show=progress):
        shutil.copytree(data, part, symlinks=True)
    part.rename(copy)


def put_back(home: Home, version: str) -> None:
    """Let the copy be the data again, for the older version."""
    shutil.rmtree(_failed(home), ignore_errors=True)
    (home.root / "data").rename(_failed(home))
    settle(home, version)


def settle(home: Home, version: str = "") -> None:
    """Finish a ``put_back`` that was cut off between two steps; nothing where none was begun."""
    if not _failed(home).is_dir():
        return
    version = version or home.version_file.read_text().strip()
    data, copy = home.root / "data", _copy(home, version)
    if copy.is_dir() and not home.has_data():
        shutil.rmtree(data, ignore_errors=True)
        copy.rename(data)
    shutil.rmtree(_failed(home))


def kept(home: Home) -> list[Path]:
    """The copies that are there, of data before an upgrade."""
    return sorted(path for path in home.root.glob("data-[0-9]*") if path.is_dir() and path.suffix != ".part")


def drop(home: Home) -> int:
    """Delete the copies, but for one that an unfinished upgrade may need; returns the bytes that were freed."""
    freed = 0
    for path in kept(home):
        if path == _copy(home, wrote(home)):
            continue
        freed += _size(path)
        shutil.rmtree(path)
    return freed


def _copy(home: Home, version: str) -> Path:
    return home.root / f"data-{version}"


def _failed(home: Home) -> Path:
    return home.root / "data-failed"


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]
