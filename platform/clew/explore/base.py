"""What exploring needs of a knowledge base."""

from __future__ import annotations

from typing import Protocol

from clew.database.connection import Database
from clew.embedding import Embedder


class Base(Protocol):
    """A name, a connection, and an encoder that is loaded where it is asked for."""

    name: str
    database: Database

    @property
    def embedder(self) -> Embedder: ...
