"""The packages that training needs beyond those of Clew."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from clew.errors import InputError

COMMAND = "make install-train"
"""What installs them."""
_PACKAGES = ("trl", "peft", "datasets", "accelerate")


def missing(wanted: Sequence[str] = _PACKAGES) -> list[str]:
    """Those that are not installed."""
    return [name for name in wanted if find_spec(name) is None]


def require_packages(*wanted: str) -> None:
    """Raises InputError where some are not installed: those that are named, else all."""
    if lacking := missing(wanted or _PACKAGES):
        raise InputError(f"Training needs {', '.join(lacking)}: run `{COMMAND}` in the repository.")
