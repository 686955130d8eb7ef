"""Whether what is cited states an answer: one check for every policy, so that an answer is called sure by one measure.

The cited sentences are read with the question in mind, as the policy without a model reads: an answer is sure where the
reader finds it there by itself and is sure of it. Where the answer merely stands in them it is probable; where it does
not even do that, it is the model's own words, and cites nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.agent.citations import LISTED, opinion_of, sentence_spans
from clew.agent.evidence import Evidence, Seen, Shown, gather
from clew.agent.policies.reader.places import headings_of, kind_at, sentences_of
from clew.agent.policies.reader.reading import candidates, seen_values, seen_verdicts
from clew.agent.policies.reader.rows import words_of
from clew.agent.protocol import Dialect
from clew.questions.grammar import plan
from clew.questions.plan import Plan
from clew.reader.confidence import Confidence, certain, denies, of_another_year
from clew.reader.reader import Reader, Text
from clew.reporting.verdict import STATED
from clew.text.mentions import mentions
from clew.text.names import FUNCTION_WORDS, capitalised_spans, key
from clew.text.scripts import is_unspaced, pairs_of_signs
from clew.text.values import measures, written_in
from clew.types import Citation, Step, Support, Verdict

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
OWN_WORDS = "No sentence that was found states this: these are the model's own words."
AGREES = 0.6
"""Share of words that two values have in common from which they are one."""
LEAST_SHARED = 0.2
"""Share of a question's pairs of signs that a sentence about the same has, where no space parts words."""
NEAREST = 5
"""Sentences that are shown where no value is given, at most."""
UNLIKELY = 0.03
"""Probability of a value below which its sentence comes no sooner than others."""
SENTENCES_ALONE = ("summary", "yes/no", "foreign")
"""Kinds of questions that no span of a sentence answers."""


def judge(
    question: str, answer: str, citations: Sequence[Citation], steps: Sequence[Step], reader: Reader,
    confidence: Confidence, dialect: Dialect,
) -> tuple[Verdict, tuple[Support, ...]]:  # fmt: skip
    """The verdict on a policy's answer, or where it gave none what bears on the question; see ``clew.agent.loop``."""
    if answer:
        given = verdict(question, answer, citations, reader, confidence)
        if given.kind != "unsupported":
            given = _by_sentence(question, answer, citations, given)
        if given.kind != "unsupported":
            return given, ()
        if given.reason == OWN_WORDS:
            return given, nearest(plan(question), gather(steps, dialect), reader, confidence)
        return given, tuple(Support(c.document, c.title, c.start, c.end, c.page) for c in citations)
    found = nearest(plan(question), gather(steps, dialect), reader, confidence)
    if not found:
        return Verdict("nothing", "Nothing that was found bears on the question."), ()
    return Verdict("found", "The model gave no value; these sentences are the closest."), found


def _by_sentence(question: str, answer: str, citations: Sequence[Citation], whole: Verdict) -> Verdict:
    """The verdict on an answer as a whole, or the worst of its sentences with those that nothing cited states."""
    claims = [span for span in sentence_spans(answer) if _states_something(answer, *span)]
    cited = " ".join([question, *(f"{c.title} {c.quote}" for c in citations)])
    words, numbers = set(key(cited).split()), set(_NUMBER.findall(cited))
    alone = [
        (a, b) for a, b in claims
        if not any(written_in(answer[a:b], c.quote) for c in citations) and not _is_cited(answer[a:b], words, numbers)
    ]  # fmt: skip
    if not alone or len(claims) == 1:
        return whole
    verb = "stands" if len(alone) == 1 else "stand"
    reason = f"{len(alone)} of {len(claims)} sentences {verb} in no cited sentence: “{answer[slice(*alone[0])]}”"
    return Verdict("unsupported", reason, whole.probability, tuple(alone))


def _states_something(answer: str, start: int, end: int) -> bool:
    """Whether a span of Markdown is a sentence or a row: no heading, head of a table, code or announcement."""
    if re.match(r"\s*\|\s*:?-", answer[end:]) or answer.startswith(("#", "`"), start):
        return False
    return answer[end - 1] not in ":-" and bool(key(answer[start:end]))


def _is_cited(sentence: str, cited: set[str], numbers: set[str]) -> bool:
    """Whether all numbers of a sentence, and half of its words that mean something, are among those cited or asked."""
    words = set(key(sentence).split()) - FUNCTION_WORDS
    return set(_NUMBER.findall(sentence)) <= numbers and 2 * len(words & cited) >= len(words)


def nearest(taken: Plan, evidence: Evidence, reader: Reader, confidence: Confidence) -> tuple[Support, ...]:
    """The sentences that come nearest to an answer, at most ``NEAREST``: those of the likeliest values, then others.

    The others are those that share a word with the question, first those that name what it names.
    """
    question, names = taken.question, taken.anchors
    likely: list[Support] = []
    if taken.kind not in SENTENCES_ALONE:
        expects = taken.hops[-1].expects
        read = candidates(question, question, names, expects, evidence, reader, confidence, taken.kind)
        likely = [one.support for one in read if one.probability >= UNLIKELY]
    ranked = [
        (missing, -share, number, seen)
        for number, one in enumerate(evidence.of(question))
        for seen, share, missing in sentences_near(question, names, one)
    ]
    ranked.sort(key=lambda row: row[:3])
    found: dict[tuple[str, int, int], Support] = {}
    for one in (*likely, *(seen.supports(evidence) for *_, seen in ranked)):
        found.setdefault((one.document, one.start, one.end), one)
    return tuple(found.values())[:NEAREST]


def sentences_near(question: str, names: Sequence[str], one: Shown) -> Iterator[tuple[Seen, float, int]]:
    """The sentences that share a word with ``question``, headings and title included: each with the share of its words
    that it has, and with how many of ``names`` it lacks. Of Chinese, Japanese and Thai pairs of signs count as words.
    """
    asked = words_of(question)
    for a, b in sentences_of(one.text.text):
        if kind_at(one, a) in ("heading", "metadata"):
            continue
        sentence = one.text.text[a:b]
        near = f"{one.text.title} {headings_of(one, a)} {sentence}"
        missing = sum(not mentions(near, name) for name in names)
        share = len(asked & words_of(near)) / max(len(asked), 1)
        if is_unspaced(question):
            share, missing = _shared_signs(question, sentence), 0
        if share:
            yield Seen(one, "", (a, b), {}), share, missing


def _shared_signs(question: str, sentence: str) -> float:
    """The share of a question's pairs of signs that a sentence has; 0 where these are few, as of something else."""
    pairs = pairs_of_signs(question)
    share = sum(pair in sentence for pair in pairs) / len(pairs) if pairs else 0.0
    return share if share >= LEAST_SHARED else 0.0


def verdict(
    question: str, answer: str, citations: Sequence[Citation], reader: Reader, confidence: Confidence
) -> Verdict:
    """How far the citations support an answer that a policy gave without a verdict of its own."""
    taken, answer = plan(question), LISTED.sub("", answer)
    value = (taken.kind == "yes/no" and opinion_of(answer)[0]) or key(answer)
    derived = value in ("yes", "no") or taken.kind in ("count", "summary") or taken.comparison is not None
    if not citations or not (derived or _stands(answer, citations)):
        return Verdict("unsupported", OWN_WORDS)
    best, may_be_sure, others = _read_again(taken, value, answer, citations, reader, confidence)
    if others:
        own = f"These are the model's own words; the cited sentence says: {sorted(others)[0]}."
        return Verdict("unsupported", own, best)
    if all(of_another_year(question, c.quote, c.title) for c in citations):
        return Verdict("probable", "The cited sentences tell of another year: read them yourself.", best)
    if best >= confidence.sure and len(taken.hops) == 1 and may_be_sure:
        return Verdict("sure", STATED, best)
    return Verdict("probable", _doubt(question, value, answer, citations), best)


def _doubt(question: str, value: str, answer: str, citations: Sequence[Citation]) -> str:
    """Why an answer that cited sentences support is no more than probable."""
    if all(denies(question, c.quote) for c in citations):
        return "The cited sentence says that something is not so: read it yourself."
    for quote in (c.quote for c in citations):
        if mentions(quote, value) or agree(answer, quote, whole=True) or written_in(answer, quote):
            return "The cited sentences mention it; check whether they say just this."
    return "It follows from the cited sentences, none of which states it as such."


def _read_again(
    taken: Plan, value: str, answer: str, citations: Sequence[Citation], reader: Reader, confidence: Confidence
) -> tuple[float, bool, set[str]]:
    """How probable an answer is by its cited sentences, whether it may be sure, and what they surely say instead."""
    question, names = taken.question, taken.anchors
    shown = [Shown(Text(c.title, c.quote), c.document, c.start, c.end, 0, True, c.page) for c in citations]
    if value in ("yes", "no"):
        seen = [one for one in seen_verdicts(question, names, shown, reader) if one.value == value]
        best = max((confidence.of_verdict(one.features) for one in seen), default=0.0)
        denied = value == "yes" and any(_denies_all(question, c) for c in citations)
        return best, False, {"no"} if denied else set()
    values = list(seen_values(question, names, taken.hops[-1].expects, shown, reader, taken.kind))
    agreeing = [one for one in values if agree(one.value, answer) or _is_same(one.value, answer)]
    best = max((confidence.of_span(one.features) for one in agreeing), default=0.0)
    derived = taken.kind == "summary" or taken.comparison is not None or len(taken.hops) > 1
    against = [] if agreeing or derived else values
    others = {one.value for one in against if _excludes(question, one, answer, confidence)}
    return best, any(certain(one.features) for one in agreeing), others


def _denies_all(question: str, citation: Citation) -> bool:
    """Whether a cited sentence has all that a question says, and denies it."""
    words = words_of(f"{citation.title} {citation.section} {citation.quote}")
    return denies(question, citation.quote) and words_of(question) <= words


def _stands(answer: str, citations: Sequence[Citation]) -> bool:
    """Whether the cited sentences, with their titles, have a number or name of the answer, or one of its words."""
    cited = key(" ".join(f"{c.title} {c.quote}" for c in citations))
    if any(written_in(answer, c.quote) for c in citations):
        return True
    numbers = _NUMBER.findall(answer)
    if numbers:
        quotes = " ".join(c.quote for c in citations)
        return any(number in _NUMBER.findall(quotes) for number in numbers)
    names = list(capitalised_spans(answer))
    words = [word for name in names or [answer] for word in key(name).split() if word not in FUNCTION_WORDS]
    return not words or bool(set(words) & set(cited.split()))


def _excludes(question: str, one: Seen, answer: str, confidence: Confidence) -> bool:
    """Whether a cited sentence surely states another number, date or unit than the answer."""
    numbers = _NUMBER.findall(one.value), _NUMBER.findall(answer)
    if written_in(answer, one.value):
        return False
    surely = certain(one.features) and confidence.of_span(one.features) >= confidence.sure
    others = bool(numbers[0] and numbers[1]) and not set(numbers[0]) & set(numbers[1])
    measured = {measures(one.value), measures(answer)}
    return surely and (others or not measured & {"", "money"})  # the same number of another unit


def _is_same(value: str, answer: str) -> bool:
    """Whether two texts are one date or quantity with one unit, written in two ways."""
    return written_in(answer, value) and written_in(value, answer)


def agree(value: str, answer: str, *, whole: bool = False) -> bool:
    """Whether two values are one: the same numbers, and most words in common; ``whole``: all of the first one's."""
    a, b = set(key(value).split()), set(key(answer).split())
    if not a or not b:
        return False
    numbers = set(_NUMBER.findall(value)), set(_NUMBER.findall(answer))
    if whole:
        return a <= b and numbers[0] <= numbers[1]
    return numbers[0] == numbers[1] and 2 * len(a & b) / (len(a) + len(b)) >= AGREES
