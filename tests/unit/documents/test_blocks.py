"""One structure for all formats: what each block is, and that blocks in their order are the whole text."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import docx
import pptx
import pytest
from reportlab.pdfgen.canvas import Canvas

from clew.documents.format import Input
from clew.documents.isolated import Reader
from clew.documents.parsed import Parsed
from tests.unit.documents.made import LIMIT, archive, items, one, row, saved, workbook

EXAMPLES = Path(__file__).parents[3] / "examples" / "encyclopaedia"

Kinds = list[tuple[str, str, int]]


def kinds(found: Parsed) -> Kinds:
    """Kind, words and level of each block."""
    return [(block.kind, found.text[block.start : block.end], block.level) for block in found.blocks]


def assert_whole(found: Parsed) -> None:
    """Blocks follow each other, and nothing but blank lines lies between them."""
    at = 0
    for block in found.blocks:
        assert at <= block.start < block.end <= len(found.text)
        assert not found.text[at : block.start].strip()
        at = block.end
    assert not found.text[at:].strip()


MARKDOWN = """\
---
author: Anna Berg
---
# The yard

It builds boats.[^1]

- oars
  - of ash

| Boat | Length |
|---|---|
| Tern | 9 m |

Keel
: the lowest timber

```
import Mast
```

[^1]: Since 1840.
"""

HTML = """<h1>The yard</h1><p>It builds boats.</p><ul><li>oars<ul><li>of ash</li></ul></li></ul>
<table><caption>Boats</caption><tr><th>Boat<th>Length<tr><td>Tern<td>9 m</table>
<dl><dt>Keel<dd>the lowest timber</dl><pre><code>import Mast</code></pre>
<figure><figcaption>The slip</figcaption></figure>"""


def word() -> bytes:
    document = docx.Document()
    document.core_properties.author = "Anna Berg"
    document.add_heading("The yard", 1)
    document.add_paragraph("It builds boats.")
    document.add_paragraph("oars", style="List Bullet")
    document.add_paragraph("of ash", style="List Bullet 2")
    table = document.add_table(2, 2)
    for at, words in enumerate(("Boat", "Length", "Tern", "9 m")):
        table.cell(at // 2, at % 2).text = words
    document.add_paragraph("Fig. 1: The slip", style="Caption")
    return saved(document)


def slides() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "The yard"
    slide.placeholders[1].text = "It builds boats."
    slide.notes_slide.notes_text_frame.text = "Say hello."
    deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "Prices"
    return saved(deck)


def sheets() -> bytes:
    def table(what: str) -> str:
        return row(1, "Made here") + row(3, "What", "Length") + row(4, what, "9 m") + row(5, "Others", "4 m")

    return workbook({"Boats": table("Tern"), "Oars": table("Ash")})


def pdf() -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, invariant=True)
    for size, bold, y, words in (
        (18, True, 780, "The yard"),
        (10, False, 740, "It builds boats of larch, and has done so for as long as anybody remembers."),
        (12, True, 700, "Prices"),
        (10, False, 680, "They are told to whoever asks, in the morning of any day but Sunday."),
        (10, True, 640, "For members"),
        (10, False, 620, "Whoever has been a member for more than a year pays half of what is told."),
        (24, False, 580, "1,200 kg"),
        (10, False, 540, "- oars of ash, which are made in winter when there is little else to do"),
    ):
        canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        canvas.drawString(60, y, words)
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "made", "expected"),
    [
        (
            "x.md",
            MARKDOWN.encode,
            [
                ("heading", "The yard", 1),
                ("paragraph", "It builds boats.", 0),
                ("item", "oars", 0),
                ("item", "oars: of ash", 1),
                ("row", "Boat: Tern; Length: 9 m.", 0),
                ("pair", "Keel: the lowest timber", 0),
                ("code", "import Mast", 0),
                ("note", "Since 1840.", 0),
                ("metadata", "author: Anna Berg.", 0),
            ],
        ),
        (
            "x.html",
            HTML.encode,
            [
                ("heading", "The yard", 1),
                ("paragraph", "It builds boats.", 0),
                ("item", "oars", 0),
                ("item", "oars: of ash", 1),
                ("caption", "Boats", 0),
                ("row", "Boat: Tern; Length: 9 m.", 0),
                ("pair", "Keel: the lowest timber", 0),
                ("code", "import Mast", 0),
                ("caption", "The slip", 0),
            ],
        ),
        (
            "x.docx",
            word,
            [
                ("heading", "The yard", 1),
                ("paragraph", "It builds boats.", 0),
                ("item", "oars", 0),
                ("item", "oars: of ash", 1),
                ("row", "Boat: Tern; Length: 9 m.", 0),
                ("caption", "Fig. 1: The slip", 0),
                ("metadata", "author: Anna Berg.", 0),
            ],
        ),
        (
            "x.pptx",
            slides,
            [
                ("heading", "The yard", 2),
                ("item", "It builds boats.", 0),
                ("note", "Say hello.", 0),
                ("heading", "Prices", 2),
            ],
        ),
        (
            "x.xlsx",
            sheets,
            [
                ("heading", "Boats", 0),
                ("paragraph", "Made here", 0),
                ("row", "What: Tern; Length: 9 m.", 0),
                ("row", "What: Others; Length: 4 m.", 0),
                ("heading", "Oars", 0),
                ("paragraph", "Made here", 0),
                ("row", "What: Ash; Length: 9 m.", 0),
                ("row", "What: Others; Length: 4 m.", 0),
            ],
        ),
        (
            "x.ipynb",
            lambda: json.dumps(
                {
                    "cells": [
                        {"cell_type": "markdown", "source": "## The yard\n\nIt builds boats."},
                        {"cell_type": "code", "source": "import Mast", "outputs": [{"text": "Mast 1"}]},
                    ]
                }
            ).encode(),
            [
                ("heading", "The yard", 2),
                ("paragraph", "It builds boats.", 0),
                ("code", "import Mast", 0),
                ("code", "Mast 1", 0),
            ],
        ),
        (
            "x.xml",
            b"<article><title>The yard</title><sec id='s1'><title>Prices</title><p>They are told.</p>"
            b"<sec><title>Members</title><p>They pay half.</p></sec></sec></article>".strip,
            [
                ("paragraph", "title: The yard.", 0),
                ("heading", "Prices", 1),
                ("paragraph", "They are told.", 0),
                ("heading", "Members", 2),
                ("paragraph", "They pay half.", 0),
            ],
        ),
        (
            "x.csv",
            b"Boats of the yard\n\nBoat;Length\nTern;9 m\nAurora;12 m\n".strip,
            [
                ("caption", "Boats of the yard", 0),
                ("row", "Boat: Tern, Length: 9 m.", 0),
                ("row", "Boat: Aurora, Length: 12 m.", 0),
            ],
        ),
        (
            "x.txt",
            b"The yard\n\nIt builds boats.\nOf larch.".strip,
            [("heading", "The yard", 2), ("paragraph", "It builds boats.\nOf larch.", 0)],
        ),
        (
            "x.org",
            b"* The yard\nIt builds boats.\n** Prices\n#+begin_src python\nimport Mast\n#+end_src\n".strip,
            [
                ("heading", "The yard", 1),
                ("paragraph", "It builds boats.", 0),
                ("heading", "Prices", 2),
                ("code", "import Mast", 0),
            ],
        ),
        (
            "x.eml",
            b"From: Anna Berg <a@x.example>\nSubject: The yard\n\nIt builds boats.\n\nOf larch.".strip,
            [
                ("metadata", "From: Anna Berg <a@x.example>\nSubject: The yard", 0),
                ("paragraph", "It builds boats.", 0),
                ("paragraph", "Of larch.", 0),
            ],
        ),
    ],
)
def test_a_format_tells_what_its_blocks_are(name: str, made: Callable[[], bytes], expected: Kinds) -> None:
    found = one(made(), name)
    assert kinds(found) == expected
    assert_whole(found)


def test_headings_of_a_pdf_are_told_by_their_letters() -> None:
    found = one(pdf(), "x.pdf")
    told = [(words, level) for kind, words, level in kinds(found) if kind == "heading"]
    assert told == [("The yard", 1), ("Prices", 2), ("For members", 3)]  # a large figure is none
    assert [words[:6] for kind, words, _ in kinds(found) if kind == "item"] == ["- oars"]
    assert_whole(found)


def test_pages_and_chapters_count_on() -> None:
    container = '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'
    book = (
        "<package><manifest><item id='a' href='a.xhtml'/><item id='b' href='b.xhtml'/></manifest>"
        "<spine><itemref idref='a'/><itemref idref='b'/></spine></package>"
    )
    found = one(
        archive(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": container,
                "b.opf": book,
                "a.xhtml": "<h1>One</h1><p>It begins.</p>",
                "b.xhtml": "<h1>Two</h1><p>It ends.</p>",
            }
        ),
        "x.epub",
    )
    assert [words for kind, words, _ in kinds(found) if kind == "heading"] == ["One", "Two"]
    assert found.blocks[2].start == found.pages[1]
    assert_whole(found)


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_the_blocks_of_a_document_are_its_whole_text(path: Path) -> None:
    for found in items(path.read_bytes(), path.name):
        assert isinstance(found, Parsed)
        assert found.blocks
        assert_whole(found)


def test_blocks_come_whole_through_the_child_that_reads() -> None:
    with Reader(20) as reader:
        (found,) = reader.read(Input(MARKDOWN.encode(), "x.md", LIMIT), "md")
    assert found == one(MARKDOWN, "x.md")
