"""What the labels and relationships of a graph mean: a TOML file that ``clew adopt --draft`` drafts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.adoption.template import Template, parse
from clew.errors import InputError

_LARGEST = 1_000_000
_CAPITAL = re.compile(r"([a-z\d])(?=[A-Z])")
Table = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """Nodes that hold the text of a document in pieces, in the order of a property."""

    relationship: str
    label: str
    text: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """What nodes with a label become: a document each, and an entity of that name.

    ``name``, ``key`` and ``distinguish_by`` are properties: what a node is called, what only it has (else Neo4j's own
    id), and what is added to a name that several nodes have. ``text`` are properties that hold text of
    somebody's own, ``sentences`` say what else is known. ``type`` is what such a thing is called.
    """

    label: str
    name: str
    type: str
    key: str = ""
    distinguish_by: str = ""
    text: tuple[str, ...] = ()
    sentences: tuple[Template, ...] = ()
    parts: Parts | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """What relationships of a type, or nodes with a label, become: a fact each.

    ``text`` is a property that states the fact; where there is none, ``sentence`` does. ``key`` is that of ``Thing``.
    """

    type: str
    sentence: Template
    text: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class GraphMapping:
    """A whole mapping, each part by its label or type."""

    things: Mapping[str, Thing] = field(default_factory=dict)
    relationships: Mapping[str, Tie] = field(default_factory=dict)
    facts: Mapping[str, Tie] = field(default_factory=dict)


def load_mapping(path: str) -> GraphMapping:
    """The mapping that a file holds. Raises InputError, which names the file and what is wrong in it."""
    file = Path(path).expanduser()
    try:
        if file.stat().st_size > _LARGEST:
            raise InputError(f"{path[:200]!r} is larger than a mapping can be (1 MB).")
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"There is no mapping to read in {path[:200]!r}: draft one with `clew adopt --draft`."
        ) from error
    try:
        return read_mapping(text)
    except InputError as error:
        raise InputError(f"{path[:200]}: {error}") from error


def read_mapping(text: str) -> GraphMapping:
    """The mapping that a text in TOML is. Raises InputError, which names the table and what is wrong in it."""
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"It is no TOML ({error}).") from error
    _check_names("The mapping", tables, {"entities", "documents", "relationships", "facts"})
    things: dict[str, Thing] = {}
    for kind in ("entities", "documents"):
        for label, table in _tables(tables, kind).items():
            if label in things:
                raise InputError(f"{label!r} cannot be both an entity and a document: leave one of the two out.")
            things[label] = _thing(kind, label, table)
    if not things:
        raise InputError("It makes no label an entity or a document: add [entities.LABEL] with a name.")
    return GraphMapping(
        things,
        {type: _tie("relationships", type, table, True) for type, table in _tables(tables, "relationships").items()},
        {label: _tie("facts", label, table, False) for label, table in _tables(tables, "facts").items()},
    )


def words(name: str) -> str:
    """A label, type or property as words: ``ACTED_IN`` and ``actedIn`` are *acted in*."""
    return " ".join(_CAPITAL.sub(r"\1 ", name).replace("_", " ").lower().split())


def _thing(kind: str, label: str, table: Table) -> Thing:
    where = f"[{kind}.{label}]"
    if "apart" in table:  # its name until 0.3
        table = {"distinguish_by": table["apart"]} | {name: value for name, value in table.items() if name != "apart"}
    _check_names(where, table, {"name", "key", "distinguish_by", "text", "type", "sentences", "parts"})
    if not (name := _text(where, table, "name")):
        raise InputError(f"{where} needs `name`, the property that its nodes are called by.")
    sentences = tuple(parse(one) for one in _texts(where, table, "sentences"))
    for template in sentences:
        _check_gaps(where, template, {"name"})
    parts = table.get("parts")
    if parts is not None:
        at = f"{where[:-1]}.parts]"
        if not isinstance(parts, dict):
            raise InputError(f"{at} must be a table.")
        _check_names(at, parts, {"relationship", "label", "text", "order"})
        part = {key: _text(at, parts, key) for key in ("relationship", "label", "text", "order")}
        if missing := [key for key in ("relationship", "label", "text") if not part[key]]:
            raise InputError(f"{at} needs `{missing[0]}`.")
        parts = Parts(**part)
    return Thing(
        label=label,
        name=name,
        type=_text(where, table, "type") or words(label),
        key=_text(where, table, "key"),
        distinguish_by=_text(where, table, "distinguish_by"),
        text=_texts(where, table, "text"),
        sentences=sentences,
        parts=parts,
    )


def _tie(kind: str, type: str, table: Table, relationship: bool) -> Tie:
    where = f"[{kind}.{type}]"
    _check_names(where, table, {"sentence", "text"} | (set() if relationship else {"key"}))
    if not (sentence := _text(where, table, "sentence")):
        raise InputError(f'{where} needs `sentence`, such as "{{from}} {words(type)} {{to}}."')
    template = parse(sentence)
    if relationship:
        _check_gaps(where, template, {"from", "to"})
    return Tie(type, template, _text(where, table, "text"), _text(where, table, "key"))


def _tables(tables: Table, kind: str) -> dict[str, Table]:
    found = tables.get(kind, {})
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise InputError(f"[{kind}] must hold tables, such as [{kind}.NAME].")
    return found


def _check_names(where: str, table: Table, known: Collection[str]) -> None:
    if unknown := [name for name in table if name not in known]:
        raise InputError(f"{where} has no setting {unknown[0][:80]!r}: it may have {', '.join(sorted(known))}.")


def _check_gaps(where: str, template: Template, nodes: set[str]) -> None:
    wrong = [gap for gap in template.gaps if not gap.startswith(".") and gap not in nodes]
    if wrong:
        known = " and ".join(f"{{{name}}}" for name in sorted(nodes))
        raise InputError(f"{where}: {{{wrong[0]}}} is no node here; there is {known}, and properties are {{.NAME}}.")


def _text(where: str, table: Table, name: str) -> str:
    value = table.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{where}: `{name}` must be text.")
    return value


def _texts(where: str, table: Table, name: str) -> tuple[str, ...]:
    value = table.get(name, [])
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(f"{where}: `{name}` must be a list of texts.")
    return tuple(value)
