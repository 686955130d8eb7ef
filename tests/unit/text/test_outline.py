"""Where something stands in a document's structure: its block, the headings above it, and how that is kept."""

from __future__ import annotations

from clew.text.outline import above, as_json, from_json
from clew.types import Block

TEXT = "Lease\n\nRent\n\nIt is due.\n\nDeposit\n\nTwo months.\n\nRepairs\n\nThe owner pays."


def block(kind: str, words: str, level: int = 0) -> Block:
    return Block(kind, TEXT.index(words), TEXT.index(words) + len(words), level)  # type: ignore[arg-type]


BLOCKS = (
    block("heading", "Lease", 1),
    block("heading", "Rent", 2),
    block("paragraph", "It is due."),
    block("heading", "Deposit", 3),
    block("item", "Two months.", 1),
    block("heading", "Repairs", 2),
    block("paragraph", "The owner pays."),
)


def way(words: str) -> list[str]:
    return [TEXT[one.start : one.end] for one in above(BLOCKS, TEXT.index(words))]


def test_a_place_lies_under_the_nearest_headings_of_each_level() -> None:
    assert way("It is due.") == ["Lease", "Rent"]
    assert way("Two months.") == ["Lease", "Rent", "Deposit"]
    assert way("The owner pays.") == ["Lease", "Repairs"]
    assert way("Lease") == []  # a heading does not lie under itself
    assert way("Deposit") == ["Lease", "Rent"]
    assert above((), 5) == []


def test_what_tells_of_all_the_document_lies_under_no_heading() -> None:
    author = Block("metadata", len(TEXT) + 2, len(TEXT) + 17)
    assert above((*BLOCKS, author), len(TEXT) + 5) == []


def test_blocks_come_back_as_they_were_kept() -> None:
    assert from_json(as_json(BLOCKS)) == BLOCKS
    assert as_json([BLOCKS[2]]) is None  # nothing but paragraphs is no structure
    assert from_json(None) == ()
