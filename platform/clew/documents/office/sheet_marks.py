"""What a sheet says beside the values of its cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

HIDDEN_PARTS = "hidden rows and columns"

Place = tuple[int, int]
"""A row and a column, from 0."""


@dataclass(slots=True)
class SheetMarks:
    """Texts that replace values, and hidden rows and columns.

    ``spans`` are merged cells, each by its first and last place; None where the format's library tells them. ``boxes``
    are what is written on shapes above the cells.
    """

    written: dict[Place, str] = field(default_factory=dict)
    rows: list[range] = field(default_factory=list)
    columns: list[range] = field(default_factory=list)
    spans: list[tuple[Place, Place]] | None = None
    boxes: list[str] = field(default_factory=list)


def within(hidden: Iterable[range], first: int, last: int) -> set[int]:
    """The hidden rows or columns between two visible ones."""
    return {at for one in hidden for at in range(max(one.start, first), min(one.stop, last + 1))}
