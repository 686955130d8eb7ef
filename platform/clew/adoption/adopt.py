"""Adopting: the nodes that a mapping names, as documents with their facts, each of which says where it is from."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.adoption.mapping import GraphMapping, Thing, Tie, words
from clew.database.connection import Database, Row
from clew.errors import InputError
from clew.extraction.given import GivenDocument, with_facts
from clew.ids import digest, document_id
from clew.text.names import capitalised_spans, is_name, key
from clew.text.neutralise import neutralise
from clew.text.normalise import normalise, one_line
from clew.types import ADOPTED, Document, ExtractedFact, Json, Participant, Skipped

ORIGIN = "adopted"
"""``ExtractedFact.origin`` of what a relationship or a property of another graph states."""
NODES_AT_ONCE = 500
LONGEST_NAME = 100
LONGEST_VALUE = 300
LONGEST_STATEMENT = 1000
LONGEST_KEY = 200
"""Characters of a name, of a property's value in a sentence, of a fact's own text, and of a key; at most."""
_LONGEST_METADATA = 200
_PLAIN = re.compile(r"[^\W\d]\w*")
_ZEROS = re.compile(r"(?<=:\d\d)\.0+(?=\D|\Z)")


@dataclass(frozen=True, slots=True)
class Original:
    """A node of the other graph: its name, which no other adopted node has, and the pattern that finds it."""

    name: str
    type: str
    pattern: str

    def as_subject(self) -> Participant:
        """The node as that which a fact is about."""
        return Participant(self.name, "subject", self.type)


@dataclass(slots=True)
class _Found:
    """What the first look at the graph gives: nodes and their patterns by their id in Neo4j, and the ids by label."""

    originals: dict[str, Original] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)
    ids: dict[str, list[str]] = field(default_factory=dict)
    notes: list[Skipped] = field(default_factory=list)


def adopted_items(database: Database, kb: str, mapping: GraphMapping) -> Iterator[Document | Skipped]:
    """A document for every node that the mapping names, and a note for those that have no name.

    A document states its node's relationships to other adopted nodes. Raises InputError, as soon as it is read, where
    the mapping names no node at all: all that was adopted before would go.
    """
    source = f"{ADOPTED}{database.name or 'neo4j'}"
    found = _find(database, source, mapping)
    yield from found.notes
    if not found.originals:
        labels = ", ".join(f":{label}" for label in mapping.things)
        raise InputError(f"No node of the graph is {labels} and has a name: correct the mapping.")
    for label, thing in mapping.things.items():
        for ids in _batches(found.ids[label]):
            texts = _texts(database, thing, ids)
            for row in _rows(database, ids, list(mapping.relationships), both=False):
                if text := _thing_text(row, thing, mapping, found.originals, texts.get(row["id"], [])):
                    own = found.originals[row["id"]]
                    yield _document(row, own, text, kb, source, {thing.name, *thing.text}, own.as_subject())
    for label, tie in mapping.facts.items():
        roles = [gap for gap in tie.sentence.gaps if not gap.startswith(".")]
        for ids in _batches(found.ids[label]):
            for row in _rows(database, ids, roles, both=True):
                own, text = _fact_text(row, label, tie, roles, found)
                if text.text:
                    yield _document(row, own, text, kb, source, {tie.text}, None)


def node_pattern(label: str, name: str, value: object, id: str) -> str:
    """What finds a node after MATCH: ``(n:Person {name: "Ada Vale"})`` where a property tells it apart, else its id."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if name and (whole or (isinstance(value, str) and 0 < len(value) <= LONGEST_KEY and normalise(value) == value)):
        return f"(n:{_quoted(label)} {{{_quoted(name)}: {json.dumps(value, ensure_ascii=False)}}})"
    return f"(n) WHERE elementId(n) = {json.dumps(id)}"


def value_text(value: object) -> str:
    """A property's value in one line, as people write it; empty for what is no text, number, moment or list of such."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(value_text, value)))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        value = f"{value:.15g}"
    elif hasattr(value, "iso_format"):
        value = _ZEROS.sub("", value.iso_format())
    return one_line(neutralise(normalise(str(value))), LONGEST_VALUE) if isinstance(value, str | int) else ""


def _find(database: Database, source: str, mapping: GraphMapping) -> _Found:
    found = _Found()
    rows: dict[str, tuple[Thing, Row]] = {}
    for label, thing in mapping.things.items():
        names = {"name": thing.name, "key": thing.key, "distinguish_by": thing.distinguish_by}
        own = [row for row in _named(database, label, **names) if row["id"] not in rows]
        named = [row for row in own if key(value_text(row["name"]))]
        found.ids[label] = [row["id"] for row in named]
        rows.update((row["id"], (thing, row)) for row in named)
        if not own:
            found.notes.append(Skipped(f"{source} :{label}", "The graph has no such node.", note=True))
        elif len(named) < len(own):
            note = f"{len(own) - len(named):,} of {len(own):,} nodes have no {thing.name!r} and were left out."
            found.notes.append(Skipped(f"{source} :{label}", note, note=True))
    patterns = {id: node_pattern(thing.label, thing.key, row["key"], id) for id, (thing, row) in rows.items()}
    for label, tie in mapping.facts.items():
        own = [
            row for row in _named(database, label, name="", key=tie.key, distinguish_by="") if row["id"] not in patterns
        ]
        found.ids[label] = [row["id"] for row in own]
        patterns.update((row["id"], node_pattern(label, tie.key, row["key"], row["id"])) for row in own)
    found.patterns = _each_once(patterns)
    called = _told_apart(rows)
    found.originals = {id: Original(called[id], thing.type, found.patterns[id]) for id, (thing, _) in rows.items()}
    return found


def _named(database: Database, label: str, *, name: str, key: str, distinguish_by: str) -> list[Row]:
    return database.read("adopt/names", label=label, name=name, key=key, distinguish_by=distinguish_by)


def _each_once(patterns: Mapping[str, str]) -> dict[str, str]:
    """The patterns; nodes that one pattern finds together are found by their own ids."""
    times: defaultdict[str, int] = defaultdict(int)
    for pattern in patterns.values():
        times[pattern] += 1
    return {id: p if times[p] == 1 else node_pattern("", "", None, id) for id, p in patterns.items()}


def _told_apart(rows: Mapping[str, tuple[Thing, Row]]) -> dict[str, str]:
    """A name for each node that no other has, as entities are distinguished by their names.

    What several are called gets the property in brackets that tells them apart, else their type, their key or id.
    """
    names: dict[str, list[str]] = {}
    for id, (thing, row) in rows.items():
        name = one_line(value_text(row["name"]), LONGEST_NAME)
        more = [value_text(row["distinguish_by"]), thing.type, value_text(row["key"]), id]
        names[id] = [name, *(f"{name} ({one_line(one, LONGEST_NAME)})" for one in more if one)]
    level = dict.fromkeys(names, 0)
    while True:
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for id, at in level.items():
            alike[key(names[id][at])].append(id)
        unclear = [id for ids in alike.values() if len(ids) > 1 for id in ids if level[id] + 1 < len(names[id])]
        if not unclear:
            return {id: names[id][at] for id, at in level.items()}
        for id in unclear:
            level[id] += 1


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(ids), NODES_AT_ONCE):
        yield ids[first : first + NODES_AT_ONCE]


def _rows(database: Database, ids: Sequence[str], types: list[str], *, both: bool) -> list[Row]:
    rows = database.read("adopt/nodes", ids=list(ids), types=types, both=both)
    return [row | {"properties": dict(row["properties"])} for row in rows]


def _texts(database: Database, thing: Thing, ids: Sequence[str]) -> dict[str, list[str]]:
    """What the parts of documents say, by the documents' ids."""
    if thing.parts is None:
        return {}
    parts = thing.parts
    rows = database.read(
        "adopt/parts",
        ids=list(ids),
        relationship=parts.relationship,
        label=parts.label,
        text=parts.text,
        order=parts.order,
    )
    return {row["id"]: [text for text in row["texts"] if isinstance(text, str)] for row in rows}


class _Text:
    """A text that grows by paragraphs, with the facts that these state, each once."""

    def __init__(self, prose: Sequence[str]) -> None:
        self.text = "\n\n".join(filter(None, map(normalise, prose)))
        self.prose = len(self.text)
        self.facts: list[ExtractedFact] = []
        self._statements: set[tuple[str, tuple[Participant, ...]]] = set()

    def state(self, sentence: str, participants: Sequence[Participant]) -> None:
        """Add a paragraph that states a fact."""
        unique: dict[str, Participant] = {}
        for one in participants:
            unique.setdefault(key(one.name), one)
        statement = sentence, tuple(unique.values())
        if not sentence or not unique or statement in self._statements:
            return
        self._statements.add(statement)
        start = len(self.text) + 2 if self.text else 0
        self.text = f"{self.text}\n\n{sentence}" if self.text else sentence
        self.facts.append(ExtractedFact(sentence, start, start + len(sentence), statement[1], 0, ORIGIN))


def _thing_text(
    row: Row, thing: Thing, mapping: GraphMapping, originals: Mapping[str, Original], parts: Sequence[str]
) -> _Text | None:
    """What the document of a node says: its own text, what is known of it, and its relationships; None for nothing."""
    own = originals[row["id"]]
    text = _Text([*(_prose(row["properties"].get(name)) for name in thing.text), *parts])
    values = _values(row["properties"])
    for template in thing.sentences:
        if filled := template.fill({**values, "name": own.name}):
            text.state(filled[0], [own.as_subject(), *_mentioned(values, filled[1])])
    for relationship in row["relationships"]:
        if other := originals.get(relationship["other"]):
            text.state(*_tie(mapping.relationships[relationship["type"]], dict(relationship["properties"]), own, other))
    return text if text.text else None


def _tie(tie: Tie, properties: Json, own: Original, other: Original) -> tuple[str, list[Participant]]:
    """What a relationship says, and who takes part in it."""
    ends = [own.as_subject(), Participant(other.name, "object", other.type)]
    values = _values(properties)
    if text := _statement(properties.get(tie.text)):
        return text, ends
    filled = tie.sentence.fill({**values, "from": own.name, "to": other.name})
    return (filled[0], [*ends, *_mentioned(values, filled[1])]) if filled else ("", [])


def _fact_text(row: Row, label: str, tie: Tie, roles: Sequence[str], found: _Found) -> tuple[Original, _Text]:
    """A node that is a fact, and what it says: who takes part in it, by the types of its relationships."""
    ends: dict[str, dict[str, Original]] = {role: {} for role in roles}
    for relationship in row["relationships"]:
        if other := found.originals.get(relationship["other"]):
            ends[relationship["type"]][relationship["other"]] = other
    participants = [Participant(o.name, _role(role), o.type) for role in roles for o in ends[role].values()]
    values = _values(row["properties"])
    names = {role: " and ".join(sorted(o.name for o in some.values())) for role, some in ends.items()}
    filled = tie.sentence.fill({**values, **names})
    own_text = _statement(row["properties"].get(tie.text)) or (filled[0] if filled else "")
    text = _Text([])
    text.state(own_text, [*participants, *(_mentioned(values, filled[1]) if filled else ())])
    title = one_line(f"{words(label).capitalize()}: {', '.join(filter(None, names.values()))}")
    return Original(title, words(label), found.patterns[row["id"]]), text


def _document(
    row: Row, own: Original, text: _Text, kb: str, source: str, leave_out: set[str], subject: Participant | None
) -> GivenDocument:
    shown = {name: value_text(value) for name, value in sorted(row["properties"].items()) if name not in leave_out}
    metadata: Json = {"labels": sorted(row["labels"])}
    metadata |= {name: value for name, value in shown.items() if 0 < len(value) <= _LONGEST_METADATA}
    sha256 = digest("\n".join([own.name, text.text, json.dumps(metadata, ensure_ascii=False)]))
    document = Document(
        id=document_id(kb, source, own.pattern),
        kb=kb,
        title=own.name,
        source=source,
        text=text.text,
        sha256=sha256,
        locator=own.pattern,
        metadata=metadata,
    )
    return with_facts(document, text.facts, text.prose, subject)


def _values(properties: Json) -> dict[str, str]:
    return {f".{name}": value_text(value) for name, value in properties.items()}


def _mentioned(values: Mapping[str, str], gaps: Sequence[str]) -> list[Participant]:
    """The names in the values of properties, with the property as their role."""
    return [
        Participant(name, _role(gap[1:]))
        for gap in gaps
        if gap.startswith(".")
        for name in capitalised_spans(values[gap])
        if is_name(name) and len(name) <= LONGEST_NAME
    ]


def _role(name: str) -> str:
    """A type of relationships or a property as a role; ``link`` is what page links are called."""
    role = words(name)
    return role if role not in ("", "link") else "participant"


def _prose(value: Any) -> str:
    """A property that holds text, or paragraphs of it."""
    paragraphs = value if isinstance(value, list) else [value]
    return "\n\n".join(one for one in paragraphs if isinstance(one, str))


def _statement(value: Any) -> str:
    return one_line(normalise(_prose(value)), LONGEST_STATEMENT)


def _quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else f"`{name.replace('`', '``')}`"
