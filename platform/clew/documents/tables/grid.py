"""The grid of a table: places, and cells that cover several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.documents.blocks import Draft, text_of

_MOST_SPAN = 200
_MOST_COLUMNS = 2000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: text, columns and rows covered, and whether a head.

    ``blocks`` are what its text is made of, where a format tells: a table that lays out a page leaves them as they are.
    """

    text: str
    columns: int = 1
    rows: int = 1
    head: bool = False
    blocks: tuple[Draft, ...] = ()

    @classmethod
    def of(cls, blocks: Iterable[Draft], columns: int = 1, rows: int = 1, *, head: bool = False) -> Cell:
        """A cell that holds these blocks."""
        held = tuple(one for one in blocks if one.text.strip())
        return cls(text_of(held), columns, rows, head, held)

    @property
    def is_part(self) -> bool:
        """Whether it holds a heading with text under it."""
        kinds = [one.kind for one in self.blocks]
        return "heading" in kinds and kinds[-1] != "heading"


Grid = list[list[Cell | None]]
"""Each place of a table with the cell that covers it; the same object where a cell covers several."""


def count_of(written: str | None, default: int = 1) -> int:
    """A count as a file writes it, else ``default``."""
    return int(written) if written and written.isascii() and written.isdecimal() and len(written) < 5 else default


def spread(rows: Sequence[Sequence[Cell]]) -> Grid:
    """Every place of a table with the cell that covers it."""
    grid: Grid = [[] for _ in rows]
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            here = grid[number]
            while column < len(here) and here[column] is not None:
                column += 1
            columns = max(1, min(cell.columns, _MOST_SPAN, _MOST_COLUMNS - column))
            last = min(number + max(1, min(cell.rows, _MOST_SPAN)), len(rows))
            for covered in grid[number:last]:
                covered.extend([None] * (column + columns - len(covered)))
                for place in range(column, column + columns):
                    covered[place] = covered[place] or cell
            column += columns
    return grid


def is_whole(row: Sequence[Cell | None], width: int) -> bool:
    """Whether a row is one cell over the whole table."""
    return width > 1 and len(row) == width and row[0] is not None and all(cell is row[0] for cell in row)


def texts_of(row: Sequence[Cell | None], width: int) -> tuple[str, ...]:
    """The texts of a row, each merged cell once."""
    once = [cell if at == 0 or cell is not row[at - 1] else None for at, cell in enumerate(row)]
    return tuple(text_at(once, at) for at in range(width))


def text_at(row: Sequence[Cell | None], column: int) -> str:
    """What stands in a place of a row, on one line."""
    cell = row[column] if column < len(row) else None
    return " ".join(cell.text.split()) if cell else ""
