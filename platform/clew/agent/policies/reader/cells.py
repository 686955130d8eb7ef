"""What a row of a table says to a question: the field that is asked for, or the name of the row."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from clew.agent.policies.reader.scope import measure_asked
from clew.questions.words import singular
from clew.text.attribute import ADJECTIVES
from clew.text.mentions import mentions
from clew.text.names import FUNCTION_WORDS, key
from clew.text.series import Span, fields, refers
from clew.text.units import is_bare, measured
from clew.text.values import measures
from clew.text.verbs import base, stem

_BRACKETS = re.compile(r"\s*\([^()]*\)")
_UNIT = re.compile(r"\((?P<unit>[^()\d]{1,20})\)")
_WHO_IS = re.compile(r"who (?:is|are|was|were) (?:the |our |your )?(?P<role>[^?]{2,80})", re.IGNORECASE)
_WHO_DOES = re.compile(r"who (?P<verb>[a-z]{3,20}) ", re.IGNORECASE)
_IMPLIED = {"when": "date", "maximum": "max", "minimum": "min", "telephone": "phone", "phone": "telephone"}
"""Words that heads of columns say for others."""
_COUNTS = frozenset({"quantity", "qty", "number", "count"})
_SUMS = frozenset({"price", "cost", "amoun", "fee"})
_PLACES = frozenset({"locat", "place", "venue", "room"})
"""Heads that a question asks for in other words: "how many", "how much", "where"."""
_WHICH = re.compile(r"(?:which|what) (?P<noun>[a-z][a-z-]+s)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|no|never|without|except|besides|other than)\b|n['’]t\b", re.IGNORECASE)
_MANY = re.compile(r"how many (?P<noun>[\w-]+)", re.IGNORECASE)
_WHERE = re.compile(r"where\b", re.IGNORECASE)
_SORT = re.compile(r"(?:\w+ )?(?:which|what) (?P<noun>[^\W\d_]+)", re.IGNORECASE)
_ROW = re.compile(r"[^\n]+")
_STEM = 5
"""Letters by which two words count as forms of one."""
_LONGEST_NAME = 6
_LEAST_TOGETHER = 5
"""Letters of a head that may be written apart in the question ("e-mail")."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A row with the cell that a question asks for, as spans of a text.

    ``whole`` says that the question names all of the head, ``exact`` that it names all of a cell of the row, too.
    """

    row: Span
    cell: Span
    whole: bool = True
    exact: bool = False


@dataclass(frozen=True, slots=True)
class _Column:
    """A cell of a row, how its head is named, and the noun that must be named by another cell ("how many towels")."""

    cell: Span
    whole: bool
    shared: int
    sort: str = ""


def field_of_row(question: str, sentence: str, text: str = "") -> Span | None:
    """The value in a row that its name and its field ask for: "What does the Kestrel 200 cost?" of "Article: Kestrel
    200, Price: €349". None where not both are named without doubt, or where the row of ``text`` only refers to it.
    """
    words = words_asked(question)
    row = fields(sentence)
    if not row or "whose" in words:
        return None
    naming = [at for _, at in row if _names(sentence[slice(*at)], question, words)]
    if text and naming and all(refers(sentence, key(sentence[slice(*at)]), text) for at in naming):
        return None
    wanted = [(name, at) for name, at in row if at not in naming and _is_asked(name, question, words)]
    most = max((len(_head(name)) for name, _ in wanted), default=0)
    wanted = [(name, at) for name, at in wanted if len(_head(name)) == most]
    return wanted[0][1] if naming and len(wanted) == 1 else None


def cell_asked(question: str, sentence: Span, text: str) -> Span | None:
    """The cell that a question asks for of the row that a sentence of ``text`` is in; None in any other row."""
    return next((one.cell for one in cells_asked(question, text) if one.row[0] <= sentence[0] < one.row[1]), None)


def is_of_another_row(question: str, sentence: Span, text: str, tables: Collection[str]) -> bool:
    """Whether a sentence is a row of one of the ``tables`` in which a question asks for a cell, and not that row."""
    return first_head(text[slice(*sentence)]) in tables and cell_asked(question, sentence, text) is None


def tables_asked(question: str, text: str) -> set[str]:
    """The tables of a text in which a question asks for a cell, by the head of their first column."""
    return {first_head(text[slice(*one.row)]) for one in cells_asked(question, text)}


@lru_cache(maxsize=64)
def cells_asked(question: str, text: str) -> tuple[Cell, ...]:
    """The rows of a text with the cell of each that a question asks for.

    Of a table that is the row which has the most of its words, and the column whose head it names; several rows only
    where they say the same. Of several tables it is the one whose row has more of them.
    """
    if "whose" in question.lower().split():
        return ()
    lines = [match.span() for match in _ROW.finditer(text) if fields(match.group())]
    told = [
        Cell(at, (at[0] + field[0], at[0] + field[1]), exact=True)
        for at in lines
        if (field := field_of_row(question, text[slice(*at)], text)) is not None
    ]
    tables: dict[str, list[Span]] = {}
    for at in lines:
        tables.setdefault(first_head(text[slice(*at)]), []).append(at)
    known = {first_head(text[slice(*one.row)]) for one in told}
    for head, rows in tables.items():
        if len(rows) > 1 and head not in known:
            told += _of_table(question, text, rows)
    asked = _asked(question)
    fit = {one: (one.whole, len(_stems(text[slice(*one.row)]) & asked)) for one in told}
    return tuple(one for one in told if fit[one] == max(fit.values()))


def _asked(question: str) -> set[str]:
    return _stems(question) | {word[:_STEM] for word in words_asked(question)}


def _of_table(question: str, text: str, rows: Sequence[Span]) -> list[Cell]:
    """The cells that a question asks for of the rows of a table; several only where they say the same.

    None where another row, which leaves that cell empty, has more of the question's words.
    """
    asked = _asked(question)
    found: list[tuple[tuple[bool, int, int], Cell]] = []
    named_best = 0
    for at in rows:
        row = text[slice(*at)]
        columns = list(_columns(question, row, asked))
        if not columns:
            named_best = max(named_best, _shared(_cells_beside(row), asked))
        for column in columns:
            named = [words for words in _cells_beside(row, column) if _is_named(words, asked)]
            if mentions(question, row[slice(*column.cell)]):
                continue  # it repeats the question, and only refers to what that is about
            sort = column.sort[:_STEM]
            if named and (not sort or any(sort in words for words in named)):
                cell = (at[0] + column.cell[0], at[0] + column.cell[1])
                fit = column.whole, _shared(named, asked), column.shared
                found.append((fit, Cell(at, cell, column.whole)))
    most = max((fit for fit, _ in found), default=None)
    best = [one for fit, one in found if fit == most]
    same = len({key(text[slice(*one.cell)]) for one in best}) == 1
    return best if most and most[1] >= named_best and same else []


def _shared(cells: Sequence[Sequence[str]], asked: set[str]) -> int:
    """How many words of a question the cells have that it names."""
    return len(set(chain.from_iterable(words for words in cells if _is_named(words, asked))) & asked)


def _columns(question: str, row: str, asked: set[str]) -> Iterator[_Column]:
    """The cells of a row whose heads a question names: in all words, in half of them, or by what it asks for."""
    noun = sort["noun"].lower()[:_STEM] if (sort := _SORT.match(question)) else ""
    many = _MANY.search(question)
    for name, cell in fields(row):
        head = {stem(word) for word in set(key(_BRACKETS.sub("", name)).split()) - FUNCTION_WORDS}
        shared = len(head & asked)
        if head and (shared == len(head) or (2 * shared >= len(head) and not _is_other_sort(question, name))):
            yield _Column(cell, shared == len(head), shared)
        elif noun and noun in _stems(row[slice(*cell)]):
            yield _Column(cell, False, 0)
        elif many and key(name) in _COUNTS:
            yield _Column(cell, False, 0, base(many["noun"].lower()))
        elif (measure_asked(question) == "money" and head & _SUMS) or (_WHERE.match(question) and head & _PLACES):
            yield _Column(cell, False, 0)


def _is_other_sort(question: str, head: str) -> bool:
    """Whether a question asks for another sort of what a head ends in: for the end date, not the "Start date"."""
    words, own = key(question).split(), key(_BRACKETS.sub("", head)).split()
    before = [words[at - 1] for at, word in enumerate(words) if at and own and base(word) == base(own[-1])]
    return any(word not in FUNCTION_WORDS and word not in own for word in before)


def _cells_beside(row: str, column: _Column | None = None) -> list[list[str]]:
    """The words of each cell of a row but that of a column, and of what leads the row without a head.

    Where no head is named only those before the column count: what a row is of stands first.
    """
    told = [at for _, at in fields(row)]
    if column is not None:
        told = [at for at in told if at != column.cell and (column.shared or at < column.cell)]
    lead = _BRACKETS.sub("", row[: row.find(fields(row)[0][0])])  # the label of a row may name its unit
    return [words for text in (lead, *(row[slice(*at)] for at in told)) if (words := _words(text))]


def _is_named(words: Sequence[str], asked: set[str]) -> bool:
    """Whether a question names what a cell does: all of it, or its first word and half of it."""
    shared = sum(word in asked for word in words)
    part = words[0] in asked and 2 * shared >= len(words)
    return len(words) <= _LONGEST_NAME and (part or shared == len(words))


def _words(text: str) -> list[str]:
    """The beginnings of the words of a cell, small words left out where there are others."""
    words = key(text).split()
    return [stem(word) for word in words if word not in FUNCTION_WORDS] or words


def _stems(text: str) -> set[str]:
    return set(_words(text))


@lru_cache(maxsize=2048)
def first_head(row: str) -> str:
    """The head of a row's first cell, which the rows of a table share even where cells are empty."""
    return next((name for name, _ in fields(row)), "")


def name_of_row(question: str, sentence: str, text: str) -> str:
    """The name of the only row of ``text`` with what "who is the …" asks for in another field; empty for any other."""
    asked, row = _WHO_IS.match(question), fields(sentence)
    if asked is None or not row:
        return ""
    role = key(asked["role"])
    if role not in {key(sentence[slice(*at)]) for _, at in row[1:]} or refers(sentence, role, text):
        return ""
    return sentence[slice(*row[0][1])]


def column_asked(question: str, text: str) -> list[Span]:
    """The cells that "which courses does Ann Lee teach?" asks for: of the column of that name, in every row that has in
    one other column what the question names. Empty where several columns have it and the question names none of them.
    """
    asked = None if _DENIES.search(question) else _WHICH.match(question)
    noun = singular(asked["noun"]) if asked else ""
    found: dict[str, list[Span]] = {}
    for match in _ROW.finditer(text) if noun else ():
        row = [(name, (match.start() + a, match.start() + b)) for name, (a, b) in fields(match.group())]
        wanted = next((at for name, at in row if singular(key(name)) == noun), None)
        for name, at in row if wanted else ():
            said = key(text[slice(*at)])
            is_name = len(said) > 2 and not said.replace(" ", "").isdigit()
            if is_name and at != wanted and wanted and mentions(question, said):
                found.setdefault(name, []).append(wanted)
    named = [name for name in found if _stems(name) & _asked(question)]
    chosen = named or list(found)
    return found[chosen[0]] if len(chosen) == 1 else []


def measured_by_head(value: str, row: str) -> str:
    """What a number of a row measures by the unit in the head of its column: money of "Cost (€): 18,500"."""
    for name, cell in fields(row):
        if value and value in row[slice(*cell)] and (unit := _UNIT.search(name)):
            return measures(f"1 {unit['unit']}") or measures(f"{unit['unit']} 1")
    return ""


def with_unit(value: str, row: str) -> str:
    """The value of a cell with its unit, where it is a bare number of a row: "€18,500" of "Cost (€): 18,500"."""
    told = [(name, row[slice(*cell)]) for name, cell in fields(row)] if is_bare(value) else []
    label = row.partition(";")[0]
    if told and ": " not in label:
        told.insert(0, ("", label))
    heads, cells = [name for name, _ in told], [cell for _, cell in told]
    found = {measured(heads, cells, at) for at, cell in enumerate(cells) if cell == value}
    return found.pop() if len(found) == 1 else value


def words_asked(question: str) -> set[str]:
    """The words of a question in their first form, and the heads that they ask for: "weight" of "how heavy"."""
    asked = set(key(question).split())
    asked |= {base(word) for word in asked}
    asked |= _called_by(question)
    return asked | {table[word] for table in (ADJECTIVES, _IMPLIED) for word in asked if word in table}


def _called_by(question: str) -> set[str]:
    """What whoever does a thing is called: owner, manager or supplier of "who owns", "who manages", "who supplies"."""
    done = _WHO_DOES.match(question)
    if done is None:
        return set()
    verb = base(done["verb"].lower())
    return {
        f"{verb.removesuffix('e')}er",
        f"{verb.removesuffix('e')}or",
        f"{verb[:-1]}ier" if verb[-1:] == "y" else verb,
    }


def _names(cell: str, question: str, words: set[str]) -> bool:
    said = key(cell)
    own = set(said.split())
    if not own - FUNCTION_WORDS:
        return False
    return mentions(question, said) or (1 < len(own) <= _LONGEST_NAME and own <= words)


def _head(name: str) -> set[str]:
    """The words of the head of a column, without its unit and small words."""
    said = set(key(_BRACKETS.sub("", name)).split())
    return (said - FUNCTION_WORDS) or said


def _is_asked(name: str, question: str, words: set[str]) -> bool:
    head = _head(name)
    together = key(_BRACKETS.sub("", name)).replace(" ", "")
    apart = len(together) >= _LEAST_TOGETHER and together in key(question).replace(" ", "")
    return apart or (bool(head) and {base(word) for word in head} <= words)
