"""What Clew writes is its owner's alone: files 0600 and folders 0700, whatever the umask was."""

from __future__ import annotations

import os
from pathlib import Path


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
    told = path.stat()
    mode = told.st_mode & 0o7777
    wanted = mode & (0o7755 if readable else 0o7700)
    if mode != wanted and told.st_uid == os.geteuid():
        path.chmod(wanted)


def write_text(path: Path, text: str) -> None:
    """Write a file that only its owner can read; one that is there already keeps its name and not its mode."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        path.chmod(0o600)
        file.write(text)
