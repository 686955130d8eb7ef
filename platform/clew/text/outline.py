"""Where in a document's structure something stands: its block, and the headings above it."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from clew.text.names import key
from clew.types import Block

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


def section(title: str, names: Iterable[str]) -> str:
    """The way to a place through its headings, without the document's title: "Rent › Deposit"."""
    lines = [" ".join(name.split()) for name in names]
    return " › ".join(line for line in lines if key(line) != key(title))[:LONGEST_SECTION]


def as_json(blocks: Sequence[Block]) -> str | None:
    """Blocks as JSON for the graph; None for a text that has nothing but paragraphs."""
    if all(block.kind == "paragraph" for block in blocks):
        return None
    return json.dumps([[block.kind, block.start, block.end, block.level] for block in blocks], separators=(",", ":"))


def from_json(written: str | None) -> tuple[Block, ...]:
    """The blocks that ``as_json`` wrote; none where there are none, as in documents that were ingested long ago."""
    return tuple(Block(*one) for one in json.loads(written or "[]"))
