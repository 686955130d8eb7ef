"""Folders that survive ``kill -9``: a job, a training run, an evaluation that is kept.

All that is known of such work lies in its folder, so that it goes on from there and can be shown by whoever may read
it. A JSON file is replaced at once; a file of JSON lines grows by whole lines, of which readers leave out one that is
torn, and the next writer cuts it off; a lock says who works in it; a state names the process that does. All of it is
for its owner alone.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil

from clew.errors import InputError, NotFoundError
from clew.files import FOLDER, OWNER, json_lines, open_to_append, write_whole
from clew.process_start import started
from clew.types import Json

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,120}")
"""The names that a folder may have."""
TAIL = 1 << 22
"""Bytes of the end of a file that are looked through for its latest lines."""
NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def make(folder: Path, *, new: bool = False) -> None:
    """Make a folder; with ``new`` it must not be there. Raises OSError."""
    folder.parent.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    folder.mkdir(mode=FOLDER, exist_ok=not new)


def read_json(file: Path) -> Json | None:
    """The object in a file; None where there is none, or something else."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def write_json(file: Path, value: Mapping[str, object], *, indent: int | None = 2) -> None:
    """The whole file or none. Raises OSError."""
    write_whole(file, json.dumps(value, indent=indent, default=str) + "\n")


def read_lines(file: Path, fits: Callable[[Json], bool] = lambda _: True, mend: str = "delete the line") -> list[Json]:
    """The records of a file in order, none where there is no file; a last line that is torn is left out.

    Raises InputError for any other line that is no object or does not fit; ``mend`` says what to do then.
    """
    try:
        lines = file.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    found = []
    for number, line in enumerate(lines, 1):
        record = _record(line)
        if record is None or not fits(record):
            raise InputError(f"Line {number} of {file} is damaged: {mend}.")
        found.append(record)
    return found


def latest_lines(file: Path, count: int) -> list[Json]:
    """The last records, the latest first, without reading all of a large file; what is no record is passed over."""
    with file.open("rb") as rows:
        size = rows.seek(0, os.SEEK_END)
        rows.seek(max(0, size - TAIL))
        lines = rows.read().split(b"\n")[0 if size <= TAIL else 1 : -1]
    return [record for line in reversed(lines[-count:]) if (record := _record(line)) is not None]


def append_lines(file: Path, records: Iterable[Mapping[str, object]]) -> None:
    """Append whole lines; they are on disk when this returns. Raises OSError."""
    content = "".join(json_lines(records)).encode()
    with open_to_append(file) as out:
        if size := out.seek(0, os.SEEK_END):
            out.seek(size - 1)
            if out.read(1) != b"\n":
                out.seek(0)
                out.truncate(out.read().rfind(b"\n") + 1)
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


@contextmanager
def held(folder: Path) -> Iterator[bool]:
    """Hold a folder as long as the process lives, and say whether that went well: False where another one holds it.

    Raises OSError where nothing can be written there.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / ".lock", timeout=0, mode=OWNER)
    with contextlib.suppress(Timeout):
        lock.acquire()
    try:
        yield lock.is_locked
    finally:
        lock.release()


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """One line for a folder that cannot be written: raises InputError for an OSError."""
    try:
        yield
    except OSError as error:
        space = "free space there, or " if error.errno in NO_SPACE else ""
        raise InputError(
            f"{folder} cannot be written ({error.strerror}): {space}name another folder with --runs."
        ) from error


def list_folders(root: Path, head: str) -> list[tuple[Path, Json]]:
    """The folders below ``root`` that have a file ``head``, and what stands in it, those that ``started`` last first.

    Raises InputError where ``root`` cannot be read.
    """
    try:
        folders = sorted(root.iterdir()) if root.is_dir() else []
    except OSError as error:
        raise InputError(f"{root} cannot be read ({error.strerror}): name another folder with --runs.") from error
    found = [(folder, row) for folder in folders if (row := read_json(folder / head))]
    return sorted(found, key=lambda one: str(one[1].get("started")), reverse=True)


def find_folder(root: Path, name: str, head: str, listing: str) -> tuple[Path, Json]:
    """The folder called ``name`` and its ``head``; the beginning is enough where only one name begins so.

    Raises NotFoundError, which names the command that does the ``listing``, where there is none, and InputError where
    several begin so.
    """
    if row := NAME.fullmatch(name) and read_json(root / name / head):
        return root / name, row
    begun = [one for one in list_folders(root, head) if one[0].name.startswith(name)]
    if len(begun) > 1:
        raise InputError(f"{len(begun)} runs begin with {name!r}: {', '.join(folder.name for folder, _ in begun)}.")
    if not begun:
        raise NotFoundError(f"There is no run {name!r} in {root}: see `{listing}`.")
    return begun[0]


def check_name(name: str) -> str:
    """The name, if a folder may have it. Raises InputError otherwise."""
    if not NAME.fullmatch(name):
        raise InputError(f"{name[:80]!r} is no name for a run: use letters, digits, dots, dashes and underscores.")
    return name


def alive(pid: int | None, created: float | None) -> bool:
    """Whether the process still runs that ``started`` at ``created``, and not another that has got its number."""
    if not pid or created is None:
        return False
    try:
        return started(pid) == created and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _record(line: bytes) -> Json | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
