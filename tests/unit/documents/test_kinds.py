"""A format is one file that declares itself: nothing is declared twice, and the documentation lists it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from clew.documents.kinds import FORMATS, SUFFIXES, check_kind, kind_of_media_type, sniffed_kind
from clew.documents.parsed import Unreadable
from clew.documents.pdf import ocr
from tests.unit.documents.made import archive

ROOT = Path(__file__).parents[3]
MANIFEST = (
    '<manifest:file-entry manifest:media-type="application/vnd.oasis.opendocument.{}" manifest:full-path="/"/>'
    '<manifest:file-entry manifest:media-type="text/xml" manifest:full-path="content.xml"/>'
)


def test_every_reader_declares_one_format_and_none_twice() -> None:
    files = [path for path in (ROOT / "platform/clew/documents/formats").glob("*.py") if path.stem != "__init__"]
    assert len(FORMATS) == len(files) - (not ocr.is_there())
    endings = Counter(ending for one in FORMATS.values() for ending in (one.name, *one.endings))
    media_types = Counter(media for one in FORMATS.values() for media in (one.media_type, *one.media_types))
    assert [name for name, count in (endings + media_types).items() if count > 1] == []
    assert all(one.isolated for one in FORMATS.values() if one.recognise)


def test_the_documentation_lists_every_ending() -> None:
    table = (ROOT / "docs/formats.md").read_text("utf-8").partition("## ")[0]
    listed = {word.strip() for row in table.split("\n") if row.startswith("|") for word in row.split("|")[2].split(",")}
    assert {suffix.removeprefix(".") for suffix in SUFFIXES} <= listed


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"{\\rtf1 Text.}", "rtf"),
        (b"<?xml version='1.0'?><boats/>", "xml"),
        (b"<?xml version='1.0'?><html><p>Text.</p></html>", "html"),
        (archive({"mimetype": b"application/epub+zip"}), "epub"),
        (archive({"mimetype": b"application/vnd.oasis.opendocument.text"}), "odt"),
        (archive({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), "xlsx"),
        (archive({"notes.txt": "Text."}), "zip"),
    ],
)
def test_a_format_is_told_by_its_first_bytes(data: bytes, kind: str) -> None:
    assert sniffed_kind(data) == kind
    check_kind(data, kind)
    with pytest.raises(Unreadable, match=r"not docx|not a Word"):
        check_kind(data, "docx")


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({"book.opf": "<package/>", "mimetype": "application/epub+zip"}, "epub"),
        ({"META-INF/container.xml": '<rootfile media-type="application/oebps-package+xml"/>'}, "epub"),
        ({"content.xml": "<a/>", "META-INF/manifest.xml": MANIFEST.format("text")}, "odt"),
        ({"content.xml": "<a/>", "META-INF/manifest.xml": MANIFEST.format("spreadsheet")}, "xlsx"),
        ({"site/META-INF/container.xml": "<a/>", "mimetype.txt": "application/epub+zip"}, "zip"),
        ({"book.epub": archive({"mimetype": "application/epub+zip"})}, "zip"),
    ],
)
def test_a_package_is_told_wherever_it_names_its_media_type(parts: dict[str, str | bytes], kind: str) -> None:
    check_kind(archive(parts), kind)
    assert sniffed_kind(archive(parts)) == kind


def test_media_types_of_the_web() -> None:
    assert kind_of_media_type("application/rss+xml; charset=utf-8", "feed") == "xml"
    assert kind_of_media_type("text/plain", "a.srt") == "srt"
    assert kind_of_media_type("application/vnd.ms-excel", "a.xls") == "xlsx"
    assert kind_of_media_type("application/vnd.ms-excel.sheet.macroEnabled.12", "a") == "xlsx"
    assert kind_of_media_type("application/vnd.ms-word.document.macroEnabled.12", "a") == "docx"
    assert kind_of_media_type("application/vnd.openxmlformats-officedocument.presentationml.slideshow", "a") == "pptx"
    with pytest.raises(Unreadable, match="image/gif"):
        kind_of_media_type("image/gif", "a.gif")
