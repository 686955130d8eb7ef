"""How far measured work is, on a terminal or in lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from clew.reporting.terminal import plain

_LINES_EVERY = 10.0


@contextmanager
def progress_of_parts(console: Console, parts: Sequence[str], total: int) -> Iterator[Callable[[str, int], None]]:
    """Show how many of ``total`` questions each part has, with rate and time left; lines where there is no terminal.

    What a part has at its first call was done before, and does not count for the rate.
    """
    if console.is_terminal:
        with _bars(console, parts, total) as on_done:
            yield on_done
        return
    done: dict[str, int] = {}
    before: dict[str, int] = {}
    began: dict[str, float] = {}
    last = [time.monotonic()]

    def line(part: str, more: int) -> None:
        now = time.monotonic()
        done[part] = done.get(part, 0) + more
        if part not in began:
            began[part], before[part] = now, more
        if now - last[0] > _LINES_EVERY and done[part] > before[part]:
            last[0] = now
            rate = (done[part] - before[part]) / max(now - began[part], 1e-6)
            left = duration((total - done[part]) / rate)
            text = f"{plain(part)}: {done[part]:,}/{total:,} · {rate:,.1f}/s · {left} left"
            console.print(text, markup=False, highlight=False, soft_wrap=True)

    yield line


@contextmanager
def _bars(console: Console, parts: Sequence[str], total: int) -> Iterator[Callable[[str, int], None]]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def on_done(part: str, more: int) -> None:
            if part not in tasks:
                name = f"{plain(part)} ({len(tasks) + 1} of {len(parts)})" if len(parts) > 1 else plain(part)
                tasks[part] = progress.add_task(name, total=total, completed=more, rate="")
                return
            progress.update(tasks[part], advance=more)
            speed = next(task.speed for task in progress.tasks if task.id == tasks[part])
            progress.update(tasks[part], rate=f"{speed:,.1f}/s" if speed else "")

        yield on_done


def duration(seconds: float) -> str:
    """Minutes and seconds, as ``2 min 05 s``; hours and minutes of what takes long."""
    minutes, rest = divmod(round(seconds), 60)
    short = f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 90 else short
