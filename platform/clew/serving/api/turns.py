"""Who comes next: work of many callers in turn, so that much of one does not hold up the little of another."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from starlette.requests import ClientDisconnect, Request

from clew.errors import ClewError

K = TypeVar("K")
Q = TypeVar("Q")
R = TypeVar("R")


class Places:
    """So many places at a time; those who wait for one get it in turn by caller, each caller's own in their order."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncIterator[None]:
        """Wait for a place, and keep it as long as this lasts."""
        if self.free:
            self.free -= 1
        else:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.setdefault(caller, deque()).append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._leave()
                raise
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        while self.waiting:
            caller = next(iter(self.waiting))
            turns = self.waiting.pop(caller)
            turn = turns.popleft()
            if turns:
                self.waiting[caller] = turns  # behind the others
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1


class Batches(Generic[K, Q, R]):
    """Queries that wait together and go out together: those of one kind, in turn by caller, ``size`` at most.

    One retrieval of many queries is a fraction of the work of as many retrievals. A query that nobody waits for any
    more is not looked up. ``look_up`` gets a kind and its queries; ``running`` batches go out at a time.
    """

    def __init__(self, look_up: Callable[[K, list[Q]], Awaitable[list[R]]], size: int, running: int) -> None:
        self.look_up, self.size = look_up, size
        self.places = running
        self.waiting: dict[str, dict[K, deque[tuple[Q, asyncio.Future[R]]]]] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def find(self, caller: str, kind: K, queries: Sequence[Q]) -> list[R]:
        """What each query brings. Raises what ``look_up`` raises for it."""
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[R]] = [loop.create_future() for _ in queries]
        if not futures:
            return []
        self.waiting.setdefault(caller, {}).setdefault(kind, deque()).extend(zip(queries, futures, strict=True))
        if len(self.tasks) < self.places:
            task = asyncio.create_task(self._run())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        return await asyncio.gather(*futures)  # where this is cancelled, the futures are too

    async def _run(self) -> None:
        while self.waiting:
            kind, taken = self._next()
            if taken:
                await self._answer(kind, taken)

    def _next(self) -> tuple[K, list[tuple[Q, asyncio.Future[R]]]]:
        """The next batch: of the kind that the caller whose turn it is has waited for longest."""
        caller = next(iter(self.waiting))
        kind = next(iter(self.waiting[caller]))
        taken: list[tuple[Q, asyncio.Future[R]]] = []
        callers = [one for one in self.waiting if kind in self.waiting[one]]
        served: dict[str, None] = {}
        for _ in range(self.size // min(len(self.waiting), 2)):  # where others wait, no batch is all of one caller
            for caller in callers[: max(0, self.size - len(taken))]:
                query, future = self.waiting[caller][kind].popleft()
                taken += [] if future.done() else [(query, future)]
                served[caller] = None
            callers = [one for one in callers if self.waiting[one][kind]]
        for caller in served:  # they go behind the others
            kinds = self.waiting.pop(caller)
            if not kinds[kind]:
                del kinds[kind]
            if kinds:
                self.waiting[caller] = kinds
        return kind, taken

    async def _answer(self, kind: K, taken: list[tuple[Q, asyncio.Future[R]]]) -> None:
        try:
            found = await self.look_up(kind, [query for query, _ in taken])
        except Exception as error:
            if len(taken) > 1 and not isinstance(error, ClewError):  # whose fault it is shows where each goes alone
                for one in taken:
                    await self._answer(kind, [one])
                return
            for _, future in taken:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(taken, found, strict=True):
            if not future.done():
                future.set_result(result)


async def while_there(request: Request, work: Awaitable[R]) -> R:
    """What the work gives; it is cancelled once the client has gone. Raises ClientDisconnect then."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        gone.cancel()
        task.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
