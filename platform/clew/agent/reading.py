"""Reading one hop: the spans of what was shown that answer it, each with its probability and the sentence it is in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.agent.evidence import Evidence, Shown
from clew.reader.confidence import Confidence, Features, certain, features, fits, of_another_year, repeats
from clew.reader.reader import Reader
from clew.text.names import key
from clew.text.sentences import sentences
from clew.text.values import date
from clew.types import Support

_RANGE = re.compile(r"\s*[–—-]\s*(?=\S)(?!\d{1,2}-)|\s+to\s+")
_PREPOSITION = re.compile(r"^(?:in|at|on|by|from|near|to)\s+(?=\S)", re.IGNORECASE)
_END = re.compile(
    r"\b(?:die[ds]?|death|end(?:s|ed)?|until|till|last|close[ds]?|expires?|finish(?:es|ed)?)\b", re.IGNORECASE
)

_BLOCK = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_HEADING = 90
"""Characters of a heading, at most."""
READ = 8
"""Texts that are read for a hop, at most."""


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
    question: str, names: Sequence[str], expects: str, shown: Sequence[Shown], reader: Reader
) -> Iterator[Seen]:
    """The spans of what was shown that may answer ``question``.

    ``names`` are what the question speaks of, ``expects`` the form of its answer as ``clew.questions.plan`` tells it:
    what has another form is none, and neither is what only repeats the question.
    """
    readings = reader.read(question, [one.text for one in shown])
    for rank, (one, reading) in enumerate(zip(shown, readings, strict=True)):
        text = one.text.text
        for span in reading.spans:
            start, end = _trimmed(text, span.start, span.end)
            value = _asked_for(question, text[start:end], expects)
            if key(value) and fits(value, expects) and not repeats(question, value):
                a, b = sentence_around(text, start, end)
                if of_another_year(question, text[a:b], one.text.title):
                    continue
                seen = features(
                    question, names, title=one.text.title, text=text, section=section_around(text, a, b),
                    sentence=text[a:b], value=value, margin=span.margin, rank=rank,
                )  # fmt: skip
                yield Seen(one, value, (a, b), seen)


def seen_verdicts(question: str, names: Sequence[str], shown: Sequence[Shown], reader: Reader) -> Iterator[Seen]:
    """What each text that was shown says to a question of yes or no, with the sentence the reader points at."""
    readings = reader.read(question, [one.text for one in shown])
    for rank, (one, reading) in enumerate(zip(shown, readings, strict=True)):
        yes, told = reading.verdict
        text = one.text.text
        a, b = sentence_around(text, reading.spans[0].start, reading.spans[0].end) if reading.spans else (0, len(text))
        seen = features(
            question,
            names,
            title=one.text.title,
            text=text,
            section=section_around(text, a, b),
            sentence=text[a:b],
            value="",
            margin=told,
            rank=rank,
        )
        yield Seen(one, "yes" if yes > 0 else "no", (a, b), seen | {"decided": min(abs(yes), 10.0)})


def candidates(
    question: str, query: str, names: Sequence[str], expects: str, evidence: Evidence, reader: Reader,
    confidence: Confidence,
) -> list[Candidate]:  # fmt: skip
    """The values that may answer ``question``, most probable first, each once; of yes and no where it asks for that."""
    shown = evidence.of(query)[:READ]
    if expects == "yes/no":
        seen, probability = seen_verdicts(question, names, shown, reader), confidence.of_verdict
    else:
        seen, probability = seen_spans(question, names, expects, shown, reader), confidence.of_span
    found: dict[str, Candidate] = {}
    for one in seen:
        may_be_sure = expects != "yes/no" and certain(one.features)
        candidate = Candidate(one.value, probability(one.features), one.supports(evidence), may_be_sure)
        known = found.get(key(one.value))
        if known is None or known.probability < candidate.probability:
            found[key(one.value)] = candidate
    return sorted(found.values(), key=lambda one: -one.probability)


def section_around(text: str, start: int, end: int) -> str:
    """The paragraph of ``text`` that holds ``start:end``, after the nearest heading above it in the passage."""
    blocks = [(match.start(), match.end()) for match in _BLOCK.finditer(text)]
    own = [at for at, (a, b) in enumerate(blocks) if a < end and start < b]
    if not own:
        return text[start:end]
    above = (text[a:b] for a, b in reversed(blocks[: own[0]]))
    heading = next((block for block in above if len(block) < _HEADING and block[-1] not in ".!?:;,"), "")
    return f"{heading}\n{text[blocks[own[0]][0] : blocks[own[-1]][1]]}"


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence or sentences of ``text`` that hold ``start:end``."""
    inside = [(a, b) for a, b in _sentences(text) if a < end and start < b]
    return (min(inside[0][0], start), max(inside[-1][1], end)) if inside else (start, end)


def _asked_for(question: str, value: str, expects: str) -> str:
    """The value in the form that is asked for: a place or person without the preposition before it, of a period the end
    that the question asks for, and of a date its year where a year is asked for.
    """
    if expects in ("place", "person", "organisation", "date", "year"):
        value = _PREPOSITION.sub("", value)
    if expects not in ("date", "year"):
        return value
    ends = _RANGE.split(value)
    if len(ends) == 2 and all(date(end) for end in ends):
        value = ends[-1 if _END.search(question) else 0].strip()
    found = date(value)
    return str(found[0]) if expects == "year" and found and found[0] > 0 else value


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
