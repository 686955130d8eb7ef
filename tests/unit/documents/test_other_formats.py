"""Spreadsheets, OpenDocument, RTF, e-books, mail, XML, plain markups, subtitles, notebooks and archives."""

from __future__ import annotations

import io
import json
import zipfile
from email.message import EmailMessage

import docx
import pytest

from clew.documents.parsed import Parsed, Rejected, Unreadable
from tests.unit.documents.made import RELATIONS, SHEET, archive, blocks, items, one, row, saved, with_part, workbook

_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style", "meta")
)


def test_a_workbook_has_a_page_for_each_sheet() -> None:
    fees = row(1, "Fees of 2020") + row(3, "Boat", "Fee") + row(4, "Tern", 40.0) + row(5, "Gull", 30.5)
    sheet = row(1, "Length", "12 m") + row(2, "Builder", "Anna Berg")
    found = one(workbook({"Harbour": fees, "Tern": sheet, "Notes": row(1, "secret")}, hidden="Notes"), "fees_2020.xlsx")
    assert found.text.split("\n\n") == [
        "Harbour",
        "Fees of 2020",
        "Boat: Tern; Fee: 40.",
        "Boat: Gull; Fee: 30.5.",
        "Tern",
        "Length: 12 m.",
        "Builder: Anna Berg.",
    ]
    assert found.pages == ()
    assert found.notes == ("Left out: hidden sheets (1).",)


_MANIFEST: dict[str, str | bytes] = {
    "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
}


def opendocument(kind: str, body: str, styles: str = "", common: str = "") -> bytes:
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body>{body}</office:body></office:document-content>"
    )
    meta = (
        f'<office:document-meta {_ODF} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:title>The '
        f"Yard</dc:title><meta:initial-creator>Anna Berg</meta:initial-creator></office:meta></office:document-meta>"
    )
    return archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "meta.xml": meta,
            "styles.xml": f"<office:document-styles {_ODF}>{common}</office:document-styles>",
            **_MANIFEST,
        }
    )


def test_opendocument_text() -> None:
    styles = (
        '<style:style style:name="S" style:family="text"><style:text-properties '
        'style:text-line-through-style="solid"/></style:style>'
        '<style:style style:name="U" style:family="text">'
        '<style:text-properties style:text-position="super 58%"/></style:style>'
    )
    body = (
        "<office:text><text:tracked-changes><text:p>Gone.</text:p></text:tracked-changes>"
        '<text:h text:outline-level="1">The yard</text:h><text:p>'
        'It holds 10<text:span text:style-name="U">6</text:span>'
        ' planks<text:note text:note-class="footnote"><text:note-citation>'
        "1</text:note-citation><text:note-body><text:p>In"
        " 1931.</text:p></text:note-body></text:note>,<text:s/>or "
        '<text:span text:style-name="S">none</text:span>more.</text:p>'
        "<text:list><text:list-item><text:p>Boats</text:p><text:list>"
        "<text:list-item><text:p>Tern</text:p></text:list-item>"
        "</text:list></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Boat</text:p>"
        "</table:table-cell><table:table-cell><text:p>Length</text:p>"
        "</table:table-cell></table:table-row><table:table-row>"
        "<table:table-cell><text:p>Tern</text:p></table:table-cell><table:table-cell><text:p>12 m</text:p>"
        "</table:table-cell></table:table-row></table:table></office:text>"
    )
    found = one(opendocument("text", body, styles), "x.odt")
    assert found.text.split("\n\n") == [
        "The yard",
        "It holds 10⁶ planks, or more.",
        "In 1931.",
        "Boats",
        "Boats: Tern",
        "Boat: Tern; Length: 12 m.",
        "author: Anna Berg.",
    ]
    assert (found.title, found.metadata) == ("The Yard", {"author": "Anna Berg"})
    assert found.notes == ("Left out: struck or deleted text (1).",)


def test_opendocument_heads_and_common_styles() -> None:
    common = (
        '<style:style style:name="Gone" style:family="paragraph"><style:text-properties text:display="none"/>'
        "</style:style><style:master-page><style:header><text:p>Ostrey Rowing Club, minutes</text:p></style:header>"
        '<style:footer><text:p>Page <text:page-number text:select-page="current">1</text:page-number></text:p>'
        "</style:footer></style:master-page>"
    )
    body = '<text:p>The club has 31 boats.</text:p><text:p text:style-name="Gone">It had 9.</text:p>'
    found = one(opendocument("text", f"<office:text>{body}</office:text>", common=common), "x.odt")
    assert "9" not in found.text
    assert found.notes == (
        "Left out: hidden text (1).",
        "Left out: headers and footers of pages (“Ostrey Rowing Club, minutes”).",
    )


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ('<table:table-cell table:number-columns-repeated="2"/>{2}', "Tons: 2."),
        ('{1}<table:table-cell table:number-columns-spanned="2"><text:p>sold</text:p></table:table-cell>'
         "<table:covered-table-cell/>", "Boat: 1; Port, Tons: sold."),
        ('{1}<table:table-cell table:number-columns-repeated="1021"/>', "Boat: 1."),
    ],
)  # fmt: skip
def test_cells_of_opendocument_that_stand_for_several(cells: str, expected: str) -> None:
    def row(inner: str) -> str:
        return f"<table:table-row>{inner}</table:table-row>"

    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    heads = row("".join(map(cell.format, ("Boat", "Port", "Tons"))))
    filled = row(cells.format(None, cell.format(1), cell.format(2)))
    body = f"<office:text><table:table>{heads}{filled}</table:table></office:text>"
    assert blocks(opendocument("text", body), "x.odt")[0] == expected


def test_rtf() -> None:
    written = (
        r"{\rtf1\ansi\ansicpg1252{\info{\title The Yard}{\author Anna Berg}}\pard Built by M\'fcller in 1931.\par "
        r"\trowd\cellx100\cellx200 Boat\cell Length\cell\row\trowd\cellx100\cellx200 "
        r"Tern\cell 12 m\cell\row\pard End.\par}"
    )
    found = one(written, "x.rtf")
    assert [line for line in found.text.split("\n") if line] == [
        "Built by Müller in 1931.",
        "Boat: Tern; Length: 12 m.",
        "End.",
        "author: Anna Berg.",
    ]
    assert (found.title, found.metadata) == ("The Yard", {"author": "Anna Berg"})


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"2\'b710{\super 8} cells on 4 km{\fs14\super 2}.", "2·10⁸ cells on 4 km²."),
        (r"A seat costs {\b\strike 90}70 crowns.", "A seat costs 70 crowns."),
        (r"A seat costs \strike 90\strike0 70 crowns.", "A seat costs 70 crowns."),
        (r"Open{\v not shown} daily.", "Open daily."),
        (r"A seat costs {\striked1 90 }70 crowns.", "A seat costs 70 crowns."),
        (
            r"It froze.{\super\chftn{\footnote\pard{\super\chftn} In {\i May}.}} It thawed.\par End.",
            "It froze. It thawed.\n\nIn May.\n\nEnd.",
        ),
        (r"It froze{\footnote In May.} and sank.{\footnote In June.}\par", "It froze and sank.\n\nIn May.\n\nIn June."),
        (r"It froze.{\super\chftn}{\footnote\ftnalt\pard {\super\chftn} In May.}", "It froze.\n\nIn May."),
    ],
)  # fmt: skip
def test_marks_of_rtf(written: str, expected: str) -> None:
    assert one(rf"{{\rtf1\ansi {written}\par}}", "x.rtf").text == expected


def test_an_e_book_in_the_order_of_its_spine() -> None:
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>The Yards</dc:title><dc:creator>Anna Berg</dc:creator></metadata><manifest>"
        '<item id="a" href="one%20.xhtml"/><item id="b" href="two.xhtml"/></manifest><spine><itemref idref="b"/>'
        '<itemref idref="a"/></spine></package>'
    )
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="in/book.opf"/></rootfiles></container>',
        "in/book.opf": book,
        "in/one .xhtml": "<html><body><h1>Second</h1><p>It was sold.</p></body></html>",
        "in/two.xhtml": "<!DOCTYPE html><html><body><h1>First</h1><p>It was built.</p></body></html>",
    }
    found = one(archive(parts), "x.epub")
    assert found.text == "First\n\nIt was built.\n\nSecond\n\nIt was sold.\n\nauthor: Anna Berg."
    assert (found.title, found.pages) == ("The Yards", (0, found.text.index("Second")))
    with pytest.raises(Unreadable, match="damaged"):
        one(archive({"mimetype": "application/epub+zip", "x": "y"}), "x.epub")


def test_a_message_and_what_is_attached_to_it() -> None:
    message = EmailMessage()
    message["From"] = "Anna Berg <anna@example.invalid>"
    message["To"] = "jon@example.invalid"
    message["Subject"] = "Fees für 2020"
    message["Date"] = "Mon, 03 Feb 2020 10:00:00 +0000"
    message.set_content("The fee is 40 crowns.\n")
    message.add_alternative("<p>Another wording.</p>", subtype="html")
    document = docx.Document()
    document.add_paragraph("The berth is number 7.")
    message.add_attachment(saved(document), maintype="application", subtype="octet-stream", filename="berth.docx")
    message.add_attachment(b"GIF89a", maintype="image", subtype="gif", filename="map.gif")
    letter, attached, left_out = items(message.as_bytes(), "x.eml")
    assert isinstance(letter, Parsed)
    assert isinstance(attached, Parsed)
    assert letter.title == "Fees für 2020"
    assert letter.text.startswith(
        "From: Anna Berg <anna@example.invalid>\nTo: jon@example.invalid\nDate: Mon, 03 Feb 2020"
    )
    assert letter.text.endswith("Attached: berth.docx, map.gif\n\nThe fee is 40 crowns.")
    assert (attached.text, attached.locator, attached.kind) == ("The berth is number 7.", "berth.docx", "docx")
    assert left_out == Rejected("Left out, because files of these kinds cannot be read: 1 .gif.", note=True)


def test_a_message_that_was_passed_on_is_a_document_of_its_own() -> None:
    inner, message = EmailMessage(), EmailMessage()
    inner["From"], inner["Subject"] = "jon@example.invalid", "Berth"
    inner.set_content("The berth is number 7.\n")
    message["Subject"] = "Fwd: Berth"
    message.set_content("See below.\n")
    message.add_attachment(inner)
    _, passed_on = items(message.as_bytes(), "x.eml")
    assert isinstance(passed_on, Parsed)
    assert (passed_on.title, passed_on.locator) == ("Berth", "Berth.eml")
    assert passed_on.text.endswith("The berth is number 7.")


JATS = """<article><front><article-meta><title-group><article-title>Gannets of Corran</article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Holt</surname><given-names>Karin</given-names></name></contrib>
<contrib contrib-type="author"><name><surname>Ek</surname><given-names>Jon</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Moss</surname><given-names>Ada</given-names></name></contrib>
</contrib-group><pub-date><day>3</day><month>5</month><year>2021</year></pub-date>
<kwd-group><kwd>gannet</kwd></kwd-group></article-meta></front><body><p>They nest on the cliffs of the island.</p>
<table-wrap><table><thead><tr><th rowspan="2">Cliff</th>
<th colspan="2">Nests</th></tr><tr><th>2019</th><th>2020</th></tr></thead>
<tbody><tr><td>North</td><td>310</td><td>295</td></tr><tr><td>Gull Rock</td><td>12</td><td>-</td></tr></tbody></table>
</table-wrap></body></article>"""


def test_an_article_tells_its_authors_and_its_tables_their_heads() -> None:
    found = one(JATS, "x.xml")
    assert found.title == "Gannets of Corran"
    assert found.metadata == {"author": ["Karin Holt", "Jon Ek"], "date": "2021-05-03", "tags": ["gannet"]}
    assert "Cliff: North; Nests 2019: 310; Nests 2020: 295." in found.text.split("\n\n")
    assert "Cliff: Gull Rock; Nests 2019: 12; Nests 2020: -." in found.text.split("\n\n")
    assert found.text.endswith("author: Karin Holt, Jon Ek.")


def test_xml_of_records_and_of_texts() -> None:
    records = (
        "<boats><boat id='7'><name>Tern</name><built>1931</built></boat><boat id='8'><name>Gull</name></boat></boats>"
    )
    assert blocks(records, "x.xml") == ["id: 7; name: Tern; built: 1931.", "id: 8; name: Gull."]
    text = (
        "<book xmlns='urn:x'><title>The Yards</title><para>It was "
        "<b>built</b> in 1931.</para><para>It was sold.</para></book>"
    )
    assert blocks(text, "x.xml") == ["title: The Yards.", "It was built in 1931.", "It was sold."]
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x><y>Told &b;</y><z>On.</z></x>'
    assert "haha" not in one(bomb, "x.xml").text
    with pytest.raises(Unreadable, match="well-formed"):
        one("<a><b></a>", "x.xml")


def test_restructuredtext() -> None:
    text = (
        "The Yards\n=========\n\nIt was built [1]_ in 1931.\n\n.. [1] In Corran.\n\n.. include:: /etc/passwd\n\n"
        "====  ======\nBoat  Length\n====  ======\nTern  12 m\n====  ======\n\nBerth\n  A place for a ship.\n"
    )
    found = one(text, "x.rst")
    assert found.title == "The Yards"
    assert "root:" not in found.text
    for said in ("It was built in 1931.", "In Corran.", "Boat: Tern; Length: 12 m.", "Berth: A place for a ship."):
        assert said in found.text


def test_org() -> None:
    text = (
        "#+TITLE: The Yards\n#+AUTHOR: Anna Berg\n* TODO Corran :port:\n:PROPERTIES:\n:ID: 9\n:END:\nIt was /built/ in "
        "[[https://x.invalid][1931]], +or not+.\n| Boat | Length "
        "|\n|------+--------|\n| Tern | 12 m |\n\n- Berth :: A place.\n"
    )
    found = one(text, "x.org")
    assert found.text.split("\n\n") == [
        "Corran",
        "It was built in 1931, .",
        "Boat: Tern; Length: 12 m.",
        "Berth: A place.",
        "author: Anna Berg.",
    ]
    assert found.title == "The Yards"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("It was built[fn:1].\n\n[fn:1] In Corran.\n", ["It was built.", "In Corran."]),
        ("It was built[fn::in Corran].\n", ["It was built.", "in Corran"]),
        ("It holds 10^{8} or x^2 planks.\n", ["It holds 10⁸ or x² planks."]),
    ],
)
def test_notes_and_powers_of_org(written: str, expected: list[str]) -> None:
    assert blocks(written, "x.org") == expected


def test_lines_of_org_that_a_colon_sets_off_are_code() -> None:
    written = "Start it so:\n: cd ~/yard/\n: ./pump -v *.log\n:\nIt hums.\n#+begin_src yaml\n: kept\n#+end_src\n"
    found = one(written, "x.org")
    told = [(block.kind, found.text[block.start : block.end]) for block in found.blocks]
    assert told == [
        ("paragraph", "Start it so:"),
        ("code", "cd ~/yard/\n./pump -v *.log"),
        ("paragraph", "It hums."),
        ("code", ": kept"),
    ]


def test_comments_of_org_are_no_headings_and_addresses_no_italics() -> None:
    written = "## Time-stamp: <2024-05-01 vk>\n#\n* Pump\n  # old\nSee http://pump.invalid/ or ask #pumps.\n"
    found = one(written, "x.org")
    assert (found.title, found.text) == ("Pump", "Pump\n\nSee http://pump.invalid/ or ask #pumps.")


def test_subtitles() -> None:
    srt = "1\n00:00:01,000 --> 00:00:02,000\n<i>The yard was</i>\nbuilt\n\n2\n00:00:03,000 --> 00:00:04,000\nin 1931.\n"
    assert one(srt, "x.srt").text == "The yard was built in 1931."
    vtt = (
        "WEBVTT\n\nNOTE not said\n\n00:01.000 --> 00:02.000 align:start\n<v Anna>We built it.\n\n"
        "00:03.000 --> 00:04.000\n<v Anna>And sold it.\n\n00:05.000 --> 00:06.000\n<v Jon>I bought it."
    )
    assert blocks(vtt, "x.vtt") == ["Anna: We built it. And sold it.", "Jon: I bought it."]


def test_a_notebook() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "\n", "The tide is *high*."]},
        {
            "cell_type": "code",
            "source": "print(7)",
            "outputs": [{"text": ["7\n"]}, {"data": {"image/png": "iVBOR", "text/plain": "<Figure>"}}],
        },
    ]
    found = one(json.dumps({"cells": cells, "nbformat": 4}), "x.ipynb")
    assert (found.title, found.text) == ("Tides", "Tides\n\nThe tide is high.\n\nprint(7)\n\n7")
    with pytest.raises(Unreadable, match="no notebook"):
        one("{}", "x.ipynb")


def test_a_notebook_tells_its_authors() -> None:
    text = {"cell_type": "markdown", "source": "The tide is high."}
    about = {
        "title": "Tides",
        "authors": [{"name": "Anna Berg"}, {"name": "Jon Ek"}],
        "kernelspec": {"name": "python3"},
    }
    found = one(json.dumps({"cells": [text], "metadata": about, "nbformat": 4}), "x.ipynb")
    assert (found.title, found.metadata) == ("Tides", {"author": ["Anna Berg", "Jon Ek"]})
    assert found.text == "The tide is high.\n\nauthor: Anna Berg, Jon Ek."
    front = {"cell_type": "raw", "source": ["---\n", "title: Low tides\n", "author: Liv Moen\n", "---"]}
    found = one(json.dumps({"cells": [front, text], "nbformat": 4}), "x.ipynb")
    assert (found.title, found.metadata) == ("Low tides", {"author": "Liv Moen"})
    assert found.text == "The tide is high.\n\nauthor: Liv Moen."


def test_an_archive_of_documents_and_of_archives() -> None:
    inner = archive({"deep/one.md": "# One\n\nIt was built."})
    outer = archive(
        {"a/notes.txt": "It was sold.", "b.zip": inner, "c.exe": "MZ", ".hidden.txt": "No.", "d.docx": "no"}
    )
    notes, one_, broken, left_out = items(outer, "x.zip")
    assert isinstance(notes, Parsed)
    assert isinstance(one_, Parsed)
    assert (notes.text, notes.locator, notes.kind) == ("It was sold.", "a/notes.txt", "txt")
    assert (one_.title, one_.locator, one_.kind) == ("One", "b.zip/deep/one.md", "md")
    assert broken == Rejected("d.docx: It is not a Word document, whatever its name says.")
    assert left_out == Rejected("Left out, because files of these kinds cannot be read: 1 .exe.", note=True)
    nested = inner
    for _ in range(6):
        nested = archive({"in.zip": nested})
    assert [type(item) for item in items(nested, "x.zip")] == [Rejected]


def test_struck_cells_and_raised_runs_of_a_workbook() -> None:
    rows = (
        row(1, "Boat", "Cells")
        + '<row r="2"><c r="A2" s="1" t="inlineStr"><is><t>Gull</t></is></c><c r="B2" s="1"><v>60</v></c></row>'
        + '<row r="3"><c r="A3" t="inlineStr"><is><t>Tern</t></is></c><c r="B3" t="s"><v>0</v></c></row>'
        + '<row r="4"><c r="A4" t="inlineStr"><is><t>Maid</t></is></c><c r="B4" t="inlineStr"><is><r><t>5 km</t></r>'
        + '<r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r></is></c></row>'
    )
    styles = (
        f'<styleSheet xmlns="{SHEET}"><fonts><font/><font><strike/></font></fonts>'
        '<cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>'
    )
    strings = (
        f'<sst xmlns="{SHEET}"><si><r><t>2·10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>8</t></r>'
        "<r><rPr><strike/></rPr><t> or 9</t></r></si></sst>"
    )
    data = with_part(with_part(workbook({"Boats": rows}), "xl/styles.xml", styles), "xl/sharedStrings.xml", strings)
    relations = f'<Relationship Id="s" Type="{RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    found = one(replaced(data, "xl/_rels/workbook.xml.rels", "</Relationships>", relations), "x.xlsx")
    assert found.text.split("\n\n") == ["Boat: Tern; Cells: 2·10⁸.", "Boat: Maid; Cells: 5 km²."]
    assert found.notes == ("Left out: struck or deleted text (3).",)


def replaced(package: bytes, name: str, old: str, new: str) -> bytes:
    """The package with other words in one of its parts."""
    with zipfile.ZipFile(io.BytesIO(package)) as source:
        parts: dict[str, str | bytes] = {item: source.read(item) for item in source.namelist()}
    return archive(parts | {name: parts[name].decode().replace(old, new)})  # type: ignore[union-attr]


def test_xml_that_says_latin_1_is_what_browsers_take_it_for() -> None:
    written = '<?xml version="1.0" encoding="iso-8859-1"?><note><p>A seat costs €9 – “the best”.</p></note>'
    assert one(written.encode("cp1252"), "x.xml").text == "A seat costs €9 – “the best”."


@pytest.mark.parametrize(("filtered", "rows_left"), [("", 1), ("<autoFilter ref='A1:C3'/>", 2)])
def test_hidden_rows_and_columns_of_a_workbook_are_left_out_and_told(filtered: str, rows_left: int) -> None:
    rows = row(1, "Boat", "Cost", "Yard") + row(2, "Tern", "7", "Osby") + row(3, "Maid", "8", "Ardg")
    sheet = "xl/worksheets/s1.xml"
    data = replaced(
        workbook({"Boats": rows}), sheet, "<sheetData>", "<cols><col min='2' max='2' hidden='1'/></cols><sheetData>"
    )
    data = replaced(data, sheet, '<row r="3">', '<row r="3" hidden="1">')
    data = replaced(data, sheet, "</sheetData>", f"</sheetData>{filtered}")
    found = one(data, "x.xlsx")
    assert found.text.split("\n\n") == ["Boat: Tern; Yard: Osby.", "Boat: Maid; Yard: Ardg."][:rows_left]
    assert found.notes == (f"Left out: hidden rows and columns ({3 - rows_left}).",)


def test_formulas_without_a_result_are_told() -> None:
    rows = (
        row(1, "Boat", "Cost")
        + row(2, "Tern", "7")
        + '<row r="3"><c r="A3"><v>3</v></c><c r="B3"><f>A3*2</f></c></row>'
    )
    found = one(workbook({"Boats": rows}), "x.xlsx")
    assert found.notes == ("Left out: formulas that no program has calculated (1).",)
