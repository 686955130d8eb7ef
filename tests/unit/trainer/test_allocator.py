"""Memory that is freed is given back."""

from __future__ import annotations

import subprocess
import sys

import pytest

HOLDS = """
import sys
import numpy
from clew.trainer.allocator import give_memory_back
if sys.argv[1] == "given":
    give_memory_back()
del [numpy.ones(25 << 20, dtype="uint8")][:]
large, small = [], []
for _ in range(20):
    large.append(numpy.ones(20 << 20, dtype="uint8"))
    small.append(numpy.ones(1 << 16, dtype="uint8"))
large.clear()
print(next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmRSS")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc and /proc are Linux's")
def test_large_arrays_between_small_ones_are_given_back_when_they_are_freed() -> None:
    held = [int(subprocess.check_output([sys.executable, "-c", HOLDS, how], text=True)) for how in ("plain", "given")]
    assert held[1] < 200 < held[0]  # MiB, of 400 that were taken
