"""A page as a picture, and where cited words stand on it."""

from __future__ import annotations

import pytest
from reportlab.pdfgen.canvas import Canvas

from clew.documents.isolated import Reader
from clew.types import Json
from tests.unit.documents.pdf.test_pdf import lines, pdf

WORDS = ("The ferry of Corran was built in 1931, and the", "bridge in 1958. It was built in 1931 of steel.")


@pytest.fixture(scope="module")
def reader() -> Reader:
    """The child that draws."""
    return Reader(60)


def page(canvas: Canvas) -> None:
    """Two lines near the top."""
    lines(canvas, 60, 700, *WORDS)


def test_a_quote_over_two_lines_is_boxed_on_each_and_its_likely_words_apart(reader: Reader) -> None:
    quote = "and the bridge in 1958."
    found = reader.draw(pdf(page), 1, quote, [(quote.index("1958"), quote.index("1958") + 4)])
    assert found["image"].startswith("data:image/webp;base64,")
    assert (found["width"], found["height"]) == (1300, 1734)
    first, second, likely = found["boxes"]
    assert first[1] < second[1]
    assert [box[4] for box in found["boxes"]] == [False, False, True]
    assert second[0] == pytest.approx(60 / 600, abs=0.01)
    assert likely[1] == pytest.approx(1 - (700 - 14 + 10) / 800, abs=0.02)
    assert likely[0] > second[0] + second[2] - 0.01


def test_of_words_that_stand_there_twice_those_are_boxed_that_are_cited(reader: Reader) -> None:
    def top(found: Json) -> float:
        return float(found["boxes"][0][1])

    once = reader.draw(pdf(page), 1, "built in 1931")
    again = reader.draw(pdf(page), 1, "built in 1931", (), " ".join(WORDS)[:60])
    assert top(once) < top(again)


def test_boxes_stand_on_a_page_that_is_turned(reader: Reader) -> None:
    def turned(canvas: Canvas) -> None:
        canvas.setPageRotation(90)  # 600 by 800 as it is shown
        canvas.drawString(60, 500, WORDS[0])

    [[left, top, width, height, _]] = reader.draw(pdf(turned), 1, WORDS[0])["boxes"]
    assert height > width
    assert left == pytest.approx(500 / 600, abs=0.02)
    assert top == pytest.approx(60 / 800, abs=0.01)
