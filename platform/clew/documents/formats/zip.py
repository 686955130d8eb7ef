"""Archives: every document in them, each with its path."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from clew.documents.format import Format, Input
from clew.documents.members import members
from clew.documents.package import media_type_within, parts_of
from clew.documents.parsed import Parsed, Rejected

_OTHERS = (b"word/document", b"ppt/presentation", b"xl/workbook")


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read the documents of an archive; its folders, hidden files and what cannot be read are left out, and told.

    Raises Unreadable where it is damaged, protected, or unpacks to more than ``limit`` bytes.
    """
    with parts_of(source.data, source.limit, declarations=True) as package:
        inner = (part for part in package.infolist() if not part.is_dir())
        yield from members(source, ((part.filename, package.read(part)) for part in inner))


def _is_archive(data: bytes) -> bool:
    if not data.startswith(b"PK\x03\x04") or any(name in data for name in _OTHERS) or media_type_within(data):
        return False
    return zipfile.is_zipfile(io.BytesIO(data))


FORMAT = Format("zip", "a zip archive", "application/zip", read, recognise=_is_archive)
