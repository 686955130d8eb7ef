"""Heads over several columns that nothing merges: a name, and empty places beside it that it is meant for, too."""

from __future__ import annotations

from itertools import pairwise

from clew.documents.tables.grid import Cell, Grid, text_at

_LEAST_WIDE = 2


def with_wide_heads(grid: Grid) -> tuple[str, Grid]:
    """The rows of a table, a first one that stands over groups of the columns as one of wide heads, and its title.

    It leaves places empty where the row below names each column. What it says over the first column is the title of the
    whole, as in pivot tables ("Sum of sales"). The same rows, and no title, where the first is any other row.
    """
    over, names = grid[:2]
    width = len(names)
    begins = [at for at in range(1, width) if text_at(over, at)]
    ends = [*begins[1:], width]
    is_merged = any(one is not None and one is other for one, other in pairwise(over))
    if is_merged or not begins or not all(text_at(names, at) for at in range(1, width)):
        return "", grid
    if any(end - begin < _LEAST_WIDE for begin, end in zip(begins, ends, strict=True)):
        return "", grid
    wide: list[Cell | None] = [None] * begins[0]
    for begin, end in zip(begins, ends, strict=True):
        wide += [over[begin]] * (end - begin)
    return text_at(over, 0), [wide, *grid[1:]]
