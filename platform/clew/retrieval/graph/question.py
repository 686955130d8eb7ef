"""What a question names in the graph, and what it asks besides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.ids import entity_id
from clew.retrieval.graph.hypergraph import Graph, find
from clew.retrieval.graph.lexical import word_id
from clew.text import scripts
from clew.text.names import FUNCTION_WORDS, capitalised_spans, key

LONGEST = 12
"""Words of a name that is looked for in a question, at most."""
ORDINARY = 5
"""A word that opens a query is no name where the facts that have it are so many times those about what it names."""

_PARENTHESIS = re.compile(r"\([^()]*\)")
"""What tells namesakes apart, such as (film), names nothing itself."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query with the names it spells (their keys, and the row of each in the graph), and itself without those names.

    ``first`` is the place in ``masked`` that the first removed name left, or -1 where nothing was removed.
    """

    text: str
    keys: tuple[str, ...]
    rows: tuple[int, ...]
    masked: str
    first: int

    @property
    def linked(self) -> tuple[int, ...]:
        """The rows of the entities that are named, each once: merged ones have several names."""
        return tuple(dict.fromkeys(self.rows))

    @property
    def relation(self) -> str:
        """What is asked besides the names: the masked question, or all of it where nothing else is."""
        return self.masked.strip() or self.text

    def about(self, name: str) -> str:
        """The masked question with ``name`` where the first removed name stood, or at its end."""
        if self.first < 0:
            return f"{self.text} {name}".strip()
        return " ".join(f"{self.masked[: self.first]} {name} {self.masked[self.first :]}".split())


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    key: str
    name: bool
    capitalised: bool
    plain: bool


def link(graph: Graph, kb: str, queries: Sequence[str]) -> list[Question]:
    """Link each query to the entities whose keys it spells.

    The longest run of words wins. A name by the rules of ingest counts wherever it is an entity, another run of words
    only as some page's title, and one in lower case only where the query names nothing else. A word that opens a query
    has a capital letter in any case (Wie, ¿Qué): it is no name where the facts have it as an ordinary word.
    """
    candidates = [_candidates(query) for query in queries]
    keys = list(dict.fromkeys(span.key for spans in candidates for span in spans))
    found = graph.entity_rows([entity_id(kb, one) for one in keys])
    titles = (found >= 0) & graph.titles[found] if len(graph.titles) else found >= 0
    rows = {key: (row, title) for key, row, title in zip(keys, found.tolist(), titles.tolist(), strict=True)}
    ordinary = _ordinary(graph, {span.key for spans in candidates for span in spans if span.plain}, rows)
    return [
        _question(query, [span for span in spans if not (span.plain and span.key in ordinary)], rows)
        for query, spans in zip(queries, candidates, strict=True)
    ]


def words(query: str) -> list[str]:
    """The words of a query by which sentences are searched: folded, without function words and repeats."""
    return [word for word in dict.fromkeys(key(query).split()) if word not in FUNCTION_WORDS]


def _candidates(query: str) -> list[_Span]:
    tokens = list(scripts.words(query))
    folded_tokens = [key(query[start:end]) for start, end in tokens]
    names = {key(name) for name in capitalised_spans(query)}
    asides = [match.span() for match in _PARENTHESIS.finditer(query)]
    spans = []
    for n in range(min(LONGEST, len(tokens)), 0, -1):
        for i in range(len(tokens) - n + 1):
            start, end = tokens[i][0], tokens[i + n - 1][1]
            if any(first <= start and end <= last for first, last in asides):
                continue
            folded = " ".join(folded_tokens[i : i + n])
            name = folded in names
            if name or (n > 1 and not all(word in FUNCTION_WORDS for word in folded.split())):
                # Any query may begin with a capital letter.
                capitalised = name or any(letter.isupper() for letter in query[max(start, 1) : end])
                plain = n == 1 and (i == 0 or query[start].islower())
                spans.append(_Span(start, end, folded, name, capitalised, plain))
    return spans


def _ordinary(graph: Graph, keys: Iterable[str], rows: dict[str, tuple[int, bool]]) -> set[str]:
    """Those of some keys of one word that name no page, and that most facts with the word are not about."""
    ordinary = set()
    for one in keys:
        row, title = rows[one]
        word = int(find(graph.words, [word_id(one)])[0])
        if row >= 0 and word >= 0 and not title:
            having, about = np.diff(graph.facts_with.starts[word : word + 2])[0], graph.degrees[row]
            if having >= ORDINARY * about:
                ordinary.add(one)
    return ordinary


def _question(query: str, spans: Sequence[_Span], rows: dict[str, tuple[int, bool]]) -> Question:
    known = [span for span in spans if rows[span.key][0] >= 0 and (span.name or rows[span.key][1])]
    taken: list[_Span] = []
    for span in [span for span in known if span.capitalised] or known:
        if not any(span.start < other.end and other.start < span.end for other in taken):
            taken.append(span)
    taken.sort(key=lambda span: span.start)
    masked, at, first = "", 0, -1
    for span in taken:
        masked += query[at : span.start]
        first = len(masked) if first < 0 else first
        at = span.end
    masked += query[at:]
    keys = tuple(dict.fromkeys(span.key for span in taken))
    return Question(query, keys, tuple(rows[key][0] for key in keys), masked, first)
