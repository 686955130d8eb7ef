"""Whether a sentence speaks of something else than a question: another heading's, another row's, another field's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.agent.policies.reader.places import HEADING, blocks_of
from clew.questions.words import AUXILIARIES
from clew.text.attribute import ADJECTIVES, ATTRIBUTE
from clew.text.mentions import mentions
from clew.text.names import FUNCTION_WORDS, capitalised_spans, key
from clew.text.series import fields, refers
from clew.text.values import measures
from clew.text.verbs import base, stem

_ASKED_OF = re.compile(r"(?:who|what|which|where|when) (?:is|are|was|were) (?P<head>[^?]{2,80})", re.IGNORECASE)
"""A question that asks for one thing and says nothing else of it: "who is the keeper of Alda", "when is the fair"."""
LABEL = re.compile(r"(?P<label>[^\W\d_][^:：;,.\n]{0,40})(?::\s+|：\s*)(?P<value>\S[^\n]*?)\.?\s*")
"""A line that tells one thing: "Power: 2 kW"."""
_WHO_DID = re.compile(r"who (?P<verb>[a-z]{3,20}) ", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|no|neither)\b|n['’]t\b", re.IGNORECASE)
_DIMENSIONS = {
    "weight": "mass", "mass": "mass", "price": "money", "cost": "money", "fee": "money", "salary": "money",
    "revenue": "money", "profit": "money", "rent": "money", "fare": "money", "fine": "money", "length": "length",
    "height": "length", "width": "length", "depth": "length", "thickness": "length", "diameter": "length",
    "distance": "length", "area": "area", "duration": "time", "volume": "volume", "power": "power",
    "pressure": "pressure", "voltage": "voltage", "frequency": "frequency", "speed": "speed",
    "temperature": "temperature",
}  # fmt: skip
"""What the noun of a measure is counted in."""
_HOW = re.compile(
    r"how (?:(?P<mass>heavy)|(?P<length>tall|wide|deep|thick|far)|(?P<time>old)|(?P<temperature>hot|cold|warm)"
    r"|(?P<speed>fast))\b"
    r"|how much (?:money |(?:is|are|was|were|do|does|did|has|have|had|will|would|must|should|can|could) )[^?]*"
    r"\b(?:(?P<mass_too>weighs?)|(?P<money>costs?|pay|paid|charged?|spend|spent|earns?))\b",
    re.IGNORECASE,
)
"""Questions that ask for one kind of measure; "how long" and "how large" ask for several."""
_WHAT = re.compile(rf"(?:what|which)\b(?:\s[\w-]+){{0,5}}?\s(?P<noun>{'|'.join(_DIMENSIONS)})\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*(?:[§#]\s*)?(?:\d+(?:\.\d+)*[.):]?|[A-Z][.)]|[IVXL]+[.)])\s+")
"""What only counts a heading: "1.", "§ 3", "2.4"."""
_CHOICE = re.compile(
    r"(?:which|who|what)\b[^,:?]*\b(?:[a-z]+er|more [a-z]+|less [a-z]+|first)[,:]\s*(?P<options>[^?]+?\s+or\s+[^?]+)",
    re.IGNORECASE,
)
_MANY = re.compile(r"how many (?:[\w-]+ )??(?P<noun>[a-z-]+s)\b", re.IGNORECASE)
_COUNTED = re.compile(r"\s+(?:[a-z-]+\s+){0,2}?(?P<noun>[a-z-]{3,}s|people|men|women|children)\b")
_CAPITALISED = re.compile(r"[^\W\d_a-z][\w'’-]*|\d[\w-]*")
_IS_VALUE = re.compile(r"\b(?:the|its|their|his|her|our)\s+(?:[a-z-]+\s+){1,3}(?:is|are|was|were)\s+\Z", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:it|its|he|his|she|her|they|their)\b", re.IGNORECASE)
_STEM = 5
_LONGEST_FIELD = 8
"""Words of the value of a field, at most: what is longer is a sentence."""


def of_something_else(names: Sequence[str], text: str, sentence: tuple[int, int]) -> bool:
    """Whether a sentence stands under a heading or in a row of something else, while a name of the question has one of
    its own in ``text``.

    A heading that names nothing ("Opening hours") belongs to what a heading before it names.
    """
    a, b = sentence
    blocks = blocks_of(text)
    headings = [(start, text[start:end]) for start, end in blocks if _is_heading(text[start:end])]
    own = next((words for start, words in reversed(headings) if start < a), "")
    block = next((text[start:end] for start, end in blocks if start <= a < end), "")
    is_row = bool(fields(text[a:b]))
    said = f"{own} {text[a:b] if is_row else block}"
    if is_row and is_row_of_something_else(names, text, text[a:b], own):
        return True
    for name in names:
        if mentions(said, name):
            continue
        named = [start for start, words in headings if mentions(words, name)]
        if named and own and (_is_proper(own) or min(named) > a):
            return True
    return False


def is_row_of_something_else(names: Sequence[str], text: str, row: str, above: str) -> bool:
    """Whether a row below ``above`` only refers to a name of the question, or lacks one that another row has."""
    others = [line for line in text.splitlines() if fields(line)]
    for name in filter(key, names):
        lacks = not mentions(f"{above} {row}", name) and any(mentions(line, name) for line in others)
        if lacks or refers(row, key(name), text):
            return True
    return False


def _is_heading(block: str) -> bool:
    return len(block) < HEADING and "\n" not in block and block[-1] not in ".!?:;,。" and ": " not in block


def _is_proper(heading: str) -> bool:
    """Whether a heading has several words with capitals, or a number: it names something of its own."""
    words = _NUMBERED.sub("", heading).split()
    return sum(word[:1].isupper() or word[:1].isdigit() for word in words) > 1


def is_denied(question: str, sentence: str, value: str) -> bool:
    """Whether a sentence says that it was not ``value``: "never owned by Per Vik", "not Per Vik", "Per Vik did not"."""
    if _NEGATED.search(question):
        return False
    said = re.escape(value)
    before = (
        rf"\b(?:not|never)\s+(?:[^\s.;,]+\s+){{0,3}}by\s+(?:the\s+)?{said}"
        rf"|\b(?:not|no longer)\s+(?:(?:to|in|from|of|at)\s+)?(?:the\s+)?{said}"
    )
    behind = (
        rf"{said}\s+(?:(?:did|does|do|was|were|is|are|has|had|have|will|would)\s+(?:not|never)\b|never\b|\w+n['’]t\b)"
    )
    return re.search(rf"{before}|{behind}", sentence) is not None


def of_another_deed(question: str, sentence: str, value: str) -> bool:
    """Whether a sentence says that ``value`` did something else than what a question asks: founded what it designed."""
    asked = _WHO_DID.match(question)
    if asked is None or asked["verb"].lower() in AUXILIARIES:
        return False
    verb = base(asked["verb"].lower())
    by = rf"\b(?:is|are|was|were|been)\s+\w+\b[^.;]*?\bby\s[^.;,]{{0,40}}?{re.escape(value)}"
    return re.search(by, sentence) is not None and all(
        base(word) != verb for word in re.findall(r"[a-z]+", sentence.lower())
    )


def field_alone(question: str, names: Sequence[str], sentence: str, around: str) -> str:
    """The value of a line such as "Power: 2 kW" whose label the question has; empty for any other sentence.

    What only names something is no label, but the title that leads a fact. All else that the question says must stand
    ``around`` the line, in its section or the title: a price is not that of everything.
    """
    match = LABEL.fullmatch(sentence)
    if match is None or fields(sentence) or len(match["value"].split()) > _LONGEST_FIELD:
        return ""
    label = set(key(match["label"]).split()) - FUNCTION_WORDS
    label -= {word for name in names for word in key(name).split()}
    attribute = ATTRIBUTE.search(question) or _ASKED_OF.match(question)
    asked = set(key(attribute["head"]).split()) if attribute else set()
    words = key(question).split()
    asked |= {ADJECTIVES[word] for word in words if word in ADJECTIVES}
    near = {word[:_STEM] for word in key(around).split()}
    others = set(words) - FUNCTION_WORDS - label - ADJECTIVES.keys()
    said = all(word[:_STEM] in near for word in others)
    return match["value"] if label and label <= asked and said else ""


@lru_cache(maxsize=64)
def measure_asked(question: str) -> str:
    """What a question wants measured (mass, money …); empty where it asks for no measure, or for one of several."""
    if how := _HOW.search(question):
        return next(kind for kind, word in how.groupdict().items() if word).removesuffix("_too")
    what = _WHAT.match(question)
    return _DIMENSIONS[what["noun"].lower()] if what else ""


def of_another_measure(question: str, value: str) -> bool:
    """Whether a value measures something else than what a question wants measured."""
    wanted, told = measure_asked(question), measures(value)
    return bool(wanted and told) and wanted != told and not (wanted == "money" and "pound" in value.lower())


def is_no_option(question: str, value: str) -> bool:
    """Whether a question offers a choice ("which is older, A or B?"), and a value has no word of it."""
    match = _CHOICE.match(question)
    return match is not None and not set(key(match["options"]).split()) & (set(key(value).split()) - FUNCTION_WORDS)


def counts_others(question: str, text: str, sentence: str, value: str) -> bool:
    """Whether a number is how many of something else there are: "46 people" of "how many tiles", where the same text
    speaks of tiles, too.
    """
    asked, at = _MANY.match(question), sentence.find(value)
    told = _COUNTED.match(sentence, at + len(value)) if at >= 0 and value.split()[-1:] == value.split()[:1] else None
    if asked is None or told is None:
        return False
    noun, words = stem(asked["noun"].lower()), key(sentence[at:]).split()
    return stem(told["noun"]) != noun and noun in map(stem, key(text).split()) and noun not in map(stem, words)


def of_another_attribute(question: str, text: str, sentence: str, value: str) -> bool:
    """Whether a sentence says of another attribute what it is: "the expenses were …" of "what was the income of …",
    where the same text speaks of the income, too.
    """
    asked, at = ATTRIBUTE.search(question), sentence.find(value)
    told = _IS_VALUE.search(sentence, 0, at) if at > 0 else None
    if asked is None or told is None:
        return False
    noun = stem((key(asked["head"]).split() or [""])[-1])
    return noun in map(stem, key(text).split()) and noun not in map(stem, key(sentence).split())


def is_named_later(names: Sequence[str], title: str, text: str, sentence: tuple[int, int]) -> bool:
    """Whether a sentence begins with a pronoun, which stands for what was named before it, and a name of the question
    comes up only behind it.
    """
    if not _PRONOUN.match(text, sentence[0]) or not any(capitalised_spans(text[: sentence[0]])):
        return False
    before, behind = f"{title} {text[: sentence[1]]}", f" {key(text[sentence[1] :])} "
    known = {key(word) for word in _CAPITALISED.findall(before)}
    told = [key(name) for name in names if key(name)]
    return any(f" {name} " in behind and not set(name.split()) & known for name in told)
