"""A kept run as one HTML page."""

from __future__ import annotations

from pathlib import Path

from clew.errors import InputError
from clew.evaluation.runs import Run


def write_report(run: Run, page: Path) -> Path:
    """Write the page."""
    raise InputError(f"The run {run.name} has no page yet; its figures are in {run.folder}.")
