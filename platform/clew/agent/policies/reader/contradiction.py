"""Whether a sentence contradicts that a value in it answers: a denial, a plan, a former state, or another
thing of the same sort (the north depot for the south depot).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from clew.agent.policies.reader.places import sentences_of
from clew.text.mentions import mentions
from clew.text.names import FUNCTION_WORDS, key

_NEGATION = re.compile(
    r"\b(?:not(?! only)|never|no|nobody|none|neither|nor|cannot|failed to|refused to)\b|n['’]t\b", re.I
)
_NOT_IT = re.compile(r"\b(?:instead of|rather than|unlike|except|almost|nearly|not)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE)
_NOT_DONE = re.compile(r"\s+(?:almost|nearly|hardly)\b", re.IGNORECASE)
_ASIDE = re.compile(r",\s+not\s[^,]{1,40},")
"""What is denied beside what is said: "Ida Falk, not Eva Strand, designed it"."""
_UNTIL = re.compile(r"\b(?:until|till|before)\b", re.IGNORECASE)
"""What tells when a thing was done after all: "not finished until 1911"."""
_OPEN = re.compile(
    r"\b(?:will|shall|should|(?:would|could|might) have|(?:plans?|planned|intends?|intended|hopes?|hoped|wants?|wanted|"
    r"expected|proposed|due|is|are) to)\b"
)
_FORMER = re.compile(r"\b(?:formerly|former|until|till|used to|no longer|stopped|ceased)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:moved|transferred|relocated|replaced|succeeded|assigned|sold|renamed|stopped|ceased|no longer|until)\b",
    re.IGNORECASE,
)
_IN_PRESENT = re.compile(r"\b(?:is|are|does|do|has|have)\b|^who [a-z]+s\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\b(?:but|except|only|instead|rather|unlike|almost|nearly|hardly|failed|refused|expected|planned|if|unless|"
    r"formerly|until|stopped|ceased)\b",
    re.IGNORECASE,
)
_IN_PAST = re.compile(r"\b(?:did|was|were|had)\b|^who [a-z]+ed\b", re.IGNORECASE)
_BORDER = re.compile(
    r"[;:]\s|,\s+(?:and|but|while|whereas|although|who|which|he|she|it|they)\s|\s(?:but|while|whereas|although)\s|[.!?]\s"
)
_PREPOSITION_ASKED = re.compile(r"\b(?P<word>from|to) (?:whom?|which|what)\b", re.IGNORECASE)
_PREPOSITION = re.compile(r"\b(?P<word>from|to)\s+(?:(?:the|an?|his|her|its|their)\s+)?(?:[a-z]+\s+){0,2}\Z")


def is_contradicted(
    question: str, names: Sequence[str], text: str, sentence: tuple[int, int], value: str, everything: str
) -> bool:
    """Whether a sentence of ``text`` says of ``value`` something else than what is asked, or of something else.

    ``everything`` is the key of all that was shown.
    """
    own = text[slice(*sentence)]
    return (
        contradicts(question, own, value)
        or of_another_kind(question, everything, own)
        or superseded(question, names, text, sentence)
    )


def contradicts(question: str, sentence: str, value: str) -> bool:
    """Whether a sentence says of ``value`` something else than what a question asks."""
    at = sentence.find(value)
    if at < 0:
        return False
    question = question.strip(" ?.")
    first = max((match.end() for match in _BORDER.finditer(sentence, 0, at)), default=0)
    border = _BORDER.search(sentence, at + len(value))
    clause = sentence[first : border.start() if border else len(sentence)]
    before, behind = clause[: at - first], clause[at - first + len(value) :]
    denied = _NEGATION.search(_ASIDE.sub(",", clause)) or _NOT_IT.search(before) or _NOT_DONE.match(behind)
    if denied and not _UNTIL.search(clause) and not _NEGATION.search(f"{question} | {value}"):
        return True
    if _IN_PAST.search(question):
        if _OPEN.search(before) and not _OPEN.search(question):
            return True
    elif _IN_PRESENT.search(question) and _FORMER.search(clause) and not _FORMER.search(question):
        return True
    asked, aside = _PREPOSITION_ASKED.search(question), _PREPOSITION.search(before)
    return asked is not None and aside is not None and {asked["word"].lower(), aside["word"]} == {"from", "to"}


def superseded(question: str, names: Sequence[str], text: str, sentence: tuple[int, int]) -> bool:
    """Whether what a sentence says of now is changed by the next one, or by a later one of the same names.

    "She lives in Westerholm. In May she moved to Osterby." tells no longer where she lives.
    """
    if not _IN_PRESENT.search(question) or _CHANGES.search(text[slice(*sentence)]):
        return False
    later = [text[a:b] for a, b in sentences_of(text) if a >= sentence[1]]
    return any(
        _CHANGES.search(one) and (not at or (names and all(mentions(one, name) for name in names)))
        for at, one in enumerate(later)
    )


def leaves_open(question: str, sentence: str) -> bool:
    """Whether a sentence has a word of negation, contrast or condition that a question of yes or no has not."""
    return any(one.search(sentence) and not one.search(question) for one in (_NEGATION, _CONTRAST, _CHANGES))


def of_another_kind(question: str, around: str, sentence: str) -> bool:
    """Whether a sentence has the noun of a question with another word before it, where ``around`` has both together.

    ``around`` is the key of all that was shown.

    "The north depot holds 40 crates" tells nothing of the south depot, of which the passage speaks, too.
    """
    words, elsewhere = key(sentence).split(), f" {around} "
    for word, noun in pairwise(key(question).split()):
        if {word, noun} & FUNCTION_WORDS or word in words or f" {word} {noun} " not in elsewhere:
            continue
        if any(other == noun and before not in FUNCTION_WORDS for before, other in pairwise(words)):
            return True
    return False
