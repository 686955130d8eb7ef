"""What of a reply is believed: every fact is checked against the text before anything is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from clew.extraction.evidence import FoldedText, says_something
from clew.extraction.ontology import Ontology
from clew.extraction.reply import MOST_ENTITIES, MOST_FACTS, RepliedFact, Reply
from clew.text.names import FUNCTION_WORDS, is_name, key
from clew.text.neutralise import neutralise
from clew.types import Document, ExtractedFact, Participant

LONGEST_NAME = 100
LONGEST_ROLE = 40
LONGEST_STATEMENT = 500
SHORTEST_STATEMENT = 8
LONGEST_TIME = 60
MOST_PARTICIPANTS = 20
"""Characters of a name, a role, a statement and a time, and participants of a fact; all but one at most."""

ORIGIN = "llm"
"""``ExtractedFact.origin`` of facts that a language model worded."""

_PRONOUN = re.compile(r"(?:he|she|they|his|her|their|its)\b", re.IGNORECASE)
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069<>]")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,80}>|<\|")
_NUMBER = re.compile(r"\d+")
_ROLE = re.compile(r"[^\W_]+(?:[ '/-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the fact at ``index`` of a reply: a word to count it by, and words a model can act on."""

    index: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The facts of a reply that hold, the faults of the others, and the entities and their types by number."""

    facts: list[ExtractedFact]
    faults: list[Fault]
    names: dict[int, str]
    types: dict[int, str] = field(default_factory=dict)


class _Refused(Exception):
    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def check(
    reply: Reply,
    document: Document,
    start: int,
    end: int,
    names: dict[int, str],
    ontology: Ontology | None = None,
    types: Mapping[int, str] | None = None,
) -> Checked:
    """Check a reply about ``document.text[start:end]``; ``names`` are the entities that the prompt listed, by number.

    A fact holds where its evidence stands in that stretch, its participants are proper names of listed entities that
    have to do with the document, and its statement can stand alone and shares words with its evidence. Where there is a
    strict ``ontology``, its relation and the types of its participants are of it; ``types`` are those that an earlier
    reply gave.
    """
    named = names | {entity.number: " ".join(entity.name.split()) for entity in reply.entities[:MOST_ENTITIES]}
    kinds = {**(types or {}), **{one.number: one.type for one in reply.entities[:MOST_ENTITIES] if one.type}}
    text = FoldedText(document.text[start:end])
    facts: list[ExtractedFact] = []
    faults: list[Fault] = []
    for index, fact in enumerate(reply.facts[:MOST_FACTS]):
        try:
            first, last = _evidence(fact, text)
            statement = _statement(fact)
            participants = tuple(_participants(fact, named, document))
            time = _time(fact, document)
            if ontology:
                participants = _typed(fact, participants, named, kinds, ontology)
            relation = _relation(fact, ontology) if ontology else ""
        except _Refused as refused:
            faults.append(Fault(index, refused.kind, str(refused)))
            continue
        span = start + first, start + last
        facts.append(ExtractedFact(statement, *span, participants, 0, ORIGIN, time, fact.negated, relation))
    good = {n: name for n, name in named.items() if 0 < n <= MOST_ENTITIES and not _fault(name)}
    return Checked(facts, faults, good, kinds)


def _evidence(fact: RepliedFact, text: FoldedText) -> tuple[int, int]:
    span = text.find(fact.evidence) if says_something(fact.evidence) else None
    if span is None:
        raise _Refused("evidence", "the evidence does not stand in the text like that; copy a passage letter by letter")
    statement, evidence = _content(fact.statement), _content(fact.evidence)
    if len(evidence) > 1 and not statement & evidence:
        raise _Refused("unsupported", "the evidence does not show the statement; copy the passage that does")
    return span


def _statement(fact: RepliedFact) -> str:
    statement = " ".join(fact.statement.split())
    if len(statement) > LONGEST_STATEMENT:
        raise _Refused("statement", f"the statement is longer than {LONGEST_STATEMENT} characters; state one fact")
    if len(statement) < SHORTEST_STATEMENT or _MARKUP.search(statement) or neutralise(statement) != statement:
        raise _Refused("statement", "the statement is no plain sentence")
    if _PRONOUN.match(statement):
        raise _Refused("pronoun", "the statement begins with a pronoun; name who or what it is about")
    return statement


def _participants(fact: RepliedFact, names: dict[int, str], document: Document) -> list[Participant]:
    found: dict[str, Participant] = {}
    for participant in fact.participants[:MOST_PARTICIPANTS]:
        name = names.get(participant.entity)
        if name is None:
            raise _Refused("number", f"entity {participant.entity} is in no list; name it under entities")
        if fault := _fault(name):
            raise _Refused("name", fault)
        words, text = _words(document)
        if not set(key(name).split()) & words and key(name) not in text:
            raise _Refused("name", f"the document does not know {name!r}; use a name that it has")
        found.setdefault(key(name), Participant(name, _role(participant.role)))
    if not found:
        raise _Refused("participants", "the fact has no participants; name who or what takes part, by number")
    return list(found.values())


def _typed(
    fact: RepliedFact,
    participants: Sequence[Participant],
    names: dict[int, str],
    types: dict[int, str],
    ontology: Ontology,
) -> tuple[Participant, ...]:
    """The participants with their types."""
    own_types = {key(names[one.entity]): types.get(one.entity, "") for one in fact.participants if one.entity in names}
    typed = tuple(replace(one, type=ontology.entity(own_types.get(key(one.name), ""))) for one in participants)
    if ontology.strict and (without := [one.name for one in typed if not one.type]):
        raise _Refused("type", f"{without[0]!r} has no type of the list; give it one, or leave the fact out")
    return typed


def _relation(fact: RepliedFact, ontology: Ontology) -> str:
    relation = ontology.relation(fact.relation)
    if ontology.strict and ontology.relations and not relation:
        raise _Refused("relation", "the fact has no relation of the list; give it one, or leave the fact out")
    return relation


def _fault(name: str) -> str:
    if len(name) > LONGEST_NAME or _FORBIDDEN.search(name) or neutralise(name) != name:
        return f"{name[:40]!r} is no proper name of an entity; use plain words, at most {LONGEST_NAME} characters"
    if not is_name(name):
        return f"{name!r} is no name; use the full name of what it stands for"
    return ""


def _role(role: str) -> str:
    """The role in lower case; what is no role becomes a plain participant. ``link`` is what page links are called."""
    words = " ".join(role.lower().replace("_", " ").split())
    return words if len(words) <= LONGEST_ROLE and _ROLE.fullmatch(words) and words != "link" else "participant"


def _time(fact: RepliedFact, document: Document) -> str:
    time = " ".join(fact.time.split())
    if len(time) > LONGEST_TIME or _FORBIDDEN.search(time):
        raise _Refused("time", "the time is too long; give it in the words of the text")
    if not set(_NUMBER.findall(time)) <= _numbers(document):
        raise _Refused("time", f"the document does not say {time!r}; give the time in its words")
    return time


def _content(text: str) -> set[str]:
    return set(key(text).split()) - FUNCTION_WORDS


@lru_cache(maxsize=64)
def _words(document: Document) -> tuple[frozenset[str], str]:
    folded = key(f"{document.title} {document.text}")
    return frozenset(folded.split()), folded


@lru_cache(maxsize=64)
def _numbers(document: Document) -> frozenset[str]:
    return frozenset(_NUMBER.findall(f"{document.title} {document.text}"))
