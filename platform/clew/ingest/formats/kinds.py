"""Which format a file is: by name, by Content-Type, and by its first bytes."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import PurePath

from clew.ingest.formats.parsed import Unreadable

MEDIA_TYPES = {
    "txt": "text/plain",
    "md": "text/markdown",
    "html": "text/html",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/jsonl",
}
"""The formats that can be read, each with its media type."""

SUFFIXES = {
    **{f".{kind}": kind for kind in MEDIA_TYPES},
    ".text": "txt",
    ".markdown": "md",
    ".htm": "html",
    ".xhtml": "html",
    ".ndjson": "jsonl",
}
"""The file name endings that can be read, each with its format."""

_OTHER_MEDIA_TYPES = {
    "application/xhtml+xml": "html",
    "text/x-markdown": "md",
    "application/csv": "csv",
    "text/json": "json",
    "application/x-ndjson": "jsonl",
    "application/ndjson": "jsonl",
    "application/x-jsonlines": "jsonl",
    "application/jsonlines": "jsonl",
    "application/x-pdf": "pdf",
}
_UNTOLD = {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "application/zip"}
_NAMES = {"pdf": "a PDF", "docx": "a Word document", "pptx": "a PowerPoint file", "html": "a web page"}
_JSON = re.compile(rb"""\{\s*["}]|\[\s*[\[{"\]\dtfn-]""")
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"II*\x00", b"MM\x00*")


def kind_of_name(name: str) -> str | None:
    """The format that a file name's ending names; None where there is no ending.

    Raises Unreadable where the ending names a format that cannot be read.
    """
    suffix = PurePath(name).suffix.lower()
    if not suffix:
        return None
    if suffix not in SUFFIXES:
        raise Unreadable(f"Files ending in {suffix} cannot be read; these can: {', '.join(MEDIA_TYPES)}.")
    return SUFFIXES[suffix]


def kind_of_media_type(content_type: str, name: str) -> str | None:
    """The format that a Content-Type names, the file name deciding between kinds of text; None where both are silent.

    Raises Unreadable where it names one that cannot be read.
    """
    media_type = content_type.partition(";")[0].strip().lower()
    named = SUFFIXES.get(PurePath(name).suffix.lower())
    if media_type in _UNTOLD or (media_type == "text/plain" and named in {"txt", "md", "csv", "json", "jsonl"}):
        return named
    known = {media: kind for kind, media in MEDIA_TYPES.items()} | _OTHER_MEDIA_TYPES
    kind = known.get(media_type)
    if kind == "json" and named == "jsonl":
        return named
    if kind is None and media_type.startswith("text/"):
        return named or "txt"
    if kind is None:
        raise Unreadable(f"It is of type {media_type}, which cannot be read; these can: {', '.join(MEDIA_TYPES)}.")
    return kind


def check_kind(data: bytes, kind: str) -> None:
    """Raise Unreadable where the bytes are known to be of another format than ``kind``, with what to do about it."""
    if not data.strip():
        raise Unreadable("It is empty." if not data else "It holds nothing but white space.")
    found = _binary_kind(data)
    if found and found != kind:
        raise Unreadable(f"It is {_NAMES[found]}, not {kind}: give its name the ending .{found}.")
    if kind in {"docx", "pptx"} and not data.startswith(b"PK"):
        raise Unreadable(f"It is not {_NAMES[kind]}, whatever its name says.")
    if kind == "pdf" and found != "pdf":
        raise Unreadable("It is not a PDF, whatever its name says.")


def sniffed_kind(data: bytes) -> str:
    """The format of a text or file without a name.

    Raises Unreadable for archives, images and old Office formats.
    """
    found = _binary_kind(data)
    if found:
        return found
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:15].lower().startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "html"
    if not _JSON.match(start):
        return "txt"
    if b"\n" in data.strip() and _is_object(data.lstrip().partition(b"\n")[0]):
        return "jsonl"
    return "json" if data.rstrip()[-1:] in {b"}", b"]"} else "txt"


def _binary_kind(data: bytes) -> str | None:
    if b"%PDF-" in data[:1024] and (data.lstrip()[:5] == b"%PDF-" or b"\0" in data[:4096]):
        return "pdf"
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise Unreadable("It is password-protected; save it without a password.")
        raise Unreadable("It is in an old Office format; save it as docx or pptx.")
    if data.startswith(b"PK\x03\x04"):
        for kind, part in (("docx", b"word/document"), ("pptx", b"ppt/presentation")):
            if part in data:
                return kind
        if not zipfile.is_zipfile(io.BytesIO(data)):
            raise Unreadable("It is damaged, as a Word or PowerPoint file or an archive: save or download it again.")
        raise Unreadable("It is a zip archive, not a Word document or PowerPoint file; unpack it first.")
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
