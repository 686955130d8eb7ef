"""The C library's allocator, told to give the memory of freed tensors back."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Options of glibc's mallopt (malloc.h)."""
MIB = 1 << 20


def give_memory_back() -> None:
    """Let large tensors be mapped by themselves, and all threads share one heap; without glibc do nothing.

    Else a training on a CPU holds nearly twice what it uses: the backward pass runs in a thread with a heap of its own,
    and tensors below 32 MiB leave holes in both (figures in docs/log.md).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for option, value in ((_ARENA_MAX, 1), (_MMAP_THRESHOLD, 16 * MIB), (_TRIM_THRESHOLD, 64 * MIB)):
            mallopt(option, value)
