"""Reading several files at a time, each in a child process with its limits."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from queue import SimpleQueue
from typing import TypeVar

from clew.documents.isolated import Reader

A = TypeVar("A")
B = TypeVar("B")

AT_ONCE = max(1, min(4, os.cpu_count() or 1))
"""Files that are read at a time, and child processes that do it, at most."""


def read_several(
    items: Iterable[A], load: Callable[[A, Reader], Iterable[B]], ahead: Callable[[A], bool], seconds: float
) -> Generator[tuple[A, Iterable[B]]]:
    """The items in order, each with what ``load`` makes of it; those before their turn that may be read ``ahead``.

    An item that may not is loaded by whoever consumes it, piece by piece. A child process serves one file after the
    other and has ``seconds`` for each (``Reader``); all have ended when this does.
    """
    readers = [Reader(seconds) for _ in range(AT_ONCE + 1)]
    free: SimpleQueue[Reader] = SimpleQueue()
    for reader in readers[1:]:
        free.put(reader)

    def work(item: A) -> list[B]:
        reader = free.get()
        try:
            return list(load(item, reader))
        finally:
            free.put(reader)

    pool = ThreadPoolExecutor(AT_ONCE, "clew-read")
    under_way: deque[tuple[A, Future[list[B]] | None]] = deque()
    incoming = iter(items)
    try:
        while True:
            for item in islice(incoming, 2 * AT_ONCE - len(under_way)):
                under_way.append((item, pool.submit(work, item) if ahead(item) else None))
            if not under_way:
                return
            item, future = under_way.popleft()
            yield item, future.result() if future else load(item, readers[0])
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for reader in readers:
            reader.close()
