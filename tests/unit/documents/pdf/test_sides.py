"""What stands side by side in a PDF and has nothing to do with each other: addresses, boxes of short lines by text."""

from __future__ import annotations

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.pdf.test_pdf import lines
from tests.unit.documents.pdf.test_tables import blocks

TOLD = (
    "When the ice had gone the boats were brought down to the water, and the women who had mended nets all winter went "
    "with them as far as the skerries. They came back with the first cod of the year, which was given to the parson, "
    "for he had kept the key of the salt house since the autumn. On the next day everybody who could row was on the "
    "fjord, and nobody was left in the school but the teacher and his cat."
)
TEXT = simpleSplit(TOLD, "Helvetica", 11, 300)
HOURS = ("Office", "Mon to Thu 8–15", "Fri until noon", "closed in July", "Harbour master", "Lise Skog")


def joined(page: object) -> str:
    return " ".join(" ".join(blocks(page)).split())


@pytest.mark.parametrize("left", [False, True], ids=["on the right", "on the left"])
@pytest.mark.parametrize(("size", "step"), [(9, 11.2), (11, 14)], ids=["in smaller letters", "on the same lines"])
def test_a_box_of_short_lines_is_not_woven_into_the_text_beside_it(left: bool, size: float, step: float) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 190 if left else 60, 700, *TEXT)
        canvas.setFont("Helvetica", size)
        lines(canvas, 60 if left else 420, 700, *HOURS, step=step)

    text = joined(page)
    assert TOLD in text
    assert " ".join(HOURS) in text


@pytest.mark.parametrize("before", [2, 6], ids=["near the top", "far down"])
def test_a_box_for_which_a_few_lines_of_a_page_make_room(before: int) -> None:
    wide = simpleSplit(TOLD * 3, "Helvetica", 11, 480)
    narrow = simpleSplit(TOLD, "Helvetica", 11, 320)
    quote = ("She kept the key", "of the salt house", "all winter")

    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 760, *wide[: before * 2])
        y = 760 - 14 * before * 2
        lines(canvas, 60, y, *narrow)
        lines(canvas, 60, y - 14 * len(narrow), *wide)
        canvas.setFont("Helvetica-Bold", 15)
        lines(canvas, 400, y - 10, *quote, step=18)

    text = joined(page)
    assert " ".join(quote) in text
    assert TOLD in text


def test_each_line_of_a_box_is_a_block_but_what_wraps_is_one() -> None:
    facts = ("Boats: 40 kr", "Nets: 12 kr", "Salmon: only", "with a licence", "Eels: free")

    def page(canvas: Canvas) -> None:
        lines(canvas, 220, 700, *TEXT)
        canvas.setFont("Helvetica", 9)
        lines(canvas, 60, 700, *facts, step=11.3)

    found = blocks(page)
    assert "Nets: 12 kr" in found
    assert "Eels: free" in found
    assert "Salmon: only with a licence" in found


def test_a_box_and_the_text_after_it_are_not_joined() -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 700, "Needed", "two oars", "a bailer", "some bread", "a lantern", "three hooks")
        lines(canvas, 200, 700, *TEXT)

    assert blocks(page)[-1] == TOLD


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            ("Tømmerby Sawmill", "Åvej 19", "7741 Frøstrup"),
            ("Ruth Dahl", "Head of Purchasing", "Nygade 3", "8600 Silkeborg"),
        ),
        (
            ("Wren & Foal Ltd", "41 Barn Street", "Ludlow SY8 1AB"),
            ("Telephone 01584 220 441", "post@wrenfoal.example"),
        ),
        (
            ("Prairie Seed Co.", "880 Grain Road", "Salina, KS 67401"),
            ("Order: 7731-B", "Ordered on: 4 May 2023", "Paid: no"),
        ),
    ],
)
@pytest.mark.parametrize("step", [14, 24], ids=["close", "in cells"])
def test_addresses_side_by_side_are_no_pairs(first: tuple[str, ...], second: tuple[str, ...], step: int) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 700, *first, step=step)
        lines(canvas, 320, 700, *second, step=step)
        lines(canvas, 60, 600, *TEXT)

    found = blocks(page)
    assert found[0] == "\n".join(first)
    rest = second if ": " in second[0] else ("\n".join(second),)
    assert tuple(found[1 : 1 + len(rest)]) == rest


def test_labels_with_numbers_are_no_address() -> None:
    rows = [("Rooms", "9"), ("Year of building", "1788"), ("Lot 4412", "240 m²"), ("Plot 12", "1,100 m²")]

    def page(canvas: Canvas) -> None:
        for at, row in enumerate(rows):
            for x, cell in zip((60, 250), row, strict=True):
                canvas.drawString(x, 700 - 14 * at, cell)

    assert "Lot 4412: 240 m²." in blocks(page)


def test_places_to_sign_are_one_block_each() -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 700, "_" * 24, "for the owners", "Nils Ro, notary")
        lines(canvas, 320, 700, "_" * 24, "for the crew", "Eva Vik")

    assert blocks(page) == [f"{'_' * 24}\nfor the owners\nNils Ro, notary", f"{'_' * 24}\nfor the crew\nEva Vik"]
