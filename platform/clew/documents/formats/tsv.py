"""Tables whose values are separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator

from clew.documents.format import Format, Input
from clew.documents.formats.csv import read_table
from clew.documents.parsed import Parsed, Rejected


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a table as ``csv`` does, with tabs between its values."""
    yield from read_table(source, "\t")


FORMAT = Format("tsv", "a table (tsv)", "text/tab-separated-values", read, endings=("tab",), isolated=False)
