"""A knowledge base that keeps up with a folder: what differs between the two, file by file."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from clew.database.connection import Database, Row
from clew.documents.parsed import NO_TEXT
from clew.errors import InputError
from clew.ids import digest
from clew.ingest.load import absolute, files, load, storable
from clew.settings import Settings
from clew.types import Document, Skipped

Snapshot = dict[str, tuple[int, int]]
"""Files by their source, each with when it was last written and its size."""

_MOST_BLANK = 1 << 20
_UPLOAD = "upload:"
INTERVAL = 2.0
"""Seconds between two looks at a folder that is watched."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What has to happen to a knowledge base so that it is equal to a folder; files are named by their source.

    ``moved`` are pairs of where a file was and where it is, ``uploaded`` of what an upload is called and the file that
    says the same, whose document it becomes. ``emptied`` are files that are there and say nothing any
    more: their documents go, as those of ``removed``. ``read`` are the files to bring in, ``gone`` the ids of the
    documents to delete. What cannot be read now is ``skipped``, and its documents stay. ``elsewhere`` counts documents
    that come from no file of the folder, which stay as well. ``notes`` tell what of the folder was left out by its
    kind, and how what is new or changed was read, such as in an encoding that was guessed.
    """

    folder: str
    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    uploaded: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    unchanged: int = 0
    elsewhere: int = 0
    skipped: tuple[Skipped, ...] = ()
    read: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    notes: tuple[Skipped, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.read or self.gone)

    @property
    def kinds(self) -> dict[str, Sequence[str]]:
        """What has changed, by how, for a person."""
        return {
            "new": self.new,
            "changed": self.changed,
            "moved": [f"{old} → {new}" for old, new in self.moved],
            "uploaded": [f"{old.removeprefix(_UPLOAD)} → {new}" for old, new in self.uploaded],
            "removed": self.removed,
            "emptied": self.emptied,
        }

    def lines(self, most: int) -> list[str]:
        """The difference for a person: at most so many files of each kind."""
        lines = []
        for kind, some in self.kinds.items():
            lines += [f"{kind} {self.short(one)}" for one in some[:most]]
            lines += [f"{kind} … and {len(some) - most:,} more"] if len(some) > most else []
        return lines

    def short(self, path: str) -> str:
        """A file as it is named within the folder."""
        return path.replace(_within(Path(self.folder)), "")


def compare(
    database: Database,
    kb: str,
    folder: str,
    settings: Settings,
    *,
    encoding: str | None = None,
    among: Collection[str] | None = None,
) -> Difference:
    """What differs between a knowledge base and a folder, whose files are read for that; ``among`` looks at some alone.

    A file that has come in place of one with the same text that is gone, also of one outside of the folder, has moved.
    Raises InputError where there is no such folder, or nothing in it of what the knowledge base has from there.
    """
    root = _folder(folder)
    paths, closed = _looked_at(root, among)
    rows = database.read("document/sources", kb=kb)
    ids_of = _ids_of(rows)
    within = _within(root)
    there = [one for one in ids_of if one.startswith(within) and _looks_at(one, among)]
    if there and not paths and among is None:
        raise InputError(f"There is nothing to read in {root}: to delete its documents, use `clew document delete`.")
    found, texts, faults = _read(list(paths.values()), kb, settings, encoding)
    new = [source for source in found if source not in ids_of]
    changed = _changed(found, rows)
    emptied = _emptied(faults, set(there), paths)
    removed = _removed(there, paths, closed)
    moved = _moved(database, kb, new, texts, rows, removed) if new else {}
    uploaded = _uploaded({source: found[source] for source in _without(new, moved.values())}, rows)
    notices = _worth_telling(faults, {*new, *changed}, emptied, set(there) - found.keys())
    notes = [*(closed if among is None else ()), *notices]
    return Difference(
        folder=str(root),
        new=_without(new, [*moved.values(), *uploaded.values()]),
        changed=tuple(changed),
        moved=tuple(moved.items()),
        uploaded=tuple(uploaded.items()),
        removed=_without(removed, moved),
        emptied=tuple(emptied),
        unchanged=len(found) - len(new) - len(changed),
        elsewhere=sum(not row["source"].startswith(within) and row["source"] not in uploaded for row in rows),
        skipped=tuple(one for one in notes if not one.note),
        read=tuple(str(paths[source]) for source in [*new, *changed]),
        gone=tuple(
            chain.from_iterable(map(ids_of.__getitem__, dict.fromkeys([*removed, *moved, *uploaded, *emptied])))
        ),
        notes=tuple(one for one in notes if one.note),
    )


def _without(some: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    left_out = set(others)
    return tuple(one for one in some if one not in left_out)


def _looked_at(root: Path, among: Collection[str] | None) -> tuple[dict[str, Path], list[Skipped]]:
    paths, closed = _files(root)
    return {source: path for source, path in paths.items() if _looks_at(source, among)}, closed


def _looks_at(source: str, among: Collection[str] | None) -> bool:
    return among is None or source in among


def _ids_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The ids of the documents of each source."""
    ids: dict[str, list[str]] = {}
    for row in rows:
        ids.setdefault(row["source"], []).append(row["id"])
    return ids


def _removed(there: Sequence[str], paths: Collection[str], closed: Sequence[Skipped]) -> list[str]:
    """The files that are gone. Nobody knows that of what lies in a folder that cannot be opened."""
    hidden = tuple(f"{one.source}/" for one in closed if not one.note)
    return [source for source in there if source not in paths and not f"{source}/".startswith(hidden)]


def _worth_telling(
    faults: Sequence[Skipped], brought: Collection[str], emptied: Collection[str], kept: Collection[str]
) -> list[Skipped]:
    """What is to be said of files: why they are skipped or ``kept`` as they were, and how others are read."""
    notices = [one for one in faults if one.source in brought or not (one.note or one.source in emptied)]
    return [
        replace(one, reason=f"{one.reason} What it said before stays.") if one.source in kept else one
        for one in notices
    ]


def _emptied(faults: Sequence[Skipped], there: Collection[str], paths: dict[str, Path]) -> list[str]:
    """Those of the files with documents that could not be brought in because they say nothing any more."""
    return [one.source for one in faults if one.source in there and _says_nothing(one, paths[one.source])]


def _changed(found: dict[str, dict[str, str]], rows: Sequence[Row]) -> list[str]:
    """The files that are in the knowledge base in another version, or in part."""
    whole: dict[str, dict[str, str]] = {}
    for row in rows:
        versions = whole.setdefault(row["source"], {})
        if row["status"] != "partial":
            versions[row["id"]] = row["sha256"]
    return [source for source, versions in found.items() if source in whole and versions != whole[source]]


def _says_nothing(fault: Skipped, path: Path) -> bool:
    """Whether a file could be read and holds no text, or nothing at all; what is damaged may still say something."""
    if fault.note or fault.reason == NO_TEXT:
        return not fault.note
    try:
        with path.open("rb") as file:
            return not file.read(_MOST_BLANK).strip() and not file.read(1)
    except OSError:
        return False


def watch(folder: str, interval: float = INTERVAL) -> Iterator[set[str]]:
    """The files that have changed since the last look, whenever some have, and nobody has written for a moment.

    The first look is at the call, so that what changes before the first file is asked for is reported too.
    """
    root = _folder(folder)
    return _changes(root, _snapshot(root), interval)


def _changes(root: Path, seen: Snapshot, interval: float) -> Iterator[set[str]]:
    while True:
        time.sleep(interval)
        now = _snapshot(root)
        # A folder that is empty all at once is rather a drive that has gone.
        if now == seen or not now:
            continue
        time.sleep(interval)
        if now != _snapshot(root):
            continue
        yield {source for source in now.keys() | seen.keys() if now.get(source) != seen.get(source)}
        seen = now


def _folder(folder: str) -> Path:
    root = absolute(folder)
    if not root.is_dir():
        raise InputError(f"There is no folder {folder[:200]!r}.")
    return root


def _within(root: Path) -> str:
    """What the sources of a folder's files begin with, which are written otherwise than its path: composed, escaped."""
    return f"{storable(root)}/"


def _is_there(source: str) -> bool:
    """Whether a file has this source still, however the names on the way are written; True where nobody may look."""
    places = [Path(Path(source).anchor)]
    try:
        for part in Path(source).parts[1:]:
            places = [entry for place in places for entry in _named(place, part)]
    except OSError:
        return True
    return bool(places)


def _named(place: Path, name: str) -> list[Path]:
    if (place / name).exists():
        return [place / name]
    return [entry for entry in place.iterdir() if storable(entry.name) == name] if place.is_dir() else []


def _files(root: Path) -> tuple[dict[str, Path], list[Skipped]]:
    """The files of a folder by their source; and folders in it that cannot be opened, with what was left out."""
    found = list(files(str(root)))
    paths = {storable(path): path for path in found if isinstance(path, Path)}
    return paths, [one for one in found if isinstance(one, Skipped)]


def _snapshot(root: Path) -> Snapshot:
    found: Snapshot = {}
    for source, path in _files(root)[0].items():
        try:
            about = path.stat()
        except OSError:
            continue
        found[source] = about.st_mtime_ns, about.st_size
    return found


def _read(
    paths: Sequence[Path], kb: str, settings: Settings, encoding: str | None
) -> tuple[dict[str, dict[str, str]], dict[str, str], list[Skipped]]:
    """Of each file its documents with their versions, and a digest of its texts; and what is to be said of them."""
    found: dict[str, dict[str, str]] = {}
    texts: dict[str, list[str]] = {}
    notes = []
    for item in load([str(path) for path in paths], kb=kb, settings=settings, encoding=encoding):
        if isinstance(item, Document):
            found.setdefault(item.source, {})[item.id] = item.sha256
            texts.setdefault(item.source, []).append(digest(item.text))
            notes += [Skipped(item.source, note, note=True) for note in item.notes]
        else:
            notes.append(item)
    return found, {source: _one(some) for source, some in texts.items()}, notes


def _moved(
    database: Database, kb: str, new: Sequence[str], texts: dict[str, str], rows: Sequence[Row], removed: Sequence[str]
) -> dict[str, str]:
    """Where files that are gone are now: at that of the new ones which has the same text."""
    at = {texts[source]: source for source in new}
    gone = set(removed)
    outside = {row["source"] for row in rows} - gone - set(texts)
    gone |= {source for source in outside if Path(source).is_absolute() and not _is_there(source)}
    old: dict[str, list[str]] = {}
    for row in rows:
        if row["source"] in gone:
            [document] = database.read("document/get", kb=kb, id=row["id"]) or [{"text": ""}]
            old.setdefault(row["source"], []).append(digest(document["text"]))
    moved: dict[str, str] = {}
    for source, some in old.items():
        if (place := at.pop(_one(some), None)) is not None:
            moved[source] = place
    return moved


def _uploaded(new: dict[str, dict[str, str]], rows: Sequence[Row]) -> dict[str, str]:
    """The uploads that say what new files say, word for word, each with its file."""
    uploads: dict[str, list[str]] = {}
    for row in rows:
        if row["source"].startswith(_UPLOAD):
            uploads.setdefault(row["source"], []).append(row["sha256"])
    files = {_one(list(versions.values())): source for source, versions in new.items()}
    same = {source: files.get(_one(versions)) for source, versions in uploads.items()}
    return {source: file for source, file in same.items() if file}


def _one(digests: Sequence[str]) -> str:
    return digest(" ".join(sorted(digests)))
