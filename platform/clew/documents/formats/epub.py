"""E-books: the chapters in their order, a page for each."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from clew.documents.blocks import Draft, Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.metadata import add_line
from clew.documents.package import media_type_within, part, parts_of, xml_root
from clew.documents.parsed import Parsed, Unreadable, title_of_name
from clew.documents.web.blocks import blocks_of_tree
from clew.documents.web.notes import Ids, ids_of, place_notes
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
    with parts_of(source.data, source.limit, declarations=True) as package:
        container = xml_root(part(package, "META-INF/container.xml"))
        root = next((_local(container, "rootfile")), None) if container is not None else None
        path = root.get("full-path", "") if root is not None else ""
        book = xml_root(part(package, path)) if path else None
        if book is None:
            raise Unreadable("The e-book is damaged: it does not say what is in it.")
        items = {item.get("id"): item.get("href", "") for item in _local(book, "item")}
        chapters = _Chapters(package)
        for reference in _local(book, "itemref"):
            href = unquote(items.get(reference.get("idref")) or "")
            layout.add_page(chapters.blocks(posixpath.join(posixpath.dirname(path), href)) if href else [])
            if layout.size > source.limit:
                raise Unreadable(f"It unpacks to more than {source.limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
            source.tick()
        if not layout.size and part(package, _ENCRYPTED):
            raise Unreadable("The e-book is protected against copying, and cannot be read.")
    metadata = _metadata(book)
    title = metadata.pop("title", "") or title_of_name(source.name)
    add_line(layout, metadata)
    pages, blocks = tuple(layout.pages), tuple(layout.blocks)
    yield Parsed(title, layout.text, pages=pages, metadata=metadata, blocks=blocks)


class _Chapters:
    """The files of a book, each read once: notes that stand in one of their own go to their marks."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        self._trees: dict[str, Any] = {}
        self._ids: dict[str, Ids] = {}
        self._read: set[str] = set()

    def blocks(self, path: str) -> list[Draft]:
        """The blocks of a file without the notes that others have taken."""
        path = posixpath.normpath(path)
        root = self._tree(path)
        self._read.add(path)
        if root is not None:
            place_notes(root, lambda href: self._elements(posixpath.join(posixpath.dirname(path), unquote(href))))
        self._ids.pop(path, None)
        return blocks_of_tree(self._trees.pop(path, None))

    def _elements(self, path: str) -> Ids:
        """The elements of a file that has not been read."""
        path = posixpath.normpath(path)
        if path in self._read:
            return {}
        if path not in self._ids:
            root = self._tree(path)
            self._ids[path] = {} if root is None else ids_of(root)
        return self._ids[path]

    def _tree(self, path: str) -> Any:
        if path not in self._trees:
            content = part(self._package, path)
            self._trees[path] = tree_of(decode(content).text) if content.strip() else None
        return self._trees[path]


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
