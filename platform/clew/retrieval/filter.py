"""Which documents a search is kept to, by what they say of themselves: author, date, tags, columns, and their source.

The documents are chosen first, and a search then sees nothing else (``Database.only``): the nearest of these are looked
for, not the nearest of all with others taken out afterwards, so that a filter never costs an answer.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import getaddresses
from fnmatch import translate
from threading import Lock
from typing import Any, Literal

from clew.database.connection import Database, Row
from clew.errors import InputError, NotFoundError
from clew.ids import is_digest
from clew.text.names import key as folded
from clew.text.normalise import normalise
from clew.text.people import given_first
from clew.text.values import date, dates
from clew.types import Json

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in"]

Filter = str | Sequence[str] | Mapping[str, Any]
"""A condition such as ``"author=Karin Holt"``, several, or ``{"author": "Karin Holt", "year": {">=": 2019}}``.

All have to hold. A list as a value means one of these. The operators of LangChain's stores and of neo4j-graphrag are
known: ``$eq``, ``$ne``, ``$lt``, ``$lte``, ``$gt``, ``$gte``, ``$in``, ``$nin``, ``$between`` and ``$and``.
"""

OWN = ("title", "source", "locator", "media_type", "came_in")
"""Fields that every document has, besides its metadata."""
_WHOLE = frozenset(map(folded, OWN))
"""Fields that hold one thing, whatever commas are in it."""
_SAME = (("author", "authors", "creator"), ("tags", "keywords"), ("language", "lang"))
_ALSO = {name: names for names in _SAME for name in names}
"""Fields that programs call differently: where a document lacks the one that is asked for, another stands for it."""
_LANGUAGE = _ALSO["lang"]
MOST_VALUES = 50
"""Values of a field that are offered, at most."""

_NAMED = {"==": "=", "=>": ">="} | {
    "$eq": "=", "$ne": "!=", "$lt": "<", "$lte": "<=", "$gt": ">", "$gte": ">=", "$in": "in"
}  # fmt: skip
_OPERATOR = re.compile(r"!=|<=|>=|==|=>|=|<|>|\snot\s+in\s|\sin\s")
_QUOTED = re.compile(r"""(["'])(?P<within>.*)\1""")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_AMOUNT = re.compile(
    r"(?:[€£$¥₹]|[A-Z]{3}\s)?\s?(?P<number>[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?)"
    r"(?:\s?[%€£$¥₹]|\s[^\W\d_]+[²³]?)?"
)
"""A number as a table shows it, with its currency or unit; not "3a", nor "3,5", which some read as 35."""
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d.*)?)?)?")
_YEAR_LAST = re.compile(r"(?P<a>\d{1,2})(?P<by>[./-])\s?(?P<b>\d{1,2})(?P=by)\s?(?P<year>\d{4})(?:[ ,].*)?")
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})([./-])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?:[ ,T].*)?")
_LONGEST_DATE = 40
_WORD = re.compile(r"[^\W\d_]+")
"""Of these one may stand before a date, as in "Monday, 3 May 2021" and "circa 1890"."""
_AND = r"(?:and|&|und|et|y|e|en|och|og)"
_PARTS = re.compile(rf"\s*[;,]\s*(?:{_AND}\s+)?")
_BETWEEN = re.compile(rf"\s+{_AND}\s+")
_SUBTAG = re.compile(r"([a-z]{2,3})[-_]\w+", re.IGNORECASE)
_TRUTH = {"yes": "true", "no": "false"}
_KEPT = 4

_fields: dict[tuple[str, str | None, str], tuple[str, list[tuple[str, Json]]]] = {}
_fields_lock = Lock()


@dataclass(frozen=True, slots=True)
class Condition:
    """What a field has to be: one of the values with ``in``, else the first, or what stands for it as well."""

    field: str
    operator: Operator
    values: tuple[str, ...]

    def holds(self, document: Json) -> bool:
        """Whether a document's fields (by folded names) fulfil it; of a list, one of its items must (no one, for !=).

        Numbers compare as numbers and dates as dates, of which the coarser one decides: 2021-05-03 is in 2021. Texts
        compare without case, people by either name first, languages without their country where none is asked for, and
        ``*`` in one stands for anything. What has no such field fulfils ``!=`` alone, and ``=`` with nothing behind it.
        """
        value = next((found for name in _names(self.field) if (found := document.get(name)) not in _NOTHING), None)
        items = [str(item) for item in (value if isinstance(value, list) else [value]) if item not in (None, "")]
        if self.values == ("",):
            return bool(items) == (self.operator == "!=")
        if self.operator in _ORDERS:
            return any(_ordered(item, self.values[0], _ORDERS[self.operator]) for item in items)
        items, wanted = self._forms(items)
        return any(_is(item, one) for item in items for one in wanted) != (self.operator == "!=")

    def _forms(self, items: list[str]) -> tuple[list[str], list[str]]:
        """All forms of the items and of the values: parts of a list, languages without country, first names first."""
        wanted = list(self.values)
        if self.field not in _WHOLE:
            items = [part for item in items for part in _parts(item)]
            wanted += filter(None, map(given_first, self.values))
        if self.field in _LANGUAGE:
            items = [*items, *(match[1] for item in items if (match := _SUBTAG.fullmatch(item)))]
        return items, wanted

    def __str__(self) -> str:
        if self.operator != "in":
            return f"{self.field}{self.operator}{self.values[0]}"
        return f"{self.field} in {', '.join(map(_item, self.values))}"


_NOTHING: tuple[object, ...] = (None, "", [])


def _names(field: str) -> tuple[str, ...]:
    """A field, and what stands for it."""
    return (field, *_ALSO.get(field, ()))


def _item(value: str) -> str:
    """A value of several as it is written: in quotation marks where a comma is in it."""
    if "," not in value and '"' not in value:
        return value
    return '"' + value.replace('"', '""') + '"'


def conditions(wanted: Filter | None) -> tuple[Condition, ...]:
    """The conditions that a filter is made of. Raises InputError for what is none."""
    if wanted is None:
        return ()
    if isinstance(wanted, str):
        return tuple(_parsed(wanted))
    if isinstance(wanted, Mapping):
        return tuple(one for field, value in wanted.items() for one in _of_field(str(field), value))
    if isinstance(wanted, Sequence) and all(isinstance(one, str) for one in wanted):
        return tuple(one for text in wanted for one in _parsed(text))
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
        if every and not any(name in known for name in _names(one.field)):
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
    metadata = {folded(str(name)): value for name, value in json.loads(row["metadata"] or "{}").items()}
    return {folded(name): row[name] for name in OWN if row[name]} | metadata


def _of_field(field: str, value: object) -> Iterable[Condition]:
    if field == "$and" and isinstance(value, list | tuple):
        for one in value:
            yield from conditions(one)
    elif field.startswith("$"):
        raise InputError(
            f"{field[:40]!r} is no field: all conditions of a filter have to hold, and one of several values is "
            'written as {"author": ["Karin Holt", "Jon Falk"]}.'
        )
    elif isinstance(value, Mapping):
        for operator, one in value.items():
            yield from _compared(field, str(operator), one)
    else:
        yield _condition(field, "in" if isinstance(value, list | tuple | set) else "=", value)


def _compared(field: str, operator: str, value: object) -> Iterable[Condition]:
    """A field that is compared in one way, which may be several conditions."""
    several = value if isinstance(value, list | tuple | set) else [value]
    if operator in ("$nin", "not in"):
        yield from (_condition(field, "!=", one) for one in several)
    elif operator == "$between" and isinstance(value, list | tuple) and len(value) == 2:
        yield from (_condition(field, order, bound) for order, bound in zip((">=", "<="), value, strict=True))
    else:
        yield _condition(field, _NAMED.get(operator, operator), value)


def _parsed(text: str) -> Iterable[Condition]:
    match = _OPERATOR.search(text, 1)
    field = text[: match.start()].strip() if match else ""
    if not match or not field:
        raise InputError(
            f'{text[:80]!r} is no condition: write it as "author=Karin Holt", "year>=2020" or "tags in port, fees".'
        )
    operator, value = " ".join(match[0].split()), text[match.end() :].strip()
    if operator in ("in", "not in"):
        return _compared(field, operator, next(csv.reader([" ".join(value.split())], skipinitialspace=True), []))
    quoted = _QUOTED.fullmatch(value)
    condition = _condition(field, _NAMED.get(operator, operator), quoted["within"] if quoted else value)
    # A title may have these marks itself.
    also = (normalise(value),) if quoted and quoted["within"] and operator not in _ORDERS else ()
    return (replace(condition, values=condition.values + also),)


def _condition(field: str, operator: str, value: object) -> Condition:
    if operator not in {*_ORDERS, "=", "!=", "in"}:
        raise InputError(f"{operator[:40]!r} is no way to compare: use =, !=, <, <=, >, >= or in.")
    several = value if operator == "in" and isinstance(value, list | tuple | set) else [value]
    values = tuple(normalise("" if one is None else str(one)) for one in several)
    if operator in _ORDERS and not (_NUMBER.fullmatch(values[0]) or _DATE.fullmatch(values[0])):
        raise InputError(
            f"{field[:40]!r} is compared by {operator} with a number or a date such as 2021-05-03 or 2021, "
            f"not {values[0][:40]!r}."
        )
    return Condition(folded(field), operator, values)  # type: ignore[arg-type]


def _parts(item: str) -> Iterator[str]:
    """A text, and what it lists.

    That are the tags in "port; fees", the name and the address in "Anna Berg <anna@x.example>", and the people in
    "Berg, Anna; Ek, Jon" and in "Anna Berg and Jon Ek".
    """
    yield item
    for one in item.split(";"):
        yield from filter(None, (one.strip(), given_first(one)))
    people = _BETWEEN.split(item)
    yield from people if len(people) > 1 and all(" " in one.strip() for one in people) else ()
    if "@" in item:
        yield from (part for pair in getaddresses([item]) for part in pair if part)
    if any(mark in item for mark in ";,"):
        yield from (part for part in _PARTS.split(item) if any(map(str.isalpha, part)))


def _is(value: str, wanted: str) -> bool:
    if (number := _number(value)) is not None and _NUMBER.fullmatch(wanted):
        return number == float(wanted)
    if _DATE.fullmatch(wanted) and (day := _day(value)):
        return day.startswith(wanted.replace("T", " "))
    plain, pattern = value.casefold(), wanted.casefold()
    if "*" in pattern:
        return bool(re.fullmatch(translate(pattern.replace("[", "[[]").replace("?", "[?]")), plain))
    return _TRUTH.get(plain, plain) == _TRUTH.get(pattern, pattern)


_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}


def _ordered(value: str, bound: str, order: Callable[[Any, Any], bool]) -> bool:
    if (number := _number(value)) is not None and _NUMBER.fullmatch(bound):
        return order(number, float(bound))
    if _DATE.fullmatch(bound) and (day := _day(value)):
        exact = min(len(day), len(bound))
        return order(day[:exact], bound[:exact].replace("T", " "))
    return False


def _number(value: str) -> float | None:
    """The number that a value is, with what stands around it in a table: "18,400 €"."""
    match = _AMOUNT.fullmatch(value)
    return float(match["number"].replace(",", "")) if match else None


def _day(value: str) -> str:
    """The date that a value is, as ISO writes it and as far as it is stated; empty where it is none.

    Days that are divided by points stand first everywhere. Of "03/04/2021" only the year is certain.
    """
    if _DATE.fullmatch(value):
        return value.replace("T", " ")
    if match := _YEAR_FIRST.fullmatch(value):
        return f"{match['year']}-{int(match['month']):02}-{int(match['day']):02}"
    if match := _YEAR_LAST.fullmatch(value):
        day, month = int(match["a"]), int(match["b"])
        if match["by"] != "." and max(day, month) <= 12 and day != month:
            return match["year"]
        day, month = (month, day) if month > 12 else (day, month)
        return f"{match['year']}-{month:02}-{day:02}" if month <= 12 else match["year"]
    if len(value) > _LONGEST_DATE:
        return ""
    found = dates(value)
    alone = len(found) == 1 and len(_WORD.findall(value[: found[0][0]])) <= 1
    parsed = date(value) if alone else None
    if parsed is None or parsed[0] <= 0:
        return ""
    return f"{parsed[0]:04}" + "".join(f"-{part:02}" for part in parsed[1:] if part)
