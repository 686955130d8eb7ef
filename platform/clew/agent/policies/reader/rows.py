"""Rows of tables as a question sees them: their cells, the words that name these, and their values with units.

Rows and cells come from the blocks of passages. Words are compared by their stems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from clew.agent.evidence import Shown
from clew.agent.policies.reader.places import headings_of
from clew.questions.words import positive
from clew.text.attribute import ADJECTIVES
from clew.text.names import FUNCTION_WORDS, key
from clew.text.verbs import base, stem
from clew.types import Block, Cell, Value

Words = frozenset[str]
MOST_LEFT = 1
"""Words of a question that neither row, column nor headings have, at most, where a cell is the answer."""
MOST_EQUAL = 10
"""Rows that share the most or least of a column, or figures of a whole row, that are all said, at most."""
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_TELLING = frozenset(("first", "last", "without"))
_LETTER = re.compile(r"(?<=\w )[A-Z]\b")
_DOER = re.compile(r"(?<=[a-z]{2})(?:(?:ie|e|o)r|ing)\Z")
_LABEL = re.compile(r"(?P<term>[^\W\d_][^:\n]{0,40}):\s+(?P<meaning>\S[^\n]{0,80}?)\.?\s*")
_PERIOD = re.compile(r"\b(?P<n>first|second|third|fourth) (?P<unit>quarter|half)\b", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_SCALES = {1e3: " thousand", 1e6: " million", 1e9: " billion"}
_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹"}
PEOPLE = "name person people employee staff member colleague player author contact"
"""Words by which a column or a question calls people."""
_TOTALS = frozenset(map(stem, "total subtotal sum average mean median overall".split()))
"""Words that name a row which is made of the others."""
NEGATION = re.compile(r"\b(?:not|no|never|without|except|besides)\b|n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """A value that a table gives, and the cells it rests on, each with the text that shows it.

    ``exact``: row and column are named in full, and nothing of the question is left. An empty ``value`` is that of an
    empty cell. ``reason`` says how it was found where it is no cell.
    """

    value: str
    cells: tuple[tuple[Shown, Block, Cell], ...]
    exact: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Row:
    """A row of a table that was shown, or a pair or labelled item as a row with one column."""

    shown: Shown
    block: Block

    @property
    def table(self) -> tuple[str, int]:
        """The document and number of its table; 0 for a row of none."""
        return self.shown.document, self.block.table.number if self.block.table else 0

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells that may answer: of a pair its meaning, under its term."""
        if self.block.kind != "pair" or len(self.block.cells) != 2:
            return self.block.cells
        term, meaning = self.block.cells
        return (Cell(meaning.start, meaning.end, (self.words(term),), value=meaning.value),)

    @cached_property
    def context(self) -> Words:
        """The words of the title, headings, caption and part that it stands under; numbers of the nearest with some."""
        caption = self.block.table.caption if self.block.table else ""
        path = headings_of(self.shown, self.block.start - self.shown.start)
        levels = [words_of(one) for one in (self.block.part, caption, path, self.shown.text.title)]
        numbers = next(filter(None, (frozenset(filter(is_code, level)) for level in levels)), frozenset())
        return frozenset(word for level in levels for word in level if not is_code(word)) | numbers

    @cached_property
    def is_total(self) -> bool:
        """Whether it is made of the other rows, as their sum is."""
        return any(cell.names_row and words_of(self.words(cell)) & _TOTALS for cell in self.cells)

    def words(self, cell: Cell) -> str:
        """The text of a cell."""
        return " ".join(self.shown.words(cell).split())

    def named(self, asked: Words, column: Cell | None = None) -> tuple[Words, bool]:
        """The words by which a question names cells beside a column, and whether it names that of the row in full."""
        found, whole = frozenset[str](), not any(cell.names_row for cell in self.cells)
        for cell in self.cells:
            own = words_of(self.words(cell))
            if cell is column or not own:
                continue
            if own <= asked:
                found, whole = found | own, whole or cell.names_row
            elif cell.names_row and _is_named_in_part(self.words(cell), own, asked):
                found |= own & asked
        return found, whole


def rows_of(shown: Iterable[Shown]) -> list[Row]:
    """The rows with cells of all that was shown, each once."""
    found: dict[tuple[str, int], Row] = {}
    for one in shown:
        for block in one.blocks if one.exact else ():
            if one.start <= block.start and block.end <= one.end and (block := _with_cells(one, block)).cells:
                found.setdefault((one.document, block.start), Row(one, block))
    return list(found.values())


def columns_as_rows(rows: Sequence[Row]) -> list[Row]:
    """The columns of a whole table as rows, where they are what it compares (*Feature*, *Nova 5*, *Orbit X*).

    The cells of each of its rows are of one kind and unit, those of a column are not. Such a row is stated by the whole
    table, and named by the head of its column where that stands before its first cell.
    """
    first, last = rows[0], rows[-1]
    names = [_named_by_head(first, cell) for cell in first.cells[1:]] if _compares(rows) else []
    if None in names:
        return []
    found = []
    for at, name in enumerate(filter(None, names), 1):
        cells = [replace(row.cells[at], heads=(row.words(row.cells[0]),)) for row in rows]
        block = Block(first.block.kind, first.block.start, last.block.end, 0, (name, *cells), table=first.block.table)
        found.append(Row(first.shown, block))
    return found


def _compares(rows: Sequence[Row]) -> bool:
    """Whether the cells of each row of a whole table of three or more columns are of one sort, and the rows differ."""
    width = len(rows[0].cells)
    whole = all(row.shown == rows[0].shown and len(row.cells) == width for row in rows)
    sorts = [{_sort_of(cell) for cell in row.cells[1:] if cell.value.kind != "empty"} for row in rows]
    return whole and width > 2 and max(map(len, sorts)) == 1 and len(frozenset().union(*sorts)) > 1


def _named_by_head(row: Row, cell: Cell) -> Cell | None:
    """The head of a column where it stands before its cell in the text of a row, as a cell that names a row.

    What such a row is, is said by the table's caption or the title.
    """
    what = (row.block.table.caption if row.block.table else "") or row.shown.text.title
    before = row.shown.words(row.block)[: cell.start - row.block.start]
    start = row.block.start + before.rfind(cell.head)
    name = Cell(start, start + len(cell.head), (what,), names_row=True)
    return name if row.words(name) == cell.head else None


def _sort_of(cell: Cell) -> tuple[str, str]:
    return ("flag" if cell.value.kind in ("yes", "no", "ticked", "unticked") else cell.value.kind), cell.value.unit


def _with_cells(one: Shown, block: Block) -> Block:
    """The block, an item such as "Fare: EUR 4" as a pair."""
    label = _LABEL.fullmatch(one.words(block)) if block.kind in ("item", "paragraph", "pair") else None
    if block.cells or label is None:
        return block
    places = ((block.start + a, block.start + b) for a, b in (label.span("term"), label.span("meaning")))
    return Block("pair", block.start, block.end, block.level, tuple(Cell(a, b) for a, b in places))


def head_words(cell: Cell) -> Words:
    """The words of a cell's head, without what it says in brackets, such as a unit."""
    return words_of(_BRACKETS.sub("", cell.head))


def names_people(cell: Cell) -> bool:
    """Whether a cell names the row of a person."""
    return cell.names_row and bool(head_words(cell) & words_of(PEOPLE))


def with_unit(row: Row, cell: Cell) -> str:
    """The text of a cell with the scale and unit that its column or table says: "€318 million"."""
    text, value = row.words(cell), cell.value
    if value.number is None or re.search(r"[^\W\d_]|[€$£¥₹%]", text):
        return text
    figure = re.sub(r"[^\d.]", "", text.replace(",", ""))
    scale = next((name for by, name in _SCALES.items() if figure and abs(value.number) == float(figure) * by), "")
    return measured_as(f"{text}{scale}", value)


def measured_as(figure: str, value: Value) -> str:
    """A figure with its unit: "€318 million", "CHF 12", "14 kg"."""
    if value.kind == "money":
        return f"{_SIGNS.get(value.unit, f'{value.unit} ')}{figure}"
    return f"{figure} {value.unit}".strip()


def asked_words(question: str) -> Words:
    """The words of a question by their stems, with the heads that they ask for: "length" of "how long"."""
    plain = _PERIOD.sub(lambda match: f"{match['unit'][0]}{_ORDINALS.index(match['n'].lower()) + 1}", question)
    nouns = ((word, ADJECTIVES.get(word) or ADJECTIVES.get(positive(word))) for word in key(plain).split())
    measured = {word: noun for word, noun in nouns if noun}
    return (words_of(plain) - words_of(" ".join(measured))) | words_of(" ".join(measured.values()))


@lru_cache(maxsize=8192)
def words_of(text: str) -> Words:
    """The words of a text that say something, by their stems, with *first*, *without* and capitals that stand alone."""
    letters = (match.lower() for match in _LETTER.findall(text))
    words = (word for word in key(text).split() if word not in FUNCTION_WORDS or word in _TELLING)
    return frozenset(filter(None, (*map(_stem, words), *letters)))


def _stem(word: str) -> str:
    word = base(word)
    return stem(_DOER.sub("", word) if len(word) > 4 else word)


def _is_named_in_part(name: str, words: Words, asked: Words) -> bool:
    """Whether a question has the first word of a name and half of all, or what stands before a comma: "Bench, 2 m"."""
    before = words_of(name.partition(",")[0])
    first = next((_stem(word) for word in key(name).split()), "")
    return (bool(before) and before <= asked) or (first in asked and 2 * len(words & asked) >= len(words))


def is_code(word: str) -> bool:
    """Whether a word has a digit, as years and article numbers do."""
    return any(map(str.isdigit, word))
