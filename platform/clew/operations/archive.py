"""The file of a backup: parts of JSON lines, each a frame of Zstandard, and a checksum of it all.

``zstd -dc FILE`` shows it. The first line of a part says what it is (``kind``, ``kb``), how many rows follow, and their
SHA-256. The last 40 bytes are a frame that readers of Zstandard skip: the SHA-256 of every byte before it. A file
without it was not finished, and a byte that is another anywhere is noticed before anything is restored.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import zstandard

from clew.errors import InputError
from clew.types import Json

FORMAT = 1
"""Version of the file; a reader refuses what is newer."""
BLOCK = 1 << 20
_BITE = 1 << 12
"""Bytes that are unpacked at once: a hostile file makes at most 128 MB of them."""
_LARGE = 16 << 20
"""Characters with which a part is full."""
MOST_PART = 1 << 30
"""Bytes of a part once unpacked, at most: a file that says more was not written by us."""
LEVEL = 3
MOMENT = "datetime"
"""The one name of an object that stands for a moment."""

_SKIPPED = bytes.fromhex("502a4d18 20000000")
"""Head of a frame of 32 bytes that is not data."""
_TAIL = len(_SKIPPED) + hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one kind of one knowledge base. ``about`` is what else is known of them."""

    kind: str
    kb: str
    rows: list[Json]
    about: Json


class Writer:
    """Writes parts to a file that gets its name once it is whole. Raises InputError where it cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
        self._digest = hashlib.sha256()
        self._mark = (0, self._digest.copy())
        try:
            self._file: IO[bytes] = os.fdopen(os.open(self._draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")
        except OSError as error:
            raise _cannot_write(path, error) from error

    def add(self, kind: str, kb: str, rows: Iterable[Json], **about: object) -> None:
        """Add rows as one part, or as several where they are large."""
        lines: list[str] = []
        size = 0
        for row in rows:
            lines.append(json.dumps(row, default=_plain))
            size += len(lines[-1])
            if size > _LARGE:
                self._add(kind, kb, lines, about)
                lines, size = [], 0
        if lines or not size:
            self._add(kind, kb, lines, about)

    def _add(self, kind: str, kb: str, lines: list[str], about: Json) -> None:
        text = "".join(f"{line}\n" for line in lines).encode()
        head = {"kind": kind, "kb": kb, "rows": len(lines), "sha256": hashlib.sha256(text).hexdigest(), **about}
        frame = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(
            json.dumps(head).encode() + b"\n" + text
        )
        self._write(frame)

    def mark(self) -> None:
        """Remember this place for ``rewind``."""
        self._mark = (self._file.tell(), self._digest.copy())

    def rewind(self) -> None:
        """Forget what was added since the mark."""
        at, digest = self._mark
        with self._writing():
            self._file.seek(at)
            self._file.truncate()
        self._digest = digest.copy()

    def finish(self) -> int:
        """Write the checksum, and give the file its name; its bytes."""
        self._write(_SKIPPED + self._digest.digest())
        with self._writing():
            size = self._file.tell()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._draft.replace(self._path)
        return size

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # what could not be written is tried once more
            self._file.close()
        self._draft.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        with self._writing():
            self._file.write(data)
        self._digest.update(data)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise _cannot_write(self._path, error) from error


def verify(path: Path) -> str:
    """The SHA-256 of a whole backup, as hex digits.

    Raises InputError where there is no such file, where it was not finished, or where a byte is not what was written.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            left = path.stat().st_size - _TAIL
            while left > 0 and (block := file.read(min(left, BLOCK))):
                digest.update(block)
                left -= len(block)
            tail = file.read(_TAIL + 1)
    except OSError as error:
        raise InputError(f"The backup {path} cannot be read ({error.strerror}): name another.") from error
    if left or tail[: len(_SKIPPED)] != _SKIPPED:
        raise InputError(f"{path} is no whole backup of Clew: it was cut off, or it is another file.")
    if tail[len(_SKIPPED) :] != digest.digest():
        raise InputError(f"The backup {path} is damaged (its SHA-256 differs): use another copy of it.")
    return digest.hexdigest()


def parts(path: Path, wanted: Callable[[Json], bool] = lambda _: True) -> Iterator[Part]:
    """The parts of a backup that are ``wanted`` by their first lines, in order; the first of all is its header.

    Each is checked. Raises InputError for a file that cannot be read, is damaged, or is of a newer Clew.
    """
    with damaged(path), path.open("rb") as file:
        source = _Frames(file, path.stat().st_size - _TAIL)
        for number, (head, body) in enumerate(source):
            if number == 0:
                _check_header(head, path)
            if wanted(head):
                yield _part(head, body)


@contextmanager
def damaged(path: Path) -> Iterator[None]:
    """One line for whatever a backup lacks, or holds that none of Clew's does."""
    try:
        yield
    except (OSError, LookupError, ValueError, TypeError, AttributeError, RecursionError, zstandard.ZstdError) as error:
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise InputError(f"The backup {path} is damaged or forged ({reason}): use another copy of it.") from error


class _Frames:
    """The first line of each frame and its other lines."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file, self._left = file, size

    def __iter__(self) -> Iterator[tuple[Json, bytes]]:
        unpacker = zstandard.ZstdDecompressor().decompressobj()
        found: list[bytes] = []
        size = 0
        pending = b""
        while pending or self._left > 0:
            if not pending:
                pending = self._file.read(min(_BITE, self._left))
                self._left -= len(pending)
                if not pending:
                    raise ValueError("it ends too early")
            found.append(unpacker.decompress(pending))
            size += len(found[-1])
            if size > MOST_PART:
                raise ValueError("a part is too large")
            pending = b""
            if unpacker.eof:
                pending = unpacker.unused_data
                head, _, body = b"".join(found).partition(b"\n")
                yield json.loads(head), body
                unpacker, found, size = zstandard.ZstdDecompressor().decompressobj(), [], 0
        if found:
            raise ValueError("it ends too early")


def _part(head: Json, body: bytes) -> Part:
    rows: list[Any] = [json.loads(line) for line in body.splitlines()]
    if len(rows) != head["rows"] or hashlib.sha256(body).hexdigest() != head["sha256"]:
        raise ValueError(f"a part of {head['kind']} is not what was written")
    about = {name: value for name, value in head.items() if name not in ("kind", "kb", "rows", "sha256")}
    return Part(head["kind"], head["kb"], rows, about)


def _check_header(head: Json, path: Path) -> None:
    if head["kind"] != "clew":
        raise InputError(f"{path} is no backup of Clew: name another file.")
    if head["format"] > FORMAT:
        raise InputError(
            f"{path} was written by Clew {head['clew']} in format {head['format']}, and this one reads {FORMAT}: "
            "upgrade Clew to restore it."
        )


def _plain(value: Any) -> Json:
    """What JSON has no word for: a moment of Neo4j."""
    return {MOMENT: value.iso_format()}


def _cannot_write(path: Path, error: OSError) -> InputError:
    return InputError(f"The backup {path} cannot be written ({error.strerror}): choose another place for it.")
