"""Neo4j's driver without pandas.

The driver imports pandas wherever it is installed, to take its types as parameters. Clew sends none, and pandas takes
longer to import than all the rest of a short command.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_lock = threading.Lock()


class _Without(MetaPathFinder):
    """Finds nothing, and hides a package from the thread that made it; other threads may import it meanwhile."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None for all but the hidden package, for which it raises ModuleNotFoundError."""
        if fullname == self._package and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def import_neo4j() -> None:
    """Import the driver, quickly; nothing where it is there already."""
    with _lock:
        if "neo4j" in sys.modules:
            return
        hidden = _Without("pandas")
        sys.meta_path.insert(0, hidden)
        try:
            import neo4j  # noqa: F401
        finally:
            sys.meta_path.remove(hidden)
