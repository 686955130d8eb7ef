"""The word lists under ``data/``, read once: relation families, kinship terms, countries, small closed vocabularies."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from clew.text import names

key = lru_cache(maxsize=65_536)(names.key)
"""``clew.text.names.key``, remembered: the same few hundred texts are compared again and again."""
APART = 80
"""Characters that may stand between the words of what a question asks: "when was … founded"."""


def in_lower(text: str) -> str:
    """The text in lower case and as long as before, so that a place in it is one in the text: *İ* alone would grow."""
    return text.replace("İ", "I").lower()


@dataclass(frozen=True, slots=True)
class Relation:
    """A family of words for one relation between a subject and the value that is sought.

    ``direct`` finds words that lead from the subject to the value, ``inverse`` words between the value and the subject
    where the sentence is told from the value's side. ``role`` says which date or place is meant (birth, death, start,
    end), ``gender`` ("m" or "f") what is known of the person sought, ``told`` are the inverse words as a list, and
    ``words`` the stems of all words that ask for it.
    """

    name: str
    noun: str
    type: str
    direct: re.Pattern[str] | None = field(hash=False)
    inverse: re.Pattern[str] | None = field(hash=False)
    gender: str = ""
    role: str = ""
    told: tuple[str, ...] = field(default=(), hash=False)
    words: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def relations() -> dict[str, Relation]:
    """All relation families by name."""
    return {
        name: Relation(
            name,
            entry["noun"],
            entry["type"],
            _alternation(entry["direct"]),
            _alternation(entry["inverse"]),
            entry.get("gender", ""),
            entry.get("role", ""),
            tuple(entry["inverse"]),
            frozenset(stem(word) for phrase in (entry["noun"], *entry["ask"]) for word in re.findall(r"\w+", phrase)),
        )
        for name, entry in table("relations.toml").items()
    }


@lru_cache(maxsize=1024)
def own_words(stems: frozenset[str], kind: str, phrases: frozenset[str] = frozenset()) -> Relation | None:
    """A relation of no family: its own words are the cues, both ways. None where it has no words.

    ``phrases`` are verbs of several words, of which the first is inflected: *set up*.
    """
    if not stems and not phrases:
        return None
    words = [_inflected(stems)] if stems else []
    words += [f"{_inflected({stem(first)})} {rest}" for first, rest in (p.split(" ", 1) for p in sorted(phrases))]
    cue = re.compile(
        rf"(?<!\w){NO_ORDINAL}(?:{'|'.join(words)})(?:\s(?:by|in|at|on|of|to|from|as|with|is|was|for))*(?!\w)"
    )
    return Relation("", "", kind, cue, cue, words=stems | phrases)


def _inflected(stems: AbstractSet[str]) -> str:
    """A pattern of all forms of words."""
    forms = stems | {form for form, first in irregular().items() if stem(first) in stems}
    words = "|".join(re.sub(r"(?<=\w\w)y$", "[iy]", re.escape(s)) for s in sorted(forms, key=len, reverse=True))
    return rf"(?:{words})(?!les?\b)\w{{0,4}}"  # a single is nothing that was sung


NO_ORDINAL = "".join(
    rf"(?<!{order}[- ])(?<!{order} - )"
    for order in (*"second third fourth fifth sixth next".split(), r"\d(?:st|nd|rd|th)")
)
"""A pattern of what may not stand before a word: the second-largest is not the largest."""


@lru_cache(maxsize=4096)
def find_relation(words: str) -> Relation | None:
    """The family that a sub-question asks for, or None; of several phrases that fit, the longest one decides.

    ``words`` is the sub-question in lower case, with every name it mentions replaced by ``x``.
    """
    words = _WHEN.sub("when", _LIVED_LONG.sub("x", _COMPOUND.sub(" ", words.replace("_", " "))))
    timed = next((word for word in words.split() if word in QUESTION_WORDS), "") == "when"
    found: tuple[tuple[bool, int, int], str] | None = None
    for pattern, weight, name, part in _asking():
        if part not in words:
            continue
        # What is asked with *when* is a date, whatever else its words say.
        dated = timed and relations()[name].type == "date"
        if found is not None and (dated, weight) < found[0][:2]:
            continue
        if not timed and pattern.pattern.startswith(r"\bwhen\b") and _ASKED.search(words):
            continue  # "what lamp was used when X was opened"
        if match := pattern.search(words):
            rank = dated, weight, -match.start()
            if found is None or rank > found[0]:
                found = rank, name
    return relations()[found[1]] if found else None


_ASKED = re.compile(r"\b(?:who|whom|whose|what|which|where|why|how)\b")
QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
_LIVED_LONG = re.compile(r"\b(?:long|longest|short|shortest)(?: - |[ -])lived\b")
"""What says nothing of where somebody lived."""
_COMPOUND = re.compile(r"(?<!\w)[^\W\d_]+-(?:based|born|affiliated|owned|made|built)(?!\w)")
"""Adjectives that ask for nothing: a *Torp-based* firm."""


_WHEN = re.compile(
    r"\b(?:(?:in|on|at|during|since|until) )?(?:what|which) (?:year|date|month|decade|century)"
    r"(?: and (?:year|date|month))?\b(?! of\b)"
)
"""What asks for a time in more words than *when*; a day may be one of the week."""


@lru_cache(maxsize=1)
def _asking() -> list[tuple[re.Pattern[str], int, str, str]]:
    """How relations are asked for, the longest first: a pattern, its weight, the relation, and a part of the pattern as
    it stands, without which there is no need to search."""
    entries = []
    for name, entry in table("relations.toml").items():
        for phrase in entry["ask"]:
            parts = [part.strip() for part in phrase.split("*")]
            pattern = re.compile(r"\b" + rf"\b.{{0,{APART}}}?\b".join(map(re.escape, parts)) + r"\b")
            # "where * born" must win over "located" and the like: what asks for a date or place of a life is specific.
            weight = len(phrase.replace("*", "").split()) * 10 + len(phrase)
            entries.append((pattern, weight, name, max(parts, key=len)))
    return sorted(entries, key=lambda entry: -entry[1])


@lru_cache(maxsize=1)
def kinship_terms() -> dict[str, tuple[str, ...]]:
    """Kinship terms as chains of relations, the subject's own first: a father-in-law is the father of the spouse."""
    return {term: tuple(chain) for term, chain in table("kinship.toml").items()}


@lru_cache(maxsize=1)
def labels() -> dict[str, str]:
    """Labels of properties that are no nouns, and the question that each stands for."""
    return dict(table("labels.toml"))


@lru_cache(maxsize=1)
def _countries() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _read("countries.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            forms = line.split("|")
            for form in forms:
                table[key(form)] = forms[0]
    return table


def country(name: str) -> str | None:
    """The country that a name, an adjective or an abbreviation stands for; None if it stands for none."""
    return _countries().get(key(name))


@lru_cache(maxsize=4096)
def country_forms(name: str) -> frozenset[str]:
    """The keys of all names and adjectives of the country that a name stands for; only its own where it is none."""
    meant = country(name)
    return frozenset(form for form, one in _countries().items() if one == meant) if meant else frozenset((key(name),))


@cache
def towns() -> frozenset[str]:
    """The keys of the names of larger towns, from all over the world."""
    return frozenset(line for line in _read("towns.txt").splitlines() if not line.startswith("#"))


@lru_cache(maxsize=1)
def country_pattern() -> re.Pattern[str]:
    """Finds countries and nationalities in text, the longest first. Georgia and Jordan are names of people as well."""
    forms = [
        n for line in _read("countries.txt").splitlines() if not line.startswith("#") for n in line.split("|") if n
    ]
    forms.sort(key=len, reverse=True)
    return re.compile(r"(?<![\w.])(?:" + "|".join(re.escape(n) for n in forms) + r")(?!\w)")


@cache
def vocabulary(section: str, name: str = "words") -> frozenset[str]:
    """A closed list of words, lower case; an underscore in the data is a space."""
    return frozenset(word.replace("_", " ").lower() for word in table("words.toml")[section][name].split())


def acts(word: str) -> bool:
    """Whether a word in lower case says what somebody does or did: a form of a common verb, or a past one."""
    return word in vocabulary("verbs") or (word.endswith("ed") and len(word) > 4)


@cache
def first_names() -> frozenset[str]:
    """First names of men and women, lower case."""
    return frozenset().union(*(vocabulary("gender", f"{gender}_names") for gender in ("male", "female", "either")))


@cache
def vocabulary_starts(section: str) -> frozenset[str]:
    """The first words of a closed list's entries: a text that has none of them has no entry either."""
    return frozenset(re.findall(r"\w+", entry)[0] for entry in vocabulary(section))


@cache
def vocabulary_pattern(section: str) -> re.Pattern[str]:
    """Finds the words of a closed list in text, the longest first, whatever their case."""
    words = sorted(vocabulary(section), key=len, reverse=True)
    one = "|".join(map(re.escape, words))
    # "Sixty-two" is one number.
    further = rf"(?:-(?:{one}))*" if section == "number" else ""
    return re.compile(rf"(?<!\w)(?:{one}){further}(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def head_types() -> dict[str, str]:
    """What the head noun of a question says about its answer: ``city`` asks for a place."""
    return {
        word.replace("_", " "): kind for kind, text in table("words.toml")["heads"].items() for word in text.split()
    }


@lru_cache(maxsize=1)
def kinds() -> dict[str, frozenset[str]]:
    """Head nouns whose things carry their kind in their name: a body of water is a river, a lake …"""
    return {head.replace("_", " "): frozenset(text.split()) for head, text in table("words.toml")["kinds"].items()}


@lru_cache(maxsize=1024)
def narrower(general: str) -> frozenset[str]:
    """Stems of nouns each of which means a thing of a general sort: a poet is a writer, a shrub a plant."""
    return _narrower().get(general, frozenset())


def sport_of(name: str) -> str:
    """The sport of a player: *football* of a footballer; any other text as it is."""
    return next((sport.replace("_", " ") for sport, who in table("words.toml")["players"].items() if name == who), name)


@lru_cache(maxsize=1)
def fields_of_work() -> dict[str, str]:
    """Fields of knowledge by their own names and by those of who works in them: *physics* of a physicist."""
    who = {name: field.replace("_", " ") for field, name in table("words.toml")["scholars"].items()}
    return {field: field for field in who.values()} | who


@lru_cache(maxsize=1)
def _narrower() -> dict[str, frozenset[str]]:
    lists = table("words.toml")["narrower"]
    return {stem(general): frozenset(map(stem, text.split())) for general, text in lists.items()}


@lru_cache(maxsize=1)
def irregular() -> dict[str, str]:
    """Forms of irregular verbs, by their first form."""
    lines = table("words.toml")["irregular"]["verbs"].strip().splitlines()
    return {form: forms[0] for forms in map(str.split, lines) for form in forms[1:]}


_SUFFIXES = (
    ("ies", "y"),
    ("ied", "y"),
    ("ing", ""),
    ("ed", ""),
    ("es", ""),
    ("s", ""),
    ("er", ""),
    ("or", ""),
    ("e", ""),
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its inflection, roughly: enough to see that *founded* and *founder* are about the same thing."""
    word = irregular().get(word.lower(), word.lower())
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + replacement
            break
    return word[:-1] if len(word) > 4 and word[-1] in "e" else word


def _forms(phrase: str) -> list[str]:
    """The present and future of a regular past tense: *acquires* and *would acquire* for *acquired*."""
    if " " in phrase or not phrase.endswith("ed") or len(phrase) < 7:
        return []
    base = phrase[:-1] if phrase[-3] in "csuvzr" else phrase[:-2]
    return [f"{base}s", f"would {base}", f"will {base}", f"to {base}"]


def _alternation(phrases: list[str]) -> re.Pattern[str] | None:
    if not phrases:
        return None
    phrases = [*phrases, *(form for phrase in phrases for form in _forms(phrase))]
    ordered = sorted(phrases, key=len, reverse=True)
    return re.compile(
        r"(?<!\w)(?:"
        + "|".join(re.escape(p).replace(r"\ \*\ ", r"\b[^.;]{0,50}?\b").replace(r"\ ", r"\s+") for p in ordered)
        + r")(?!\w)"
    )


@cache
def table(name: str) -> dict[str, Any]:
    """A data file as it is, read once."""
    return tomllib.loads(_read(name))


def _read(name: str) -> str:
    return files("clew.agent.extractive").joinpath("data", name).read_text(encoding="utf-8")
