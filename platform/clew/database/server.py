"""The Neo4j server that Clew runs for itself, or the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.database.driver import Server
from clew.errors import ServerError, SettingsError

if TYPE_CHECKING:
    from clew.settings import Settings


def ensure_server(settings: Settings, *, progress: bool = True) -> Server:
    """The server that the settings name, else the managed one, started where needed."""
    if settings.neo4j_uri:
        return _external(settings)
    raise ServerError("The managed server is not written yet: set NEO4J_URI.")


def _external(settings: Settings) -> Server:
    if settings.neo4j_password is None:
        raise SettingsError(f"NEO4J_URI is set ({settings.neo4j_uri}) and NEO4J_PASSWORD is not: set it, too.")
    return Server(
        uri=settings.neo4j_uri or "",
        username=settings.neo4j_username,
        password=settings.neo4j_password.get_secret_value(),
    )


def down(settings: Settings) -> bool:
    """Stop the managed server; false where none ran."""
    return False
