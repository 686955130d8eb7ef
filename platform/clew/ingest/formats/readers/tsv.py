"""Tables whose values are separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator

from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.parsed import Parsed, Rejected
from clew.ingest.formats.readers.csv import read_table


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a table as ``csv`` does, with tabs between its values."""
    yield from read_table(source, "\t")


FORMAT = Format("tsv", "a table (tsv)", "text/tab-separated-values", read, endings=("tab",), isolated=False)
