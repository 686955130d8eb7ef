"""Who a sentence says is whose relative, teacher or successor: "her aunt Ada Finch", "Ada, the widow of Tom Vale"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from clew.agent.extractive.kin_phrases import (
    ARTICLE,
    COPULA,
    DESCRIBED,
    MARRYING,
    NUMBERING,
    Phrases,
)
from clew.agent.extractive.kin_words import Kin, kin_nouns
from clew.agent.extractive.lexicon import country, vocabulary
from clew.text.names import FUNCTION_WORDS

SOMEBODY = "?"
"""Whoever a sentence does not name: the father of "her father's sister"."""
_FAMILY = "the"
"""The one of "the master's daughter", who is known only where she has the family name."""


@dataclass(frozen=True, slots=True)
class Told:
    """``who`` is ``kin`` of ``whose``, both as the sentence names them; ``SOMEBODY`` where it leaves that open."""

    who: str
    kin: Kin
    whose: str


@dataclass(frozen=True, slots=True)
class About:
    """Whom a sentence speaks of by its pronouns, and that person's gender; ``mates`` are spouses told before."""

    name: str
    gender: str
    mates: tuple[str, ...] = ()


_HAVING = frozenset("had has have having bore fathered leaving took".split())
_COUPLE = frozenset("they couple pair".split())
_OF = frozenset("of to".split())
_PRONOUN = {"his": "m", "he": "m", "her": "f", "she": "f"}
_HIM = frozenset("him her".split())
_ORDER = frozenset("first firstly second secondly third thirdly then again to also later secretly finally".split())
_ADVERBS = frozenset("later then also first once had has soon again never himself herself been".split())
_SIDES = frozenset("paternal maternal".split())
MODIFIERS = 4
"""Words between a determiner and its noun, at most."""

_DONE = {
    ("taught", "by"): "teacher",
    ("trained", "by"): "teacher",
    ("tutored", "by"): "teacher",
    ("studied", "under"): "teacher",
    ("studied", "with"): "teacher",
    ("trained", "under"): "teacher",
    ("apprenticed", "to"): "teacher",
    ("succeeded", "by"): "successor",
    ("replaced", "by"): "successor",
    ("followed", "by"): "successor",
    ("preceded", "by"): "predecessor",
}
"""A verb with its preposition, and what those behind it are to whom the clause speaks of."""
_DOES = {
    "taught": "student",
    "teaches": "student",
    "tutored": "student",
    "succeeded": "predecessor",
    "succeeds": "predecessor",
    "replaced": "predecessor",
    "replaces": "predecessor",
}
"""A verb, and what its object is to whom the clause speaks of."""


@lru_cache(maxsize=16_384)
def tells_kin(text: str) -> bool:
    """Whether a text may say so of anybody: most sentences are not read any further."""
    return _saying().search(text) is not None


@lru_cache(maxsize=1)
def _saying() -> re.Pattern[str]:
    verbs = {*MARRYING, *_DOES, *(verb for verb, _ in _DONE), "marriage", "born"}
    return re.compile(
        rf"\b(?:{'|'.join(map(re.escape, sorted({*kin_nouns(), *verbs}, key=len, reverse=True)))})\b", re.I
    )


@lru_cache(maxsize=16_384)
def kin_told(text: str, about: About) -> tuple[Told, ...]:
    """All that a sentence says about who is whose relative, marriages first."""
    return tuple(dict.fromkeys(_Reader(text, about).read())) if tells_kin(text) else ()


class _Reader(Phrases):
    """One sentence, read for its statements."""

    def __init__(self, text: str, about: About) -> None:
        super().__init__(text, about.name)
        self.about = about
        self.mates = list(about.mates)

    def read(self) -> Iterator[Told]:
        """Every statement; marriages first, so that *their* daughter is also that of the spouse."""
        for i, piece in enumerate(self.pieces):
            if piece.kind == "w" and (piece.text in MARRYING or piece.text == "marriage"):
                yield from self._marriage(i)
        for i, piece in enumerate(self.pieces):
            if piece.kind != "w":
                continue
            yield from self._verb(i)
            if piece.text == "born":
                yield from self._birth(i)
            elif kin := kin_nouns().get(piece.text):
                yield from self._noun(i, kin)

    def _noun(self, i: int, kin: Kin) -> Iterator[Told]:
        """What a noun at ``i`` says: whose it is stands before or behind it, who it is on the other side."""
        start = self._modified(i)
        if side := next((self.word(at) for at in range(start, i) if self.word(at) in _SIDES), ""):
            kin = Kin(kin.relation, kin.gender, side)
        owners = self._owners(start, kin)
        if self.word(i + 1) == "and" and self.word(i + 3) in _OF:
            i += 2  # "the wife and heiress of X"
        if self.word(i + 1) in _OF and (owners is None or self.word(start - 1) in ARTICLE):
            whose, end = self.people(i + 2)
            if not whose and self.word(i + 2) in ("a", "an", "his", "her", "their"):
                whose, end = [SOMEBODY], i + 2  # "the son of a fisherman"
            holders = self._holders(start, end, kin) if whose else []
            yield from (Told(who, kin, one) for who, one in product(holders, whose) if who != one)
            return
        if owners is None:
            yield from self._of_page(start, i, kin)
            return
        if self.word(start - 1) == "whose" and self.word(i + 1) in ("he", "she"):
            yield from (Told(self._meant(_PRONOUN[self.word(i + 1)], i + 1), kin, one) for one in owners)
            return  # "X, whose pupil she had been"
        who = self._linked(i + 1)
        if not who and self.kind(i + 1) == "s":
            return  # "her father's sister" says nothing of him
        if not who:
            who = self._apposed_before(start - 2 - (self.kind(start - 1) == "s"))
        for one, other in product(who, owners):
            if other == _FAMILY:
                family = self.about.name.split()[1:]
                other = self.about.name if family and one.split()[-1] == family[-1] else SOMEBODY
            if one != other:
                yield Told(one, kin, other)

    def _of_page(self, start: int, i: int, kin: Kin) -> Iterator[Told]:
        """ "The engineer X was a granddaughter" says so of whom the page is about."""
        article = self.word(start - 1) in ARTICLE and self.word(start - 2) in COPULA
        who = self.name(start - 3) if article and self.text(i + 1) in (".", ",") else ""
        if who and self.about.name and who != self.about.name:
            yield Told(who, kin, self.about.name)

    def _modified(self, i: int) -> int:
        """Where the noun phrase begins that ends with the noun at ``i``: "the | only surviving brother"."""
        start = i
        while start and i - start < MODIFIERS and self._describes(start - 1):
            start -= 1
        return start

    def _describes(self, i: int) -> bool:
        """Whether a word may stand between a determiner and its noun."""
        word = self.word(i)
        return bool(word) and (word in NUMBERING or (word not in FUNCTION_WORDS and word not in kin_nouns()))

    def _owners(self, start: int, kin: Kin) -> list[str] | None:
        """Of whom the noun phrase at ``start`` speaks; None where nobody is said to have it."""
        word, before = self.word(start - 1), self.word(start - 2)
        if word in _PRONOUN and kin.relation == "spouse" and before == "and" and (one := self.name_before(start - 2)):
            return [one]  # "the son of Tom Vale and his wife"
        if word in ("his", "her"):
            return [self._meant(_PRONOUN[word], start - 1)]
        if word == "their":
            return self._both()
        if word == "whose":
            return [self.name_before(start - 1) or SOMEBODY]
        if self.kind(start - 1) == "s":
            if self.kind(start - 2) == "N":
                return [self.name(start - 2)]
            return [SOMEBODY] if before in kin_nouns() else self._both() if before in _COUPLE else [_FAMILY]
        # The number may have been taken for a description: "had | two sons".
        numbered = self.word(start) in vocabulary("number") or self.word(start) in NUMBERING
        having = start - 1 - (word in ARTICLE or (word in vocabulary("number") and not numbered))
        if self.word(having) in _HAVING or (self.word(having) == "by" and self.word(having - 1) == "survived"):
            if self.word(having - 1) in _COUPLE:
                return self._both()
            subject = self._subject(having)
            return [subject] if subject else None
        return None

    def _both(self) -> list[str] | None:
        """Whom a sentence speaks of, and the spouse."""
        return [self.about.name, *self.mates] if self.about.name else None

    def _linked(self, i: int) -> list[str]:
        """The names that the noun before ``i`` is said to be: "her aunt, the painter X", "her aunts were X and Y"."""
        at = i
        while self.text(at) in (",", ":", "–", "-") or self.word(at) in COPULA:
            at += 1
        if at - i > 2:
            return []
        if self.text(at - 1) == ":" and any(piece.text == ";" for piece in self.pieces[at:]):
            return self.listed(at)
        if at == i and self.word(at) == "and" and self.kind(at + 1) == "w":
            at += 1  # "her husband and fellow painter X"
        return self.people(at)[0]

    def _holders(self, start: int, end: int, kin: Kin) -> list[str]:
        """Who "the son of X" is, which begins at ``start`` and ends at ``end``."""
        before = start - (self.word(start - 1) in ARTICLE)
        if before <= 0 or (before == 1 and self.text(0) == ","):
            return self._forward(end)
        named = before - 2 - (self.text(before - 2) == ",")
        linked = self.text(before - 1) == "," or self.word(before - 1) in COPULA
        if linked and self.kind(named) == "N" and not self.is_place(named):
            return [self.bearer(named)]
        subject = self._subject(before)
        if subject == self.about.name and kin.gender and self.about.gender not in ("", kin.gender):
            return []
        return [subject] if subject else self._forward(end)

    def _forward(self, end: int) -> list[str]:
        """Who a sentence means that begins with "the son of X": "…, Ada", "… was Ada"."""
        linked = self.text(end) == "," or self.word(end) in COPULA
        if linked and self.word(end + 1) in ("he", "she"):
            return [self._meant(_PRONOUN[self.word(end + 1)], end + 1)]
        name = self.person(end + 1)[0] if linked else ""
        return [name] if name else []

    def _apposed_before(self, at: int) -> list[str]:
        """Who stands before "her aunt", up to ``at``: "Ada Finch was her aunt", "Ada Finch, her aunt, …"."""
        if self.word(at) not in COPULA - {"named", "called"} and self.word(at) != "as" and self.text(at) != ",":
            return []
        at -= 2 if self.text(at - 1) == "," else 1
        return [self.name(at)] if self.kind(at) == "N" and not self.is_place(at) else []

    def _marriage(self, i: int) -> Iterator[Told]:
        """ "X married Y", "X and Y were married", "his marriage to Y", "Y, whom she married"."""
        if self.word(i - 1) in ("never", "not"):
            return
        if self.text(i) == "marriage":
            owners = self._owners(self._modified(i), Kin("marriage")) if self.word(i + 1) in ("to", "with") else []
            one, at = (self._subject(i) if owners is None else owners[0] if owners else ""), i + 2
        else:
            pair = i - (self.word(i - 1) in COPULA | {"got"})
            pair -= 2 if self.word(pair - 1) == "who" and self.text(pair - 2) == "," else 0
            if self.kind(pair - 1) == "N" and self.word(pair - 2) == "and" and self.kind(pair - 3) == "N":
                yield from self._couple(self.name(pair - 3), self.name(pair - 1))
            one, at = self._agent(i), i + 1
        while self.word(at) in _ORDER or self.text(at) == ",":
            at += 1
        people, _ = self.people(at)
        if not people and self.word(i - 1) in ("he", "she") and (self.kind(i - 2) == "N" or self.word(i - 2) == "whom"):
            people = [self.name_before(i - 1)]
        if not people and self.word(at) in _HIM:
            people = [self.name_before(i)]
        for other in people if one else ():
            yield from self._couple(one, other)

    def _couple(self, one: str, other: str) -> Iterator[Told]:
        if one and other and one != other:
            if one == self.about.name and other not in self.mates:
                self.mates.append(other)
            yield Told(other, Kin("spouse"), one)

    def _birth(self, i: int) -> Iterator[Told]:
        """ "X was born in Torp to Y and Z"."""
        end = min(i + 14, len(self.pieces))
        to = next((at for at in range(i + 1, end) if self.text(at) in ("to", ";", ".")), 0)
        subject = self._subject(i) if to and self.text(to) == "to" else ""
        people = self.people(to + 1)[0] if subject else []
        yield from (Told(one, Kin("parent"), subject) for one in people if one != subject)

    def _verb(self, i: int) -> Iterator[Told]:
        """ "X taught Y", "X studied under Y", "X was succeeded by his son Y"."""
        verb, after = self.word(i), self.word(i + 1)
        if relation := _DONE.get((verb, after)):
            people, subject = self.people(i + 2)[0], self._agent(i) or self._subject(i)
        elif (relation := _DOES.get(verb)) and self.word(i - 1) not in COPULA | {"been"}:
            people, subject = self.people(i + 1)[0], self._agent(i)
        else:
            return
        yield from (Told(one, Kin(relation), subject) for one in people if subject and one != subject)

    def _agent(self, i: int) -> str:
        """Who does what the verb at ``i`` says, or has it done; empty where that is not told."""
        at = i - 1
        while self.word(at).endswith("ly") or self.word(at) in _ADVERBS or self.word(at) in COPULA:
            at -= 1
        if self.kind(at) == "N":
            return "" if self.is_place(at) else self.bearer(at)
        word = self.word(at)
        if word in ("he", "she"):
            return self._meant(_PRONOUN[word], at)
        if word == "who":
            return self.name_before(at)
        if word == "and" or self.text(at) == ",":
            return self._subject(at)
        return self.about.name if at < 0 else ""

    def _subject(self, i: int) -> str:
        """Whom the clause before ``i`` speaks of: its nearest pronoun, the name before *who*, else its first name."""
        for at in range(i - 1, -1, -1):
            word = self.word(at)
            if word in ("he", "she"):
                return self._meant(_PRONOUN[word], at)
            if word == "who" and self.kind(at - 1 - (self.text(at - 1) == ",")) == "N":
                return self.name_before(at)
        at = next((at for at in range(i) if self.kind(at) == "N" and self._leads(at)), -1)
        if at >= 0 and self.kind(at + 1) == "s":
            return self.of_possessive(at, at)[0]  # "Tom's daughter, Ada, …"
        return self.bearer(at) if at >= 0 else ""

    def _leads(self, i: int) -> bool:
        """Whether the name at ``i`` begins a clause, with what describes it: "The painter | Ada", "In 1900, | Ada"."""
        before = self.word(i - 1)
        described = self.word(0) in ARTICLE and i <= DESCRIBED and self.is_noun(before) and before not in kin_nouns()
        return i == 0 or described or (self.text(i - 1) == "," and not self.is_place(i))

    def _meant(self, gender: str, at: int) -> str:
        """Whom a pronoun at ``at`` means: whom the page is about, if of that gender; else the last name before."""
        first = self.name(0)
        if first and at > 0 and not country(first) and first != self.about.name and self.kind(1) != "s":
            return first if not self.about.gender or self.about.gender != gender else SOMEBODY
        if self.about.name and self.about.gender in ("", gender):
            return self.about.name
        return self.name_before(at) or SOMEBODY


def leading(text: str) -> str:
    """The person that a sentence begins with, whom pronouns of the next one may mean; empty where there is none."""
    phrases = Phrases(text, "")
    name, _ = phrases.person(0)
    return name or phrases.person(1)[0] if phrases.word(0) in {*_PRONOUN, *ARTICLE} or name else ""
