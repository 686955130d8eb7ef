"""What the steps so far have brought, as texts to read: each once, with its place in a document and its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.agent.episode import numbered
from clew.agent.protocol import Dialect, normalise_query
from clew.reader.confidence import Features
from clew.reader.reader import Text
from clew.types import Passage, Step, Support

LIST = "; "
"""What parts the items of a list that is one answer."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage or fact as a text, and where it stands: ``start`` is the character of ``document`` it begins at.

    ``exact`` says that it is the document's own text, so that places in it are places in the document; else ``start``
    and ``end`` are those of the span that states the fact. ``rank`` counts from 0 in the query that brought it.
    """

    text: Text
    document: str
    start: int
    end: int
    rank: int
    exact: bool
    page: int | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was shown, by the query that brought it, and the numbers of the facts by the span that states them."""

    by_query: dict[str, tuple[Shown, ...]]
    numbers: dict[tuple[str, int, int], int]

    def asked(self, query: str) -> bool:
        """Whether a query has been sent."""
        return normalise_query(query) in self.by_query

    def of(self, query: str) -> list[Shown]:
        """What ``query`` brought, best first; then all else, as if it had come after."""
        own = self.by_query.get(normalise_query(query), ())
        seen = {one.text for one in own}
        rest = [one for shown in self.by_query.values() for one in shown if one.text not in seen]
        return [*own, *dict.fromkeys(rest)]

    def number(self, document: str, start: int, end: int) -> int:
        """The number of the fact whose span holds ``start:end`` of a document; 0 where none was shown."""
        return next((n for (d, a, b), n in self.numbers.items() if d == document and a <= start and end <= b), 0)


@dataclass(frozen=True, slots=True)
class Seen:
    """A span of a text that was shown, what is seen of it, and the sentence around it (characters of the text)."""

    shown: Shown
    value: str
    sentence: tuple[int, int]
    features: Features

    def supports(self, evidence: Evidence) -> Support:
        """The sentence as a place in its document, with the values in it; one value is several where it is a list."""
        start, end = self.sentence
        one = self.shown
        a, b = (one.start + start, one.start + end) if one.exact else (one.start, one.end)
        values = tuple(self.value.split(LIST)) if self.value else ()
        return Support(one.document, one.text.title, a, b, one.page, evidence.number(one.document, a, b), values)


def gather(steps: Sequence[Step], dialect: Dialect) -> Evidence:
    """The evidence of the steps: their passages, and those facts that no passage of the same step contains."""
    by_query: dict[str, tuple[Shown, ...]] = {}
    numbers: dict[tuple[str, int, int], int] = {}
    for step, shown_now in zip(steps, numbered(steps, dialect), strict=True):
        if not step.query:
            continue
        for number, item in shown_now.items():
            if not isinstance(item, Passage) and item.sources:
                source = item.sources[0]
                numbers.setdefault((source.document, source.start, source.end), number)
        shown = [
            Shown(Text(p.title, p.text), p.document, p.start, p.end, rank, True, p.page)
            for rank, p in enumerate(step.passages)
        ]
        for rank, fact in enumerate(step.facts):
            for source in fact.sources[:1]:
                inside = any(
                    p.document == source.document and p.start <= source.start and source.end <= p.end
                    for p in step.passages
                )
                if not inside:
                    text = Text(source.title, fact.text)
                    one = Shown(text, source.document, source.start, source.end, rank, False, source.page)
                    shown.append(one)
        by_query.setdefault(normalise_query(step.query), ())
        if shown:
            by_query[normalise_query(step.query)] = tuple(sorted(shown, key=lambda one: one.rank))
    return Evidence(by_query, numbers)
