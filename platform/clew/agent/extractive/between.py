"""What stands between two places of a sentence, and what a place alone says of who belongs to whom."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import NO_ORDINAL, stem
from clew.text.names import FUNCTION_WORDS


def text_between(text: str, start: int, end: int) -> str:
    """What stands between two places, without the white space around it."""
    return text[start:end].strip() if end > start else ""


def words_between(text: str, start: int, end: int) -> int:
    """How many words stand between two places."""
    return len(_WORD.findall(text, start, end)) if end > start else 0


def names_between(text: str, start: int, end: int) -> int:
    """How many names stand between two places, by their capitals."""
    return len(_CAPITALS.findall(text[start:end])) if end > start else 0


def after_aside(text: str, start: int, end: int) -> int:
    """Where a sentence goes on behind what only describes a name, up to ``end``: "X (1901–70), together with Y, |"."""
    aside = _ASIDE.match(text, start)
    return aside.end() if aside and aside.end() <= end else start


_ASIDE = re.compile(
    r"(?: \([^()]*\))*(?:, (?:(?:together|along|alongside|accompanied|assisted|aided|supported|joined) (?:with |by )?"
    r"|and |the |an? |then |his |her |who )(?:[^,.;()]|\([^()]*\))*,(?! and\b))?"
)
_WORD = re.compile(r"\w+")
_CAPITALS = re.compile(r"(?<![\w.])(?:[A-ZÀ-Þ][\w.\-'’]*(?:\s(?:of\s|de\s|the\s)?)?)+")


def attached(text: str, c: Candidate, at: tuple[int, int] | None) -> float:
    """Whether the candidate belongs to the subject by its place alone: "Mozart's Requiem", "China ($1.18 trillion)"."""
    if c.kind == "number" and at and text[c.end : at[0]] == " ":
        return 1.0  # "12 State University campuses"
    if not at or not at[1] or c.start < at[1]:
        return 0.0
    if c.kind == "number" and c.text[-1:].isalpha() and text[at[1] : c.start] == ", ":
        return 1.0  # "on the Long Acre, 12 hectares"
    return float(_ATTACHED.fullmatch(text[at[1] : c.start]) is not None)


_ATTACHED = re.compile(r"['’´`]s? |\s?\((?:about |around |c\. |approximately |nearly |over )?")


def left(text: str, c: Candidate) -> bool:
    """Whether somebody or something goes from there to somewhere else: the Frankfurt of "from Frankfurt to Corran"."""
    return _TO.match(text, c.end) is not None and _FROM.search(text, 0, c.start) is not None


_FROM = re.compile(r"\bfrom (?:the )?$")
_TO = re.compile(r" to (?:the )?[A-ZÀ-Þ]")


@lru_cache(maxsize=8192)
def acts_itself(text: str, c: Candidate, template: str) -> bool:
    """Whether a candidate does to others what a question asks to whom it was done: "who was crowned", "X crowned Y"."""
    undergone = _UNDERGONE.match(template.lower())
    verb = _DOES.match(text, c.end) if undergone else None
    return undergone is not None and verb is not None and stem(verb.group(1)) == stem(undergone.group(1))


_UNDERGONE = re.compile(
    r"(?:who|whom|what|which [a-z]+) (?:is|was|are|were|has been|had been) (?:[a-z]+ly )?([a-z]+ed)\b"
)
_DOES = re.compile(r" (?:had |has |also |later |then )*([a-z]+ed)\b(?! (?:by|as|in|on|at)\b)")


def aged(text: str, c: Candidate, at: tuple[int, int] | None) -> float:
    """Whether a number is somebody's age by its place: "Dean Hale, 34, saved a child", "He was 34."."""
    if _OLD.match(text, c.end) or (_AGE_BEFORE.search(text, 0, c.start) and _AGE_AFTER.match(text, c.end)):
        return 1.0
    after = at is not None and at[1] <= c.start and _AGED.fullmatch(text, at[1], c.start) is not None
    return float(after and text[c.end : c.end + 1] in (",", ".", ")", ""))


_AGE_BEFORE = re.compile(r"(?:^(?:He|She) (?:was|is)|\b(?:aged?|at the age of|(?:die[ds]|death) at)) $")
_AGE_AFTER = re.compile(r"[.,;)]|$| when\b| and\b")
_OLD = re.compile(r"[ -](?:years?[ -])?old\b| (?:years )?of age\b")
_AGED = re.compile(r"(?:, | \()(?:aged |now |then )?")


@lru_cache(maxsize=8192)
def counts(text: str, c: Candidate, noun: str) -> bool:
    """Whether a number counts or measures what the noun names: "four eggs", "250 g of nuts", "Visitors: about 40"."""
    label = _LABEL.search(text, 0, c.start)
    if label and stem(noun) in map(stem, label.group(1).lower().split()):
        return True
    if stem(noun) in map(stem, c.text.lower().split()):
        return True  # "39 hours", whose noun is its unit
    after = _COUNTED.match(text, c.end)
    words = after.group(1).split() if after and c.text.lower() != "one" else []
    at = next((i for i, word in enumerate(words) if stem(word) == stem(noun)), -1)
    return at >= 0 and FUNCTION_WORDS.isdisjoint(words[:at])


@lru_cache(maxsize=8192)
def shares(text: str, c: Candidate, of: frozenset[str]) -> float:
    """Whether a share is that of what a question speaks of, by the words right behind it: "2.8% Protestants", "5 % of
    the people were Protestant", -1 where they are those of something else; 0 where nothing stands there."""
    after = _SHARE_OF.match(text, c.end)
    words = [stem(word) for word in after.group(1).lower().split() if word not in FUNCTION_WORDS] if after else []
    return 0.0 if not words else 1.0 if any(word in of for word in words) else -1.0


_SHARE_OF = re.compile(r"((?: [^\W\d_][\w’'-]*){1,7})")


_LABEL = re.compile(r"(?:^|[.;] )([^\W\d_][^.:;]{0,40}): (?:about |approximately |around |ca\. )?$")
_COUNTED = re.compile(r"(?:\s?(?:g|kg|mg|lb|oz|ml|cl|dl|l|cups|tablespoons|teaspoons) of)?((?: [^\W\d_]+){1,4})")


@lru_cache(maxsize=8192)
def of_another_number(text: str, c: Candidate, question: str) -> bool:
    """Whether the words before a candidate tell of more or fewer than a question in lower case asks for: the
    "four dialects: X, Y …" of "which two dialects"."""
    asked = _SO_MANY.search(question)
    if asked is None:
        return False
    told = [m for m in _HOW_MANY.finditer(text.lower(), 0, c.start) if stem(m[2]) == stem(asked[2])]
    return bool(told) and told[-1][1] != asked[1]


_CARDINAL = r"(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_SO_MANY = re.compile(rf"\b(?:which|what|the) {_CARDINAL} (?:[a-z]+ )??([a-z]+s)\b")
_HOW_MANY = re.compile(rf"\b{_CARDINAL} (?:[a-z]+ )??([a-z]+s)\b")


def identified(text: str, c: Candidate, template: str) -> float:
    """Whether the candidate is said to be the first of its kind: "the largest town is X", "X, the largest town".

    -1 where it is said to be so in another way ("and the smallest town is X"), or others to be more so.
    """
    found = 0.0
    for word in SUPERLATIVE.findall(template.lower()):
        told = re.compile(rf"{NO_ORDINAL}\b(?:{'|'.join(_alike(word))})\b")
        before = re.search(r"([^.;]{0,90})\b(?:is|was|are|were)\s(?:the\s)?$", text[: c.start].lower())
        after = _DEFINES.match(text[c.end :].lower())
        last = [m.start() for m in _EXTREME.finditer(before.group(1))][-1:] if before else []
        led = before and told.search(before.group(1), *last)
        if led or (after and told.search(after.group(1))):
            found = 1.0
        elif last and found == 0.0:
            found = -1.0
    return found


_DEFINES = re.compile(
    r"(?:\s\((?:[^()]|\([^()]*\))*\))?(?:,(?! (?:to|after|before|when|while|and|but|behind)\b)|\s(?:is|was|are|were)\b)"
    r"([^.;]{0,60})"
)
"""What leads from a name, over a parenthesis, to what it is said to be."""


@lru_cache(maxsize=8192)
def holds_record(text: str, c: Candidate, question: str) -> float:
    """Whether the candidate is said to have the most where a question in lower case asks who has: "Ada Finch holds the
    record for most wins", "the record is held by Ada Finch"."""
    asked = _RECORD.search(question)
    if asked is None or not _WHO.match(question):
        return 0.0
    told = _RECORDS[asked.group(1)]
    after = _HAS.match(text, c.end)
    if after and re.search(rf"\b(?:{told})\b", after.group(1)):
        return 1.0
    before = _HELD_BY.search(text, 0, c.start)
    return float(before is not None and re.search(rf"\b(?:{told})\b", before.group(1)) is not None)


_WHO = re.compile(r"(?:who|which [a-z]+|what [a-z]+) ")
_MOST = "most(?! recent)|record|records|highest|greatest|largest|best|all-time"
_LEAST = "fewest|lowest|least|smallest|worst"
_RECORDS = {
    **dict.fromkeys("most highest greatest largest biggest best record".split(), _MOST),
    **dict.fromkeys("fewest lowest least smallest worst".split(), _LEAST),
    "longest": "longest",
    "shortest": "shortest",
    "youngest": "youngest",
    "oldest": "oldest",
    "fastest": "fastest|quickest|record",
}
"""Words for what is most of all, and those that tell it."""
_RECORD = re.compile(rf"\b({'|'.join(_RECORDS)})\b")
_HAS = re.compile(
    r"(?: \([^()]*\))*,?(?: (?:who|currently|also|now|still|then|has|had|have))* "
    r"(?:is|was|has|had|have|holds?|held|won|wins|scored|set|sets|led|leads|made|recorded|received|owns|with) "
    r"([^.;,]{1,60})"
)
_HELD_BY = re.compile(
    r"((?:^|[.;,] )[^.;,]{1,80}?)\b(?:held by|set by|belongs to|is|was|by|goes to|were|are) (?:the )?(?:[a-z]+ ){0,3}$"
)
"""What leads up to who has most: "the most wins by a | player is"."""


def _alike(word: str) -> frozenset[str]:
    return next((words for words in _SAME if word in words), frozenset((word,)))


SUPERLATIVE = re.compile(
    r"\b(?:largest|biggest|smallest|highest|tallest|longest|shortest|oldest|youngest|deepest|wealthiest|richest|"
    r"most populous|most populated|second largest|second-largest|only|sole)\b"
)
"""What singles out one of many."""
_EXTREME = re.compile(rf"{NO_ORDINAL}{SUPERLATIVE.pattern}")
_SAME = (
    frozenset(("largest", "biggest", "most populous", "most populated")),
    frozenset(("highest", "tallest")),
    frozenset(("second largest", "second-largest")),
    frozenset(("wealthiest", "richest")),
)


def together(text: str, c: Candidate, at: tuple[int, int]) -> float:
    """How close somebody stands to the subject, where nothing but that tells of them: "Ada Finch and Jon Finch"."""
    first, last = sorted([(c.start, c.end), at])
    if "(" in text[first[1] : last[0]]:
        return 0.0  # "Ada Finch (born Ada Mary Vale)"
    joined = _AND.fullmatch(text, first[1], last[0])
    return 1.0 if joined else math.exp(-words_between(text, first[1], last[0]) / FAR)


FAR = 4
"""Words between two names after which they are named together by a third only."""
_AND = re.compile(r" (?:and|&) ")
