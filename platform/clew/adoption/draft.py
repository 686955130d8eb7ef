"""A draft of a mapping, from what a graph's labels, properties and relationships look like; a person corrects it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from clew.adoption.mapping import words
from clew.database.connection import Database, Row
from clew.documents.data.records import TEXT_FIELDS
from clew.errors import InputError

SAMPLE = 1000
"""Nodes of a label, and relationships, that are looked at."""
LONG = 200
"""Characters that a property has on the average where it holds text rather than a value."""
_NAMES = (
    *("name", "title", "fullName", "full_name", "displayName", "label", "headline", "username", "login", "fileName"),
    *("file_name", "filename", "source", "path", "url", "code", "id"),
)
_TEXTS = ("fact", "description", "summary", "review", "comment", *TEXT_FIELDS)
_KEY = re.compile(r"(?:.*_)?(?:id|uuid|key)|.*(?:Id|ID|Uuid)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_FIT = re.compile(r"[^{}\[\]\n\r]+")
_VOWELS = frozenset("aeiou")
_HEAD = (
    "# What the graph means: its labels, and what becomes of them. `clew adopt THIS_FILE --kb NAME` does it.",
    "# {name}, {from} and {to} are nodes by their names, {.born} is a property; what stands in [brackets] is left",
    "# out where its property is missing. Delete what should not be adopted, and mend the sentences.",
)


@dataclass(slots=True)
class _Label:
    """What a label's nodes have: properties by name, and relationships of which they are the start."""

    label: str
    nodes: int
    properties: dict[str, Row]
    relationships: list[Row] = field(default_factory=list)
    name: str = ""
    texts: list[str] = field(default_factory=list)
    key: str = ""


def draft_mapping(database: Database) -> str:
    """A mapping in TOML for the graph that is in the database beside Clew's own.

    Raises InputError where there is none.
    """
    labels = [_look(database, row) for row in database.read("adopt/labels")]
    if not labels:
        raise InputError("There is no graph in this Neo4j but Clew's own: name another one with NEO4J_URI.")
    ties = list(chain.from_iterable(one.relationships for one in labels))
    parts = {one.label: row for one in labels if (row := _pieces(one, ties, labels))}
    plain = [one for one in labels if one.label not in parts]
    things = [one for one in plain if one.name]
    facts = [one for one in plain if not one.name and _links(one.label, ties) > 1]
    adopted = {one.label for one in things}
    sections = [
        *(_thing(one, list(parts.values())) for one in things),
        *(_relationship(type, rows) for type, rows in sorted(_by_type(ties, adopted).items())),
        *(_fact(one, ties, adopted) for one in facts),
    ]
    if left := [_comment(one.label) for one in plain if one not in (*things, *facts)]:
        sections.append([f"# Without a name, and left out: {', '.join(left)}."])
    return "\n\n".join(map("\n".join, [_HEAD, *sections])) + "\n"


def _by_type(ties: Sequence[Row], adopted: set[str]) -> dict[str, list[Row]]:
    """The relationships between labels that are adopted, by their type."""
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in ties:
        if adopted & set(row["start"]) and adopted & set(row["end"]):
            found[row["type"]].append(row)
    return found


def _look(database: Database, row: Row) -> _Label:
    label = row["label"]
    properties = {one["property"]: one for one in database.read("adopt/properties", label=label, sample=SAMPLE)}
    found = _Label(label, row["nodes"], properties)
    found.relationships = database.read("adopt/relationships", label=label, sample=SAMPLE)
    most = min(SAMPLE, found.nodes)
    found.name = _name_of(properties, most)
    found.texts = [name for name, one in properties.items() if name != found.name and _is_text(name, one)]
    unique = [name for name, one in properties.items() if one["distinct"] == one["filled"] == most]
    keys = sorted((name for name in unique if _KEY.fullmatch(name) or name == found.name), key=_is_no_key)
    found.key = next(
        (name for name in keys if database.read("adopt/distinct", label=label, property=name)[0]["all"]), ""
    )
    return found


def _name_of(properties: dict[str, Row], most: int) -> str:
    """The property that names a label's nodes: short, mostly there, and called as names are; empty where none is."""
    short = [name for name, one in properties.items() if one["text"] and one["characters"] <= LONG]
    common = [name for name in short if properties[name]["filled"] > most / 2]
    named = [name for wanted in _NAMES for name in common if name.lower() == wanted.lower()]
    return next(iter(named or [name for name in common if re.search("name|title", name.lower())]), "")


def _is_no_key(name: str) -> bool:
    return not _KEY.fullmatch(name)


def _is_text(name: str, row: Row) -> bool:
    characters = row["characters"] or 0
    return characters > LONG or (name in _TEXTS and characters > LONG / 4)


def _pieces(one: _Label, ties: Sequence[Row], labels: Sequence[_Label]) -> Row | None:
    """The relationship that ties pieces of text, which have no name, to the documents that they are pieces of."""
    if one.name or not one.texts:
        return None
    named = {other.label for other in labels if other.name}
    fitting = [
        row
        for row in ties
        if (one.label in row["start"] and named & set(row["end"]))
        or (one.label in row["end"] and named & set(row["start"]))
    ]
    about = [row for row in fitting if re.search("chunk|part|document|page|section|piece", row["type"].lower())]
    return next(iter(about), None) and {**about[0], "piece": one}


def _links(label: str, ties: Sequence[Row]) -> int:
    return sum((label in row["start"]) + (label in row["end"]) for row in ties)


def _thing(one: _Label, parts: Sequence[Row]) -> list[str]:
    own = [row for row in parts if one.label in (*row["start"], *row["end"])]
    kind = "documents" if own or any(name in TEXT_FIELDS for name in one.texts) else "entities"
    lines = [f"[{kind}.{_key(one.label)}]  # {one.nodes:,} nodes", f"name = {_string(one.name)}"]
    if one.key:
        lines.append(f"key = {_string(one.key)}")
    elif namesakes := next((name for name in ("year", "released", "born", "date") if name in one.properties), ""):
        lines.append(f"distinguish_by = {_string(namesakes)}")
    if one.texts:
        lines.append(f"text = [{', '.join(map(_string, one.texts))}]")
    properties = [
        n for n in one.properties if n not in {one.name, *one.texts} and (n != one.key or not _KEY.fullmatch(n))
    ]
    type = words(one.label)
    article = "an" if type[:1] in _VOWELS else "a"
    lines.append(f"sentences = [{_string(f'{{name}} is {article} {type}{_gaps(properties)}.')}]")
    for row in own[:1]:
        piece: _Label = row["piece"]
        order = next((name for name in ("index", "order", "position", "number") if name in piece.properties), "")
        lines += [
            f"[{kind}.{_key(one.label)}.parts]",
            f"relationship = {_string(row['type'])}",
            f"label = {_string(piece.label)}",
            f"text = {_string(piece.texts[0])}",
            *([f"order = {_string(order)}"] if order else []),
        ]
    return lines


def _relationship(type: str, rows: Sequence[Row]) -> list[str]:
    ways = sorted({f"{'/'.join(row['start'])} → {'/'.join(row['end'])}" for row in rows})
    properties = {one["property"]: one["characters"] or 0 for row in rows for one in row["properties"]}
    texts = [name for name in properties if name == "fact"] or [n for n, length in properties.items() if length > LONG]
    verb = words(type)
    verb = f"was {verb}" if verb.endswith(" by") else verb
    sentence = f"{{from}} {verb} {{to}}{_gaps([name for name in properties if name not in texts])}."
    lines = [f"[relationships.{_key(type)}]  # {_comment(', '.join(ways))}", f"sentence = {_string(sentence)}"]
    return [*lines, f"text = {_string(texts[0])}"] if texts else lines


def _fact(one: _Label, ties: Sequence[Row], adopted: set[str]) -> list[str]:
    """A node without a name between others: who takes part in a fact."""
    roles = {
        row["type"]
        for row in ties
        if (one.label in row["start"] and adopted & set(row["end"]))
        or (one.label in row["end"] and adopted & set(row["start"]))
    }
    roles = {role for role in roles if _FIT.fullmatch(role)}
    participants = "; ".join(f"{words(role)} {{{role}}}" for role in sorted(roles))
    properties = [name for name in one.properties if name not in one.texts and name != one.key]
    sentence = f"{words(one.label).capitalize()}: {participants}{_gaps(properties)}."
    lines = [f"[facts.{_key(one.label)}]  # {one.nodes:,} nodes", f"sentence = {_string(sentence)}"]
    lines += [f"key = {_string(one.key)}"] if one.key else []
    return lines + ([f"text = {_string(one.texts[0])}"] if one.texts else [])


def _gaps(properties: Sequence[str]) -> str:
    return "".join(f"[, {words(name)} {{.{name}}}]" for name in properties if _FIT.fullmatch(name))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
