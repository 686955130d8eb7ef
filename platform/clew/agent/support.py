"""Whether what is cited states an answer: one check for every policy, so that an answer is called sure by one measure.

The cited sentences are read with the question in mind, as the policy without a model reads: an answer is sure where the
reader finds it there by itself and is sure of it. Where the answer merely stands in them it is probable; where it does
not even do that, it is the model's own words, and cites nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.agent.evidence import Evidence, Shown, gather
from clew.agent.protocol import Dialect
from clew.agent.reading import candidates, seen_spans, seen_verdicts
from clew.questions.grammar import plan
from clew.reader.confidence import Confidence, certain, denies
from clew.reader.reader import Reader, Text
from clew.text.names import key
from clew.types import Citation, Step, Support, Verdict

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
AGREES = 0.6
"""Share of words that two values have in common from which they are one."""


NEAREST = 5
"""Sentences that are shown where no value is given, at most."""


def judge(
    question: str, answer: str, citations: Sequence[Citation], steps: Sequence[Step], reader: Reader,
    confidence: Confidence, dialect: Dialect,
) -> tuple[Verdict, tuple[Support, ...]]:  # fmt: skip
    """The verdict on a policy's answer, or where it gave none what bears on the question; see ``clew.agent.loop``."""
    if answer:
        return verdict(question, answer, citations, reader, confidence), ()
    found = nearest(question, gather(steps, dialect), reader, confidence)
    if not found:
        return Verdict("nothing", "Nothing that was found bears on the question."), ()
    return Verdict("found", "The model gave no value; these sentences bear on the question."), found


def nearest(question: str, evidence: Evidence, reader: Reader, confidence: Confidence) -> tuple[Support, ...]:
    """The sentences that come nearest to an answer, best first, of all that was shown."""
    names = plan(question).anchors
    found = candidates(question, question, names, "any", evidence, reader, confidence)
    return tuple(dict.fromkeys(one.support for one in found))[:NEAREST]


def verdict(
    question: str, answer: str, citations: Sequence[Citation], reader: Reader, confidence: Confidence
) -> Verdict:
    """How far the citations support an answer that a policy gave without a verdict of its own."""
    if not citations:
        return Verdict("found", "No sentence that was found states this: these are the model's own words.")
    shown = [Shown(Text(c.title, c.quote), c.document, c.start, c.end, 0, True, c.page) for c in citations]
    taken = plan(question)
    said = key(answer)
    if said in ("yes", "no"):
        seen = [one for one in seen_verdicts(question, taken.anchors, shown, reader) if one.value == said]
        best = max((confidence.of_verdict(one.features) for one in seen), default=0.0)
        may_be_sure = False
    else:
        spans = seen_spans(question, taken.anchors, taken.hops[-1].expects, shown, reader)
        agreeing = [one for one in spans if agree(one.value, answer)]
        best = max((confidence.of_span(one.features) for one in agreeing), default=0.0)
        may_be_sure = any(certain(one.features) for one in agreeing)
    stated = any(f" {said} " in f" {key(c.quote)} " or agree(answer, c.quote, whole=True) for c in citations)
    denied = all(denies(question, c.quote) for c in citations)
    if best >= confidence.sure and len(taken.hops) == 1 and may_be_sure:
        return Verdict("sure", "A cited sentence states it.", best)
    if denied:
        return Verdict("probable", "The cited sentence says that something is not so: read it yourself.", best)
    if stated:
        return Verdict("probable", "The cited sentences mention it; none states it beyond doubt.", best)
    return Verdict("probable", "It follows from the cited sentences, none of which states it as such.", best)


def agree(value: str, answer: str, *, whole: bool = False) -> bool:
    """Whether two values are one: the same numbers, and most words in common; ``whole``: all of the first one's."""
    a, b = set(key(value).split()), set(key(answer).split())
    if not a or not b:
        return False
    numbers = set(_NUMBER.findall(value)), set(_NUMBER.findall(answer))
    if whole:
        return a <= b and numbers[0] <= numbers[1]
    return numbers[0] == numbers[1] and 2 * len(a & b) / (len(a) + len(b)) >= AGREES
