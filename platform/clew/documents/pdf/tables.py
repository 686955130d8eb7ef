"""Tables that a PDF draws without lines: columns by what stands below each other, rows by the space between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from statistics import mean, median

from clew.documents.pdf.columns import ordered
from clew.documents.pdf.layout import Line, Piece
from clew.documents.pdf.rows import SENTENCE, begun, by_rows, in_one, on_lines, wraps
from clew.documents.pdf.rtl import runs_left
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import table_blocks

_LEAST_COLUMNS, _MOST_COLUMNS = 3, 60
_PAIR = 2
_LEAST_ROWS = 3
_MOST_TRIES = 3
"""Rows of a run at which its head is looked for."""
_NEXT = 3.0
"""How far below each other the rows of a table stand, in heights of a letter, at most."""
_ROW_GAP = 1.15
"""How many times as far as the lines of one cell its rows stand from each other, where cells have several lines."""
_PROSE = 25
_FULL = 0.75
"""What lines of a column that is text fill of it, and their letters, at least: it is no column of a table."""
_BESIDE = 14
_LARGER = 1.12
_BEGIN = 0.5
"""Share of the cells of a column that begin a line of their own, from which it is one of a table."""
_STRIP = 0.4
"""The space that all cells of a column leave to the next, in heights of a letter, at least."""
_DIGIT = re.compile(r"\d")
_AMOUNT = re.compile(r"(?:[A-Z]{3}\s)?[^\w\s]{0,2}\s?\d|\W\Z")
_YEAR = re.compile(r"(?:1[0-9]|20|21)\d\d")

_Column = tuple[float, float]
_Row = list[Piece]


@dataclass(slots=True)
class _Strip:
    """A strip between columns: its rows, and the gaps within pieces that lie in it (the piece, its gap's number)."""

    left: float
    right: float
    gaps: list[tuple[Piece, int]] = field(default_factory=list)
    rows: int = 1


def lines(found: Sequence[Piece]) -> list[Line]:
    """The pieces of a page as lines in reading order: columns one after the other, a table row by row."""
    return _around_tables(found, lambda rest: ordered(rest, lambda column: _around_tables(column, by_rows)))


def _around_tables(found: Sequence[Piece], read: Callable[[list[Piece]], list[Line]]) -> list[Line]:
    """The lines of tables, and between them what ``read`` makes of the rest."""
    rows = on_lines(found)
    result: list[Line] = []
    done = 0
    for start, end, made in _tables(_parted(rows)):
        result += read([*chain.from_iterable(rows[done:start])])
        result += made
        done = end
    return result + read([*chain.from_iterable(rows[done:])])


def _parted(rows: list[_Row]) -> list[_Row]:
    """The rows, those pieces that wide gaps below each other show to be several cells parted there."""
    if not any(piece.gaps for row in rows for piece in row):
        return rows
    cuts: dict[int, set[int]] = {}
    strips: list[_Strip] = []
    last: Piece | None = None
    for row in rows:
        near = last is not None and last.y - row[0].y <= _NEXT * row[0].size
        strips, ended = _strips(row, strips) if near else (_strips(row, [])[0], strips)
        _cut(ended, cuts)
        last = row[0]
    _cut(strips, cuts)
    return [
        [part for piece in row for part in _parts(piece, cuts.get(id(piece), ())) if part.text or part.finish()]
        for row in rows
    ]


def _cut(strips: Sequence[_Strip], cuts: dict[int, set[int]]) -> None:
    for strip in strips:
        if strip.rows >= _LEAST_ROWS:
            for piece, number in strip.gaps:
                cuts.setdefault(id(piece), set()).add(number)


def _strips(row: _Row, before: list[_Strip]) -> tuple[list[_Strip], list[_Strip]]:
    """The strips that go on through a row or begin in it, and those that end above it."""
    least = _STRIP * row[0].size
    gaps: list[tuple[float, float, list[tuple[Piece, int]]]] = [
        (left, right, [(piece, number)]) for piece in row for number, (_, left, right) in enumerate(piece.gaps)
    ]
    gaps += [(a.right, b.left, []) for a, b in pairwise(row)]
    if len(gaps) > _MOST_COLUMNS:
        return [], before
    now: list[_Strip] = []
    ended: list[_Strip] = []
    for strip in before:
        on = [gap for gap in gaps if min(gap[1], strip.right) - max(gap[0], strip.left) >= least]
        if on:
            left, right, inside = max(on, key=lambda gap: min(gap[1], strip.right) - max(gap[0], strip.left))
            gaps.remove((left, right, inside))
            now.append(_Strip(max(left, strip.left), min(right, strip.right), strip.gaps + inside, strip.rows + 1))
        elif any(piece.left < strip.right and strip.left < piece.right for piece in row):
            ended.append(strip)
        else:
            now.append(strip)
    return now + [_Strip(*gap) for gap in gaps], ended


def _parts(piece: Piece, cuts: set[int] | tuple[()]) -> Iterator[Piece]:
    """A piece parted at some of its gaps."""
    start, left = 0, piece.left
    for number in sorted(cuts):
        at, ends, begins = piece.gaps[number]
        yield Piece(left, ends, piece.y, piece.size, piece.bold, piece.parts[start:at])
        start, left = at, begins
    if start == 0:
        yield piece
    else:
        yield Piece(left, piece.right, piece.y, piece.size, piece.bold, piece.parts[start:])


def _tables(rows: Sequence[_Row]) -> Iterator[tuple[int, int, list[Line]]]:
    """The runs of rows that are tables, each with where it starts and ends, and its lines."""
    at = tries = done = barred = 0
    while at < len(rows):
        found = None
        end = at
        if _LEAST_COLUMNS <= len(rows[at]) <= _MOST_COLUMNS and at >= barred:
            end, columns = _run(rows, at)
            found = _with_heads(rows, at, end, columns, done)
        if found:
            yield found
            at = done = found[1]
            tries = 0
            continue
        if len(rows[at]) > 1:
            tries = tries + 1 if end - at >= _LEAST_ROWS else 0
        if tries == _MOST_TRIES:
            barred, tries = end, 0
        at += 1


def _with_heads(
    rows: Sequence[_Row], at: int, end: int, columns: Sequence[_Column], first: int
) -> tuple[int, int, list[Line]] | None:
    """A table of several columns in a run: where it starts and ends, and its lines."""
    start = at - int(at > first and _is_head(rows[at - 1], rows[at], columns))
    if end - start == _PAIR:
        made = _heads_over_values(*rows[start:end])
    elif end - start >= _LEAST_ROWS:
        top, over = _wide_heads(rows, start, columns, first)
        made = _read(rows[start:end], columns, rows[top - 1] if top else [], over)
        start = top
    else:
        made = []
    return (start, end, made) if made else None


def _wide_heads(rows: Sequence[_Row], start: int, columns: Sequence[_Column], first: int) -> tuple[int, list[str]]:
    """Where heads begin that stand over groups of columns, whose own heads are the same in each, and what they add."""
    places = _places(columns, rows[start]) or []
    own = [piece.text for place, piece in zip(places, rows[start], strict=False) if place]
    over = [""] * len(columns)
    top = start
    while (
        top > first
        and len(own) == len(columns) - 1
        and _are_over(rows[top - 1], own, columns)
        and _follows(*rows[top - 1 : top + 1])
    ):
        top -= 1
        size = len(own) // len(rows[top])
        for at in range(len(own)):
            over[at + 1] = f"{rows[top][at // size].text} {over[at + 1]}".rstrip()
    return top, over


def _are_over(above: _Row, own: Sequence[str], columns: Sequence[_Column]) -> bool:
    """Whether each piece of a row stands over the middle of as many columns, which have the same heads."""
    groups = len(above)
    size, rest = divmod(len(own), groups)
    if groups < _PAIR or rest or list(own) != list(own[:size]) * groups:
        return False
    extents = [(columns[1 + at * size][0], columns[(at + 1) * size][1]) for at in range(groups)]
    return all(
        left <= (piece.left + piece.right) / 2 <= right for piece, (left, right) in zip(above, extents, strict=True)
    )


def _is_head(above: _Row, row: _Row, columns: Sequence[_Column]) -> bool:
    """Whether a row names all columns but the first, which says what the rows are about."""
    return _follows(above, row) and _places(columns, above) == list(range(1, len(columns)))


def _heads_over_values(heads: _Row, values: _Row) -> list[Line]:
    """The line of references above a letter: what is in small letters, or without numbers, names what is under it."""
    if len(heads) != len(values) or len(heads) < _LEAST_COLUMNS:
        return []
    is_even = all(abs(a.left - b.left) < _STRIP * b.size for a, b in zip(heads, values, strict=True))
    smaller = all(a.size * _LARGER < b.size for a, b in zip(heads, values, strict=True))
    counts = [sum(bool(_DIGIT.search(piece.text)) for piece in row) for row in (heads, values)]
    if not is_even or counts[0] or not (smaller or 2 * counts[1] > len(values)):
        return []
    rows = [[Cell(piece.text, head=at == 0) for piece in row] for at, row in enumerate((heads, values))]
    return [Line(draft.text, values[0].size, values[0].y, False, alone=True) for draft in table_blocks(rows)]


def _run(rows: Sequence[_Row], at: int) -> tuple[int, list[_Column]]:
    """Where the rows end that stand in the columns of one, but for what comes after the table, and those columns."""
    end, columns = _stretch(rows, at)
    while end > at and len(rows[end - 1]) == 1 and _stands_apart(rows[at:end], columns):
        end -= 1
    return end, columns


def _stretch(rows: Sequence[_Row], at: int) -> tuple[int, list[_Column]]:
    """Where the rows end that stand in the columns of one, and those columns, as wide as their widest cell."""
    columns = [(piece.left, piece.right) for piece in rows[at]]
    end = at
    while end < len(rows):
        row = rows[end]
        if (end > at and not _follows(rows[end - 1], row)) or any(piece.alone for piece in row):
            break
        places = _places(columns, row)
        if places is None:
            break
        wider = list(columns)
        for place, piece in zip(places, row, strict=True):
            wider[place] = (min(columns[place][0], piece.left), max(columns[place][1], piece.right))
        if any(a[1] >= b[0] for a, b in pairwise(wider)):
            break
        columns = wider
        end += 1
    return end, columns


def _follows(above: _Row, row: _Row) -> bool:
    """Whether two rows are near enough to be of one table."""
    return above[0].y - row[0].y <= _NEXT * row[0].size


def _stands_apart(rows: Sequence[_Row], columns: Sequence[_Column]) -> bool:
    """Whether the last row, of one cell, is no further line of the cell above it, but what comes after the table."""
    (last,) = rows[-1]
    own = [[p for row in rows for p in row if left <= p.left <= right] for left, right in columns]
    above = next((side[-2] for side in own if side[-1] is last and len(side) > 1), None)
    if above is None:
        return True
    step = above.y - last.y
    others = [a.y - b.y for side in own for a, b in pairwise(side) if b is not last]
    if last is own[0][-1] and not (min(others, default=0.0) * _ROW_GAP >= step > 0 and max(others) > _ROW_GAP * step):
        return True
    in_column = next(side for side in own if side[-1] is last)
    leading = min((a.y - b.y for a, b in pairwise(in_column[:-1])), default=min([*others, step]))
    return step > leading * _ROW_GAP


def _places(columns: Sequence[_Column], row: _Row) -> list[int] | None:
    """The column of each piece of a row; None where one lies in none, in two, or in that of another."""
    found = []
    for piece in row:
        under = [at for at, (left, right) in enumerate(columns) if left <= piece.right and piece.left <= right]
        if len(under) != 1 or under[0] in found:
            return None
        found.append(under[0])
    return found


def _read(rows: Sequence[_Row], columns: Sequence[_Column], above: _Row, over: Sequence[str]) -> list[Line]:
    """The lines of a table; none where its rows are no table. ``over`` is what stands over the head of each column."""
    if _goes_on_above(rows[0], columns, above) or runs_left(chain.from_iterable(rows)):
        return []
    clusters = _clusters(rows, columns)
    cells = [[_cell(cluster, columns, at) for at in range(len(columns))] for cluster in clusters]
    if len(clusters) < _LEAST_ROWS or not _has_heads(cells, clusters):
        return []
    if len(clusters) == len(rows) and any(_is_text(rows, column) for column in columns):
        return []
    if any(_goes_through(clusters, column) for column in columns):
        return []
    cells[0] = [f"{group} {text}".strip() for group, text in zip(over, cells[0], strict=True)]
    blocks = [" ".join(block.text.split()) for block in table_blocks([[Cell(text) for text in row] for row in cells])]
    said = " ".join(blocks)
    if not all(text.rstrip(".:; ") in said for row in cells for text in row):
        return []
    heights = [cluster[0][0].y for cluster in clusters[len(clusters) - len(blocks) :]]
    size = rows[0][0].size
    return [Line(block, size, y, False, alone=True) for block, y in zip(blocks, heights, strict=False)]


def _goes_through(clusters: Sequence[Sequence[_Row]], column: _Column) -> bool:
    """Whether sentences go on from row to row: a column of the page that stands beside a table."""
    cells = [
        [piece for row in cluster for piece in row if column[0] <= piece.left <= column[1]] for cluster in clusters
    ]
    if column[1] - column[0] < SENTENCE * clusters[0][0][0].size:
        return False
    begins = begun([cell for cell in cells if cell])
    return bool(begins) and mean(begins) <= _BEGIN


def _goes_on_above(head: _Row, columns: Sequence[_Column], above: _Row) -> bool:
    """Whether a line of text beside the rows stands right above one of their columns: that is a column of the page."""
    if not above or above[0].y - head[0].y > 1.6 * head[0].size:
        return False
    return any(
        len(piece.text) >= _BESIDE
        and not (piece.bold or piece.size > _LARGER * head[0].size)
        and sum(a <= piece.right and piece.left <= b for a, b in columns) == 1
        for piece in above
    )


def _clusters(rows: Sequence[_Row], columns: Sequence[_Column]) -> list[list[_Row]]:
    """The lines of each row of the table; as many rows as lines, where no wider space parts rows from lines."""
    steps = [a[0].y - b[0].y for a, b in pairwise(rows)]
    own = ([p for row in rows for p in row if left <= p.left <= right] for left, right in columns)
    leading = min(a.y - b.y for pieces in own for a, b in pairwise(pieces))
    clusters = [[rows[0]]]
    for step, row in zip(steps, rows[1:], strict=True):
        if step > _ROW_GAP * leading:
            clusters.append([row])
        else:
            clusters[-1].append(row)
    wraps = len(clusters) >= _LEAST_ROWS and all(
        sum(len(row) == len(columns) for row in cluster) <= 1 for cluster in clusters
    )
    if wraps:
        return clusters
    single: list[list[_Row]] = []
    for row in rows:
        if single and row[0].left > columns[0][1] and _goes_on(single[-1], row, columns):
            single[-1].append(row)
        else:
            single.append([row])
    return single


def _goes_on(cluster: Sequence[_Row], row: _Row, columns: Sequence[_Column]) -> bool:
    """Whether a row has nothing but a further line of a cell above it."""
    if len(row) > 1:
        return False
    (piece,) = row
    left, right = next(column for column in columns if column[0] <= piece.left <= column[1])
    above = [other for line in cluster for other in line if left <= other.left <= right]
    is_wide = right - left >= SENTENCE * piece.size
    return piece.text[0].islower() or (is_wide and bool(above) and wraps(above[-1], piece, (left, right)))


def _cell(cluster: Sequence[_Row], columns: Sequence[_Column], at: int) -> str:
    left, right = columns[at]
    return in_one(piece.text for row in cluster for piece in row if left <= piece.left <= right)


def _has_heads(cells: Sequence[Sequence[str]], clusters: Sequence[Sequence[_Row]]) -> bool:
    """Whether the first row names columns: it has no numbers, and what is below has some or is less bold."""
    head, below = cells[0], cells[1:]
    if sum(map(bool, head)) < len(head) - 1 or any(_DIGIT.search(_YEAR.sub("", text)) for text in head):
        return False
    bold = all(piece.bold for row in clusters[0] for piece in row)
    if bold and not all(piece.bold for cluster in clusters[1:] for row in cluster for piece in row):
        return True
    counted = ([bool(_AMOUNT.match(text)) for text in column if text] for column in zip(*below, strict=True))
    return any(3 * sum(has) > 2 * len(has) for has in counted)


def _is_text(rows: Sequence[_Row], column: _Column) -> bool:
    """Whether the lines of a column fill it, as those of a column of the page do."""
    left, right = column
    own = [piece for row in rows for piece in row if left <= piece.left <= right]
    full = median((piece.right - piece.left) / max(right - left, 1.0) for piece in own)
    return full > _FULL and mean(len(piece.text) for piece in own) >= _PROSE
