"""Whom a hop asks about, and where a page or a sentence speaks of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from clew.agent.extractive.evidence import Page, Sentence
from clew.agent.extractive.lexicon import country_forms, in_lower, key, vocabulary
from clew.agent.extractive.speaker import FIRST_PERSON
from clew.text.names import FUNCTION_WORDS, without_parenthesis
from clew.text.subject import is_subject


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a hop asks about, with what helps to recognise it: its key, and a hint which of several pages is meant.

    ``forms`` are the keys of its other names, for countries.
    """

    name: str
    key: str
    hint: str = ""
    forms: frozenset[str] = frozenset()

    @property
    def first(self) -> str:
        """The first word of its key, but for an article."""
        return self.key.removeprefix("the ").partition(" ")[0]

    @property
    def last(self) -> str:
        """The last word of its key."""
        return self.key.rpartition(" ")[2]

    @staticmethod
    def of(name: str, hint: str = "") -> Subject:
        """A subject from its name as written."""
        bare = without_parenthesis(name)
        return Subject(name, key(bare), hint, country_forms(bare))

    def named_in(self, folded: str) -> str:
        """The form under which a folded text names the subject, empty if it does not: *American* for *US*."""
        return next((form for form in (self.key, *sorted(self.forms)) if form and f" {form} " in folded), "")


def title_match(subject: Subject, page: Page) -> float:
    """How surely a page is about the subject, 0 … 1: its title, its title without parenthesis, or nearly so."""
    found = _title_match(subject, page.name, page.keys)
    return max(found, ABOUT) if is_subject(subject.key, page.about) else found


ABOUT = 0.8
"""How surely a document is about the name that it has beside the sort of document it is."""


@lru_cache(maxsize=16_384)
def _title_match(subject: Subject, title: str, keys: frozenset[str]) -> float:
    full = key(subject.name)
    if full in keys and full != subject.key:
        return 1.0
    bare = key(without_parenthesis(title))
    if subject.key == bare or bare in subject.forms:
        if full != subject.key and key(title) != bare:
            return 0.6
        if subject.hint and key(title) != bare and subject.hint not in key(title).split():
            return 0.8
        return 0.95
    if subject.key.removeprefix("the ") == bare.removeprefix("the "):
        return 0.9
    ours, theirs = subject.key.split(), bare.split()
    if not ours or not theirs:
        return 0.0
    shared = len(set(ours) & set(theirs))
    if len(ours) > 1 and len(theirs) > 1 and shared == min(len(ours), len(theirs)) and ours[0] == theirs[0]:
        return 0.75
    if abs(len(subject.key) - len(bare)) < 6 and subject.key[:1] == bare[:1]:
        ratio = SequenceMatcher(None, subject.key, bare).ratio()
        return 0.7 if ratio >= 0.87 else 0.0
    return 0.0


def locate(subject: Subject, sentence: Sentence, is_title: bool) -> tuple[int, int] | None:
    """Where the sentence names the subject: its words, a pronoun, or its last name once it was named in full."""
    if not _may_name(subject, sentence):
        return None
    titled = subject.key.endswith(f" {key(sentence.title)}")  # there the last name is that of another: the film Capote
    return _locate(subject, sentence.text, sentence.previous, "" if titled else sentence.before, is_title)


def _may_name(subject: Subject, sentence: Sentence) -> bool:
    """Whether a sentence has a word of the subject's name, or follows one that names it; most have not."""
    folded = sentence.folded
    return (
        subject.first in folded
        or subject.last in folded
        or subject.key in key(sentence.previous)
        or any(form in folded for form in subject.forms)
    )


@lru_cache(maxsize=32_768)
def _locate(subject: Subject, text: str, previous: str, before: str, is_title: bool) -> tuple[int, int] | None:
    bare = without_parenthesis(subject.name)
    found = find_name(subject.name, text) or find_name(bare, text) or _without_article(bare, text)
    if found:
        return found
    if listed := _in_list(bare, text):
        return listed
    if form := subject.named_in(f" {key(text)} "):
        return find_name(form.split()[-1], text, fold=True) or (0, 0)
    if previous and not is_title and f" {subject.key} " in f" {key(previous)} ":
        pronoun = re.match(r"(?:It|He|She|They|Its|His|Her|Their)\b", text) or _REFERRING.match(text)
        if pronoun:
            return pronoun.span()
    last = subject.key.split()[-1] if " " in subject.key else ""
    if is_title and len(last) > SHORT:
        return find_name(last, text, fold=True)
    named = f" {subject.key} " in f" {key(before)} "
    return _in_short(subject, without_parenthesis(subject.name).split()[-1], text, before) if named else None


def _in_list(name: str, text: str) -> tuple[int, int] | None:
    """Where a list of places names one whose kind stands at its end: the Fife County of "Fife and Lorne counties"."""
    first, _, kind = name.rpartition(" ")
    if not first or kind.lower() not in vocabulary("containers"):
        return None
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    name_ = r"[A-ZÀ-Þ][\w’'-]*"
    found = re.search(
        rf"(?<!\w){re.escape(first)}(?=(?:, {name_})*,? (?:and|or|&) {name_} {plural}\b)"
        rf"|(?<!\w){re.escape(first)} {plural}\b",
        text,
        re.IGNORECASE,
    )
    return found.span() if found else None


def _without_article(name: str, text: str) -> tuple[int, int] | None:
    """Where a text has a name of several words but for its article: *Lorne Bridge* for "The Lorne Bridge"."""
    rest = name[len("The ") :] if name[:4].lower() == "the " else ""
    found = find_name(rest, text) if " " in rest else None
    return found if found and text[found[0]].isupper() else None


_REFERRING = re.compile(
    r"(?:We|I|You|One|The [a-z]+|A [a-z]+)\b(?: (?!and\b)[a-z][\w’'-]*){0,4}? (?:him|her|his|their)\b"
)
"""A pronoun after a subject that is not of that gender: "We met *her* in her workshop"."""


def speaks(subject: Subject, page: Page, sentence: Sentence) -> tuple[int, int] | None:
    """Where a sentence says *I* or *my* in a document of the subject's own words; the first name will do."""
    said = key(page.speaker)
    if not said or not (subject.key == said or subject.key.startswith(f"{said} ")):
        return None
    found = FIRST_PERSON.search(sentence.text)
    return found.span() if found else None


SHORT = 3
"""Letters of a last name that may be another word as well."""


def _in_short(subject: Subject, last: str, text: str, before: str) -> tuple[int, int] | None:
    """The last word of a name that was told in full before: "Aske, who …", "The bridge was …"; of the latest such."""
    found = find_name(last, text, fold=True)
    if found is None:
        return None
    start, end = found
    if text[start].islower():
        if not _DEFINITE.search(text, 0, start) or not _PLAIN.match(text, end):
            return None
    elif len(last) <= SHORT or _FULL_AFTER.match(text, end) or _led(text, start):
        return None
    full = re.findall(rf"((?:[A-ZÀ-Þ][\w’'.-]*\s)+(?i:{re.escape(last)}))(?!\w)", before)
    return found if full and f" {key(full[-1])}".endswith(f" {subject.key}") else None


def _led(text: str, start: int) -> bool:
    """Whether another name stands before a place, but for a title: the Mary of "Mary Aske"."""
    before = _BEFORE.search(text, 0, start)
    return before is not None and before.group(1).lower() not in _UNNAMED


_DEFINITE = re.compile(r"\b[Tt]he $")
_PLAIN = re.compile(
    r"(?=[,.;:]| (?:is|was|has|had|will|can|must|lies|stands|stood|\w+ed|\w+s|"
    r"since|until|when|while|after|before|because|and|but)\b)"
)
_BEFORE = re.compile(r"([A-ZÀ-Þ][\w’'-]*)\.? $")
_UNNAMED = FUNCTION_WORDS | frozenset("mr mrs ms miss dr prof".split())
_FULL_AFTER = re.compile(r" [A-ZÀ-Þ]")


def find_name(name: str, text: str, fold: bool = False) -> tuple[int, int] | None:
    """Where a text has a name as whole words, whatever its case; with ``fold``, without regard to accents."""
    lowered, wanted = in_lower(key_aligned(text) if fold else text), in_lower(name)
    if len(lowered) != len(text) or not wanted:
        return None
    start = lowered.find(wanted)
    found: tuple[int, int] | None = None
    while start >= 0:
        end = start + len(wanted)
        before, after = lowered[start - 1 : start] if start else "", lowered[end : end + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            if not _goes_on(text, start, end):
                return start, end
            found = found or (start, end)
        start = lowered.find(wanted, start + 1)
    return found


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a name at this place is the middle of a longer one: the Ada Finch of "Mary Ada Finch Vale"."""
    return (
        text[end : end + 1] == " " and text[end + 1 : end + 2].isupper() and _NAMED.search(text, 0, start) is not None
    )


_NAMED = re.compile(r"\b[A-ZÀ-Þ][\w’'-]+ $")


@lru_cache(maxsize=8192)
def key_aligned(text: str) -> str:
    """The text with accents folded letter by letter, so that offsets stay those of the text."""
    return "".join((key(c) or c)[:1] if ord(c) > 127 else c for c in text)
