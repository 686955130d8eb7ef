"""Word: headings by their place in the outline, contents, paragraphs that go on, parts by their links, chunks."""

from __future__ import annotations

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from tests.unit.documents.made import blocks, one, saved, word

_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def told(data: bytes) -> list[tuple[str, int, str]]:
    found = one(data, "x.docx")
    return [(block.kind, block.level, found.text[block.start : block.end]) for block in found.blocks]


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"


def with_style(name: str, base: str, properties: str, *paragraphs: str) -> bytes:
    document = docx.Document()
    document.core_properties.title = ""
    style = document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    style.base_style = document.styles[base]
    style.element.append(parse_xml(f"<w:pPr {nsdecls('w')}>{properties}</w:pPr>"))
    for text in paragraphs:
        document.add_paragraph(text, style=style)
    return saved(document)


def test_a_list_of_what_the_document_holds_is_no_text_of_it() -> None:
    gallery = "<w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj>"
    inner = paragraph("Contents") + paragraph("Ferries 4")
    data = word(
        f"<w:sdt><w:sdtPr>{gallery}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>",
        paragraph("Ferries", '<w:pStyle w:val="Heading1"/>'),
        paragraph("There are two."),
    )
    assert blocks(data, "x.docx") == ["Ferries", "There are two."]
    assert blocks(with_style("toc 2", "Normal", "", "Ferries\t4"), "x.docx") == [""]
    assert blocks(with_style("Tocqueville", "Normal", "", "Ferries"), "x.docx") == ["Ferries"]


def test_a_paragraph_before_a_table_ends_though_its_end_is_deleted() -> None:
    table = f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>{paragraph('Red')}</w:tc></w:tr></w:tbl>"
    assert blocks(word(paragraph("Holm", "<w:rPr><w:del w:id='1'/></w:rPr>"), table), "x.docx") == ["Holm", "Red"]


_PAGE = "<html><body><h2>Fares</h2><p>A crossing costs four crowns.</p></body></html>"
_MHT = (
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="part"\r\n\r\n--part\r\n'
    'Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    '<h2 class=3D"x">Fares</h2><p>A crossing costs =\r\nfour crowns.</p>\r\n--part--\r\n'
)


def with_chunk(content: bytes, media_type: str) -> bytes:
    document = docx.Document()
    part = Part(PackURI("/word/afchunk.dat"), media_type, content, document.part.package)
    id = document.part.relate_to(part, f"{_RELATIONS}/aFChunk")
    document.add_paragraph("Before.")
    document.element.body.insert(-1, parse_xml(f'<w:altChunk {nsdecls("w", "r")} r:id="{id}"/>'))
    document.add_paragraph("After.")
    return saved(document)


@pytest.mark.parametrize(
    ("content", "media_type", "heading"),
    [
        (_PAGE.encode(), "text/html", ["Fares"]),
        (_MHT.encode(), "message/rfc822", ["Fares"]),
        (rb"{\rtf1\ansi A crossing costs four crowns.\par}", "application/rtf", []),
        (b"A crossing costs four crowns.", "text/plain", []),
        (word(paragraph("A crossing costs four crowns.")), f"{_WORD}.document.main+xml", []),
        (with_chunk(_PAGE.encode(), "text/html"), f"{_WORD}.document.main+xml", ["Before.", "Fares"]),
    ],
    ids=["a page", "a page with its pictures", "RTF", "text", "Word", "Word with a page"],
)
def test_what_is_set_into_a_document_as_it_is_stands_in_its_place(
    content: bytes, media_type: str, heading: list[str]
) -> None:
    after = ["After."] if "Before." in heading else []
    assert blocks(with_chunk(content, media_type), "x.docx") == [
        "Before.",
        *heading,
        "A crossing costs four crowns.",
        *after,
        "After.",
    ]


def test_what_cannot_be_read_or_lies_elsewhere_is_told() -> None:
    damaged = one(with_chunk(b"PK\x03\x04 no package", f"{_WORD}.document.main+xml"), "x.docx")
    assert damaged.text == "Before.\n\nAfter."
    assert damaged.notes == ("Left out: documents set into it that cannot be read (1).",)
    linked = one(word(paragraph("Holm"), "<w:subDoc></w:subDoc>"), "x.docx")
    assert linked.notes == ("Left out: documents that it takes from other files (1).",)
