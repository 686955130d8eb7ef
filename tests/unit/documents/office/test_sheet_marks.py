"""Spreadsheets: what is written above the cells, comments, spans of time, marks in cells, properties."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.unit.documents.made import RELATIONS, archive, one, row, with_part, workbook

_NAMES = ("office", "text", "table", "style", "drawing", "meta")
_ODF = " ".join(
    f'xmlns:{name.replace("drawing", "draw")}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in _NAMES
)
_HEADS = (("Boat", "Skipper", "Port"), ("Tern", "Ruth Adler", "Holm"), ("Gull", "Jon Ek", "Skerry"))
_ROWS = ["Boat: Tern; Skipper: Ruth Adler; Port: Holm.", "Boat: Gull; Skipper: Jon Ek; Port: Skerry."]


_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DRAWN = "http://schemas.openxmlformats.org/drawingml/2006"
_LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"


def box(text: str, hidden: str = "0") -> str:
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("|"))
    named = f'<xdr:nvSpPr><xdr:cNvPr id="2" name="Box" hidden="{hidden}"/></xdr:nvSpPr>'
    return f"<xdr:sp>{named}<xdr:txBody>{lines}</xdr:txBody></xdr:sp>"


def ods(rows: str, styles: str = "") -> bytes:
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles>{styles}</office:automatic-styles><office:body>"
        f'<office:spreadsheet><table:table table:name="Sheet1">{rows}</table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    meta = (
        f"<office:document-meta {_ODF}><office:meta><meta:initial-creator>Ruth Adler</meta:initial-creator>"
        "<meta:creation-date>1999-05-04T10:00:00</meta:creation-date><meta:keyword>boats</meta:keyword></office:meta>"
        "</office:document-meta>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return archive({"mimetype": kind, "content.xml": content, "meta.xml": meta, "META-INF/manifest.xml": manifest})


def ods_row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def ods_cell(inner: str, more: str = "", kind: str = "string") -> str:
    return f'<table:table-cell office:value-type="{kind}" {more}>{inner}</table:table-cell>'


def test_boxes_above_the_cells_stand_after_them_and_comments_are_told() -> None:
    links = "".join(
        f'<Relationship Id="r{kind}" Type="{RELATIONS}/{kind}" Target="../{kind}1.xml"/>'
        for kind in ("drawing", "comments")
    )
    boxes = box("The boats lie in Holm.|Ask Ruth for the keys.") + box("Sold", hidden="1") + box(" ")
    twice = f"<mc:AlternateContent><mc:Choice>{box('Paint is in the shed.')}</mc:Choice><mc:Fallback>"
    names = f'xmlns:xdr="{_DRAWN}/spreadsheetDrawing" xmlns:a="{_DRAWN}/main" xmlns:mc="mc"'
    drawn = f"{boxes}{twice}{box('Paint is in the shed.')}</mc:Fallback></mc:AlternateContent>"
    comments = f'<comments xmlns="{_SHEET}"><commentList>{"<comment/>" * 2}</commentList></comments>'
    data = workbook({"Sheet1": "".join(row(number, *texts) for number, texts in enumerate(_HEADS, 1))})
    data = with_part(
        data, "xl/worksheets/_rels/s1.xml.rels", f'<Relationships xmlns="{_LINKS}">{links}</Relationships>'
    )
    data = with_part(data, "xl/drawing1.xml", f"<xdr:wsDr {names}>{drawn}</xdr:wsDr>")
    found = one(with_part(data, "xl/comments1.xml", comments), "x.xlsx")
    said = ["The boats lie in Holm.\nAsk Ruth for the keys.", "Paint is in the shed."]
    assert found.text.split("\n\n") == [*_ROWS, *said]
    assert found.notes == ("Left out: comments (2).", "Left out: hidden text (1).")


def test_boxes_and_comments_of_opendocument() -> None:
    box = "<draw:custom-shape><text:p>The boats lie in Holm.</text:p></draw:custom-shape>"
    in_cell = "<draw:frame><draw:text-box><text:p>Ask Ruth.</text:p></draw:text-box></draw:frame>"
    comment = "<office:annotation><text:p>leaks</text:p></office:annotation>"
    above = {"Tern": in_cell, "Gull": comment}
    rows = [ods_row(*(ods_cell(f"{above.get(text, '')}<text:p>{text}</text:p>") for text in texts)) for texts in _HEADS]
    found = one(ods(f"<table:shapes>{box}</table:shapes>{''.join(rows)}"), "x.ods")
    assert found.text.split("\n\n") == [*_ROWS, "The boats lie in Holm.", "Ask Ruth."]
    assert found.notes == ("Left out: comments (1).",)
    assert found.metadata == {"author": "Ruth Adler", "created": "1999-05-04", "tags": ["boats"]}


def test_a_span_of_time_is_told_in_hours() -> None:
    formats = '<numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><fonts><font/></fonts>'
    cells = f'{formats}<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>'
    rows = row(1, "Task", "Hours") + row(2, "Paint", 1.25) + row(3, "Sail", 2)
    data = workbook({"Sheet1": rows.replace("><v>", ' s="1"><v>')})
    found = one(with_part(data, "xl/styles.xml", f'<styleSheet xmlns="{_SHEET}">{cells}</styleSheet>'), "x.xlsx")
    assert found.text.split("\n\n") == ["Task: Paint; Hours: 30:00.", "Task: Sail; Hours: 48:00."]
    span = ods_cell("<text:p>30:00</text:p>", 'office:time-value="PT30H00M00S"', "time")
    lines = ods_row(*(ods_cell(f"<text:p>{text}</text:p>") for text in ("Task", "Hours"))) + ods_row(
        ods_cell("<text:p>Paint</text:p>"), span
    )
    assert one(ods(lines), "x.ods").text.startswith("Task: Paint; Hours: 30:00.")


@pytest.mark.parametrize(
    ("code", "book", "shown"),
    [
        ("mmm yyyy", "", "1931-05"),
        ("yyyy", "", "1931"),
        ("yyyy", '<workbookPr date1904="1"/>', "1935"),
        ("d mmm yyyy", "", "1931-05-04"),
    ],
)
def test_days_that_are_shown_as_months_or_years(code: str, book: str, shown: str) -> None:
    formats = f'<numFmts count="1"><numFmt numFmtId="164" formatCode="{code}"/></numFmts><fonts><font/></fonts>'
    cells = f'{formats}<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>'
    rows = row(1, "Boat", "Built", "Port") + row(2, "Tern", 11447, "Holm") + row(3, "Gull", 11447, "Skerry")
    data = workbook({"Sheet1": rows.replace("><v>", ' s="1"><v>')})
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {
            name: package.read(name).replace(b"<sheets>", f"{book}<sheets>".encode()) for name in package.namelist()
        }
    styles = f'<styleSheet xmlns="{_SHEET}">{cells}</styleSheet>'
    found = one(with_part(archive(dict(parts)), "xl/styles.xml", styles), "x.xlsx")
    assert found.text.split("\n\n") == [
        f"Boat: Tern; Built: {shown}; Port: Holm.",
        f"Boat: Gull; Built: {shown}; Port: Skerry.",
    ]
