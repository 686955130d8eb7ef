"""Questions that the cells of tables answer: look up, filter, count, most and least, sum, yes or no.

Rows and cells come from the blocks of passages. A cell is found by the words of a question that name its row, those
that name its column, and those of the headings, caption and part that it stands under; one that is empty says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from clew.agent.evidence import LIST, Shown
from clew.agent.policies.reader.places import headings_of
from clew.questions.plan import Kind
from clew.questions.words import OPPOSITES, noun_class, positive
from clew.text.attribute import ADJECTIVES
from clew.text.names import FUNCTION_WORDS, capitalised_spans, key
from clew.text.verbs import base, stem
from clew.types import Block, Cell, Value

Words = frozenset[str]

_MOST_EQUAL = 10
"""Rows that share the most or least of a column, or figures of a whole row, that are all said, at most."""
MOST_LEFT = 1
"""Words of a question that neither row, column nor headings have, at most, where a cell is the answer."""
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_TELLING = frozenset(("first", "last", "without"))
_LETTER = re.compile(r"(?<=\w )[A-Z]\b")
_DOER = re.compile(r"(?<=[a-z]{2})(?:(?:ie|e|o)r|ing)\Z")
_LABEL = re.compile(r"(?P<term>[^\W\d_][^:\n]{0,40}):\s+(?P<meaning>\S[^\n]{0,80}?)\.?\s*")
_BOX = re.compile(r"(?P<box>\[[xX]\]|☑|☒|■|\[ \]|☐|□|❑)[^\S\n]+(?P<label>[^\n☑☒■☐□❑\[]+)")
_EMPTY_BOXES = frozenset(("[ ]", "☐", "□", "❑"))
_NEGATION = re.compile(r"\b(?:not|no|never|without|except|besides)\b|n['’]t\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"(?<!below the )(?<!above the )\b(?P<word>most|least|[a-z]{2,10}est|maximum|minimum)\b", re.IGNORECASE
)
_LEAST = frozenset("least fewest minimum earliest".split())
_TOTAL = re.compile(r"\b(?:total|sum|altogether|combined|in all)\b", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?P<by>over|above|at least|under|below|(?:more|less|fewer|[a-z]+er) than) (?P<n>\d[\d.,]*)", re.IGNORECASE
)
_PERIOD = re.compile(r"\b(?P<n>first|second|third|fourth) (?P<unit>quarter|half)\b", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_SCALES = {1e3: " thousand", 1e6: " million", 1e9: " billion"}
_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹"}
_SORTS = {"how much": ("money", "number"), "how many": ("number",), "when": ("date",)}
"""What the value of a column is that a question asks for without its head."""
_NUMBERS = frozenset(("number", "money"))
_WORDS_OF_TABLES = frozenset(
    map(stem, "table row column list entry value money amount total sum highest lowest".split())
)
_PEOPLE = "name person people employee staff member colleague player author contact"
"""Words by which a column or a question calls people."""
_TOTALS = frozenset(map(stem, "total subtotal sum average mean median overall".split()))
"""Words that name a row which is made of the others."""


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
        numbers = next(filter(None, (frozenset(filter(_is_code, level)) for level in levels)), frozenset())
        return frozenset(word for level in levels for word in level if not _is_code(word)) | numbers

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


def _with_cells(one: Shown, block: Block) -> Block:
    """The block, an item such as "Fare: EUR 4" as a pair."""
    label = _LABEL.fullmatch(one.words(block)) if block.kind in ("item", "paragraph", "pair") else None
    if block.cells or label is None:
        return block
    places = ((block.start + a, block.start + b) for a, b in (label.span("term"), label.span("meaning")))
    return Block("pair", block.start, block.end, block.level, tuple(Cell(a, b) for a, b in places))


def answers(question: str, kind: Kind, rows: Sequence[Row], *, whole: bool = True) -> list[Answer]:
    """What the cells of some rows say to a question; empty where they say nothing, or several things.

    ``whole`` says that these are all rows of their tables, so that they can be counted and summed.
    """
    asked = asked_words(question)
    if kind == "yes/no":
        return list(_opinions(question, rows, asked))
    total = _TOTAL.search(question)
    over_rows = _SUPERLATIVE.search(question) or total
    found = _lookup(question, [row for row in rows if row.is_total] if total else () if over_rows else rows, asked)
    if not found and whole and (over_rows or kind in ("count", "list")):
        found = _over_rows(question, kind, rows, asked)
    return found or (_lookup(question, rows, asked) if over_rows else []) or _whole_row(rows, asked)


def _lookup(question: str, rows: Sequence[Row], asked: Words) -> list[Answer]:
    """The cell whose row and column a question names best, where there is one, or several that say the same."""
    names = words_of(" ".join(capitalised_spans(question)))
    found = [
        (fit, answer)
        for row in rows
        for cell, head, whole in _columns(question, row, asked)
        for fit, answer in _fitting(row, cell, head, whole, asked, names)
    ]
    best = [one for fit, one in found if fit == max(fit for fit, _ in found)]
    values = {key(one.value): one for one in best}
    cells = [place for one in values.values() for place in one.cells]
    if 1 < len(values) <= _MOST_EQUAL and question.lower().startswith("who ") and _are_people(cells):
        value = LIST.join(one.value for one in values.values())
        return [Answer(value, tuple(cells), reason=f"Read off {len(values)} rows of a table")]
    return best[:1] if len(values) == 1 else []


def _are_people(cells: Sequence[tuple[Shown, Block, Cell]]) -> bool:
    """Whether cells name people in the rows of one table."""
    tables = {(shown.document, block.table) for shown, block, _ in cells}
    return len(tables) == 1 and all(_names_people(cell) for _, _, cell in cells)


def _fitting(
    row: Row, cell: Cell, head: Words, whole: bool, asked: Words, names: Words
) -> Iterator[tuple[tuple[int, bool, int], Answer]]:
    """The cell as an answer with how much of a question it explains; none where it does not answer it.

    None of the ``names`` in the question may be left that the text around the table does not have.
    """
    named, in_full = row.named(asked, cell)
    left = asked - named - head - row.context - {"price"}  # "how much" asks for one, whatever its head is
    by_context = len(row.cells) == 1 and bool(row.context & asked)
    if not (named or by_context) or len(left) > MOST_LEFT or any(map(_is_code, left)) or not head | named:
        return
    own = words_of(row.words(cell))
    if left & names - words_of(row.shown.text.text):
        return
    if (own and own <= asked) or (head and head <= named):
        return  # it only repeats the question, or its head does what names the row: "Office" an "officer"
    exact = whole and (in_full or by_context) and not left
    fit = len(named | head | (row.context & asked)), whole, len(head)
    yield fit, Answer(_with_unit(row, cell), ((row.shown, row.block, cell),), exact)


def _whole_row(rows: Sequence[Row], asked: Words) -> list[Answer]:
    """All figures of the one row that a question names in full without a column: "2023: €318 million; …"."""
    found = []
    for row in rows:
        named, in_full = row.named(asked)
        if in_full and named and not asked - named - row.context and (cells := _figures(row)):
            value = LIST.join(f"{cell.head}: {_with_unit(row, cell)}" for cell in cells)
            found.append(Answer(value, tuple((row.shown, row.block, cell) for cell in cells), reason="A whole row"))
    return found if len(found) == 1 else []


def _figures(row: Row) -> list[Cell]:
    """The cells of a row beside its name, where each is a number under a head."""
    cells = [cell for cell in row.cells if not cell.names_row]
    numbers = all(cell.value.number is not None and cell.head for cell in cells)
    return cells if numbers and 1 < len(cells) <= _MOST_EQUAL else []


def _columns(question: str, row: Row, asked: Words) -> list[tuple[Cell, Words, bool]]:
    """The cells of a row whose heads a question names: in full, else in half of their words, else by their values.

    The name of a row of people may answer "who", too, a place "where", and the other cell of a pair its name.
    """
    asks = question.lower().partition(" ")[0]
    may_be = [cell for cell in row.cells if asks != "where" or cell.value.kind == "text"]
    named = [(cell, head) for cell in may_be if (head := _head_words(cell))]
    whole = [(cell, head, True) for cell, head in named if head <= asked]
    if len(row.cells) == 1:
        return whole
    filled = [(cell, head) for cell, head in named if cell.value.kind != "empty"]
    half = [(cell, head & asked, False) for cell, head in filled if 2 * len(head & asked) >= len(head)]
    return [*(whole or half or _of_sort(question, row, asked)), *_without_head(asks, row, asked)]


def _without_head(asks: str, row: Row, asked: Words) -> list[tuple[Cell, Words, bool]]:
    """The cells of a row that answer a question which says nothing of their heads."""
    named, in_full = row.named(asked)
    is_pair = in_full and len(row.cells) == 2 and not asked - named - row.context
    found = [cell for cell in row.cells if is_pair or (asks in _OF_WH and _OF_WH[asks](cell))]
    return [(cell, frozenset(), False) for cell in found]


def _of_sort(question: str, row: Row, asked: Words) -> list[tuple[Cell, Words, bool]]:
    """The one cell of a row that holds what "how much" asks for, and the words that it answers."""
    word, kinds = next(((w, kinds) for w, kinds in _SORTS.items() if question.lower().startswith(w)), ("", ()))
    if word == "when" and asked - row.named(asked)[0] - row.context:
        return []  # of what happened then, no word is said
    sorted_by = ([cell for cell in row.cells if cell.value.kind == kind and not cell.names_row] for kind in kinds)
    only = next((cells for cells in sorted_by if cells), [])
    return [(only[0], asked & words_of(ADJECTIVES.get(word[4:], "")), False)] if len(only) == 1 else []


def _opinions(question: str, rows: Sequence[Row], asked: Words) -> Iterator[Answer]:
    """Yes or no of the cell whose row and column a question names, and of a box with what it stands before."""
    meaning = {"yes": "yes", "ticked": "yes", "no": "no", "unticked": "no", "empty": ""}
    if _NEGATION.search(question):
        return
    found = []
    for row in rows:
        for cell in row.cells:
            head, (named, _) = words_of(cell.head), row.named(asked, cell)
            left = asked - named - head - row.context
            if cell.value.kind in meaning and head and head <= asked and (named or len(row.cells) == 1) and not left:
                found.append((len(named), Answer(meaning[cell.value.kind], ((row.shown, row.block, cell),), True)))
    yield from (one for fit, one in found if fit == max(fit for fit, _ in found))


def boxes(question: str, shown: Iterable[Shown]) -> Iterator[Answer]:
    """Yes or no of boxes before a sentence that a question asks of: "[x] Pets are allowed."."""
    asked = asked_words(question)
    for one in shown if not _NEGATION.search(question) else ():
        for box in _BOX.finditer(one.text.text):
            if asked - words_of(one.text.title) <= words_of(box["label"]):
                start, end = (one.start + at for at in box.span())
                cell = Cell(start, one.start + box.end("box"))
                value = "no" if box["box"] in _EMPTY_BOXES else "yes"
                yield Answer(value, ((one, Block("item", start, end), cell),), True)


def _over_rows(question: str, kind: Kind, rows: Sequence[Row], asked: Words) -> list[Answer]:
    """What a question asks over the rows of the table that it speaks of; none of several that say different things."""
    tables = _tables_asked([row for row in rows if not row.is_total], asked)
    found = [one for table, spoken in tables if (one := _over_table(question, kind, table, spoken, asked))]
    return found[:1] if len({key(one.value) for one in found}) == 1 else []


def _over_table(question: str, kind: Kind, table: Sequence[Row], spoken: Words, asked: Words) -> Answer | None:
    """What a question asks over rows: how many, which, sum, most or least; ``spoken`` are its words for the table."""
    chosen, used = _filtered(question, table, asked)
    superlative = _SUPERLATIVE.search(question)
    left = asked - spoken - used - _WORDS_OF_TABLES - _measured(superlative["word"] if superlative else "")
    if not spoken or not chosen or len(left) > MOST_LEFT or any(map(_is_code, left)):
        return None
    if superlative:
        return _extreme(question, superlative["word"].lower(), chosen, asked)
    is_number = kind == "count" and any(_is_number(row, asked) for row in chosen)
    if _TOTAL.search(question) or (is_number and used and _named_alike(chosen, asked)):
        return _sum(question, chosen, asked)
    counts = kind == "count" and not is_number and (used or not left) and _counts_rows(question, table[0])
    return _of_names(chosen, len(table), asked, bool(counts)) if counts or kind == "list" else None


def _of_names(chosen: Sequence[Row], of: int, asked: Words, counts: bool) -> Answer | None:
    """The names of some rows ``of`` a table, or how many they are; none where all are named."""
    names = [(row, cell) for row in chosen if (cell := _named_cell(row, asked))]
    cells = tuple((row.shown, row.block, cell) for row, cell in names)
    reason = f"Read off {len(chosen)} of the {of} rows of a table"
    if counts:
        return Answer(str(len(chosen)), cells, reason=f"{reason}, and counted")
    if not names or len(chosen) == of:
        return None
    return Answer(LIST.join(dict.fromkeys(_with_unit(row, cell) for row, cell in names)), cells, reason=reason)


def _named_alike(rows: Sequence[Row], asked: Words) -> bool:
    """Whether a question names the same in all rows, so that their numbers add up to one thing's."""
    return len({row.named(asked)[0] for row in rows}) == 1


def _tables_asked(rows: Sequence[Row], asked: Words) -> list[tuple[list[Row], Words]]:
    """The tables that have most words of a question in their headings, caption and heads, and those words."""
    tables: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        if row.table[1]:
            tables.setdefault(row.table, []).append(row)
    spoken = [(own, _speaks_of(own, asked)) for own in tables.values()]
    most = max((len(words) for _, words in spoken), default=0)
    return [(own, words) for own, words in spoken if len(words) == most]


def _named_cell(row: Row, asked: Words, measured: Cell | None = None) -> Cell | None:
    """The cell of a row that a question asks for by its head, else the one that names the row.

    It is not empty, not the ``measured`` one, and not one that only repeats the question.
    """
    words = ((cell, words_of(row.words(cell))) for cell in row.cells if cell is not measured)
    free = [cell for cell, own in words if own and not own <= asked]
    by_head = (cell for cell in free if (head := _head_words(cell)) and head <= asked)
    return next(by_head, None) or next((cell for cell in free if cell.names_row), None)


def _head_words(cell: Cell) -> Words:
    """The words of a cell's head, without what it says in brackets, such as a unit."""
    return words_of(_BRACKETS.sub("", cell.head))


def _names_people(cell: Cell) -> bool:
    return cell.names_row and bool(_head_words(cell) & words_of(_PEOPLE))


def _is_place(cell: Cell) -> bool:
    return cell.value.kind == "text" and noun_class(cell.head.lower()) == "place"


_OF_WH = {"who": _names_people, "where": _is_place}
"""Which cell of a row answers a question that begins so."""


def _speaks_of(rows: Sequence[Row], asked: Words) -> Words:
    heads = frozenset(word for cell in rows[0].cells for word in words_of(cell.head))
    people = words_of(_PEOPLE) if any(map(_names_people, rows[0].cells)) else frozenset()
    named = Counter(word for row in rows for cell in row.cells if cell.names_row for word in words_of(row.words(cell)))
    kind = frozenset(word for word, rows_of_it in named.items() if 2 * rows_of_it > len(rows) > 1)
    return asked & (heads | people | kind | rows[0].context)


def _filtered(question: str, rows: Sequence[Row], asked: Words) -> tuple[list[Row], Words]:
    """The rows whose cells a question names, whose yes it asks for, or whose number it bounds, and the words it does
    this by; all rows where it does nothing of the kind. One that matches a part of what another does is left out.
    """
    bound = _BOUND.search(question)
    wanted = "no" if _NEGATION.search(question) else "yes"
    matched = [(row, words) for row in rows if (words := _matched(row, asked, bound, wanted))]
    sets = {words for _, words in matched}
    whole = {words for words in sets if not any(words < other for other in sets)}
    if not whole:
        return [] if bound else list(rows), frozenset()
    return [row for row, words in matched if words in whole], frozenset().union(*whole)


def _matched(row: Row, asked: Words, bound: re.Match[str] | None, wanted: str) -> Words:
    """The words by which a question names cells of a row, asks for its ``wanted`` flag, or bounds its number."""
    by_name = frozenset[str]()
    for cell in row.cells:
        own, head = words_of(row.words(cell)), _head_words(cell)
        flagged = cell.value.kind == wanted and head and head <= asked
        if own and own <= asked and (cell.value.kind == "text" or not bound):
            by_name |= own
        elif flagged or (bound and head & asked and cell.value.number is not None and _within(bound, cell)):
            by_name |= head | words_of(bound.group() if bound else "")
    return by_name


def _within(bound: re.Match[str], cell: Cell) -> bool:
    limit, number = float(bound["n"].replace(",", "").rstrip(".")), cell.value.number or 0.0
    word = bound["by"].lower().split()[0]
    below = word in ("under", "below", "less") or positive(word) in OPPOSITES
    return number < limit if below else number >= limit if word == "at" else number > limit


def _is_number(row: Row, asked: Words) -> bool:
    """Whether a row has a column of numbers that a question names: "how many units" is no count of rows."""
    return any(cell.value.kind in _NUMBERS and words_of(cell.head) & asked for cell in row.cells)


def _of_column(rows: Sequence[Row], head: Words) -> list[tuple[Row, Cell]]:
    """The cells with a number or date of the column of some rows that has most of the words of ``head``."""
    fits: dict[tuple[str, ...], int] = {}
    for row in rows:
        for cell in row.cells:
            typed = cell.value.number is not None or cell.value.date is not None
            fits[cell.heads] = max(fits.get(cell.heads, 0), len(words_of(cell.head) & head) if typed else 0)
    best = max(fits, key=lambda heads: fits[heads], default=())
    found = [(row, cell) for row in rows for cell in row.cells if cell.heads == best]
    return found if fits.get(best) else []


def _extreme(question: str, word: str, rows: Sequence[Row], asked: Words) -> Answer | None:
    """The row, or its value, with the most or least in the column that a superlative is of."""
    cells = _measured_cells(rows, asked, _measured(word))
    lowest = word in _LEAST or positive(word) in OPPOSITES
    ordered = sorted(cells, key=lambda one: (one[1].value.number or 0.0, one[1].value.date or ""), reverse=not lowest)
    equal = [(row, cell) for row, cell in ordered if cell.value == ordered[0][1].value]
    if not 0 < len(equal) <= _MOST_EQUAL:
        return None
    row, cell = equal[0]
    named = [_named_cell(row, asked, other) or row.cells[0] for row, other in equal]
    names = LIST.join(row.words(name) for (row, _), name in zip(equal, named, strict=True))
    of_value = re.match(r"(?:what|how)\b", question, re.IGNORECASE) and words_of(cell.head) & asked
    first = [other for _, other in equal] if of_value else named
    shown = [(row.shown, row.block, one) for (row, _), one in zip(equal, first, strict=True)]
    shown += [(row.shown, row.block, other) for row, other in equal]
    reason = f"{names}: {_with_unit(row, cell)}, the {word} of {len(cells)} rows"
    return Answer(_with_unit(row, cell) if of_value else names, tuple(shown), reason=reason)


def _measured_cells(rows: Sequence[Row], asked: Words, measured: Words) -> list[tuple[Row, Cell]]:
    """The filled cells of the column that a question or what it measures names; of money where that is a price."""
    cells = [(row, cell) for row, cell in _of_column(rows, asked | measured) if cell.value.kind != "empty"]
    if cells or "price" not in measured:
        return cells
    return [(row, cell) for row in rows for cell in row.cells if cell.value.kind == "money"]


def _measured(superlative: str) -> Words:
    """What a superlative measures: "length" of "shortest"."""
    adjective = positive(superlative.lower())
    return words_of(ADJECTIVES.get(OPPOSITES.get(adjective, adjective), ""))


def _counts_rows(question: str, row: Row) -> bool:
    """Whether what stands behind "how many" heads a column of words, so that it is what rows like this one are."""
    counted = words_of(" ".join(question.lower().partition("how many ")[2].split()[:2]))
    heads = frozenset(word for cell in row.cells if cell.value.kind == "text" for word in _head_words(cell))
    people = words_of(_PEOPLE) if any(map(_names_people, row.cells)) else frozenset()
    return bool(counted & (heads | people | _WORDS_OF_TABLES))


def _sum(question: str, rows: Sequence[Row], asked: Words) -> Answer | None:
    """The sum of a column that a question names."""
    cells = [(row, cell) for row, cell in _of_column(rows, asked) if cell.value.number is not None]
    if not cells or len({cell.value.unit for _, cell in cells}) > 1:
        return None
    total = sum(cell.value.number or 0.0 for _, cell in cells)
    value = _measured_as(f"{total:,.2f}".removesuffix(".00"), cells[0][1].value)
    return Answer(
        value, tuple((row.shown, row.block, cell) for row, cell in cells), reason=f"Summed over {len(cells)} rows"
    )


def _with_unit(row: Row, cell: Cell) -> str:
    """The text of a cell with the scale and unit that its column or table says: "€318 million"."""
    text, value = row.words(cell), cell.value
    if value.number is None or re.search(r"[^\W\d_]|[€$£¥₹%]", text):
        return text
    figure = re.sub(r"[^\d.]", "", text.replace(",", ""))
    scale = next((name for by, name in _SCALES.items() if figure and abs(value.number) == float(figure) * by), "")
    return _measured_as(f"{text}{scale}", value)


def _measured_as(figure: str, value: Value) -> str:
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


def _is_code(word: str) -> bool:
    return any(map(str.isdigit, word))
