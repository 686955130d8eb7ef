"""What all requests of one process share: the connection, the knowledge bases, and retrievals that go out together."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from clew.database.connection import Database
from clew.database.server.managed import status
from clew.errors import ClewError, DatabaseError
from clew.knowledge_base import KnowledgeBase
from clew.serving.api.pulse import Pulse
from clew.serving.api.turns import Batches, Places
from clew.serving.hosts import is_loopback
from clew.serving.tokens import Tokens
from clew.serving.warm import last_used, warm

if TYPE_CHECKING:
    from clew.agent.loop import Event
    from clew.settings import Settings
    from clew.types import Retrieved

BATCH = 32
"""Queries that are looked up together, at most."""
ASKS = 16
"""Questions that one process answers at a time; others wait for their turn."""
WARM_SECONDS = 60.0
"""How long a start may take for the sake of the first question."""
_THREADS = 64
_KEPT_BASES = 64

_Kind = tuple[str, int, str, tuple[str, ...]]
"""Knowledge base, how many, strategy, and filter: what queries have in common that are looked up together."""


class Service:
    """Opened once a process; safe to share between threads."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings, self.database = settings, database
        self.tokens = Tokens(settings)
        self.open = is_loopback(settings.serve_host) and settings.serve_tokens == "auto"
        self.pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="clew-serve")
        self._bases: dict[str, KnowledgeBase] = {}
        self._batches: Batches[_Kind, str, Retrieved] = Batches(
            self._look_up, BATCH, max(2, (os.cpu_count() or 1) // 2)
        )
        self._asks = Places(ASKS)
        self._lock = threading.Lock()
        self.pulse = Pulse(self._ask_neo4j)

    def base(self, name: str) -> KnowledgeBase:
        """The knowledge base of this name, which need not exist. Raises InputError for what is no name."""
        with self._lock:
            if (base := self._bases.get(name)) is None:
                base = KnowledgeBase(name, self.database, self.settings)
                while len(self._bases) >= _KEPT_BASES:
                    self._bases.pop(next(iter(self._bases)))
                self._bases[name] = base
            return base

    async def retrieve(
        self,
        kb: str,
        queries: Sequence[str],
        k: int,
        strategy: str | None,
        filter: Sequence[str] = (),
        *,
        caller: str,
    ) -> list[Retrieved]:
        """``KnowledgeBase.retrieve``, together with what others look up in the same way at the same moment."""
        kind: _Kind = (kb, k, strategy or self.settings.strategy, tuple(filter))
        return await self._batches.find(caller, kind, queries)

    async def _look_up(self, kind: _Kind, queries: list[str]) -> list[Retrieved]:
        kb, k, strategy, filter = kind
        find = self.base(kb).retrieve
        return await asyncio.get_running_loop().run_in_executor(self.pool, find, queries, k, strategy, filter)

    async def ask(self, kb: str, question: str, *, caller: str, **options: Any) -> AsyncIterator[Event]:
        """``KnowledgeBase.stream`` without blocking; closing the iterator stops the agent."""
        base = self.base(kb)
        async with self._asks.place(caller):
            async for event in base.astream(question, **options):
                yield event

    async def warm(self) -> None:
        """Make the first question as quick as the second; what takes longer than ``WARM_SECONDS`` goes on beside."""
        made = asyncio.create_task(asyncio.to_thread(self._warm))
        await asyncio.wait({made}, timeout=WARM_SECONDS)

    def _warm(self) -> None:
        with suppress(ClewError):
            for name in last_used(self.database, self.settings.kb):
                warm(self.base(name))

    def _ask_neo4j(self) -> None:
        """Ask Neo4j whether it is there; one of Clew's own may have been started again elsewhere."""
        try:
            self.database.ping()
        except DatabaseError as error:
            if isinstance(error.__cause__, TimeoutError) or not self.database.server.managed:
                raise  # one that says nothing would keep whoever looks for its status, too
            found = status(self.settings)
            if not found["running"] or found["uri"] == self.database.server.uri:
                raise
            left, self.database = self.database, Database.open(self.settings, progress=False)
            with self._lock:
                self._bases.clear()
            left.close()

    def close(self) -> None:
        """Close the connection; Neo4j goes on."""
        self.pulse.end()
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.database.close()
