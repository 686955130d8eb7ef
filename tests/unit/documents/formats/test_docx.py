"""Word: notes, changes, hidden and raised text, comments (of PowerPoint, too), formulas, lists and boxes."""

from __future__ import annotations

import docx
import pptx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI

from tests.unit.documents.made import blocks, one, saved, with_part, word

_NS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_notes_stand_after_their_paragraph_once() -> None:
    document = word(
        f"<w:p>{run('The pact was sealed in 1712.')}<w:r><w:footnoteReference w:id='3'/></w:r></w:p>",
        f"<w:p>{run('It held.')}<w:r><w:endnoteReference w:id='1'/></w:r></w:p>",
    )
    foot = (
        f'<w:footnotes {_NS}><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>---</w:t></w:r></w:p></w:footnote>'
        '<w:footnote w:id="3"><w:p><w:r><w:t>A copy lies in Corran.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    end = f'<w:endnotes {_NS}><w:endnote w:id="1"><w:p><w:r><w:t>Until 1740.</w:t></w:r></w:p></w:endnote></w:endnotes>'
    data = with_part(with_part(document, "word/footnotes.xml", foot), "word/endnotes.xml", end)
    assert blocks(data, "x.docx") == [
        "The pact was sealed in 1712.",
        "A copy lies in Corran.",
        "It held.",
        "Until 1740.",
    ]


def test_deleted_text_is_out_inserted_text_in_and_moved_text_there_once() -> None:
    deleted = "<w:del w:id='1'><w:r><w:delText>ten</w:delText></w:r></w:del>"
    document = word(
        f"<w:p>{run('The fee is ')}{deleted}<w:ins w:id='2'>{run('twelve')}</w:ins>{run(' crowns.')}</w:p>",
        f"<w:p><w:moveFrom w:id='3'>{run('Anna signs.')}</w:moveFrom></w:p>",
        f"<w:p><w:moveTo w:id='4'>{run('Anna signs.')}</w:moveTo></w:p>",
    )
    found = one(document, "x.docx")
    assert found.text == "The fee is twelve crowns.\n\nAnna signs."
    assert found.notes == ("Left out: struck or deleted text (1).",)


MOVED, AWAY, HERE = "Jon Ek keeps it.", "<w:moveFrom w:id='3'>{}</w:moveFrom>", "<w:moveTo w:id='4'>{}</w:moveTo>"


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        ((f"<w:p>{AWAY.format(run(MOVED))}{run('The boat is old. ')}{HERE.format(run(MOVED))}</w:p>",),
         [f"The boat is old. {MOVED}"]),
        ((f"<w:p><w:pPr><w:rPr><w:moveFrom w:id='5'/></w:rPr></w:pPr>{AWAY.format(run(MOVED))}</w:p>",
          f"<w:p>{run('The boat is old.')}</w:p>",
          f"<w:p><w:pPr><w:pStyle w:val='ListBullet'/><w:rPr><w:moveTo w:id='6'/></w:rPr></w:pPr>"
          f"{HERE.format(run(MOVED))}</w:p>"),
         ["The boat is old.", MOVED]),
        ((f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:p>{HERE.format(run(MOVED))}</w:p></w:tc></w:tr></w:tbl>",
          f"<w:p>{AWAY.format(run(MOVED))}{run('The boat is old.')}</w:p>"),
         [MOVED, "The boat is old."]),
        ((f"<w:p>{AWAY.format(run('It is kept by '))}<w:del w:id='9'><w:r><w:delText>Jon.</w:delText></w:r></w:del>"
          "</w:p>",
          f"<w:p>{HERE.format(run('It is kept by '))}<w:ins w:id='8'>{run('Ida Moe.')}</w:ins></w:p>"),
         ["It is kept by Ida Moe."]),
    ],
    ids=["within a paragraph", "to a list", "to a table", "and changed"],
)  # fmt: skip
def test_what_was_moved_stands_where_it_was_moved_to(paragraphs: tuple[str, ...], expected: list[str]) -> None:
    assert blocks(word(*paragraphs), "x.docx") == expected


def test_signs_fields_and_readings() -> None:
    tick = "<w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox>"
    list_of = "<w:ddList><w:result w:val='1'/><w:listEntry w:val='Ardg'/><w:listEntry w:val='Osby'/></w:ddList>"
    begins = "<w:r><w:fldChar w:fldCharType='begin'><w:ffData>{}</w:ffData></w:fldChar></w:r>"
    ruby = (
        f"<w:r><w:ruby><w:rt>{run('おが')}</w:rt><w:rubyBase>{run('小川')}</w:rubyBase></w:ruby></w:r>"
        "<w:sdt><w:sdtPr><w:showingPlcHdr w:val='0'/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    )
    document = word(
        "<w:p><w:r><w:sym w:font='Symbol' w:char='F0A3'/></w:r>" + run(" 9 bar, 5 ") + "<w:r><w:sym w:font='Symbol' "
        "w:char='F06D'/></w:r>" + run("m") + "<w:r><w:sym w:font='Webdings' w:char='F021'/></w:r></w:p>",
        f"<w:p>{run('Port: ')}{begins.format(list_of)}{run(', paid: ')}{begins.format(tick)}</w:p>",
        f"<w:p>{ruby.format(run(' signs.'))}</w:p>",
    )
    found = one(document, "x.docx")
    assert found.text.split("\n\n") == ["≤ 9 bar, 5 μm", "Port: Osby, paid: ☑", "小川 signs."]
    assert found.notes == ("Left out: signs of a font of symbols (1).",)


def test_headers_and_footers_are_left_out_and_told() -> None:
    document = docx.Document()
    document.add_paragraph("The mill at Sorrel Reach grinds oats.")
    section = document.sections[0]
    section.header.paragraphs[0].text = "Sorrel Reach, draft of 3 May"
    section.header.add_paragraph("The mill at Sorrel Reach grinds oats.")  # what the text says, too, is not lost
    numbering = section.footer.paragraphs[0]
    numbering.add_run("Page ")
    numbering._p.append(OxmlElement("w:fldSimple", {qn("w:instr"): "PAGE"}))
    found = one(saved(document), "x.docx")
    assert found.text == "The mill at Sorrel Reach grinds oats."
    assert found.notes == ("Left out: headers and footers of pages (“Sorrel Reach, draft of 3 May”).",)


def test_hidden_and_struck_text_is_left_out_and_told() -> None:
    on, off = "<w:vanish/>", "<w:vanish w:val='0'/>"
    document = word(
        f"<w:p>{run('Seen. ', off)}{run('Never seen. ', on)}{run('Was 9. ', '<w:strike/>')}{run('Is 7.')}"
        f"{run(' Twice gone.', '<w:dstrike/>')}</w:p>"
    )
    found = one(document, "x.docx")
    assert found.text == "Seen. Is 7."
    assert found.notes == ("Left out: hidden text (1).", "Left out: struck or deleted text (2).")


def test_comments_are_left_out_and_told() -> None:
    document = word(f"<w:p>{run('The fee is 9.')}<w:r><w:commentReference w:id='0'/></w:r></w:p>")
    found = one(with_part(document, "word/comments.xml", f"<w:comments {_NS}/>"), "x.docx")
    assert found.text == "The fee is 9."
    assert found.notes == ("Left out: comments (1).",)


def test_comments_beside_slides_are_left_out_and_told() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "The fee is 9."
    drawn = "http://schemas.openxmlformats.org/presentationml/2006/main"
    said = f'<p:cmLst xmlns:p="{drawn}"><p:cm idx="1"><p:text>Was it not 7?</p:text></p:cm><p:cm idx="2"/></p:cmLst>'
    kind = "application/vnd.openxmlformats-officedocument.presentationml.comments+xml"
    comments = Part(PackURI("/ppt/comments/comment1.xml"), kind, deck.part.package, said.encode())
    slide.part.relate_to(comments, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments")
    found = one(saved(deck), "x.pptx")
    assert found.text == "The fee is 9."
    assert found.notes == ("Left out: comments (2).",)


def test_raised_figures_and_formulas_can_be_read() -> None:
    above = "<w:vertAlign w:val='superscript'/>"
    power = "<m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    fraction = "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    document = word(
        f"<w:p>{run('About 10')}{run('9', above)}{run(' stars, 5 m')}{run('2', above)}{run(', the 5')}"
        f"{run('th', above)}{run('.')}</w:p>",
        f"<w:p>{run('Then ')}<m:oMath><m:r><m:t>A=π</m:t></m:r>{power}</m:oMath>{run(' and ')}"
        f"<m:oMath>{fraction}</m:oMath>{run('.')}</w:p>",
    )
    assert blocks(document, "x.docx") == ["About 10⁹ stars, 5 m², the 5th.", "Then A=πr² and (a+b)/2."]


def test_nested_lists_keep_what_they_lie_under() -> None:
    document = docx.Document()
    document.add_paragraph("Ports", style="List Bullet")
    document.add_paragraph("Corran", style="List Bullet 2")
    document.add_paragraph("Two berths", style="List Bullet 3")
    document.add_paragraph("Close the valve first.", style="List Number")
    document.add_paragraph("Then open the hatch.", style="List Number 2")
    assert blocks(saved(document), "x.docx") == [
        "Ports",
        "Ports: Corran",
        "Ports: Corran: Two berths",
        "Close the valve first.",
        "Then open the hatch.",
    ]


def test_properties_are_metadata() -> None:
    document = docx.Document()
    document.add_paragraph("Text.")
    document.core_properties.author = "Anna Berg"
    document.core_properties.keywords = "port; fees, dues"
    metadata = one(saved(document), "x.docx").metadata
    assert (metadata["author"], metadata["tags"]) == ("Anna Berg", ["port", "fees", "dues"])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<m:d><m:e><m:r><m:t>a+b</m:t></m:r></m:e></m:d>", "(a+b)"),
        (
            '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d>',
            "[x]",
        ),
        (
            "<m:sSup><m:e><m:f><m:num><m:r><m:t>v</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f></m:e>"
            "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>",
            "(v/c)²",
        ),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>k=1</m:t></m:r></m:sub>'
            "<m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>k</m:t></m:r></m:e></m:nary>",
            "∑_(k=1)ⁿ k",
        ),
        ("<m:sSub><m:e><m:r><m:t>H</m:t></m:r></m:e><m:sub><m:r><m:t>2</m:t></m:r></m:sub></m:sSub>", "H₂"),
        ("<m:func><m:fName><m:r><m:t>sin</m:t></m:r></m:fName><m:e><m:r><m:t>x</m:t></m:r></m:e></m:func>", "sin x"),
        ("<m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg><m:e><m:r><m:t>x+1</m:t></m:r></m:e></m:rad>", "³√(x+1)"),
    ],
)
def test_formulas_keep_their_brackets_bounds_and_indices(written: str, expected: str) -> None:
    assert blocks(word(f"<w:p><m:oMath>{written}</m:oMath></w:p>"), "a.docx")[-1] == expected
