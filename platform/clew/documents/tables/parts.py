"""Parts of a table: lines that lead the rows below them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from clew.documents.tables.grid import Cell, is_whole, texts_of

_LONGEST = 60
_FINAL = tuple(".!?…;。！？")
_COLONS = (":", "：")
_ROWS_EACH = 2
"""Rows that a part has on average, at least, where nothing but the empty places beside it tells a line apart."""
_LEAST_REMARK = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table, each merged cell once.

    ``whole`` is one cell over the whole table, ``marked`` one whose first cell is set off as a head, ``wide`` one whose
    first cell covers several places.
    """

    texts: tuple[str, ...]
    whole: bool = False
    marked: bool = False
    wide: bool = False

    @property
    def is_alone(self) -> bool:
        """Whether nothing but the first place is filled."""
        return bool(self.texts) and bool(self.texts[0]) and not any(self.texts[1:])


def line_of(row: Sequence[Cell | None], width: int) -> Line:
    """A row of a grid as a line."""
    first = row[0]
    return Line(
        texts_of(row, width),
        is_whole(row, width),
        first is not None and first.head,
        len(row) > 1 and first is not None and row[1] is first,
    )


def leads(lines: Sequence[Line], *, headed: bool, first: str = "") -> list[str | None]:
    """The lead of each row, None where it begins a part.

    Those of the first part may stand above the rows: ``first``.

    A part begins with a line over the whole table, or one that is set off where the names of other rows are not, and so
    does the first row where no title is that of a part. Where the table is ``headed`` and nothing is set off, the rows
    below each such line must be whole. A last row whose name covers several places, as that of a sum does, is of none.
    """
    begins = _begins(lines, headed)
    if not first and 0 not in begins and not all(lines[at].texts[0].endswith(_COLONS) for at in begins):
        begins = set()  # a line that only interrupts the rows, such as a break among talks
    found: list[str | None] = []
    lead = _lead_of(first)
    for at, line in enumerate(lines):
        if at in begins:
            lead = _lead_of(line.texts[0])
            found.append(None)
        else:
            found.append("" if line.whole or not begins else lead)
    if not begins:
        for at, led in _by_indent(lines).items():
            found[at] = led if led is None else found[at] or led
    if found and any(found) and lines[-1].wide:
        found[-1] = ""
    return found


def is_remark(lines: Sequence[Line]) -> bool:
    """Whether the last row is a remark: alone, and of more words."""
    words = [len(line.texts[0].split()) for line in lines]
    return len(lines) > 1 and words[-1] >= _LEAST_REMARK and words[-1] > max(words[:-1])


def _begins(lines: Sequence[Line], headed: bool) -> set[int]:
    alone = {at for at, line in enumerate(lines) if line.is_alone}
    rows = [line for at, line in enumerate(lines) if at not in alone]
    found = {at for at in alone if lines[at].whole}
    if 2 * sum(line.marked for line in rows) < len(rows):
        found |= {at for at in alone if lines[at].marked}
    if not found and headed and not _by_indent(lines):
        with_colons = {at for at in alone if lines[at].texts[0].endswith(_COLONS)}
        found = alone if _alternate(alone, lines) else with_colons
    return {at for at in found if at + 1 < len(lines) and at + 1 not in alone}


def _by_indent(lines: Sequence[Line]) -> dict[int, str | None]:
    """What leads the rows that begin in a later column than the name of their part, which stands alone; None for that.

    "Income" in the first column leads "Grants" in the second, as budgets have it, until one begins as far to the left.
    """
    found: dict[int, str | None] = {}
    above: list[tuple[int, str]] = []
    for at, line in enumerate(lines):
        begin, below = _begin(line), _begin(lines[at + 1]) if at + 1 < len(lines) else 0
        while above and above[-1][0] >= begin:
            above.pop()
        led = "; ".join(name for _, name in above)
        if led:
            found[at] = led
        if (
            begin < below < len(line.texts) - 1
            and sum(map(bool, line.texts)) == 1
            and (named := _lead_of(line.texts[begin]))
        ):
            above.append((begin, named))
            found[at] = led or None
    return found


def _begin(line: Line) -> int:
    """The first place of a row in which something stands."""
    return next((at for at, text in enumerate(line.texts) if text), len(line.texts))


def _alternate(alone: Collection[int], lines: Sequence[Line]) -> bool:
    """Whether lines that are set off by nothing are parts: one stands first, and each has whole rows below it."""
    if len(alone) < 2 or 0 not in alone or (_ROWS_EACH + 1) * len(alone) > len(lines):
        return False
    return not any(at + 1 in alone or at + 1 == len(lines) for at in alone)


def _lead_of(text: str) -> str:
    """What a line says as the lead of others; "" where it is a sentence."""
    text = " ".join(text.split()).rstrip(": ")
    return "" if len(text) > _LONGEST or text.endswith(_FINAL) else text.replace(": ", " – ")
