"""Groups of one table that empty rows part on a sheet: those below the first have its heads, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import is_quantity


@dataclass(slots=True)
class Section:
    """The rows between two empty ones, each with the columns in which its cells begin."""

    rows: list[list[Cell]] = field(default_factory=list)
    starts: list[list[int]] = field(default_factory=list)

    def add(self, row: list[Cell], starts: list[int]) -> None:
        """One more row."""
        self.rows.append(row)
        self.starts.append(starts)

    def placed(self) -> list[dict[int, str]]:
        """What stands in each row, by the column in which it begins."""
        pairs = zip(self.rows, self.starts, strict=True)
        return [{at: cell.text for cell, at in zip(row, starts, strict=True) if cell.text} for row, starts in pairs]


def joined(sections: Iterable[Section]) -> Iterator[Section]:
    """The sections of a sheet, those as one of which the later have figures under the heads of the first."""
    held: Section | None = None
    for section in sections:
        if held is not None and _goes_on(held, section):
            held = Section([*_named(held), *_named(section)], [*held.starts, *section.starts])
            continue
        if held is not None:
            yield held
        held = section
    if held is not None:
        yield held


def _goes_on(above: Section, section: Section) -> bool:
    """Whether a section has no heads of its own: each of its rows has a name, and figures where those above have some.

    What stands alone before them is the name of the group.
    """
    told, rows = above.placed(), section.placed()
    heads = next((at for at, row in enumerate(told) if len(row) > 1), len(told))
    if heads + 1 >= len(told) or any(map(is_quantity, told[heads].values())):
        return False
    figures = _figures(told[heads + 1 :])
    columns = {at for row in told[heads:] for at in row}
    rows = rows[1:] if len(rows) > 1 and len(rows[0]) == 1 and min(rows[0]) == min(columns) else rows
    if len(rows) > 1 and not any(is_quantity(rows[0][at]) for at in _figures(rows[:1])):
        return False  # years may be heads
    return bool(rows) and all(
        len(row) > 1
        and min(row) == min(columns)
        and columns.issuperset(row)
        and not is_quantity(row[min(row)])
        and figures.issuperset(own := _figures([row]))
        and bool(own)
        for row in rows
    )


def _figures(rows: Iterable[dict[int, str]]) -> set[int]:
    return {at for row in rows for at, text in row.items() if is_quantity(text) or text.isdecimal()}


def _named(section: Section) -> list[list[Cell]]:
    """The rows with what names a group set off: what stands alone between the rows of a table."""
    rows = section.placed()
    begins = next((at for at, row in enumerate(rows) if len(row) > 1), 0)
    return [
        [replace(cell, head=cell.head or bool(cell.text)) for cell in row]
        if len(told) == 1 and (at > begins or at + 1 == begins == 1)
        else row
        for at, (row, told) in enumerate(zip(section.rows, rows, strict=True))
    ]
