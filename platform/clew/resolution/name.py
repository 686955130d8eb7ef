"""A name taken apart: what identifies, what only accompanies it, and what tells namesakes apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from clew.text.names import FUNCTION_WORDS, JOINING

HONORIFICS = frozenset(
    "mr dr prof professor rev reverend hon fr captain colonel lieutenant sergeant admiral commander senator".split()
)
"""Titles that say nothing of who it is."""
MALE = frozenset("sir lord king prince duke count earl baron emperor father pope bishop brother".split())
FEMALE = frozenset("mrs ms miss dame lady queen princess duchess countess baroness empress mother sister".split())
BEFORE = HONORIFICS | MALE | FEMALE | {"the"}
LEGAL = frozenset("inc incorporated ltd limited llc plc gmbh".split())
AFTER = LEGAL | frozenset("phd md esq obe cbe kbe frs corp co company ag".split())
"""What may stand before or after a name without being part of it."""
GENERATIONS = {"jr": "junior", "junior": "junior", "sr": "senior", "senior": "senior"}
SHORT_FORMS = {
    "st": "saint",
    "mt": "mount",
    "ft": "fort",
    "univ": "university",
    "intl": "international",
    "natl": "national",
    "bros": "brothers",
    "dept": "department",
    "assn": "association",
    "corporation": "corp",
}
ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
OPPOSITES = tuple(
    frozenset(group.split())
    for group in (
        "north south east west central northern southern eastern western",
        "upper lower middle",
        "old new",
        "great greater little lesser",
        "inner outer",
        "men women boys girls mens womens",
        "man woman boy girl",
        "spring summer autumn winter",
        "before after",
    )
)
"""Words that tell apart what is otherwise called the same, however alike they are written."""
DISTINCT = frozenset(word for group in OPPOSITES for word in group)

_ROMAN = re.compile(r"(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DIGITS = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
_SPELT = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_LONGEST_ACRONYM = 6


@dataclass(frozen=True)
class Name:
    """A name's parts, all folded as in its key.

    ``words`` identify it; ``numbers`` are its numbers, Roman and spelt ones too; ``generation`` is junior or senior;
    ``titles`` are ranks and those of one sex. ``capitals`` tells that it is one word in capitals, as acronyms are,
    ``several`` that it names one thing *and* another, ``inverted`` that it is written with one comma.
    """

    key: str
    words: tuple[str, ...]
    numbers: tuple[str, ...]
    generation: str
    titles: frozenset[str]
    capitals: bool
    several: bool = False
    inverted: bool = False

    @cached_property
    def spelt(self) -> tuple[str, ...]:
        """The words with the letters that stand for umlauts as the plain ones."""
        return tuple(plain_spelling(word) for word in self.words)

    @cached_property
    def marks(self) -> str:
        """What must be the same in all names of one thing."""
        return " ".join(self.numbers)

    @cached_property
    def acronyms(self) -> tuple[str, ...]:
        """The acronyms that the name may have, with and without the words that join it."""
        if len(self.words) < 2:
            return ()
        long = [word for word in self.words if word not in JOINING and word not in FUNCTION_WORDS]
        return tuple({"".join(word[0] for word in words) for words in (self.words, long) if len(words) >= 2})

    @cached_property
    def has_initial(self) -> bool:
        """Whether one of its words is a letter."""
        return any(len(word) == 1 for word in self.words)


def take_apart(key: str, shown: str) -> Name:
    """The parts of a name by its key and as it is written."""
    words = _written_out(key.split())
    titles, generation = _leading_titles(words), _generation(words)
    numbers = [_number(word, first=n == 0, last=n == len(words) - 1) for n, word in enumerate(words)]
    plain = [
        word for word, number in zip(words, numbers, strict=True) if not number and word not in ("and", "the")
    ] or words
    letters = re.sub(r"[^\w]", "", shown)
    return Name(
        key=key,
        words=tuple(plain),
        numbers=tuple(sorted(filter(None, numbers))),
        generation=generation,
        titles=frozenset(titles - HONORIFICS - {"the"}),
        capitals=len(plain) == 1 and 2 <= len(plain[0]) <= _LONGEST_ACRONYM and letters.isupper(),
        several="and" in words[1:-1],
        inverted=shown.count(",") == 1,
    )


def _written_out(words: list[str]) -> list[str]:
    """The words without abbreviations; initials alone are one word (U. S. A.)."""
    if len(words) > 1 and all(len(word) == 1 for word in words):
        return ["".join(words)]
    return [SHORT_FORMS.get(word, word) for word in words] if len(words) > 1 else words


def _leading_titles(words: list[str]) -> set[str]:
    """Take the titles in front off the words."""
    titles: set[str] = set()
    while len(words) > 2 and words[0] in BEFORE and words[1] not in JOINING:
        titles.add(words.pop(0))
    if len(words) == 2 and words[0] == "the":
        words.pop(0)
    return titles


def _generation(words: list[str]) -> str:
    """Take legal forms, degrees and the generation off the words: ``junior``, ``senior`` or nothing."""
    generation = ""
    while len(words) > 1 and words[-1] in (AFTER | GENERATIONS.keys() if len(words) > 2 else LEGAL):
        generation = GENERATIONS.get(words.pop(), generation)
    for word in [word for word in words[1:] if word in GENERATIONS and len(words) > 2]:
        generation = GENERATIONS[word]
        words.remove(word)
    return generation


def plain_spelling(word: str) -> str:
    """``mueller`` as ``muller``."""
    for long, short in _SPELT:
        word = word.replace(long, short)
    return word


def _number(word: str, *, first: bool, last: bool) -> str:
    """The number that a word stands for, or nothing: ``XI``, ``2nd``, ``second``, ``11``."""
    if word.isdigit():
        return word.lstrip("0") or "0"
    if ordinal := _ORDINAL.fullmatch(word):
        return ordinal[1]
    if first:
        return ""
    if word in ORDINALS:
        return ORDINALS[word]
    roman = _ROMAN.fullmatch(word)
    if roman and (len(word) > 1 or last):
        return str(10 * len(roman[1]) + _DIGITS[roman[2]])
    return ""
