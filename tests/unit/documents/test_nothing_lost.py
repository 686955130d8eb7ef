"""One part of a file that cannot be read never loses the others, and a note names it."""

from __future__ import annotations

import pptx
from pptx.oxml import parse_xml

from clew.documents.formats.msg import code_page
from clew.documents.parsed import Parsed, Rejected
from tests.unit.documents.made import archive, blocks, items, one, row, saved, workbook

DEEP = "<div>" * 5_000 + "Lost."
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def test_a_shape_that_is_no_known_placeholder_is_read_as_its_paragraphs() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Quays"
    slide.shapes._spTree.append(
        parse_xml(
            f'<p:sp {P} {A}><p:nvSpPr><p:cNvPr id="9" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="unheard-of"/></p:nvPr>'
            "</p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>It is old.</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    )
    found = one(saved(deck), "a.pptx")
    assert found.text == "Quays\n\nIt is old."
    assert found.notes[0].startswith("Not read: the form of a shape of /ppt/slides/slide1.xml (")


def test_a_sheet_that_is_damaged() -> None:
    book = workbook(
        {"North": row(1, "Berth", "Metres") + row(2, "A", 40.0), "South": "<row><c t='n'><v>x</v></c></row"}
    )
    found = one(book, "a.xlsx")
    assert found.text == "North\n\nBerth: A; Metres: 40."
    assert found.notes[0].startswith("Not read: the sheet South (")


def test_a_chapter_that_is_nested_too_deeply() -> None:
    found = one(
        archive(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
                "b.opf": '<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest>'
                '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
                "a.xhtml": DEEP,
                "b.xhtml": "<p>It is old.</p>",
            }
        ),
        "a.epub",
    )
    assert found.text == "It is old."
    assert found.notes == ("Not read: the chapter a.xhtml (It is HTML that is nested too deeply).",)


def test_a_damaged_file_of_an_archive() -> None:
    packed = archive({"a.txt": "The quay is old, and it leaks.", "b.txt": "The mole is new."})
    broken = packed.replace(b"quay", b"quaz", 1)
    read, lost = items(broken, "a.zip")
    assert isinstance(read, Parsed)
    assert isinstance(lost, Rejected)
    assert (read.text, lost.reason) == ("The mole is new.", "Not read: a.txt (Bad CRC-32 for file 'a.txt').")


def test_opendocument_with_a_doctype_that_declares_nothing() -> None:
    office = "urn:oasis:names:tc:opendocument:xmlns"
    formula = (
        '<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">'
        '<math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:mi>x</math:mi></math:math>'
    )
    content = (
        f'<o:document-content xmlns:o="{office}:office:1.0" xmlns:t="{office}:text:1.0" xmlns:d="{office}:drawing:1.0" '
        'xmlns:l="http://www.w3.org/1999/xlink"><o:body><o:text><t:p>Of <d:frame><d:object l:href="./F"/></d:frame>'
        "</t:p></o:text></o:body></o:document-content>"
    )
    text = "application/vnd.oasis.opendocument.text"
    assert one(archive({"mimetype": text, "content.xml": content, "F/content.xml": formula}), "a.odt").text == "Of x"


def test_what_docutils_cannot_read_is_plain_text() -> None:
    nested = "Quays\n\n" + "".join(f"{'   ' * depth}- North\n\n" for depth in range(400))
    found = one(nested, "a.rst")
    assert "North" in found.text
    assert found.notes == ("Read as plain text: docutils cannot read it (maximum recursion depth exceeded).",)


def test_a_delimiter_within_quotation_marks_is_none() -> None:
    table = 'Boat;"Price, net";"Price, gross"\nTern;12,5;14,9\nGull;9,1;10,2\n'
    assert blocks(table, "a.csv")[0].startswith("Boat: Tern, Price, net: 12,5, Price, gross: 14,9.")


def test_the_code_page_of_an_outlook_message() -> None:
    def entry(tag: int, value: int) -> bytes:
        return tag.to_bytes(4, "little") + bytes(4) + value.to_bytes(8, "little")

    assert code_page(bytes(32) + entry(0x001A001F, 5) + entry(0x3FFD0003, 932)) == "cp932"
    assert code_page(bytes(32) + entry(0x3FDE0003, 50220)) == "iso2022_jp"
    assert code_page(bytes(32)) is None


def test_a_text_that_a_message_has_twice_is_said_once() -> None:
    from email.mime.multipart import MIMEMultipart
    from email.mime.text import MIMEText

    message = MIMEMultipart("mixed")
    for text, kind in (("The quay is old.", "plain"), ("<p>The quay is old.</p>", "html"), ("By Ida.", "plain")):
        message.attach(MIMEText(text, kind))
    assert blocks(message.as_bytes(), "a.eml") == ["The quay is old.", "By Ida."]
