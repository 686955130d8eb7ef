"""Packages: files that are zip archives of XML, such as those of Office programs, opened within limits."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from typing import Any

from clew.ingest.formats.metadata import tags_of
from clew.ingest.formats.parsed import Unreadable, meant_title
from clew.text.normalise import normalise, one_line
from clew.types import Json

MOST_PARTS = 20_000
"""Files inside one package, at most."""

_PIECE = 1 << 16
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(?P<part>\w{1,40})/(?P<rest>[\w/]{1,100})")
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")


def check_package(data: bytes, limit: int, *, declarations: bool = False) -> None:
    """Unpack an Office file piece by piece, keeping nothing, to see that it is whole and small enough.

    The directory's sizes are checked first, but a directory can lie, so that every part is inflated as well; no part
    may declare entities, which Office files never do (``declarations`` lets it pass for formats whose files do, where
    the parser resolves none). Raises Unreadable.
    """
    too_large = Unreadable(f"It unpacks to more than {limit / 1e6:g} MB (CLEW_MAX_FILE_MB).")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            parts = package.infolist()
            if len(parts) > MOST_PARTS:
                raise Unreadable(f"It holds {len(parts):,} files, far more than an Office file has.")
            if sum(part.file_size for part in parts) > limit:
                raise too_large
            if any(part.flag_bits & 1 for part in parts):
                raise Unreadable("It is password-protected; save it without a password.")
            total = 0
            for part in parts:
                total += _inflated(package, part, limit - total, declarations)
                if total > limit:
                    raise too_large
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(f"The Office file is damaged ({one_line(str(error), 100)}).") from error


def _inflated(package: zipfile.ZipFile, part: zipfile.ZipInfo, limit: int, declarations: bool) -> int:
    is_xml = not declarations and _is_xml(part)
    size = 0
    tail = b""
    with package.open(part) as stream:
        while size <= limit and (piece := stream.read(_PIECE)):
            size += len(piece)
            if is_xml:
                seen = (tail + piece).replace(b"\0", b"").upper()  # UTF-16 as well
                if any(word in seen for word in _DECLARATIONS):
                    raise Unreadable("It declares XML entities, which no Office program writes; it may be malicious.")
                tail = piece[-32:]
    return size


def in_transitional(data: bytes) -> bytes:
    """An Office file that was saved as Strict Open XML with the names that everything else knows; any other as it is.

    The two differ in the addresses of their names (ISO/IEC 29500-1 and -4), which programs write in a way of their own.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        if not _STRICT.search(part(package, "_rels/.rels")):
            return data
        parts = {one: package.read(one) for one in package.infolist()}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as package:
        for one, content in parts.items():
            package.writestr(one, _STRICT.sub(_transitional, content) if _is_xml(one) else content)
    return written.getvalue()


def _is_xml(part: zipfile.ZipInfo) -> bool:
    return part.filename.lower().endswith((".xml", ".rels", ".vml"))


def _transitional(name: re.Match[bytes]) -> bytes:
    rest = name["rest"].replace(b"edProperties", b"ed-properties").replace(b"customProperties", b"custom-properties")
    return b"http://schemas.openxmlformats.org/" + name["part"] + b"/2006/" + rest


def opened(open_package: Any, data: bytes, what: str) -> Any:
    """What a library makes of a package. Raises Unreadable where it cannot be opened."""
    try:
        return open_package(io.BytesIO(data))
    except Exception as error:  # the libraries let KeyError, AttributeError and their own through for a broken package
        problem = one_line(str(error), 100) or type(error).__name__
        raise Unreadable(f"It is no whole {what} ({problem}).") from error


def property_title(properties: Any) -> str:
    """The title among the properties of an Office file, "" where a program left it there."""
    try:
        return meant_title(normalise(properties.title or ""))
    except Exception:
        return ""  # a property that cannot be read is no reason to refuse the text


def told_by(properties: Any) -> Json:
    """Author, date and tags among the properties of an Office file, as far as they can be read."""
    found: Json = {}
    try:
        if author := meant_title(normalise(properties.author or "")):
            found["author"] = author
        if properties.created:
            found["created"] = properties.created.date().isoformat()
        if tags := tags_of(properties.keywords or ""):
            found["tags"] = tags
    except Exception:
        return found  # properties that cannot be read are no reason to refuse the text
    return found


def parts_of(data: bytes, limit: int, *, declarations: bool = False) -> zipfile.ZipFile:
    """A package that has been checked, to read its parts from; see ``check_package``."""
    check_package(data, limit, declarations=declarations)
    return zipfile.ZipFile(io.BytesIO(data))


def part(package: zipfile.ZipFile, name: str) -> bytes:
    """A part of a package, b"" where it has none of that name."""
    try:
        return package.read(posixpath.normpath(name))
    except KeyError:
        return b""


def xml_root(data: bytes) -> Any:
    """The root of an XML document, no entity resolved and nothing fetched; None where it is empty or broken."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_comments=True
    )
    try:
        return etree.fromstring(data, parser) if data.strip() else None
    except etree.XMLSyntaxError:
        return None
