"""Questions over the rows of a table: which, how many, most and least, sum."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from clew.agent.evidence import LIST
from clew.agent.policies.reader.rows import (
    MOST_EQUAL,
    MOST_LEFT,
    NEGATION,
    PEOPLE,
    Answer,
    Row,
    Words,
    columns_as_rows,
    head_words,
    is_code,
    measured_as,
    names_people,
    with_unit,
    words_of,
)
from clew.questions.plan import Kind
from clew.questions.words import OPPOSITES, positive
from clew.text.attribute import ADJECTIVES
from clew.text.names import key
from clew.text.verbs import stem
from clew.types import Cell

SUPERLATIVE = re.compile(
    r"(?<!below the )(?<!above the )\b(?P<word>most|least|[a-z]{2,10}est|maximum|minimum)\b", re.IGNORECASE
)
_LEAST = frozenset("least fewest minimum earliest".split())
TOTAL = re.compile(r"\b(?:total|sum|altogether|combined|in all)\b", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?P<by>over|above|at least|under|below|(?:more|less|fewer|[a-z]+er) than) (?P<n>\d[\d.,]*)", re.IGNORECASE
)
_NUMBERS = frozenset(("number", "money"))
_WORDS_OF_TABLES = frozenset(
    map(stem, "table row column list entry value money amount total sum highest lowest".split())
)


def aggregate(question: str, kind: Kind, rows: Sequence[Row], asked: Words) -> list[Answer]:
    """What a question asks over the rows of the table that it speaks of; none of several that say different things."""
    tables = _tables_asked(rows, asked)
    found = [one for table, spoken in tables if (one := _over_table(question, kind, table, spoken, asked))]
    return found[:1] if len({key(one.value) for one in found}) == 1 else []


def _over_table(question: str, kind: Kind, table: Sequence[Row], spoken: Words, asked: Words) -> Answer | None:
    """What a question asks over rows: how many, which, sum, most or least; ``spoken`` are its words for the table."""
    chosen, used = _filtered(question, table, asked)
    superlative = SUPERLATIVE.search(question)
    left = asked - spoken - used - _WORDS_OF_TABLES - _measured(superlative["word"] if superlative else "")
    if not spoken or not chosen or len(left) > MOST_LEFT or any(map(is_code, left)):
        return None
    if superlative:
        return _extreme(question, superlative["word"].lower(), chosen, asked)
    is_number = kind == "count" and any(_is_number(row, asked - used) for row in chosen)
    if TOTAL.search(question) or (is_number and used and _named_alike(chosen, asked)):
        return _sum(question, chosen, asked)
    counts = kind == "count" and not is_number and (used or not left) and _counts_rows(question, table[0])
    return _of_names(chosen, len(table), asked, used, bool(counts)) if counts or kind == "list" else None


def _of_names(chosen: Sequence[Row], of: int, asked: Words, used: Words, counts: bool) -> Answer | None:
    """The names of some rows ``of`` a table, or how many they are; none where all are named.

    The words ``used`` have told which rows are meant, and ask for no column.
    """
    names = [(row, cell) for row in chosen if (cell := _named_cell(row, asked, used=used))]
    cells = tuple((row.shown, row.block, cell) for row, cell in names)
    reason = f"Read off {len(chosen)} of the {of} rows of a table"
    if counts:
        return Answer(str(len(chosen)), cells, reason=f"{reason}, and counted")
    if not names or len(chosen) == of:
        return None
    return Answer(LIST.join(dict.fromkeys(with_unit(row, cell) for row, cell in names)), cells, reason=reason)


def _named_alike(rows: Sequence[Row], asked: Words) -> bool:
    """Whether a question names the same in all rows, so that their numbers add up to one thing's."""
    return len({row.named(asked)[0] for row in rows}) == 1


def _tables_asked(rows: Sequence[Row], asked: Words) -> list[tuple[list[Row], Words]]:
    """The tables that have most words of a question in their headings, caption and heads, and those words."""
    spoken = [(own, _speaks_of(own, asked)) for own in _tables(rows) if own]
    most = max((len(words) for _, words in spoken), default=0)
    return [(own, words) for own, words in spoken if len(words) == most]


def _tables(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows of each table, of one that compares things these; those that are made of the others are left out."""
    tables: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        if row.table[1]:
            tables.setdefault(row.table, []).append(row)
    for own in tables.values():
        yield [row for row in columns_as_rows(own) or own if not row.is_total]


def _named_cell(row: Row, asked: Words, measured: Cell | None = None, used: Words = frozenset()) -> Cell | None:
    """The cell of a row that a question asks for by its head, with no ``used`` word, else the one that names the row.

    It is not empty, not the ``measured`` one, and not one that only repeats the question.
    """
    words = ((cell, words_of(row.words(cell))) for cell in row.cells if cell is not measured)
    free = [cell for cell, own in words if own and not own <= asked]
    by_head = (cell for cell in free if (head := head_words(cell)) and head <= asked - used)
    return next(by_head, None) or next((cell for cell in free if cell.names_row), None)


def _speaks_of(rows: Sequence[Row], asked: Words) -> Words:
    heads = frozenset(word for cell in rows[0].cells for word in words_of(cell.head))
    named = Counter(word for row in rows for cell in row.cells if cell.names_row for word in words_of(row.words(cell)))
    kind = frozenset(word for word, rows_of_it in named.items() if 2 * rows_of_it > len(rows) > 1)
    return asked & (heads | _people(rows[0]) | kind | rows[0].context)


def _filtered(question: str, rows: Sequence[Row], asked: Words) -> tuple[list[Row], Words]:
    """The rows whose cells a question names, whose yes it asks for, or whose number it bounds, and the words it does
    this by; all rows where it does nothing of the kind. One that matches a part of what another does is left out.
    """
    bound = _BOUND.search(question)
    wanted = "no" if NEGATION.search(question) else "yes"
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
        own, head = words_of(row.words(cell)), head_words(cell)
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
    return any(cell.value.kind in _NUMBERS and head_words(cell) & asked for cell in row.cells)


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
    if len(cells) < 2 or len(equal) > MOST_EQUAL:  # of one row nothing is the most: its column may be called so
        return None
    row, cell = equal[0]
    named = [_named_cell(row, asked, other) or row.cells[0] for row, other in equal]
    names = LIST.join(row.words(name) for (row, _), name in zip(equal, named, strict=True))
    of_value = re.match(r"(?:what|how)\b", question, re.IGNORECASE) and words_of(cell.head) & asked
    first = [other for _, other in equal] if of_value else named
    shown = [(row.shown, row.block, one) for (row, _), one in zip(equal, first, strict=True)]
    shown += [(row.shown, row.block, other) for row, other in equal]
    reason = f"{names}: {with_unit(row, cell)}, the {word} of {len(cells)} rows"
    return Answer(with_unit(row, cell) if of_value else names, tuple(shown), reason=reason)


def _measured_cells(rows: Sequence[Row], asked: Words, measured: Words) -> list[tuple[Row, Cell]]:
    """The filled cells of what is measured, else of the column that a question names; money where that is a price."""
    column = _of_column(rows, measured) or _of_column(rows, asked)
    cells = [(row, cell) for row, cell in column if cell.value.kind != "empty"]
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
    heads = frozenset(word for cell in row.cells if cell.value.kind == "text" for word in head_words(cell))
    return bool(counted & (heads | _people(row) | _WORDS_OF_TABLES))


def _people(row: Row) -> Words:
    """What people are called by, where the row is one of them."""
    return words_of(PEOPLE) if any(map(names_people, row.cells)) else frozenset()


def _sum(question: str, rows: Sequence[Row], asked: Words) -> Answer | None:
    """The sum of a column that a question names."""
    cells = [(row, cell) for row, cell in _of_column(rows, asked) if cell.value.number is not None]
    if not cells or len({cell.value.unit for _, cell in cells}) > 1:
        return None
    total = sum(cell.value.number or 0.0 for _, cell in cells)
    value = measured_as(f"{total:,.2f}".removesuffix(".00"), cells[0][1].value)
    return Answer(
        value, tuple((row.shown, row.block, cell) for row, cell in cells), reason=f"Summed over {len(cells)} rows"
    )
