"""Python processes that Clew starts: they run what is installed, never what lies in the current directory.

``python -m`` puts the current directory in front of everything else, so that a ``json.py`` among the documents would be
run. ``-P`` leaves it out, and the variable does so for whatever these processes start in turn.
"""

from __future__ import annotations

import os
import sys

SAFE_PATH = "PYTHONSAFEPATH"


def python_module(name: str, *words: str) -> list[str]:
    """The command line that runs an installed module with these arguments."""
    return [sys.executable, "-P", "-m", name, *words]


def keep_current_folder_out() -> None:
    """See to it that no Python process which this one starts, or a library for it, imports from its folder."""
    os.environ[SAFE_PATH] = "1"
