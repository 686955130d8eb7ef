"""Bullets that a page draws instead of setting a letter begin items; other marks do not."""

from __future__ import annotations

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.made import one
from tests.unit.documents.pdf.test_pdf import lines, pdf

ITEMS = ("Sweep the flue", "Weigh the peat that is left, and note it", "in the book of the kiln", "Lock the shed")


def read(draw: object) -> list[str]:
    found = one(pdf(draw), "a.pdf")  # type: ignore[arg-type]
    return [found.text[block.start : block.end] for block in found.blocks]


@pytest.mark.parametrize("shape", ["dot", "ring", "box"])
def test_a_drawn_bullet_begins_an_item(shape: str) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 730, "At the end of a day at the kiln of Granvik:")
        lines(canvas, 90, 700, *ITEMS)
        for at in (0, 1, 3):
            if shape == "box":
                canvas.rect(77, 702 - 14 * at, 4, 4, fill=1)
            else:
                canvas.circle(79, 704 - 14 * at, 2, fill=shape == "dot")

    assert read(page)[1:] == [f"• {ITEMS[0]}", f"• {ITEMS[1]} {ITEMS[2]}", f"• {ITEMS[3]}"]


def test_a_point_within_a_line_or_far_from_it_is_no_bullet() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(60, 700, "Kiln one")
        canvas.circle(112, 704, 2, fill=1)
        canvas.drawString(120, 700, "Kiln two")
        lines(canvas, 90, 660, "The peat is dry.")
        canvas.circle(40, 664, 2, fill=1)
        canvas.rect(66, 661, 9, 9)

    assert "•" not in " ".join(read(page))
