"""Tables that a PDF sets without a drawn grid: columns by what stands below each other, rows by space and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from statistics import mean, median

from clew.documents.pdf.columns import ordered
from clew.documents.pdf.gaps import parted
from clew.documents.pdf.heads import head_rows, is_figure, levels_of_heads
from clew.documents.pdf.labels import with_label
from clew.documents.pdf.layout import Line, Piece, Rule
from clew.documents.pdf.rows import SENTENCE, by_rows, in_one, on_lines, wraps
from clew.documents.pdf.rtl import runs_left
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks

_LEAST_COLUMNS, _MOST_COLUMNS = 2, 60
_PAIR = 2
_LEAST_ROWS = 3
_NEXT = 3.0
"""How far below each other the rows of a table stand, in heights of a letter, at most."""
_ROW_GAP = 1.15
"""How many times as far as the lines of one cell its rows stand from each other, where cells have several lines."""
_PROSE = 40
"""Letters of a line that begins at the left edge and stands alone, from which it is text and no row."""
_TEXT = 25
_FULL = 0.75
"""What lines of a column that is text fill of it, and their letters, at least: it is no column of a table."""
_APART = 0.3
"""The space between two columns, in heights of a letter, at least."""
_LARGER = 1.12
_FILLED = 0.35
"""Share of the places of a table that hold something, at least."""
_HEAD_STEP = 1.8
"""How far above a row a wider head stands, in heights of a letter, at most."""
_MISFITS = 0.2
"""Share of the rows below the heads that may have a cell over several columns, at most."""

Column = tuple[float, float]
Row = list[Piece]
Span = tuple[int, int]


@dataclass(slots=True)
class _Body:
    """Rows of a table with the columns that each piece of them covers, the first and the last."""

    rows: list[Row]
    columns: list[Column]
    spans: list[list[Span]]


def lines(found: Sequence[Piece], level: Sequence[Rule] = ()) -> list[Line]:
    """The pieces of a page as lines in reading order; ``level`` are its level rules, which part the rows of tables."""

    def read(column: list[Piece]) -> list[Line]:
        return _around_tables(column, level, by_rows)

    return _around_tables(found, level, lambda rest: ordered(rest, read))


def _around_tables(
    found: Sequence[Piece], level: Sequence[Rule], read: Callable[[list[Piece]], list[Line]]
) -> list[Line]:
    """The lines of tables, and between them what ``read`` makes of the rest."""
    rows = [row if runs_left(row) else with_label(row) for row in parted(on_lines(found))]
    result: list[Line] = []
    done = 0
    for start, end in _runs(rows):
        while end - start >= _LEAST_ROWS - 1 and (table := _table(rows[start:end], level)):
            first, last, made = table
            result += read([*chain.from_iterable(rows[done : start + first])])
            result += made
            start = done = start + last
    return result + read([*chain.from_iterable(rows[done:])])


def _runs(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Where rows that may be of one table start and end: near each other, with no line of text between them."""
    start, left = 0, float("inf")
    for at, row in enumerate(rows):
        follows = at > start and rows[at - 1][0].y - row[0].y <= _NEXT * row[0].size
        if not follows or _is_prose(row, left) or _is_prose(rows[at - 1], left):
            if sum(len(one) > 1 for one in rows[start:at]) >= _LEAST_ROWS - 1:
                yield start, at
            start, left = at, float("inf")
        left = min(left, row[0].left)
    if sum(len(one) > 1 for one in rows[start:]) >= _LEAST_ROWS - 1:
        yield start, len(rows)


def _is_prose(row: Row, left: float) -> bool:
    """Whether a row is a line of text that begins at the left edge, or of a table that is read already."""
    is_text = len(row) == 1 and len(row[0].text) >= _PROSE and row[0].left <= left + row[0].size
    return is_text or any(piece.alone for piece in row)


def _table(rows: Sequence[Row], level: Sequence[Rule]) -> tuple[int, int, list[Line]] | None:
    """The table in a run of rows: where it starts and ends, and its lines; None where there is none."""
    if runs_left(chain.from_iterable(rows)):  # as if it ran from the left, seen in a mirror
        rows = [[replace(piece, left=-piece.right, right=-piece.left) for piece in row[::-1]] for row in rows]
        level = ()
    end = len(rows)
    while (whole := _body(rows[:end])) is not None:
        first, last = _bounds(whole)
        body = _Body(whole.rows[first:last], whole.columns, whole.spans[first:last])
        heads = head_rows(body.rows, body.columns, level)
        if cut := _cut(body, heads or 0):
            end = first + cut
            continue
        clusters = _clusters(body, heads or 0) if _holds(body, heads) else []
        if not clusters or _is_page(body):
            return None
        return first, last, _lines(body, clusters, heads or 0)
    return None


def _bounds(body: _Body) -> tuple[int, int]:
    """Where a table starts and ends among rows: with its heads."""
    full = [at for at, row in enumerate(body.rows) if len(row) > 1]
    first, last = full[0], full[-1] + 1
    while first and _may_head(body, first - 1):
        first -= 1
    return first, last


def _cut(body: _Body, heads: int) -> int:
    """Where two rows below each other do not stand in the columns, so that the table ends above them; 0: nowhere."""
    odd = [len(spans) > 1 and any(a < b for a, b in spans) for spans in body.spans]
    return next((at for at in range(heads + 1, len(odd)) if all(odd[at : at + 2])), 0)


def _lines(body: _Body, clusters: Sequence[Sequence[int]], heads: int) -> list[Line]:
    """The blocks of a table as lines, one below the other where it stands."""
    above = levels_of_heads(body.rows[:heads], body.columns)
    cells = [*above, *(_cells(body, cluster) for cluster in clusters)]
    drafts = table_blocks(cells, header=len(above) or None)
    top, bottom, size = body.rows[0][0].y, body.rows[-1][0].y, median(piece.size for row in body.rows for piece in row)
    step = (top - bottom) / max(1, len(drafts) - 1)
    return [
        Line(" ".join(draft.text.split()), size, top - at * step, False, alone=True, draft=draft)
        for at, draft in enumerate(drafts)
    ]


def _body(rows: Sequence[Row]) -> _Body | None:
    """The columns of rows, by the fullest of them first, and what each piece covers; None where there are too few."""
    columns: list[Column] = []
    for row in sorted((row for row in rows if len(row) > 1), key=len, reverse=True):
        for piece in row:
            columns = _with(columns, piece)
    if not _LEAST_COLUMNS <= len(columns) <= _MOST_COLUMNS:
        return None
    spans = [[_span(columns, piece) for piece in row] for row in rows]
    filled = [{first for first, last in row if first == last} for row in spans if len(row) > 1]
    parts: list[Column] = []
    begins = 0
    for at, (left, right) in enumerate(columns):
        if at and not any(at in row and row & set(range(begins, at)) for row in filled):
            parts[-1] = (parts[-1][0], right)  # no row has a cell in both
        else:
            parts.append((left, right))
            begins = at
    return _Body(list(rows), parts, [[_span(parts, piece) for piece in row] for row in rows])


def _with(columns: list[Column], piece: Piece) -> list[Column]:
    """The columns with what a piece adds: it is one of its own, widens one, or lies over several and tells nothing."""
    on = [at for at, (left, right) in enumerate(columns) if left <= piece.right and piece.left <= right]
    if not on:
        return sorted([*columns, (piece.left, piece.right)])
    if len(on) > 1:
        return columns
    at = on[0]
    wider = min(columns[at][0], piece.left), max(columns[at][1], piece.right)
    least_gap = _APART * piece.size
    if (at and columns[at - 1][1] + least_gap > wider[0]) or (
        at + 1 < len(columns) and columns[at + 1][0] < wider[1] + least_gap
    ):
        return columns
    return [*columns[:at], wider, *columns[at + 1 :]]


def _span(columns: Sequence[Column], piece: Piece) -> Span:
    """The first and the last column that a piece lies over; the nearest one where it lies over none."""
    on = [at for at, (left, right) in enumerate(columns) if left <= piece.right and piece.left <= right]
    if not on:
        middle = (piece.left + piece.right) / 2
        on = [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle))]
    return on[0], on[-1]


def _may_head(body: _Body, at: int) -> bool:
    """Whether a row of one piece above a table is one of its heads: it stands right over columns, but not the first."""
    above, row = body.rows[at], body.rows[at + 1]
    near = above[0].y - row[0].y <= _HEAD_STEP * max(above[0].size, row[0].size)
    return near and len(above) == 1 and body.spans[at][0][0] > 0 and above[0].size <= _LARGER * row[0].size


def _holds(body: _Body, heads: int | None) -> bool:
    """Whether rows are those of a table: enough of them, filled, each cell in its column, with heads or figures."""
    rows, spans = body.rows[heads or 0 :], body.spans[heads or 0 :]
    full = [row for row in rows if len(row) > 1]
    if len(full) < 2 - bool(heads) or len(body.rows) < _LEAST_ROWS - bool(heads):
        return False
    if mean(len(row) for row in full) < max(2, _FILLED * len(body.columns)):
        return False
    clash = sum(
        any(a[1] >= b[0] for a, b in pairwise(row)) or (len(row) > 1 and any(first < last for first, last in row))
        for row in spans
    )
    return clash <= _MISFITS * len(rows) and (bool(heads) or _has_figures(body))


def _has_figures(body: _Body) -> bool:
    """Whether a column, but for the first, is one of figures."""
    for at in range(1, len(body.columns)):
        own = [is_figure(piece.text) for piece in _column(body, at).values()]
        if len(own) >= _LEAST_ROWS - 1 and 3 * sum(own) > 2 * len(own):
            return True
    return False


def _clusters(body: _Body, heads: int) -> list[list[int]]:
    """The numbers of the lines that make each row of the table below its heads."""
    places = range(heads, len(body.rows))
    steps = {at: body.rows[at - 1][0].y - body.rows[at][0].y for at in places[1:]}
    leading = _leading(body, heads)
    clusters: list[list[int]] = []
    for at in places:
        if not clusters or (at in steps and steps[at] > _ROW_GAP * leading):
            clusters.append([at])
        else:
            clusters[-1].append(at)
    if len(clusters) >= _LEAST_ROWS and all(_is_one(body, cluster) for cluster in clusters):
        return clusters
    clusters = []
    for at in places:
        if clusters and _goes_on(body, clusters[-1], at):
            clusters[-1].append(at)
        else:
            clusters.append([at])
    return clusters


def _leading(body: _Body, heads: int) -> float:
    """How far below each other the nearest lines of one column stand."""
    own: dict[int, list[float]] = {}
    for row, spans in zip(body.rows[heads:], body.spans[heads:], strict=True):
        for piece, (first, _) in zip(row, spans, strict=True):
            own.setdefault(first, []).append(piece.y)
    return min((a - b for ys in own.values() for a, b in pairwise(ys) if a > b), default=0.0)


def _is_one(body: _Body, cluster: Sequence[int]) -> bool:
    """Whether lines may be one row: one of them at most has a cell in each column, or two in the first and others."""
    full = sum(len(body.rows[at]) > max(1, len(body.columns) / 2) for at in cluster)
    return full <= 1


def _goes_on(body: _Body, cluster: Sequence[int], at: int) -> bool:
    """Whether a line has nothing but further lines of the cells above it."""
    if body.spans[at][0][0] == 0 and not body.rows[at][0].text[0].islower():
        return False
    for piece, (first, last) in zip(body.rows[at], body.spans[at], strict=True):
        above = [
            p for one in cluster for p, span in zip(body.rows[one], body.spans[one], strict=True) if span[0] == first
        ]
        left, right = body.columns[first]
        is_wide = right - left >= SENTENCE * piece.size
        if (
            not above
            or first != last
            or not (piece.text[0].islower() or (is_wide and wraps(above[-1], piece, (left, right))))
        ):
            return False
    return True


def _is_page(body: _Body) -> bool:
    """Whether columns are those of the page: two of them are of long lines that fill them."""
    texts = 0
    for at, (left, right) in enumerate(body.columns):
        own = _column(body, at)
        if len(own) < _LEAST_ROWS:
            continue
        full = median((piece.right - piece.left) / max(right - left, 1.0) for piece in own.values())
        is_long = mean(len(piece.text) for piece in own.values()) >= _TEXT
        is_text = full > _FULL and is_long
        texts += is_text or (is_long and len(body.columns) <= _PAIR and 2 * len(own) > len(body.rows))
    return texts > 1


def _column(body: _Body, at: int) -> dict[int, Piece]:
    """The pieces of a column by their row."""
    rows = enumerate(zip(body.rows, body.spans, strict=True))
    return {
        number: piece
        for number, (row, spans) in rows
        for piece, span in zip(row, spans, strict=True)
        if span == (at, at)
    }


def _cells(body: _Body, cluster: Sequence[int]) -> list[Cell]:
    """A row of the table; what alone stands over several columns covers them."""
    if len(cluster) == 1 and len(body.rows[cluster[0]]) == 1:
        first, last = body.spans[cluster[0]][0]
        text = body.rows[cluster[0]][0].text
        if first == 0 and last > 0:
            return [Cell(text, columns=len(body.columns))]
    texts: list[list[str]] = [[] for _ in body.columns]
    for at in cluster:
        for piece, (first, _) in zip(body.rows[at], body.spans[at], strict=True):
            texts[first].append(piece.text)
    return [Cell(in_one(one)) for one in texts]
