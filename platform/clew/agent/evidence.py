"""What the steps so far have brought, as texts to read: each once, with its place in a document and its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clew.agent.episode import numbered
from clew.agent.protocol import Dialect, normalise_query
from clew.reader.confidence import Features
from clew.reader.reader import Text
from clew.types import Block, Cell, Json, Passage, Step, Support

Passages = Callable[[Sequence[tuple[str, int]]], Sequence[Passage]]
"""Reads the passages that hold the rows of tables, each named by its document and number.

The number ``METADATA`` stands for what a document says of itself.
"""
METADATA = -1
LIST = "; "
"""What parts the items of a list that is one answer."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage or fact as a text, and where it stands: ``start`` is the character of ``document`` it begins at.

    ``exact`` says that it is the document's own text, so that places in it are places in the document; else ``start``
    and ``end`` are those of the span that states the fact. ``rank`` counts from 0 in the query that brought it.
    ``section``, ``blocks`` and ``metadata`` are those of the passage (``clew.types.Passage``).
    """

    text: Text
    document: str
    start: int
    end: int
    rank: int
    exact: bool
    page: int | None = None
    section: tuple[str, ...] = field(default=(), compare=False)
    blocks: tuple[Block, ...] = field(default=(), compare=False)
    metadata: Json = field(default_factory=dict, compare=False)

    def words(self, block: Block | Cell) -> str:
        """The text of a block or cell of the document, as far as it is shown."""
        return self.text.text[max(0, block.start - self.start) : max(0, block.end - self.start)]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was shown, by the query that brought it, and the numbers of the facts by the span that states them.

    ``tables`` are the passages that hold all rows of the tables which were shown in part, or what is said of documents.
    """

    by_query: dict[str, tuple[Shown, ...]]
    numbers: dict[tuple[str, int, int], int]
    tables: tuple[Shown, ...] = ()

    def cut_tables(self) -> list[tuple[str, int]]:
        """The tables (document, number) of which a row was shown."""
        everything = (one for shown in self.by_query.values() for one in shown)
        places = ((one.document, block.table.number) for one in everything for block in one.blocks if block.table)
        return list(dict.fromkeys(places))

    def described(self) -> list[tuple[str, int]]:
        """The documents that were shown, each with the number ``METADATA``."""
        everything = (one for shown in self.by_query.values() for one in shown if one.metadata)
        return list(dict.fromkeys((one.document, METADATA) for one in everything))

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
        shown = list(shown_passages(step.passages))
        for rank, fact in enumerate(step.facts):
            for source in fact.sources[:1]:
                inside = any(
                    p.document == source.document and p.start <= source.start and source.end <= p.end
                    for p in step.passages
                )
                if not inside:
                    text, blocks = Text(source.title, fact.text), (source.block,) if source.block else ()
                    place = source.document, source.start, source.end
                    shown.append(Shown(text, *place, rank, False, source.page, blocks=blocks))
        by_query.setdefault(normalise_query(step.query), ())
        if shown:
            by_query[normalise_query(step.query)] = tuple(sorted(shown, key=lambda one: one.rank))
    return Evidence(by_query, numbers)


def shown_passages(passages: Sequence[Passage]) -> tuple[Shown, ...]:
    """Passages as texts to read, ranked in their order."""
    return tuple(
        Shown(Text(p.title, p.text), p.document, p.start, p.end, rank, True, p.page, p.section, p.blocks, p.metadata)
        for rank, p in enumerate(passages)
    )
