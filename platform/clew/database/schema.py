"""The schema of the graph, as numbered migrations that are each applied once."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from clew.database.connection import Database
from clew.errors import DatabaseError

_MIGRATION = re.compile(r"(\d{4})_(\w+)\.cypher")


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """The migrations there are, as (number, name of the statement), in their order."""
    found = []
    for file in files("clew.cypher").joinpath("schema").iterdir():
        if match := _MIGRATION.fullmatch(file.name):
            found.append((int(match[1]), f"schema/{match[1]}_{match[2]}"))
    return tuple(sorted(found))


def migrate(database: Database) -> int:
    """Apply the migrations that the database has not seen yet; returns how many.

    Safe to run from several processes at once: each statement says IF NOT EXISTS, and what another process makes at
    the same moment, which Neo4j reports all the same, is there. Raises DatabaseError where the database was written by
    a newer Clew.
    """
    applied = {row["number"] for row in database.read("schema/applied")}
    newest = migrations()[-1][0]
    if applied and max(applied) > newest:
        raise DatabaseError(
            f"The database has schema {max(applied)}, this Clew knows schema {newest}: upgrade Clew to use it."
        )
    pending = [(number, name) for number, name in migrations() if number not in applied]
    for number, name in pending:
        try:
            database.write(name)
        except DatabaseError as error:
            if not str(getattr(error.__cause__, "code", "")).endswith("EquivalentSchemaRuleAlreadyExists"):
                raise
        database.write("schema/record", number=number, name=name)
    if pending:
        database.read("schema/await_indexes", seconds=60)
    return len(pending)
