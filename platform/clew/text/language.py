"""Which language a sentence is in, as far as its small words tell, and what that language writes inside names."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_]{2,}|\b[^\W\d_]\b(?!\.)")
"""A word; a letter with a full stop is none."""


@dataclass(frozen=True, slots=True)
class Language:
    """Its code, the words that name nothing in it, and those that join words to a name or begin a surname."""

    code: str
    words: frozenset[str] = field(repr=False)
    joining: frozenset[str] = field(repr=False)
    surname: frozenset[str] = field(repr=False)


def language_of(text: str, english: frozenset[str]) -> Language | None:
    """The language whose small words a text has most of; None where English has as many, or no language has any.

    Words in small letters count, for "La Paz" and "Die Hard" are names in every language; that a text begins with such
    a word decides between languages, and alone where no English word has its letters ("Où").
    """
    by_word = _telling_words()
    words = [match.group() for match in _WORD.finditer(text)]
    small = [word for word in words if word[0].islower()]
    foreign = [word for word in small if word in by_word]
    in_english = sum(word in english for word in small)
    if text.isascii() and len(foreign) <= in_english:
        return None
    hits = Counter(code for word in foreign for code in by_word[word])
    hits.update(code for code, letters in _letters().items() if not letters.isdisjoint(text))
    first = words[0] if words and not words[0][0].islower() else ""
    begun = by_word.get(first.lower(), ())
    if not first.isascii():
        hits.update(begun)
    code = max(hits, key=lambda one: (hits[one], one in begun), default="")
    return _languages()[code] if hits[code] > in_english else None


@lru_cache(1)
def _languages() -> dict[str, Language]:
    return {
        code: Language(code, *(frozenset(table.get(kind, "").split()) for kind in ("words", "joining", "surname")))
        for code, table in _tables().items()
    }


@lru_cache(1)
def _telling_words() -> dict[str, tuple[str, ...]]:
    """Of each small word the languages that have it."""
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for code, language in _languages().items():
        for word in language.words:
            owners[word].append(code)
    return {word: tuple(codes) for word, codes in owners.items()}


@lru_cache(1)
def _letters() -> dict[str, frozenset[str]]:
    """The letters that no other language has."""
    return {code: frozenset(table["letters"]) for code, table in _tables().items() if "letters" in table}


@lru_cache(1)
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((files("clew.text") / "small_words.toml").read_text("utf-8"))
