"""Letters of a PDF that PDFium tells in another way than they are meant: their gaps, halves and sizes."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.unit.documents.made import one
from tests.unit.documents.pdf.test_pdf import lines, pdf, raw, stream


def test_letters_that_are_placed_one_by_one_are_words() -> None:
    """As browsers print letterheads: where most of a page is empty, PDFium sees a line of its own in every letter."""
    says = ("Granvik Tegl AS", "Kaia 8", "5417 Stord", "Ordre 3391", "Betalt kontant")
    drawn = ["BT /F 13 Tf"]
    for at, line in enumerate(says):
        drawn.append(f"1 0 0 1 {450 if at % 2 else 60} {700 - 11 * at} Tm")
        drawn += [f"({letter}) Tj {stringWidth(letter, 'Helvetica', 13)} 0 Td" for letter in line]
    file = raw(" ".join([*drawn, "ET"]), "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    text = one(file, "a.pdf").text
    assert all(line in text for line in says)


@pytest.mark.parametrize(("code", "letter"), [("D835DC49", "V"), ("D835DF0E", "σ"), ("D842DFB7", "\U00020bb7")])
def test_letters_of_two_halves_are_whole(code: str, letter: str) -> None:
    """Italics of formulas, and rare characters of names."""
    told = stream(f"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <51> <{code}> endbfchar")
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    assert one(raw("BT /F 12 Tf 60 700 Td (Q = 40) Tj ET", font, told), "a.pdf").text == f"{letter} = 40"


@pytest.mark.parametrize("label", ["\x95", "3"])
def test_what_an_item_begins_with_does_not_set_the_size_of_its_line(label: str) -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 14)
        canvas.drawString(60, 698, label)
        canvas.setFont("Helvetica", 10)
        lines(
            canvas,
            76,
            700,
            "Turn the wheel of the sluice to the left until the mark on",
            "the gauge is green.",
            step=12,
        )

    (block,) = one(pdf(page), "a.pdf").blocks
    assert block.kind in {"item", "paragraph"}


@pytest.mark.parametrize(
    ("font", "place", "sign"),
    [
        ("SymbolMT", "B7", "•"),
        ("QWERTZ+Wingdings-Regular", "D8", "➢"),
        ("Wingdings", "A7", "▪"),
        ("SymbolMT", "62", "β"),
    ],
)
def test_a_sign_of_a_font_of_symbols_is_what_it_draws(font: str, place: str, sign: str) -> None:
    """Word prints its bullets so: their places in the font say nothing by themselves."""
    told = stream(f"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <51> <F0{place}> endbfchar")
    made = f"<< /Type /Font /Subtype /TrueType /BaseFont /{font} /ToUnicode 6 0 R >>"
    found = one(raw("BT /F 12 Tf 60 700 Td (Q) Tj ET", made, told), "a.pdf")
    assert found.text == sign


def test_a_place_in_any_other_font_stays() -> None:
    told = stream("1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <51> <F0B7> endbfchar")
    made = "<< /Type /Font /Subtype /TrueType /BaseFont /Garamond /ToUnicode 6 0 R >>"
    assert one(raw("BT /F 12 Tf 60 700 Td (Q) Tj ET", made, told), "a.pdf").text == "\uf0b7"


def test_a_sentence_goes_on_after_a_line_in_bold_and_a_bookmark_names_a_heading() -> None:
    def page(canvas: Canvas) -> None:
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Of tides", "a")
        lines(canvas, 60, 760, "Of tides")
        lines(canvas, 60, 720, "The pilot of Strome must not", step=14)
        canvas.setFont("Helvetica-Bold", 11)
        lines(canvas, 60, 706, "under any weather leave the", step=14)
        canvas.setFont("Helvetica", 11)
        lines(canvas, 60, 692, "harbour by night.", step=14)

    found = one(pdf(page), "a.pdf")
    assert [(block.kind, found.text[block.start : block.end]) for block in found.blocks] == [
        ("heading", "Of tides"),
        ("paragraph", "The pilot of Strome must not under any weather leave the harbour by night."),
    ]


def test_a_title_over_two_short_lines_is_one_heading() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 16)
        lines(canvas, 60, 760, "Care of the", "lock gates", step=20)
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 700, *["Turn the wheel of the sluice to the left until the mark on it shows."] * 3, step=12)

    heading = one(pdf(page), "a.pdf").blocks[0]
    assert (heading.kind, heading.end) == ("heading", len("Care of the lock gates"))


def test_a_number_below_a_title_begins_a_heading_of_its_own() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 16)
        lines(canvas, 60, 760, "Care of the lock gates", "1 Before the first boat", step=20)
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 700, *["Turn the wheel of the sluice to the left until the mark on it shows."] * 3, step=12)

    found = one(pdf(page), "a.pdf")
    headings = [found.text[block.start : block.end] for block in found.blocks if block.kind == "heading"]
    assert headings == ["Care of the lock gates", "1 Before the first boat"]
