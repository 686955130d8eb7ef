"""What Clew writes: files that are whole or not there, whatever dies meanwhile, and their owner's alone."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO

OWNER = 0o600
FOLDER = 0o700


_FOLDERS = re.compile(r"(?<![\w:/.~-])/(?:[^\s/:'\"()]+/)+")


def without_folders(text: str) -> str:
    """A message whose paths are names of files, for whoever has no business on this machine."""
    return _FOLDERS.sub("", text)


def keep_private() -> None:
    """Let nobody else read what this process, and those that it starts, write. For Clew's own programs."""
    os.umask(0o077)


def private_folder(path: Path, *, readable: bool = False) -> None:
    """Make a folder with its parents, and take from others what they may do in it; ``readable`` lets them read.

    A folder that belongs to someone else is left as it is. Raises OSError where it cannot be made.
    """
    for folder in reversed([path, *path.parents]):
        if not folder.exists():
            folder.mkdir(mode=0o755 if readable else 0o700, exist_ok=True)
    status = path.stat()
    mode = status.st_mode & 0o7777
    wanted = mode & (0o7755 if readable else 0o7700)
    if mode != wanted and status.st_uid == os.geteuid():
        path.chmod(wanted)


def write_whole(path: Path, content: str | bytes | Iterable[str], *, private: bool = True) -> None:
    """Write a file at once: readers see the old one or the new one, also where several write it at a time.

    Only its owner can read it, unless it is not ``private`` because somebody asked for it by name. What has no UTF-8
    (a lone surrogate of a hostile document) becomes a question mark. Raises OSError, and leaves nothing behind then.
    """
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    mode = OWNER if private else 0o666
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
            parts: Iterable[str | bytes] = [content] if isinstance(content, str | bytes) else content
            out.writelines(part if isinstance(part, bytes) else part.encode("utf-8", "replace") for part in parts)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hex digits. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_to_append(path: Path) -> IO[bytes]:
    """A file that grows, and that may be read; made, where it is not there, for its owner alone. Raises OSError."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER), "a+b")


def json_lines(records: Iterable[Mapping[str, object]], *, ascii: bool = True) -> Iterable[str]:
    """Records as lines of JSON; in ASCII any text can be written, a lone surrogate of a hostile document too."""
    return (json.dumps(record, ensure_ascii=ascii, default=float) + "\n" for record in records)
