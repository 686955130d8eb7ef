"""Documents that come with their facts, so that nothing is left to extract."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace

from clew.extraction.sentences import SentenceExtractor
from clew.ids import digest
from clew.text.names import key
from clew.text.neutralise import plain_line
from clew.types import Chunk, Document, ExtractedFact, Json, Participant

ORIGIN = "given"
"""``ExtractedFact.origin`` of a fact in other words than the document's that says nothing of where it is from."""
LONGEST_FACT = 2000
LONGEST_NAME = 200
LONGEST_ROLE = 100
MOST_PARTICIPANTS = 200
MOST_FACTS = 100_000
"""Characters of a fact, a name and a role or type; participants of a fact, and facts of a row; at most."""


@dataclass(frozen=True, slots=True)
class GivenDocument(Document):
    """A document with its ``facts``, in the order of their spans; its ``sha256`` counts them too.

    The first ``prose`` characters of the text are somebody's own words, whose sentences are facts too, and are about
    ``subject`` where that is given. ``unfit`` were given that are no facts of this text.
    """

    facts: tuple[ExtractedFact, ...] = ()
    prose: int = 0
    subject: Participant | None = None
    unfit: int = 0


class GivenExtractor:
    """Gives the facts of a ``GivenDocument``, and the sentences of its prose; of any other document, its sentences."""

    def __init__(self) -> None:
        self._sentences = SentenceExtractor()
        self.name = f"given-1+{self._sentences.name}"

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        """The facts of a chunk."""
        if not isinstance(document, GivenDocument):
            return self._sentences.extract(document, chunk)
        facts = []
        if chunk.start < document.prose:
            own = self._sentences.extract(document, chunk)
            facts = [_about(fact, document.subject) for fact in own if fact.end <= document.prose]
        return facts + facts_of(document, chunk)


def facts_of(document: GivenDocument, chunk: Chunk) -> list[ExtractedFact]:
    """The facts that begin in a chunk; what one says beyond the chunk's end is no evidence of this chunk."""
    first, last = (bisect_left(document.facts, at, key=lambda fact: fact.start) for at in (chunk.start, chunk.end))
    return [replace(fact, end=min(fact.end, chunk.end)) for fact in document.facts[first:last]]


def with_facts(
    document: Document,
    facts: Sequence[ExtractedFact],
    prose: int = 0,
    subject: Participant | None = None,
    unfit: int = 0,
) -> GivenDocument:
    """The document with its facts."""
    given = tuple(sorted(facts, key=lambda fact: (fact.start, fact.end, fact.text)))
    values = {field.name: getattr(document, field.name) for field in fields(document)}
    payload = json.dumps([[asdict(fact) for fact in given], prose, subject and asdict(subject)])
    values["sha256"] = digest(f"{document.sha256}\n{payload}")
    return GivenDocument(**values, facts=given, prose=prose, subject=subject, unfit=unfit)


def read_facts(document: Document, row: Json) -> GivenDocument:
    """The document of a row of ``clew export`` with its facts and metadata; ``unfit`` counts what is no fact of it."""
    given = row["facts"][:MOST_FACTS]
    facts = [fact for one in given if (fact := _read(one, document.text))]
    metadata = row.get("metadata")
    plain = replace(document, metadata=metadata if isinstance(metadata, dict) else {})
    return with_facts(plain, facts, unfit=len(row["facts"]) - len(facts))


def _about(fact: ExtractedFact, subject: Participant | None) -> ExtractedFact:
    """A sentence's fact about the document's subject, which is known better than by a title."""
    if subject is None:
        return fact
    others = [one for one in fact.participants if one.role != "subject" and key(one.name) != key(subject.name)]
    return replace(fact, participants=(subject, *others))


def _read(given: object, text: str) -> ExtractedFact | None:
    """A fact of a row, as far as it can be one: its span lies in the text, and its words are the text's or its own."""
    if not isinstance(given, dict) or not isinstance(given.get("participants"), list):
        return None
    start, end, lead = (_number(given.get(name, 0)) for name in ("start", "end", "lead"))
    fact_text = plain_line(given.get("text"), LONGEST_FACT)
    participants = tuple(one for row in given["participants"][:MOST_PARTICIPANTS] if (one := _participant(row)))
    if not fact_text or not participants or not 0 <= start < end <= len(text) or not text[start:end].strip():
        return None
    origin = plain_line(given.get("origin"), LONGEST_ROLE)
    own = 0 <= lead < len(fact_text) and fact_text[lead:] == " ".join(text[start:end].split())
    if not own:
        origin = origin or ORIGIN
    time, relation = plain_line(given.get("time"), LONGEST_NAME), plain_line(given.get("relation"), LONGEST_ROLE)
    negated = given.get("negated") is True
    return ExtractedFact(fact_text, start, end, participants, lead if own else 0, origin, time, negated, relation)


def _participant(given: object) -> Participant | None:
    if not isinstance(given, dict):
        return None
    name = plain_line(given.get("name"), LONGEST_NAME)
    role = plain_line(given.get("role"), LONGEST_ROLE)
    role = "participant" if role in ("", "link") else role
    return Participant(name, role, plain_line(given.get("type"), LONGEST_ROLE)) if key(name) else None


def _number(value: object) -> int:
    """The number; files are read with numbers as they are written. -1 for what is none."""
    try:
        return int(str(value)[:20])
    except ValueError:
        return -1
