"""Documents set into a Word document as they are (``altChunk``).

Word turns them into its own text only when it saves the file; until then all that a reader sees may stand there.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections import Counter
from typing import Any

from clew.documents.blocks import Draft
from clew.documents.format import Input
from clew.documents.package import links_of, main_part, part, rewritten, xml_root
from clew.documents.parsed import Parsed, Unreadable

UNREAD = "documents set into it that cannot be read"
_DEEPEST = 3
_MESSAGE = re.compile(rb"\s{0,20}[\w-]{1,40}:[^\n]{0,400}\n")


class Chunks:
    """Inserted documents by id; ``data`` is the package without them."""

    def __init__(self, source: Input, data: bytes, counts: Counter[str]) -> None:
        from lxml import etree

        self.data = data
        self._source = source
        self._counts = counts
        self._found: dict[str, bytes] = {}
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            main = main_part(package)
            root: Any = xml_root(part(package, links_of(main)))
            for link in [] if root is None else list(root):
                target = link.get("Target", "")
                if link.get("Type", "").endswith("/aFChunk") and link.get("TargetMode") != "External":
                    name = posixpath.join("/", posixpath.dirname(main), target).removeprefix("/")
                    self._found[link.get("Id", "")] = part(package, name)
                    root.remove(link)
        if self._found:
            self.data = rewritten(data, {links_of(main): etree.tostring(root)})

    def blocks(self, id: str) -> list[Draft]:
        """The blocks of one, once; one that cannot be read is counted."""
        data = self._found.pop(id, b"")
        try:
            return [] if not data.strip() else self._read(data)
        except Exception:  # whatever a parser makes of it, the text around it is read
            self._counts[UNREAD] += 1
            return []

    def _read(self, data: bytes) -> list[Draft]:
        kind, known = _kind_of(data), self._source.known
        if known is None or self._source.depth >= _DEEPEST:
            raise Unreadable("It is packed too deeply.")
        inner = self._source.member(data, f"{self._source.name}.{kind}", self._source.limit)
        found = next((one for one in known.read(inner, kind) if isinstance(one, Parsed)), None)
        chunk_blocks = () if found is None else found.blocks
        return [Draft(_of(found, one), one.kind, one.level) for one in chunk_blocks if one.kind != "metadata"]


def _of(found: Any, block: Any) -> str:
    return str(found.text[block.start : block.end])


def _kind_of(data: bytes) -> str:
    """The format of a chunk by its first bytes: Word does not mind its name."""
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"PK"):
        return "docx"
    if start.startswith(b"{\\rtf"):
        return "rtf"
    if start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        return "html"
    return "eml" if _MESSAGE.match(start) and b"content-type:" in start.lower() else "txt"
