"""Reading one hop: every value of what was shown that may answer it, however it was found, with its probability."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clew.agent.evidence import Evidence, Seen, Shown
from clew.agent.policies.reader.answer_span import LIST
from clew.agent.policies.reader.cells import measured_by_head, with_unit
from clew.agent.policies.reader.contradiction import contradicts
from clew.agent.policies.reader.places import section_around
from clew.agent.policies.reader.pointed import seen_spans, seen_verdicts
from clew.agent.policies.reader.rule_candidates import (
    answered_below,
    stated_in_words,
    told_by_columns,
    told_by_rows,
    told_by_words,
)
from clew.agent.policies.reader.scope import (
    counts_others,
    is_named_later,
    is_no_option,
    measure_asked,
    of_another_attribute,
)
from clew.questions.plan import Kind
from clew.reader.confidence import MOST_LEFT, Confidence, certain, goes_on, sentence_before
from clew.reader.reader import Reader
from clew.text.mentions import mentions
from clew.text.names import key
from clew.text.series import fields
from clew.text.values import measures
from clew.types import Support

_WHO = re.compile(r"who\b", re.IGNORECASE)
READ = 8
"""Texts that are read for a hop, at most."""
TOLD = 0.8
"""Probability of yes and no that is read off the words of a sentence."""
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
    for one in seen_spans(question, names, expects, shown, reader, kind):
        read.setdefault((places[one.shown], key(one.value)), one)
    in_words = "written" if kind in ("value", "count") else "told"
    ways = [("", one) for one in read.values()]
    ways += [("written", one) for one in answered_below(question, names, shown)]
    ways += [("told", one) for one in stated_in_words(question, names, kind, shown)]
    ways += [(in_words, one) for one in told_by_words(question, names, kind, shown)]
    if kind == "list":
        ways += [("cell", one) for one in told_by_columns(question, names, shown)]
    if kind in ("value", "count", "list"):
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
        probability = confidence.of_span(one.features)
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
