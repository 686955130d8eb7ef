"""JSON lines: a corpus of any size, a document for each line."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

from clew.documents.data.records import json_value, record, with_hope
from clew.documents.encoding import lines_in_utf8
from clew.documents.format import Format, Input, Plain, as_it_is
from clew.documents.parsed import Parsed, Rejected, Unreadable

_FRAME = frozenset({b"", b"[", b"]"})
"""Lines that are none of a corpus: blank ones, and what stands around a list with an object in each line."""


def read_lines(readline: Callable[[int], bytes], limit: int, plain: Plain = as_it_is) -> Iterator[Parsed | Rejected]:
    """Read a corpus in constant memory, from a stream's ``readline``.

    ``limit`` bounds the bytes of one line, not of the file; ``plain`` reads values that are markup. A broken line is
    rejected with its number. Raises Unreadable where the first lines are all broken: what follows is then no corpus,
    whatever it is.
    """
    return with_hope(_jsonl_rows(readline, limit, plain))


def _jsonl_rows(readline: Callable[[int], bytes], limit: int, plain: Plain) -> Iterator[Parsed | Rejected]:
    number = 0
    while line := readline(limit + 1):
        number += 1
        if line.strip() not in _FRAME or not line.endswith(b"\n"):
            try:
                whole = _whole(line, readline, limit)
                yield record(json_value(whole.removesuffix(b",") if whole.endswith(b"},") else whole, plain))
            except Unreadable as error:
                yield Rejected(f"Line {number}: {error}")


def _whole(line: bytes, readline: Callable[[int], bytes], limit: int) -> bytes:
    """The line without its end. Raises Unreadable where it is longer than ``limit``, its rest having been passed."""
    if len(line) > limit and not line.endswith(b"\n"):
        while (piece := readline(1 << 20)) and not piece.endswith(b"\n"):
            pass
        raise Unreadable(f"longer than {limit / 1e6:g} MB (CLEW_MAX_FILE_MB).")
    return line.rstrip()


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a corpus that is in memory already."""
    readline, _ = lines_in_utf8(io.BytesIO(source.data), source.data, source.encoding)
    return read_lines(readline, source.limit, source.plain)


FORMAT = Format(
    "jsonl",
    "JSON lines",
    "application/jsonl",
    read,
    endings=("ndjson",),
    media_types=("application/x-ndjson", "application/ndjson", "application/x-jsonlines", "application/jsonlines"),
    isolated=False,
    lines=read_lines,
)
