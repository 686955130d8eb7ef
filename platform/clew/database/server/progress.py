"""What a person sees on standard error while something takes longer than a second."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_DELAY = 1.0


@contextmanager
def spinner(text: str, *, show: bool) -> Iterator[Callable[[str], None]]:
    """Show ``text`` with a spinner from the second second on; nothing where standard error is no terminal.

    What it gives changes the text.
    """
    if not show:
        yield lambda _: None
        return
    from rich.console import Console

    console = Console(stderr=True)
    status = console.status(text)
    timer = threading.Timer(_DELAY, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield status.update
    finally:
        timer.cancel()
        timer.join()
        status.stop()


@contextmanager
def byte_counter(text: str, total: int, *, show: bool) -> Iterator[Callable[[int], None]]:
    """Give a function that counts bytes; bytes, rate and time left are shown from the second second on.

    Where standard error is no terminal, one line says what is fetched.
    """
    if not show:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = bar.add_task(text, total=total)

    def begin() -> None:
        if console.is_terminal:
            bar.start()
        else:
            console.print(f"{text} ({total / 1e6:.0f} MB) …", highlight=False)

    timer = threading.Timer(_DELAY, begin)
    timer.daemon = True
    timer.start()
    try:
        yield lambda count: bar.advance(task, count)
    finally:
        timer.cancel()
        timer.join()
        if console.is_terminal:
            bar.stop()
