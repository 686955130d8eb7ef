"""One number a fact for life: thoughts, facts found, the graph and the sources of an answer name it by the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.agent.episode import MARKER, numbered
from clew.agent.protocol import Dialect
from clew.types import Citation, Fact, Passage, Source, Step

Shown = Fact | Passage


class Numbers:
    """The numbers of what some turns showed. What came back again keeps the number that it had first."""

    def __init__(self, steps: Sequence[Step], dialect: Dialect) -> None:
        self._first: dict[int, int] = {}
        self._last = 0
        self.by_id: dict[str, int] = {}
        self.turns: list[dict[int, Shown]] = []
        for shown in numbered(steps, dialect):
            own: dict[int, Shown] = {}
            for number, item in shown.items():
                self._first[number] = self.by_id.setdefault(item.id, number)
                self._last = number
                own.setdefault(self._first[number], item)
            self.turns.append(own)

    def named(self, text: str) -> str:
        """A text whose markers ``[n]`` name facts by these numbers."""

        def first(match: re.Match[str]) -> str:
            return re.sub(r"\d{1,9}", lambda one: str(self._first.get(int(one[0]), int(one[0]))), match[0])

        return re.sub(MARKER, first, text)

    def of(self, citations: Sequence[Citation]) -> list[int]:
        """The number of the fact that each citation quotes; those of none that was shown are counted on."""
        found = [self._of(citation) for citation in citations]
        free = iter(range(self._last + 1, self._last + 1 + len(citations)))
        return [number or next(free) for number in found]

    def _of(self, citation: Citation) -> int:
        places = [(number, place) for shown in self.turns for number, item in shown.items() for place in _places(item)]
        same = [
            (abs(place.start - citation.start) + abs(place.end - citation.end), number)
            for number, place in places
            if overlap(place, citation)
        ]
        return min(same, default=(0, 0))[1]


def overlap(first: Citation | Source | Passage, second: Citation | Source | Passage) -> bool:
    """Whether two spans of documents have characters in common."""
    return first.document == second.document and first.start < second.end and second.start < first.end


def _places(item: Shown) -> Sequence[Source | Passage]:
    return [item] if isinstance(item, Passage) else item.sources
