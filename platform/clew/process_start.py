"""When a process began, on a clock that nobody sets."""

from __future__ import annotations

import os
from pathlib import Path

import psutil


def started(pid: int) -> float:
    """When the process began: with its number, this tells it from every other until the machine starts again.

    Seconds, on Linux since the machine started: those do not move where someone sets the clock, as psutil's would.
    Other systems note the time at the start, and keep it. Raises psutil.Error where there is no such process.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return float(psutil.Process(pid).create_time())
    # The name of the program stands in brackets, and may hold spaces and brackets itself.
    ticks = text.rpartition(")")[2].split()[19]
    return int(ticks) / os.sysconf("SC_CLK_TCK")
