"""Labels that a table writes once for several rows: the places below, which stay empty, say the same."""

from __future__ import annotations

from collections.abc import Sequence

from clew.documents.tables.grid import Grid
from clew.documents.tables.parts import Line

_LEAST_LABELS = 2


def with_labels(rows: Grid, lines: Sequence[Line]) -> Grid:
    """The rows, told as ``lines``, with the labels that are written once for several of them."""
    filled = [list(row) for row in rows]
    for column, sources in enumerate(_repeated(lines)):
        for row, source in zip(filled, sources, strict=True):
            row[column] = rows[source][column]
    return filled


def _repeated(lines: Sequence[Line]) -> list[list[int]]:
    """For the first columns that are so, for each row the one whose label it repeats, itself where it has its own.

    The second column is looked at where the first is so. Of a column that is so the first row has a label, no other is
    the same, at least as many places are empty, and what has no label has something in the next two columns.
    """
    if any(line.whole or line.is_alone for line in lines):
        return []
    labels = [line.texts[0] for line in lines if line.texts[0]]
    if len(set(labels)) < len(labels) or any(label[0].isdigit() for label in labels):
        return []
    first = _of_column(lines, 0, [False] * len(lines))
    second = _of_column(lines, 1, [bool(line.texts[0]) for line in lines]) if first else []
    return [column for column in (first, second) if column]


def _of_column(lines: Sequence[Line], column: int, begins: Sequence[bool]) -> list[int]:
    """The same of one column; where a row ``begins`` what stands before the column, it repeats nothing."""
    found: list[int] = []
    labels = empty = 0
    for at, line in enumerate(lines):
        label, beside = line.texts[column], any(line.texts[column + 1 : column + 3])
        labels += bool(label and line.texts[column + 1])  # a sum has a label, and nothing beside it
        empty += not label
        if not (label or beside or begins[at]) or not (label or found):
            return []
        found.append(at if label or begins[at] else found[-1])
    return found if _LEAST_LABELS <= labels <= empty else []
