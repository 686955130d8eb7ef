"""Files of each format, made anew for each test, and how they are read without a child process."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from clew.ingest.formats.format import Input
from clew.ingest.formats.kinds import FORMATS, KNOWN, SUFFIXES, ending
from clew.ingest.formats.parsed import Parsed, Rejected

LIMIT = 10_000_000


def items(data: bytes, name: str, encoding: str | None = None) -> list[Parsed | Rejected]:
    """All that a file gives."""
    return list(FORMATS[SUFFIXES[ending(name)]].read(Input(data, name, LIMIT, encoding=encoding, known=KNOWN)))


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
