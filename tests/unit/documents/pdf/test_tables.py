"""Tables of a PDF without lines: rows stay whole, cells wrap, columns may be close; what only looks so is text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.made import one
from tests.unit.documents.pdf.test_pdf import LEFT, RIGHT, lines, pdf

Row = Sequence[str]
LONG = "Long names of apples in the first column and their prices in the last one are read as one row each,"


def blocks(draw: object) -> list[str]:
    found = one(pdf(draw), "a.pdf")  # type: ignore[arg-type]
    return [found.text[block.start : block.end] for block in found.blocks]


def table(canvas: Canvas, rows: Sequence[Row], xs: Sequence[float], y: float = 700, step: float = 14) -> None:
    for at, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            canvas.drawString(x, y - at * step, text)


FISH = (
    ("Herring", "410", "395", "120", "131"),
    ("Mackerel", "88", "92", "40", "37"),
    ("Saithe", "205", "260", "77", "81"),
    ("Haddock", "61", "58", "12", "19"),
)


def test_heads_in_bold_make_a_table_of_words() -> None:
    rows = [("Guard", "Place", "Deputy"), ("Liv Aas", "Upper gate", "Per Moe"), ("Jo Tveit", "Pier", "Una Lie")]

    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 11)
        table(canvas, rows[:1], (60, 300, 440))
        canvas.setFont("Helvetica", 11)
        table(canvas, rows[1:], (60, 300, 440), y=686)

    assert blocks(page) == [
        "Guard: Liv Aas; Place: Upper gate; Deputy: Per Moe.",
        "Guard: Jo Tveit; Place: Pier; Deputy: Una Lie.",
    ]


@pytest.mark.parametrize("middle", [False, True], ids=["at the top", "in the middle"])
def test_cells_that_wrap_stay_in_their_row(middle: bool) -> None:
    def page(canvas: Canvas) -> None:
        table(canvas, [("Duty", "What it means", "Days")], (60, 160, 420))
        tall = [
            ("Watch", "The bell is rung at every full hour, and who-", "ever hears it twice calls the pilot.", "12")
        ]
        tall += [("Boats", "Ropes and lanterns are looked at before a", "boat leaves the pier.", "31")]
        for at, (first, upper, lower, last) in enumerate(tall):
            y = 676 - 38 * at
            lines(canvas, 160, y, upper, lower, step=13)
            table(canvas, [(first, last)], (60, 420), y=y - 6.5 * middle)
        table(canvas, [("Log", "It is signed.", "1")], (60, 160, 420), y=600)

    assert blocks(page) == [
        "Duty: Watch; What it means: The bell is rung at every full hour, and whoever hears it twice calls the pilot.; "
        "Days: 12.",
        "Duty: Boats; What it means: Ropes and lanterns are looked at before a boat leaves the pier.; Days: 31.",
        "Duty: Log; What it means: It is signed.; Days: 1.",
    ]


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "in a column of the page"])
def test_columns_less_than_a_letter_apart_are_columns(beside: bool) -> None:
    rows = [
        ("Well", "Wet", "Dry"),
        ("Aske", "11.25", "14.80"),
        ("Brunn", "10.40", "17.15"),
        ("Dal", "9.90", "8.35"),
    ]

    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 760, *LEFT)
        for at, (well, wet, dry) in enumerate(rows):
            canvas.drawString(60, 680 - 14 * at, well)
            canvas.drawRightString(142, 680 - 14 * at, wet)
            canvas.drawRightString(180, 680 - 14 * at, dry)
        lines(canvas, 60, 600, *LEFT)
        if beside:
            lines(canvas, 320, 760, *RIGHT * 4)

    assert [block for block in blocks(page) if "Well" in block] == [
        "Well: Aske; Wet: 11.25; Dry: 14.80.",
        "Well: Brunn; Wet: 10.40; Dry: 17.15.",
        "Well: Dal; Wet: 9.90; Dry: 8.35.",
    ]


def test_three_columns_of_text_are_no_table() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for x, name in ((50, "Corran"), (220, "Strome"), (390, "Kylesku")):
            first = f"The ferry of {name} was built in"
            lines(
                canvas, x, 760, first, *LEFT[1:], "It had two decks and a crew of nine,", "who lived on the far shore."
            )

    found = blocks(page)
    assert [name for block in found for name in ("Corran", "Strome", "Kylesku") if name in block] == [
        "Corran",
        "Strome",
        "Kylesku",
    ]
    assert not any(";" in block for block in found)


@pytest.mark.parametrize("lines_above", [1, 2])
def test_heads_that_are_the_same_under_wider_ones_are_told_with_these(lines_above: int) -> None:
    wide = (("Landed", "Sold abroad"), ("(tons)", "(tons)"))[:lines_above]
    told = [" ".join(words) for words in zip(*wide, strict=True)]

    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 760, "What the boats of the county brought home in two years is told in this list.")
        for at, words in enumerate(wide):
            table(canvas, [words], (250, 430), y=700 - 14 * at)
        rows = (("", "2019", "2020", "2019", "2020"), *FISH)
        table(canvas, rows[:1], (60, 240, 310, 420, 490), y=700 - 14 * lines_above)
        table(canvas, rows[1:], (60, 240, 310, 420, 490), y=686 - 14 * lines_above)

    assert blocks(draw)[1:] == [
        f"{fish}; {told[0]} 2019: {a}; {told[0]} 2020: {b}; {told[1]} 2019: {c}; {told[1]} 2020: {d}."
        for fish, a, b, c, d in FISH
    ]


def test_rows_of_a_table_between_rules_know_their_cells_and_heads_of_two_levels() -> None:
    def draw(canvas: Canvas) -> None:
        table(canvas, [("Cases", "Deaths")], (240, 420), y=714)
        table(canvas, [("Cause", "number", "rate", "number", "rate")], (60, 240, 310, 420, 490), y=700)
        table(canvas, FISH, (60, 240, 310, 420, 490), y=682)
        for y, left in ((728, 60), (711, 235), (694, 60), (632, 60)):
            canvas.line(left, y, 520, y)

    found = one(pdf(draw), "a.pdf")
    row = next(block for block in found.blocks if block.kind == "row")
    assert [(cell.heads, found.text[cell.start : cell.end]) for cell in row.cells[:3]] == [
        (("Cause",), "Herring"),
        (("Cases", "number"), "410"),
        (("Cases", "rate"), "395"),
    ]
