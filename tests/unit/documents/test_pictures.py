"""What is written about a picture is read where it tells something, in every format that has it."""

from __future__ import annotations

import base64
import io

import docx
import pptx
import pytest

from clew.documents.pictures import picture_blocks
from tests.unit.documents.made import blocks, one, saved

DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
TOLD = "Chart of the fairway between Alm and Osby"


NOTHING = ["", "Our logo", "IMG_2034.jpg", "quay-final.PNG", "https://alm.example/a", "Grafik 3"]
GUESSED = "A picture containing text, outdoor Description automatically generated"


@pytest.mark.parametrize("written", [*NOTHING, GUESSED])
def test_what_tells_nothing(written: str) -> None:
    assert picture_blocks(written) == []


def test_pictures_of_a_web_page() -> None:
    page = f"""<h1>Alm</h1><p>The quay is <img alt="{TOLD}" src=a.png> long.</p><p>It is of stone.</p>
      <figure><a href="b.html"><img alt="Nine boats in the basin at dusk" src=b.jpg></a>
      <figcaption>Evening</figcaption></figure>
      <a href="c.html"><img alt="Read the story of Osby" src=c.png></a><a href="d.jpg"><img src=e.jpg
      alt="The lock house seen from upstream"></a>
      <img role=presentation alt="a row of blue waves"><img width=16 alt="a link to elsewhere">
      <img alt="It is of stone"><img alt="{TOLD}"><nav><img alt="the way to the harbour"></nav>"""
    found = one(page, "x.html")
    assert found.text.split("\n\n") == [
        "Alm",
        "The quay is long.",
        TOLD,
        "It is of stone.",
        "Nine boats in the basin at dusk",
        "Evening",
        "The lock house seen from upstream",
    ]
    assert [block.kind for block in found.blocks][2] == "caption"


def test_pictures_in_word() -> None:
    document = docx.Document()
    document.add_paragraph("Depths are in metres.")
    for told in (TOLD, "image1.png"):
        document.add_picture(io.BytesIO(DOT))
        document.inline_shapes[-1]._inline.docPr.set("descr", told)
    document.add_paragraph("Buoys are lit.")
    found = one(saved(document), "x.docx")
    assert found.text.split("\n\n")[:3] == ["Depths are in metres.", TOLD, "Buoys are lit."]
    assert found.blocks[1].kind == "caption"


def test_pictures_on_slides() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    first, second = (slide.shapes.add_picture(io.BytesIO(DOT), 0, 0) for _ in range(2))
    first._element.nvPicPr.cNvPr.set("descr", TOLD)
    second._element.nvPicPr.cNvPr.set("descr", "image.png")
    assert blocks(saved(deck), "x.pptx")[0] == TOLD
