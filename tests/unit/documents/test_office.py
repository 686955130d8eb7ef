"""What Office files draw: SmartArt, shapes with formulas, and files saved as Strict Open XML."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import docx
import pptx
import pytest
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches

from clew.documents.package import in_transitional
from tests.unit.documents.made import archive, blocks, one, row, saved, strict, word, workbook

DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DATA_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"


def point(id: str, text: str = "", kind: str = "node") -> str:
    said = f"<dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t>"
    return f'<dgm:pt modelId="{id}" type="{kind}">{said}</dgm:pt>'


BOARD = (
    f'<dgm:dataModel xmlns:dgm="{DGM}" xmlns:a="{A}"><dgm:ptLst>{point("0", kind="doc")}{point("1", "Harbour board")}'
    f"{point('2', 'Crews')}{point('t', kind='parTrans')}</dgm:ptLst></dgm:dataModel>"
).encode()
SAID = ["Harbour board", "Crews"]


def with_diagram(data: bytes = BOARD) -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    part = Part(PackURI("/ppt/diagrams/data1.xml"), DATA_TYPE, slide.part.package, data)
    id = slide.part.relate_to(part, f"{R}/diagramData")
    slide.shapes._spTree.append(
        parse_xml(
            f'<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="{A}" '
            f'xmlns:r="{R}"><p:nvGraphicFramePr><p:cNvPr id="9" name="Diagram"/><p:cNvGraphicFramePr/><p:nvPr/>'
            f'</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'
            f'<a:graphicData uri="{DGM}"><dgm:relIds xmlns:dgm="{DGM}" r:dm="{id}" r:lo="x" r:qs="x" r:cs="x"/>'
            f"</a:graphicData></a:graphic></p:graphicFrame>"
        )
    )
    return saved(deck)


def test_smartart_of_a_slide_is_a_list() -> None:
    found = one(with_diagram(), "a.pptx")
    assert found.text.split("\n\n") == SAID
    assert [block.kind for block in found.blocks] == ["item", "item"]


def test_smartart_of_a_word_document_stands_after_its_paragraph() -> None:
    from docx.opc.packuri import PackURI as WordURI
    from docx.opc.part import Part as WordPart
    from docx.oxml import parse_xml as word_xml
    from docx.oxml.ns import nsdecls

    document = docx.Document()
    part = WordPart(WordURI("/word/diagrams/data1.xml"), DATA_TYPE, BOARD, document.part.package)
    id = document.part.relate_to(part, f"{R}/diagramData")
    paragraph = (
        f"<w:p {nsdecls('w', 'a', 'r')}><w:r><w:t>Who does what:</w:t></w:r><w:r><w:drawing><a:graphic>"
        f'<a:graphicData uri="{DGM}"><dgm:relIds xmlns:dgm="{DGM}" r:dm="{id}" r:lo="x" r:qs="x" r:cs="x"/>'
        f"</a:graphicData></a:graphic></w:drawing></w:r></w:p>"
    )
    document.element.body.insert(0, word_xml(paragraph))
    assert blocks(saved(document), "a.docx") == ["Who does what:", *SAID]


def test_a_shape_with_a_formula_is_read_though_the_library_passes_over_it() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
    box.text_frame.text = "The area is "
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    box.text_frame.paragraphs[0]._p.append(
        parse_xml(
            f'<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" xmlns:m="{math}"><m:oMath>'
            f"<m:r><m:t>π</m:t></m:r><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e>"
            f"<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m>"
        )
    )
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    several = parse_xml(
        f'<mc:AlternateContent xmlns:mc="{mc}"><mc:Choice xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"'
        f' Requires="a14"/><mc:Fallback/></mc:AlternateContent>'
    )
    shape = box._element
    shape.addprevious(several)
    several[0].append(shape)
    assert one(saved(deck), "a.pptx").text == "The area is πr²"


def in_place(kind: str, text: str) -> Any:
    return parse_xml(
        f'<p:sp {nsdecls("a", "p")}><p:nvSpPr><p:cNvPr id="2" name="{kind}"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}" '
        f'sz="quarter" idx="12"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p>{text}</a:p></p:txBody></p:sp>'
    )


def test_footers_and_hidden_shapes_are_left_out_and_told_and_one_id_for_two_shapes_loses_none() -> None:
    deck = pptx.Presentation()
    for name in ("Holm", "Skerry"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = name
        slide.shapes._spTree.append(in_place("sldNum", '<a:fld id="{0}" type="slidenum"><a:t>7</a:t></a:fld>'))
        slide.shapes._spTree.append(in_place("ftr", "<a:r><a:t>Ferries of the north</a:t></a:r>"))
        slide.shapes._spTree.append(in_place("dt", "<a:r><a:t>4/5/1999</a:t></a:r>"))
        box = slide.shapes.add_textbox(0, 0, 9, 9)
        box.text_frame.text = f"{name} has a ferry."
        box._element.nvSpPr.cNvPr.set("id", str(slide.shapes.title.shape_id))
        unseen = slide.shapes.add_textbox(0, 0, 9, 9)
        unseen.text_frame.text = "Ask Ruth first"
        unseen._element.nvSpPr.cNvPr.set("hidden", "1")
    found = one(saved(deck), "x.pptx")
    assert found.text.split("\n\n") == ["Holm", "Holm has a ferry.", "Skerry", "Skerry has a ferry."]
    assert found.notes == (
        "Left out: hidden text (2).",
        "Left out: headers and footers of pages (“Ferries of the north”).",
    )


def of_type(data: bytes, name: str) -> bytes:
    """An Office file whose main part is of another type."""
    main = re.compile(rb"application/vnd[\w.-]+(?=\.main\+xml)")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts: dict[str, str | bytes] = {one: package.read(one) for one in package.namelist()}
    types = parts["[Content_Types].xml"]
    assert isinstance(types, bytes)
    return archive(parts | {"[Content_Types].xml": main.sub(f"application/vnd.{name}".encode(), types)})


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("ms-word.document.macroEnabled", "docm"),
        ("ms-word.template.macroEnabledTemplate", "docx"),
        ("openxmlformats-officedocument.wordprocessingml.template", "docx"),
        ("ms-powerpoint.presentation.macroEnabled", "pptm"),
        ("openxmlformats-officedocument.presentationml.slideshow", "ppsx"),
        ("ms-powerpoint.slideshow.macroEnabled", "ppsx"),
        ("openxmlformats-officedocument.presentationml.template", "pptx"),
    ],
)
def test_files_with_macros_shows_and_templates_are_read_as_any_other(name: str, ending: str) -> None:
    document, deck = docx.Document(), pptx.Presentation()
    document.add_paragraph("Mind the step.")
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Mind the step."
    made = saved(document if ending.startswith("doc") else deck)
    assert one(of_type(made, name), f"x.{ending}").text == "Mind the step."


def test_strict_open_xml_is_read_as_the_same_file_in_transitional() -> None:
    written = word("<w:p><w:r><w:t>The quay was built in 1911.</w:t></w:r></w:p>")
    assert in_transitional(written) is written
    as_strict = strict(written)
    assert b"2006/relationships/officeDocument" not in as_strict
    assert one(as_strict, "a.docx") == one(written, "a.docx")
    deck = with_diagram()
    assert one(strict(deck), "a.pptx") == one(deck, "a.pptx")
    book = workbook({"Quays": row(1, "Quay", "Built") + row(2, "Corran", 1911) + row(3, "Ardg", 1920)})
    assert one(strict(book), "a.xlsx") == one(book, "a.xlsx")
