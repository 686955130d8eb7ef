"""What a question names in the graph, and what it asks besides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clew.ids import entity_id
from clew.retrieval.graph.hypergraph import Graph, find
from clew.retrieval.graph.lexical import word_id
from clew.text import scripts
from clew.text.names import FUNCTION_WORDS, SIGNS, key, names_in, without_attached
from clew.text.uncased import is_uncased

LONGEST = 12
"""Words of a name that is looked for in a question, at most."""
MOST_LETTERS = 80
"""Letters of such a name in a script without capitals, whose runs are all looked for, at most."""
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
    uncased: bool = False


def link(graph: Graph, kb: str, queries: Sequence[str]) -> list[Question]:
    """Link each query to the entities whose keys it spells.

    The longest run of words wins. A name by the rules of ingest counts wherever it is an entity, another run of words
    only as some page's title, and one in lower case only where the query names nothing else. In scripts without
    capitals any run counts, also without what is written together with it ("in Jerusalem" is one word in Hebrew). A
    word that opens a query has a capital letter in any case (Wie, ¿Qué): it is no name where the facts have it as an
    ordinary word.
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
    names = {key(name) for name in names_in(query)}
    asides = [match.span() for match in _PARENTHESIS.finditer(query)]
    spans: list[_Span] = []
    most = LONGEST * SIGNS if is_uncased(query) else LONGEST
    for n in range(min(most, len(tokens)), 0, -1):
        for i in range(len(tokens) - n + 1):
            start, end = tokens[i][0], tokens[i + n - 1][1]
            if any(first <= start and end <= last for first, last in asides):
                continue
            folded = " ".join(folded_tokens[i : i + n])
            name = folded in names
            if most > LONGEST and is_uncased(query[start]):
                spans += _uncased(query, start, end, folded, name)
            elif name or (n > 1 and not all(word in FUNCTION_WORDS for word in folded.split())):
                # Any query may begin with a capital letter.
                capitalised = name or any(letter.isupper() for letter in query[max(start, 1) : end])
                plain = n == 1 and (i == 0 or query[start].islower())
                spans.append(_Span(start, end, folded, name, capitalised, plain))
    return spans


def _uncased(query: str, start: int, end: int, folded: str, name: bool) -> Iterator[_Span]:
    """A run of words in a script without capitals as it stands, and without what is written together with it."""
    run = query[start:end]
    if len(run) > MOST_LETTERS:
        return
    plain = " " not in folded and not name
    yield _Span(start, end, folded, name, True, plain, True)
    for bare in without_attached(run):
        first = start if run.startswith(bare) else end - len(bare)
        yield _Span(first, first + len(bare), key(bare), name, True, plain, True)


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
    known = [span for span in spans if rows[span.key][0] >= 0 and (span.name or span.uncased or rows[span.key][1])]
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
