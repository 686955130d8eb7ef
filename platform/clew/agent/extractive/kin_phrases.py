"""A sentence word by word, and the people that its noun phrases name: "the Danish painter Ada Finch"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from clew.agent.extractive.kin_words import kin_nouns
from clew.agent.extractive.lexicon import country, head_types, vocabulary
from clew.text.names import FUNCTION_WORDS

_PART = (
    r"[A-ZÀ-Þ][^\W_]*(?:['’\-.](?!s\b)[^\W_]+)*"
    r"(?:(?:(?<=\b[A-ZÀ-Þ])|(?<=\b[DMSJ][rt])|(?<=\bMrs))\.(?! [A-Z][a-z]+ (?:is|was|had)\b))?"
)
"""A word of a name, with the full stop of an initial or an address, which no sentence begins after."""
_JOINING = "of|the|de|la|le|von|van|der|den|du|del|di|da|al|bin|ibn|ben|y|zu|af|av"
NAME = rf"{_PART}(?:(?: (?:{_JOINING}))* {_PART}| [\"“]{_PART}[\"”](?= [A-ZÀ-Þ])|, [JS]r\.)*"
_TOKENS = re.compile(
    rf"(?P<N>{NAME})|(?P<s>['’]s\b|(?<=s)['’](?= ))|(?P<w>[^\W_]+(?:['’\-](?!s\b)[^\W_]+)*)|(?P<p>[^\w\s*])"
)
_ASIDE = re.compile(r"\s?(?:\([^()]*\)|\[[^\[\]]*\])")
ARTICLE = frozenset("the a an".split())
COPULA = frozenset("is was are were being named called became".split())
MARRYING = frozenset("married marries marry marrying remarried wed wedded divorced".split())
NUMBERING = frozenset("first second third only later last other own elder late".split())
WITHIN = frozenset("in at near".split())
DESCRIBED = 7
"""Words that say what somebody is before the name, at most."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A whole name (``kind`` N), a word in lower case (w), a possessive ending (s) or a mark (p)."""

    kind: str
    text: str


@lru_cache(maxsize=1)
def _relative_aside() -> re.Pattern[str]:
    """What a parenthesis says of the name before it: "Ada Finch (wife of Tom Vale)"."""
    words = "|".join(map(re.escape, sorted(kin_nouns(), key=len, reverse=True)))
    return re.compile(rf" \(((?:the |an? )?(?:[a-z]+ ){{0,2}}(?:{words}) of [^()]*)\)")


def _pieces(text: str) -> list[Piece]:
    """The words, names and marks of a sentence, without what it puts in brackets."""
    found: list[Piece] = []
    for match in _TOKENS.finditer(_ASIDE.sub("", _relative_aside().sub(r", \1,", text))):
        piece = Piece(match.lastgroup or "p", match.group())
        while piece.kind == "N" and (not found or found[-1].text in (".", ":")) and _opens(piece.text):
            first, _, rest = piece.text.partition(" ")
            found.append(Piece("w", first.lower()))
            piece = Piece("N" if rest[:1].isupper() else "w", rest)
        if piece.text:
            found += (
                [piece] if " " not in piece.text or piece.kind == "N" else [Piece("w", w) for w in piece.text.split()]
            )
    return found


def _opens(name: str) -> bool:
    """Whether a word has its capital only because a sentence begins with it."""
    first = name.split(" ", 1)[0].lower()
    return first in FUNCTION_WORDS or first in kin_nouns() or first in vocabulary("openers") or first in MARRYING


class Phrases:
    """The pieces of a sentence. ``own`` is whom its page is about, who may be called by one name alone."""

    def __init__(self, text: str, own: str) -> None:
        self.pieces = _pieces(text)
        self.own = own

    def kind(self, i: int) -> str:
        return self.pieces[i].kind if 0 <= i < len(self.pieces) else ""

    def text(self, i: int) -> str:
        return self.pieces[i].text if 0 <= i < len(self.pieces) else ""

    def word(self, i: int) -> str:
        """The word in lower case at a place; empty where there is a name, a mark or nothing."""
        return self.pieces[i].text if self.kind(i) == "w" else ""

    def name(self, i: int) -> str:
        """The name at a place in full; empty where there is none."""
        return self.full(self.pieces[i].text) if self.kind(i) == "N" else ""

    def full(self, name: str) -> str:
        """The whole name of whom the page is about, or of somebody in the sentence, where only a part is told."""
        own = self.own.split()
        if len(own) > 1 and (name in (own[0], own[-1]) or self.own.startswith(f"{name} ")):
            return self.own
        whole = (piece.text for piece in self.pieces if piece.kind == "N" and piece.text.startswith(f"{name} "))
        return next(whole, name)

    def is_place(self, i: int) -> bool:
        """Whether the name at ``i`` says where something is, also behind another name: "in Torp, Danland"."""
        at = i - 1
        if self.text(at) == "," and self.kind(at - 1) == "N":
            at -= 2
        return self.word(at) in WITHIN

    def bearer(self, i: int) -> str:
        """Whom the name at ``i`` means, or the one before it where it is only a rank: "Ada Finch, Countess of Torp"."""
        if not self.is_rank(i):
            return self.name(i)
        if self.own and self.text(0).split()[:1] == self.own.split()[:1]:
            return self.own
        if self.text(i - 1) == "," and self.kind(i - 2) == "N":
            return self.name(i - 2)
        at = next((at for at in range(i - 1, max(-1, i - 1 - DESCRIBED), -1) if self.word(at) in COPULA), 0)
        return (self.name_before(at) if at else "") or self.name(i)  # "Ada was | the first Countess of Torp"

    def is_rank(self, i: int) -> bool:
        """Whether the name at ``i`` is that of a rank: "Countess of Torp"."""
        words = self.text(i).split() if self.kind(i) == "N" else []
        return len(words) > 2 and words[1] == "of" and words[0].lower() in vocabulary("person", "titles")

    def name_before(self, i: int) -> str:
        """The last name before ``i`` that may be somebody's."""
        for at in range(i - 1, -1, -1):
            if self.kind(at) == "N" and self.word(at - 1) not in WITHIN and not country(self.text(at)):
                return self.name(at)
        return ""

    def people(self, i: int) -> tuple[list[str], int]:
        """The names listed from ``i`` on, each with what describes it, and where they end."""
        first, at = self.person(i)
        if not first:
            return [], i
        people = [first]
        while True:
            after = self._past_title(at)
            joined = self.text(after) == "," and self.word(after + 1) == "and"
            if not joined and not (self.text(after) == "," and self._lists(after + 1)) and self.word(after) != "and":
                return people, at
            following, end = self.person(after + 1 + joined)
            if not following or self._acts(end):
                return people, at
            if end == at + 2 and " " not in people[-1] and " " in following and self.kind(at + 1) == "N":
                people[-1] = f"{people[-1]} {following.split()[-1]}"  # "Ada and Tom Vale" are both called Vale
            people.append(following)
            at = end

    def listed(self, i: int) -> list[str]:
        """The names that the items of a list begin with: "Ada, who …; Tom, Bishop of Torp; and …"."""
        found, at = [], i
        while at < len(self.pieces):
            name, _ = self.person(at + (self.word(at) == "and"))
            found += [name] if name else []
            at = next((j + 1 for j in range(at, len(self.pieces)) if self.text(j) == ";"), len(self.pieces))
        return found

    def person(self, i: int) -> tuple[str, int]:
        """The name that a noun phrase at ``i`` ends with, and where it ends: "the Danish painter | Ada Finch"."""
        at, words = i, 0
        article = self.word(at) in ARTICLE or self.word(at) in ("his", "her", "their", "fellow", "future", "late")
        at += article
        while words < DESCRIBED:
            word = self.word(at)
            if self.kind(at) == "N":
                if not self._describes_next(at):
                    break
            elif not word or word in FUNCTION_WORDS - NUMBERING or word in MARRYING or self._other_kin(at, i):
                return "", i
            at += 1
            words += 1
        if self.kind(at) != "N" or country(self.text(at)):
            return "", i
        if self.kind(at + 1) == "s":
            return self.of_possessive(at, i)
        if words and not article and not self.is_noun(self.word(at - 1)):
            return "", i
        ranked = at + 2 + (self.word(at + 2)[:1].isdigit())
        if self.text(at + 1) == "," and self.is_rank(ranked):
            rank = " ".join(self.text(j) for j in range(at + 2, ranked + 1))
            return f"{self.name(at)}, {rank}", ranked + 1
        return self.name(at), at + 1

    def of_possessive(self, at: int, i: int) -> tuple[str, int]:
        """Whom "Tom's brother Ada" or "Tom's old partner, Ada" means: the one at its end."""
        end = at + 2
        while self.word(end) and self.word(end) not in FUNCTION_WORDS - NUMBERING and end - at < DESCRIBED:
            end += 1
        named = end + (self.text(end) == ",")
        return (self.name(named), named + 1) if end > at + 2 and self.kind(named) == "N" else ("", i)

    @staticmethod
    def is_noun(word: str) -> bool:
        """Whether a word without an article may say what somebody is: "his wife, *actress* Ada Finch"."""
        forms = {word, word.removesuffix("s")}
        listed = not forms.isdisjoint(vocabulary("person", "nouns")) or "person" in map(head_types().get, forms)
        return listed or word in kin_nouns() or word in NUMBERING

    def _describes_next(self, i: int) -> bool:
        """Whether the name at ``i`` only describes another one: "the *Danish* painter Ada", "*Torp* governor Ada"."""
        at = i + 1
        while self.kind(at) == "w" and self.pieces[at].text not in FUNCTION_WORDS and at - i < DESCRIBED:
            at += 1
        name = self.text(i)
        adjective = country(name.split("-")[0]) is not None or name.lower() in vocabulary("adjectives")
        return at > i + 1 and self.kind(at) == "N" and (adjective or self.is_noun(self.word(at - 1)))

    def _other_kin(self, at: int, i: int) -> bool:
        """Whether a word says anew what somebody is: "her father Tom and her *mother*", but not "Tom and his wife"."""
        kin = kin_nouns().get(self.word(at))
        return kin is not None and kin.relation != "spouse" and self.word(i - 1) == "and"

    def _lists(self, i: int) -> bool:
        """Whether a comma before ``i`` is that of a list of names, which ends with *and*."""
        at = i
        while self.kind(at) == "N":
            if self.text(at + 1) != ",":
                return self.word(at + 1) == "and" and self.kind(at + 2) == "N"
            if self.word(at + 2) == "and":
                return self.kind(at + 3) == "N"
            at += 2
        return False

    def _acts(self, end: int) -> bool:
        """Whether a name that ends before ``end`` begins a clause of its own: "… and Ada was born"."""
        return self.word(end) in COPULA | {"had", "has"} or self.word(end) in MARRYING

    def _past_title(self, i: int) -> int:
        """The place after a title that follows a name: ", 2nd Earl of Torp,"."""
        if self.text(i) in ("—", "–"):
            return next((at + 1 for at in range(i + 1, i + DESCRIBED) if self.text(at) in ("—", "–")), i)
        if self.text(i) != ",":
            return i
        at = i + 1 + (self.word(i + 1) in ARTICLE or self.word(i + 1)[:1].isdigit())
        if self.kind(at) == "N" and self.text(at).split()[0].lower() in vocabulary("person", "titles"):
            return at + 1 + (self.text(at + 1) == ",")
        return i
