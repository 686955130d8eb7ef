"""The cell that a question names by the words of its row and column, and of what these stand under.

One that is empty says so; a box is ticked or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from clew.agent.evidence import LIST, Shown
from clew.agent.policies.reader.rows import (
    MOST_EQUAL,
    MOST_LEFT,
    NEGATION,
    Answer,
    Row,
    Words,
    asked_words,
    head_words,
    is_code,
    names_people,
    with_unit,
    words_of,
)
from clew.questions.words import noun_class
from clew.text.attribute import ADJECTIVES
from clew.text.names import capitalised_spans, key
from clew.text.values import dates
from clew.types import Block, Cell

_BOX = re.compile(r"(?P<box>\[[xX]\]|☑|☒|■|\[ \]|☐|□|❑)[^\S\n]+(?P<label>[^\n☑☒■☐□❑\[]+)")
_EMPTY_BOXES = frozenset(("[ ]", "☐", "□", "❑"))
Fit = tuple[int, bool, int]
"""Words of a question that are explained, whether the head is named in full, and words of it that are."""
_SORTS = {"how much": ("money", "number"), "how many": ("number",), "when": ("date",)}
"""What the value of a column is that a question asks for without its head."""


def lookup(question: str, rows: Sequence[Row], asked: Words) -> list[Answer]:
    """The cell whose row and column a question names best, where there is one, or several that say the same."""
    names = words_of(" ".join(capitalised_spans(question)))
    found = [
        (fit, answer)
        for row in rows
        for cell, head, whole in _columns(question, row, asked)
        for fit, answer in _fitting(row, cell, head, whole, asked, names)
    ]
    best = _fittest(found)
    values = {key(one.value): one for one in best}
    cells = [place for one in values.values() for place in one.cells]
    if 1 < len(values) <= MOST_EQUAL and question.lower().startswith("who ") and _are_people(cells):
        value = LIST.join(one.value for one in values.values())
        return [Answer(value, tuple(cells), reason=f"Read off {len(values)} rows of a table")]
    return best[:1] if len(values) == 1 else []


def _are_people(cells: Sequence[tuple[Shown, Block, Cell]]) -> bool:
    """Whether cells name people in the rows of one table."""
    tables = {(shown.document, block.table) for shown, block, _ in cells}
    return len(tables) == 1 and all(names_people(cell) for _, _, cell in cells)


def _fitting(
    row: Row, cell: Cell, head: Words, whole: bool, asked: Words, names: Words
) -> Iterator[tuple[Fit, Answer]]:
    """The cell as an answer with how much of a question it explains; none where it does not answer it.

    None of the ``names`` in the question may be left that the text around the table does not have.
    """
    named, in_full = row.named(asked, cell)
    left = asked - named - head - row.context - {"price"}  # "how much" asks for one, whatever its head is
    by_context = len(row.cells) == 1 and bool(row.context & asked)
    if not (named or by_context) or len(left) > MOST_LEFT or any(map(is_code, left)) or not head | named:
        return
    if (unsaid := left & names) and not unsaid <= words_of(row.shown.text.text):
        return
    own = words_of(row.words(cell))
    if (own and own <= asked) or (head and head <= named):
        return  # it only repeats the question, or its head does what names the row: "Office" an "officer"
    exact = whole and (in_full or by_context) and not left
    fit = len(named | head | (row.context & asked)), whole, len(head)
    yield fit, Answer(with_unit(row, cell), ((row.shown, row.block, cell),), exact)


def whole_row(rows: Sequence[Row], asked: Words) -> list[Answer]:
    """All figures of the one row that a question names in full without a column: "2023: €318 million; …"."""
    found = []
    for row in rows:
        named, in_full = row.named(asked)
        if in_full and named and not asked - named - row.context and (cells := _figures(row)):
            value = LIST.join(f"{cell.head}: {with_unit(row, cell)}" for cell in cells)
            found.append(Answer(value, tuple((row.shown, row.block, cell) for cell in cells), reason="A whole row"))
    return found if len(found) == 1 else []


def _figures(row: Row) -> list[Cell]:
    """The cells of a row beside its name, where each is a number under a head."""
    cells = [cell for cell in row.cells if not cell.names_row]
    numbers = all(cell.value.number is not None and cell.head for cell in cells)
    return cells if numbers and 1 < len(cells) <= MOST_EQUAL else []


def _columns(question: str, row: Row, asked: Words) -> list[tuple[Cell, Words, bool]]:
    """The cells of a row whose heads a question names: in full, else in half of their words, else by their values.

    The name of a row of people may answer "who", too, a place "where", and the other cell of a pair its name.
    """
    asks = question.lower().partition(" ")[0]
    may_be = [cell for cell in row.cells if asks not in _OF_WH or _is_name(row, cell)]
    named = [(cell, head) for cell in may_be if (head := head_words(cell))]
    whole = [(cell, head, True) for cell, head in named if head <= asked]
    if len(row.cells) == 1:
        return whole
    filled = [(cell, head) for cell, head in named if cell.value.kind != "empty"]
    half = [(cell, head & asked, False) for cell, head in filled if 2 * len(head & asked) >= len(head)]
    return [*(whole or half or _of_sort(question, row, asked)), *_without_head(asks, row, asked)]


def _without_head(asks: str, row: Row, asked: Words) -> list[tuple[Cell, Words, bool]]:
    """The cells of a row that answer a question which says nothing of their heads."""
    named, in_full = row.named(asked)
    if in_full and len(row.cells) == 2 and not asked - named - row.context:  # a pair that is named in full
        found = list(row.cells)
    else:
        may_answer = _OF_WH.get(asks, _never)
        found = [cell for cell in row.cells if may_answer(cell)]
    own = [cell for cell in row.cells if key(cell.head).split()[-1:] == [asks]]  # "Who", "By when" of an action
    return [(cell, frozenset(), False) for cell in found or own]


def _is_name(row: Row, cell: Cell) -> bool:
    """Whether a cell may name a person or place: words without a date."""
    return cell.value.kind == "text" and not dates(row.words(cell))


def _is_place(cell: Cell) -> bool:
    return cell.value.kind == "text" and noun_class(cell.head.lower()) == "place"


def _never(cell: Cell) -> bool:
    return False


_OF_WH: Mapping[str, Callable[[Cell], bool]] = {"who": names_people, "where": _is_place}
"""Which cell of a row answers a question that begins so."""


def _of_sort(question: str, row: Row, asked: Words) -> list[tuple[Cell, Words, bool]]:
    """The one cell of a row that holds what "how much" asks for, and the words that it answers."""
    word, kinds = next(((w, kinds) for w, kinds in _SORTS.items() if question.lower().startswith(w)), ("", ()))
    if word == "when" and asked - row.named(asked)[0] - row.context:
        return []  # of what happened then, no word is said
    sorted_by = ([cell for cell in row.cells if cell.value.kind == kind and not cell.names_row] for kind in kinds)
    only = next((cells for cells in sorted_by if cells), [])
    return [(only[0], asked & words_of(ADJECTIVES.get(word[4:], "")), False)] if len(only) == 1 else []


def opinions(question: str, rows: Sequence[Row], asked: Words) -> Iterator[Answer]:
    """Yes or no of the cell whose row and column a question names, and of a box with what it stands before."""
    meaning = {"yes": "yes", "ticked": "yes", "no": "no", "unticked": "no", "empty": ""}
    if NEGATION.search(question):
        return
    found = []
    for row in rows:
        for cell in row.cells:
            head, (named, _) = words_of(cell.head), row.named(asked, cell)
            left = asked - named - head - row.context
            if cell.value.kind in meaning and head and head <= asked and (named or len(row.cells) == 1) and not left:
                found.append(
                    ((len(named), True, 0), Answer(meaning[cell.value.kind], ((row.shown, row.block, cell),), True))
                )
    yield from _fittest(found)


def _fittest(found: Sequence[tuple[Fit, Answer]]) -> list[Answer]:
    """The answers that explain most of a question."""
    most = max((fit for fit, _ in found), default=None)
    return [one for fit, one in found if fit == most]


def boxes(question: str, shown: Iterable[Shown]) -> Iterator[Answer]:
    """Yes or no of boxes before a sentence that a question asks of: "[x] Pets are allowed."."""
    asked = asked_words(question)
    for one in shown if not NEGATION.search(question) else ():
        for box in _BOX.finditer(one.text.text):
            if asked - words_of(one.text.title) <= words_of(box["label"]):
                start, end = (one.start + at for at in box.span())
                cell = Cell(start, one.start + box.end("box"))
                value = "no" if box["box"] in _EMPTY_BOXES else "yes"
                yield Answer(value, ((one, Block("item", start, end), cell),), True)
