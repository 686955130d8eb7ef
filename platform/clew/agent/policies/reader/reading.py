"""Reading one hop: every value of what was shown that may answer it, with its probability."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from email.utils import parseaddr
from itertools import pairwise

from clew.agent.evidence import LIST, Evidence, Seen, Shown
from clew.agent.policies.reader.answer_span import answer_span, is_one_of_several, listed, of_other_measure
from clew.agent.policies.reader.contradiction import is_contradicted, leaves_open
from clew.agent.policies.reader.lookup import boxes
from clew.agent.policies.reader.places import kind_at, section_around, sentence_around, sentences_of, trimmed
from clew.agent.policies.reader.rows import Answer, rows_of
from clew.agent.policies.reader.scope import headings_shown, namesakes, out_of_scope
from clew.agent.policies.reader.tables import answers
from clew.questions.plan import Kind
from clew.reader.confidence import MOST_LEFT, Confidence, certain, features, fits, repeats
from clew.reader.reader import Reader
from clew.text.names import FUNCTION_WORDS, key
from clew.types import Block, Cell, Support

READ = 3
"""Texts that the reader reads for a hop: with five one wrong value less in 115 is given, for 1.6 times the time."""
EXACT, LIKELY = 0.95, 0.7
"""Probability of a cell whose row and column are named in full, and of one that is found otherwise."""
PRONOUNS = frozenset("he she it they him her them his its their this that these those there what who".split())
_LABEL = re.compile(r"^(?:[^\W\d_]{1,10}\s?[.:)]|\d{1,3}[.)])\s+")
"""What stands before a question or its answer: "Q:", "A.", "3."."""
_LONGEST_ANSWER = 15
_LONGEST_VALUE = 8
"""Words of a value that reaches over the end of a sentence, such as that of an abbreviation, at most."""
_METADATA = (
    (r"who (?:wrote|authored|drafted) (?P<what>.+)", ("author", "authors", "creator", "from")),
    (r"who (?:is|are|was|were) the authors? of (?P<what>.+)", ("author", "authors", "creator", "from")),
    (r"who (?:edited|published|sent) (?P<what>.+)", ("editor", "publisher", "from", "sender")),
    (r"(?:to whom|who) was (?P<what>.+?) (?:sent|addressed)(?: to)?", ("to",)),
    (r"when was (?P<what>.+?) (?:written|published|sent|dated|created)", ("date", "created", "published")),
    (r"when was (?P<what>.+?) updated", ("updated",)),
)
_DAY = len("2026-11-29")
_MAIL = frozenset("message mail e email".split())
_SORTS = _MAIL | frozenset("document report article page letter memo file text post paper".split())
"""Words that say what sort of thing a document is, which its title need not say; a letter is no e-mail."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value with the probability that it answers, the sentence that states it, and whether it may be called sure.

    ``reason`` says how it was found where no reader pointed at it. A ``value`` that is empty is that of an empty cell.
    """

    value: str
    probability: float
    support: Support
    certain: bool = False
    reason: str = ""
    further: tuple[Support, ...] = ()


def seen_values(
    question: str, names: Sequence[str], expects: str, shown: Sequence[Shown], reader: Reader, kind: Kind = "value"
) -> Iterator[Seen]:
    """The spans that the reader points at and that may answer ``question``, with what is seen of each.

    ``names`` are what the question speaks of, ``expects`` the form of its answer as ``clew.questions.plan`` tells it.
    """
    found = list(_spans(question, names, expects, shown, reader, kind))
    margins = [(f" {key(one.value)} ", one.features["margin"]) for one in found]
    for one in found:
        own = f" {key(one.value)} "
        rivals = [margin for value, margin in margins if value not in own and own not in value]
        lead = max(min(one.features["margin"] - max(rivals, default=-10.0), 10.0), -10.0)
        yield replace(one, features=one.features | {"lead": lead})


def _spans(
    question: str, names: Sequence[str], expects: str, shown: Sequence[Shown], reader: Reader, kind: Kind
) -> Iterator[Seen]:
    headed, everything = headings_shown(shown), key(" | ".join(one.text.text for one in shown))
    others = namesakes(question, names, shown)
    for rank, (one, reading) in enumerate(zip(shown, reader.read(question, [one.text for one in shown]), strict=True)):
        text = one.text.text
        for span in reading.spans:
            start, end = trimmed(text, span.start, span.end)
            a, b = sentence_around(text, start, end)
            over_end = (
                sentence_around(text, start, start + 1)[1] < end and len(text[start:end].split()) > _LONGEST_VALUE
            )
            if start >= end or over_end or kind_at(one, start) in ("heading", "row"):
                continue
            if one.document in others or out_of_scope(question, names, one, (a, b), headed[one.document]):
                continue
            value = answer_span(question, text, (start, end), expects)
            if key(value) in PRONOUNS | {""} or repeats(question, value) or of_other_measure(question, value):
                continue
            if is_contradicted(question, names, text, (a, b), value, everything):
                continue
            whole = listed(one, (start, end)) if kind == "list" and expects in ("any", "person") else ""
            seen = features(
                question, names, title=one.text.title, text=text, section=section_around(one, a, b),
                sentence=text[a:b], value=value, margin=span.margin, rank=rank,
            )  # fmt: skip
            seen |= {"open": float(bool(whole)), "several": float(is_one_of_several(text[a:b], value))}
            yield Seen(one, whole or value, (a, b), seen)


def _answered_below(question: str, shown: Sequence[Shown]) -> Iterator[Answer]:
    """The answers that stand below the same question."""
    for one in shown:
        text = one.text.text
        for (a, b), (c, d) in pairwise(sentences_of(text)):
            asked, value = _LABEL.sub("", text[a:b]).strip(), _LABEL.sub("", text[c:d]).strip().rstrip(".")
            short = value and len(value.split()) <= _LONGEST_ANSWER and not value.endswith("?")
            if asked.endswith("?") and key(asked) == key(question) and short:
                start = one.start + text.index(value, c)
                cell = Cell(start, start + len(value))
                yield Answer(value, ((one, Block("pair", one.start + a, one.start + d), cell),), True)


def seen_verdicts(question: str, names: Sequence[str], shown: Sequence[Shown], reader: Reader) -> Iterator[Seen]:
    """What each text that was shown says to a question of yes or no, with the sentence the reader points at.

    Yes is none where that sentence leaves it open.
    """
    readings = reader.read(question, [one.text for one in shown])
    for rank, (one, reading) in enumerate(zip(shown, readings, strict=True)):
        yes, margin = reading.verdict
        text = one.text.text
        a, b = sentence_around(text, reading.spans[0].start, reading.spans[0].end) if reading.spans else (0, len(text))
        seen = features(
            question, names, title=one.text.title, text=text, section=section_around(one, a, b), sentence=text[a:b],
            value="", margin=margin, rank=rank,
        )  # fmt: skip
        if not (yes > 0 and leaves_open(question, text[a:b])):
            yield Seen(one, "yes" if yes > 0 else "no", (a, b), seen | {"decided": min(abs(yes), 10.0)})


def candidates(
    question: str, query: str, names: Sequence[str], expects: str, evidence: Evidence, reader: Reader,
    confidence: Confidence, kind: Kind = "value",
) -> list[Candidate]:  # fmt: skip
    """The values that may answer ``question``, most probable first, each once; of yes and no where it asks for that.

    What a cell answers goes before what the reader points at.
    """
    shown = evidence.of(query)
    found: dict[str, Candidate] = {}

    def add(one: Candidate) -> None:
        known = found.get(key(one.value))
        if known is None or (one.certain, one.probability) > (known.certain, known.probability):
            found[key(one.value)] = one

    everything = [*evidence.tables, *shown]
    rows = rows_of(everything)
    whole = bool(evidence.tables)
    by_cells = [*answers(question, kind, rows, whole=whole), *(boxes(question, shown) if kind == "yes/no" else ())]
    for answer in [*by_cells, *_answered_below(question, shown), *_metadata(question, everything)]:
        if not answer.value or kind == "yes/no" or fits(answer.value, expects) or answer.reason:
            add(_of_table(answer, evidence))
    if kind == "yes/no":
        for seen in seen_verdicts(question, names, shown[:READ], reader):
            if seen.features["words_left"] <= MOST_LEFT and not by_cells:  # else the reader says yes to anything
                add(Candidate(seen.value, confidence.of_verdict(seen.features), seen.supports(evidence)))
    else:
        for seen in seen_values(question, names, expects, shown[:READ], reader, kind):
            probability = confidence.of_span(seen.features)
            add(Candidate(seen.value, probability, seen.supports(evidence), certain(seen.features)))
    return sorted(found.values(), key=lambda one: (not one.reason, -one.probability))


def _of_table(answer: Answer, evidence: Evidence) -> Candidate:
    """What a table says as a candidate, cited by the rows that it rests on."""
    supports = []
    for one, block, cell in answer.cells:
        number = evidence.number(one.document, block.start, block.end)
        values = tuple(filter(None, [one.words(cell)]))
        supports.append(Support(one.document, one.text.title, block.start, block.end, one.page, number, values))
    probability = EXACT if answer.exact else LIKELY
    first, *further = supports
    return Candidate(answer.value, probability, first, answer.exact, answer.reason, tuple(further))


def asks_metadata(question: str) -> bool:
    """Whether a question may be one that the metadata of a document answers."""
    return any(_fields_asked(question))


def _fields_asked(question: str) -> Iterator[tuple[str, Sequence[str]]]:
    """What a question calls a document, and the fields of its metadata that may answer."""
    for pattern, fields in _METADATA:
        if asked := re.fullmatch(pattern, question.strip(" ?."), re.IGNORECASE):
            yield asked["what"], fields


def _metadata(question: str, shown: Sequence[Shown]) -> Iterator[Answer]:
    """What a document that a question names says of itself: who wrote it, who sent it to whom, and when."""
    for what, fields in _fields_asked(question):
        words = set(key(what).split()) - FUNCTION_WORDS
        sorts, words = words & _SORTS, words - _SORTS
        for one in shown:
            value = next((one.metadata[name] for name in fields if one.metadata.get(name)), "")
            block = next((block for block in one.blocks if block.kind == "metadata"), None)
            is_mail = block is not None and one.words(block).startswith("From:")
            if sorts and bool(sorts & _MAIL) != is_mail:
                continue
            if value and block and words and words <= set(key(one.text.title).split()):
                several = [value] if isinstance(value, str) else list(map(str, value))
                value = LIST.join((parseaddr(name)[0] if "@" in name else "") or name for name in several)
                value = value[:_DAY] if value[_DAY : _DAY + 1] == "T" else value
                yield Answer(value, ((one, block, Cell(block.start, block.end)),), True)
