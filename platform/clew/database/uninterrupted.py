"""Ctrl-C beside the driver, never inside it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back a Ctrl-C until the block has ended, and raise KeyboardInterrupt then; a second one does not wait.

    Python raises KeyboardInterrupt between any two steps of the main thread. Within the driver that leaves a connection
    in a state nobody expects: the interrupt then becomes another error, a minute of silence, or nothing at all. A
    program that handles Ctrl-C in its own way keeps it, and so does every thread but the main one.
    """
    plain = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not plain:
        yield
        return
    pressed = False

    def hold(sign: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            plain(sign, frame)
        pressed = True

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, plain)
        if pressed:
            raise KeyboardInterrupt
