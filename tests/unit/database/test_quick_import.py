"""The driver without pandas."""

from __future__ import annotations

import subprocess
import sys


def test_the_driver_comes_without_pandas_which_can_still_be_imported() -> None:
    code = """
import sys
from clew.database.quick_import import import_neo4j
import_neo4j()
import_neo4j()
assert "neo4j" in sys.modules and "pandas" not in sys.modules
import pandas
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})
