"""Tables: cells with spans to rows that name their heads, whatever format they come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from clew.documents.blocks import Draft, DraftCell
from clew.documents.tables.cell_lines import on_one_line
from clew.documents.tables.grid import Cell, Grid, is_whole, spread, text_at, texts_of
from clew.documents.tables.parts import is_remark, leads, line_of
from clew.text.normalise import LONGEST_TITLE

_FINAL = tuple(".!?…;:。！？")
LONGEST_HEAD = 60
"""Characters of the name of a column, or of a label, at most."""
_MOST_MORE_HEADS = 2
_MOST_HEAD_WORDS = 3
_VALUE = re.compile(r"(?<![^\W\d_])\d")
"""A number: a digit behind a letter is part of a code, such as the level C2."""
_QUANTITY = re.compile(r"[^\w\s]{0,2}\s?[+\-−]?\d[\d\s.,' ]*(?:\s?[^\W\d]{1,12}|\s?[%‰€$£¥])?\.?")
_PLAIN = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_NUMBER = re.compile(r"[\d.,'+\-−\s]+")
_MANY_TIMES = 100_000
"""How many times as large as the smallest the largest number of a column is, at most, where decimals are among them."""
_YEAR = re.compile(r"(?:1[0-9]|20|21)\d\d(?:[/–-]\d{2,4})?")
_TIME = re.compile(r"\d{1,2}:\d{2}(?:\s?[ap]\.?m\.?)?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}|\d{4}-\d{2}-\d{2}")


def table_blocks(rows: Sequence[Sequence[Cell]], *, header: int | None = None) -> list[Draft]:
    """The blocks of a table: one for each row, with the heads of its columns ("Year: 1871; Keeper: Mara Lind.").

    What a merged cell holds counts for every row it covers, and is said once for the columns it covers. ``header`` is
    the number of header rows, None where the format does not tell: then heads are taken from the cells that are marked
    as such, else from what the cells hold. A line of labels with values is a pair. A table of one row, or one that lays
    out text, gives the text of its cells.
    """
    grid, header = _without_empty(spread(rows), header)
    width = max(map(len, grid), default=0)
    if not grid:
        return []
    if len(grid) == 1 or width == 1 or _lays_out(grid):
        return [block for row in grid for block in _as_blocks(row)]
    titles, grid = _titled(grid, width, is_marked=header is not None)
    if titles == len(grid):
        return [Draft(line) for row in grid for line in _as_text(row)]
    header = None if header is None else max(0, header - titles)
    first = grid[titles - 1][0] if titles else None
    above = [Draft(line, "caption") for row in grid[:titles] for line in _title_lines(row, width)]
    grid = grid[titles:]
    return [*above, *_rows(grid, width, header, first)]


def _titled(grid: Grid, width: int, *, is_marked: bool) -> tuple[int, Grid]:
    """How many rows are the title of a table, and no heads of its columns: each stands over the whole of it.

    So may one that leaves most columns without a name; else, in the grid returned, its cells cover the names below.
    """
    titles = next((at for at, row in enumerate(grid) if not is_whole(row, width)), len(grid))
    if is_marked or titles + 2 >= len(grid) or not _leaves_unnamed(grid[titles:]):
        return titles, grid
    over = _over_names(grid[titles], grid[titles + 1], width)
    return (titles, [*grid[:titles], over, *grid[titles + 1 :]]) if over else (titles + 1, grid)


def _leaves_unnamed(rows: Grid) -> bool:
    """Whether most names of columns stand in the second row, above figures, and the first row has none there."""
    row, names = rows[0], {at: text for at in range(len(rows[1])) if (text := text_at(rows[1], at))}
    if any(cell and cell.head for cell in row) or any(map(is_quantity, names.values())):
        return False
    unnamed = [at for at in names if not text_at(row, at)]
    return 2 * len(unnamed) >= len(names) and figures_below(rows[1:])


def _over_names(row: Sequence[Cell | None], names: Sequence[Cell | None], width: int) -> list[Cell | None] | None:
    """A row of heads that cover the names below them: where these repeat each a run, else up to the next head.

    None where its first place is filled and no names repeat: it is a title.
    """
    places, heads = ([at for at in range(1, len(one)) if text_at(one, at)] for one in (names, row))
    size = len(places) // max(1, len(heads))
    texts = [text_at(names, at) for at in places]
    if len(heads) > 1 and texts == texts[:size] * len(heads):
        spans = [(places[at], places[at + size - 1] + 1) for at in range(0, len(places), size)]
    elif not text_at(row, 0):
        spans = list(pairwise([*heads, width]))
    else:
        return None
    covering: list[Cell | None] = [row[0], *[None] * (width - 1)]
    for at, (begin, end) in zip(heads, spans, strict=True):
        covering[begin:end] = [row[at]] * (end - begin)
    return covering


def _title_lines(row: list[Cell | None], width: int) -> list[str]:
    """The lines of a title over the whole table; one of what stands beside each other in it."""
    return _as_text(row) if is_whole(row, width) else ["; ".join(filter(None, texts_of(row, width)))]


def _without_empty(grid: Grid, header: int | None) -> tuple[Grid, int | None]:
    """The rows that hold something, and how many of them are the header's: None where all of that is empty."""
    filled = [any(text_at(row, at) for at in range(len(row))) for row in grid]
    header = (sum(filled[:header]) or None) if header else header
    return [row for row, holds in zip(grid, filled, strict=True) if holds], header


def _rows(grid: Grid, width: int, header: int | None, title: Cell | None) -> list[Draft]:
    """What stands in a table below its title, which may be that of its first part alone."""
    if len(grid) == 1:
        return _as_blocks(grid[0])
    heads = _marked_heads(grid) if header is None else min(header, len(grid))
    if heads == 0 and header is None:
        if pairs := _pairs(grid):
            return [Draft(line, "pair") for line in pairs]
        heads = int(_has_header(grid))
    heads = _all_heads(grid, width, heads, is_marked=header is not None)
    captions = [line for row in grid[:heads] if is_whole(row, width) for line in _as_text(row)]
    rows = _body(grid[:heads], grid[heads:], width, title)
    return [Draft(line, "caption") for line in captions] + [row for row in rows if row.text]


def _all_heads(grid: Grid, width: int, heads: int, *, is_marked: bool) -> int:
    """How many rows name the columns, with those below the first that do; all rows but one, at most."""
    heads += _more_heads(grid, heads)
    if heads >= len(grid):
        heads = 0 if is_marked else len(grid) - 1
    while heads > 1 and is_whole(grid[heads - 1], width):
        heads -= 1  # a line over the whole table is the heading of what follows
    return heads


def _body(heads: Grid, grid: Grid, width: int, title: Cell | None) -> list[Draft]:
    """The rows below the heads, each led by the part of the table that it is in."""
    again = texts_of(heads[-1], width) if heads else None  # some say the heads again above each part
    kept = [row for row in grid if again is None or texts_of(row, width) != again]
    lines = [line_of(row, width) for row in kept]
    first = "" if heads and len(kept) == len(grid) else _first_part(title, kept)
    parts = leads(lines, headed=bool(heads), first=first)
    if heads and lines and lines[-1].is_alone and is_remark(lines):
        parts[-1] = None
    names = _names(heads, width)
    return [
        Draft(row_line([], [text_at(row, 0)]), "row") if part is None else _row(names, row, part)
        for part, row in zip(parts, kept, strict=True)
    ]


def _first_part(title: Cell | None, rows: Grid) -> str:
    """The title above a table where it is that of the first part: the others begin below it with lines of its kind."""
    others = [row[0] for row in rows if is_whole(row, len(row))]
    alike = title is not None and any(other is not None and other.head == title.head for other in others)
    return title.text if title is not None and alike else ""


def row_draft(names: Sequence[Sequence[str]], row: Sequence[str], part: str = "", separator: str = "; ") -> Draft:
    """A table's row as a block with its cells: each with the heads of its column, the widest first.

    Empty cells stand in no line, and are cells all the same. The first cell names the row unless it holds a quantity.
    """
    heads = [tuple(map(_head, levels)) for levels in [*names, *[()] * (len(row) - len(names))]]
    texts = list(map(on_one_line, row))
    line = row_line([" ".join(levels) for levels in heads], row, separator)
    naming = next((at for at, text in enumerate(texts[:2]) if text), -1)
    cells = tuple(
        DraftCell(text, levels, at == naming and not is_quantity(text))
        for at, (text, levels) in enumerate(zip(texts, heads, strict=False))
        if text or levels
    )
    return Draft(f"{part}; {line}" if part and line else line, "row", cells=cells, part=part)


def row_line(names: Sequence[str], row: Sequence[str], separator: str = "; ") -> str:
    """A table's row as a line, "header: value; header: value.", without its empty cells."""
    heads = [_head(name) for name in [*names, *[""] * (len(row) - len(names))]]
    cells = zip(heads, map(on_one_line, row), strict=False)
    line = separator.join(f"{n}: {cell}" if n else cell for n, cell in cells if cell)
    return line if not line or line.endswith(_FINAL) else f"{line}."


def is_quantity(text: str) -> bool:
    """Whether a cell holds an amount ("19 kg"), which no head of a column is; a year may be one."""
    return bool(_QUANTITY.fullmatch(text) and not _YEAR.fullmatch(text))


def _marked_heads(grid: Grid) -> int:
    """The rows at the top that hold nothing but heads, where there are rows of data below."""
    count, width = 0, max(map(len, grid))
    for row, below in zip(grid, [*grid[1:], []], strict=True):
        filled = [cell for cell in row if cell and cell.text.strip()]
        is_part = count and len(filled) == 1 and filled[0] is row[0] and text_at(grid[count - 1], 0)
        is_label = count and set(map(id, filled)) < set(map(id, filter(None, below)))
        if not filled or not all(cell.head for cell in filled) or is_whole(row, width) or is_part or is_label:
            break
        count += 1
    return count if count < len(grid) else 0


def _more_heads(grid: Grid, heads: int) -> int:
    """The rows below that are heads, too: one reaches down into them, or all they hold stands under wide heads.

    Under a place without a head it may stand, as well, where figures below show that the row is none of data.
    """
    count = 0
    while 0 < heads + count < len(grid) - 1 and _is_more_heads(grid[heads + count - 1], grid[heads + count :]):
        count += 1
    return count if count <= _MOST_MORE_HEADS else 0  # what reaches further is a label of rows


def _is_more_heads(above: list[Cell | None], rows: Grid) -> bool:
    row = rows[0]
    if is_whole(row, len(above)):
        return False
    if any(cell and cell.text.strip() and cell is below for cell, below in zip(above, row, strict=False)):
        return True
    wide = _merged(above)
    filled = {at for at in range(len(row)) if text_at(row, at)}
    names = not any(is_quantity(text_at(row, at)) for at in filled)
    if any(not text_at(above, at) for at in filled - wide) and figures_below(rows):
        filled = {at for at in filled if at in wide or text_at(above, at)}
    return names and bool(wide and filled) and filled <= wide


def _merged(row: list[Cell | None]) -> set[int]:
    """The places of a row that cells over several columns cover."""
    pairs = [at for at in range(1, len(row)) if row[at] is not None and row[at] is row[at - 1]]
    return {*pairs, *(at - 1 for at in pairs)}


def figures_below(rows: Grid) -> bool:
    """Whether a column has nothing but quantities below a first row that holds none."""
    first, below = rows[0], rows[1:]
    columns = [[text for row in below if (text := text_at(row, at))] for at in range(len(first)) if text_at(first, at)]
    return any(column and all(is_quantity(text) for text in column) for column in columns)


def _names(heads: Grid, width: int) -> list[tuple[str, ...]]:
    """The heads of each column, the widest first, each said once."""
    names = []
    for column in range(width):
        parts: list[str] = []
        for row in heads:
            cell = row[column] if column < len(row) else None
            text = " ".join(cell.text.split()) if cell else ""
            is_title = len(heads) > 1 and len({id(other) for other in row}) == 1 and width > 1
            if text and not is_title and (not parts or parts[-1] != text):
                parts.append(text)
        names.append(tuple(parts))
    return names


def _row(names: list[tuple[str, ...]], row: list[Cell | None], part: str) -> Draft:
    """A row as a block; a cell over several columns is said once, with all their heads."""
    merged: list[tuple[str, ...]] = []
    texts: list[str] = []
    previous: Cell | None = None
    for name, cell in zip([*names, *[()] * (len(row) - len(names))], row, strict=False):
        if cell is not None and cell is previous:
            if name and " ".join(name) not in " ".join(merged[-1]).split(", "):
                merged[-1] = (", ".join(filter(None, (" ".join(merged[-1]), " ".join(name)))),)
            continue
        previous = cell
        merged.append(name)
        texts.append(cell.text if cell else "")
    if len(texts) == 1 and len(row) >= len(names):
        merged = [()]  # a line over the whole table is a heading in it
    return row_draft(merged, texts, part)


def _pairs(grid: Grid) -> list[str]:
    """The lines of a table of labels with values, such as a data sheet; none where it is no such table."""
    width = max(map(len, grid))
    if lines := _side_by_side(grid, by_colons=width > 2):
        return lines
    rows = [[row[0], None] if is_whole(row, 2) else row for row in grid]
    labels = [text_at(row, 0) for row in rows]
    if width != 2 or not all(len(label) <= LONGEST_HEAD and not _ends(label) for label in labels):
        return []
    colons = sum(label.endswith((":", "?", "？")) for label in labels)
    if colons * 2 <= len(labels) and not any(map(_names_itself, grid)) and _has_header(rows, of_pairs=True):
        return []
    lines = [_pair_line(label, _lines_of(row, 1)) for row, label in zip(rows, labels, strict=True)]
    return list(filter(None, lines))


def _names_itself(row: Sequence[Cell | None]) -> bool:
    """Whether the first cell of a row is a head, and the second is none."""
    return bool(row[0] and row[0].head) and not any(cell and cell.head for cell in row[1:2])


def _side_by_side(grid: Grid, *, by_colons: bool) -> list[str]:
    """The lines of pairs that stand beside each other, by their marks or colons; none where cells are no such pairs."""
    once = [_each_once(row) for row in grid]  # a value may cover what is left of its row
    marked = all(map(_names_itself, grid)) and all(map(_alternates, once))
    if any(len(row) % 2 for row in once) or not (marked or (by_colons and _labelled(once))):
        return []
    return [_pair(row, at) for row in once for at in range(0, len(row) - 1, 2) if _pair(row, at)]


def _labelled(grid: Grid) -> bool:
    """Whether each second cell, from the first on, is a label with a colon, and no other one is."""
    cells = [(at % 2 == 0, text_at(row, at)) for row in grid for at in range(len(row)) if text_at(row, at)]
    return all(text.endswith((":", "：")) == is_label for is_label, text in cells)


def _each_once(row: list[Cell | None]) -> list[Cell | None]:
    """The cells of a row, each once however many columns it covers."""
    return [cell for at, cell in enumerate(row) if cell is None or at == 0 or cell is not row[at - 1]]


def _alternates(row: Sequence[Cell | None]) -> bool:
    """Whether each second cell of a row, from the first on, is marked as a head, and no other one is."""
    return all(bool(cell and cell.head) == (at % 2 == 0) for at, cell in enumerate(row) if cell and cell.text.strip())


def _pair(row: list[Cell | None], at: int) -> str:
    return _pair_line(text_at(row, at), _lines_of(row, at + 1))


def _pair_line(label: str, value: str) -> str:
    if label.endswith("?") and value:
        return row_line([], [f"{label} {value}"])
    return row_line([label.rstrip(": ")], [value]) if value else row_line([], [label])


def _has_header(grid: Grid, *, of_pairs: bool = False) -> bool:
    """Whether the first row of a table without marks names the columns.

    It holds short names and no quantities, each column below them. In a table of two columns, which may as well hold
    pairs, a column must show it: numbers, in each row, under a name without one, and of one kind.
    """
    first, below = grid[0], grid[1:]
    heads = {at: text for at in range(len(first)) if (text := text_at(first, at))}
    if not heads or any(len(text) > LONGEST_HEAD or _is_sentence(text) for text in heads.values()):
        return False
    columns = [[text_at(row, column) for row in below] for column in range(len(first))]
    is_shown = any(not _VALUE.search(text) and _has_values(columns[at]) for at, text in heads.items())
    if of_pairs:
        return (is_shown and not of_many_kinds(columns[-1])) or 0 not in heads
    return is_shown or all(_may_head(text, columns[at]) for at, text in heads.items())


def _has_values(column: Sequence[str]) -> bool:
    """Whether each cell that is filled holds a number, and one is."""
    return any(column) and all(_VALUE.search(text) for text in column if text)


def _may_head(text: str, column: Sequence[str]) -> bool:
    """Whether a cell may name its column: it is no amount, and a date or time only where the column has none."""
    for kind in (_DATE, _TIME):
        if kind.fullmatch(text):
            return not any(kind.fullmatch(other) for other in column)
    return not is_quantity(text)


def _is_sentence(text: str) -> bool:
    """Whether a cell ends a sentence; a head may end in a short form ("Article no.")."""
    return text.endswith(".") and len(text.split()) > _MOST_HEAD_WORDS


def _ends(label: str) -> bool:
    return label.endswith("!") or _is_sentence(label)


def of_many_kinds(column: Sequence[str]) -> bool:
    """Whether cells hold numbers of units of their own ("14 kg", "2 kW"), dates among amounts, or rates among sums."""
    plain = [text for text in column if _PLAIN.fullmatch(text)]
    sizes = [abs(float(text)) for text in plain if float(text)]
    dates = sum(bool(_DATE.fullmatch(text)) for text in column)
    if plain and 0 < dates < len(column) - 1 and not any(map(_YEAR.fullmatch, column)):
        return True
    if 0 < sum("." in text for text in plain) < len(plain) and sizes and max(sizes) > _MANY_TIMES * min(sizes):
        return True
    units = {_NUMBER.sub("", text).casefold() for text in column if is_quantity(text) or _YEAR.fullmatch(text)}
    return len(column) > 1 and len(units) * 2 > len(column)


def _lays_out(grid: Grid) -> bool:
    """Whether a table without heads lays out a page: cells of several blocks, or most of them long."""
    cells = {id(cell): cell for row in grid for cell in row if cell and cell.text.strip()}.values()
    if any(cell.head for cell in cells):
        return False
    blocks = sum(cell.is_part or ("\n\n" in cell.text and len(cell.text) > 2 * LONGEST_HEAD) for cell in cells)
    first = [text_at(row, 0) for row in grid]
    return blocks * 2 > len(cells) or all(len(text) > 2 * LONGEST_HEAD for text in first)


def _as_text(row: list[Cell | None]) -> list[str]:
    return [block.text for block in _as_blocks(row)]


def _as_blocks(row: list[Cell | None]) -> list[Draft]:
    """The cells of a row one after the other, each as what it is made of."""
    found: list[Draft] = []
    previous: Cell | None = None
    cells = [cell for cell in row if cell and cell.text.strip()]
    if len(cells) == 2 and cells[0].head and not cells[1].head:
        return [Draft(_pair_line(" ".join(cells[0].text.split()), cells[1].text.strip()))]
    once = [cell for at, cell in enumerate(cells) if at == 0 or cell is not cells[at - 1]]
    if lines := _side_by_side([[*once]], by_colons=True):
        return [Draft(line, "pair") for line in lines]
    for cell in cells:
        if cell is not previous:
            found += cell.blocks or (Draft(cell.text.strip()),)
        previous = cell
    return found


def _lines_of(row: list[Cell | None], column: int) -> str:
    """What a cell holds, its lines as they are."""
    cell = row[column] if column < len(row) else None
    return cell.text.strip() if cell else ""


@lru_cache(maxsize=4096)
def _head(name: str) -> str:
    return " ".join(name.split())[:LONGEST_TITLE].rstrip(": ")
