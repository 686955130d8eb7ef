"""Reading one hop: the spans of what was shown that answer it, each with its probability and the sentence it is in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.agent import stated
from clew.agent.asked import LIST, asked_for, field_of_row, listed, period_of
from clew.agent.evidence import Evidence, Shown
from clew.questions.plan import Kind
from clew.reader.confidence import (
    Confidence,
    Features,
    certain,
    denies,
    features,
    fits,
    of_another_year,
    repeats,
)
from clew.reader.reader import Reader
from clew.text.names import key
from clew.text.sentences import is_heading, sentences
from clew.text.series import items
from clew.types import Support

_BLOCK = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_HEADING = 90
"""Characters of a heading, at most."""
READ = 8
"""Texts that are read for a hop, at most."""
TOLD = 0.8
"""Probability of what is read off the words of a sentence alone (``clew.agent.stated``), and of a field of a row."""

DEFINES = 0.5
"""Probability from which a span counts as what something is: any span near a name looks like that to the reader."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value with the probability that it answers, the sentence that states it, and whether it may be called sure."""

    value: str
    probability: float
    support: Support
    certain: bool = False


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
    for rank, (one, reading) in enumerate(zip(shown, readings, strict=True)):
        text = one.text.text
        for span in reading.spans:
            start, end = _trimmed(text, span.start, span.end)
            a, b = sentence_around(text, start, end)
            if of_another_year(question, text[a:b], one.text.title) or _is_title(text, a, b):
                continue
            asked = asked_for(question, text, (a, b), (start, end), expects)
            if asked is None or not (key(asked.value) and fits(asked.value, expects)) or repeats(question, asked.value):
                continue
            seen = features(
                question, names, title=one.text.title, text=text, section=section_around(text, a, b),
                sentence=text[a:b], value=asked.value, margin=span.margin, rank=rank,
            )  # fmt: skip
            whole = listed(text, (start, end), plural=kind == "list") if expects in ("any", "person") else ""
            yield Seen(one, whole or asked.value, (a, b), seen | {"open": float(not asked.clear or bool(whole))})


def seen_verdicts(question: str, names: Sequence[str], shown: Sequence[Shown], reader: Reader) -> Iterator[Seen]:
    """What each text that was shown says to a question of yes or no, with the sentence the reader points at.

    Yes is none where that sentence denies.
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
        if not (yes > 0 and denies(question, text[a:b])):
            yield Seen(one, "yes" if yes > 0 else "no", (a, b), seen | {"decided": min(abs(yes), 10.0)})


def told_by_words(question: str, names: Sequence[str], kind: Kind, shown: Sequence[Shown]) -> Iterator[Seen]:
    """What sentences say in so many words: yes or no, a reason, what something is, the field of a row."""
    for rank, one in enumerate(shown):
        text, title = one.text.text, one.text.title
        for a, b in _sentences(text):
            sentence, section, value = text[a:b], section_around(text, a, b), ""
            if kind == "yes/no":
                value = stated.yes_or_no(question, names, title, section, sentence)
            elif kind == "reason":
                value = stated.reason(question, names, title, section, sentence)
            elif kind == "definition":
                value = next((what for name in names[:1] if (what := stated.definition(name, sentence))), "")
            elif kind == "list" and stated.heads(question, section.partition("\n")[0]):
                value = LIST.join(text[slice(*item)] for item in items(text, a, b))
            elif field := field_of_row(question, sentence):
                value = sentence[slice(*field)]
            else:
                value = period_of(question, names, title, sentence)
            if value and not of_another_year(question, sentence, title):
                seen = features(
                    question, names, title=title, text=text, section=section, sentence=sentence, value=value,
                    margin=0.0, rank=rank,
                )  # fmt: skip
                yield Seen(one, value, (a, b), seen)


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


def candidates(
    question: str, query: str, names: Sequence[str], expects: str, evidence: Evidence, reader: Reader,
    confidence: Confidence, kind: Kind = "value",
) -> list[Candidate]:  # fmt: skip
    """The values that may answer ``question``, most probable first, each once; of yes and no where it asks for that."""
    shown = evidence.of(query)[:READ]
    found: dict[str, Candidate] = {}

    def add(one: Seen, probability: float, may_be_sure: bool) -> None:
        known = found.get(key(one.value))
        if known is None or known.probability < probability:
            found[key(one.value)] = Candidate(one.value, probability, one.supports(evidence), may_be_sure)

    for one in told_by_words(question, names, kind, shown):
        add(one, TOLD, kind == "value" and certain(one.features))
    if kind == "yes/no":
        for one in seen_verdicts(question, names, shown, reader):
            add(one, confidence.of_verdict(one.features), False)
    elif kind != "definition" or not found:
        for one in seen_spans(question, names, expects, shown, reader, kind):
            probability = confidence.of_span(one.features)
            if kind != "definition" or (probability >= DEFINES and LIST not in one.value):
                add(one, probability, certain(one.features))
    return sorted(found.values(), key=lambda one: -one.probability)


def section_around(text: str, start: int, end: int) -> str:
    """The paragraph of ``text`` that holds ``start:end``, after the nearest heading above it in the passage."""
    blocks = [(match.start(), match.end()) for match in _BLOCK.finditer(text)]
    own = [at for at, (a, b) in enumerate(blocks) if a < end and start < b]
    if not own:
        return text[start:end]
    above = (text[a:b] for a, b in reversed(blocks[: own[0]]))
    heading = next((block for block in above if len(block) < _HEADING and block[-1] not in ".!:;,"), "")
    return f"{heading}\n{text[blocks[own[0]][0] : blocks[own[-1]][1]]}"


def _is_title(text: str, start: int, end: int) -> bool:
    """Whether a sentence only says what follows it; a line that tells a list is none of those."""
    return len(text[start:end].split()) < 3 or (is_heading(text, start, end) and "," not in text[start:end])


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
