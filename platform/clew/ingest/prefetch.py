"""Running an iterator in a thread, some items ahead of whoever consumes it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

T = TypeVar("T")

_POLL = 0.1


def prefetch(items: Iterable[T], size: int, on_stop: Callable[[], None] | None = None) -> Generator[T]:
    """The same items in the same order, computed in a thread, at most ``size`` of them waiting.

    What the iterator raises is raised here. When the consumer stops early, for whatever reason, the thread ends too;
    ``on_stop`` is called then, to wake what the iterator may wait for. Close it where an error may keep it alive.
    """
    waiting: queue.Queue[tuple[T | None, BaseException | None, bool]] = queue.Queue(size)
    stop = threading.Event()

    def put(entry: tuple[T | None, BaseException | None, bool]) -> bool:
        while not stop.is_set():
            try:
                waiting.put(entry, timeout=_POLL)
                return True
            except queue.Full:
                continue
        return False

    def produce() -> None:
        try:
            for item in items:
                if not put((item, None, False)):
                    return
            put((None, None, True))
        except BaseException as error:
            put((None, error, True))
        finally:
            # What they stand on ends with them: a thread that encodes while Python ends would abort the process.
            if isinstance(items, Generator):
                items.close()

    thread = threading.Thread(target=produce, daemon=True, name="prefetch")
    thread.start()
    ended = False
    try:
        while True:
            item, error, last = waiting.get()
            if error is not None:
                raise error
            if last:
                ended = True
                return
            yield item  # type: ignore[misc]
    finally:
        stop.set()
        if on_stop and not ended:
            on_stop()
        if thread is not threading.current_thread():  # which may be the one that collects what nobody holds any more
            thread.join()
