"""Which documents a search is kept to, by what they say of themselves: author, date, tags, columns, and their source.

The documents are chosen first, and a search then sees nothing else (``Database.only``): the nearest of these are looked
for, not the nearest of all with others taken out afterwards, so that a filter never costs an answer.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from threading import Lock
from typing import Any, Literal

from clew.database.connection import Database, Row
from clew.errors import InputError, NotFoundError
from clew.ids import is_digest
from clew.text.names import key as folded
from clew.text.normalise import normalise
from clew.types import Json

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in"]

Filter = str | Sequence[str] | Mapping[str, Any]
"""A condition such as ``"author=Karin Holt"``, several, or ``{"author": "Karin Holt", "year": {">=": 2019}}``.

All have to hold. A list as a value means one of these.
"""

OWN = ("title", "source", "locator", "media_type")
"""Fields that every document has, besides its metadata."""
MOST_VALUES = 50
"""Values of a field that are offered, at most."""

_NAMED = {"$eq": "=", "$ne": "!=", "$lt": "<", "$lte": "<=", "$gt": ">", "$gte": ">=", "$in": "in"}
_OPERATOR = re.compile(r"!=|<=|>=|=|<|>|\sin\s")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d.*)?)?)?")
_KEPT = 4

_fields: dict[tuple[str, str | None, str], tuple[str, list[tuple[str, Json]]]] = {}
_fields_lock = Lock()


@dataclass(frozen=True, slots=True)
class Condition:
    """What a field has to be. ``values`` has several only with ``in``."""

    field: str
    operator: Operator
    values: tuple[str, ...]

    def holds(self, document: Json) -> bool:
        """Whether a document's fields (by folded names) fulfil it; of a list, one of its items must (no one, for !=).

        Numbers compare as numbers and dates as dates, of which the coarser one decides: 2021-05-03 is in 2021. Texts
        compare without case, and ``*`` in one stands for anything. What has no such field fulfils ``!=`` alone.
        """
        value = document.get(self.field)
        items = [str(item) for item in (value if isinstance(value, list) else [value]) if item is not None]
        if self.operator == "!=":
            return not any(_is(item, self.values[0]) for item in items)
        if self.operator in {"=", "in"}:
            return any(_is(item, one) for item in items for one in self.values)
        return any(_ordered(item, self.values[0], _ORDERS[self.operator]) for item in items)

    def __str__(self) -> str:
        return f"{self.field}{f' {self.operator} ' if self.operator == 'in' else self.operator}{', '.join(self.values)}"


def conditions(wanted: Filter | None) -> tuple[Condition, ...]:
    """The conditions that a filter is made of. Raises InputError for what is none."""
    if wanted is None:
        return ()
    if isinstance(wanted, str):
        return (_parsed(wanted),)
    if isinstance(wanted, Mapping):
        return tuple(one for field, value in wanted.items() for one in _of_field(str(field), value))
    if isinstance(wanted, Sequence) and all(isinstance(one, str) for one in wanted):
        return tuple(map(_parsed, wanted))
    raise InputError(f'A filter is a text such as "author=Karin Holt", several, or a mapping, not {wanted!r:.80}.')


def kept_to(database: Database, kb: str, wanted: Filter | None) -> Database:
    """The database for searches that see only the documents that fulfil all conditions; itself without any.

    Raises InputError for what is no filter, NotFoundError for a field that no document has.
    """
    asked = conditions(wanted)
    return database.only(_documents_that(database, kb, asked)) if asked else database


def _documents_that(database: Database, kb: str, wanted: Sequence[Condition]) -> list[str]:
    every = _documents(database, kb)
    known = Counter(field for _, fields in every for field in fields)
    for one in wanted:
        if every and one.field not in known:
            fields = ", ".join(field for field, _ in known.most_common(20))
            raise NotFoundError(
                f"No document of knowledge base {kb!r} has a field {one.field!r:.80}: there are {fields}."
            )
    return [id for id, fields in every if all(one.holds(fields) for one in wanted)]


def fields_of(database: Database, kb: str) -> dict[str, list[str]]:
    """The fields that documents have, most common first, and of each its most common values.

    A locator that is a hash tells nobody anything, and is not offered; a filter may still name it.
    """
    counts: dict[str, Counter[str]] = {}
    for _, document in _documents(database, kb):
        for field, value in document.items():
            if field == "locator" and is_digest(str(value)):
                continue
            items = value if isinstance(value, list) else [value]
            counts.setdefault(field, Counter()).update(map(str, items))
    by_number = sorted(counts, key=lambda field: (-counts[field].total(), field))
    return {field: [value for value, _ in counts[field].most_common(MOST_VALUES)] for field in by_number}


def _documents(database: Database, kb: str) -> list[tuple[str, Json]]:
    """Ids and fields of all documents, read anew only where somebody has written since."""
    place = database.server.uri, database.name, kb
    rows = database.read("graph/version", kb=kb, slot=database.slot)
    version = (rows[0]["version"] or "") if rows else ""
    with _fields_lock:
        kept = _fields.pop(place, None)
    if kept is None or kept[0] != version:
        kept = version, [(row["id"], _fields_of(row)) for row in database.read("document/fields", kb=kb)]
    with _fields_lock:
        _fields[place] = kept
        while len(_fields) > _KEPT:
            del _fields[next(iter(_fields))]
    return kept[1]


def _fields_of(row: Row) -> Json:
    told = {folded(str(name)): value for name, value in json.loads(row["metadata"] or "{}").items()}
    return {folded(name): row[name] for name in OWN if row[name]} | told


def _of_field(field: str, value: object) -> Iterable[Condition]:
    if isinstance(value, Mapping):
        for operator, one in value.items():
            yield _condition(field, _NAMED.get(str(operator), str(operator)), one)
    else:
        yield _condition(field, "in" if isinstance(value, list | tuple | set) else "=", value)


def _parsed(text: str) -> Condition:
    match = _OPERATOR.search(text, 1)
    field = text[: match.start()].strip() if match else ""
    if not match or not field:
        raise InputError(
            f'{text[:80]!r} is no condition: write it as "author=Karin Holt", "year>=2020" or "tags in port, fees".'
        )
    operator, value = match[0].strip(), text[match.end() :].strip()
    listed = next(csv.reader([" ".join(value.split())], skipinitialspace=True), []) if operator == "in" else value
    return _condition(field, operator, listed)


def _condition(field: str, operator: str, value: object) -> Condition:
    if operator not in {*_ORDERS, "=", "!=", "in"}:
        raise InputError(f"{operator[:40]!r} is no way to compare: use =, !=, <, <=, >, >= or in.")
    several = value if operator == "in" and isinstance(value, list | tuple | set) else [value]
    values = tuple(normalise(str(one)) for one in several)
    if operator in _ORDERS and not (_NUMBER.fullmatch(values[0]) or _DATE.fullmatch(values[0])):
        raise InputError(f"{field[:40]!r} is compared by {operator} with a number or a date, not {values[0][:40]!r}.")
    return Condition(folded(field), operator, values)  # type: ignore[arg-type]


def _is(value: str, wanted: str) -> bool:
    if _NUMBER.fullmatch(value) and _NUMBER.fullmatch(wanted):
        return float(value) == float(wanted)
    if _DATE.fullmatch(value) and _DATE.fullmatch(wanted):
        return value[: len(wanted)].replace("T", " ") == wanted.replace("T", " ")
    plain, pattern = value.casefold(), wanted.casefold()
    if "*" in pattern:
        return bool(re.fullmatch(translate(pattern.replace("[", "[[]").replace("?", "[?]")), plain))
    return plain == pattern


_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}


def _ordered(value: str, bound: str, order: Callable[[Any, Any], bool]) -> bool:
    if _NUMBER.fullmatch(value) and _NUMBER.fullmatch(bound):
        return order(float(value), float(bound))
    if _DATE.fullmatch(value) and _DATE.fullmatch(bound):
        return order(value[: len(bound)].replace("T", " "), bound.replace("T", " "))
    return False
