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

from clew.text.attribute import ADJECTIVES, ATTRIBUTE
from clew.text.clauses import clause_around
from clew.text.names import FUNCTION_WORDS, key
from clew.text.series import fields
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
_SORT = re.compile(r"(?:in |at |on |by |to |from )?(?:which|what) (?:is the |was the )?(?P<noun>[\w-]+)", re.IGNORECASE)
_WITH_DIGIT = re.compile(r"\b(?:[^\W_]{1,20}-){0,3}[^\W_]{0,20}\d(?:[.,:/-]?[^\W_]{1,20}){0,8}")
"""A number, or a code that has one: "310", "07:20", "BP-08", "4.9"."""
_CAPITAL = re.compile(r"\b[^\W\d_a-z]")
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|none|without|cannot)\b|n[’']t\b", re.I)
_DESCRIBED = re.compile(
    r"(?!(?:who|what|which) (?:is|was|are|were) (?:it|the [\w-]+) (?:that|who)\b).*\w (?:that|who|whom|whose) ", re.I
)
"""A question that speaks of a thing by what holds of it ("the town that he left"), but for "who is the man that …"."""
_GOES_ON = re.compile(
    r"(?:[Ii]t|[Ii]ts|[Hh]e|[Hh]is|[Ss]he|[Hh]er|[Tt]hey|[Tt]heir|[Tt]his|[Tt]hese)\b|[Tt]he (?=[a-z])"
)
_SUPERLATIVE = re.compile(r"\w{3,}est|most|least|first|last|only|maximum|minimum|max|min")
MOST_LEFT = 1
"""Words of a question, besides names and the sort of thing it asks for, that a sentence may lack which is sure, or says
yes or no."""
_LAST_YEAR = 2100
_BEFORE_NUMBER = 4
"""Words of an amount by which its number comes, at most."""
_SHORT = 10
"""Words of a value up to which its length tells nothing of whether it is right."""
_STEM = 5
"""Letters by which two words count as forms of one."""


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
    margin: float, rank: int, implied: str = "",
) -> Features:  # fmt: skip
    """What is seen of a span: ``value`` in ``sentence`` of the passage ``text``, which came at ``rank`` (from 0).

    ``section`` is the sentence's paragraph with the heading above it, ``implied`` words of the question that it says in
    another form.
    """
    heading, _, paragraph = section.partition("\n")
    under = f"{title} {heading if paragraph else ''}"
    before = sentence_before(section, sentence) if goes_on(sentence) else ""
    # What goes on from another sentence may name others after its value, whose it is not.
    subject = sentence.partition(value)[0] if goes_on(sentence) and value else sentence
    around = key(f"{title} {text}")
    spoken_of = " | ".join(map(key, (under, before, subject)))
    near = _stems(key(f"{title} {sentence} {implied}"))
    reach = near | _stems(key(f"{under} {before}"))
    asked = _of_question(question)
    called = _stems(key(" ".join(names))) | {asked.sort}
    return {
        "margin": max(min(margin, 15.0), -10.0),
        "rank": math.log2(1 + rank),
        "later": math.log2(max(1, rank)),
        "named": float(bool(names)),
        "names_missing": float(sum(f" {key(name)} " not in f" {around} " for name in names)),
        "words": _share([word in near for word in asked.words]),
        "said": _share([word in reach for word in asked.words if word not in called]),
        "words_left": float(sum(word not in reach | called for word in asked.words)),
        "apart": float(_apart(asked.words, f"{under} {before} {implied}", sentence, value)),
        "codes_unsaid": float(len(asked.codes - _codes(f"{under} {before} {sentence}"))),
        "unsaid": float(_unsaid(question, names, around, key(f"{under} {before} {implied}"), key(sentence))),
        "names_beside": float(sum(f" {key(name)} " not in f" {spoken_of} " for name in names)),
        "dated": float(bool(asked.years)),
        "years_unsaid": float(sum(year not in sentence and year not in title for year in asked.years)),
        "long": math.log2(1 + max(0, len(value.split()) - _SHORT)),
        "negated": float(denies(question, sentence)),
        "described": float(asked.described),
    }


def _apart(words: Sequence[str], above: str, sentence: str, value: str) -> int:
    """How many of a question's words the sentence says of something else: in another clause than that of the value."""
    at = sentence.find(value) if value else -1
    if at < 0 or fields(sentence):
        return 0
    own = _stems(key(f"{above} {clause_around(sentence, at, at + len(value))}"))
    said = _stems(key(sentence))
    return sum(word in said and word not in own for word in words)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What spans are compared with: the beginnings of a question's words, its years, its numbers and codes, whether it
    describes a thing by another fact, and the beginning of the sort of thing that it asks for ("which town").
    """

    words: tuple[str, ...]
    years: tuple[str, ...]
    codes: frozenset[str]
    described: bool
    sort: str


@lru_cache(maxsize=64)
def _of_question(question: str) -> _Asked:
    words = tuple(stem(word) for word in key(question).split() if word not in FUNCTION_WORDS)
    years = tuple(_YEAR.findall(question))
    sort = _SORT.match(question)
    return _Asked(
        words, years, _codes(question) - set(years), _DESCRIBED.match(question) is not None,
        stem(key(sort["noun"])) if sort else "",
    )  # fmt: skip


@lru_cache(maxsize=512)
def _codes(text: str) -> frozenset[str]:
    """The numbers of a text, and the codes that have one."""
    return frozenset(code.lower() for code in _WITH_DIGIT.findall(text))


def certain(features: Features) -> bool:
    """Whether a span may be called sure at all, whatever its probability.

    The question must name something, or it may be answered of anything ("the contract"); the sentence, its heading or
    its title must speak of all that is named, or the sentence before one that goes on with "it"; all but one of the
    other words must stand there, too, and no other sentence of the passage may speak of more of what is asked (the
    fan, and not the device); it must have the question's years, say nothing of what is asked in another clause than
    that of the value (``apart``), deny nothing, and leave open neither which of several values is meant nor how many
    there are (``open``, ``several``). A question that describes a thing by another fact ("the town that he left") is
    a chain, which no single sentence states. What only the words of a sentence tell (``told``, but no field,
    ``written``) is never sure: sentences have other ends than these forms know.
    """
    against = (
        "apart",
        "names_beside",
        "unsaid",
        "years_unsaid",
        "negated",
        "open",
        "several",
        "described",
        "other_deed",
    )
    nothing_lacks = not any(features.get(name) for name in against)
    by_words_alone = features.get("told") and not features.get("written")
    return not by_words_alone and nothing_lacks and features["named"] > 0 and features["words_left"] <= MOST_LEFT


def _unsaid(question: str, names: Sequence[str], around: str, above: str, sentence: str) -> int:
    """How many words of a question neither ``sentence`` has nor what is ``above`` it, though they decide what is asked.

    Those are words that stand elsewhere ``around`` it, superlatives, and the noun of "what is the … of". Above are the
    title, the heading and the sentence that it goes on from; all three are keys.
    """
    near = _stems(f"{above} {sentence}")
    near |= {ADJECTIVES[form][:_STEM] for word in sentence.split() if (form := word.rstrip("s")) in ADJECTIVES}
    named, elsewhere = _stems(key(" ".join(names))), _stems(around)
    words = [word for word in key(question).split() if word not in FUNCTION_WORDS and stem(word) not in named]
    attribute = ATTRIBUTE.search(question)
    heads = set(key(attribute["head"]).split()[-1:]) if attribute else set()
    return sum(
        stem(word) not in near and (stem(word) in elsewhere or word in heads or bool(_SUPERLATIVE.fullmatch(word)))
        for word in words
    )


def goes_on(sentence: str) -> bool:
    """Whether a sentence begins with what stands for something that was named before: "It", "Her", "The tower"."""
    return _GOES_ON.match(sentence) is not None


def sentence_before(section: str, sentence: str) -> str:
    """The sentence before one of a section, in the same paragraph; empty where it is the first."""
    heading, _, paragraph = section.partition("\n")
    said = (paragraph or heading).partition(sentence)[0].strip()
    return re.split(r"(?<=[.!?])\s+", said)[-1]


def denies(question: str, sentence: str) -> bool:
    """Whether a sentence has a word of negation where the question has none: it may say what is *not* so."""
    return bool(_NEGATION.search(sentence)) and not _NEGATION.search(question)


def of_another_year(question: str, sentence: str, title: str) -> bool:
    """Whether a sentence tells of other years than the one that a question names, and of no time that holds it."""
    asked = [int(year) for year in _YEAR.findall(question)]
    told = [int(year) for year in _YEAR.findall(f"{title} {sentence}")]
    return bool(asked and told) and not any(min(told) <= year <= max(told) for year in asked)


def repeats(question: str, value: str) -> bool:
    """Whether a value has only words of a question that offers no choice: it tells nothing then."""
    words = set(key(question).split())
    return "or" not in words and set(key(value).split()) <= words


def fits(value: str, expects: str) -> bool:
    """Whether a value has the form of what a question expects, as far as its characters tell."""
    if expects == "year":
        told = date(value)
        return bool(re.search(r"\d", value)) and (told is None or told[0] <= _LAST_YEAR)
    if expects == "date":
        return bool(re.search(r"\d", value)) and not re.fullmatch(r"\d{1,2}", value)
    if expects == "number":
        return bool(_NUMBER.search(" ".join(value.split()[:_BEFORE_NUMBER])))
    if expects in ("person", "place", "organisation"):
        return bool(_CAPITAL.search(value))
    return True


def _stems(said: str) -> set[str]:
    """The stems of the words of a key."""
    return {stem(word) for word in said.split()}


def _share(told: Sequence[bool]) -> float:
    return sum(told) / len(told) if told else 1.0
