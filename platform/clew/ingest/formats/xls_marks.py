"""What values of old workbooks of Excel do not tell: which rows and columns are hidden.

The file is a stream of records, each with its kind and length ([MS-XLS] 2.1.4).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

from clew.ingest.formats.sheet_marks import SheetMarks

_SHEET, _BEGIN, _END = 0x85, 0x809, 0x0A
_ROW, _COLUMNS = 0x208, 0x7D
_FILTERED = 0x9B
_ROW_HIDDEN, _COLUMN_HIDDEN = 0x20, 0x01


def xls_marks(data: bytes) -> list[SheetMarks]:
    """What each sheet hides, in their order; none of a file that is damaged. Rows that a filter hides count as seen."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            name = next((name for name in ("Workbook", "Book") if file.exists(name)), "")
            stream = bytes(file.openstream(name).read()) if name else b""
        places = [struct.unpack_from("<I", body)[0] for kind, body in _records(stream, 0) if kind == _SHEET]
        return [_sheet(stream, place) for place in places]
    except (OSError, ValueError, IndexError, struct.error):
        return []


def _sheet(stream: bytes, place: int) -> SheetMarks:
    marks = SheetMarks()
    filtered = False
    for kind, body in _records(stream, place):
        filtered = filtered or kind == _FILTERED
        if kind == _ROW:
            (number,) = struct.unpack_from("<H", body)
            if struct.unpack_from("<H", body, 12)[0] & _ROW_HIDDEN:
                marks.rows.append(range(number, number + 1))
        elif kind == _COLUMNS:
            first, last, _, _, flags = struct.unpack_from("<5H", body)
            if flags & _COLUMN_HIDDEN:
                marks.columns.append(range(first, last + 1))
    if filtered:
        marks.rows.clear()
    return marks


def _records(stream: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """The records of one part of the stream, without those of charts within it."""
    depth = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<2H", stream, at)
        at += 4 + length
        depth += (kind == _BEGIN) - (kind == _END)
        if depth <= 0:
            return
        if depth == 1:
            yield kind, stream[at - length : at]
