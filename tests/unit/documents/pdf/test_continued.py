"""Drawn tables of a PDF that go on over the end of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.made import one
from tests.unit.documents.pdf.test_pdf import pdf

XS = (60, 160, 420, 500)
HEADS = ("Vessel", "Work that was done", "Kroner")
ROWS = (("Tern", "New planks", "410"), ("Gull", "Caulked and painted", "95"))
MORE = (("Skua", "A new mast", "720"), ("Auk", "Sails mended", "60"))


def drawn(*rows: Sequence[str], top: float, xs: Sequence[float] = XS) -> Callable[[Canvas], None]:
    """A table whose cells may have several lines."""

    def draw(canvas: Canvas) -> None:
        y = top
        canvas.line(xs[0], y, xs[-1], y)
        for row in rows:
            high = 16 * max(text.count("\n") + 1 for text in row)
            for x, text in zip(xs, row, strict=False):
                for at, line in enumerate(text.split("\n")):
                    canvas.drawString(x + 4, y - 12 - 14 * at, line)
            for x in xs:
                canvas.line(x, y, x, y - high)
            y -= high
            canvas.line(xs[0], y, xs[-1], y)

    return draw


def text_above(
    draw: Callable[[Canvas], None], text: str = "What was done to the boats in spring is told here."
) -> Callable[[Canvas], None]:
    def both(canvas: Canvas) -> None:
        canvas.drawString(60, 760, text)
        draw(canvas)

    return both


def told(*pages: Callable[[Canvas], None]) -> list[str]:
    found = one(pdf(*pages), "a.pdf")
    return [found.text[block.start : block.end] for block in found.blocks]


@pytest.mark.parametrize("again", [(), (HEADS,)], ids=["heads once", "heads again"])
def test_the_heads_of_a_table_count_on_the_next_page(again: tuple[Sequence[str], ...]) -> None:
    found = told(text_above(drawn(HEADS, *ROWS, top=200)), drawn(*again, *MORE, top=760))
    assert found[1:] == [
        f"Vessel: {vessel}; Work that was done: {work}; Kroner: {kroner}." for vessel, work, kroner in (*ROWS, *MORE)
    ]


def test_rows_stand_on_the_pages_on_which_they_begin() -> None:
    found = one(
        pdf(
            drawn(HEADS, *ROWS, top=200),
            drawn(*MORE, top=760),
            drawn(("Kite", "Oars", "15"), ("Erne", "Oars", "16"), top=760),
        ),
        "a.pdf",
    )
    starts = [found.text.index(name) - len("Vessel: ") for name in ("Tern", "Skua", "Kite")]
    assert list(found.pages) == starts


@pytest.mark.parametrize(
    ("last", "first", "whole"),
    [
        (
            ("Kite", "The keel was laid bare and", "88"),
            ("", "tarred twice.", ""),
            "The keel was laid bare and tarred twice.",
        ),
        (
            ("Kite", "The keel was laid bare.", "88"),
            ("", "It was tarred twice.", ""),
            "The keel was laid bare. It was tarred twice.",
        ),
        (("Kite", "The old re-", "88"), ("", "mains of the keel went.", ""), "The old remains of the keel went."),
    ],
    ids=["sentence", "sentences", "word"],
)
def test_a_row_that_the_end_of_a_page_tears_is_one(last: Sequence[str], first: Sequence[str], whole: str) -> None:
    found = told(text_above(drawn(HEADS, *ROWS, last, top=200)), drawn(first, *MORE, top=760))
    assert found[3] == f"Vessel: Kite; Work that was done: {whole}; Kroner: 88."
    assert found[4:] == [
        f"Vessel: {vessel}; Work that was done: {work}; Kroner: {kroner}." for vessel, work, kroner in MORE
    ]


def test_a_sum_without_a_label_is_a_row_of_its_own() -> None:
    found = told(text_above(drawn(HEADS, *ROWS, top=200)), drawn(("", "", "505"), top=760))
    assert found[2].endswith("Kroner: 95.")


@pytest.mark.parametrize(
    "second",
    [
        text_above(drawn(*MORE, top=700), "These boats lie in Vik, and were there all winter."),
        drawn(*MORE, top=760, xs=(60, 260, 420, 500)),
        drawn(("Harbour", "Keeper", "Berths"), ("Holm", "Ida Falk", "12"), ("Vik", "Jon Ek", "7"), top=760),
    ],
    ids=["below text", "other columns", "heads of its own"],
)
def test_another_table_on_the_next_page_is_none_of_it(second: Callable[[Canvas], None]) -> None:
    found = told(text_above(drawn(HEADS, *ROWS, top=200)), second)
    assert sum("Vessel: " in line for line in found) == len(ROWS)


@pytest.mark.parametrize(
    ("last", "alone", "line"),
    [
        (
            ("Kite", "The keel was laid bare and", "88"),
            ("", "tarred twice", ""),
            "The keel was laid bare and tarred twice",
        ),
        (("Erne", "Rudder", "12"), ("Kite", "Two pumps", "88"), "Two pumps"),
    ],
    ids=["torn", "last"],
)
def test_one_row_alone_on_the_next_page(last: Sequence[str], alone: Sequence[str], line: str) -> None:
    found = told(text_above(drawn(HEADS, *ROWS, last, top=200)), text_above(drawn(alone, top=760), ""))
    assert found[-1] == f"Vessel: Kite; Work that was done: {line}; Kroner: 88."
