"""A question taken apart: its names, its hops, what is compared, and what kind of answer it wants.

A plan is data. ``clew.questions.grammar`` makes it from the question's words alone, without a document, a model or a
list of names; retrieval asks its hops of the graph, and a reader asks them of passages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Expected = Literal["person", "place", "organisation", "date", "year", "number", "reason", "manner", "yes/no", "any"]
"""What sort of value answers a hop, as far as its words tell; a head noun often says more."""
Kind = Literal[
    "value", "list", "count", "yes/no", "comparison", "definition", "summary", "reason", "manner", "foreign"
]  # fmt: skip
"""What sort of answer a question wants; only the first three and some comparisons are spans or numbers.

``foreign``: a question in another language than English, which the grammar leaves whole.
"""
Wins = Literal["earlier", "later", "more", "less", "same", "which"]
"""Which of two options is the answer, or what is said of both."""
Attribute = Literal["date", "number", "lifespan", "text"]
"""What is compared: days, quantities, the time between two days, or words."""
Values = Mapping[int, str]
"""What is known: the text of each slot that is filled."""

_SLOT = re.compile(r"\{(\d+)\}")


@dataclass(frozen=True, slots=True)
class Hop:
    """One thing to look up: ``template`` is a natural question with ``{n}`` where the value of slot n stands.

    ``target`` is the slot that its answer fills, ``head`` the noun that the answer is one of ("which *island*"), empty
    where there is none.
    """

    template: str
    target: int
    expects: Expected = "any"
    head: str = ""

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots that it speaks of, in the order in which they stand; all are anchors or targets of earlier hops."""
        return tuple(dict.fromkeys(int(number) for number in _SLOT.findall(self.template)))

    def question(self, values: Values) -> str:
        """The hop as a question for a reader. An unknown slot is left out."""
        return f"{self.query(values)}?"

    def query(self, values: Values) -> str:
        """The hop as a query for retrieval: the same words without the mark."""
        return " ".join(_SLOT.sub(lambda slot: values.get(int(slot[1]), ""), self.template).split())


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two options are compared by, so that ``clew.questions.compare.decide`` can tell the answer from values.

    ``options`` are the slots that name them. ``left`` and ``right`` are the slots whose values are compared, one each,
    but birth and death for a ``lifespan``; none where an option is to be picked by reading ("which"). ``asked`` where
    the answer is yes or no: whether the first option wins, or both are the same.
    """

    options: tuple[int, int]
    left: tuple[int, ...]
    right: tuple[int, ...]
    attribute: Attribute
    wins: Wins
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A question as hops over slots: its ``anchors`` (names, as it spells them) are slots 0 … n−1, hops fill the next.

    There is always a hop; where the grammar is not sure it is one, the question itself. The last hop's value is the
    answer, unless there is a ``comparison``.
    """

    question: str
    anchors: tuple[str, ...]
    hops: tuple[Hop, ...]
    kind: Kind = "value"
    comparison: Comparison | None = None

    @property
    def names(self) -> dict[int, str]:
        """The slots that are known before anything is looked up."""
        return dict(enumerate(self.anchors))

    def ready(self, hop: Hop, values: Values) -> bool:
        """Whether all that a hop speaks of is known."""
        return all(slot in values for slot in hop.slots)

    def leads_on(self, hop: Hop) -> bool:
        """Whether another hop asks of what this one finds."""
        return any(hop.target in other.slots for other in self.hops)
