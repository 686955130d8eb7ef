"""Triples that someone else has extracted, as hyperedges: each needs a stretch of the text that states it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import NamedTuple

from clew.extraction.given import GivenDocument, facts_of
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
MOST_PROPERTIES = 20
"""Triples of one document, and properties of a triple, at most; the file is a stranger's."""

_BE = frozenset("am are be been being is was were".split())
_HAVE = frozenset("had has have having".split())
_SHORTEST_STEM = 2
_ENDING = re.compile(r"[dt]?(?:ied|ies|ings?|ions?|e[drs]|ers|ors?|[esy])\Z|[dt]\Z")
"""What words of one stem end with: founded, founder; directs, director, direction; build, built; marry, married."""
_STATED = 0.5
"""Share of a relation's words from which a stretch of text states it."""


class Triple(NamedTuple):
    """Subject, relation and object, in words; what the two ends are, and what else is known of the relation."""

    subject: str
    relation: str
    object: str
    subject_type: str = ""
    object_type: str = ""
    properties: tuple[tuple[str, str], ...] = ()


class Evidence(NamedTuple):
    """A stretch of a text that has subject and object, and whether it states the relation too."""

    start: int
    end: int
    states_relation: bool


@dataclass(frozen=True, slots=True)
class TripleDocument(Document):
    """A document with the triples that someone extracted from it; its ``sha256`` counts them too.

    ``unfit`` were given that are no three texts, and ``surplus`` beyond those that a document may have.
    """

    triples: tuple[Triple, ...] = ()
    unfit: int = 0
    surplus: int = 0


class TripleExtractor:
    """Gives each triple of a ``TripleDocument`` as a fact, where a chunk states it; a document without has none.

    The evidence is the sentence with all words of subject and object, function words apart, and with the relation.
    Where no sentence has subject and object, the words of the page's title need not be there, because a page's
    sentences are about its title; and then the shortest run of up to three sentences counts. Where the evidence says
    nothing of the relation, the two are *mentioned together*: the fact is what the document itself says there, so that
    no answer can rest on a relation that nobody has written. A triple that no chunk shows is dropped and counted, and
    so is one of which neither subject nor object is a name. ``beside`` is an extractor whose facts come along.
    """

    def __init__(self, beside: Extractor | None = None) -> None:
        self.name = "openie-2" if beside is None else f"openie-2+{beside.name}"
        self._beside = beside
        self._chunks = 0
        self._facts = 0
        self._dropped: Counter[str] = Counter()
        self._document = ""
        self._unseen: set[Triple] = set()
        self._together: set[Triple] = set()
        self._with_relation: set[Triple] = set()

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        """The facts of a chunk, first those of ``beside``; a triple is a fact of every chunk that states it.

        A ``GivenDocument`` has its own.
        """
        self._chunks += 1
        if isinstance(document, GivenDocument):
            self._dropped["form"] += document.unfit if chunk.index == 0 else 0
            given = facts_of(document, chunk)
            self._facts += len(given)
            return given
        triples = dict.fromkeys(document.triples if isinstance(document, TripleDocument) else ())
        if document.id != self._document or chunk.index == 0:
            self._count_unseen()
            self._document, self._unseen = document.id, set(triples)
            if isinstance(document, TripleDocument):
                self._dropped.update({"form": document.unfit, "room": document.surplus})
        facts = [] if self._beside is None else self._beside.extract(document, chunk)
        for triple in triples:
            participants = _participants(triple)
            if not participants:
                if triple in self._unseen:
                    self._unseen.discard(triple)
                    self._dropped["name"] += 1
            elif evidence := find_evidence(triple, document.title, chunk.text):
                self._unseen.discard(triple)
                if evidence.states_relation:
                    self._facts += 1
                    self._with_relation.add(triple)
                    facts.append(_fact(triple, participants, chunk, evidence))
                else:
                    self._together.add(triple)
                    facts.append(_mentioned(document.title, participants, chunk, evidence))
        return facts

    def report(self) -> ExtractionReport:
        """What has been imported until now, and what was dropped.

        A triple lacked ``evidence``, a sentence that states its ``relation`` (and is mentioned together), a ``name``,
        the ``form`` of a triple (three texts), or ``room``: a document has it for ``MOST_TRIPLES``.
        """
        self._count_unseen()
        return ExtractionReport(ORIGIN, chunks=self._chunks, facts=self._facts, dropped=dict(+self._dropped))

    def _count_unseen(self) -> None:
        self._dropped.update({"evidence": len(self._unseen), "relation": len(self._together - self._with_relation)})
        self._unseen, self._together, self._with_relation = set(), set(), set()


def make_triple(
    subject: object,
    relation: object,
    object_: object,
    *,
    types: tuple[object, object] = ("", ""),
    properties: Iterable[tuple[object, object]] = (),
) -> Triple | None:
    """A triple of three texts, cleaned: one line each, without control characters and tags; None where one is empty.

    ``types`` are those of subject and object, ``properties`` names and values; what is no text or number is left out.
    """
    parts = [plain_line(part) for part in (subject, relation, object_)]
    if not all(parts) or len(parts[1]) > LONGEST_RELATION:
        return None
    qualifiers = [(plain_line(name, LONGEST_NAME), plain_line(value, LONGEST_RELATION)) for name, value in properties]
    start, end = (plain_line(type, LONGEST_NAME) for type in types)
    return Triple(
        parts[0], parts[1], parts[2], start, end, tuple(one for one in qualifiers[:MOST_PROPERTIES] if all(one))
    )


def with_triples(document: Document, made: Iterable[Triple | None]) -> TripleDocument:
    """The document with the triples that are any, each once, in order, and not more than a document may have."""
    given = list(made)
    distinct = tuple(dict.fromkeys(triple for triple in given if triple))
    triples = distinct[:MOST_TRIPLES]
    values = {field.name: getattr(document, field.name) for field in fields(document)}
    values["sha256"] = digest(f"{document.sha256}\n{json.dumps(triples)}")
    return TripleDocument(**values, triples=triples, unfit=given.count(None), surplus=len(distinct) - len(triples))


def find_evidence(triple: Triple, title: str, text: str) -> Evidence | None:
    """Where in a chunk's text the triple is shown, or None. See ``TripleExtractor``."""
    wanted = _content(triple.subject) | _content(triple.object)
    spans, words = _sentences(text)
    found = []
    for needed in (wanted, wanted - _content(title)):
        if needed:
            found += [(*spans[i], _share(triple.relation, has)) for i, has in enumerate(words) if needed <= has]
    if found:
        # The first of those that say most of the relation.
        start, end, share = max(found, key=lambda one: one[2])
        return Evidence(start, end, share >= _STATED)
    for run in range(2, LONGEST_RUN + 1):
        for first in range(len(spans) - run + 1):
            has = frozenset().union(*words[first : first + run])
            if wanted <= has:
                return Evidence(spans[first][0], spans[first + run - 1][1], _share(triple.relation, has) >= _STATED)
    return None


def _share(relation: str, words: Collection[str]) -> float:
    """The share of a relation's words that a text has, in whatever form; of *is* and *has* alone, all must be there."""
    wanted = _content(relation)
    if not wanted:
        return 1.0
    share = sum(_has(word, words) for word in wanted) / len(wanted)
    return share if wanted - FUNCTION_WORDS or share == 1 else 0.0


def _has(word: str, words: Collection[str]) -> bool:
    for forms in (_BE, _HAVE):
        if word in forms:
            return not forms.isdisjoint(words)
    if word in words or word in FUNCTION_WORDS:
        return word in words
    stem = _ENDING.sub("", word)
    return len(stem) >= _SHORTEST_STEM and any(_ENDING.sub("", other) == stem for other in words)


def _fact(triple: Triple, participants: Sequence[Participant], chunk: Chunk, evidence: Evidence) -> ExtractedFact:
    """The triple as a fact, with those of its properties that the evidence has."""
    has = set(key(chunk.text[evidence.start : evidence.end]).split())
    shown = [(name, value) for name, value in triple.properties if _content(value) <= has]
    text = ", ".join([" ".join(triple[:3]), *(f"{name} {value}" for name, value in shown)])
    more = [Participant(value, name) for name, value in shown if len(value) <= LONGEST_NAME and is_name(value)]
    start, end = chunk.start + evidence.start, chunk.start + evidence.end
    return ExtractedFact(text, start, end, (*participants, *more), 0, ORIGIN)


def _mentioned(title: str, participants: Sequence[Participant], chunk: Chunk, evidence: Evidence) -> ExtractedFact:
    """What the document says where it mentions both, in its own words, as the sentences of a page are facts."""
    title = " ".join(title.split())
    lead = f"{title}: " if title else ""
    quote = " ".join(chunk.text[evidence.start : evidence.end].split())
    start, end = chunk.start + evidence.start, chunk.start + evidence.end
    return ExtractedFact(lead + quote, start, end, tuple(replace(p, role="mention") for p in participants), len(lead))


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[Sequence[tuple[int, int]], Sequence[frozenset[str]]]:
    """The sentences of a text, and the words of each."""
    spans = list(sentences(text))
    return spans, [frozenset(key(text[start:end]).split()) for start, end in spans]


def _participants(triple: Triple) -> tuple[Participant, ...]:
    found: dict[str, Participant] = {}
    ends = ((triple.subject, "subject", triple.subject_type), (triple.object, "object", triple.object_type))
    for name, role, type in ends:
        if len(name) <= LONGEST_NAME and is_name(name):
            found.setdefault(key(name), Participant(name, role, type))
    return tuple(found.values())


def _content(text: str) -> set[str]:
    """The words of a text, without function words where it has others."""
    words = set(key(text).split())
    return words - FUNCTION_WORDS or words
