"""Who a sentence says is whose relative, teacher or pupil: "her aunt Ada Finch", "Ada, the widow of Tom Vale"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from clew.agent.extractive.kin_words import Kin, kin_nouns
from clew.agent.extractive.lexicon import country, head_types, vocabulary
from clew.ingest.names import FUNCTION_WORDS

SOMEBODY = "?"
"""Whoever a sentence does not name: the father of "her father's sister"."""


@dataclass(frozen=True, slots=True)
class Told:
    """``who`` is ``kin`` of ``whose``, both as the sentence names them; ``SOMEBODY`` where it leaves that open."""

    who: str
    kin: Kin
    whose: str


@dataclass(frozen=True, slots=True)
class About:
    """Whom a page is about, and that person's gender; ``mates`` are spouses that the sentence before has told."""

    name: str
    gender: str
    mates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Token:
    """A name (``kind`` N), a word in lower case (w), a possessive ending (s) or a mark (p)."""

    kind: str
    text: str


_PART = r"[A-ZÀ-Þ][^\W_]*(?:['’\-.](?!s\b)[^\W_]+)*(?:(?:(?<=\b[A-ZÀ-Þ])|(?<=\b[DMSJ][rt])|(?<=\bMrs))\.)?"
_NAME = rf"{_PART}(?:(?: (?:of|the|de|la|le|von|van|der|den|du|del|di|da|al|bin|ibn|ben|y|zu|af|av))* {_PART}| [\"“]{_PART}[\"”](?= [A-ZÀ-Þ])|, [JS]r\.)*"
_TOKENS = re.compile(rf"(?P<N>{_NAME})|(?P<s>['’]s\b|(?<=s)['’](?= ))|(?P<w>[^\W_]+(?:['’\-](?!s\b)[^\W_]+)*)|(?P<p>[^\w\s])")
_ASIDE = re.compile(r"\s?(?:\([^()]*\)|\[[^\[\]]*\])")
_ARTICLE = frozenset("the a an".split())
_COPULA = frozenset("is was are were being named called became".split())
_HAVING = frozenset("had has have having bore fathered leaving took with".split())
_WITHIN = frozenset("in at near".split())
_OF = frozenset("of to".split())
_PRONOUN = {"his": "m", "he": "m", "her": "f", "she": "f"}
_MARRYING = frozenset("married marries marry marrying remarried wed wedded divorced".split())
_TEACHING = {"taught": "student", "mentored": "student", "tutored": "student"}
_ORDER = frozenset("first firstly second secondly third thirdly then again to also later secretly finally".split())
MODIFIERS = 4
"""Words between a determiner and its noun, at most."""
DESCRIBED = 7
"""Words that say what somebody is before the name, at most."""


def tells_kin(text: str) -> bool:
    """Whether a text may say so of anybody: most sentences are not read any further."""
    return _saying().search(text) is not None


@lru_cache(maxsize=1)
def _saying() -> re.Pattern[str]:
    words = sorted({*kin_nouns(), *_MARRYING, *_TEACHING, "marriage", "born", "studied", "taught"}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")


@lru_cache(maxsize=1)
def _relative_aside() -> re.Pattern[str]:
    """What a parenthesis says of the name before it: "Ada Finch (wife of Tom Vale)"."""
    words = "|".join(map(re.escape, sorted(kin_nouns(), key=len, reverse=True)))
    return re.compile(rf" \(((?:the |an? )?(?:[a-z]+ ){{0,2}}(?:{words}) of [^()]*)\)")


@lru_cache(maxsize=16_384)
def kin_told(text: str, about: About) -> tuple[Told, ...]:
    """All that a sentence of a page says about who is whose relative, in its own order."""
    if not tells_kin(text):
        return ()
    reader = _Reader(text, about)
    return tuple(dict.fromkeys(reader.read()))


class _Reader:
    """One sentence, word by word."""

    def __init__(self, text: str, about: About) -> None:
        bare = _ASIDE.sub("", _relative_aside().sub(r", \1,", text))
        self.tokens = [_Token(m.lastgroup or "p", m.group()) for m in _TOKENS.finditer(bare)]
        if self.tokens and self.tokens[0].kind == "N" and self._opens(self.tokens[0].text):
            first, _, rest = self.tokens[0].text.partition(" ")
            self.tokens[:1] = [_Token("w", first.lower()), *([_Token("N", rest)] if rest[:1].isupper() else [])]
        self.about = about
        self.mates = list(about.mates)

    @staticmethod
    def _opens(name: str) -> bool:
        """Whether a sentence's first word has its capital only from standing there."""
        first = name.split(" ", 1)[0].lower()
        return first in FUNCTION_WORDS or first in kin_nouns() or first in vocabulary("openers") or first == "married"

    def read(self) -> Iterator[Told]:
        """Every statement; marriages first, so that *their* daughter is also that of the spouse."""
        yield from self._marriages()
        yield from self._births()
        yield from self._teaching()
        for i, token in enumerate(self.tokens):
            kin = kin_nouns().get(token.text) if token.kind == "w" else None
            if kin is not None:
                yield from self._noun(i, kin)

    def _noun(self, i: int, kin: Kin) -> Iterator[Told]:
        """What a noun at ``i`` says: whose it is stands before or behind it, who it is on the other side."""
        start = self._modified(i)
        owners = self._owners(start, kin)
        if self._word(i + 1) == "and" and self._word(i + 3) in _OF:  # "the wife and heiress of X"
            i += 2
        if self._word(i + 1) in _OF and (owners is None or self._word(start - 1) in _ARTICLE):
            whose, end = self._people(i + 2)
            if not whose and self._word(i + 2) in ("a", "an", "his", "her", "their"):
                whose, end = [SOMEBODY], i + 2  # "the son of a fisherman"
            holders = self._holders(start, end, kin) if whose else []
            yield from (Told(who, kin, one) for who, one in product(holders, whose) if who != one)
            return
        if owners is None:
            yield from self._of_page(start, i, kin)
            return
        who, _ = self._linked(i + 1)
        if not who and self._kind(i + 1) == "s":
            return  # "her father's sister" says nothing of him
        if not who:
            who = self._apposed_before(start - 2 - (self._kind(start - 1) == "s"))
        for one, other in product(who, owners):
            if other == _DEFINITE:  # "the master's daughter" is the page's own, where she has that family name
                family = self.about.name.split()[1:]
                other = self.about.name if family and one.split()[-1] == family[-1] else SOMEBODY
            if one != other:
                yield Told(one, kin, other)

    def _of_page(self, start: int, i: int, kin: Kin) -> Iterator[Told]:
        """ "The engineer X was a granddaughter" says so of whom the page is about."""
        article = self._word(start - 1) in _ARTICLE and self._word(start - 2) in _COPULA
        who = self._full(self._name(start - 3)) if article and self._text(i + 1) in (".", ",") else ""
        if who and self.about.name and who != self.about.name:
            yield Told(who, kin, self.about.name)

    def _modified(self, i: int) -> int:
        """Where the noun phrase begins that ends with the noun at ``i``: "the elder half-" of "the elder half-brother"."""
        start = i
        while start and i - start < MODIFIERS and self._describes(start - 1):
            start -= 1
        return start

    def _describes(self, i: int) -> bool:
        """Whether a word may stand between a determiner and its noun."""
        word = self._word(i)
        return bool(word) and (word in _NUMBERING or (word not in FUNCTION_WORDS and word not in kin_nouns()))

    def _owners(self, start: int, kin: Kin) -> list[str] | None:
        """Of whom the noun phrase at ``start`` speaks; None where nobody is said to have it."""
        word = self._word(start - 1)
        if word in _PRONOUN and kin.relation == "spouse" and self._word(start - 2) == "and":
            if before := self._name_before(start - 2):
                return [before]  # "the son of Tom Vale and his wife"
        if word in ("his", "her"):
            return [self._meant(_PRONOUN[word], start - 1)]
        if word == "their":
            return [self.about.name, *self.mates] if self.about.name else None
        if word == "whose":
            before = self._name_before(start - 1)
            return [before] if before else [SOMEBODY]
        if self._kind(start - 1) == "s":
            if self._kind(start - 2) == "N":
                return [self._full(self.tokens[start - 2].text)]
            if self._word(start - 2) in kin_nouns():
                return [SOMEBODY]
            if self._word(start - 2) in ("couple", "pair"):
                return [self.about.name, *self.mates] if self.about.name else None
            return [_DEFINITE]
        having = start - 1
        if self._word(having) in _ARTICLE or self._word(having) in vocabulary("number"):
            having -= 1
        if self._word(having) in _HAVING - {"with"}:
            subject = self._subject(having)
            they = self._word(having - 1) == "they" and self.about.name
            return [self.about.name, *self.mates] if they else [subject] if subject else None
        return None

    def _linked(self, i: int) -> tuple[list[str], int]:
        """The names that the noun before ``i`` is said to be: "her aunt, the painter X", "her aunts were X and Y"."""
        at, linked = i, False
        while self._text(at) in (",", ":", "–", "-") or self._word(at) in _COPULA:
            linked = linked or self._word(at) in _COPULA
            at += 1
        if at - i > 2:
            return [], i
        if at == i and self._word(at) == "and" and self._kind(at + 1) == "w":
            at += 1  # "her husband and fellow painter X"
        return self._people(at)

    def _people(self, i: int) -> tuple[list[str], int]:
        """The names listed from ``i`` on, each with what describes it, and where they end."""
        first, at = self._person(i)
        if not first:
            return [], i
        people = [first]
        while True:
            after = self._past_title(at)
            joined = self._text(after) == "," and self._word(after + 1) == "and"
            if not joined and not (self._text(after) == "," and self._lists(after + 1)) and self._word(after) != "and":
                return people, at
            following, end = self._person(after + 1 + joined)
            if not following or self._acts(end):
                return people, at
            people.append(following)
            at = end

    def _lists(self, i: int) -> bool:
        """Whether a comma before ``i`` is that of a list of names, which ends with *and*."""
        at = i
        while self._kind(at) == "N":
            if self._text(at + 1) == ",":
                if self._word(at + 2) == "and":
                    return self._kind(at + 3) == "N"
                at += 2
            else:
                return self._word(at + 1) == "and" and self._kind(at + 2) == "N"
        return False

    def _acts(self, end: int) -> bool:
        """Whether a name that ends before ``end`` begins a clause of its own: "… and Ada was born"."""
        return self._word(end) in _COPULA | {"had", "has"} or self._word(end) in _MARRYING

    def _past_title(self, i: int) -> int:
        """The place after a title that follows a name: ", 2nd Earl of Torp,"."""
        if self._text(i) != ",":
            return i
        at = i + 1
        if self._word(at) in _ARTICLE or self._word(at)[:1].isdigit():
            at += 1
        titles = vocabulary("person", "titles")
        if self._kind(at) == "N" and self.tokens[at].text.split()[0].lower() in titles:
            at += 1
            return at + (self._text(at) == ",")
        return i

    def _person(self, i: int) -> tuple[str, int]:
        """The name that a noun phrase at ``i`` ends with, and where it ends: "the Danish painter | Ada Finch"."""
        at, words, article = i, 0, False
        if self._word(at) in _ARTICLE or self._word(at) in ("his", "her", "their", "fellow", "future", "late"):
            article = True
            at += 1
        while words < DESCRIBED:
            word, name = self._word(at), self._name(at)
            if name:
                if not self._describes_next(at):
                    break
            elif not word or word in FUNCTION_WORDS - _NUMBERING or word in _MARRYING or self._other_kin(at, i):
                return "", i
            at += 1
            words += 1
        name = self._name(at)
        if not name or self._kind(at + 1) == "s" or country(name):
            return self._of_possessive(at, i) if name and self._kind(at + 1) == "s" else ("", i)
        last = self._word(at - 1)
        if words and not article and not self._is_noun(last):
            return "", i
        return self._full(name), at + 1

    def _other_kin(self, at: int, i: int) -> bool:
        """Whether a word says anew what somebody is: "her father Tom and her *mother* Ada", but not "Tom and his wife"."""
        kin = kin_nouns().get(self._word(at))
        return kin is not None and kin.relation != "spouse" and self._word(i - 1) == "and"

    def _of_possessive(self, at: int, i: int) -> tuple[str, int]:
        """Whom "King Tom's brother Ada" means: the one at its end."""
        end = at + 2
        while self._describes(end):
            end += 1
        if self._word(end) in kin_nouns() and self._kind(end + 1) == "N":
            return self._full(self.tokens[end + 1].text), end + 2
        return "", i

    def _describes_next(self, i: int) -> bool:
        """Whether the name at ``i`` only describes another one: "the *Danish* painter Ada", "*Torp* governor Ada"."""
        at = i + 1
        while self._kind(at) == "w" and self.tokens[at].text not in FUNCTION_WORDS and at - i < DESCRIBED:
            at += 1
        name = self._name(i)
        adjective = country(name.split("-")[0]) is not None or name.lower() in vocabulary("adjectives")
        return at > i + 1 and self._kind(at) == "N" and (adjective or self._is_noun(self._word(at - 1)))

    @staticmethod
    def _is_noun(word: str) -> bool:
        """Whether a word without an article may say what somebody is: "his wife, *actress* Ada Finch"."""
        forms = {word, word.removesuffix("s")}
        listed = not forms.isdisjoint(vocabulary("person", "nouns")) or "person" in map(head_types().get, forms)
        return listed or word in kin_nouns() or word in _NUMBERING

    def _holders(self, start: int, end: int, kin: Kin) -> list[str]:
        """Who "the son of X" is, which begins at ``start`` and ends at ``end``."""
        before = start - (self._word(start - 1) in _ARTICLE)
        if before <= 0 or (before == 1 and self._text(0) == ","):
            return self._forward(end)
        named = before - 2 - (self._text(before - 2) == ",")
        if self._text(before - 1) == "," or self._word(before - 1) in _COPULA | {"as"}:
            if self._kind(named) == "N" and not self._is_place(named):
                return [self._bearer(named)]
        subject = self._subject(before)
        if subject == self.about.name and kin.gender and self.about.gender not in ("", kin.gender):
            return []
        if not subject:
            return self._forward(end)
        return [subject]

    def _bearer(self, i: int) -> str:
        """Whom the name at ``i`` means, or the one before it where it is only a rank: "Ada Finch, Countess of Torp"."""
        title = self._name(i).split()[0].lower() in vocabulary("person", "titles") and " of " in self._name(i)
        if title and self._text(i - 1) == "," and self._kind(i - 2) == "N":
            i -= 2
        return self._full(self._name(i))

    def _forward(self, end: int) -> list[str]:
        """Who a sentence means that begins with "the son of X": "…, Ada", "… was Ada"."""
        if self._text(end) == "," or self._word(end) in _COPULA:
            name, _ = self._person(end + 1)
            return [name] if name else []
        return []

    def _apposed_before(self, end: int) -> list[str]:
        """Who stands before "her aunt": "Ada Finch was her aunt", "Ada Finch, her aunt, …"."""
        at = end
        if self._word(at) in _COPULA - {"named", "called"} or self._word(at) == "as" or self._text(at) == ",":
            at -= 1
            if self._text(at) == ",":
                at -= 1
            if self._kind(at) == "N" and not self._is_place(at):
                return [self._full(self.tokens[at].text)]
        return []

    def _marriages(self) -> Iterator[Told]:
        """ "X married Y", "X and Y were married", "his marriage to Y"."""
        for i, token in enumerate(self.tokens):
            if token.kind != "w":
                continue
            one: str | None
            if token.text == "marriage" and self._word(i + 1) in ("to", "with"):
                owners = self._owners(self._modified(i), Kin("marriage"))
                one, at = (owners[0] if owners else self._subject(i)), i + 2
            elif token.text in _MARRYING and self._word(i - 1) not in ("never", "not"):
                pair = i - (self._word(i - 1) in _COPULA | {"got"})
                if self._kind(pair - 1) == "N" and self._word(pair - 2) == "and" and self._kind(pair - 3) == "N":
                    yield from self._couple(self._full(self.tokens[pair - 3].text), self._full(self.tokens[pair - 1].text))
                one, at = self._agent(i), i + 1
            else:
                continue
            while self._word(at) in _ORDER or self._text(at) == ",":
                at += 1
            people, _ = self._people(at)
            if one:
                for other in people:
                    yield from self._couple(one, other)

    def _couple(self, one: str, other: str) -> Iterator[Told]:
        if one == other:
            return
        if one == self.about.name and other not in self.mates:
            self.mates.append(other)
        yield Told(other, Kin("spouse"), one)

    def _births(self) -> Iterator[Told]:
        """ "X was born in Torp to Y and Z"."""
        for i, token in enumerate(self.tokens):
            if token.text != "born":
                continue
            to = next((j for j in range(i + 1, min(i + 14, len(self.tokens))) if self._text(j) in ("to", ";", ".")), 0)
            if to and self._text(to) == "to" and (subject := self._subject(i)):
                people, _ = self._people(to + 1)
                yield from (Told(one, Kin("parent"), subject) for one in people if one != subject)

    def _teaching(self) -> Iterator[Told]:
        """ "X taught Y", "X studied under Y", "X was taught by Y"."""
        for i, token in enumerate(self.tokens):
            after = self._word(i + 1)
            if token.text in _TEACHING and after == "by" or token.text in ("studied", "trained") and after == "under":
                teachers, _ = self._people(i + 2)
                subject = self._subject(i)
                yield from (Told(one, Kin("teacher"), subject) for one in teachers if subject and one != subject)

    def _agent(self, i: int) -> str | None:
        """Who does what the verb at ``i`` says."""
        at = i - 1
        while at >= 0 and (self._word(at).endswith("ly") or self._word(at) in _ADVERBS):
            at -= 1
        if self._kind(at) == "N":
            return None if self._is_place(at) else self._full(self.tokens[at].text)
        word = self._word(at)
        if word in ("he", "she"):
            return self._meant(_PRONOUN[word], at)
        if word == "who":
            return self._name_before(at)
        if word == "and" or self._text(at) == ",":
            return self._subject(at)
        return None if at >= 0 else self.about.name or None

    def _subject(self, i: int) -> str:
        """Whom the clause before ``i`` speaks of: its nearest pronoun, the name before *who*, else its first name."""
        for at in range(i - 1, -1, -1):
            word = self._word(at)
            if word in ("he", "she"):
                return self._meant(_PRONOUN[word], at)
            if word == "who" and self._kind(at - 1 - (self._text(at - 1) == ",")) == "N":
                return self._name_before(at)
        at = next((at for at in range(i) if self._kind(at) == "N" and self._leads(at)), -1)
        return self._full(self._name(at)) if at >= 0 and self._kind(at + 1) != "s" else ""

    def _leads(self, i: int) -> bool:
        """Whether the name at ``i`` begins a clause, with what describes it: "The painter | Ada", "In 1900, | Ada"."""
        before = self._word(i - 1)
        described = self._word(0) in _ARTICLE and i <= DESCRIBED and self._is_noun(before) and before not in kin_nouns()
        return i == 0 or described or (self._text(i - 1) == "," and not self._is_place(i))

    def _meant(self, gender: str, at: int) -> str:
        """Whom a pronoun at ``at`` means: whom the page is about, if of that gender; else the last name before."""
        first = self._name(0)
        if first and at > 0 and not country(first) and self._full(first) != self.about.name and self._kind(1) != "s":
            return self._full(first) if not self.about.gender or self.about.gender != gender else SOMEBODY
        if self.about.name and self.about.gender in ("", gender):
            return self.about.name
        return self._name_before(at) or SOMEBODY

    def _name_before(self, at: int) -> str:
        for j in range(at - 1, -1, -1):
            if self._kind(j) == "N" and self._word(j - 1) not in _WITHIN and not country(self._name(j)):
                return self._full(self.tokens[j].text)
        return ""

    def _is_place(self, i: int) -> bool:
        """Whether the name at ``i`` says where something is, also behind another name: "in Torp, Danland"."""
        at = i - 1
        if self._text(at) == "," and self._kind(at - 1) == "N":
            at -= 2
        return self._word(at) in _WITHIN

    def _full(self, name: str) -> str:
        """The name that a page is about where the sentence has only its first or its last word."""
        own = self.about.name.split()
        if len(own) > 1 and name in (own[0], own[-1]):
            return self.about.name
        return next((token.text for token in self.tokens if token.kind == "N" and token.text.startswith(f"{name} ")), name)

    def _kind(self, i: int) -> str:
        return self.tokens[i].kind if 0 <= i < len(self.tokens) else ""

    def _text(self, i: int) -> str:
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def _word(self, i: int) -> str:
        return self.tokens[i].text if self._kind(i) == "w" else ""

    def _name(self, i: int) -> str:
        return self.tokens[i].text if self._kind(i) == "N" else ""


_DEFINITE = "the"
_NUMBERING = frozenset("first second third only later last other own elder late".split())
_ADVERBS = frozenset("later then also first once had has soon again never".split())
