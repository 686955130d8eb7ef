"""Going over to the Neo4j and the schema of this Clew, with a copy of what was there before."""

from __future__ import annotations

from dataclasses import dataclass

from clew.database.connection import Database
from clew.database.schema import migrate
from clew.database.server import managed
from clew.database.server.home import Home
from clew.database.server.jars import neo4j_version
from clew.database.server.upgrade import drop, kept, wrote
from clew.operations.check import check_server
from clew.settings import Settings


@dataclass(frozen=True, slots=True)
class Upgraded:
    """Versions of Neo4j ``before`` ("" where there were no data, or it is not known) and ``after``; what else was done.

    ``migrations`` is how many changes of the schema were made, ``copies`` where data of before are kept, ``clean``
    whether nothing was found wrong afterwards.
    """

    before: str
    after: str
    migrations: int
    copies: tuple[str, ...]
    clean: bool


def upgrade(settings: Settings, *, progress: bool = False) -> Upgraded:
    """Start the Neo4j of this Clew on the data, whatever runs now, and bring the schema over.

    Of a server that the settings name, only the schema is Clew's. Raises ServerError where it does not start; the data
    are then as they were.
    """
    home = Home.of(settings)
    before = "" if settings.neo4j_uri else wrote(home)
    running = home.read_state()
    if not settings.neo4j_uri and running is not None and running.version != neo4j_version():
        managed.down(settings)
    with Database.open(settings, progress=progress) as database:
        migrations = migrate(database, progress=progress)
        clean = check_server(database).clean
        after = database.server.version or ""
    return Upgraded(before, after, migrations, copies(settings), clean)


def copies(settings: Settings) -> tuple[str, ...]:
    """Where data of before an upgrade are kept."""
    return () if settings.neo4j_uri else tuple(map(str, kept(Home.of(settings))))


def drop_copies(settings: Settings) -> int:
    """Delete them; returns the bytes that were freed."""
    return 0 if settings.neo4j_uri else drop(Home.of(settings))
