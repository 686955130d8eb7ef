"""A small whole file of each format that is read, to be damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import docx
import pptx

from tests.unit.documents.made import archive, row, saved, workbook

TEXT = {
    "a.txt": "Skarn Head\n\nThe light was first lit in 1874.\nIts keeper, Gregor Tull, left in 1902.\n",
    "a.md": "---\nauthor: A\ntags: [x, y]\n---\n# Skarn Head\n\n- lit: **1874**\n  1. by *Tull*[^1]\n\n[^1]: A note.\n"
    "\n| Year | Keeper |\n|---|---|\n| 1874 | Tull |\n\n```py\nx = 1\n```\n\nTerm\n: meaning\n",
    "a.html": "<!doctype html><html lang=en><head><title>Skarn</title><meta name=author content=A></head><body><h1>"
    "Skarn</h1><p>Lit in <del>1873</del> 10<sup>6</sup>.<table><tr><th rowspan=2>Year<th>Who<tr><td>T</table><dl><dt>"
    "a<dd>b</dl><form><input value=x><select><option selected>y</select></form><ul><li>1<ul><li>2</ul></ul>",
    "a.csv": 'sep=;\nTitle\n"name";year;"a;b"\nSkarn;1874;x\nHallow;1880;"y\nz"\n',
    "a.tsv": "name\tyear\nSkarn\t1874\n",
    "a.json": json.dumps({"title": "Skarn", "rows": [{"name": "Tull", "year": 1874, "x": None}], "text": "It is lit."}),
    "a.jsonl": '{"id": "1", "title": "A", "text": "Lit in 1874.", "n": 1.5}\n{"title": "B", "content": "Dark."}\n',
    "a.xml": '<?xml version="1.0" encoding="utf-8"?><doc xmlns:a="urn:a"><title>Skarn</title><sec id="s1"><title>Light'
    "</title><p>Lit <b>1874</b>.</p></sec><row><year>1874</year><who>Tull</who></row></doc>",
    "a.rst": "Skarn\n=====\n\n:Author: A\n\n* one\n\n  * two\n\n====  ====\nYear  Who\n====  ====\n1874  Tull\n"
    "====  ====\n\n.. note:: Dark [1]_.\n\n.. [1] A note.\n",
    "a.org": "#+TITLE: Skarn\n* Light\n:PROPERTIES:\n:A: b\n:END:\n- lit :: 1874\n| Year | Who |\n|------+-----|\n"
    "| 1874 | Tull |\n#+BEGIN_SRC py\nx\n#+END_SRC\n",
    "a.rtf": r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Skarn}}\b Skarn\b0\par Lit in 1874{\footnote"
    r" A note.}\par\trowd\cellx1\cellx2 Year\cell Who\cell\row\u8364?\'e9{\*\x y}}",
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\nLit in 1874.\n\n2\n00:00:03,000 --> 00:00:04,000\n<i>By Tull</i>\n",
    "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Tull>It was lit.\n\nNOTE x\n",
    "a.ipynb": json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# Skarn\n", "Lit."], "metadata": {}},
                {"cell_type": "code", "source": "x = 1", "outputs": [{"text": ["1"]}], "metadata": {}},
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    ),
}
"""Files of text, each with what is particular to its format."""
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_CONTENT = (
    f'<office:document-content xmlns:office="{_ODF}:office:1.0" xmlns:text="{_ODF}:text:1.0" '
    f'xmlns:table="{_ODF}:table:1.0"><office:body>%s</office:body></office:document-content>'
)
_ROWS = (
    '<table:table table:name="T"><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>1874'
    "</text:p></table:table-cell></table:table-row></table:table>"
)


def samples(pictures: Path) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each; PDFs and others of the examples are taken from the folder ``pictures``."""
    for name, text in TEXT.items():
        yield name, text.encode()
    yield "a.docx", _word()
    yield "a.pptx", _slides()
    yield "a.xlsx", workbook({"Keepers": row(1, "name", "from", "share") + row(2, "Tull", 1874, 0.5)})
    odt = f"<office:text><text:h text:outline-level='1'>Skarn</text:h><text:p>Lit.</text:p>{_ROWS}</office:text>"
    yield "a.odt", archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": _CONTENT % odt})
    ods = f"<office:spreadsheet>{_ROWS}</office:spreadsheet>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    yield "a.ods", archive({"mimetype": kind, "content.xml": _CONTENT % ods})
    yield "a.epub", _book()
    yield "a.eml", _mail()
    yield "a.zip", archive({"in/a.md": TEXT["a.md"], "b.html": TEXT["a.html"], "c.docx": _word()})
    for path in sorted(pictures.iterdir()):
        if path.suffix in (".pdf", ".docx", ".html"):
            yield path.name, path.read_bytes()


def _word() -> bytes:
    document = docx.Document()
    document.add_heading("Skarn Head", 1)
    document.add_paragraph("It was lit in 1874.").add_run("struck").font.strike = True
    document.add_paragraph("one", style="List Bullet")
    table = document.add_table(2, 2)
    table.cell(0, 0).merge(table.cell(1, 0)).text = "Year"
    table.cell(0, 1).text = "1874"
    return saved(document)


def _slides() -> bytes:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Skarn Head"
    slide.placeholders[1].text = "Lit in 1874"
    slide.notes_slide.notes_text_frame.text = "A note"
    slide.shapes.add_table(2, 2, 0, 0, 999, 999).table.cell(0, 0).text = "Year"
    return saved(show)


def _book() -> bytes:
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="o.opf"/></rootfiles></container>',
            "o.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            '<dc:title>Skarn</dc:title></metadata><manifest><item id="c" href="c.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
            "c.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>Skarn</h1><p>Lit.</p></body></html>",
        }
    )


def _mail() -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Date"] = "Der Löschturm", "A <a@example.org>", "Mon, 2 Mar 2020 10:00:00 +0100"
    mail.set_content("It was lit in 1874.\n\n> an older one\n")
    mail.add_alternative("<p>It was lit in <b>1874</b>.</p>", subtype="html")
    mail.add_attachment(TEXT["a.csv"].encode(), maintype="text", subtype="csv", filename="a.csv")
    return mail.as_bytes()
