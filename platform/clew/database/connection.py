"""The one door to Neo4j: named statements in, plain rows out, clear errors."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from clew.cypher import statement as cypher_text
from clew.database.driver import Server, explained, open_driver, without_secrets
from clew.database.server.managed import reached
from clew.database.uninterrupted import uninterrupted
from clew.errors import DatabaseError
from clew.tracing import span

if TYPE_CHECKING:
    import neo4j
    from neo4j.time import DateTime
    from neo4j.vector import Vector

    from clew.settings import Settings

Row = dict[str, Any]
T = TypeVar("T")

LANGUAGE = "CYPHER 25 "
"""What every statement begins with: SEARCH is in no older Cypher, and a server or Aura may take another by default."""

MOST_PARTS = 4
SMALLEST_PART = 4
"""Parts that a batch of queries is sent in, at most, and queries in a part, at least."""


class Tx:
    """A write transaction that is open; see ``Database.transaction``."""

    def __init__(self, tx: neo4j.ManagedTransaction, slot: str = "", left: frozenset[str] = frozenset()) -> None:
        self._tx = tx
        self._left = left
        self.slot = slot

    def run(self, statement: str, /, **params: object) -> list[Row]:
        """Run ``cypher/STATEMENT.cypher``; its rows."""
        return _rows(self._tx.run(LANGUAGE + cypher_text(statement, self.slot, self._left), _sendable(params)))


class Database:
    """An open connection to a Neo4j database. Safe to share between threads; use it as a context manager.

    In a cluster (``neo4j://``) what only reads goes to a replica and what writes to the leader. All calls on one object
    are one causal chain: each sees what those before it have written or seen, whichever server it comes to.

    Statements are the names of files under ``cypher/``. A parameter may be a one-dimensional float32 array (a vector)
    or a two-dimensional one (a list of vectors); arrays further inside a parameter go through ``as_vectors``. Every
    method raises DatabaseError where Neo4j fails, with a line that says what to do.

    ``documents`` are the ids that searches are kept to, None for all; statements know them as ``$only``. ``left`` are
    the plain labels (``Entity`` beside ``ClewEntity``) that nodes do not get, because another tool has a constraint on
    them (``schema.leave_labels``).
    """

    documents: tuple[str, ...] | None = None
    left: frozenset[str] = frozenset()

    def __init__(self, driver: neo4j.Driver, server: Server, name: str | None, timeout: float) -> None:
        self.server = server
        self.name = name
        self.slot = ""
        self._driver = driver
        self._timeout = timeout
        self._parts = min(MOST_PARTS, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(MOST_PARTS, thread_name_prefix="clew-read")
        self._pinging: Future[None] = Future()
        self._pinging.set_result(None)

    @classmethod
    def open(cls, settings: Settings, *, progress: bool = True) -> Database:
        """Connect to the server that the settings name, or to one of Clew's own, which is started where needed.

        ``progress`` shows on standard error what takes longer than a second. Raises DatabaseError where the server
        cannot be reached, refuses the password or is older than 2026.01, ServerError where none can be started.
        """
        return reached(settings, lambda server: cls._to(server, settings), progress=progress)

    @classmethod
    def _to(cls, server: Server, settings: Settings) -> Database:
        """A connection that has been heard."""
        driver, version = open_driver(server, timeout=settings.neo4j_timeout)
        name = server.database(settings.neo4j_database)
        database = cls(driver, replace(server, version=version), name, settings.neo4j_timeout)
        try:
            database.read("schema/ping")
        except BaseException:
            database.close()
            raise
        return database

    def ping(self, seconds: float = 1.0) -> None:
        """Ask Neo4j for nothing, once. Raises DatabaseError where it does not answer within so many seconds."""
        if self._pinging.done():
            self._pinging = Future()
            # A server that is stopped keeps whoever asks it: this thread is given up then, and asked again later.
            threading.Thread(target=self._ping, args=(self._pinging,), name="clew-ping", daemon=True).start()
        try:
            self._pinging.result(seconds)
        except TimeoutError as error:
            where = without_secrets(self.server.uri)
            raise DatabaseError(f"Neo4j at {where} says nothing for now: wait, or start it again.") from error

    def _ping(self, answer: Future[None]) -> None:
        try:
            with explained(self.server, doing="schema/ping"), self._driver.session(database=self.name) as session:
                session.run(LANGUAGE + cypher_text("schema/ping")).consume()
            answer.set_result(None)
        except BaseException as error:
            answer.set_exception(error)

    def at(self, slot: str) -> Database:
        """The same connection, whose statements are about the vectors in that slot (``cypher.SLOTS``)."""
        view = copy(self)
        view.slot = slot
        return view

    def read(self, statement: str, /, **params: object) -> list[Row]:
        """Run one statement that only reads; transient failures are tried again for some seconds."""
        return self._query(statement, {"only": self.documents, **params}, "r")

    def only(self, documents: Sequence[str]) -> Database:
        """This connection for searches that see nothing but these documents, by their ids."""
        view = copy(self)
        view.documents = tuple(documents)
        return view

    def read_batch(
        self, statement: str, /, batch: Mapping[str, npt.NDArray[np.float32] | Sequence[Any]], **params: object
    ) -> list[Row]:
        """``read`` for a batch of queries: the rows of what is in ``batch`` belong together, a row a query.

        Neo4j runs a statement on one core, so a large batch goes out in parts, all at once: still one round trip. Each
        row that comes back says with ``i`` which query it is for.
        """
        size = len(next(iter(batch.values())))
        parts = max(1, min(self._parts, size // SMALLEST_PART))
        if parts == 1:
            return self.read(statement, **batch, **params)
        bounds = [size * part // parts for part in range(parts + 1)]

        def read(part: int) -> list[Row]:
            first, last = bounds[part], bounds[part + 1]
            rows = self.read(statement, **{name: some[first:last] for name, some in batch.items()}, **params)
            return [{**row, "i": row["i"] + first} for row in rows]

        return [row for rows in self._pool.map(read, range(parts)) for row in rows]

    def write(self, statement: str, /, **params: object) -> list[Row]:
        """Run one statement in a write transaction of its own; transient failures are tried again for some seconds."""
        return self._query(statement, params, "w")

    def transaction(self, work: Callable[[Tx], T]) -> T:
        """Run several statements in one write transaction: all of them count, or none.

        ``work`` may be called again after a transient failure, so it must not keep what an earlier call did. What it
        raises itself rolls the transaction back and leaves unchanged.
        """
        from neo4j import unit_of_work

        name = getattr(getattr(work, "func", work), "__qualname__", "a transaction")
        name = name.partition(".<locals>")[0].strip("_").replace("_", " ")

        @unit_of_work(timeout=self._timeout)
        def run(tx: neo4j.ManagedTransaction) -> T:
            return work(Tx(tx, self.slot, self.left))

        with (
            uninterrupted(),
            explained(self.server, doing=name, timeout=self._timeout),
            self._driver.session(
                database=self.name, bookmark_manager=self._driver.execute_query_bookmark_manager
            ) as session,
        ):
            return session.execute_write(run)

    def close(self) -> None:
        """Close the connections. The server goes on."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._driver.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _query(self, statement: str, params: dict[str, Any], routing: Literal["r", "w"]) -> list[Row]:
        from neo4j import Query

        # execute_query sends BEGIN, RUN and PULL at once, which execute_read and execute_write do not.
        with (
            uninterrupted(),
            explained(self.server, doing=statement, timeout=self._timeout),
            span(statement, client=True, db__system__name="neo4j", db__query__summary=statement),
        ):
            return self._driver.execute_query(
                Query(LANGUAGE + cypher_text(statement, self.slot, self.left), timeout=self._timeout),
                _sendable(params),
                routing_=routing,
                database_=self.name,
                result_transformer_=_rows,
            )


def pages(
    read: Callable[..., list[Row]], statement: str, /, *, limit: int, by: str = "id", **params: object
) -> Iterator[list[Row]]:
    """What a statement gives, page by page in the order of ``by``; ``read`` runs it: ``Database.read``, ``Tx.run``."""
    after = ""
    while page := read(statement, after=after, limit=limit, **params):
        yield page
        after = page[-1][by]


def as_vectors(array: npt.NDArray[np.floating[Any]] | Sequence[Sequence[float]]) -> list[Vector]:
    """The rows of an (n, d) array as Neo4j's float32 vectors, of which ``toFloatList`` makes what a node stores."""
    from neo4j.vector import Vector

    return [Vector.from_numpy(row) for row in np.asarray(array, np.float32)]


def as_moment(text: str) -> DateTime:
    """A moment as Neo4j stores it, from its form in ISO 8601. Raises ValueError for any other text."""
    from neo4j.time import DateTime

    return DateTime.from_iso_format(text)


def _sendable(params: dict[str, Any]) -> dict[str, Any]:
    return {name: _vectors(value) if isinstance(value, np.ndarray) else value for name, value in params.items()}


def _vectors(array: npt.NDArray[Any]) -> Vector | list[Vector] | list[Any]:
    if array.dtype.kind != "f":
        plain: list[Any] = array.tolist()
        return plain
    return as_vectors(array[None])[0] if array.ndim == 1 else as_vectors(array)


def _rows(result: neo4j.Result) -> list[Row]:
    keys = result.keys()
    return [dict(zip(keys, record.values(), strict=True)) for record in result]
