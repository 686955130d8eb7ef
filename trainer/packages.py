"""The packages that training needs beyond those of Clew."""

from __future__ import annotations

from importlib.util import find_spec

from clew.errors import InputError

COMMAND = "make install-train"
"""What installs them."""
_PACKAGES = ("trl", "peft", "datasets", "accelerate")


def missing() -> list[str]:
    """Those that are not installed."""
    return [name for name in _PACKAGES if find_spec(name) is None]


def require_packages() -> None:
    """Raises InputError where some are not installed."""
    if lacking := missing():
        raise InputError(f"Training needs {', '.join(lacking)}: run `{COMMAND}` in the repository.")
