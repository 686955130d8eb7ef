"""Spreadsheets: a line for each row, a heading for each sheet."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from clew.documents.blocks import Draft, Layout
from clew.documents.format import Format, Input
from clew.documents.marks import left_out
from clew.documents.metadata import add_author, tags_of
from clew.documents.office.number_formats import decimal
from clew.documents.office.ods_marks import ods_marks
from clew.documents.office.sheet_marks import HIDDEN_PARTS, Place, SheetMarks, within
from clew.documents.office.xlsx_marks import xlsx_marks
from clew.documents.package import (
    OLE,
    check_package,
    in_transitional,
    media_type_within,
    opened,
    part,
    properties_of_meta,
    with_media_type,
    xml_root,
)
from clew.documents.parsed import Parsed, Unreadable, by_itself, headline, meant_title, title_of_name
from clew.documents.tables.grid import Cell
from clew.documents.tables.sections import Placed, heads_with_rows, section_blocks
from clew.text.normalise import normalise, one_line
from clew.types import SHEET, Json

_BOOK = "Workbook".encode("utf-16-le")
_MOST_SPAN = 200
_NUMBERED = re.compile(r"[^\W\d_]+\.? [\d.]+[a-z]?")
_OF_TABLES = frozenset({"row", "pair", "table"})
_UNNAMED = ("sheet", "tabelle", "feuil", "hoja", "blad", "ark", "arkusz", "лист", "foglio", "planilha")


def read(source: Input) -> Iterator[Parsed]:
    """Read a workbook (xlsx, xls, xlsb, ods), sheet by sheet.

    Formulas give their last result. Hidden sheets, rows and columns and what is struck are left out. Raises Unreadable
    where it is damaged or has more than ``limit`` characters.
    """
    import python_calamine

    if source.data.startswith(b"PK"):
        check_package(source.data, source.limit, declarations=True)
        is_open = bool(media_type_within(source.data))
        source = replace(source, data=(with_media_type if is_open else in_transitional)(source.data))
    book = opened(python_calamine.CalamineWorkbook.from_filelike, source.data, "spreadsheet")
    visible, of_cells = python_calamine.SheetVisibleEnum.Visible, python_calamine.SheetTypeEnum.WorkSheet
    hidden = {sheet.name for sheet in book.sheets_metadata if sheet.visible != visible}
    shown = [sheet.name for sheet in book.sheets_metadata if sheet.visible == visible and sheet.typ == of_cells]
    counts: Counter[str] = Counter()
    lost: list[str] = []
    metadata: Json = {}
    marks: dict[str, SheetMarks] = {}
    with by_itself("formats and notes of the cells", lost):
        metadata, marks = _beside_values(source, counts)
    layout = Layout()
    named = len(shown) > 1 and not all(name.lower().startswith(_UNNAMED) for name in shown)
    for name in shown:
        blocks: list[Draft] = []
        with by_itself(f"the sheet {name}", lost):
            beside = marks.get(name) or SheetMarks()
            blocks = _blocks(book.get_sheet_by_name(name), beside, counts) + [Draft(text) for text in beside.boxes]
        if blocks and named:
            blocks.insert(0, Draft(one_line(normalise(name)), "heading", SHEET))
        layout.add_page(blocks)
        if layout.size > source.limit:
            raise Unreadable(f"It unpacks to more than {source.limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
        source.tick()
    if lost and not layout.size:
        raise Unreadable(lost[0])
    counts["hidden sheets"] = len(hidden)
    title = metadata.pop("title", "") or _title_above(layout) or title_of_name(source.name)
    add_author(layout, metadata)
    lost += left_out(counts)
    yield Parsed(title, layout.text, notes=tuple(lost), metadata=metadata, blocks=tuple(layout.blocks))


def _title_above(layout: Layout) -> str:
    """The line above the table of a workbook that fills one sheet, which says what it is; "" for any other.

    Of several sheets, or tables with titles of their own, the name of the file is that of all. A number ("Table 2") is
    given with the line below it.
    """
    sheets = sum(start < end for start, end in pairwise([*layout.pages, layout.size]))
    kinds = [block.kind for block in layout.blocks]
    table = next((at for at, kind in enumerate(kinds) if kind in _OF_TABLES), 0)
    is_one = sheets == 1 and table and "caption" not in kinds[table:]
    if not is_one or kinds[0] not in {"caption", "paragraph"}:
        return ""
    first = headline(layout.text)
    if ":" in first or not any(map(str.isalpha, first)):
        return ""  # a label with its value, or a day
    below = headline(layout.text[layout.blocks[1].start :]) if table > 1 and _NUMBERED.fullmatch(first) else ""
    return f"{first}: {below}" if below else first


def _beside_values(source: Input, counts: Counter[str]) -> tuple[Json, dict[str, SheetMarks]]:
    """What a workbook of Office says of itself, and by the name of a sheet what changes what its cells say."""
    if not source.data.startswith(b"PK"):
        return {}, {}
    with zipfile.ZipFile(io.BytesIO(source.data)) as package:
        properties = xml_root(part(package, "docProps/core.xml"))
        content = part(package, "content.xml")
        if content:
            return properties_of_meta(xml_root(part(package, "meta.xml"))), ods_marks(content, counts)
        marks = xlsx_marks(package, counts)
    found: Json = {}
    for name, key in {"title": "title", "creator": "author", "created": "created", "keywords": "tags"}.items():
        element = None if properties is None else properties.find(f"{{*}}{name}")
        if element is not None and (value := meant_title(normalise(element.text or ""))):
            found[key] = value[:10] if key == "created" else value
    if tags := found.get("tags"):
        found["tags"] = tags_of(tags)
    return found, marks


def _blocks(sheet: Any, marks: SheetMarks, counts: Counter[str]) -> list[Draft]:
    """A sheet's tables, which empty rows part: title lines, then a line for each row."""
    merged = (sheet.merged_cell_ranges or ()) if marks.spans is None else marks.spans
    spans = {start: (end[0] - start[0] + 1, end[1] - start[1] + 1) for start, end in merged}
    first_row, first_column = sheet.start or (0, 0)
    last_row, last_column = sheet.end or (-1, -1)
    covered = _covered(spans, last_row, last_column)
    rows, columns = within(marks.rows, first_row, last_row), within(marks.columns, first_column, last_column)
    counts[HIDDEN_PARTS] += len(rows) + len(columns)
    sections: list[list[Placed]] = [[]]
    for number, values in enumerate([*sheet.to_python(), []], first_row):
        row: Placed = []
        for column, value in enumerate(values, first_column):
            if (number, column) not in covered:
                height, width = spans.get((number, column), (1, 1))
                is_hidden = number in rows or columns.issuperset(range(column, column + min(width, _MOST_SPAN)))
                text = "" if is_hidden else _cell_text(value, marks, (number, column))
                row.append((column, Cell(text, width, height)))
        places = {(number, column) for column in range(first_column, first_column + len(values))}
        if any(cell.text for _, cell in row):
            sections[-1].append(row)
        elif sections[-1] and number not in rows and places.isdisjoint(marks.written) and places.isdisjoint(covered):
            sections.append([])  # a row that is struck or hidden ends no table
    return [block for section in heads_with_rows(sections) for block in section_blocks(_within_use(section))]


def _covered(spans: dict[Place, tuple[int, int]], last_row: int, last_column: int) -> set[Place]:
    """The places that merged cells cover besides their first."""
    return {
        (row, column)
        for (top, left), (height, width) in spans.items()
        for row in range(top, min(top + min(height, _MOST_SPAN), last_row + 1))
        for column in range(left, min(left + min(width, _MOST_SPAN), last_column + 1))
        if (row, column) != (top, left)
    }


def _within_use(section: list[Placed]) -> list[list[Cell]]:
    """A table whose cells reach no further than the last column in which one begins that says something."""
    last = max(column for row in section for column, cell in row if cell.text)
    return [
        [
            replace(cell, columns=min(cell.columns, max(1, last - column + 1))) if cell.columns > 1 else cell
            for column, cell in row
        ]
        for row in section
    ]


def _cell_text(value: object, marks: SheetMarks, place: Place) -> str:
    """What a cell that is seen says: what is written there, else its value."""
    return marks.written[place] if place in marks.written else _shown(value)


def _shown(value: object) -> str:
    """A value as a person reads it: no ".0" behind a whole number, no time of day where there is none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else decimal(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, time):
        return value.isoformat("auto" if value.second or value.microsecond else "minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _hours(value)
    return str(value) if isinstance(value, int) else str(value).strip()


def _hours(value: timedelta) -> str:
    """A span of time in hours, as sheets of hours show it: "36:00", not "1 day, 12:00:00"."""
    minutes, seconds = divmod(round(abs(value).total_seconds()), 60)
    tail = f":{seconds:02d}" if seconds else ""
    return f"{'-' * (value < timedelta())}{minutes // 60}:{minutes % 60:02d}{tail}"


def _is_spreadsheet(data: bytes) -> bool:
    if data.startswith(OLE):
        return _BOOK in data
    if data.startswith(b"PK\x03\x04") and b"xl/workbook" in data:
        return True
    return media_type_within(data).startswith("application/vnd.oasis.opendocument.spreadsheet")


FORMAT = Format(
    "xlsx",
    "a spreadsheet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    read,
    endings=("xlsm", "xlsb", "xls", "ods"),
    media_types=(
        "application/vnd.ms-excel",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.oasis.opendocument.spreadsheet",
    ),
    recognise=_is_spreadsheet,
)
