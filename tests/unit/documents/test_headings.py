"""Headings: where each stands in the text, and its level, in every format that marks them."""

from __future__ import annotations

import docx
import pytest

from clew.documents.parsed import headline
from clew.text.outline import headings
from tests.unit.documents.made import one, saved


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
    first, second = headings(found.blocks)
    assert (found.text[first.start : first.end], first.level) == ("The coast", 1)
    assert (found.text[second.start : second.end], second.level) == ("The yard", 2)
    assert found.text[: second.start].endswith("old. The yard\n\n")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("- 7 -\n\nHarbour dues\n\nThey rose.", "Harbour dues"),
        ("1984\n\nKarin Holt\n\nIt rained.", "1984"),
        ("12\n\nIt rained all day long, and the ferry stayed.\n\nHolm", ""),
    ],
)
def test_the_number_of_a_page_is_no_title(text: str, title: str) -> None:
    assert headline(text) == title
