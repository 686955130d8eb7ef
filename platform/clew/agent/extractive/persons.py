"""Whether two names may be those of one person."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from clew.agent.extractive.lexicon import first_names, key, vocabulary


@lru_cache(maxsize=65_536)
def alike(one: str, other: str, *, short: bool = False) -> bool:
    """Whether two names may be those of one person: initials, other names in the middle, a title.

    What tells namesakes apart has to be the same: numerals, *Jr*, titles that both have. With ``short`` a first or a
    last name alone will do, as within one sentence.
    """
    return any(_alike(_parts(ours), _parts(theirs), short) for ours, theirs in product(_called(one), _called(other)))


def _called(name: str) -> tuple[str, ...]:
    """A name, and what its bearer is called where that is told in the midst of it: "Ada “Gull” Finch"."""
    nickname = _NICKNAME.search(name)
    return (_NICKNAME.sub(" ", name), nickname.group(1) + name[nickname.end() :]) if nickname else (name,)


_NICKNAME = re.compile(r" [\"“]([^\"”]+)[\"”](?= )")


def _alike(ours: _Parts, theirs: _Parts, short: bool) -> bool:
    if ours.telling != theirs.telling:
        return False
    if ours.titles and theirs.titles and ours.titles != theirs.titles:
        return False
    if not (ours.rank.startswith(theirs.rank) or theirs.rank.startswith(ours.rank)):
        return False
    if ours.words == theirs.words or not ours.words or not theirs.words:
        return ours.words == theirs.words
    shorter, longer = sorted((ours.words, theirs.words), key=len)
    if len(shorter) == 1:
        return short and shorter[0] in (longer[0], longer[-1])
    if shorter[-1] != longer[-1]:
        return False
    return (shorter[0] == longer[0] and set(shorter) <= set(longer)) or abbreviates(" ".join(shorter), " ".join(longer))


def abbreviates(one: str, other: str) -> bool:
    """Whether one name has only initials where the other has words: "J. K. Finch" is Jon Finch."""
    ours, theirs = key(one).split(), key(other).split()
    short = [all(len(word) == 1 for word in words[:-1]) for words in (ours, theirs)]
    named = len(ours) > 1 and len(theirs) > 1 and any(short) and not all(short)
    return named and ours[-1] == theirs[-1] and ours[0][0] == theirs[0][0]


def leaves_out(one: str, other: str) -> bool:
    """Whether two names are one with and without what stands between the first and the last: "Ada M. Finch"."""
    less, more = sorted((one.split(), other.split()), key=len)
    ends = len(less) == 2 and len(more) in (3, 4) and (less[0], less[-1]) == (more[0], more[-1])
    return ends and less[0] in first_names()


def untitled(name: str) -> str:
    """Somebody's name without an office or a party before it: "President Ada Finch" is Ada Finch.

    A rank that belongs to the name stays: in "Sir Jon Vale, 1st Baronet", and where only one word is left.
    """
    led = _OFFICES.match(name) if "," not in name else None
    rest = name[led.end() :] if led else ""
    return rest if " " in rest and rest[0].isupper() else name


_OFFICES = re.compile(
    r"(?:(?:Acting|Principal|Deputy|Director|Attorney General|Head Coach|Mayor|Commissioner"
    r"|President|Emperor|Empress|Queen|King|Pope|Sir|Senator|Sen\.|Governor|Chancellor"
    r"|(?:Prime|First|Chief) Minister|Premier|Chief Justice|Justice|Congressman|Congresswoman|Representative|Secretary"
    r"|Ambassador|Republican|Democrat|Democratic|Former|Vice|Then|U\.?S\.?|American|British) )+"
    r"(?=[A-ZÀ-Þ][\w.’'-]+ (?!of\b|and\b)\S)"
)
"""What somebody holds or belongs to, before the name."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """A name's words, without its ``titles``, its ``rank`` and what is ``telling`` its bearer from a namesake."""

    words: tuple[str, ...]
    titles: frozenset[str]
    rank: str
    telling: frozenset[str]


@lru_cache(maxsize=65_536)
def _parts(name: str) -> _Parts:
    bare = _RANKED.sub("", name)
    words = key(bare).split()
    words = words[1:] if len(words) > 1 and words[0] in _ADDRESSED else words
    titles = frozenset(words[:1]) & vocabulary("person", "titles") if len(words) > 1 else frozenset()
    telling = frozenset(word for word in words[1:] if word in _TELLING or _NUMERAL.fullmatch(word))
    return _Parts(
        tuple(word for word in words if word not in titles | telling), titles, key(name[len(bare) :]), telling
    )


_RANKED = re.compile(r", (?:the |\d+\w\w )?[A-ZÀ-Þ](?![rR]\.?$).*")
"""A rank behind a name: ", 2nd Earl of Torp"; not ", Jr."."""
_ADDRESSED = frozenset("mr mrs ms miss master old young little".split())
_TELLING = frozenset("jr sr junior senior elder younger".split())
_NUMERAL = re.compile(r"[ivx]{2,4}|i|v|\d+\w*")
