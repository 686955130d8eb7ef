"""Candidates that a hop's own words point out: of a kind, after a preposition, in a field, as a purpose."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import fields_of_work, stem, vocabulary
from clew.text.names import FUNCTION_WORDS


@lru_cache(maxsize=8192)
def of_kind(text: str, noun: str) -> tuple[Candidate, ...]:
    """Phrases that say which kind of the noun is meant: "a *moist broadleaf forest*", "an American *bulldog*"."""
    words = list(re.finditer(r"[^\s,;:.()\"“”]+", text))
    kind, found = stem(noun), []
    for i, word in enumerate(words):
        folded = word.group().lower()
        compound = len(folded) > len(noun) + 1 and folded.removesuffix("s").endswith(noun.removesuffix("s"))
        if stem(folded) != kind and not compound:
            continue
        first = i
        while first and i - first < MODIFIERS and _modifies(text, words[first - 1], words[first]):
            first -= 1
        if first < i or compound:
            start, end = words[first].start(), word.end()
            found.append(Candidate(text[start:end], start, end, "term", "kind"))
    return tuple(found)


@lru_cache(maxsize=8192)
def complements(text: str, word: str, preposition: str) -> tuple[Candidate, ...]:
    """What follows a word and its preposition, but for names: "famous for *its orchids*", "brewed with *seaweed*"."""
    found = []
    for match in re.finditer(rf"([^\W\d_]+) {preposition} (?:an? |the )?({_COMPLEMENT})", text):
        if stem(match.group(1).lower()) == word and not _NAMED.match(text, match.end()):
            found.append(Candidate(match.group(2), match.start(2), match.end(2), "term", "complement"))
    return tuple(found)


_NAMED = re.compile(r" (?:[“\"]|[A-ZÀ-Þ])")
"""A name behind a noun that only says what it is of: "based on the novel | Low Water"."""
_COMPLEMENT = (
    r"(?!(?:an?|the)\b)(?:[a-z]|\d(?:[\d.,]*\d)?(?= ))[\w’'-]*(?: (?!(?:{ends})\b)[a-z][\w’'-]*){{0,5}}(?<! of)".format(
        ends="and|or|but|which|who|that|when|while|as|is|was|are|were|has|had|at|in|on|by|to|from|for|since|until|under"
    )
)
"""A noun phrase in lower case, or a number with what it counts, up to the end of its clause."""


MODIFIERS = 4
"""Words that may say what kind of thing a noun means."""


def _modifies(text: str, word: re.Match[str], following: re.Match[str]) -> bool:
    """Whether a word may describe the one after it: no article, preposition or verb, and nothing between them."""
    folded = word.group().lower()
    ends = folded in FUNCTION_WORDS or folded in vocabulary("verbs") or folded[:1].isdigit()
    return not ends and text[word.end() : following.start()] == " "


@lru_cache(maxsize=8192)
def fields(text: str, wanted: frozenset[str], kind: str = "term") -> tuple[Candidate, ...]:
    """The values of fields whose labels have a wanted stem: "*Room*: hall 3", "Week: 2; *Topic*: Tides".

    ``kind`` is that of the candidates; a date or a number has a digit, and a number's label all wanted stems.
    """
    found = []
    for match in _FIELD.finditer(text):
        dated = _DATED.match(match.group(2)) if kind == "term" else None
        start = match.start(2) + (dated.end() if dated else 0)
        value = text[start : match.end(2)].rstrip(". ")
        said = set(map(stem, match.group(1).lower().split())) & wanted
        fits = kind == "term" or (any(map(str.isdigit, value)) and (kind == "date" or said == wanted))
        if value and said and fits:
            found.append(Candidate(value, start, start + len(value), kind, "complement"))
    return tuple(found)


_DATED = re.compile(r"(?:\d{1,2} )?[A-Z][a-z]+ \d{4}, (?=[A-ZÀ-Þ])")
"""A date before what else a field says: "Born: 4 May 1980, *Tarn*"."""
_FIELD = re.compile(r"(?:^|(?<=; ))([^\W\d_][^:;.!?]{0,40}): ([^;]{1,60}?)(?=;|$)")


@lru_cache(maxsize=8192)
def purposes(text: str, wanted: frozenset[str]) -> tuple[Candidate, ...]:
    """What something was done *to* do or *for*: "built in 1936 *to protect the town*", "sent off for *a foul on X*"."""
    found = []
    for match in _PURPOSE.finditer(text):
        leads = any(stem(word) in wanted for word in re.findall(r"[^\W\d_]+", match.group(1).lower()))
        joining, first = match.group(2), match.group(3).split()[0]
        if leads and (joining == "for" or (first not in FUNCTION_WORDS and not first.endswith("s"))):
            start = match.start(2) if joining == "to" else match.start(3)
            found.append(Candidate(text[start : match.end()], start, match.end(), "term", "reason"))
    return tuple(found)


_PURPOSE = re.compile(
    r"\b((?:[^\W_][\w’'-]* ){1,5}?)(to|for) "
    r"(?!the (?:first|second|last)|(?:\w+ ){0,2}(?:\w+ )?(?:hours?|days?|weeks?|months?|years?)\b)([a-z][^.;,()]*)"
)


@lru_cache(maxsize=8192)
def apposed(text: str, noun: str) -> tuple[Candidate, ...]:
    """The one word that a noun phrase in lower case leads to: "the active substance *feltarine*, which"."""
    found = []
    for match in re.finditer(rf"\b{re.escape(noun)} (?:(?:is|named|called) )?([a-z][\w’'-]+)(?=[,.;)]|$)", text):
        if match.group(1) not in FUNCTION_WORDS:
            found.append(Candidate(match.group(1), match.start(1), match.end(1), "term", "complement"))
    return tuple(found)


@lru_cache(maxsize=8192)
def numbered(text: str, noun: str) -> tuple[Candidate, ...]:
    """What is known by its number: the season of "*season three* finalist", the *Article 5* of a treaty."""
    found = []
    for m in re.finditer(rf"\b({re.escape(noun)} (?:\d{{1,3}}|[IVX]+|{_ORDER}))(?![\w-])", text, re.IGNORECASE):
        found.append(Candidate(m.group(1), m.start(), m.end(), "term", "complement"))
    return tuple(found)


_ORDER = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"


@lru_cache(maxsize=8192)
def occurrences(text: str) -> tuple[Candidate, ...]:
    """How many times something happened: "won it *twice*", "on *four occasions*"."""
    return tuple(Candidate(m.group(), m.start(), m.end(), "term", "number") for m in _OCCURRENCES.finditer(text))


_OCCURRENCES = re.compile(r"\b(?:once|twice|thrice|(?:[a-z]+|\d+) (?:times|occasions))\b")


@lru_cache(maxsize=8192)
def disciplines(text: str) -> tuple[Candidate, ...]:
    """Fields of knowledge that a text names, itself or by who works in them: the *physics* of a physicist."""
    found = []
    for m in _discipline().finditer(text):
        field = fields_of_work().get(m.group(1)) or fields_of_work()[m.group(1).lower()]
        found.append(Candidate(field, m.start(), m.end(), "term", "complement"))
    return tuple(found)


@lru_cache(maxsize=1)
def _discipline() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)((?i:{'|'.join(sorted(fields_of_work(), key=len, reverse=True))}))(?!\w)")


def asks_span(question: str) -> bool:
    """Whether a question in lower case asks from when to when: "life span of X", "through what time period did X"."""
    return _ASKS_SPAN.search(question) is not None


_ASKS_SPAN = re.compile(
    r"\blife ?span\b(?! of (?:an?|the average)\b)|\b(?:what|which) (?:(?:time )?(?:period|frame|span)|years)\b"
    r"|\bfrom when (?:until|till|to) when\b|\bbetween (?:what|which) (?:years|dates)\b"
)


@lru_cache(maxsize=8192)
def spans(text: str) -> tuple[Candidate, ...]:
    """From when to when: "(980–1037)", "from 1914 to 1918", "between 1914 and 1918"."""
    return tuple(Candidate(m.group(1), m.start(1), m.end(1), "date", "span") for m in _SPAN.finditer(text))


_YEAR = r"(?:c\. ?)?\d{3,4}"
_SPAN = re.compile(
    rf"(?<![\d,.–-])({_YEAR}\s?[–-]\s?(?:\d{{2}}|{_YEAR})(?:\s(?:BCE?|CE|AD)\b)?"
    rf"|(?:from|between) {_YEAR} (?:to|until|and) {_YEAR})"
    r"(?![\d–-]|,\d)"
)
