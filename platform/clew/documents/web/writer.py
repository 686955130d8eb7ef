"""Blocks of a web page, put together from elements and text."""

from __future__ import annotations

from clew.documents.blocks import Draft, nested, pair
from clew.documents.web.tags import BLOCKS, HEADINGS
from clew.types import BlockKind

_MOST_LISTS = 3
_APART_IN_LINE = frozenset({"td", "th", "time"})
"""What stands apart from the words before it though it is on their line."""
_PAIRED = frozenset({"dt", "dd"})
_CAPTIONS = frozenset({"caption", "figcaption"})


class Writer:
    """The blocks of a page, from its runs of text."""

    def __init__(self) -> None:
        self.blocks: list[Draft] = []
        self.run: list[str] = []
        self.items: list[str] = []
        self.terms: list[str] = []
        self.explained = False
        self.pending = False
        self.lists: list[tuple[list[str], bool]] = []
        self._in_terms = 0
        self._in_captions = 0
        self._heading_from = 0

    def flush(self) -> str:
        """End the block, and return it."""
        lines = (" ".join(part.split()) for part in "".join(self.run).split("\0"))
        self.run.clear()
        block = "\n".join(filter(None, lines))
        if block:
            kind: BlockKind = "caption" if self._in_captions else "paragraph"
            level = 0
            if self.pending:
                block = pair(", ".join(self.terms), block)
                for terms, _ in self.lists[: -_MOST_LISTS - 1 : -1]:
                    block = pair(", ".join(terms), block) if terms else block
                self.pending, self.explained = False, True
                kind = "pair"
            elif self.items:
                if not self.items[-1]:
                    self.items[-1] = block
                    block = nested(self.items[:-1], block)
                if kind == "paragraph":
                    kind, level = "item", len(self.items) - 1
            self.blocks.append(Draft(block, kind, level))
        return block

    def open(self, tag: str) -> None:
        """An element begins."""
        before = self.flush() if tag in BLOCKS else ""
        if before and self._in_terms and tag in _PAIRED:
            self.terms.append(self.blocks.pop().text)  # a term that was not closed
        if tag == "br":
            self.run.append("\0")
        elif tag in _APART_IN_LINE:
            self.run.append(" ")
        elif tag in HEADINGS:
            self._heading_from = len(self.blocks)
        elif tag == "li":
            self.items.append("")
        elif tag in {"dl", "details"}:
            self.lists.append((self.terms, self.explained))
            self.terms, self.explained, self.pending = [], False, False
        elif tag in {"dt", "summary"} and self.explained:
            self.terms, self.explained = [], False
        elif tag == "dd":
            self.pending = bool(self.terms)
        self._in_captions += tag in _CAPTIONS
        self._in_terms += tag == "dt"

    def mark_notes(self, start: int) -> None:
        """Make the blocks from ``start`` on those of a note."""
        self.flush()
        for at, draft in enumerate(self.blocks[start:], start):
            if draft.kind in {"paragraph", "item"}:
                self.blocks[at] = Draft(draft.text, "note")

    def close(self, tag: str) -> None:
        """An element ends."""
        self._in_terms -= tag == "dt"
        block = self.flush() if tag in BLOCKS else ""
        self._in_captions = max(0, self._in_captions - (tag in _CAPTIONS))  # one that is left out only ends
        if tag in HEADINGS:
            # Some write <h2><button>…</button></h2>, so that a fold opens, and editors <h2><div>…</div></h2>.
            for at, draft in enumerate(self.blocks[self._heading_from :], self._heading_from):
                if draft.kind in {"paragraph", "pair", "item"}:
                    self.blocks[at] = Draft(draft.text, "heading", int(tag[1]))
            self._heading_from = len(self.blocks)
        elif tag == "time":
            self.run.append(" ")
        if tag == "li" and self.items:
            self.items.pop()
        elif tag in {"dt", "summary"} and block:
            self.terms.append(self.blocks.pop().text)
            self.pending = tag == "summary"
        elif tag in {"dl", "details"}:
            self.blocks.extend(map(Draft, self.terms if not self.explained else []))
            within = self.explained
            self.terms, self.explained = self.lists.pop() if self.lists else ([], False)
            self.explained, self.pending = self.explained or (within and bool(self.terms)), False
