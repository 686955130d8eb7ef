"""Hidden rows and columns, and number formats of old workbooks.

The file is a stream of records, each with its kind and length ([MS-XLS] 2.1.4).
"""

from __future__ import annotations

import io
import struct
from collections import Counter
from collections.abc import Iterator

from clew.documents.marks import STRUCK
from clew.documents.office.number_formats import BUILT_IN, NumberFormat, number_format
from clew.documents.office.sheet_marks import SheetMarks

_SHEET, _BEGIN, _END = 0x85, 0x809, 0x0A
_VERSION = 0x600
"""That of Excel 97 and later; older ones write texts in another way."""
_ROW, _COLUMNS = 0x208, 0x7D
_FILTERED = 0x9B
_FORMAT, _CELL_FORMAT, _FONT = 0x41E, 0xE0, 0x31
_FONT_STRUCK = 0x08
_NO_FONT = 4
"""The number that no font has."""
_NUMBER, _SHORT_NUMBER, _SHORT_NUMBERS, _FORMULA = 0x203, 0x27E, 0xBD, 0x06
_TEXT, _SHARED_TEXT = 0x204, 0xFD
_CELLS = frozenset({_NUMBER, _SHORT_NUMBER, _SHORT_NUMBERS, _FORMULA, _TEXT, _SHARED_TEXT})
_ROW_HIDDEN, _COLUMN_HIDDEN = 0x20, 0x01


def xls_marks(data: bytes, counts: Counter[str] | None = None) -> list[SheetMarks]:
    """By sheet, what it hides and how it shows numbers.

    Rows that a filter hides count as seen; cells that are struck are counted.
    """
    import olefile

    counts = Counter() if counts is None else counts
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            name = next((name for name in ("Workbook", "Book") if file.exists(name)), "")
            stream = bytes(file.openstream(name).read()) if name else b""
        places = [struct.unpack_from("<I", body)[0] for kind, body in _records(stream, 0) if kind == _SHEET]
        formats = _formats(stream)
        return [_sheet(stream, place, formats, counts) for place in places]
    except (OSError, ValueError, IndexError, struct.error):
        return []


def _formats(stream: bytes) -> dict[int, NumberFormat | str]:
    """By the number of a format of cells, how it shows numbers where that says more, or that it strikes them."""
    if struct.unpack_from("<H", stream, 4)[0] != _VERSION:
        return {}
    codes = dict(BUILT_IN)
    numbers: list[tuple[int, int]] = []
    fonts: list[bool] = []
    for kind, body in _records(stream, 0):
        if kind == _FORMAT:
            number, length, flags = struct.unpack_from("<2HB", body)
            codes[number] = body[5:].decode("utf-16-le" if flags & 1 else "latin-1", "replace")[:length]
        elif kind == _CELL_FORMAT:
            numbers.append(struct.unpack_from("<2H", body))
        elif kind == _FONT:
            fonts += [False] * (len(fonts) == _NO_FONT)
            fonts.append(bool(struct.unpack_from("<H", body, 2)[0] & _FONT_STRUCK))
    forms = {number: number_format(code) for number, code in codes.items()}
    found: dict[int, NumberFormat | str] = {}
    for at, (font, number) in enumerate(numbers):
        if font < len(fonts) and fonts[font]:
            found[at] = STRUCK
        elif shown := forms.get(number):
            found[at] = shown
    return found


def _sheet(stream: bytes, place: int, formats: dict[int, NumberFormat | str], counts: Counter[str]) -> SheetMarks:
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
        elif kind in _CELLS and formats:
            row, column = struct.unpack_from("<2H", body)
            size = 6 if kind == _SHORT_NUMBERS else len(body)
            for at in range(4, len(body) - 2, size):
                (number,) = struct.unpack_from("<H", body, at)
                form = formats.get(number)
                if isinstance(form, str):
                    marks.written[row, column + (at - 4) // size] = ""
                    counts[STRUCK] += 1
                elif form:
                    marks.formats[row, column + (at - 4) // size] = form
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
