"""What words and rows of a text tell without the reader: each value with the sentence or row that states it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.agent.evidence import Seen, Shown
from clew.agent.policies.reader import stated
from clew.agent.policies.reader.answer_span import LIST, end_asked, end_of, period_of
from clew.agent.policies.reader.cells import cell_asked, cells_asked, column_asked, name_of_row
from clew.agent.policies.reader.contradiction import when_told
from clew.agent.policies.reader.metadata_answers import said_of_itself
from clew.agent.policies.reader.places import section_around, sentence_around, sentences_of
from clew.agent.policies.reader.scope import field_alone, is_row_of_something_else, of_something_else
from clew.agent.policies.reader.statement import stated_value
from clew.questions.plan import Kind
from clew.reader.confidence import features, fits, of_another_year, repeats
from clew.text.names import key
from clew.text.sentences import asks
from clew.text.series import items

_LABEL = re.compile(r"^(?:[^\W\d_]{1,10}\s?[.:)]|\d{1,3}[.)])\s+")
"""What stands before a question or its answer: "Q:", "A.", "3."."""
_LONGEST_ANSWER = 15
_YEAR = re.compile(r"\b[12]\d{3}\b")


def told_by_words(question: str, names: Sequence[str], kind: Kind, shown: Sequence[Shown]) -> Iterator[Seen]:
    """What sentences say in so many words: yes or no, a reason, what something is, the field of a row."""
    for rank, one in enumerate(shown):
        text, title = one.text.text, one.text.title
        for a, b in sentences_of(text):
            sentence, section, value = text[a:b], section_around(text, a, b), ""
            if kind == "yes/no":
                cell = cell_asked(question, (a, b), text)
                value = stated.opinion(text[slice(*cell)]) if cell else ""
                value = value or stated.yes_or_no(question, names, title, section, sentence)
            elif kind == "reason":
                value = stated.reason(question, names, title, section, sentence)
            elif kind == "definition":
                value = next((what for name in names[:1] if (what := stated.definition(name, sentence))), "")
                value = value or name_of_row(question, sentence, text)
            elif kind == "list" and stated.heads(question, names, section.partition("\n")[0]):
                value = LIST.join(text[slice(*item)] for item in items(text, a, b))
            else:
                value = period_of(question, names, title, sentence)
            yield from _told(question, names, one, (a, b), value, rank)


def told_by_rows(
    question: str, names: Sequence[str], expects: str, shown: Sequence[Shown]
) -> Iterator[tuple[Seen, bool]]:
    """The cells of tables that are asked for, and whether row and head are named in full."""
    for rank, one in enumerate(shown):
        text = one.text.text
        for asked in cells_asked(question, text):
            cell, near = text[slice(*asked.cell)], f"{one.text.title} {section_around(text, *asked.row)}"
            if is_row_of_something_else(names, text, text[slice(*asked.row)], near):
                continue
            if fits(cell, expects):
                for seen in _told(question, names, one, asked.row, end_of(question, cell), rank):
                    yield seen, asked.exact


def told_by_columns(question: str, names: Sequence[str], shown: Sequence[Shown]) -> Iterator[Seen]:
    """The cells of the column that a list is asked of, over all rows that have what the question names."""
    for rank, one in enumerate(shown):
        text = one.text.text
        if cells := column_asked(question, text):
            value = LIST.join(dict.fromkeys(text[slice(*cell)] for cell in cells))
            rows = [sentence_around(text, *cell) for cell in cells]
            yield from _told(question, names, one, (rows[0][0], rows[-1][1]), value, rank)


def stated_in_words(question: str, names: Sequence[str], kind: Kind, shown: Sequence[Shown]) -> Iterator[Seen]:
    """What is said in the words of the question: by a field of that name, or by the question as a sentence."""
    for rank, one in enumerate(shown):
        text, title = one.text.text, one.text.title
        for a, b in sentences_of(text) if kind in ("value", "count") else ():
            if _is_meant(question, names, text, (a, b)):
                section, lines = section_around(text, a, b), text[a:b].splitlines()
                around = f"{title} {section.partition(chr(10))[0]}"
                fields_alone = (field_alone(question, [*names, title], line, f"{title} {section}") for line in lines)
                value = next(filter(None, fields_alone), "")
                value = value or next(filter(None, (said_of_itself(question, title, line) for line in lines)), "")
                value = value or stated_value(question, names, around, text[a:b])
                value = value or when_told(question, names, around, text[a:b])
                if not repeats(question, value):
                    yield from _told(question, names, one, (a, b), value, rank)


def answered_below(question: str, names: Sequence[str], shown: Sequence[Shown]) -> Iterator[Seen]:
    """The answers that stand below the same question."""
    for rank, one in enumerate(shown):
        text = one.text.text
        for a, b in sentences_of(text):
            value = _answer_below(question, text, (a, b))
            if value and not repeats(question, value):
                yield from _told(question, names, one, (a, text.index(value, b) + len(value)), value, rank)


def _told(
    question: str, names: Sequence[str], one: Shown, sentence: tuple[int, int], value: str, rank: int
) -> Iterator[Seen]:
    """A value that words tell, where there is one and its sentence is of no other year."""
    text, title = one.text.text, one.text.title
    said = text[slice(*sentence)]
    if value and not of_another_year(question, said, title):
        at = said.find(value)
        seen = features(
            question, names, title=title, text=text, section=section_around(text, *sentence), sentence=said,
            value=value, margin=0.0, rank=rank, implied=end_asked(question, said, (at, at + len(value))),
        )  # fmt: skip
        yield Seen(one, value, sentence, seen)


def _is_meant(question: str, names: Sequence[str], text: str, sentence: tuple[int, int]) -> bool:
    """Whether a sentence tells of what the question names, and of no year but its own."""
    asked, told = set(_YEAR.findall(question)), set(_YEAR.findall(text[slice(*sentence)]))
    return (not asked or told <= asked) and not of_something_else(names, text, sentence)


def _answer_below(question: str, text: str, asked: tuple[int, int]) -> str:
    """The sentence after one that is the same question, as long as it is short; empty where there is none."""
    told = _LABEL.sub("", text[slice(*asked)])
    if not asks(told) or key(told) != key(question):
        return ""
    following = next((text[a:b] for a, b in sentences_of(text) if a >= asked[1]), "")
    value = _LABEL.sub("", following).strip().rstrip(".")
    return value if len(value.split()) <= _LONGEST_ANSWER and not value.endswith("?") else ""
