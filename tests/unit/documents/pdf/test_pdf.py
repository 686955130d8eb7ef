"""PDF: columns, tables, running heads, filled forms, raised figures, and pages that have no text."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from clew.documents.parsed import Unreadable
from clew.documents.pdf.ocr import MISSING
from tests.unit.documents.made import one


def pdf(*pages: Callable[[Canvas], None]) -> bytes:
    """A PDF of pages that are drawn by hand."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800))
    for draw in pages:
        canvas.setFont("Helvetica", 11)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def lines(canvas: Canvas, x: float, y: float, *texts: str, step: float = 14) -> None:
    for number, text in enumerate(texts):
        canvas.drawString(x, y - number * step, text)


LEFT = (
    "The ferry of Corran was built in",
    "1931 at the yard of Anna Berg. It",
    "carried mail and cattle until the",
    "bridge was opened.",
)
RIGHT = (
    "The lighthouse of Ardg was lit in",
    "1840 by the keeper Jon Ek. It was",
    "painted white and has a lamp that",
    "turns twice a minute.",
)


def test_numbers_of_pages_that_go_on_from_an_earlier_part_are_left_out() -> None:
    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            lines(canvas, 60, 760, *LEFT)
            lines(canvas, 60, 690, f"Boat {'abcd'[number - 41]} lies at the quay.")
            canvas.drawString(40 if number % 2 else 540, 30, str(number))

        return draw

    text = one(pdf(*map(page, range(41, 45))), "x.pdf").text
    assert not any(str(number) in text for number in range(41, 45))
    assert "Boat d lies" in text
    assert "31" in one(pdf(lambda canvas: lines(canvas, 60, 760, *LEFT, "31")), "x.pdf").text


@pytest.mark.parametrize("order", ["columns", "rows", "second first"])
@pytest.mark.parametrize("offset", [0, 5])
def test_columns_whatever_the_order_in_which_they_are_drawn(order: str, offset: int) -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(60, 760, "Two things to see on the long coast of the northern county, and how to get there")
        if order == "rows":
            for number, (a, b) in enumerate(zip(LEFT, RIGHT, strict=True)):
                canvas.drawString(60, 730 - number * 14, a)
                canvas.drawString(320, 730 - offset - number * 14, b)
        else:
            both = [(60, 730, LEFT), (320, 730 - offset, RIGHT)]
            for x, y, texts in both if order == "columns" else reversed(both):
                lines(canvas, x, y, *texts)
        canvas.drawString(60, 640, "Both are open from May to September, and closed for the rest of the year, except")
        canvas.drawString(60, 626, "on the first Sunday of a month.")

    text = " ".join(one(pdf(page), "x.pdf").text.split())
    assert " ".join(LEFT) in text
    assert " ".join(RIGHT) in text
    assert (
        text.index("Two things") < text.index("The ferry") < text.index("The lighthouse") < text.index("Both are open")
    )


def test_a_table_is_no_columns() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(60, 760, "The fees of the harbour for the year are as follows.")
        for number, row in enumerate(
            [("Boat", "Length", "Fee"), ("Tern", "12 m", "40"), ("Gull", "9 m", "30"), ("Maid", "28 m", "90")]
        ):
            for x, cell in zip((60, 200, 300), row, strict=True):
                canvas.drawString(x, 730 - number * 16, cell)

    assert one(pdf(page), "x.pdf").text.split("\n\n")[1:] == [
        "Boat: Tern; Length: 12 m; Fee: 40.",
        "Boat: Gull; Length: 9 m; Fee: 30.",
        "Boat: Maid; Length: 28 m; Fee: 90.",
    ]


def test_running_heads_of_two_lines_other_ones_on_even_pages_and_none_on_the_first() -> None:
    body = [
        f"Chapter {word} tells of the year in which the yard was {verb}."
        for word, verb in zip(
            "one two three four five six seven".split(),
            "bought built burnt mended moved sold shut".split(),
            strict=True,
        )
    ]

    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            if number:
                lines(
                    canvas,
                    60,
                    780,
                    *(("The Yards", "Anna Berg") if number % 2 else ("A history in parts", "Corran Press")),
                )
            lines(
                canvas,
                60,
                700,
                body[number],
                f"It was a {'very ' * number}long year.",
                f"Much was{' not' * number} written of it.",
                f"Little was kept{' or lost' * number}.",
            )
            lines(canvas, 60, 40, f"Printed for the county, sheet {number + 1}", str(number + 1))

        return draw

    text = one(pdf(*map(page, range(7))), "x.pdf").text
    for head in ("The Yards", "Anna Berg", "A history in parts", "Corran Press", "Printed for"):
        assert head not in text
    for sentence in body:
        assert sentence in text


def at_top(*texts: str) -> Callable[[Canvas], None]:
    return lambda canvas: lines(canvas, 60, 700, *texts)


def test_sentences_over_pages_and_words_over_lines() -> None:
    first = (
        "The yard of Corran was bought in the spring of the year by the ship-",
        "wright Anna Berg, who had learnt her trade in the south and came to",
    )
    second = "Corran with her brother Jon and two apprentices to build ferries there."
    text = one(pdf(at_top(*first), at_top(second)), "x.pdf").text
    assert text == f"{first[0][:-1]}{first[1]} {second}"


def test_raised_figures() -> None:
    def page(canvas: Canvas) -> None:
        text = canvas.beginText(60, 700)
        for words, rise, size in (
            ("It holds 10", 0, 11),
            ("9", 4, 7),
            (" litres on 3 km", 0, 11),
            ("2", 4, 7),
            (" of land.", 0, 11),
        ):
            text.setFont("Helvetica", size)
            text.setRise(rise)
            text.textOut(words)
        canvas.drawText(text)

    assert one(pdf(page), "x.pdf").text == "It holds 10⁹ litres on 3 km² of land."


def test_what_a_form_was_filled_with() -> None:
    def page(canvas: Canvas) -> None:
        form = canvas.acroForm
        canvas.drawString(60, 760, "Berth for a boat")
        canvas.drawString(60, 700, "Skipper:")
        form.textfield(name="skipper", x=120, y=694, width=200, height=18, value="Anna Berg")
        form.textfield(name="harbour", tooltip="Home port", x=120, y=634, width=200, height=18, value="Corran")
        canvas.drawString(60, 600, "Insured:")
        form.checkbox(name="insured", x=120, y=598, size=14, checked=True)
        canvas.drawString(60, 570, "Paid:")
        form.checkbox(name="paid", x=120, y=568, size=14, checked=False)

    text = one(pdf(page), "x.pdf").text
    for said in ("Skipper: Anna Berg", "Home port: Corran", "Insured: yes", "Paid: no"):
        assert said in text


def test_pages_without_text_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.documents.pdf.ocr.is_there", lambda: False)

    def empty(canvas: Canvas) -> None:
        canvas.rect(10, 10, 50, 50)

    full = at_top("The only page that says something.")
    found = one(pdf(empty, full, empty), "x.pdf")
    assert found.notes == (f"Pages without text; where they are scans, {MISSING} (2): 1, 3.",)
    assert found.pages == (0, 0, len(found.text))
    with pytest.raises(Unreadable, match="no text"):
        one(pdf(empty), "x.pdf")


def test_a_turned_page() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.rotate(90)
        lines(canvas, 60, -100, "The yard was built in 1931 by", "Anna Berg and her brother Jon.")

    assert one(pdf(page), "x.pdf").text == "The yard was built in 1931 by Anna Berg and her brother Jon."


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_page_that_lies_on_its_side_is_read(angle: int) -> None:
    def page(canvas: Canvas) -> None:
        canvas.setPageRotation(angle)
        lines(canvas, 60, 500, "The slip of Ardg was laid in 1902 by", "Una Lie and her daughter.")

    assert one(pdf(page), "x.pdf").text == "The slip of Ardg was laid in 1902 by Una Lie and her daughter."


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Gull", "", "30"), ("Maid", "28 m", "")], ["Boat: Gull; Fee: 30.", "Boat: Maid; Length: 28 m."]),
        ([("", "9 m", "30"), ("Maid", "28 m", "90")], ["Length: 9 m; Fee: 30.", "Boat: Maid; Length: 28 m; Fee: 90."]),
        ([("Gull", "", "30"), ("", "28 m", "90")], ["Boat: Gull; Fee: 30.", "Length: 28 m; Fee: 90."]),
    ],
)
def test_empty_cells_shift_nothing(rows: list[tuple[str, ...]], expected: list[str]) -> None:
    def page(canvas: Canvas) -> None:
        for number, row in enumerate([("Boat", "Length", "Fee"), ("Tern", "12 m", "40"), *rows]):
            for x, cell in zip((60, 200, 300), row, strict=True):
                canvas.drawString(x, 730 - number * 16, cell)

    assert one(pdf(page), "x.pdf").text.split("\n\n") == ["Boat: Tern; Length: 12 m; Fee: 40.", *expected]


@pytest.mark.parametrize("angle", [90, -90])
def test_text_that_runs_up_or_down_the_margin(angle: int) -> None:
    def page(canvas: Canvas) -> None:
        lines(
            canvas,
            80,
            740,
            "The quay was built by Anna Berg in 1931.",
            "It is forty metres long and made of",
            "granite.",
        )
        canvas.saveState()
        canvas.translate(30, 400)
        canvas.rotate(angle)
        canvas.drawString(0, 0, "Drawn by Jon Ek")
        canvas.restoreState()

    text = "The quay was built by Anna Berg in 1931. It is forty metres long and made of granite.\n\nDrawn by Jon Ek"
    assert one(pdf(page), "x.pdf").text == text


def test_labels_above_and_behind_the_fields_of_a_form() -> None:
    def page(canvas: Canvas) -> None:
        form = canvas.acroForm
        for number, (label, value) in enumerate([("Name of the boat", "Tern"), ("Home port", "Corran")]):
            canvas.drawString(60, 740 - 60 * number, label)
            form.textfield(name=f"f{number}", value=value, x=60, y=710 - 60 * number, width=200, height=20)
        form.checkbox(name="c", checked=True, x=60, y=600)
        canvas.drawString(90, 605, "Has a mast")

    said = ["Name of the boat: Tern", "Home port: Corran", "Has a mast: yes"]
    assert one(pdf(page), "x.pdf").text.split("\n\n") == said


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ("この船は横浜で造られた。設計した", "のは田中一郎である。"),
            "この船は横浜で造られた。設計したのは田中一郎である。",
        ),
        (("这艘船由工程师王芳于一九三一年建造，船", "长四十米。"), "这艘船由工程师王芳于一九三一年建造，船长四十米。"),
    ],
)
def test_lines_of_scripts_without_spaces_are_joined_without_one(texts: tuple[str, ...], expected: str) -> None:
    font = "HeiseiMin-W3" if "の" in expected else "STSong-Light"

    def page(canvas: Canvas) -> None:
        pdfmetrics.registerFont(UnicodeCIDFont(font))
        canvas.setFont(font, 11)
        lines(canvas, 60, 740, *texts)

    assert one(pdf(page), "x.pdf").text == expected


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        (("The state-", "of-the-art quay is new."), "The state-of-the-art quay is new."),
        (("The col-", "lections are old."), "The collections are old."),
        (("A light-blue boat, or a light-", "blue one."), "A light-blue boat, or a light-blue one."),
    ],
)
def test_hyphens_at_the_ends_of_lines(broken: tuple[str, ...], whole: str) -> None:
    assert one(pdf(lambda canvas: lines(canvas, 60, 740, *broken)), "x.pdf").text == whole


def test_what_lies_outside_of_the_page_is_not_on_it() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setCropBox((0, 0, 300, 800))
        lines(canvas, 60, 700, "The ferry of Corran was", "built by Anna Berg.")
        lines(canvas, 330, 700, "The lighthouse was lit", "by the keeper Jon Ek.")

    assert one(pdf(page), "a.pdf").text == "The ferry of Corran was built by Anna Berg."


def nameless(*texts: str, first: int = 126, last: int = 126, box: str = "[0 0 600 800]") -> bytes:
    """A PDF of one page, whose font does not tell which characters those from the code ``first`` to ``last`` are."""
    names = " ".join(f"/g{number}" for number in range(first, last + 1))
    drawn = "BT /F 12 Tf 14 TL 60 700 Td " + " ".join(f"({text}) Tj T*" for text in texts) + " ET"
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [{first} {names}] >> >>"
    return raw(drawn, font, box=box)


def stream(content: str, said: str = "") -> str:
    return f"<< /Length {len(content)} {said}>>\nstream\n{content}\nendstream"


def raw(drawn: str, font: str, *others: str, box: str = "[0 0 600 800]") -> bytes:
    """A PDF of one page with one font, F; ``others`` are the objects from number 6 on."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        stream(drawn),
        font,
        *others,
    ]
    size = len(objects) + 1
    data, places = b"%PDF-1.4\n", []
    for number, one_object in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{one_object}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF"
    return data + f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode()


def test_a_page_whose_characters_have_no_meaning_has_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.documents.pdf.ocr.is_there", lambda: False)
    with pytest.raises(Unreadable, match="The PDF has no text"):
        one(nameless("~~~~ ~~~ ~~~~~", "~~ ~~~~ a"), "a.pdf")


def ruled(canvas: Canvas, xs: list[float], ys: list[float], cells: list[list[list[str]]], *, boxes: bool) -> None:
    """A table drawn with lines, or with a box for each cell, whose texts wrap."""
    for row, (top, bottom) in enumerate(pairwise(ys)):
        for column, (left, right) in enumerate(pairwise(xs)):
            if boxes:
                canvas.rect(left, bottom, right - left, top - bottom)
            lines(canvas, left + 3, top - 12, *cells[row][column], step=12)
    if not boxes:
        for x in xs:
            canvas.line(x, ys[0], x, ys[-1])
        for y in ys:
            canvas.line(xs[0], y, xs[-1], y)


BERTHS = [
    [["Berth"], ["Who may lie there, and for how", "long"], ["Fee"]],
    [["North quay"], ["Ships of the line, until the tide", "turns, and no longer"], ["31 crowns"]],
    [["Gull steps"], ["Boats"], ["4 crowns"]],
]


@pytest.mark.parametrize("boxes", [False, True])
def test_cells_that_wrap_stay_in_their_row(boxes: bool) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 760, "The harbour of Corran takes these fees.")
        ruled(canvas, [60, 130, 320, 400], [740, 700, 660, 620], BERTHS, boxes=boxes)
        lines(canvas, 60, 590, "They are due at noon.")

    assert one(pdf(page), "a.pdf").text.split("\n\n") == [
        "The harbour of Corran takes these fees.",
        "Berth: North quay; Who may lie there, and for how long: Ships of the line, until the tide turns, and no "
        "longer; Fee: 31 crowns.",
        "Berth: Gull steps; Who may lie there, and for how long: Boats; Fee: 4 crowns.",
        "They are due at noon.",
    ]


def test_a_frame_around_columns_is_no_table() -> None:
    def page(canvas: Canvas) -> None:
        canvas.rect(50, 600, 500, 160)
        canvas.line(50, 740, 550, 740)
        canvas.line(300, 740, 300, 760)
        lines(canvas, 60, 745, "The two things to see")
        for x, texts in ((60, LEFT), (320, RIGHT)):
            lines(canvas, x, 720, *texts)

    text = one(pdf(page), "a.pdf").text
    assert "It carried mail and cattle until the bridge was opened." in text
    assert "It was painted white and has a lamp that turns twice a minute." in text


def test_the_bars_of_a_graph_are_no_table() -> None:
    def page(canvas: Canvas) -> None:
        for x in range(60, 260, 40):
            canvas.line(x, 500, x, 700)
        for y in range(500, 720, 40):
            canvas.line(60, y, 220, y)
        lines(canvas, 80, 610, "ships that called in each of these years", "1894 1895 1896 1897")
        lines(canvas, 60, 480, "The harbour filled from year to year.")

    text = one(pdf(page), "a.pdf").text
    assert "ships that called in each of these years" in text
    assert text.endswith("The harbour filled from year to year.")


def test_a_pdf_that_is_cut_off_says_what_to_do() -> None:
    with pytest.raises(Unreadable, match=r"^The PDF is damaged or cut off \([\w ]+\): save it anew\.$"):
        one(b"%PDF-1.7\n1 0 obj\n<< /Type", "plan.pdf")
