"""Headings: where each stands in the text, and its level, in every format that marks them."""

from __future__ import annotations

import docx
import pytest

from clew.ingest.formats.blocks import outline
from tests.unit.ingest.formats.made import one, saved


def word() -> bytes:
    document = docx.Document()
    document.add_heading("The coast", 1)
    document.add_paragraph("The yard is old. The yard")
    document.add_heading("The yard", 2)
    document.add_paragraph("It was built in 1840.")
    return saved(document)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.md", b"# The coast\n\nThe yard is old. The yard\n\n## The *yard*\n\nIt was built in 1840."),
        ("x.html", b"<h1>The coast</h1><p>The yard is old. The yard<h2>The <i>yard</i></h2><p>It was built in 1840."),
        ("x.org", b"* The coast\nThe yard is old. The yard\n** The yard\nIt was built in 1840."),
        ("x.docx", word()),
    ],
)
def test_headings_are_told_with_their_places(name: str, data: bytes) -> None:
    found = one(data, name)
    assert [(found.text[start:end], level) for start, end, level in found.headings] == [
        ("The coast", 1),
        ("The yard", 2),
    ]
    assert found.text[: found.headings[1][0]].endswith("old. The yard\n\n")


def test_an_outline_finds_whole_blocks_only_and_in_order() -> None:
    text = "One\n\nOne more\n\nOne\n\nTwo"
    assert outline(text, [(1, "One"), (2, "One"), (1, "Missing"), (1, "Two"), (1, " ")]) == (
        (0, 3, 1),
        (15, 18, 2),
        (20, 23, 1),
    )
