"""The one structure between every format and what comes after it: a text made of blocks, and the place of each in it.

A reader tells blocks in their order (``Draft``), and ``Layout`` puts the text together, page by page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from clew.text.cell_values import stated_measure, value_of
from clew.text.normalise import normalise, one_line
from clew.text.sentences import asks
from clew.types import Block, BlockKind, Cell, Table

_LONGEST_PARENT = 60
_LINES_ABOVE = 2
_LONGEST_ABOVE = 300
"""Lines above a table that may say its scale and unit, and the characters of each, at most."""
_NAMES_A_TABLE = frozenset({"caption", "heading"})
_FINAL = tuple(".!?…;。！？")


@dataclass(frozen=True, slots=True)
class DraftCell:
    """A cell of a row as it is read: its text, the heads of its column, and whether it names the row."""

    text: str
    heads: tuple[str, ...] = ()
    names_row: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A block as it is read, before its place in the text is known.

    ``cells`` are those of a row or pair, in the order of its text; ``part`` that of the table which leads it. ``rows``
    are those of a block that is a whole table, a line for each.
    """

    text: str
    kind: BlockKind = "paragraph"
    level: int = 0
    cells: tuple[DraftCell, ...] = ()
    part: str = ""
    rows: tuple[Draft, ...] = ()


class Layout:
    """A document's text while it is put together: normalised, with a blank line between its blocks.

    ``size`` is its length so far, ``pages`` the offset at which each page starts, ``blocks`` where each block lies.
    """

    def __init__(self, drafts: Iterable[Draft] = ()) -> None:
        self.size = 0
        self.pages: list[int] = []
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._tables = 0
        self.add(drafts)

    @property
    def text(self) -> str:
        """The text of all blocks."""
        return "\n\n".join(self._parts)

    def add(self, drafts: Iterable[Draft]) -> None:
        """Go on with these blocks; those without text are left out."""
        filled = [draft for draft in drafts if draft.text.strip()]
        text = text_of(filled)
        if not text:
            return
        base = self.size + 2 * bool(self.size)
        at = 0
        placed: list[tuple[Draft, int, int]] = []
        for draft in filled:
            words = normalise(draft.text)
            start = text.find(words, at) if words else -1
            if start >= 0:
                at = start + len(words)
                placed.append((draft, start, at))
        above = ""
        for is_table, group in groupby(placed, key=lambda one: bool(one[0].rows or one[0].kind == "row")):
            found = list(group)
            if is_table:
                self._add_table(text, found, base, above)
                continue
            for draft, start, end in found:
                cells = _placed(text, draft.cells or _sides_of(draft), start, end, base)
                self.blocks.append(Block(draft.kind, base + start, base + end, draft.level, cells))
            above = "\n".join(
                text[start:end] for draft, start, end in found[-_LINES_ABOVE:] if end - start < _LONGEST_ABOVE
            )
        self._parts.append(text)
        self.size = base + len(text)

    def _add_table(self, text: str, rows: Sequence[tuple[Draft, int, int]], base: int, above: str) -> None:
        """Go on with the rows of one table, which the lines ``above`` or the head of their names measure."""
        self._tables += 1
        before = self.blocks[-1] if self.blocks and above else None
        caption = one_line(above.rpartition("\n")[2], 200) if before and before.kind in _NAMES_A_TABLE else ""
        corner = _naming((rows[0][0].rows or (rows[0][0],))[0].cells[:1]).heads
        unit, scale = max(map(stated_measure, (one_line(above), " ".join(corner))))
        table = Table(self._tables, caption, unit, scale)
        for draft, start, end in rows:
            at = start
            for row in draft.rows or (draft,):
                words = normalise(row.text)
                begin = text.find(words, at, end)
                if begin >= 0:
                    at = begin + len(words)
                    cells = _placed(text, row.cells, begin, at, base, table)
                    self.blocks.append(Block("row", base + begin, base + at, draft.level, cells, table, row.part))

    def add_page(self, drafts: Iterable[Draft]) -> None:
        """Go on with the blocks of a page, sheet or slide, which may be empty."""
        before = self.size
        self.add(drafts)
        self.pages.append(before + 2 * bool(before) if self.size > before else before)

    def heading(self) -> str:
        """The first heading on one line; "" where there is none."""
        first = next((block for block in self.blocks if block.kind == "heading"), None)
        return one_line(self.text[first.start : first.end]) if first else ""


def _naming(cells: Sequence[DraftCell]) -> DraftCell:
    """The cell that names a row; an empty one where none does."""
    return next((cell for cell in cells if cell.names_row), DraftCell(""))


def _placed(
    text: str, cells: Sequence[DraftCell], start: int, end: int, base: int, table: Table | None = None
) -> tuple[Cell, ...]:
    """Cells with their places in the text, each behind the one before; one that is not found there is left out."""
    found: list[Cell] = []
    at = start
    measure = (table.unit, table.scale) if table else ("", 1.0)
    row = _naming(cells).text
    for cell in cells:
        words = normalise(cell.text)
        head = normalise(" ".join(cell.heads)) if words else ""
        behind = text.find(f"{head}: ", at, end) if head else -1
        begin = text.find(words, behind + len(head) + 2 if behind >= 0 else at, end) if words else at
        if begin < 0:
            begin = text.find(words, at, end)
        if begin >= 0:
            at = begin + len(words)
            value = value_of(words, cell.heads, *measure, row)
            found.append(Cell(base + begin, base + at, cell.heads, cell.names_row, value))
    return tuple(found)


def _sides_of(draft: Draft) -> tuple[DraftCell, ...]:
    """The term and the meaning of a pair, or a question and its answer; none of another block."""
    if draft.kind != "pair":
        return ()
    lines = draft.text.strip()
    joints = [at + 1 for at in (lines.find(": "), lines.find("? ")) if at > 0]
    if not joints:
        return ()
    term, meaning = lines[: min(joints)].rstrip(": "), lines[min(joints) :].strip()
    meaning = meaning if ". " in meaning else meaning.removesuffix(".")  # what a table's line ends with
    return DraftCell(term, (), True), DraftCell(meaning, (term,))


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
