"""Builds the PDF and Word articles of the example encyclopaedia from ``sources/*.toml``.

Run ``python examples/build.py [FOLDER]`` with the ``dev`` extra installed; without an argument the articles in
``encyclopaedia/`` are written anew. Dates and identifiers are fixed, so that the same sources and library versions
give the same bytes.

A source has a ``title``, a ``format`` (``pdf`` or ``docx``) and ``blocks`` in reading order, each with a ``kind``:
``paragraph`` and ``heading`` (``text``), ``table`` (``rows``, the first of them the header; docx only), ``figure``
(``height`` in metres, ``colour``, ``band``, ``caption``; pdf only) and ``page``, which starts a new page.
"""

from __future__ import annotations

import io
import sys
import tomllib
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import docx
from docx.document import Document as WordDocument
from reportlab.graphics.shapes import Drawing, Line, Polygon, Rect
from reportlab.graphics.shapes import Path as Outline
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, KeepTogether, PageBreak, PageTemplate, Paragraph

HERE = Path(__file__).parent
AUTHOR = "Encyclopaedia of the Merrow Isles"
WRITTEN = datetime(2026, 1, 1)
INK = HexColor("#22303c")
SEA = HexColor("#cfdde6")

# Vera comes with ReportLab and, unlike the fonts that every PDF reader has, it contains ł.
FONT, BOLD, ITALIC = "Vera", "VeraBd", "VeraIt"
TITLE = ParagraphStyle("title", fontName=BOLD, fontSize=19, leading=24, textColor=INK, spaceAfter=10)
HEADING = ParagraphStyle("heading", fontName=BOLD, fontSize=12, leading=16, textColor=INK, spaceBefore=8, spaceAfter=4)
BODY = ParagraphStyle("body", fontName=FONT, fontSize=9.5, leading=14.5, spaceAfter=7)
CAPTION = ParagraphStyle("caption", fontName=ITALIC, fontSize=8, leading=11, spaceBefore=3, spaceAfter=8, textColor=INK)


def tower(height: float, colour: str, band: str, width: float) -> Drawing:
    """A lighthouse in the sea, ``height`` metres high, on a drawing ``width`` points wide, 2.4 points to the metre."""
    metre = 2.4
    drawing = Drawing(width, 60 * metre)
    middle, foot = width / 2, 6 * metre
    top = foot + height * metre
    drawing.add(Rect(0, 0, width, 60 * metre, fillColor=HexColor("#f3f7fa"), strokeColor=None))
    for side in (-1, 1):
        beam = [middle, top + 8, middle + side * width / 2, top + 20, middle + side * width / 2, top - 4]
        drawing.add(Polygon(beam, fillColor=Color(1, 0.9, 0.55, alpha=0.7), strokeColor=None))
    wall = Outline(fillColor=HexColor(colour), strokeColor=INK, strokeWidth=0.6)
    wall.moveTo(middle - 17, foot)
    wall.curveTo(middle - 10, foot + 18, middle - 9, foot + 40, middle - 8, top)
    wall.lineTo(middle + 8, top)
    wall.curveTo(middle + 9, foot + 40, middle + 10, foot + 18, middle + 17, foot)
    wall.closePath()
    drawing.add(wall)
    drawing.add(Rect(middle - 8.8, top - 24, 17.6, 9, fillColor=HexColor(band), strokeColor=None))
    drawing.add(Rect(middle - 11, top, 22, 2.5, fillColor=INK, strokeColor=None))
    drawing.add(Rect(middle - 6, top + 2.5, 12, 11, fillColor=HexColor("#ffe9a3"), strokeColor=INK, strokeWidth=0.6))
    drawing.add(Polygon([middle - 8, top + 13.5, middle + 8, top + 13.5, middle, top + 21], fillColor=INK))
    drawing.add(Rect(0, 0, width, foot, fillColor=SEA, strokeColor=None))
    for wave in range(3):
        drawing.add(Line(0, foot - 4 * wave, width, foot - 4 * wave, strokeColor=HexColor("#9db6c6"), strokeWidth=0.6))
    return drawing


def pdf_blocks(source: dict[str, Any], width: float) -> list[Flowable]:
    """The article as ReportLab flowables. A paragraph is never divided between two pages."""
    flowables: list[Flowable] = [Paragraph(escape(source["title"]), TITLE)]
    for block in source["blocks"]:
        match block["kind"]:
            case "paragraph":
                flowables.append(KeepTogether(Paragraph(escape(block["text"]), BODY)))
            case "heading":
                flowables.append(Paragraph(escape(block["text"]), HEADING))
            case "figure":
                flowables.append(tower(block["height"], block["colour"], block["band"], width))
                flowables.append(Paragraph(escape(block["caption"]), CAPTION))
            case "page":
                flowables.append(PageBreak())
            case kind:
                raise ValueError(f"{source['title']}: a pdf has no block of kind {kind!r}; see the top of build.py")
    return flowables


def page_number(canvas: Canvas, template: BaseDocTemplate) -> None:
    """Draws the number of the page at its foot, and the line above it."""
    canvas.setStrokeColor(SEA)
    canvas.line(18 * mm, 15 * mm, A5[0] - 18 * mm, 15 * mm)
    canvas.setFont(FONT, 8)
    canvas.setFillColor(INK)
    canvas.drawCentredString(A5[0] / 2, 10 * mm, str(template.page))


def pdf(source: dict[str, Any]) -> bytes:
    """The article as a PDF of A5 pages, with its title in the metadata."""
    for name in (FONT, BOLD, ITALIC):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    buffer = io.BytesIO()
    template = BaseDocTemplate(
        buffer,
        pagesize=A5,
        leftMargin=18 * mm,
        rightMargin=18 * mm,
        topMargin=16 * mm,
        bottomMargin=18 * mm,
        title=source["title"],
        author=AUTHOR,
        lang="en",
        invariant=True,
    )
    frame = Frame(template.leftMargin, template.bottomMargin, template.width, template.height, 0, 0, 0, 0)
    # At the end of the page, so that a reader of the text meets the number after the words and not before them.
    template.addPageTemplates(PageTemplate(frames=[frame], onPageEnd=page_number))
    template.build(pdf_blocks(source, template.width))
    return buffer.getvalue()


def word_table(document: WordDocument, rows: list[list[str]]) -> None:
    """Adds a table whose first row is its header."""
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Light Grid Accent 1")
    for cells, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(cells.cells, texts, strict=True):
            cell.text = text
    document.add_paragraph()


def word(source: dict[str, Any]) -> bytes:
    """The article as a Word document, with its title in the properties and in the style Title."""
    document = docx.Document()
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = source["title"], AUTHOR, AUTHOR
    properties.comments, properties.language, properties.revision = "", "en-GB", 1
    properties.created = properties.modified = WRITTEN
    document.add_heading(source["title"], level=0)
    for block in source["blocks"]:
        match block["kind"]:
            case "paragraph":
                document.add_paragraph(block["text"])
            case "heading":
                document.add_heading(block["text"], level=1)
            case "table":
                word_table(document, block["rows"])
            case "page":
                document.add_page_break()
            case kind:
                raise ValueError(f"{source['title']}: a docx has no block of kind {kind!r}; see the top of build.py")
    buffer = io.BytesIO()
    document.save(buffer)
    return undated(buffer.getvalue())


def undated(archive: bytes) -> bytes:
    """The same zip archive with one fixed date on every member, where python-docx writes the current time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name, date_time=WRITTEN.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, old.read(name))
    return buffer.getvalue()


def build(folder: Path) -> list[Path]:
    """Writes every article of ``sources/`` into ``folder`` and returns the files, in order of name."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for path in sorted((HERE / "sources").glob("*.toml")):
        source = tomllib.loads(path.read_text(encoding="utf-8"))
        target = folder / f"{path.stem}.{source['format']}"
        target.write_bytes({"pdf": pdf, "docx": word}[source["format"]](source))
        written.append(target)
    return written


if __name__ == "__main__":
    for file in build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "encyclopaedia"):
        print(file)
