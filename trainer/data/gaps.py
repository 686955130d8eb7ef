"""Questions that any document gives: what stands in a row, and which figure, name or word a sentence lacks.

The relations of ``trainer.data.relations`` want sentences about names. Prices, rules and tables have none of these: a
row says under its heads what there is of its first cell, and of any sentence a part can be left out. These questions
have one hop; they fill up where relations do not suffice.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Iterator, Mapping, Sequence

from clew.database.connection import Database, Row, pages
from clew.questions.words import is_participle, singular
from clew.text.names import key
from clew.text.outline import from_json
from clew.text.values import dates, quantities
from clew.trainer.data.relations import GAP, Page, Relation, unique
from clew.types import Cell

PAGE = 500
"""Documents whose blocks are read at once."""
SHORTEST, LONGEST = 20, 250
"""Characters of a sentence that lacks something."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_NO_NOUNS = frozenset(
    "due paid since until till from to by of as in on at for with per after before who whom when where why how".split()
) | {name.lower() for name in (*month_name, *day_name) if name}
"""What the name of a column may end in that is no common noun."""
_SAYS_NOTHING = frozenset("value amount detail details description".split())
"""Names of the one column beside what rows are called: they are read as pairs."""


def read_gaps(database: Database, kb: str, facts: Sequence[tuple[Row, Page]]) -> list[Relation]:
    """What facts, each of one page, can be asked for, each unique in what it leads to. Raises DatabaseError."""
    places: dict[str, dict[int, list[tuple[str, str, str]]]] = {}
    for rows in pages(database.read, "train/blocks", kb=kb, limit=PAGE):
        places |= {row["id"]: _cells(row) for row in rows}
    return list(unique(gap for fact, page in facts for gap in _read(fact, page, places.get(page.id, {}))))


def _cells(document: Row) -> dict[int, list[tuple[str, str, str]]]:
    """Where each row or pair of a document begins, and what it tells: a phrase, the row that it names, the value."""
    text, found = document["text"], {}
    for block in from_json(document["blocks"], text):
        if len(block.cells) < 2:
            continue
        naming = next((cell for cell in block.cells if cell.names_row), block.cells[0])
        name = _line(text, naming)
        if name.isdecimal() and naming.head:
            name = f"{naming.head} {name}"  # "for Plot 12"
        others = [(cell.head, _line(text, cell)) for cell in block.cells if cell is not naming]
        is_pair = block.kind != "row" or (len(others) == 1 and others[0][0].casefold() in _SAYS_NOTHING)
        asked = [((name, "") if is_pair else (head, name), value) for head, value in others]
        found[block.start] = [(_phrase(*of), of[1], value) for of, value in asked if name and of[0] and value]
    return found


def _phrase(head: str, row: str) -> str:
    """What follows *what is*: "the fee of Child"; where no noun names the column, "“Due” for Child".

    A person leaves out the unit that stands after a head: "the weight of UF-200" for "Weight (kg)".
    """
    head = head.partition(" (")[0]
    *_, last = ["", *head.lower().split()]
    is_noun = last not in _NO_NOUNS and not is_participle(last) and singular(last) == last
    plain = head[0].lower() + head[1:] if head[1:2].islower() else head
    named = f"the {plain}" if is_noun else f"“{head}”"
    return f"{named} {'of' if is_noun and not row[0].isdecimal() else 'for'} {row}" if row else named


def _line(text: str, cell: Cell) -> str:
    return " ".join(text[cell.start : cell.end].split())


def _read(fact: Row, page: Page, cells: Mapping[int, list[tuple[str, str, str]]]) -> Iterator[Relation]:
    """The values of a row or pair, else the best part of a sentence."""
    sentence = " ".join(fact["text"][fact["lead"] :].split())
    if values := cells.get(fact["sources"][0]["start"]):
        for phrase, row, value in values:
            yield Relation.of(fact, page, phrase, value, key(value), "", "value", row)
    elif SHORTEST <= len(sentence) <= LONGEST and sentence.count('"') % 2 == 0:
        for kind, answer in _part(fact, page, sentence):
            yield Relation.of(fact, page, sentence.replace(answer, GAP), answer, key(answer), "", kind)


def _part(fact: Row, page: Page, sentence: str) -> list[tuple[str, str]]:
    """What is left out, and its kind: a figure, else a name, else the longest word, that stands there once."""
    figures = [sentence[start:end] for start, end in (*quantities(sentence), *dates(sentence))]
    others = (one for one in fact["entities"] if one["role"] not in ("subject", "topic"))
    names = [str(one["surface"]) for one in others if one["surface"]]
    words = _WORD.findall(sentence) if len(sentence.split()) > 3 else []
    for kind, parts in (("figure", figures), ("name", names), ("word", words)):
        unique = [part for part in parts if sentence.count(part) == 1 and key(part) not in key(page.title)]
        if unique:
            return [(kind, max(unique, key=len))]
    return []
