"""Tables right below each other on a sheet, without an empty row: the heads of the next stand among the rows."""

from __future__ import annotations

from collections.abc import Sequence

from clew.documents.tables.grid import Cell, spread
from clew.documents.tables.parts import Line, line_of
from clew.documents.tables.rows import LONGEST_HEAD, is_quantity

_LEAST_HEADS = 2
_LEAST_ROWS = 2
_LEAST_APART = 2
"""Columns of figures that a row of names interrupts, from which nothing else need tell that they are heads."""


def stacked(rows: list[list[Cell]]) -> list[list[list[Cell]]]:
    """The tables that stand below each other in rows without an empty one, each with its title; [rows] for one table.

    The next one begins where names, each of its own, stand above figures and below others, which no row of data has:
    where they repeat a head of the first, interrupt several columns, or have a title as the first has one.
    """
    grid = spread(rows)
    width = max(map(len, grid), default=0)
    lines = [line_of(row, width) for row in grid]
    heads = next((at for at, line in enumerate(lines) if len(_filled(line)) >= _LEAST_HEADS), len(lines))
    if heads + 2 >= len(lines) or not _are_names(lines[heads], years=True):
        return [rows]
    cuts = [0]
    for at in range(heads + 2, len(lines) - 1):
        if any(cell is not None and cell is above for cell, above in zip(grid[at], grid[at - 1], strict=False)):
            continue  # a label of several rows
        titled = lines[at - 1].is_alone
        above = lines[heads + 1 : at - titled]
        if above and _begins(lines[heads], above, lines[at], lines[at + 1 :], titled=titled and heads > cuts[-1]):
            cuts.append(at - titled)
            heads = at
    return [rows[start:end] for start, end in zip(cuts, [*cuts[1:], len(rows)], strict=True)]


def is_headed(rows: list[list[Cell]], above: list[list[Cell]]) -> bool:
    """Whether rows that may go on with those ``above`` begin with heads of their own: names amid figures."""
    grids = [spread(some) for some in (above, rows)]
    width = max(len(row) for grid in grids for row in grid)
    before, (line, *below) = ([line_of(row, width) for row in grid] for grid in grids)
    return _are_names(line) and any(_are_figures(before[1:], at) and _are_figures(below, at) for at in _filled(line))


def _begins(heads: Line, above: Sequence[Line], line: Line, below: Sequence[Line], *, titled: bool) -> bool:
    """Whether a line is the heads of another table than the one with these ``heads``, whose rows stand ``above`` it."""
    if not _are_names(line) or line.texts == heads.texts:
        return False
    places = _filled(line)
    under = next((at for at, other in enumerate(below) if other.is_alone or _are_names(other)), len(below))
    rows = below[:under]
    if not rows or any(not _filled(row) <= places for row in rows):
        return False
    apart = [at for at in places if _are_figures(above, at)]
    named = [at for at in places if _are_figures(rows, at)]
    if not apart or not named:
        return False
    if titled or not {heads.texts[at] for at in _filled(heads)}.isdisjoint(line.texts[at] for at in places):
        return True
    interrupts = len(set(apart) & set(named)) >= _LEAST_APART and min(len(above), len(rows)) >= _LEAST_ROWS
    return interrupts and all(line.texts[at][0].isupper() for at in places)  # "none" and "on request" are values


def _filled(line: Line) -> set[int]:
    return {at for at, text in enumerate(line.texts) if text}


def _are_names(line: Line, *, years: bool = False) -> bool:
    """Whether a row holds several short texts, each of its own, and no figures, but for ``years``."""
    texts = [text for text in line.texts if text]
    if len(texts) < _LEAST_HEADS or len(set(texts)) < len(texts) or max(map(len, texts)) > LONGEST_HEAD:
        return False
    return not any(is_quantity(text) or not (years or any(map(str.isalpha, text))) for text in texts)


def _are_figures(rows: Sequence[Line], at: int) -> bool:
    """Whether a column holds figures and nothing else."""
    texts = [row.texts[at] for row in rows if row.texts[at]]
    return bool(texts) and all(is_quantity(text) or text.isdecimal() for text in texts)
