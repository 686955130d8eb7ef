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


def test_lines_in_letters_that_the_file_draws_itself_are_one_paragraph() -> None:
    """A browser prints Chinese so; each box is as high as its ink, and a line begins with a low letter now and then."""
    glyphs = {65: "0 0 10 10", 66: "0 4 10 5", 67: "1 1 9 8"}
    procs = [stream(f"10 0 {box} d1 0 0 5 5 re f") for box in glyphs.values()]
    meant = "".join(f"<{code:02X}> <{char}> " for code, char in zip(glyphs, ("6E2F", "4E00", "53E3"), strict=True))
    told = stream(f"1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar {meant}endbfchar")
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 65 /LastChar 67 "
        "/Widths [10 10 10] /Encoding << /Differences [65 /a /b /c] >> /CharProcs << /a 6 0 R /b 7 0 R /c 8 0 R >> "
        "/ToUnicode 9 0 R >>"
    )
    drawn = " ".join(f"({text}) Tj T*" for text in ("ABCABCABCABC", "CACABABACACA", "BAACBACABACB"))
    found = one(raw(f"BT /F 12 Tf 17 TL 60 700 Td {drawn} ET", font, *procs, told), "a.pdf")
    assert len(found.text) == 36
    assert not found.text.split()[1:]


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


@pytest.mark.parametrize("text", ["2 Materials", "7 Ausblick"])
def test_a_heading_of_one_word_that_is_numbered_is_no_amount(text: str) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 700, "The kilns of Granvik were fired with peat until the railway came.")
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawString(60, 730, text)
        canvas.drawString(60, 660, "38 tonnes")

    found = one(pdf(page), "a.pdf")
    assert [found.text[block.start : block.end] for block in found.blocks if block.kind == "heading"] == [text]


@pytest.mark.parametrize("address", ["about:blank", "https://granvik.example/print?id=4", "file:///D:/list.html"])
def test_the_address_that_a_browser_prints_is_no_title(address: str) -> None:
    def page(canvas: Canvas) -> None:
        canvas.setTitle(address)
        lines(canvas, 60, 700, "Kilns of Granvik")
        lines(canvas, 60, 660, "They were fired with peat.")

    assert one(pdf(page), "a.pdf").title == "Kilns of Granvik"


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
