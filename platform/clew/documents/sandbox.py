"""What a process gives up before it reads a stranger's file."""

from __future__ import annotations

import ctypes
import sys

_NEW_USER = 0x10000000
_NEW_NETWORK = 0x40000000
"""CLONE_NEWUSER and CLONE_NEWNET of Linux's <sched.h>."""


def leave_network() -> bool:
    """Go to a network of its own in which there is nothing, for good; whether the system allows that.

    Linux does, for root and wherever it lets users make namespaces; only a process with one thread may. Other systems
    have no such thing, and there the process keeps the network.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    return any(unshare(flags) == 0 for flags in (_NEW_NETWORK, _NEW_USER | _NEW_NETWORK))


def forbid_files() -> None:
    """Let this process write no file and leave no core of its memory behind."""
    import resource

    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        try:
            resource.setrlimit(limit, (0, 0))
        except (ValueError, OSError):
            continue
