"""Triples that someone else has extracted, as hyperedges: each needs a stretch of the text that shows it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

from clew.ids import digest
from clew.ingest.extractor import Extractor
from clew.text.names import FUNCTION_WORDS, is_name, key
from clew.text.neutralise import plain_line
from clew.text.sentences import sentences
from clew.types import Chunk, Document, ExtractedFact, ExtractionReport, Participant

ORIGIN = "openie"
"""``ExtractedFact.origin`` of facts that were imported."""
LONGEST_NAME = 100
LONGEST_RELATION = 200
"""Characters of a subject or object that become an entity, and of a relation; at most."""
LONGEST_RUN = 3
"""Sentences in a row that may be the evidence of one fact, at most."""
MOST_TRIPLES = 1000
"""Triples of one document, at most; the file is a stranger's."""


class Triple(NamedTuple):
    """Subject, relation and object, in words."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class TripleDocument(Document):
    """A document with the triples that someone extracted from it; its ``sha256`` counts them too.

    ``unfit`` were given that are no three texts, and ``surplus`` beyond those that a document may have.
    """

    triples: tuple[Triple, ...] = ()
    unfit: int = 0
    surplus: int = 0


class TripleExtractor:
    """Gives each triple of a ``TripleDocument`` as a fact, where a chunk shows it; a document without has none.

    The evidence is the sentence with all words of subject and object, function words apart. Where no sentence has them,
    the words of the page's title need not be there, because a page's sentences are about its title; and then the
    shortest run of up to three sentences counts. A triple that no chunk shows is dropped and counted, and so is one of
    which neither subject nor object is a name. ``beside`` is an extractor whose facts come along.
    """

    def __init__(self, beside: Extractor | None = None) -> None:
        self.name = "openie-1" if beside is None else f"openie-1+{beside.name}"
        self._beside = beside
        self._chunks = 0
        self._facts = 0
        self._dropped: Counter[str] = Counter()
        self._document = ""
        self._unseen: set[Triple] = set()

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        """The facts of a chunk, first those of ``beside``; a triple is a fact of every chunk that shows it."""
        triples = dict.fromkeys(document.triples if isinstance(document, TripleDocument) else ())
        if document.id != self._document or chunk.index == 0:
            self._count_unseen()
            self._document, self._unseen = document.id, set(triples)
            if isinstance(document, TripleDocument):
                self._dropped.update({"form": document.unfit, "room": document.surplus})
        facts = [] if self._beside is None else self._beside.extract(document, chunk)
        own = []
        for triple in triples:
            participants = _participants(triple)
            if not participants:
                if triple in self._unseen:
                    self._unseen.discard(triple)
                    self._dropped["name"] += 1
            elif span := find_evidence(triple, document.title, chunk.text):
                self._unseen.discard(triple)
                start, end = chunk.start + span[0], chunk.start + span[1]
                own.append(ExtractedFact(" ".join(triple), start, end, participants, 0, ORIGIN))
        self._chunks += 1
        self._facts += len(own)
        return facts + own

    def report(self) -> ExtractionReport:
        """What has been imported until now, and what was dropped.

        A triple lacked ``evidence``, a ``name``, the ``form`` of a triple (three texts), or ``room``: a document has it
        for ``MOST_TRIPLES``.
        """
        self._count_unseen()
        return ExtractionReport(ORIGIN, chunks=self._chunks, facts=self._facts, dropped=dict(+self._dropped))

    def _count_unseen(self) -> None:
        if self._unseen:
            self._dropped["evidence"] += len(self._unseen)
            self._unseen = set()


def make_triple(subject: object, relation: object, object_: object) -> Triple | None:
    """A triple of three texts, cleaned: one line each, without control characters and tags; None where one is empty."""
    parts = [plain_line(part) for part in (subject, relation, object_)]
    return Triple(*parts) if all(parts) and len(parts[1]) <= LONGEST_RELATION else None


def with_triples(document: Document, made: Iterable[Triple | None]) -> TripleDocument:
    """The document with the triples that are any, each once, in order, and not more than a document may have."""
    given = list(made)
    distinct = tuple(dict.fromkeys(triple for triple in given if triple))
    triples = distinct[:MOST_TRIPLES]
    values = {field.name: getattr(document, field.name) for field in fields(document)}
    values["sha256"] = digest(f"{document.sha256}\n{json.dumps(triples)}")
    return TripleDocument(**values, triples=triples, unfit=given.count(None), surplus=len(distinct) - len(triples))


def find_evidence(triple: Triple, title: str, text: str) -> tuple[int, int] | None:
    """Where in a chunk's text the triple is shown, (start, end), or None. See ``TripleExtractor``."""
    wanted = _content(triple.subject) | _content(triple.object)
    spans, words = _sentences(text)
    relation = _content(triple.relation)
    for needed in (wanted, wanted - _content(title)):
        if needed and (fitting := [i for i, has in enumerate(words) if needed <= has]):
            return spans[max(fitting, key=lambda i: (len(relation & words[i]), -i))]
    for run in range(2, LONGEST_RUN + 1):
        for first in range(len(spans) - run + 1):
            if wanted <= set().union(*words[first : first + run]):
                return spans[first][0], spans[first + run - 1][1]
    return None


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[Sequence[tuple[int, int]], Sequence[frozenset[str]]]:
    """The sentences of a text, and the words of each."""
    spans = list(sentences(text))
    return spans, [frozenset(key(text[start:end]).split()) for start, end in spans]


def _participants(triple: Triple) -> tuple[Participant, ...]:
    found: dict[str, Participant] = {}
    for name, role in ((triple.subject, "subject"), (triple.object, "object")):
        if len(name) <= LONGEST_NAME and is_name(name):
            found.setdefault(key(name), Participant(name, role))
    return tuple(found.values())


def _content(text: str) -> set[str]:
    """The words of a text, without function words where it has others."""
    words = set(key(text).split())
    return words - FUNCTION_WORDS or words
