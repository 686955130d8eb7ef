"""Tables that a PDF draws with lines: which cell each piece of text stands in, however its lines wrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from clew.documents.blocks import Draft
from clew.documents.pdf.layout import Piece, Rule
from clew.documents.pdf.paths import Path
from clew.documents.pdf.rows import in_one, line_of, rows_of
from clew.documents.pdf.rtl import runs_left
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks

_MOST_RULES = 2_000
_MOST_CELLS = 5_000
_THICKEST = 3.0
_SHORTEST = 8.0
_NEAR = 3.0
"""Points by which lines that are meant to meet may miss each other."""
_ODD = 0.1
"""Share of the text of a grid that may reach over the edges of its cells, or stand in columns within one."""
_DRAWN = 0.7
"""Share of a cell's edge that must be drawn for it to be one."""


Rules = tuple[list[Rule], list[Rule]]
"""The upright lines in order, and the level ones."""


class Grid(NamedTuple):
    """The places of columns (from the left) and rows (from the top), and the lines that are drawn there."""

    xs: list[float]
    ys: list[float]
    upright: list[Rule]
    level: list[Rule]


def with_tables(rules: Rules, found: list[Piece]) -> list[Piece]:
    """The pieces of a page, those in each drawn table replaced by its lines."""
    for grid in _grids(*rules):
        left, right, top, bottom = grid.xs[0] - _NEAR, grid.xs[-1] + _NEAR, grid.ys[0] + _NEAR, grid.ys[-1] - _NEAR
        inside = [p for p in found if left <= (p.left + p.right) / 2 <= right and bottom <= _middle(p) <= top]
        if drafts := _drafts_of(_cells(grid, inside)):
            gone = set(map(id, inside))
            found = [piece for piece in found if id(piece) not in gone]
            found += _as_pieces(drafts, grid, median(piece.size for piece in inside))
    return found


def _as_pieces(drafts: Sequence[Draft], grid: Grid, size: float) -> list[Piece]:
    """The lines of a table, one below the other where it stands."""
    step = (grid.ys[0] - grid.ys[-1]) / len(drafts)
    left, right, top = grid.xs[0], grid.xs[-1], grid.ys[0]
    return [
        Piece(left, right, top - (at + 0.7) * step, min(size, step), False, text=draft.text, draft=draft)
        for at, draft in enumerate(drafts)
    ]


def rules_of(drawn: Sequence[Path]) -> Rules:
    """The upright and the level lines of what a page draws, edges of boxes among them."""
    upright: list[Rule] = []
    level: list[Rule] = []
    for left, bottom, right, top, is_box in drawn:
        wide, high = right - left, top - bottom
        if high <= _THICKEST and wide >= _SHORTEST:
            level.append(Rule((bottom + top) / 2, left, right))
        elif wide <= _THICKEST and high >= _SHORTEST:
            upright.append(Rule((left + right) / 2, bottom, top))
        elif wide >= _SHORTEST and high >= _SHORTEST and is_box:
            upright += [Rule(left, bottom, top), Rule(right, bottom, top)]
            level += [Rule(bottom, left, right), Rule(top, left, right)]
    return sorted(upright), level


def _grids(upright: list[Rule], level: list[Rule]) -> list[Grid]:
    """Lines that meet, as grids of at least two columns and two rows."""
    if not upright or not level or len(upright) + len(level) > _MOST_RULES:
        return []
    rules = [(True, rule) for rule in upright] + [(False, rule) for rule in level]
    parent = list(range(len(rules)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for a in range(len(upright)):
        for b in range(len(upright), len(rules)):
            if _meet(rules[a][1], rules[b][1]):
                parent[root(a)] = root(b)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for at, (is_upright, rule) in enumerate(rules):
        groups.setdefault(root(at), ([], []))[0 if is_upright else 1].append(rule)
    found = []
    for ups, levels in groups.values():
        xs, ys = _places(ups), _places(levels)[::-1]
        if len(xs) > 2 and len(ys) > 2 and (len(xs) - 1) * (len(ys) - 1) <= _MOST_CELLS:
            found.append(Grid(xs, ys, ups, levels))
    return found


def _meet(upright: Rule, level: Rule) -> bool:
    return (
        level.start - _NEAR <= upright.at <= level.end + _NEAR
        and upright.start - _NEAR <= level.at <= upright.end + _NEAR
    )


def _places(rules: Sequence[Rule]) -> list[float]:
    """Where lines lie, those next to each other as one, in order."""
    found: list[list[float]] = []
    for at in sorted(rule.at for rule in rules):
        if found and at - found[-1][-1] <= _NEAR:
            found[-1].append(at)
        else:
            found.append([at])
    return [sum(some) / len(some) for some in found]


def _is_drawn(rules: Sequence[Rule], at: float, start: float, end: float) -> bool:
    """Whether a line is drawn at a place from one point to another, but for a small part."""
    low, high = min(start, end), max(start, end)
    covered, reached = 0.0, low
    for rule in sorted(rule for rule in rules if abs(rule.at - at) <= 2 * _NEAR):
        a, b = max(rule.start, reached), min(rule.end, high)
        if b > a:
            covered, reached = covered + b - a, b
    return covered >= _DRAWN * (high - low)


def _cells(grid: Grid, inside: Sequence[Piece]) -> list[list[Cell]]:
    """The rows of the table in a grid; none where most of its text does not stand in cells."""
    if runs_left(inside):
        return []  # drawn from right to left, with edges that seldom meet
    spans = _spans(grid)
    cells: dict[tuple[int, int], list[Piece]] = {place: [] for place in spans}
    odd = 0
    for piece in inside:
        place, fits = _cell_of(grid, spans, piece)
        odd += not fits
        if place is None:
            return []
        cells[place].append(piece)
    filled = sum(map(bool, cells.values()))
    woven = sum(len(some) for some in cells.values() if _has_columns(some))
    if max(odd, woven) > _ODD * len(inside) or filled < 4 or filled * 3 < len(cells):
        return []  # a graph, or a frame around something else
    rows: list[list[Cell]] = [[] for _ in range(len(grid.ys) - 1)]
    for (row, column), (high, wide) in sorted(spans.items()):
        rows[row] += _parts(grid.xs[column : column + wide + 1], cells[row, column], high)
    return [row for row in rows if row]


def _parts(xs: Sequence[float], some: Sequence[Piece], high: int) -> list[Cell]:
    """A cell; as many as it has columns where the lines between its pieces are left out."""
    places = [_place(xs, piece) for piece in some]
    if high > 1 or len(set(places)) < 2 or None in places:
        return [Cell(_text(some), len(xs) - 1, high)]
    columns = range(len(xs) - 1)
    return [Cell(_text([p for p, at in zip(some, places, strict=True) if at == column])) for column in columns]


def _place(xs: Sequence[float], piece: Piece) -> int | None:
    """The column that a piece stands in; None where it reaches over the edge of one."""
    fits = (at for at, (a, b) in enumerate(pairwise(xs)) if a - _NEAR <= piece.left and piece.right <= b + _NEAR)
    return next(fits, None)


def _drafts_of(rows: Sequence[Sequence[Cell]]) -> list[Draft]:
    """The blocks of a table, each on one line."""
    drafts = (replace(draft, text=" ".join(draft.text.split())) for draft in table_blocks(rows))
    return [draft for draft in drafts if draft.text]


def _has_columns(some: Sequence[Piece]) -> bool:
    """Whether a cell holds several lines of which most are in pieces: a frame around columns or another table."""
    lines = rows_of(list(some))
    return len(lines) > 2 and sum(len(line) > 1 for line in lines) * 2 >= len(lines)


def _spans(grid: Grid) -> dict[tuple[int, int], tuple[int, int]]:
    """Each cell by its row and column, with how many rows and columns it covers."""
    taken: set[tuple[int, int]] = set()
    found = {}
    columns, rows = list(pairwise(grid.xs)), list(pairwise(grid.ys))
    for row, (top, bottom) in enumerate(rows):
        for column, (left, _) in enumerate(columns):
            if (row, column) in taken:
                continue
            wide = 1
            while column + wide < len(columns) and not _is_drawn(grid.upright, grid.xs[column + wide], bottom, top):
                wide += 1
            right = grid.xs[column + wide]
            high = 1
            while row + high < len(rows) and not _is_drawn(grid.level, grid.ys[row + high], left, right):
                high += 1
            covered = {(row + r, column + c) for r in range(high) for c in range(wide)}
            if covered & taken:
                high, covered = 1, {(row, column + c) for c in range(wide)} - taken
                wide = len(covered)
            taken |= covered
            found[row, column] = (high, wide)
    return found


def _cell_of(
    grid: Grid, spans: dict[tuple[int, int], tuple[int, int]], piece: Piece
) -> tuple[tuple[int, int] | None, bool]:
    """The cell that the middle of a piece stands in, and whether it reaches over no edge of it."""
    x = min(max((piece.left + piece.right) / 2, grid.xs[0]), grid.xs[-1])
    y = min(max(_middle(piece), grid.ys[-1]), grid.ys[0])
    for (row, column), (high, wide) in spans.items():
        left, right, top, bottom = grid.xs[column], grid.xs[column + wide], grid.ys[row], grid.ys[row + high]
        if left <= x <= right and bottom <= y <= top:
            return (row, column), left - _NEAR <= piece.left and piece.right <= right + _NEAR
    return None, False


def _middle(piece: Piece) -> float:
    return piece.y + 0.3 * piece.size


def _text(some: Sequence[Piece]) -> str:
    """The text of a cell, its lines one after the other."""
    return in_one(line_of(row).text for row in rows_of(list(some)))
