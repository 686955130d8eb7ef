"""What all requests of one process share: the connection, the knowledge bases, and retrievals that go out together."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clew.errors import ClewError
from clew.knowledge_base import KnowledgeBase
from clew.serving.hosts import is_loopback
from clew.serving.tokens import Tokens
from clew.serving.warm import last_used, warm

if TYPE_CHECKING:
    from clew.agent.loop import Event
    from clew.database.connection import Database
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

_Key = tuple[str, int, str, tuple[str, ...]]


class Service:
    """Opened once a process; safe to share between threads."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings, self.database = settings, database
        self.tokens = Tokens(settings)
        self.open = is_loopback(settings.serve_host) and settings.serve_tokens == "auto"
        self.pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="clew-serve")
        self._bases: dict[str, KnowledgeBase] = {}
        self._batches: dict[_Key, _Batches] = {}
        self._asks = asyncio.Semaphore(ASKS)
        self._lock = threading.Lock()

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
        self, kb: str, queries: Sequence[str], k: int, strategy: str | None, filter: Sequence[str] = ()
    ) -> list[Retrieved]:
        """``KnowledgeBase.retrieve``, together with what others look up in the same way at the same moment."""
        key = (kb, k, strategy or self.settings.strategy, tuple(filter))
        batches = self._batches.get(key)
        if batches is None:
            batches = self._batches[key] = _Batches(self, key)
        parts = [queries[first : first + BATCH] for first in range(0, len(queries), BATCH)]
        found = await asyncio.gather(*(batches.find(part) for part in parts))
        return [one for part in found for one in part]

    async def ask(self, kb: str, question: str, **options: Any) -> AsyncIterator[Event]:
        """``KnowledgeBase.stream`` without blocking; closing the iterator stops the agent."""
        base = self.base(kb)
        async with self._asks:
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

    def close(self) -> None:
        """Close the connection; Neo4j goes on."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.database.close()


@dataclass(slots=True)
class _Batches:
    """Queries of one kind: while some are looked up, those that come meanwhile gather, and go out together next.

    One retrieval of many queries is a fraction of the work of as many retrievals, and takes one place in memory.
    """

    service: Service
    key: _Key
    waiting: list[tuple[Sequence[str], asyncio.Future[list[Retrieved]]]] = field(default_factory=list)
    running: int = 0
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def find(self, queries: Sequence[str]) -> list[Retrieved]:
        """What the queries bring. Raises what ``KnowledgeBase.retrieve`` raises."""
        future: asyncio.Future[list[Retrieved]] = asyncio.get_running_loop().create_future()
        self.waiting.append((queries, future))
        if self.running < max(1, (os.cpu_count() or 1) // 2):
            self.running += 1
            task = asyncio.create_task(self._run())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        return await future

    async def _run(self) -> None:
        try:
            while self.waiting:
                taken = [self.waiting.pop(0)]
                size = len(taken[0][0])
                while self.waiting and size + len(self.waiting[0][0]) <= BATCH:
                    taken.append(self.waiting.pop(0))
                    size += len(taken[-1][0])
                await self._look_up([one for one in taken if not one[1].done()])
        finally:
            self.running -= 1
            if not self.running and not self.waiting:
                self.service._batches.pop(self.key, None)

    async def _look_up(self, taken: list[tuple[Sequence[str], asyncio.Future[list[Retrieved]]]]) -> None:
        kb, k, strategy, filter = self.key
        queries = [query for some, _ in taken for query in some]
        loop = asyncio.get_running_loop()
        try:
            find = self.service.base(kb).retrieve
            found = await loop.run_in_executor(self.service.pool, find, queries, k, strategy, filter)
        except Exception as error:
            if len(taken) > 1:  # whose fault it is shows where each goes alone
                for one in taken:
                    await self._look_up([one])
            elif taken and not taken[0][1].done():
                taken[0][1].set_exception(error)
            return
        for some, future in taken:
            mine, found = found[: len(some)], found[len(some) :]
            if not future.done():
                future.set_result(mine)
