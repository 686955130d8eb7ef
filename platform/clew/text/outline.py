"""Where in a document's structure something stands: its block, and the headings above it."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clew.text.cell_values import value_of
from clew.text.names import key
from clew.types import SHEET, Block, Cell, Document, Table, Value

_PLACE = 4
"""What is written of a block without cells: kind, start, end, level."""
LONGEST_SECTION = 200
"""Characters of the headings above a place, at most."""


def headings(blocks: Sequence[Block]) -> list[Block]:
    """The headings among some blocks."""
    return [block for block in blocks if block.kind == "heading"]


def block_at(blocks: Sequence[Block], position: int) -> Block | None:
    """The block that an offset lies in; None between two, and in a document without structure."""
    at = bisect_right(blocks, position, key=lambda block: block.start) - 1
    return blocks[at] if at >= 0 and position < blocks[at].end else None


def above(blocks: Sequence[Block], position: int) -> list[Block]:
    """The headings that an offset lies under, widest first; none for what tells of the whole document."""
    if (here := block_at(blocks, position)) and here.kind == "metadata":
        return []
    found: list[Block] = []
    for block in headings(blocks[: bisect_right(blocks, position, key=lambda block: block.start)]):
        found = [*(wider for wider in found if wider.level < block.level), block]
    return [block for block in found if block.end <= position]


def headings_above(document: Document, position: int) -> Iterator[str]:
    """The headings that an offset of a document lies under, widest first, without the document's title."""
    for block in above(document.blocks, position):
        line = " ".join(document.text[block.start : block.end].split())
        if key(line) != key(document.title):
            yield line[:LONGEST_SECTION]


def heading(block: Block, words: str) -> str:
    """The words of a heading as a place is called by it: "sheet Budget"."""
    return f"sheet {words}" if words and block.level == SHEET else words


def section(title: str, names: Iterable[str]) -> str:
    """The way to a place through its headings, without the document's title: "Rent › Deposit"."""
    lines = [" ".join(name.split()) for name in names]
    return " › ".join(line for line in lines if key(line) != key(title))[:LONGEST_SECTION]


def as_json(blocks: Sequence[Block]) -> str | None:
    """Blocks as JSON for the graph; None for a text that has nothing but paragraphs."""
    return None if all(block.kind == "paragraph" for block in blocks) else to_json(blocks)


def to_json(blocks: Sequence[Block]) -> str:
    """Blocks as JSON, also where all are paragraphs.

    Tables and heads of columns are written once, cells as steps from the one before, so that a row costs a few figures.
    """
    tables: dict[Table, int] = {}
    heads: dict[tuple[str, ...], int] = {}
    written = [_packed(block, tables, heads) for block in blocks]
    named = [[table.number, table.caption, table.unit, table.scale] for table in tables]
    found = {"blocks": written, "tables": named, "heads": list(heads)} if heads else written
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def from_json(written: str | None, text: str = "", offset: int = 0) -> tuple[Block, ...]:
    """The blocks that ``as_json`` wrote; none where there are none.

    ``text`` begins at ``offset`` of the document: with it, cells have their typed values.
    """
    found = json.loads(written or "[]")
    if isinstance(found, list):
        return tuple(Block(*one) for one in found)
    tables = [Table(*one) for one in found["tables"]]
    heads = [tuple(one) for one in found["heads"]]
    return tuple(_unpacked(one, tables, heads, text, offset) for one in found["blocks"])


def blocks_within(blocks: Sequence[Block], start: int, end: int) -> tuple[Block, ...]:
    """The blocks that have a part in ``start:end`` of a document."""
    first = max(0, bisect_right(blocks, start, key=lambda block: block.start) - 1)
    last = bisect_right(blocks, end - 1, key=lambda block: block.start)
    return tuple(block for block in blocks[first:last] if block.end > start)


def _packed(block: Block, tables: dict[Table, int], heads: dict[tuple[str, ...], int]) -> list[Any]:
    place = [block.kind, block.start, block.end, block.level]
    if not block.cells and not block.table:
        return place
    steps, at = [], block.start
    for cell in block.cells:
        head = heads.setdefault(cell.heads, len(heads))
        steps += [cell.start - at, cell.end - cell.start, -1 - head if cell.names_row else head]
        at = cell.end
    table = tables.setdefault(block.table, len(tables)) if block.table else -1
    return [*place, steps, table, *filter(None, [block.part])]


def _unpacked(
    one: list[Any], tables: Sequence[Table], heads: Sequence[tuple[str, ...]], text: str, offset: int
) -> Block:
    if len(one) <= _PLACE:
        return Block(*one)
    kind, start, end, level, steps, number, *part = one
    table = tables[number] if number >= 0 else None
    unit, scale = (table.unit, table.scale) if table else ("", 1.0)
    cells, at, row = [], start, ""
    for gap, length, head in zip(steps[::3], steps[1::3], steps[2::3], strict=True):
        begin, at = at + gap, at + gap + length
        names = heads[-1 - head if head < 0 else head]
        value = Value("text")
        if offset <= begin and at <= offset + len(text):
            words = text[begin - offset : at - offset]
            row = row or (words if head < 0 else "")
            value = value_of(words, names, unit, scale, row)
        cells.append(Cell(begin, at, names, head < 0, value))
    return Block(kind, start, end, level, tuple(cells), table, *part)
