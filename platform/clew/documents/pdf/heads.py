"""The heads of a table of a PDF: which rows they are, and which columns each stands over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import mean

from clew.documents.pdf.layout import Piece, Rule
from clew.documents.pdf.rows import in_one
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import is_quantity

_MOST_HEADS = 6
_MOSTLY = 0.6
"""Share of the rows below heads of several lines that hold figures, at least."""
_FIGURE = re.compile(
    r"[^\w\s]{0,3}\s?[+\-−–]?\d[\d\s.,'’/:–-]*(?:\s?[%‰€$£¥*†‡a-e]{1,2})?\)?(?:\s?\(.*\))?|[-–—*†.…]{1,5}|n/?a|\(x\)",
    re.IGNORECASE,
)
"""A cell that holds a figure, or what stands for none."""
_YEARS = re.compile(r"(?:FY ?)?(?:1[0-9]|20|21)\d\d(?:[/–-]\d{2,4})?|\d{2}/\d{2}")

Column = tuple[float, float]
Row = Sequence[Piece]
Span = tuple[int, int]


def head_rows(rows: Sequence[Row], columns: Sequence[Column], level: Sequence[Rule]) -> int | None:
    """How many rows at the top are heads; None where nothing tells.

    A rule below them tells it, bold letters, or figures that stand in the rows below and not in them.
    """
    most = min(_MOST_HEADS, len(rows) - 1)
    ruled = next((at for at in range(1, most + 1) if _is_ruled(rows[at - 1], rows[at], columns, level)), 0)
    bold = _leading([all(piece.bold for piece in row) for row in rows])
    has_figures = [_has_figures(row, columns) for row in rows]
    counted = _leading([not has for has in has_figures])
    if counted > 1 and (len(rows) <= 2 * counted or mean(has_figures[counted:]) < _MOSTLY):
        counted = 0  # rows of words, not heads of several lines
    for count in (ruled, bold, counted):
        if 0 < count <= most and any(len(row) > 1 for row in rows[:count]) and sum(has_figures[:count]) <= 1:
            return count  # one of them may be years or running numbers
    return None


def _leading(flags: Sequence[bool]) -> int:
    return next((at for at, flag in enumerate(flags) if not flag), 0)


def is_figure(text: str) -> bool:
    """Whether a cell holds a figure, or what stands for none ("–", "NA")."""
    return bool(_FIGURE.fullmatch(text) or is_quantity(text))


def _has_figures(row: Row, columns: Sequence[Column]) -> bool:
    own = [piece.text for piece in row if piece.left > columns[0][1]] or [piece.text for piece in row[1:]]
    figures = sum(is_figure(text) and not _YEARS.fullmatch(text) for text in own)
    return bool(own) and 2 * figures >= len(own)


def _is_ruled(above: Row, below: Row, columns: Sequence[Column], level: Sequence[Rule]) -> bool:
    """Whether a rule parts two rows, from the first column to the last."""
    top, bottom = min(piece.y for piece in above), max(piece.y + 0.4 * piece.size for piece in below)
    on = [rule for rule in level if bottom < rule.at < top + 0.1 * above[0].size]
    size = above[0].size
    if not on or min(rule.start for rule in on) > columns[0][0] + size:
        return False
    wide = columns[-1][1] - columns[0][0]
    covered = sum(rule.end - rule.start for rule in on)
    return covered > 0.7 * wide and max(rule.end for rule in on) > columns[-1][0]


def levels_of_heads(rows: Sequence[Row], columns: Sequence[Column]) -> list[list[Cell]]:
    """The heads as rows of cells, those that wrap as one, each over the columns that it is the head of."""
    found: list[list[Cell]] = []
    simple: list[list[str]] = [[] for _ in columns]
    for row in rows:
        spans = _over(row, columns)
        if all(first == last for first, last in spans):
            for piece, (first, _) in zip(row, spans, strict=True):
                simple[first].append(piece.text)
            continue
        if any(simple):
            found.append([Cell(in_one(texts), head=True) for texts in simple])
            simple = [[] for _ in columns]
        cells: list[Cell] = []
        done = 0
        for piece, (first, last) in zip(row, spans, strict=True):
            cells += [Cell("", head=True)] * (first - done)
            cells.append(Cell(piece.text, columns=last - first + 1, head=True))
            done = last + 1
        found.append(cells + [Cell("", head=True)] * (len(columns) - done))
    if any(simple):
        found.append([Cell(in_one(texts), head=True) for texts in simple])
    return found


def _over(row: Row, columns: Sequence[Column]) -> list[Span]:
    """The columns that each piece of a row of heads stands over, the first and the last.

    Groups of as many columns; else those that it lies over, and of the columns beside it that have no piece those
    around whose middle it stands.
    """
    lying = [_below(piece, columns) for piece in row]
    size, rest = divmod(len(columns) - 1, len(row))
    groups = [(1 + at * size, (at + 1) * size) for at in range(len(row))]
    within = all(a <= first and last <= b for (first, last), (a, b) in zip(lying, groups, strict=True))
    if len(row) > 1 and size > 1 and not rest and within:
        return groups
    found: list[Span] = []
    for number, (piece, (first, last)) in enumerate(zip(row, lying, strict=True)):
        low = found[-1][1] + 1 if found else 1
        high = lying[number + 1][0] - 1 if number + 1 < len(row) else len(columns) - 1
        first = min(max(first, low) if found else first, len(columns) - 1)
        is_wide = first > 0 and len(row) < len(columns) - 1
        found.append(_around(piece, (first, max(first, last)), columns, (low, high) if is_wide else (first, last)))
    return found


def _below(piece: Piece, columns: Sequence[Column]) -> Span:
    """The columns that a piece lies over, else the nearest one."""
    middle = (piece.left + piece.right) / 2
    on = [at for at, (left, right) in enumerate(columns) if left <= piece.right and piece.left <= right]
    on = on or [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle))]
    return on[0], on[-1]


def _around(piece: Piece, own: Span, columns: Sequence[Column], within: Span) -> Span:
    """The columns around whose middle a piece stands, its own among them; the more, the better."""
    middle = (piece.left + piece.right) / 2
    spans = [(a, b) for a in range(within[0], own[0] + 1) for b in range(own[1], within[1] + 1)]

    def misfit(span: Span) -> tuple[int, int]:
        away = abs((columns[span[0]][0] + columns[span[1]][1]) / 2 - middle)
        return round(away / piece.size), span[0] - span[1]

    return min(spans, key=misfit, default=own)
