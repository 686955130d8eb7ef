"""Whether a sentence tells of the deed that a question asks for, done by whom it says and in the part that it asks for.

A reader finds the sentence that has the words of a question, and takes the name or number in it for the answer: of
what was planned or denied, of who sold for who bought, of who was beside whoever did it. Grammar tells these apart
where verb and place of the value are plain; what it leaves open is no objection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.questions.words import AUXILIARIES, PREPOSITIONS, is_participle
from clew.text.mentions import mentions_all
from clew.text.names import FUNCTION_WORDS, JOINING, capitalised_spans, key
from clew.text.values import dates, in_full, moment, quantities
from clew.text.verbs import PAST, base, stem

_WORD = re.compile(r"[^\W\d_]+")
_NEGATION = re.compile(r"\b(?:not|never|no|nobody|none|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_DENIED = re.compile(r"(?:\b(?:not|never|nor|cannot)\b|n['’]t\b)(?:\s+(?!only\b)[a-z]+){0,2}\s+\Z", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|before)\b", re.IGNORECASE)
"""What tells when a thing was done after all: "not finished until 1911"."""
_MODAL = re.compile(
    r"\b(?:will|shall|should|(?:would|could|might|may|must)\s+have)\s+(?:(?:not|also|soon|then|later|have|be|been)\s+){0,3}\Z",
    re.IGNORECASE,
)
_TO = re.compile(r"(?P<before>[^\W\d_]+)\s+(?:not\s+)?to\s+(?:be\s+|have\s+(?:been\s+)?)?\Z", re.IGNORECASE)
_INTENDS = frozenset(
    """am is are was were hope want wish plan intend propose decide decline refuse fail offer promise threaten try
    attempt agree expect mean seek aim ask due supposed likely ready""".split()
)
"""What leaves open before "to" whether a thing was done; who managed or began to do it did it."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)\s+(?:[a-z]+\s+){0,2}\Z", re.IGNORECASE)
_IS_NOUN = re.compile(r"\b(?:the|an?|its|his|her|their|our|my|no|of|under)\s+(?:[a-z]+\s+)?\Z", re.IGNORECASE)
_SUBJECT = re.compile(r"[^\W\d_](?:[\w'’.-]*)\s+(?:(?:has|have|had|also|then|later|first|\w+ly)\s+)*\Z")
"""What ends in a word, behind which a verb is not turned round with its subject, as it is behind what is quoted."""
_WHEN = re.compile(r"(?:at )?(?:when|what time)\b", re.IGNORECASE)
_WHENEVER = re.compile(r"\b(?:if|unless|except|before|after|until|not|never)\b", re.IGNORECASE)
"""What makes a time depend on something else."""
_AT = re.compile(r"\s+(?:(?:at|on|in)\s+)?(?=[\dA-Z])")
_PLACE_FIRST = re.compile(rf"(?:and\s+|but\s+)?(?:{'|'.join(sorted(PREPOSITIONS))})\s[^,]*\Z", re.IGNORECASE)
_NOT_SUBJECT = frozenset(
    "which there here up down out in on off away outside inside behind above below then so".split()
)
_BY = re.compile(r"\bby\b", re.IGNORECASE)
_PARTICIPLE_BY = re.compile(r"(?P<verb>[a-z]+)\s+by\s", re.IGNORECASE)
_BORDER = re.compile(r"[;:]|,\s+(?:and|but|while)\s|\s(?:while|whereas)\s")
_WHO_DID = re.compile(r"who (?P<verb>[a-z]{3,20}) (?P<rest>.+)", re.IGNORECASE)
_DID = re.compile(r"\b(?P<aux>did|does|do) (?P<rest>.+)", re.IGNORECASE)
_WAS = re.compile(r"\b(?P<aux>was|were|is|are|been) (?P<rest>.+)", re.IGNORECASE)
_BY_WHOM = re.compile(r"by (?:whom?|what|which)\b|who(?:m)? (?:is|are|was|were) .* by\Z", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?P<word>to|from|by|for|with|against)\s+"
    r"(?:(?:the|an?|his|her|its|their|our|my)\s+(?:[^\W\d_A-Z][\w'’-]*\s+){0,3}?(?:of\s+)?)?"
    r"(?:[^\W\d_A-Z][\w'’-]*,\s+)?(?:[A-Z][a-z]{1,3}\.?\s+)?\Z"
)
"""What stands before a value: its preposition, an article with what it is, a title."""
_FRONTED = re.compile(r"(?P<word>to|from|by|for|with|against) (?:whom?|which|what)\b", re.IGNORECASE)
_STRANDED = re.compile(r"(?:whom?|which|what)\b.*\b(?P<word>to|from|by|for|with|against)\Z", re.IGNORECASE)
_EXCLUDED = {
    "to": {"from", "by"}, "from": {"to", "for"}, "for": {"from", "by", "against"}, "by": {"to", "for"},
    "with": {"from", "by", "against"}, "against": {"with", "for", "by"},
}  # fmt: skip
"""The prepositions whose noun has another part in a deed than the one that is asked for."""
_TURNED = frozenset({("to", "from"), ("from", "to")})
"""Those that are so whatever the deed is: what is sold to somebody is bought from another."""
_PARTNER = re.compile(r"(?:\A|\b(?:to|from|with|against)\s)(?:the\s|an?\s)?(?P<who>[A-Z]\w[^,;]*)")
"""The names of a question besides that of who did it: of what or with whom."""
_ARTICLES = frozenset("the a an his her its their our my this that".split())
_MUTUAL = frozenset("marry wed divorce meet join face resemble equal play fight follow".split())
"""Deeds in which both have the same part, or which are told of both."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a question asks of: a verb in its first form, who does it (of a passive: what it is done to), and the rest.

    ``agent`` says that it asks who did it, ``past`` that it takes it for done.
    """

    verb: str
    subject: str
    rest: str
    passive: bool = False
    agent: bool = False
    past: bool = False


@dataclass(frozen=True, slots=True)
class _Told:
    """A verb of a sentence, as a span, and whether what stands before it is what it is done to."""

    start: int
    end: int
    passive: bool


@lru_cache(maxsize=64)
def deed_asked(question: str) -> Deed | None:
    """The deed that a question asks of; None where its grammar does not tell it without doubt."""
    text = " ".join(question.split()).strip(" ?.")
    if (match := _WHO_DID.fullmatch(text)) and match["verb"].lower() not in AUXILIARIES | FUNCTION_WORDS:
        verb = match["verb"].lower()
        return Deed(base(verb), "", match["rest"], agent=True, past=not verb.endswith("s"))
    if match := _DID.search(text):
        words = match["rest"].split()
        at = _behind_subject(words)
        if at and at < len(words) and _may_be_verb(words[at]):
            subject, rest = " ".join(words[:at]), " ".join(words[at + 1 :])
            return Deed(base(words[at].lower()), subject, rest, past=match["aux"].lower() == "did")
        return None
    if match := _WAS.search(text):
        words = match["rest"].split()
        at = next((n for n in reversed(range(1, len(words))) if words[n].islower() and _is_participle(words[n])), 0)
        if at:
            subject, rest = " ".join(words[:at]), " ".join(words[at + 1 :])
            past, agent = match["aux"].lower() not in ("is", "are"), _BY_WHOM.match(text) is not None
            return Deed(base(words[at]), subject, rest, passive=True, agent=agent, past=past)
    return None


def _is_participle(word: str) -> bool:
    """Whether a word may stand behind *was*, as far as its form tells: *paid* is a past, too."""
    return is_participle(word) or word in PAST


def _behind_subject(words: Sequence[str]) -> int:
    """How many words the subject has that a clause begins with: a name, or a noun with its article; 0 for neither."""
    at = 0
    if words[0].lower() in _ARTICLES:
        at = 1 if words[1:] and not words[1][:1].islower() else 2
        if at == 2 and all(map(_may_be_verb, words[2:4])) and words[3:]:
            return 0  # "the first set last": either may be the verb
    while at < len(words) and (words[at][:1].isupper() or words[at][:1].isdigit() or (at and _joins(words, at))):
        at += 1
    return at


def _joins(words: Sequence[str], at: int) -> bool:
    return words[at] in JOINING | PREPOSITIONS and words[at + 1 :] != [] and words[at + 1][:1].isupper()


def _may_be_verb(word: str) -> bool:
    return word.isalpha() and word.islower() and word not in FUNCTION_WORDS | PREPOSITIONS | {"of"}


def contradicts(question: str, before: str, sentence: str, value: str) -> bool:
    """Whether a sentence, which goes on from ``before``, says of ``value`` something else than a question asks.

    It denies the deed or only plans it, tells it of another who did it, or gives the value another part in it.
    """
    at, deed = sentence.find(value), deed_asked(question)
    told = list(_told(deed.verb, sentence)) if deed else []
    if _in_another_part(question, sentence, at, told=bool(told) or deed is None):
        return True
    if deed is None:
        return False
    if not told:
        earlier = list(_told(deed.verb, before))
        return bool(earlier) and not _NEGATION.search(question) and all(_is_denied(before, one) for one in earlier)
    affirms = not _NEGATION.search(question) and not _NEGATION.search(value)
    if affirms and all(_is_denied(sentence, one) for one in told):
        return True
    if deed.past and all(_is_open(sentence, one) for one in told):
        return True
    if deed.verb in _MUTUAL:
        return False
    if deed.agent and at >= 0 and all(_is_no_agent(sentence, one, at) for one in told):
        return True
    if at >= 0 and all(_tells_its_own(sentence, one, at) for one in told):
        return True
    return all(_is_reversed(deed, sentence, one) for one in told)


def _told(verb: str, sentence: str) -> Iterator[_Told]:
    """Where a sentence has a verb in any form; behind an article its first form is a noun."""
    for match in _WORD.finditer(sentence):
        word = match.group().lower()
        if not _is_form(word, verb) or (word == verb and _IS_NOUN.search(sentence, 0, match.start())):
            continue
        by_form = _is_participle(word) and _PASSIVE.search(sentence, 0, match.start()) is not None
        behind = sentence[match.end() : _border(sentence, match.end())]
        reduced = _is_participle(word) and _BY.match(behind.lstrip()) is not None
        yield _Told(match.start(), match.end(), by_form or reduced)


def _is_form(word: str, verb: str) -> bool:
    return base(word) == base(verb) or (stem(word) == stem(verb) and word.endswith(("ed", "s", "ing")))


def _border(sentence: str, start: int) -> int:
    match = _BORDER.search(sentence, start)
    return match.start() if match else len(sentence)


def _clause(sentence: str, told: _Told) -> tuple[int, int]:
    """Where the clause of a verb begins and ends."""
    first = max((match.end() for match in _BORDER.finditer(sentence, 0, told.start)), default=0)
    return first, _border(sentence, told.end)


def _is_denied(sentence: str, told: _Told) -> bool:
    return _DENIED.search(sentence, 0, told.start) is not None and not _UNTIL.search(sentence, told.end)


def _is_open(sentence: str, told: _Told) -> bool:
    """Whether a verb is told of as a plan, a duty or a wish."""
    if _MODAL.search(sentence, 0, told.start):
        return True
    to = _TO.search(sentence, 0, told.start)
    return to is not None and bool({to["before"].lower(), base(to["before"].lower())} & _INTENDS)


def _in_another_part(question: str, sentence: str, at: int, *, told: bool) -> bool:
    """Whether a value stands behind a preposition that gives it another part than that of the question."""
    text = question.strip(" ?.")
    asked = _FRONTED.match(text) or _STRANDED.fullmatch(text)
    aside = _ASIDE.search(sentence, 0, at) if at > 0 else None
    if asked is None or aside is None:
        return False
    pair = asked["word"].lower(), aside["word"]
    return pair in _TURNED or (told and pair[1] in _EXCLUDED[pair[0]])


def _is_no_agent(sentence: str, told: _Told, at: int) -> bool:
    """Whether a value at ``at`` is not who did what a verb tells: it stands behind the verb, and whoever did it before;
    or whoever did it stands behind the first "by", and it behind that of another deed.
    """
    if sentence[told.start : told.end].lower().endswith("ing"):
        return False
    if at < told.end or at > _border(sentence, told.end):
        return False
    between = sentence[told.end : at]
    by = _BY.search(between)
    if by is None:
        return not told.passive and _has_subject(sentence[: told.start])
    others = [match["verb"].lower() for match in _PARTICIPLE_BY.finditer(between, by.end())]
    return any(_is_participle(verb) and base(verb) != base(sentence[told.start : told.end].lower()) for verb in others)


def _tells_its_own(sentence: str, told: _Told, at: int) -> bool:
    """Whether a date or number at ``at`` stands in another clause than a verb, which has one of its own."""
    first, last = _clause(sentence, told)
    if first <= at < last:
        return False
    numbers = [[(a, b) for a, b in find(sentence) if a <= at < b or first <= a < last] for find in (dates, quantities)]
    return any(any(a <= at < b for a, b in found) and len(found) > 1 for found in numbers)


def _has_subject(head: str) -> bool:
    """Whether what stands before a verb ends in what may be its subject: not in "under which" or "before the hill"."""
    if _PLACE_FIRST.match(head):
        return False
    match = _SUBJECT.search(head)
    return match is not None and match.group().split()[0].lower() not in _NOT_SUBJECT


def _is_reversed(deed: Deed, sentence: str, told: _Told) -> bool:
    """Whether a sentence tells a deed of the names of a question the other way round."""
    first, last = _clause(sentence, told)
    head, tail = key(sentence[first : told.start]), key(sentence[told.end : last])
    subject = _names(deed.subject)
    others = [name for match in _PARTNER.finditer(deed.rest) for name in _names(match["who"])]
    if not subject or deed.passive != told.passive or _shares(head, subject):
        return False
    if f"{'by ' if deed.passive else ''}{subject[0]}" == tail[: len(subject[0]) + 3 * deed.passive]:
        return True
    return not deed.passive and _has(head, others)


def when_told(question: str, names: Sequence[str], around: str, sentence: str) -> str:
    """The day or hour right behind the verb of "when did X close": "closes at 16:00"; empty where none stands there.

    ``around`` is the title and heading. The sentence must have, with these, all that the question says of the subject.
    """
    deed = deed_asked(question)
    if deed is None or not _WHEN.match(question) or _WHENEVER.search(sentence):
        return ""
    told, near = list(_told(deed.verb, sentence)), f"{around} {sentence}"
    asked = _content(f"{deed.subject} {deed.rest}")
    if len(told) != 1 or told[0].passive != deed.passive or not asked <= _content(near):
        return ""
    if not mentions_all(near, names):
        return ""
    form = sentence[told[0].start : told[0].end].lower()
    if deed.past != (not form.endswith("s") and form != deed.verb):
        return ""
    at = _AT.match(sentence, told[0].end)
    start, end = moment(sentence, *in_full(sentence, at.end(), at.end() + 1)) if at else (0, 1)
    return sentence[start:end].rstrip(" .") if end - start > 2 and sentence[start:end][-1:].isalnum() else ""


def _content(text: str) -> set[str]:
    return {stem(word) for word in key(text).split() if word not in FUNCTION_WORDS}


def _names(text: str) -> list[str]:
    """The keys of the names in a part of a question."""
    return [key(name) for name in capitalised_spans(text)]


def _has(said: str, names: Sequence[str]) -> bool:
    """Whether a key has one of the names as a whole."""
    return any(f" {name} " in f" {said} " for name in names)


def _shares(said: str, names: Sequence[str]) -> bool:
    """Whether a key has a word of one of the names."""
    return bool({word for name in names for word in name.split()} & set(said.split()) - FUNCTION_WORDS)
