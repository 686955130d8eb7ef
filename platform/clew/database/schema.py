"""The schema of the graph, as numbered migrations that are each applied once.

A database is shared with other tools, so that constraints and indexes stand on labels, and have names, that only Clew
uses: a node that people know as ``Document`` is ``ClewDocument`` too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from clew.cypher import statement
from clew.database.connection import Database, Row
from clew.database.server.progress import spinner
from clew.errors import DatabaseError

LABELS = ("KnowledgeBase", "Change", "Document", "Chunk", "Hyperedge", "Entity", "Trajectory", "Step", "Migration")
"""What nodes are; ``Clew`` before it makes the label that only Clew uses."""
OWN_LABELS = 28
"""The first schema whose constraints and indexes are on labels of Clew's own."""
STANDSTILL = 600.0
"""Seconds without any progress after which indexes are not waited for any longer."""
BATCH = 20_000
"""Nodes that get a label in one transaction."""
_LOOK = 0.2
_MIGRATION = re.compile(r"(\d{4})_(\w+)\.cypher")
_MAKES = re.compile(
    r"CREATE (?:CONSTRAINT|(?:VECTOR |FULLTEXT )?INDEX) (?P<name>\w+) .*?FOR \(\w:(?P<label>\w+)\)(?P<on>[^}]*)"
)
_PROPERTY = re.compile(r"\b[a-z]\.(\w+)")
_OPTION = re.compile(r"`([\w.]+)`: ('\w+'|[\d.]+)")
_SEEN_ANEW = "EquivalentSchemaRuleAlreadyExists"


@dataclass(frozen=True, slots=True)
class Index:
    """What a statement of the schema makes: an index, or a constraint with its index of the same name."""

    name: str
    statement: str
    label: str
    properties: tuple[str, ...]
    options: tuple[tuple[str, str], ...]

    def is_made(self, row: Row) -> bool:
        """Whether a row of ``schema/indexes`` is of this index, as it is meant."""
        there: dict[str, Any] = {key.lower(): value for key, value in (row["config"] or {}).items()}
        return (
            [self.label] == row["labels"]
            and sorted(self.properties) == sorted(row["properties"])
            and all(_same(there.get(key), value) for key, value in self.options)
        )


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """The migrations there are, as (number, name of the statement), in their order."""
    found = []
    for file in files("clew.cypher").joinpath("schema").iterdir():
        if match := _MIGRATION.fullmatch(file.name):
            found.append((int(match[1]), f"schema/{match[1]}_{match[2]}"))
    return tuple(sorted(found))


@cache
def indexes() -> tuple[Index, ...]:
    """The indexes that the migrations make, as their statements say."""
    found = []
    for _, name in migrations():
        text = " ".join(statement(name).split())
        match = _MAKES.match(text)
        assert match, f"{name} makes no index"
        options = tuple((key.lower(), value.strip("'")) for key, value in _OPTION.findall(text))
        found.append(Index(match["name"], name, match["label"], tuple(_PROPERTY.findall(match["on"])), options))
    return tuple(found)


def migrate(database: Database, *, progress: bool = False, plain_labels: bool = True) -> int:
    """Apply the migrations that the database has not seen yet; returns how many, once the indexes are full.

    Safe to run from several processes at once, and again after it was cut off: each statement says IF NOT EXISTS, what
    another process makes at the same moment, which Neo4j reports all the same, is there, and a migration counts as
    applied once all of them are there as they are meant. Raises DatabaseError where the database was written by a newer
    Clew, and where a name that the schema needs is taken by something else.
    """
    applied = {row["number"] for row in database.read("schema/applied")}
    newest = migrations()[-1][0]
    if applied and max(applied) > newest:
        raise DatabaseError(
            f"The database has schema {max(applied)}, this Clew knows schema {newest}: upgrade Clew to use it."
        )
    pending = [(number, name) for number, name in migrations() if number not in applied]
    if not pending:
        leave_labels(database, all_of_them=not plain_labels)
        return 0
    old = min(applied, default=OWN_LABELS) < OWN_LABELS
    doing = "Bringing the database over to this version of Clew" if old else "Making the indexes"
    with spinner(doing, show=progress) as say:
        if old:
            _label(database)
        for _, name in pending:
            try:
                database.write(name)
            except DatabaseError as error:
                if not str(getattr(error.__cause__, "code", "")).endswith(_SEEN_ANEW):
                    raise
        await_indexes(database, lambda percent: say(f"{doing}: its indexes are built, {percent:.0f}%"))
    if taken := [wrong for wrong in wrong_indexes(database) if wrong["there"] != wrong["meant"]]:
        differences = "; ".join(f"{one['name']} is {one['there'] or 'missing'}, not {one['meant']}" for one in taken)
        raise DatabaseError(
            f"Another tool has indexes in this database where Clew's belong: {differences}. "
            "Drop those, or name another database with NEO4J_DATABASE."
        )
    if old:
        _drop_old(database)
    for number, name in pending:
        database.write("schema/record", number=number, name=name)
    leave_labels(database, all_of_them=not plain_labels)  # those of an older Clew are gone by now
    return len(pending)


def leave_labels(database: Database, *, all_of_them: bool = False) -> list[Row]:
    """Leave plain labels on which another tool has a constraint to it, or all; those constraints.

    Its constraint on ``Entity(name)``, say, is none of ``ClewEntity``: nodes are written without ``Entity`` on this
    connection, and those that have it lose it.
    """
    constraints = database.read("schema/constraints", labels=list(LABELS))
    taken = {label for row in constraints for label in row["labels"]}
    database.left |= {label for label in LABELS if all_of_them or label in taken}
    for label in database.left:
        while database.write("schema/unlabel_some", label=label, limit=BATCH)[0]["left"]:
            pass
    return constraints


def wrong_indexes(database: Database) -> list[Row]:
    """The indexes of the schema that are missing, have failed, or are not as they are meant.

    Each with its ``name``, the ``statement`` that makes it, what is ``meant``, what is ``there`` ("" for nothing, and
    what is meant of one that has failed), and whether that is a ``constraint``.
    """
    there = {row["name"]: row for row in database.read("schema/indexes")}
    found = []
    for index in indexes():
        row = there.get(index.name)
        if row is None or row["state"] == "FAILED" or not index.is_made(row):
            found.append(
                {
                    "name": index.name,
                    "statement": index.statement,
                    "meant": _described([index.label], index.properties),
                    "there": _described(row["labels"], row["properties"]) if row else "",
                    "constraint": bool(row and row["constraint"]),
                }
            )
    return found


def await_indexes(database: Database, tell: Callable[[float], None] = lambda _: None) -> None:
    """Wait until every index of the schema is full, however large the database; ``tell`` gets the percentage.

    Raises DatabaseError where they do not get on.
    """
    names = {index.name for index in indexes()}
    best, since = -1.0, time.monotonic()
    while True:
        rows = [row for row in database.read("schema/indexes") if row["name"] in names]
        if not [row for row in rows if row["state"] == "POPULATING"]:
            return
        percent = sum(row["percent"] for row in rows) / len(rows)
        if percent > best:
            best, since = percent, time.monotonic()
        elif time.monotonic() - since > STANDSTILL:
            raise DatabaseError(f"The indexes are at {percent:.0f}% and do not get on: see Neo4j's log, and try again.")
        tell(percent)
        time.sleep(_LOOK)


def make_anew(database: Database, index: Row) -> None:
    """Drop what stands under the name of one of ``wrong_indexes``, and make it as it is meant."""
    if index["there"]:
        _drop(database, index)
    database.write(index["statement"])


def _label(database: Database) -> None:
    """Give the nodes of a database of before ``OWN_LABELS`` Clew's own labels."""
    for label in LABELS:
        while database.write("schema/label_some", label=label, limit=BATCH)[0]["labelled"]:
            pass


def _drop_old(database: Database) -> None:
    """Let the indexes of before ``OWN_LABELS`` go, where they are still what Clew made of them."""
    old = {index.name.removeprefix("clew_"): index for index in indexes()}
    for row in database.read("schema/indexes"):
        index = old.get(row["name"])
        if index and row["labels"] == [index.label.removeprefix("Clew")]:
            _drop(database, row)


def _drop(database: Database, row: Row) -> None:
    database.write(f"schema/drop_{'constraint' if row['constraint'] else 'index'}", name=row["name"])


def _described(labels: list[str], properties: tuple[str, ...] | list[str]) -> str:
    return f"on :{'|'.join(labels or ['?'])}({', '.join(sorted(properties or []))})"


def _same(there: Any, meant: str) -> bool:
    """Whether an option that Neo4j tells is the one of a statement: it writes numbers and capitals its own way."""
    try:
        return float(there) == float(meant)
    except (TypeError, ValueError):
        return str(there).lower() == meant.lower()
