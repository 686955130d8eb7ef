"""Japanese and Chinese that run down in columns from the right are read in their order, and nothing else is turned."""

from __future__ import annotations

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.made import one
from tests.unit.documents.pdf.test_pdf import pdf

SIZE = 12


def down(canvas: Canvas, x: float, y: float, text: str, size: float = SIZE) -> None:
    """A column of letters, each drawn by itself below the one before; digits lie on their side."""
    for letter in text:
        if letter.isascii():
            canvas.saveState()
            canvas.translate(x + 0.2 * size, y + 0.85 * size)
            canvas.rotate(-90)
            canvas.setFont("Helvetica", size)
            canvas.drawString(0, 0, letter)
            canvas.restoreState()
            y -= 0.56 * size
        else:
            canvas.setFont(FONT, size)
            canvas.drawString(x, y, letter)
            y -= size


FONT = "HeiseiMin-W3"


@pytest.fixture(autouse=True)
def japanese() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))


def test_columns_are_read_from_the_right_and_sentences_go_on_in_the_next() -> None:
    def page(canvas: Canvas) -> None:
        down(canvas, 500, 700, "橋の話", 20)
        down(canvas, 450, 700, "橋は1874年に架けられた。長さは百二十メートルで、")
        down(canvas, 432, 700, "木で造られている。")
        down(canvas, 380, 700, "大工の名は伊藤次郎という。")

    assert one(pdf(page), "a.pdf").text == (
        "橋の話\n\n橋は1874年に架けられた。長さは百二十メートルで、木で造られている。\n\n大工の名は伊藤次郎という。"
    )


def test_the_upper_tier_is_read_before_the_lower_one() -> None:
    upper = (
        "春には市が立ち、遠くの村からも人が来て魚や",
        "布を買う。夏には舟の競争があり、どの村からも",
        "若い者が出て、港から島まで漕いで帰ってくる。",
    )
    lower = (
        "秋には米を倉に運び、冬には雪の中で紙を作り",
        "春まで干しておく。その紙は白くて強く、都でも",
        "よく売れるので、村には大きな家が何軒もある。",
    )

    def page(canvas: Canvas) -> None:
        for at, (above, below) in enumerate(zip(upper, lower, strict=True)):
            down(canvas, 500 - 24 * at, 750, above)
            down(canvas, 500 - 24 * at, 450, below)

    assert one(pdf(page), "a.pdf").text == "".join((*upper, *lower))


def test_cells_below_each_other_do_not_make_a_page_run_down() -> None:
    rows = (("町", "人口", "市長"), ("東野", "三千", "林"), ("西浜", "九千", "森"), ("南山", "二千", "原"))

    def page(canvas: Canvas) -> None:
        canvas.setFont(FONT, SIZE)
        for line, row in enumerate(rows):
            for column, cell in enumerate(row):
                canvas.drawString(100 + 120 * column, 700 - 18 * line, cell)

    assert one(pdf(page), "a.pdf").text.startswith("町: 東野; 人口: 三千; 市長: 林.")
