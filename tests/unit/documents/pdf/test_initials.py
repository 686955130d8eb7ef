"""An initial that is as high as several lines begins the first of them."""

from __future__ import annotations

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.made import one
from tests.unit.documents.pdf.test_pdf import lines, pdf

REST = (
    "ranvik lies at the end of a fjord whose",
    "shores are so steep that no road leads",
    "to it, and whoever wants to get there has to go",
    "by boat, or over the pass in summer.",
)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("high", [2, 3])
def test_an_initial_begins_its_word(high: int, before: bool) -> None:
    def page(canvas: Canvas) -> None:
        def initial() -> None:
            canvas.setFont("Times-Roman", 19 * high)
            canvas.drawString(60, 700 - 14 * (high - 1), "G")
            canvas.setFont("Helvetica", 11)

        initial() if before else None
        for at, text in enumerate(REST):
            canvas.drawString(64 + 14 * high if at < high else 60, 700 - 14 * at, text)
        None if before else initial()

    assert one(pdf(page), "a.pdf").text == "G" + " ".join(REST)


def test_a_large_letter_beside_one_line_is_its_own() -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 84, 700, "Ways to the pier")
        canvas.setFont("Helvetica", 30)
        canvas.drawString(60, 700, "B")

    assert "BWays" not in one(pdf(page), "a.pdf").text
