"""The one structure between every format and what comes after it: a text made of blocks, and the place of each in it.

A reader tells blocks in their order (``Draft``), and ``Layout`` puts the text together, page by page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.text.normalise import normalise, one_line
from clew.text.sentences import asks
from clew.types import Block, BlockKind

_LONGEST_PARENT = 60
_FINAL = tuple(".!?…;。！？")


@dataclass(frozen=True, slots=True)
class Draft:
    """A block as it is read, before its place in the text is known."""

    text: str
    kind: BlockKind = "paragraph"
    level: int = 0


class Layout:
    """A document's text while it is put together: normalised, with a blank line between its blocks.

    ``size`` is its length so far, ``pages`` the offset at which each page starts, ``blocks`` where each block lies.
    """

    def __init__(self, drafts: Iterable[Draft] = ()) -> None:
        self.size = 0
        self.pages: list[int] = []
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self.add(drafts)

    @property
    def text(self) -> str:
        """The text of all blocks."""
        return "\n\n".join(self._parts)

    def add(self, drafts: Iterable[Draft]) -> None:
        """Go on with these blocks; those without text are left out."""
        told = [draft for draft in drafts if draft.text.strip()]
        text = text_of(told)
        if not text:
            return
        base = self.size + 2 * bool(self.size)
        at = 0
        for draft in told:
            words = normalise(draft.text)
            start = text.find(words, at) if words else -1
            if start >= 0:
                at = start + len(words)
                self.blocks.append(Block(draft.kind, base + start, base + at, draft.level))
        self._parts.append(text)
        self.size = base + len(text)

    def add_laid_out(self, text: str, pages: Iterable[int], blocks: Iterable[Block]) -> None:
        """Begin with a text whose blocks have their places already."""
        self._parts.append(text)
        self.size = len(text)
        self.pages += pages
        self.blocks += blocks

    def add_page(self, drafts: Iterable[Draft]) -> None:
        """Go on with the blocks of a page, sheet or slide, which may be empty."""
        before = self.size
        self.add(drafts)
        self.pages.append(before + 2 * bool(before) if self.size > before else before)

    def heading(self) -> str:
        """The first heading on one line; "" where there is none."""
        first = next((block for block in self.blocks if block.kind == "heading"), None)
        return one_line(self.text[first.start : first.end]) if first else ""


def text_of(drafts: Iterable[Draft]) -> str:
    """The normalised text of some blocks, a blank line between them."""
    return normalise("\n\n".join(draft.text for draft in drafts if draft.text.strip()))


def nested(parents: list[str], text: str) -> str:
    """A list item's text, led by the items it lies under where these are names of what follows ("Norrland: Osby")."""
    led = [one_line(parent).rstrip(": ") for parent in parents if parent.strip()]
    led = [parent for parent in led if len(parent) <= _LONGEST_PARENT and not parent.endswith(_FINAL)]
    return ": ".join([*led, text]) if text.strip() else text


def pair(term: str, meaning: str) -> str:
    """A term with what it means, or a question with its answer, as one block."""
    term, meaning = term.strip(), meaning.strip()
    if not term or not meaning:
        return term or meaning
    joint = " " if asks(term) else ": "
    return f"{term.rstrip(': ')}{joint}{meaning}"
