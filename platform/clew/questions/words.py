"""What the grammar of questions knows of English words: classes of nouns, forms of verbs, relatives; see words.toml."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import cast

from clew.questions.plan import Expected

_WORDS = tomllib.loads((files("clew.questions") / "words.toml").read_text("utf-8"))
_NOUNS = {name: frozenset(nouns.split()) for name, nouns in _WORDS["nouns"].items()}
_PLURALS: dict[str, str] = _WORDS["plurals"]
_PARTICIPLES = frozenset(_WORDS["verbs"]["participles"].split())
_PERSON_ENDING = re.compile(r".{3,}(?:er|or|ist|ian|man|woman|ant|eer)")

BE = frozenset("is are was were".split())
HAVE = frozenset("has have had".split())
DO = frozenset("do does did".split())
AUXILIARIES = BE | DO | HAVE | frozenset("can could will would should may might must".split())
QUESTION_WORDS = frozenset("who whom whose what which where when why how".split())
PREPOSITIONS = frozenset("of in on at by from for to with near within under after before between into about as".split())

# Relatives by way of another one: a paternal grandfather is the father of the father.
KIN: dict[str, list[str]] = _WORDS["relatives"]
# Nouns of birth and death, and how the same is asked with a verb, before and behind the name.
ASKED_DIRECTLY: dict[str, list[str]] = _WORDS["asked_directly"]
TERRITORIES = _NOUNS.pop("territory")  # apposed to a name with *of*: "the island of Merrow"
THINGS = _NOUNS["person"] | _NOUNS["place"] | _NOUNS["organisation"] | _NOUNS["work"]  # of which more can be asked
EARLIER: str = _WORDS["degrees"]["earlier"]
LATER: str = _WORDS["degrees"]["later"]
OPPOSITES: dict[str, str] = _WORDS["opposite"]  # adjectives of less, and the one whose question measures the same
MADE: dict[str, str] = _WORDS["made"]  # how a thing came into being whose age is asked


def singular(noun: str) -> str:
    """A noun in lower case without the ending of its plural, as far as that can be known from its letters."""
    word = noun.lower()
    if word in _PLURALS or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return _PLURALS.get(word, word)
    return word[:-3] + "y" if word.endswith("ies") else word[:-1]


def noun_class(noun: str) -> Expected:
    """What sort of thing a noun names; ``any`` where that cannot be determined."""
    word = singular(noun)
    for name, nouns in _NOUNS.items():
        if word in nouns or noun.lower() in nouns:
            return cast(Expected, name) if name not in ("work", "thing") else "any"
    return "person" if word in KIN or _PERSON_ENDING.fullmatch(word) else "any"


def leads_on(noun: str) -> bool:
    """Whether what a noun names is a thing of its own, of which more can be asked."""
    return singular(noun) in THINGS or noun_class(noun) == "person"


def is_participle(word: str) -> bool:
    """Whether a word can follow *was*: *founded*, *born*."""
    return word in _PARTICIPLES or (word.endswith("ed") and len(word) > 3)


def positive(degree: str) -> str:
    """An adjective of its comparative or superlative: *tall* of *taller*, *big* of *biggest*, *heavy* of *heavier*."""
    stem = re.sub(r"(?:er|est)$", "", degree)
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return stem[:-1] + "y" if stem.endswith("i") else stem + "e" if stem in ("larg", "wid", "clos", "lat") else stem
