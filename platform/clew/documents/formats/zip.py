"""Archives: every document in them, each with its path."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from clew.documents.format import Format, Input
from clew.documents.members import members
from clew.documents.package import archive_of, media_type_within, too_large
from clew.documents.parsed import Parsed, Rejected, Unreadable, by_itself

_OTHERS = (b"word/document", b"ppt/presentation", b"xl/workbook")


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read the documents of an archive; what is left out is noted.

    Raises Unreadable where it is damaged, protected, or unpacks to more than ``limit`` bytes.
    """
    lost: list[str] = []
    with archive_of(source.data, source.limit) as package:
        yield from members(source, _files(package, source.limit, lost))
    yield from map(Rejected, lost)


def _files(package: zipfile.ZipFile, limit: int, lost: list[str]) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file; ``lost`` tells those that are damaged. Sizes in a directory may lie."""
    left = limit
    for one in package.infolist():
        data = b""
        with by_itself(one.filename, lost), package.open(one) as stream:
            data = stream.read(left + 1)
        left -= len(data)
        if left < 0:
            raise Unreadable(too_large(limit))
        if data and not one.is_dir():
            yield one.filename, data


def _is_archive(data: bytes) -> bool:
    if not data.startswith(b"PK\x03\x04") or any(name in data for name in _OTHERS) or media_type_within(data):
        return False
    return zipfile.is_zipfile(io.BytesIO(data))


FORMAT = Format("zip", "a zip archive", "application/zip", read, recognise=_is_archive)
