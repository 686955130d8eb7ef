"""Reading one hop: the spans of what was shown that answer it, each with its probability and the sentence it is in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from clew.agent import stated
from clew.agent.abroad import told_abroad
from clew.agent.apart import (
    HEADING,
    blocks_of,
    counts_others,
    field_alone,
    is_denied,
    is_named_later,
    is_no_option,
    is_row_of_something_else,
    measure_asked,
    of_another_attribute,
    of_another_deed,
    of_another_measure,
    of_something_else,
)
from clew.agent.asked import LIST, asked_for, end_asked, end_of, is_one_of_several, listed, period_of
from clew.agent.deed import contradicts, when_told
from clew.agent.evidence import Evidence, Shown
from clew.agent.imprint import said_of_itself
from clew.agent.rows import (
    cell_asked,
    cells_asked,
    column_asked,
    is_of_another_row,
    measured_by_head,
    name_of_row,
    tables_asked,
    with_unit,
)
from clew.agent.statement import PRONOUNS, stated_value
from clew.questions.abroad import asked_abroad, is_caseless
from clew.questions.plan import Kind
from clew.questions.words import MAKERS, is_participle
from clew.reader.confidence import (
    MOST_LEFT,
    Confidence,
    Features,
    certain,
    denies,
    features,
    fits,
    goes_on,
    of_another_year,
    repeats,
    sentence_before,
)
from clew.reader.reader import Reader
from clew.reader.spans import Span
from clew.text.mentions import mentions
from clew.text.names import key
from clew.text.sentences import asks, is_heading, sentences
from clew.text.series import fields, items
from clew.text.values import in_full, measures
from clew.types import Support

_LABEL = re.compile(r"^(?:[^\W\d_]{1,10}\s?[.:)]|\d{1,3}[.)])\s+")
"""What stands before a question or its answer: "Q:", "A.", "3."."""
_LONGEST_ANSWER = 15
_MOST_OVER = 8
"""Words of a value that a full stop is in, such as that of an abbreviation, at most."""
_WHOLE_TOKEN = re.compile(r"(?:(?:[.@/_+]|,(?=\d))?[^\W_])+")
"""What goes on with a word or code without a space, and belongs to it: "info@firm" of "info@firm.example"."""
_CODE = re.compile(r"[\d@/_]")
"""What a code, an address or a path has, and two sentences without a space between them have not."""
_BEGUN_TOKEN = re.compile(r"[^\W\d_][^\W_]*(?:[.@/_+-][^\W\d_][^\W_]*)*[.@/_+-]?\Z")
"""The same before it: "9921" of "KX-9921"."""
_STEM = 5
_YEAR = re.compile(r"\b[12]\d{3}\b")
_ROLE = re.compile(r"who (?:is|was|are|were) the (?P<role>[\w -]{2,40}?) (?:of|at|for|in)\b", re.IGNORECASE)
_WHO = re.compile(r"who\b", re.IGNORECASE)
_WORK_BY = re.compile(r"\b(?:an?|the|his|her|their) (?:[\w-]+ ){0,3}(?P<work>[\w-]+) by \Z", re.IGNORECASE)
_BEFORE = 60
READ = 8
"""Texts that are read for a hop, at most."""
TOLD = 0.8
"""Probability of yes and no, and of the answer to a question in another language, read off the words of a sentence."""
_BY_READER = ("margin", "open", "several", "other_deed")
"""What is seen of a span where the reader points at it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value with the probability that it answers, the sentence that states it, and whether it may be called sure.

    ``told`` says that it was read off the words of that sentence, not by the reader.
    """

    value: str
    probability: float
    support: Support
    certain: bool = False
    told: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """A span of a text that was shown, what is seen of it, and the sentence around it (characters of the text)."""

    shown: Shown
    value: str
    sentence: tuple[int, int]
    features: Features

    def supports(self, evidence: Evidence) -> Support:
        """The sentence as a place in its document."""
        start, end = self.sentence
        one = self.shown
        a, b = (one.start + start, one.start + end) if one.exact else (one.start, one.end)
        return Support(one.document, one.text.title, a, b, one.page, evidence.number(one.document, a, b))


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
            if of_another_year(question, text[a:b], one.text.title) or _is_title(text, a, b):
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
    start, end = in_full(text, *_trimmed(text, span.start, span.end))
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


def told_by_words(question: str, names: Sequence[str], kind: Kind, shown: Sequence[Shown]) -> Iterator[Seen]:
    """What sentences say in so many words: yes or no, a reason, what something is, the field of a row."""
    for rank, one in enumerate(shown):
        text, title = one.text.text, one.text.title
        for a, b in _sentences(text):
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
            elif asked_abroad(question):
                value = "" if _names_what_follows(text, a, b) else told_abroad(question, names, sentence)
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
        for a, b in _sentences(text) if kind in ("value", "count") else ():
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
        for a, b in _sentences(text):
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
    following = next((text[a:b] for a, b in _sentences(text) if a >= asked[1]), "")
    value = _LABEL.sub("", following).strip().rstrip(".")
    return value if len(value.split()) <= _LONGEST_ANSWER and not value.endswith("?") else ""


def sentences_near(question: str, names: Sequence[str], shown: Shown, rank: int) -> Iterator[tuple[Seen, float, float]]:
    """The sentences that share a word with ``question``, heading and title included: each with the share of its words
    that it has, and with how many of ``names`` it lacks.
    """
    text, title = shown.text.text, shown.text.title
    for a, b in _sentences(text):
        if not _is_title(text, a, b):
            section = section_around(text, a, b)
            under = f"{title} {section.splitlines()[0]}"
            seen = features(
                question, names, title=under, text=text[a:b], section=section, sentence=text[a:b], value="",
                margin=0.0, rank=rank,
            )  # fmt: skip
            if seen["words"]:
                yield Seen(shown, "", (a, b), seen), seen["words"], seen["names_missing"]


def seen_values(
    question: str, names: Sequence[str], expects: str, shown: Sequence[Shown], reader: Reader, kind: Kind = "value"
) -> Iterator[Seen]:
    """Every value that may answer ``question``, of whatever way it was found, with what is seen of it.

    ``told`` says that words of the sentence state it, ``written`` that it is a field of the name that is asked for, or
    stands below the same question, ``cell`` that it stands in the row and the column that are asked for; its margin is
    that of the reader, where it points at the same value in that text.
    """
    away = _names_elsewhere(names, shown)
    places = {one: at for at, one in enumerate(shown)}
    read: dict[tuple[int, str], Seen] = {}
    if not (asked_abroad(question) and expects in ("person", "date", "number")):
        # In another language the reader, which learned English, takes any name or number for the answer.
        for one in seen_spans(question, names, expects, shown, reader, kind):
            read.setdefault((places[one.shown], key(one.value)), one)
    in_words = "written" if kind in ("value", "count") and not asked_abroad(question) else "told"
    ways = [("", one) for one in read.values()]
    ways += [("written", one) for one in answered_below(question, names, shown)]
    ways += [("told", one) for one in stated_in_words(question, names, kind, shown)]
    ways += [(in_words, one) for one in told_by_words(question, names, kind, shown)]
    if kind == "list":
        ways += [("cell", one) for one in told_by_columns(question, names, shown)]
    if kind in ("value", "count", "list") and not asked_abroad(question):
        cells = told_by_rows(question, names, expects, shown)
        ways += [("exact cell" if exact else "cell", one) for one, exact in cells]
    margins = [(f" {key(one.value)} ", one.features["margin"]) for _, one in ways]
    for way, one in ways:
        at = places[one.shown]
        pointed_at = read.get((at, key(one.value)))
        seen = dict.fromkeys(_BY_READER, 0.0) | one.features
        if pointed_at is not None:
            seen |= {name: pointed_at.features[name] for name in _BY_READER}
        said = one.shown.text.text[slice(*one.sentence)]
        if _is_of_another(question, names, one, said):
            continue
        measured = measures(one.value) or measured_by_head(one.value, said)
        unit_missing = bool(measure_asked(question)) and not measured
        own = f" {key(one.value)} "
        rivals = [margin for value, margin in margins if value not in own and own not in value]
        seen["lead"] = max(min(seen["margin"] - max(rivals, default=-10.0), 10.0), -10.0)
        written = way == "written" or (way == "exact cell" and in_words == "written")
        seen |= {"told": float(bool(way)), "written": float(written), "cell": float(way.endswith("cell"))}
        yield replace(one, features=seen | {"unit_missing": float(unit_missing), "names_elsewhere": float(away[at])})


def _is_of_another(question: str, names: Sequence[str], one: Seen, said: str) -> bool:
    """Whether a sentence says of something else what the value answers, or the value is none that may answer."""
    text, title = one.shown.text.text, one.shown.text.title
    if is_named_later(names, title, text, one.sentence) or is_no_option(question, one.value):
        return True
    if fields(said):
        return False  # a row has no grammar, and other checks
    section = section_around(text, *one.sentence)
    before = sentence_before(section, said) if goes_on(said) else ""
    if of_another_attribute(question, text, said, one.value):
        return True
    return counts_others(question, text, said, one.value) or contradicts(question, before, said, one.value)


def _names_elsewhere(names: Sequence[str], shown: Sequence[Shown]) -> list[int]:
    """For each text how many names nothing that was shown of its document has, though another document has them."""
    said: dict[str, str] = {}
    for one in shown:
        said[one.document] = f"{said.get(one.document, '')} {one.text.title} {one.text.text}"
    has = {document: [mentions(text, name) for name in names] for document, text in said.items()}
    anywhere = [any(column) for column in zip(*has.values(), strict=True)]
    missing = {document: sum(a and not b for a, b in zip(anywhere, own, strict=True)) for document, own in has.items()}
    return [missing[one.document] for one in shown]


def candidates(
    question: str, query: str, names: Sequence[str], expects: str, evidence: Evidence, reader: Reader,
    confidence: Confidence, kind: Kind = "value",
) -> list[Candidate]:  # fmt: skip
    """The values that may answer ``question``, most probable first, each once; of yes and no where it asks for that.

    What the reader alone makes sure stays so where words tell it, too.
    """
    shown = evidence.of(query)[:READ]
    found: dict[str, Candidate] = {}

    def add(one: Seen, probability: float, may_be_sure: bool, *, told: bool) -> None:
        known = found.get(key(one.value))
        if known is None or weight(known) < (may_be_sure and probability >= confidence.sure, probability):
            most = max(probability, known.probability if known else 0.0)
            found[key(one.value)] = Candidate(one.value, most, one.supports(evidence), may_be_sure, told)

    def weight(one: Candidate) -> tuple[bool, float]:
        return one.certain and one.probability >= confidence.sure, one.probability

    if kind == "yes/no":
        for one in told_by_words(question, names, kind, shown):
            add(one, TOLD, False, told=True)
        for one in seen_verdicts(question, names, shown, reader):
            if one.features["words_left"] > MOST_LEFT:
                continue  # the reader says yes to anything
            add(one, confidence.of_verdict(one.features), False, told=False)
        return sorted(found.values(), key=lambda one: -one.probability)
    for one in seen_values(question, names, expects, shown, reader, kind):
        told = bool(one.features["told"])
        probability = TOLD if told and asked_abroad(question) else confidence.of_span(one.features)
        if kind == "definition" and not told and not _may_define(question, one.value):
            continue
        add(one, probability, certain(one.features), told=told)
    if kind == "value":
        found = {name: _with_unit(one, shown) for name, one in found.items()}
    return sorted(found.values(), key=lambda one: -one.probability)


def _with_unit(one: Candidate, shown: Sequence[Shown]) -> Candidate:
    """A number of a row with the unit that the head of its column tells: without it, 18,500 may be anything."""
    for other in shown:
        if other.document == one.support.document and other.start <= one.support.start < other.end:
            row = other.text.text[one.support.start - other.start : one.support.end - other.start]
            return replace(one, value=with_unit(one.value, row))
    return one


def _may_define(question: str, value: str) -> bool:
    """Whether a value may say what something is: no list, and of a person no name of another one."""
    names_alone = not any(word[:1].islower() for word in value.split())
    return LIST not in value and not (names_alone and _WHO.match(question))


def section_around(text: str, start: int, end: int) -> str:
    """The paragraph of ``text`` that holds ``start:end``, after the nearest heading above it in the passage."""
    blocks = blocks_of(text)
    own = [at for at, (a, b) in enumerate(blocks) if a < end and start < b]
    if not own:
        return text[start:end]
    above = (text[a:b] for a, b in reversed(blocks[: own[0]]))
    heading = next((block for block in above if len(block) < HEADING and block[-1] not in ".!:;,"), "")
    return f"{heading}\n{text[blocks[own[0]][0] : blocks[own[-1]][1]]}"


def _is_title(text: str, start: int, end: int) -> bool:
    """Whether a sentence only says what follows it; a line that tells a list is none of those."""
    return len(text[start:end].split()) < 3 or (is_heading(text, start, end) and "," not in text[start:end])


def _names_what_follows(text: str, start: int, end: int) -> bool:
    """Whether a line is the title of a text or part; a script without capitals may put no stop behind a sentence."""
    return is_heading(text, start, end) and not is_caseless(text[start:end])


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence or sentences of ``text`` that hold ``start:end``."""
    inside = [(a, b) for a, b in _sentences(text) if a < end and start < b]
    return (min(inside[0][0], start), max(inside[-1][1], end)) if inside else (start, end)


@lru_cache(maxsize=512)
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a text that is looked at for each of its spans, and again at the next turn."""
    return tuple(sentences(text))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space, punctuation and half of a pair of brackets or quotation marks around it."""
    while start < end and (text[start].isspace() or text[start] in ",.;:!?–—-)]}"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ",;:!?–—-([{"):
        end -= 1
    if start < end:
        before = _BEGUN_TOKEN.search(text[max(0, start - 40) : start]) if text[start].isalnum() else None
        rest = _WHOLE_TOKEN.match(text, end) if text[end - 1].isalnum() else None
        a, b = start - (len(before.group()) if before else 0), rest.end() if rest else end
        if _CODE.search(text[a:b].replace(text[start:end], "", 1)) or _CODE.search(text[start:end]):
            start, end = a, b
    value = text[start:end]
    if value.endswith(".") and value.count(".") == 1:
        end -= 1
    for left, right in ("()", "[]", "“”", "«»"):
        if value.startswith(left) and right not in value:
            start += 1
        if text[start:end].endswith(right) and left not in text[start:end]:
            end -= 1
    if text[start:end].count('"') == 1 and text[start:end].strip('"') != text[start:end]:
        start, end = start + (text[start] == '"'), end - (text[end - 1] == '"')
    return start, end
