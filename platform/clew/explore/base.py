"""What exploring needs of a knowledge base."""

from __future__ import annotations

from typing import Protocol

from clew.database.connection import Database
from clew.embedding import Embedder


class Base(Protocol):
    """A name, a connection, and an encoder with the connection whose statements are about its vectors."""

    name: str
    database: Database

    def encoder(self) -> tuple[Embedder, Database]: ...
