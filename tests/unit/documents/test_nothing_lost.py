"""One part of a file that cannot be read never loses the others, and a note names it."""

from __future__ import annotations

from clew.documents.formats.msg import code_page
from clew.documents.parsed import Parsed, Rejected
from tests.unit.documents.made import archive, items, one, row, workbook

DEEP = "<div>" * 5_000 + "Lost."
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


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


def test_what_docutils_cannot_read_is_plain_text() -> None:
    nested = "Quays\n\n" + "".join(f"{'   ' * depth}- North\n\n" for depth in range(400))
    found = one(nested, "a.rst")
    assert "North" in found.text
    assert found.notes == ("Read as plain text: docutils cannot read it (maximum recursion depth exceeded).",)


def test_the_code_page_of_an_outlook_message() -> None:
    def entry(tag: int, value: int) -> bytes:
        return tag.to_bytes(4, "little") + bytes(4) + value.to_bytes(8, "little")

    assert code_page(bytes(32) + entry(0x001A001F, 5) + entry(0x3FFD0003, 932)) == "cp932"
    assert code_page(bytes(32) + entry(0x3FDE0003, 50220)) == "iso2022_jp"
    assert code_page(bytes(32)) is None
