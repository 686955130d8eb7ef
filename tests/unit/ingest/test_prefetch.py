"""Prefetching: order, errors and an early end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from clew.ingest.prefetch import prefetch


def alive() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "prefetch"]


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_same_items_in_the_same_order(size: int) -> None:
    assert list(prefetch(iter(range(200)), size)) == list(range(200))
    assert list(prefetch([], size)) == []
    assert list(prefetch([None, None], size)) == [None, None]
    assert alive() == []


def test_it_works_ahead_but_not_further_than_it_may() -> None:
    made: list[int] = []

    def items() -> Iterator[int]:
        for i in range(100):
            made.append(i)
            yield i

    ahead = prefetch(items(), 5)
    assert next(ahead) == 0
    deadline = time.monotonic() + 5
    while len(made) < 7 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    assert len(made) == 7  # one is with us, five wait, and one waits to be put
    assert list(ahead) == list(range(1, 100))


def test_an_error_comes_after_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    ahead = prefetch(items(), 10)
    assert next(ahead) == 1
    with pytest.raises(ValueError, match="no more"):
        next(ahead)
    assert alive() == []


def test_an_early_end_ends_the_thread_and_what_it_stands_on_although_that_is_held() -> None:
    closed = threading.Event()

    def items() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.set()

    held = items()
    ahead = prefetch(held, 2)
    assert next(ahead) == 1
    ahead.close()
    assert alive() == []
    assert closed.is_set()


def test_one_feeds_another() -> None:
    inner = prefetch(iter(range(50)), 2)
    outer = prefetch((i * i for i in inner), 2)
    assert next(outer) == 0
    outer.close()
    inner.close()
    assert alive() == []


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_one_that_is_forgotten_may_be_collected_in_its_own_thread() -> None:
    collected = threading.Event()
    forgotten = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        forgotten.wait(5)
        held.clear()  # the last reference: the consumer's end runs here
        collected.set()
        yield 2

    held = [prefetch(items(), 2)]
    assert next(held[0]) == 1
    forgotten.set()
    assert collected.wait(5)
    deadline = time.monotonic() + 5
    while alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert alive() == []
