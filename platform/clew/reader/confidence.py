"""How likely a span is the answer: what is seen of it, weighed as held-out questions have taught.

The margin alone is calibrated within a passage that is known to be the right one; behind a search the rank counts too,
and whether the passage speaks of what the question names. ``python -m trainer reader`` fits the weights by
logistic regression on passages that neither training nor testing uses, and writes ``confidence.json``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from clew.text.names import FUNCTION_WORDS, key
from clew.text.values import date
from clew.text.verbs import stem

FITTED = Path(__file__).with_name("weights") / "confidence.json"

Features = dict[str, float]

YES_NO = 0.75
"""The probability from which yes or no is given: on held-out questions the reader tells them apart hardly better than
chance, so that nearly always the sentences are shown instead."""

_YEAR = re.compile(r"\b\d{4}\b")
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|dozens?|hundreds?|thousands?|half)\b",
    re.IGNORECASE,
)
_SORT = re.compile(r"(?:in |at |on |by |to |from )?(?:which|what) (?P<noun>[\w-]+)", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[^\W\d_a-z]")
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|none|without|cannot)\b|n[’']t\b", re.I)
_GOES_ON = re.compile(
    r"(?:[Ii]t|[Ii]ts|[Hh]e|[Hh]is|[Ss]he|[Hh]er|[Tt]hey|[Tt]heir|[Tt]his|[Tt]hese)\b|[Tt]he (?=[a-z])"
)
_SUPERLATIVE = re.compile(r"\w{3,}est|most|least|first|last|only|maximum|minimum|max|min")
MOST_LEFT = 1
"""Words of a question, besides names and the sort of thing it asks for, that a sentence may lack which is sure, or says
yes or no."""
LEAST_SAID = 0.5
"""Share of those words that a sentence has which is sure, at least."""
_LAST_YEAR = 2100
_BEFORE_NUMBER = 4
"""Words of an amount by which its number comes, at most."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Weights of features, the constant, and the probabilities from which an answer is sure, or given at all.

    ``verdict`` weighs what is seen of a yes or no, which is given from ``YES_NO`` on, and never sure.
    """

    span: Mapping[str, float]
    verdict: Mapping[str, float]
    sure: float
    probable: float

    def of_span(self, features: Features) -> float:
        """The probability that a span answers."""
        return _logistic(self.span, features)

    def of_verdict(self, features: Features) -> float:
        """The probability that yes, or no, is right."""
        return _logistic(self.verdict, features)


@lru_cache(maxsize=2)
def load_confidence(path: Path = FITTED) -> Confidence:
    """The weights of a file that ``calibrate`` wrote."""
    fitted = json.loads(path.read_text(encoding="utf-8"))
    return Confidence(fitted["span"], fitted["verdict"], fitted["sure"], fitted["probable"])


def _logistic(weights: Mapping[str, float], features: Features) -> float:
    z = weights.get("constant", 0.0) + sum(weights.get(name, 0.0) * value for name, value in features.items())
    return 1 / (1 + math.exp(-max(min(z, 50.0), -50.0)))


def features(
    question: str, names: Sequence[str], *, title: str, text: str, section: str, sentence: str, value: str,
    margin: float, rank: int,
) -> Features:  # fmt: skip
    """What is seen of a span: ``value`` in ``sentence`` of the passage ``text``, which came at ``rank`` (from 0).

    ``section`` is the sentence's paragraph with the heading above it.
    """
    heading, _, paragraph = section.partition("\n")
    under = f"{title} {heading if paragraph else ''}"
    before = sentence_before(section, sentence) if goes_on(sentence) else ""
    # What goes on from another sentence may name others after its value, whose it is not.
    subject = sentence.partition(value)[0] if goes_on(sentence) and value else sentence
    spoken_of = " | ".join(map(key, (under, before, subject)))
    asked = _of_question(question)
    reach = _stems(key(f"{title} {sentence} {under} {before}"))
    called = _stems(key(" ".join(names))) | {asked.sort}
    left = [word for word in asked.words if word not in reach | called]
    elsewhere = _stems(key(text))
    return {
        "margin": max(min(margin, 15.0), -10.0),
        "rank": math.log2(1 + rank),
        "named": float(bool(names)),
        "said": _share([word in reach for word in asked.words if word not in called]),
        "words_left": float(len(left)),
        "said_elsewhere": float(sum(word in elsewhere or bool(_SUPERLATIVE.fullmatch(word)) for word in left)),
        "names_beside": float(sum(f" {key(name)} " not in f" {spoken_of} " for name in names)),
        "years_unsaid": float(sum(year not in sentence and year not in title for year in asked.years)),
    }


@dataclass(frozen=True, slots=True)
class _Asked:
    """What spans are compared with: the stems of a question's words, its years, and the stem of the sort of thing that
    it asks for ("which town").
    """

    words: tuple[str, ...]
    years: tuple[str, ...]
    sort: str


@lru_cache(maxsize=64)
def _of_question(question: str) -> _Asked:
    words = tuple(stem(word) for word in key(question).split() if word not in FUNCTION_WORDS)
    sort = _SORT.match(question)
    return _Asked(words, tuple(_YEAR.findall(question)), stem(key(sort["noun"])) if sort else "")


def certain(features: Features) -> bool:
    """Whether a span may be called sure at all, whatever its probability.

    The question must name something, or it may be answered of anything ("the contract"). The sentence, its heading or
    its title must speak of all that is named, have the question's years, and all but one of its other words, half of
    them at least; no other sentence of the passage may have that one (the fan, and not the device). It must leave open
    neither which of several values is meant (``several``) nor how many there are (``open``).
    """
    against = ("names_beside", "years_unsaid", "said_elsewhere", "open", "several")
    nothing_lacks = not any(features.get(name) for name in against)
    says = features["words_left"] <= MOST_LEFT and features["said"] >= LEAST_SAID
    return nothing_lacks and features["named"] > 0 and says


def goes_on(sentence: str) -> bool:
    """Whether a sentence begins with what stands for something that was named before: "It", "Her", "The tower"."""
    return _GOES_ON.match(sentence) is not None


def sentence_before(section: str, sentence: str) -> str:
    """The sentence before one of a section, in the same paragraph; empty where it is the first."""
    heading, _, paragraph = section.partition("\n")
    before = (paragraph or heading).partition(sentence)[0].strip()
    return re.split(r"(?<=[.!?])\s+", before)[-1]


def denies(question: str, sentence: str) -> bool:
    """Whether a sentence has a word of negation where the question has none: it may say what is *not* so."""
    return bool(_NEGATION.search(sentence)) and not _NEGATION.search(question)


def of_another_year(question: str, sentence: str, title: str) -> bool:
    """Whether a sentence tells of other years than the one that a question names, and of no time that holds it."""
    asked = [int(year) for year in _YEAR.findall(question)]
    years = [int(year) for year in _YEAR.findall(f"{title} {sentence}")]
    return bool(asked and years) and not any(min(years) <= year <= max(years) for year in asked)


def repeats(question: str, value: str) -> bool:
    """Whether a value has only words of a question that offers no choice: it tells nothing then."""
    words = set(key(question).split())
    return "or" not in words and set(key(value).split()) <= words


def fits(value: str, expects: str) -> bool:
    """Whether a value has the form of what a question expects, as far as its characters tell."""
    if expects == "year":
        day = date(value)
        return bool(re.search(r"\d", value)) and (day is None or day[0] <= _LAST_YEAR)
    if expects == "date":
        return bool(re.search(r"\d", value)) and not re.fullmatch(r"\d{1,2}", value)
    if expects == "number":
        return bool(_NUMBER.search(" ".join(value.split()[:_BEFORE_NUMBER])))
    if expects in ("person", "place", "organisation"):
        return bool(_CAPITAL.search(value))
    return True


def _stems(text: str) -> set[str]:
    """The stems of the words of a key."""
    return {stem(word) for word in text.split()}


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 1.0
