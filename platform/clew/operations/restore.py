"""A backup becomes a knowledge base again: out of sight while it is written, and there all at once in the end.

The knowledge base's node is made first, and is hidden (``restoring``) until the last part is in. Each part is one
transaction that counts itself, so a restore that was killed goes on with the next part when it is run again, and none
is written twice. Nothing that is there is touched: a name that is taken is refused.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from clew.database.connection import Database, Row, Tx, as_moment, as_vectors
from clew.database.schema import migrations
from clew.errors import DatabaseError, InputError, NotFoundError
from clew.knowledge_base import check_name
from clew.operations.archive import MOMENT, Part, damaged, parts, verify
from clew.operations.backup import KINDS, LABELS
from clew.operations.rename import Renamed
from clew.types import Json

PAIRS = ("SAME_AS", "MAYBE_SAME_AS", "DIFFERENT_FROM")


@dataclass(frozen=True, slots=True)
class Content:
    """What a backup holds: its header, and the rows of each kind by the names of the knowledge bases."""

    header: Json
    knowledge_bases: dict[str, dict[str, int]]


def inspect(path: Path) -> Content:
    """Read a whole backup and check every part. Raises InputError where anything in it is not what was written."""
    verify(path)
    counts: dict[str, dict[str, int]] = {}
    header: Json = {}
    with damaged(path):
        for part in parts(path):
            if part.kind == "clew":
                header = part.about
            elif part.kind == "knowledge_base":
                counts[part.kb] = dict.fromkeys(KINDS, 0)
            elif part.kind in KINDS:
                counts[part.kb][part.kind] += len(part.rows)
    return Content(header, counts)


def restore(
    database: Database,
    path: Path,
    *,
    name: str | None = None,
    into: str | None = None,
    on_progress: Callable[[str], None] = lambda _: None,
) -> dict[str, str]:
    """Make the knowledge bases of a backup again, or the one of this ``name``, and that ``into`` another if so wished.

    Those that were begun before by the same file are gone on with. Returns the names they have now by those they had.
    Raises InputError for a file that is damaged or too new, for a name that is taken, and where ``into`` does not say
    which; NotFoundError where the backup has no such knowledge base.
    """
    digest = verify(path)
    with damaged(path):
        return _restore(database, path, digest, name, into, on_progress)


def _restore(
    database: Database,
    path: Path,
    digest: str,
    name: str | None,
    into: str | None,
    on_progress: Callable[[str], None],
) -> dict[str, str]:
    header = next(parts(path)).about
    if header["schema"] > migrations()[-1][0]:
        raise InputError(f"{path} was written by a newer Clew ({header['clew']}): upgrade Clew to restore it.")
    names = [str(one) for one in header["names"]]
    if name is not None and name not in names:
        raise NotFoundError(f"{path} has no knowledge base {name!r}; it has {', '.join(names) or 'none'}.")
    chosen = names if name is None else [name]
    if into is not None and len(chosen) != 1:
        raise InputError(f"{path} has {len(names)} knowledge bases: say with --kb which one goes into {into!r}.")
    targets = {one: check_name(one if into is None else into) for one in chosen}
    begun = {}
    for old, new in targets.items():
        begun[old] = _begin(database, new, f"{digest}:{old}")
    for old, new in targets.items():
        _one(database, path, (old, new), f"{digest}:{old}", begun[old], on_progress)
    return targets


def _begin(database: Database, kb: str, token: str) -> int:
    """Take the name; how many parts are in already."""
    [row] = database.write("operations/begin_restore", kb=kb, restoring=token)
    if row["restoring"] is None:
        raise InputError(
            f"There is a knowledge base {kb!r} already: restore into another name with --into, or delete it first "
            f"(`clew kb delete {kb}`)."
        )
    if row["restoring"] != token:
        raise InputError(
            f"Knowledge base {kb!r} is being restored from another file: finish that, or drop it with "
            f"`clew kb delete {kb}`."
        )
    return int(row["restored"])


def _one(
    database: Database,
    path: Path,
    names: tuple[str, str],
    token: str,
    done: int,
    on_progress: Callable[[str], None],
) -> None:
    old, new = names
    properties: Json = {}
    renamed = Renamed(old, new)
    for number, part in enumerate(_in_order(path, old)):
        if part.kind == "knowledge_base":
            properties = part.rows[0]["properties"]
            continue
        rows = [_row(part.kind, row, renamed) for row in part.rows]
        if number > done:
            on_progress(f"{new}: {part.kind}")
            with _taken(path):
                database.transaction(partial(_write, kb=new, token=token, number=number, kind=part.kind, rows=rows))
    kept = {key: properties[key] for key in ("embedder", "dimensions", "precision")}
    if not database.write("operations/finish_restore", kb=new, restoring=token, properties=kept):
        raise _taken_away(new)


@contextmanager
def _taken(path: Path) -> Iterator[None]:
    """One line for rows that Neo4j cannot take, which no backup of Clew's has."""
    try:
        yield
    except DatabaseError as error:
        if not re.search(r"ClientError\.(Statement|Schema)\.", str(getattr(error.__cause__, "code", ""))):
            raise
        raise InputError(f"The backup {path} is damaged or forged ({error}): use another copy of it.") from error


def _in_order(path: Path, kb: str) -> Iterator[Part]:
    """The knowledge base, its nodes and relationships, and then their vectors, which come first in the file."""
    yield from parts(path, lambda head: head["kb"] == kb and head["kind"] in ("knowledge_base", *KINDS))
    yield from parts(path, lambda head: head["kb"] == kb and head["kind"] == "vectors")


def _write(tx: Tx, kb: str, token: str, number: int, kind: str, rows: list[Json]) -> None:
    if not tx.run("operations/count_part", kb=kb, restoring=token, restored=number - 1):
        raise _taken_away(kb)
    if kind != "vectors":
        tx.run(f"operations/write_{kind}", kb=kb, rows=rows)
        return
    for row in rows:
        tx.run(f"operations/write_{row['label'].lower()}_vectors", kb=kb, ids=row["ids"], vectors=row["vectors"])


def _taken_away(kb: str) -> InputError:
    return InputError(f"Another program restores or has deleted {kb!r} meanwhile: look with `clew kb list`.")


def _row(kind: str, row: Json, renamed: Renamed) -> Json:
    """A row as it is written: with the ids that it has in its new place, and nothing that a forged file could add."""
    if kind == "vectors":
        if row["label"] not in LABELS:
            raise InputError(f"The backup has vectors of {str(row['label'])[:40]!r}, which have none.")
        numbers = np.frombuffer(base64.b64decode(row["numbers"]), "<f4").reshape(len(row["ids"]), row["size"])
        return {"label": row["label"], "ids": renamed.ids(row["ids"]), "vectors": as_vectors(numbers)}
    if kind == "pairs" and any(pair[0] not in PAIRS for pair in row["pairs"]):
        raise InputError("The backup ties entities in a way that Clew does not know.")
    for node in (row, *row.get("steps", ())):
        if node.get("properties", {}).get("kb", renamed.old) != renamed.old:
            raise InputError(f"The backup has {kind} of another knowledge base among those of {renamed.old!r}.")
    moved: Json = _with_moments(renamed.row(kind, row))
    return moved


def _with_moments(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {MOMENT}:
            return as_moment(value[MOMENT])
        kept = {key: one for key, one in value.items() if one is not None and not key.startswith("embedding")}
        return {key: _with_moments(one) for key, one in kept.items()}
    return [_with_moments(one) for one in value] if isinstance(value, list) else value


def unfinished(database: Database) -> list[Row]:
    """The names of knowledge bases whose restore was begun and not finished."""
    return database.read("operations/unfinished")
