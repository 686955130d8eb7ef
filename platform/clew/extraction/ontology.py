"""What kinds of entities and relations an extraction by a model is to find: a JSON or TOML file of a person's own."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.errors import SettingsError
from clew.ids import digest
from clew.text.neutralise import plain_line

MOST = 200
LONGEST_NAME = 60
LONGEST_MEANING = 300
"""Types of either kind, characters of a type's name, and of what it means; at most."""
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Ontology:
    """Types of entities and of relations, each with what it means ("" where that is not said).

    With ``strict``, a fact that has another relation, or a participant of another type, is dropped; else the types are
    a hint. Where there are no relations, any will do.
    """

    entities: tuple[tuple[str, str], ...]
    relations: tuple[tuple[str, str], ...] = ()
    strict: bool = False

    @property
    def version(self) -> str:
        """What tells it from another one, as a part of an extractor's name."""
        return digest(repr((self.entities, self.relations, self.strict)))[:8]

    def entity(self, type: str) -> str:
        """The type as the ontology spells it; "" for another one where it is strict, else the words given."""
        return _spelt(type, self.entities) or ("" if self.strict else plain_line(type, LONGEST_NAME))

    def relation(self, type: str) -> str:
        """The same for a relation."""
        strict = self.strict and self.relations
        return _spelt(type, self.relations) or ("" if strict else plain_line(type, LONGEST_NAME))

    def rules(self) -> str:
        """What a model reads of it."""
        only = "only these, and leave out a fact that needs others" if self.strict else "these where they fit"
        lines = [f'- type: each entity has one, such as {{"number": 7, "name": "...", "type": "..."}}; use {only}:']
        lines += [f"  {_shown(one)}" for one in self.entities]
        lines.append("  Repeat the entities of the numbered list that take part, with their numbers and types.")
        if self.relations:
            lines.append(f"- relation: each fact has one, as a field of its own beside the statement; use {only}:")
            lines += [f"  {_shown(one)}" for one in self.relations]
        return "\n".join(lines)


def load_ontology(path: str | Path | None) -> Ontology | None:
    """The ontology of a file, None where no file is set. Raises SettingsError, which says what is wrong with it."""
    if not path:
        return None
    file = Path(path).expanduser()
    name = str(path)[:200]
    try:
        if file.stat().st_size > _LARGEST:
            raise SettingsError(f"The ontology {name!r} is larger than 1 MB: name the types alone.")
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"There is no ontology to read in {name!r} (CLEW_EXTRACT_ONTOLOGY).") from error
    try:
        content: Any = json.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"The ontology {name!r} is neither JSON (.json) nor TOML: {error}.") from error
    if not isinstance(content, dict) or not isinstance(content.get("strict", False), bool):
        raise SettingsError(f"The ontology {name!r} must hold `entities`, and may hold `relations` and `strict`.")
    if unknown := sorted(set(content) - {"entities", "relations", "strict"}):
        raise SettingsError(f"The ontology {name!r} has no {unknown[0][:80]!r}: only entities, relations and strict.")
    entities, relations = (_types(content.get(kind, []), kind, name) for kind in ("entities", "relations"))
    if not entities:
        raise SettingsError(f"The ontology {name!r} names no type under `entities`.")
    return Ontology(entities, relations, content.get("strict", False))


def _types(given: object, kind: str, file: str) -> tuple[tuple[str, str], ...]:
    """The types of a list of names, or of a table of names with what they mean."""
    pairs: Iterable[tuple[object, object]]
    if isinstance(given, Mapping):
        pairs = given.items()
    elif isinstance(given, list):
        pairs = ((name, "") for name in given)
    else:
        pairs = ((None, None),)
    found = []
    for name, meaning in pairs:
        if (
            not isinstance(name, str)
            or not isinstance(meaning, str)
            or not plain_line(name)
            or len(name) > LONGEST_NAME
        ):
            raise SettingsError(
                f"The ontology {file!r}: `{kind}` must be a list of names, or names with what they mean, each name of "
                f"at most {LONGEST_NAME} characters."
            )
        found.append((plain_line(name), plain_line(meaning, LONGEST_MEANING)))
    if len(found) > MOST:
        raise SettingsError(f"The ontology {file!r} has more than {MOST} {kind}: a model cannot choose among so many.")
    return tuple(found)


def _spelt(type: str, among: Iterable[tuple[str, str]]) -> str:
    wanted = _folded(type)
    return next((name for name, _ in among if _folded(name) == wanted), "")


def _folded(type: str) -> str:
    return " ".join(type.replace("_", " ").casefold().split())


def _shown(one: tuple[str, str]) -> str:
    return f"{one[0]}: {one[1]}" if one[1] else one[0]
