"""What the layout of a page of a PDF is made of: characters, pieces of text, lines, and drawn lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from clew.documents.blocks import Draft
from clew.documents.marks import raised
from clew.text.normalise import normalise

GAP = 1.6
"""The space that parts two pieces on one line, in heights of a letter: more than justified text has between words."""
LETTER = re.compile(r"[^\W\d_]")


class Glyph(NamedTuple):
    """A character on a page: its box and base line in points, counted from the lower left, and whether it is bold."""

    text: str
    left: float
    right: float
    y: float
    size: float
    bold: bool


@dataclass(slots=True)
class Piece:
    """Characters that stand together on one base line; ``draft`` is the row of a table that it is."""

    left: float
    right: float
    y: float
    size: float
    bold: bool
    parts: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    gaps: list[tuple[int, float, float]] = field(default_factory=list)
    """Wide spaces, which may part cells: the number of the part, and where what is before it ends, and it begins."""

    text: str = ""
    draft: Draft | None = None

    @property
    def alone(self) -> bool:
        """Whether it is a whole row of a table."""
        return self.draft is not None

    def finish(self) -> str:
        """Set and return ``text``: the characters, raised ones marked as such."""
        self.end_raised()
        self.text = " ".join(normalise("".join(self.parts)).split())
        return self.text

    def end_raised(self) -> None:
        """What was raised is whole."""
        if self.above:
            self.parts.append(raised("".join(self.above)))
            self.above.clear()


@dataclass(slots=True)
class Line:
    """A line on a page: its text, the height of its letters and of its base line in points, and whether it is bold.

    ``alone`` lines are blocks of their own, such as the rows of a table, which have their ``draft``; ``width`` is the
    number of characters of the longest line in its column, 0 where there are no columns.
    """

    text: str
    size: float
    y: float
    bold: bool
    alone: bool = False
    width: int = 0
    draft: Draft | None = None


def rounded(line: Line) -> float:
    """The size of a line to half a point."""
    return round(2 * line.size) / 2


def size_of_text(blocks: Iterable[Iterable[Line]]) -> float:
    """The size of most letters, in points."""
    sizes: Counter[float] = Counter()
    for line in chain.from_iterable(blocks):
        sizes[rounded(line)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


class Rule(NamedTuple):
    """A drawn line: its place across its direction, and where it starts and ends along it, in points."""

    at: float
    start: float
    end: float
