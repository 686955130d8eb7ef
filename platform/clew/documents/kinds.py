"""Which format a file is: by name, by Content-Type, and by its first bytes."""

from __future__ import annotations

import io
import json
import pkgutil
import re
import zipfile
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath

from clew.documents import formats
from clew.documents.format import Format, Input, Known
from clew.documents.package import OLE
from clew.documents.parsed import Parsed, Rejected, Unreadable


def _declared() -> dict[str, Format]:
    modules = (import_module(f"{formats.__name__}.{module.name}") for module in pkgutil.iter_modules(formats.__path__))
    found: list[Format] = [module.FORMAT for module in modules]
    there = (one for one in found if not one.needs or find_spec(one.needs))
    return {one.name: one for one in sorted(there, key=lambda one: one.name)}


FORMATS = _declared()
"""Every format that is read, by name: what the files in ``formats`` declare."""

MEDIA_TYPES = {name: one.media_type for name, one in FORMATS.items()}
"""The formats that can be read, each with its media type."""

SUFFIXES = {f".{ending}": name for name, one in FORMATS.items() for ending in (name, *one.endings)}
"""The file name endings that can be read, each with its format."""

READABLE = ", ".join(FORMATS)
"""The formats that can be read, for a person."""

_BY_MEDIA_TYPE = {media: name for name, one in FORMATS.items() for media in (*one.media_types, one.media_type)}
_UNTOLD = {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "application/zip"}
_JSON = re.compile(rb"""\{\s*["}]|\[\s*[\[{"\]\dtfn-]""")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"II*\x00", b"MM\x00*")


def ending(name: str) -> str:
    """The ending of a file's name, in small letters with its stop; "" where it has none."""
    return PurePath(name).suffix.lower()


def kind_of_name(name: str) -> str | None:
    """The format that a file name's ending names; None where there is no ending.

    Raises Unreadable where the ending names a format that cannot be read.
    """
    suffix = ending(name)
    if not suffix:
        return None
    if suffix not in SUFFIXES:
        raise Unreadable(f"Files ending in {suffix} cannot be read; these can: {READABLE}.")
    return SUFFIXES[suffix]


def kind_of_media_type(content_type: str, name: str) -> str | None:
    """The format that a Content-Type names, the file name deciding between kinds of text; None where both are silent.

    Raises Unreadable where it names one that cannot be read.
    """
    media_type = content_type.partition(";")[0].strip().lower()
    named = SUFFIXES.get(ending(name))
    if media_type in _UNTOLD or (media_type == "text/plain" and named and not _binary(named)):
        return named
    kind = _BY_MEDIA_TYPE.get(media_type)
    if kind in {"json", "xml"} and named and not _binary(named):
        return named
    if kind is None and media_type.startswith("text/"):
        return named or "txt"
    if kind is None:
        raise Unreadable(f"It is of type {media_type}, which cannot be read; these can: {READABLE}.")
    return kind


def check_kind(data: bytes, kind: str) -> None:
    """Raise Unreadable where the bytes are known to be of another format than ``kind``, with what to do about it."""
    if not data.strip():
        raise Unreadable("It is empty." if not data else "It holds nothing but white space.")
    found = _recognised(data)
    if found and found != kind:
        raise Unreadable(f"It is {FORMATS[found].noun}, not {kind}: give its name the ending .{found}.")
    if _binary(kind) and found != kind:
        raise Unreadable(f"It is not {FORMATS[kind].noun}, whatever its name says.")


def sniffed_kind(data: bytes) -> str:
    """The format of a text or file without a name.

    Raises Unreadable for archives, images and old Office formats.
    """
    found = _recognised(data)
    if found:
        return found
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    head = start.lower()
    if head.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "html"
    if head.startswith(b"<?xml"):
        return "html" if b"<html" in head else "xml"
    if not _JSON.match(start):
        return "txt"
    if b"\n" in data.strip() and _is_object(data.lstrip().partition(b"\n")[0]):
        return "jsonl"
    return "json" if data.rstrip()[-1:] in {b"}", b"]"} else "txt"


def _binary(kind: str) -> bool:
    return FORMATS[kind].recognise is not None


def _recognised(data: bytes) -> str | None:
    for name, one in FORMATS.items():
        if one.recognise and one.recognise(data):
            return name
    if data.startswith(OLE):
        if _ENCRYPTED in data:
            raise Unreadable("It is password-protected; save it without a password.")
        raise Unreadable("It is in an old Office format; save it as docx or pptx.")
    if data.startswith(b"PK\x03\x04") and not zipfile.is_zipfile(io.BytesIO(data)):
        raise Unreadable("It is damaged, as an Office file or an archive: save or download it again.")
    if data.startswith((b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"\xfd7zXZ", b"BZh")):
        raise Unreadable("It is an archive; unpack it first.")
    if data.startswith(_IMAGES):
        raise Unreadable("It is a binary file (an image or recording), not text.")
    return None


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


class _Known:
    """The formats that the files in ``formats`` declare, for those of them that read files of files."""

    def kind_of(self, name: str) -> str | None:
        return SUFFIXES.get(ending(name))

    def read(self, source: Input, kind: str) -> Iterable[Parsed | Rejected]:
        check_kind(source.data, kind)
        return FORMATS[kind].read(source)


KNOWN: Known = _Known()
