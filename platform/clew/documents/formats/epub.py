"""E-books: the chapters in their order, a page for each."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from clew.documents.blocks import Draft, Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.metadata import add_line
from clew.documents.package import media_type_within, part, parts_of, xml_root
from clew.documents.parsed import Parsed, Unreadable, by_itself, title_of_name
from clew.documents.web.blocks import blocks_of_tree
from clew.documents.web.tree import tree_of
from clew.text.normalise import normalise, one_line
from clew.types import Json

_ENCRYPTED = "META-INF/encryption.xml"
_TELLS = {"creator": "author", "date": "date", "language": "language", "publisher": "publisher"}
_SEVERAL = {"author", "publisher"}


def read(source: Input) -> Iterator[Parsed]:
    """Read an EPUB: what its spine names, in that order.

    Raises Unreadable where it is damaged or protected, or has more than ``limit`` characters.
    """
    layout = Layout()
    lost: list[str] = []
    with parts_of(source.data, source.limit, declarations=True) as package:
        container = xml_root(part(package, "META-INF/container.xml"))
        root = next((_local(container, "rootfile")), None) if container is not None else None
        path = root.get("full-path", "") if root is not None else ""
        book = xml_root(part(package, path)) if path else None
        if book is None:
            raise Unreadable("The e-book is damaged: it does not say what is in it.")
        items = {item.get("id"): item.get("href", "") for item in _local(book, "item")}
        for reference in _local(book, "itemref"):
            href = unquote(items.get(reference.get("idref")) or "")
            chapter = posixpath.normpath(posixpath.join(posixpath.dirname(path), href))
            drafts: list[Draft] = []
            with by_itself(f"the chapter {chapter}", lost):
                drafts = _blocks(part(package, chapter)) if href else []
            layout.add_page(drafts)
            if layout.size > source.limit:
                raise Unreadable(f"It unpacks to more than {source.limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
            source.tick()
        if not layout.size and part(package, _ENCRYPTED):
            raise Unreadable("The e-book is protected against copying, and cannot be read.")
        if not layout.size and lost:
            raise Unreadable(lost[0])
    metadata = _metadata(book)
    title = metadata.pop("title", "") or title_of_name(source.name)
    add_line(layout, metadata)
    pages, blocks = tuple(layout.pages), tuple(layout.blocks)
    yield Parsed(title, layout.text, pages=pages, notes=tuple(lost), metadata=metadata, blocks=blocks)


def _blocks(content: bytes) -> list[Draft]:
    return blocks_of_tree(tree_of(decode(content).text)) if content.strip() else []


def _local(root: Any, name: str) -> Iterator[Any]:
    yield from root.iter(f"{{*}}{name}")


def _metadata(book: Any) -> Json:
    found: Json = {}
    for name, key in {"title": "title", **_TELLS}.items():
        values = [one_line(normalise("".join(e.itertext()))) for e in _local(book, name)]
        if any(values):
            # Of several dates the first is that of publication.
            found[key] = ", ".join(filter(None, values)) if key in _SEVERAL else next(filter(None, values))
    return found


FORMAT = Format(
    "epub",
    "an e-book",
    "application/epub+zip",
    read,
    recognise=lambda data: media_type_within(data) in {"application/epub+zip", "application/oebps-package+xml"},
)
