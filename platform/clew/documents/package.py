"""Packages: zip archives of XML, opened within limits."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from clew.documents.metadata import tags_of
from clew.documents.parsed import Unreadable, meant_title
from clew.text.normalise import normalise, one_line
from clew.types import Json

MOST_PARTS = 20_000
"""Files inside one package, at most."""

OLE = bytes.fromhex("d0cf11e0a1b11ae1")
"""How a file of Office before 2007 begins, or an Outlook message."""
_PIECE = 1 << 16
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(?P<part>\w{1,40})/(?P<rest>[\w/]{1,100})")
_TYPES = "[Content_Types].xml"
_OPEN = rb"application/vnd.openxmlformats-officedocument."
_PLAIN_WORD, _PLAIN_SLIDES = _OPEN + b"wordprocessingml.document", _OPEN + b"presentationml.presentation"
_VARIANT = re.compile(
    rb"application/vnd\.(?:ms-(?:word|powerpoint)\.(?:document|template|presentation|slideshow)\.macroEnabled(?:Template)?"
    rb"|openxmlformats-officedocument\.(?:wordprocessingml|presentationml)\.(?:template|slideshow))(?=\.main\+xml)"
)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError)
"""What reading an archive that is damaged may raise."""
_ARCHIVE = b"PK\x03\x04"
_TELL_TYPE = {
    "mimetype": re.compile(rb"\A(application/[\w.+-]{1,100})"),
    "META-INF/manifest.xml": re.compile(rb"[\"'](application/vnd\.oasis\.opendocument\.[\w-]{1,40})[\"']"),
    "META-INF/container.xml": re.compile(rb"[\"'](application/oebps-package\+xml)[\"']"),
}
"""The parts of a package that tell its media type, with where they do."""
_ENTITY = b"<!ENTITY"


def check_package(data: bytes, limit: int, *, declarations: bool = False) -> None:
    """Unpack an Office file piece by piece to check its size.

    The directory's sizes are checked first, but a directory can lie, so that every part is inflated as well; no part
    may declare entities, which Office files never do (``declarations`` lets it pass for formats whose files do, where
    the parser resolves none). Raises Unreadable.
    """
    try:
        with archive_of(data, limit) as package:
            total = 0
            for part in package.infolist():
                total += _inflated(package, part, limit - total, declarations)
                if total > limit:
                    raise Unreadable(too_large(limit))
    except _BROKEN as error:
        raise Unreadable(
            f"The Office file is damaged ({one_line(str(error), 100).rstrip('.')}): save it anew."
        ) from error


def too_large(limit: int) -> str:
    """The message for a package over ``limit`` bytes."""
    return f"It unpacks to more than {limit / 1e6:g} MB (CLEW_MAX_FILE_MB)."


def archive_of(data: bytes, limit: int) -> zipfile.ZipFile:
    """A zip archive whose directory stays within ``limit`` bytes, else Unreadable."""
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN as error:
        raise Unreadable(f"The archive is damaged ({one_line(str(error), 100).rstrip('.')}): save it anew.") from error
    parts = package.infolist()
    if len(parts) > MOST_PARTS:
        raise Unreadable(f"It holds {len(parts):,} files, far more than an Office file has.")
    if sum(part.file_size for part in parts) > limit:
        raise Unreadable(too_large(limit))
    if any(part.flag_bits & 1 for part in parts):
        raise Unreadable("It is password-protected; save it without a password.")
    return package


def _inflated(package: zipfile.ZipFile, part: zipfile.ZipInfo, limit: int, declarations: bool) -> int:
    is_xml = not declarations and _is_xml(part)
    size = 0
    tail = b""
    with package.open(part) as stream:
        while size <= limit and (piece := stream.read(_PIECE)):
            size += len(piece)
            if is_xml:
                seen = (tail + piece).replace(b"\0", b"").upper()  # UTF-16 as well
                if _ENTITY in seen:
                    raise Unreadable("It declares XML entities, which no Office program writes; it may be malicious.")
                tail = piece[-32:]
    return size


def in_transitional(data: bytes) -> bytes:
    """A Strict Open XML file with the names of the transitional form.

    The two differ in the addresses of their names (ISO/IEC 29500-1 and -4), which programs write in a way of their own.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        if not _STRICT.search(part(package, "_rels/.rels")):
            return data
        parts = {one.filename: package.read(one) for one in package.infolist() if _is_xml(one)}
    return rewritten(data, {name: _STRICT.sub(_transitional, content) for name, content in parts.items()})


def as_document(data: bytes) -> bytes:
    """An Office file with macros or a template as a plain one.

    They differ in nothing else that is read; macros stay what nobody runs.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        types = part(package, _TYPES)
    plain = _VARIANT.sub(lambda found: _PLAIN_WORD if b"word" in found[0] else _PLAIN_SLIDES, types)
    return data if plain == types else rewritten(data, {_TYPES: plain})


def _is_xml(part: zipfile.ZipInfo) -> bool:
    return part.filename.lower().endswith((".xml", ".rels", ".vml"))


def _transitional(name: re.Match[bytes]) -> bytes:
    rest = name["rest"].replace(b"edProperties", b"ed-properties").replace(b"customProperties", b"custom-properties")
    return b"http://schemas.openxmlformats.org/" + name["part"] + b"/2006/" + rest


def opened(open_package: Any, data: bytes, what: str) -> Any:
    """A package as a library opens it, else Unreadable."""
    try:
        return open_package(io.BytesIO(data))
    except Exception as error:  # the libraries let KeyError, AttributeError and their own through for a broken package
        problem = one_line(str(error), 100) or type(error).__name__
        raise Unreadable(f"It is no whole {what} ({problem}).") from error


def property_title(properties: Any) -> str:
    """The title among an Office file's properties, "" for a program's."""
    try:
        return meant_title(normalise(properties.title or ""))
    except Exception:
        return ""  # a property that cannot be read is no reason to refuse the text


def properties_of(properties: Any) -> Json:
    """Author, date and tags among an Office file's properties."""
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


def properties_of_meta(meta: Any) -> Json:
    """Title, author, date and tags among an OpenDocument file's properties."""
    found: Json = {}
    for element in meta.iter() if meta is not None else ():
        name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        value = meant_title(normalise(element.text or "")) if not len(element) else ""
        key = {"title": "title", "initial-creator": "author", "creator": "author", "creation-date": "created"}.get(name)
        if key and value:
            found.setdefault(key, value[:10] if key == "created" else value)
        elif name == "keyword" and value:
            found.setdefault("tags", []).append(value)
    return found


def parts_of(data: bytes, limit: int, *, declarations: bool = False) -> zipfile.ZipFile:
    """A checked package to read parts from; see ``check_package``."""
    check_package(data, limit, declarations=declarations)
    return zipfile.ZipFile(io.BytesIO(data))


def media_type_within(data: bytes) -> str:
    """The media type of an OpenDocument file or e-book, else "".

    It should be the first part, as it is; programs on the web and those that only pack a folder do otherwise.
    """
    if not data.startswith(_ARCHIVE) or not any(name.encode() in data for name in _TELL_TYPE):
        return ""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            for name, pattern in _TELL_TYPE.items():
                if name not in package.namelist():
                    continue
                with package.open(name) as stream:
                    if named := pattern.search(stream.read(_PIECE)):
                        return named[1].decode("ascii")
    except (*_BROKEN, RuntimeError):
        return ""  # whoever reads it tells what is wrong with it
    return ""


def part(package: zipfile.ZipFile, name: str) -> bytes:
    """A part of a package, b"" where it has none."""
    try:
        return package.read(posixpath.normpath(name))
    except KeyError:
        return b""


def beside_main(package: zipfile.ZipFile, kind: str) -> bytes:
    """The part that a Word document names for a ``kind`` ("footnotes").

    Programs on the web number the parts ("footnotes2.xml"). Without a link, that of the usual name; b"" for none.
    """
    named = next(linked(package, main_part(package), kind), f"word/{kind}.xml")
    return part(package, named)


def main_part(package: zipfile.ZipFile) -> str:
    """The name of a Word document's main part."""
    return next(linked(package, "", "officeDocument"), "word/document.xml")


def links_of(name: str) -> str:
    """The name of a part's links ("" for the package)."""
    folder, last = posixpath.split(name)
    return posixpath.join(folder, "_rels", f"{last}.rels")


def linked(package: zipfile.ZipFile, source: str, kind: str) -> Iterator[str]:
    """The names of the parts that a part links to."""
    links = xml_root(part(package, links_of(source)))
    for link in links if links is not None else ():
        if link.get("Type", "").endswith(f"/{kind}") and link.get("TargetMode") != "External":
            yield posixpath.join("/", posixpath.dirname(source), link.get("Target", "")).removeprefix("/")


def with_media_type(data: bytes) -> bytes:
    """An OpenDocument file with its media type as a part."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        if "mimetype" in package.namelist():
            return data
    written = io.BytesIO(data)
    with zipfile.ZipFile(written, "a") as made:
        made.writestr("mimetype", media_type_within(data))
    return written.getvalue()


def rewritten(data: bytes, parts: dict[str, bytes]) -> bytes:
    """The package with another content of some of its parts."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package, zipfile.ZipFile(written, "w") as made:
        for one in package.infolist():
            made.writestr(one, parts[one.filename] if one.filename in parts else package.read(one))
    return written.getvalue()


def xml_root(data: bytes) -> Any:
    """The root of an XML document, None where broken; nothing is fetched."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_comments=True
    )
    try:
        return etree.fromstring(data, parser) if data.strip() else None
    except etree.XMLSyntaxError:
        return None
