"""The files that were uploaded, kept in ``CLEW_HOME`` as long as a document comes of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from clew.files import private_folder
from clew.ids import digest
from clew.settings import Settings


def _place(settings: Settings, kb: str, source: str) -> Path:
    return settings.home / "originals" / kb / digest(source)


def keep(settings: Settings, kb: str, source: str, file: Path) -> None:
    """Keep a file, which moves, in place of what was kept of its source before. Raises OSError."""
    place = _place(settings, kb, source)
    private_folder(place.parent)
    file.replace(place)


def original(settings: Settings, kb: str, source: str, *, local: bool = False) -> Path | None:
    """The file that a document was read from, if it was uploaded and is kept.

    With ``local`` also one that lies on this machine, which is for its own user alone.
    """
    kept = _place(settings, kb, source)
    if kept.is_file():
        return kept
    path = Path(source)
    return path if local and path.is_absolute() and path.is_file() else None


def move(settings: Settings, kb: str, name: str) -> None:
    """Put what is kept of a knowledge base under another name."""
    kept = settings.home / "originals" / kb
    if kept.is_dir():
        kept.replace(kept.with_name(name))


def forget(settings: Settings, kb: str, sources: Iterable[str] | None = None) -> None:
    """Delete what is kept of some sources, or of a whole knowledge base."""
    if sources is None:
        shutil.rmtree(settings.home / "originals" / kb, ignore_errors=True)
    for source in sources or ():
        _place(settings, kb, source).unlink(missing_ok=True)
