"""Ctrl-C waits for the end of a block, a second one does not, and nobody else's handler is touched."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clew.database.uninterrupted import uninterrupted


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    """Ctrl-C as a program begins with it, whatever runs the tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def held(*steps: object) -> list[object]:
    """Take the steps in a block, each ``"Ctrl-C"`` a signal and each error raised; those that were taken."""
    taken: list[object] = []
    with contextlib.suppress(KeyboardInterrupt), uninterrupted():
        for step in steps:
            if step == "Ctrl-C":
                signal.raise_signal(signal.SIGINT)
            if isinstance(step, Exception):
                raise step
            taken.append(step)
        taken.append("ended")
    return taken


def interrupted(work: Callable[[], object]) -> None:
    with uninterrupted():
        signal.raise_signal(signal.SIGINT)
        work()


def test_ctrl_c_waits_until_the_block_has_ended() -> None:
    assert held("Ctrl-C", "more") == ["Ctrl-C", "more", "ended"]
    with pytest.raises(KeyboardInterrupt):
        interrupted(lambda: None)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_it_is_raised_in_place_of_what_failed_meanwhile() -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        interrupted(Path("/no/such/file").read_text)
    assert isinstance(caught.value.__context__, OSError)


def test_a_second_one_does_not_wait() -> None:
    assert held("Ctrl-C", "more", "Ctrl-C", "never") == ["Ctrl-C", "more"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_ctrl_c_errors_and_handlers_stay_what_they_are() -> None:
    with pytest.raises(OSError, match="broken"):
        held(OSError("broken"))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_blocks_within_blocks_raise_at_the_end_of_the_outer_one() -> None:
    steps: list[object] = []
    with contextlib.suppress(KeyboardInterrupt), uninterrupted():
        steps += held("Ctrl-C")
        steps.append("outer")
    assert steps == ["Ctrl-C", "ended", "outer"]


def test_a_handler_of_the_programs_own_is_asked() -> None:
    heard = []
    signal.signal(signal.SIGINT, lambda sign, frame: heard.append(sign))
    with uninterrupted():
        signal.raise_signal(signal.SIGINT)
        assert heard == [signal.SIGINT]


def test_other_threads_leave_the_signal_to_the_main_one() -> None:
    inside: list[object] = []

    def work() -> None:
        with uninterrupted():
            inside.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert inside == [signal.default_int_handler]
