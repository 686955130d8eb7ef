"""What the reader points at, in texts that were shown: spans that may answer a question, and yes or no."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from clew.agent.evidence import Seen, Shown
from clew.agent.policies.reader.answer_span import asked_for, end_asked, is_one_of_several, listed
from clew.agent.policies.reader.cells import cell_asked, is_of_another_row, tables_asked
from clew.agent.policies.reader.places import is_title, section_around, sentence_around, trimmed
from clew.agent.policies.reader.scope import is_denied, of_another_deed, of_another_measure, of_something_else
from clew.agent.policies.reader.statement import PRONOUNS
from clew.questions.plan import Kind
from clew.questions.words import MAKERS, is_participle
from clew.reader.confidence import denies, features, fits, of_another_year, repeats
from clew.reader.reader import Reader
from clew.reader.spans import Span
from clew.text.names import key
from clew.text.series import fields
from clew.text.values import in_full

_MOST_OVER = 8
"""Words of a value that a full stop is in, such as that of an abbreviation, at most."""
_STEM = 5
_ROLE = re.compile(r"who (?:is|was|are|were) the (?P<role>[\w -]{2,40}?) (?:of|at|for|in)\b", re.IGNORECASE)
_WORK_BY = re.compile(r"\b(?:an?|the|his|her|their) (?:[\w-]+ ){0,3}(?P<work>[\w-]+) by \Z", re.IGNORECASE)
_BEFORE = 60


def seen_spans(
    question: str, names: Sequence[str], expects: str, shown: Sequence[Shown], reader: Reader, kind: Kind = "value"
) -> Iterator[Seen]:
    """The spans of what was shown that may answer ``question``.

    ``names`` are what the question speaks of, ``expects`` the form of its answer as ``clew.questions.plan`` tells it:
    what has another form is none, and neither is what only repeats the question. Where a sentence holds several values
    or a list, the value is what the question asks for of them.
    """
    readings = reader.read(question, [one.text for one in shown])
    tables: dict[str, set[str]] = {}
    for one in shown:
        tables.setdefault(one.document, set()).update(tables_asked(question, one.text.text))
    for rank, (one, reading) in enumerate(zip(shown, readings, strict=True)):
        text = one.text.text
        for span in reading.spans:
            pointed_at = _value_at(question, text, span, tables[one.document])
            if pointed_at is None:
                continue
            start, end = pointed_at
            a, b = sentence_around(text, start, end)
            if of_another_year(question, text[a:b], one.text.title) or is_title(text, a, b):
                continue
            section = section_around(text, a, b)
            asked = asked_for(question, text, (a, b), (start, end), expects)
            if asked is None or key(asked.value) in PRONOUNS | {""} or repeats(question, asked.value):
                continue
            if not fits(asked.value, expects) or of_another_measure(question, asked.value):
                continue
            if of_something_else(names, text, (a, b)):
                continue
            if is_denied(question, text[a:b], asked.value):
                continue
            seen = features(
                question, names, title=one.text.title, text=text, section=section,
                sentence=text[a:b], value=asked.value, margin=span.margin, rank=rank,
                implied=end_asked(question, text, (start, end)),
            )  # fmt: skip
            may_list = expects in ("any", "person") and not seen["dated"]
            whole = listed(text, (start, end), plural=kind == "list") if may_list and not fields(text[a:b]) else ""
            several = is_one_of_several(question, text, (a, b), (start, end))
            around, before = f"{one.text.title} {section}", text[max(0, start - _BEFORE) : start]
            is_open = not asked.clear or bool(whole) or _of_another_role(question, names, around, before)
            deed = of_another_deed(question, text[a:b], asked.value)
            told = {"open": float(is_open), "several": float(several), "other_deed": float(deed)}
            yield Seen(one, whole or asked.value, (a, b), seen | told)


def _value_at(question: str, text: str, span: Span, tables: Collection[str]) -> tuple[int, int] | None:
    """The value that the reader points at, in full; None where it reaches over what cannot be one value.

    Where it reaches over cells of a row, it is the cell that the question asks for; no other cell is the answer where a
    row tells that one, and none of another row of that table, which is one of ``tables``.
    """
    start, end = in_full(text, *trimmed(text, span.start, span.end))
    a, b = sentence_around(text, start, end)
    if row := fields(text[a:b]):
        field = cell_asked(question, (a, b), text)
        if field is not None and not (field[0] < end and start < field[1]):
            return None
        if not any(first <= start - a and end - a <= last for _, (first, last) in row):
            return field
        return (start, end) if field or not is_of_another_row(question, (a, b), text, tables) else None
    if sentence_around(text, start, start + 1)[1] < end and len(text[start:end].split()) > _MOST_OVER:
        return None
    return start, end


def _of_another_role(question: str, names: Sequence[str], around: str, before: str) -> bool:
    """Whether a question asks who has a role that ``around``, the paragraph with its title, does not speak of.

    ``before`` is what stands before the value: "a book by" names its author.
    """
    role = _ROLE.match(question)
    if role is None or not names:
        return False
    asked = key(role["role"]).split()
    work = _WORK_BY.search(before)
    if work is not None and not is_participle(work["work"].lower()) and MAKERS.intersection(asked):
        return False
    told = {word[:_STEM] for word in key(around).split()}
    return not any(word[:_STEM] in told for word in asked)


def seen_verdicts(question: str, names: Sequence[str], shown: Sequence[Shown], reader: Reader) -> Iterator[Seen]:
    """What each text that was shown says to a question of yes or no, with the sentence the reader points at.

    Yes is none where that sentence denies, and neither is one where words of the question are said elsewhere: that it
    reads no other format.
    """
    readings = reader.read(question, [one.text for one in shown])
    for rank, (one, reading) in enumerate(zip(shown, readings, strict=True)):
        yes, told = reading.verdict
        text = one.text.text
        a, b = sentence_around(text, reading.spans[0].start, reading.spans[0].end) if reading.spans else (0, len(text))
        seen = features(
            question, names, title=one.text.title, text=text, section=section_around(text, a, b), sentence=text[a:b],
            value="", margin=told, rank=rank,
        )  # fmt: skip
        if not (seen["unsaid"] or (yes > 0 and denies(question, text[a:b]))):
            yield Seen(one, "yes" if yes > 0 else "no", (a, b), seen | {"decided": min(abs(yes), 10.0)})
