"""Files of each format, made anew for each test, and how they are read without a child process."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from clew.documents.format import Input
from clew.documents.kinds import FORMATS, KNOWN, SUFFIXES, ending
from clew.documents.parsed import Parsed, Rejected
from clew.documents.web.blocks import plain

LIMIT = 10_000_000
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def items(data: bytes, name: str, encoding: str | None = None) -> list[Parsed | Rejected]:
    """All that a file gives."""
    source = Input(data, name, LIMIT, encoding=encoding, known=KNOWN, plain=plain)
    return list(FORMATS[SUFFIXES[ending(name)]].read(source))


def one(data: bytes | str, name: str, encoding: str | None = None) -> Parsed:
    """The only document of a file."""
    (found,) = items(data.encode() if isinstance(data, str) else data, name, encoding)
    assert isinstance(found, Parsed), found
    return found


def blocks(data: bytes | str, name: str) -> list[str]:
    """The blocks of the only document of a file."""
    return one(data, name).text.split("\n\n")


def saved(document: Any) -> bytes:
    """The bytes of a Word document, workbook or presentation."""
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def word(*paragraphs: str) -> bytes:
    """A Word document of paragraphs in XML, the prefixes w and m being declared."""
    document = docx.Document()
    document.core_properties.title = ""
    for inner in paragraphs:
        document.element.body.insert(-1, parse_xml(inner.replace(">", f" {nsdecls('w', 'm')}>", 1)))
    return saved(document)


def with_part(package: bytes, name: str, content: str) -> bytes:
    """The package with one more part."""
    file = io.BytesIO(package)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, content)
    return file.getvalue()


def archive(parts: dict[str, str | bytes]) -> bytes:
    """A zip archive, whose first part is not compressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for number, (name, content) in enumerate(parts.items()):
            package.writestr(name, content, zipfile.ZIP_STORED if number == 0 else None)
    return file.getvalue()


def strict(package: bytes) -> bytes:
    """An Office file as it is saved as Strict Open XML: with other addresses of its names."""
    name = re.compile(rb"http://schemas\.openxmlformats\.org/(?!package)(\w+)/2006/([\w/-]+)")
    with zipfile.ZipFile(io.BytesIO(package)) as parts:
        return archive(
            {
                part: name.sub(
                    lambda found: b"http://purl.oclc.org/ooxml/" + found[1] + b"/" + found[2].replace(b"ed-p", b"edP"),
                    parts.read(part),
                )
                for part in parts.namelist()
            }
        )


def _state(hidden: bool) -> str:
    return "hidden" if hidden else "visible"


def workbook(sheets: dict[str, str], hidden: str = "") -> bytes:
    """A workbook whose sheets are given as rows in XML."""
    names = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}" state="{_state(name == hidden)}"/>'
        for n, name in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="r{n}" Type="{RELATIONS}/worksheet" Target="worksheets/s{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{RELATIONS}"><sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{links}</Relationships>',
    }
    for n, rows in enumerate(sheets.values(), 1):
        parts[f"xl/worksheets/s{n}.xml"] = f'<worksheet xmlns="{SHEET}"><sheetData>{rows}</sheetData></worksheet>'
    return archive(parts)


def row(number: int, *cells: str | float) -> str:
    inner = ""
    for column, cell in zip("ABCDE", cells, strict=False):
        if isinstance(cell, str):
            inner += f'<c r="{column}{number}" t="inlineStr"><is><t>{cell}</t></is></c>'
        else:
            inner += f'<c r="{column}{number}"><v>{cell}</v></c>'
    return f'<row r="{number}">{inner}</row>'
