"""What in a sentence could be an answer: names, dates, numbers, countries, and words of small closed lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from clew.agent.extractive.cast_list import parted
from clew.agent.extractive.lexicon import (
    country,
    country_pattern,
    vocabulary,
    vocabulary_pattern,
    vocabulary_starts,
)
from clew.agent.extractive.name_spans import names, quoted
from clew.text.names import FUNCTION_WORDS

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\s?,?\s+\d{{3,4}}\b(?:\s+BCE?)?"
    rf"|\b\d{{1,2}} {_MONTH} \d{{4}}(?=\d{{1,2}} {_MONTH})|(?<=\d{{4}})\d{{1,2}} {_MONTH} \d{{4}}\b"
    rf"|\b{_MONTH} \d{{1,2}}, \d{{4}}(?={_MONTH})|(?<=\d{{4}}){_MONTH} \d{{1,2}}, \d{{4}}\b"
    rf"|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\s?,?\s+\d{{3,4}}\b"
    rf"|\b{_MONTH}\s?,?\s+\d{{4}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b"
    r"|(?<![\d,.])(?:1\d{3}|20\d{2})(?![\d,]\d|\s?(?:%|km|m\b|people|metres|feet|acres))\b"
    r"|\b1\d{2}0s\b|\b20\d0s\b"
    r"|\b(?:\d{1,2}(?:st|nd|rd|th)|[a-z]{4,9}th|first|second|third|twenty-first)(?:\s?[-–]\s?|\s)century\b(?:\s+BCE?)?"
    r"|(?<=\bin\s)\d{3}\b(?:\s+(?:AD|CE|BCE?))?|(?<=\bdied\s)\d{3}\b|(?<=[(–-])(?<!\b\d-)(?<!\b\d\d-)\s?\d{3}\b(?=\s?[)–-])|(?<=c\.\s)\d{3}\b"
    r"|\b\d{1,4}\s+(?:AD|CE|BCE?)\b"
)
_VAGUE = re.compile(r"\d{3,4}s|[\da-z-]+[\s–-]+century(?:\s+BCE?)?")
_PART = re.compile(r"\b(?:early|late|mid|middle)(?:[- ]| in the | of the | to (?:early|late|mid)[- ])$")
"""What part of a century or a decade is meant: "*late* 1980s", "*early in the* 20th century"."""
_DIGIT = re.compile(r"\d")
_YEARS = re.compile(r"(?<!between )(?<![\d,.])(?:1\d{3}|20\d{2}) and (?:1\d{3}|20\d{2})\b(?! [A-Z])")
"""Two years that belong together: "won the cup in 1898 and 1959"."""
_DAY = re.compile(
    rf"\b(?:first|second|third|fourth|last) (?:week|weekend|half|{_WEEKDAY}) (?:of|in) {_MONTH}\b"
    rf"|\b(?:early|late|the (?:beginning|middle|end) of) {_MONTH}\b|"
    rf"\b\d{{1,2}}(?:\s?(?:[–-]|to|and)\s?\d{{1,2}})? {_MONTH}\b|\b{_MONTH} \d{{1,2}}\b|(?<=\b[Ii]n ){_MONTH}\b(?! \d)"
    rf"|(?<=\bon ){_WEEKDAY}\b(?!,? (?:the )?\d|s|, \w+ \d)"
)
"""Days of a month, which are no numbers of anything; months and days of the week alone."""
_TIME = re.compile(
    r"(?<![\w:])\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.m\.|[ap]m\b)|\b(?:noon|midnight)\b"
    r"|\b(?:in the (?:early |late )?(?:morning|afternoon|evening)|at (?:night|dawn|dusk|sunrise|sunset))\b"
    r"|(?:^|(?<=\bat )|(?<=\bby )|(?<=\bfrom )|(?<=\buntil ))(?:[01]?\d|2[0-3]):[0-5]\d(?![\w:])",
    re.IGNORECASE,
)
_HOURS = ("noon", "night", "morning", "evening", "dawn", "dusk", "sunrise", "sunset")
_UNIT = (
    r"(?:million|billion|trillion|thousand|%|percent|per cent|km²|km2|km/h|km|mph|m/s|kilomet(?:re|er)s|"
    r"centimet(?:re|er)s|met(?:re|er)s|m\b|ft\b|cm|feet|miles|inches|acres|hectares|square\s\w+|fathoms|"
    r"kg|tons|tonnes|litres|[kMGT]B|(?:kilo|mega|giga|tera)bytes|°C|°F|degrees(?: Celsius| Fahrenheit)?|volts|watts|"
    r"light(?:-| - )years?|"
    r"seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?|pounds?|dollars?|pence|cents|crowns?|francs?|shillings?|"
    r"kron(?:e|er|or)|guilders|rupees|roubles|pesos|yen|yuan)(?!\w)"
)
_SMALLER = r"(?:,? (?:and )?\d+ (?:days?|weeks?|months?|hours?|minutes?|seconds?)(?!\w))"
_NUMBER = re.compile(
    r"(?<![\w.])(?:\+\d{1,3}|0\d{2,})(?:[ -]\d{2,})+|"
    rf"(?<![\w.])(?!\d+\. [A-ZÀ-Þ])(?:US|A|C)?[$€£₹¥]?[−-]?\d(?:[\d,]*\d)?(?:\.\d+)?"
    rf"(?:(?:\s?|-(?=[a-z]{{4}})(?!\w+-old)){_UNIT})*"
    rf"(?:(?<=[hkrsy]){_SMALLER})*"
)
_NO_AMOUNT = re.compile(
    r"(?<![\w.])\d[\d,]*(?:st|nd|rd|th)\b|\d[\d.]*\s?(?:°(?!\s?[CF]\b)|[′″])|\b\d{4} - \d{2} - \d{2}\b"
)
"""Digits that count and measure nothing: an ordinal, a place on the globe, a date in figures."""
_RANGE = re.compile(rf"\b[Bb]etween (?:{_NUMBER.pattern}) and (?:{_NUMBER.pattern})")
_FROM_TO = re.compile(
    rf"(?<![\w.,–-])\d[\d,.]*(?:–| to | ?-{{1,2}} ?(?=[\d,.]+ ?{_UNIT}))(?:{_NUMBER.pattern})(?![–-]?\d)"
)
"""A number that is told as two: "100–150 species", "35 to 55 percent"; not the two years of a life."""
_SPELT_UNIT = re.compile(rf"[\s-]{_UNIT}")
_LOWER = r"\s+(?:a\s|an\s|the\s)?(?=((?:[a-z][\w\-]+\s?){1,5}))"
_COPULA = re.compile(rf"\b(?:is|was|are|were|as|called|of|from|with|by|into|for|named){_LOWER}")
_ARTICLE = re.compile(
    rf"\b(?:an?|the|its|his|her|their|to|used?|uses|includes?|including|included|became|become|than){_LOWER}"
)
"""Words that begin a noun phrase as well, where a single noun is too little: "the number", "a range"."""


_REASON = re.compile(
    r"(?:\b(?:because(?: of)?|due to|owing to|as a result of|so that|in order to|"
    r"[Cc]ause (?:of [^,.;]{1,60} )?(?:was|is))|, since(?! then| \d| [A-ZÀ-Þ])) "
    r"([^.;]{3,200}?)(?=[.;]|$|, )"
)
_OFTEN = re.compile(
    r"\b(?:every|each) (?:\w+ )?(?:second|minute|hour|morning|evening|night|day|week|weekend|month|quarter|year)s?\b"
    rf"|\b(?:once|twice|\w+ times) (?:a|an|per|every|each) \w+\b|\bevery (?:other )?{_WEEKDAY}\b"
    rf"|\b{_WEEKDAY}s(?:(?:, {_WEEKDAY}s)*,? and {_WEEKDAY}s)?\b"
    r"|\b(?:hourly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually)\b",
    re.IGNORECASE,
)
_ASIDE = r"(?:under|behind|beside|near|above|below|inside|outside|next to|opposite) "
"""Prepositions that belong to the place: what is outside of a room is not in it."""
_SPOT = re.compile(
    r"\b(?:is|are|was|were|lies?|stands?|stood|hangs?|hung|kept|stored|held|found|located|situated|housed|displayed|"
    r"meets?|met|begins?|starts?|ends?|takes place|collected|parked|buried|waits?|sits?)"
    rf" (?:free |open |ready )?(?:(?:in|on|at) |(?={_ASIDE}))"
    rf"((?:{_ASIDE})?(?:the|an?|its|his|her|their) (?:[a-z-]+['’]s )?[a-z][a-z -]*[a-z])(?![\w’'-])"
)
_OF_NAME = re.compile(r" of (?:the )?[A-ZÀ-Þ][\w’'-]*(?: [A-ZÀ-Þ][\w’'-]*)*")
_PARTY = re.compile(r"\b(?:The|the) ([a-z]+)\b(?=\s[a-z]+s\b|[.,;]| and\b(?! [A-Z]))")
"""Whom a document calls by a role alone: "The tenant maintains …", "is maintained by the landlord"."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span of a sentence that could be an answer.

    ``kind``: name, date, number, country, term. ``role``: birth or death where the sentence says so, ``demonym`` for an
    adjective before a noun, ``origin`` for a nationality that is only one of birth or descent, ``reason`` for what
    follows *because*, ``complement`` for what follows a word and its preposition or stands in a field (``told``),
    ``spot`` for a place without a name, ``day`` for a date without a year, ``common`` and ``phrase`` for phrases of
    common nouns (``nameless``), ``frequency``, or the closed list that a term is from. ``inside``: a part of a longer
    name.
    """

    text: str
    start: int
    end: int
    kind: str
    role: str = ""
    inside: bool = False

    @property
    def nameless(self) -> bool:
        """Whether it is a phrase of common nouns, on no list."""
        return self.role in ("common", "phrase")


@lru_cache(maxsize=8192)
def candidates(text: str, titles: frozenset[str]) -> tuple[Candidate, ...]:
    """All candidates of a sentence, in order. ``titles`` are keys of pages that the sentence mentions."""
    roles = _life_roles(text)
    found: list[Candidate] = []
    digits = _DIGIT.search(text) is not None or "century" in text
    if digits:
        for m in _DATE.finditer(text):
            begun = _PART.search(text, 0, m.start()) if _VAGUE.fullmatch(m.group()) else None
            start = begun.start() if begun else m.start()
            found.append(Candidate(text[start : m.end()].strip(), start, m.end(), "date", _role(roles, m.start())))
        found += [Candidate(m.group(), *m.span(), "date", _role(roles, m.start())) for m in _YEARS.finditer(text)]
    if digits or any(hour in text.lower() for hour in _HOURS):
        found += [Candidate(m.group(), *m.span(), "date", "time") for m in _TIME.finditer(text)]
    taken = [(c.start, c.end) for c in found]
    for match in country_pattern().finditer(text):
        found.append(Candidate(match.group(), match.start(), match.end(), "country", _origin(text, match)))
    for start, end in parted(text, names(text, titles)):
        inside = any(a <= start and end <= b for a, b in taken)
        if inside or any(c.start == start and c.end == end for c in found):
            continue
        if _is_party(text, start, end):
            found.append(Candidate(text[start:end], start, end, "term", "party"))
        else:
            found.append(Candidate(text[start:end], start, end, "name", _role(roles, start)))
    spans = {(c.start, c.end) for c in found}
    found += [Candidate(text[a:b], a, b, "name") for a, b in quoted(text) if (a, b) not in spans]
    days = [(m.start(), m.end()) for m in _DAY.finditer(text)]
    found += [Candidate(text[a:b], a, b, "date", "day") for a, b in days if not any(x < b and a < y for x, y in taken)]
    taken += days
    taken += [m.span() for m in _NO_AMOUNT.finditer(text)] if digits else []
    for match in _RANGE.finditer(text):
        found.append(Candidate(match.group().strip(), match.start(), match.end(), "number"))
        taken.append(match.span())
    for match in _FROM_TO.finditer(text):
        if not any(a < match.end() and match.start() < b for a, b in taken):
            found.append(Candidate(match.group().strip(), match.start(), match.end(), "number"))
            taken.append(match.span())
    for match in _NUMBER.finditer(text):
        if not any(a < match.end() and match.start() < b for a, b in taken):
            found.append(Candidate(match.group().strip(), match.start(), match.end(), "number"))
    words = re.findall(r"\w+", text.lower())
    for section in ("sport", "religion", "genre", "occupation", "cause", "colour", "number", "language"):
        if vocabulary_starts(section).isdisjoint(words):
            continue
        for match in vocabulary_pattern(section).finditer(text):
            unit = _SPELT_UNIT.match(text, match.end()) if section == "number" else None
            end = unit.end() if unit else match.end()
            found.append(Candidate(text[match.start() : end], match.start(), end, "term", section))
    for match in _PARTY.finditer(text):
        if match.group(1) in vocabulary("party"):
            found.append(Candidate(match.group().lower(), match.start(), match.end(), "term", "party"))
    phrases = {m.start(1): _noun_phrase(m.group(1)) for m in _COPULA.finditer(text)}
    phrases |= {m.start(1): _noun_phrase(m.group(1), 2) for m in _ARTICLE.finditer(text) if m.start(1) not in phrases}
    for start, phrase in phrases.items():
        if phrase:
            found.append(Candidate(phrase, start, start + len(phrase), "term", "common"))
    for match in _OFTEN.finditer(text):
        found.append(Candidate(match.group(), match.start(), match.end(), "term", "frequency"))
    for match in _REASON.finditer(text):
        found.append(Candidate(match.group(1), match.start(1), match.end(1), "term", "reason"))
    for match in _SPOT.finditer(text):
        if phrase := _place_phrase(match.group(1)):
            end = match.start(1) + len(phrase)
            end = named.end() if (named := _OF_NAME.match(text, end)) else end
            found.append(Candidate(text[match.start(1) : end], match.start(1), end, "term", "spot"))
    return tuple(sorted(map(_nested(found), found), key=lambda c: (c.start, -c.end)))


def _is_party(text: str, start: int, end: int) -> bool:
    """Whether a name is only that of a role in a contract: "the Tenant"."""
    role = text[start:end].removeprefix("The ").lower()
    definite = text.startswith("The ", start) or text[max(0, start - 4) : start].lower() == "the "
    return definite and role in vocabulary("party")


@lru_cache(maxsize=8192)
def date_alone(text: str) -> str:
    """The date that a line consists of, as over the entries of a diary; empty where it says anything else."""
    line = text.rstrip(".: ")
    match = _DATE.fullmatch(line) or _DAY.fullmatch(line)
    return match.group() if match else ""


@lru_cache(maxsize=4096)
def byline(title: str) -> str:
    """Whose work a page is about where its title says so: the Ada Finch of *Harbour (Ada Finch album)*."""
    match = _BYLINE.search(title)
    return match.group(1) if match and match.group(2) in vocabulary("work_nouns") else ""


_BYLINE = re.compile(r"\(([A-ZÀ-Þ][^()]*?) ([a-z]+)\)$")


def _nested(found: list[Candidate]) -> Callable[[Candidate], Candidate]:
    """Marks names and countries that are part of a longer name: the Finland of *Gulf of Finland*."""
    spans = [(c.start, c.end) for c in found if c.kind == "name"]

    def mark(c: Candidate) -> Candidate:
        inside = any(a <= c.start and c.end <= b and b - a > c.end - c.start for a, b in spans)
        return replace(c, inside=True) if inside and c.kind in ("name", "country") else c

    return mark


def _origin(text: str, match: re.Match[str]) -> str:
    after = text[match.end() : match.end() + 14].lower()
    if re.match(r"[- ]born\b| descent| ancestry| origin| heritage|-language", after):
        return "origin"
    joined = text[match.end() : match.end() + 1] in ("-", " ")
    second = country_pattern().match(text, match.end() + 1) if joined else None
    if second and country(second.group()) not in (second.group(), country(match.group())):
        return "origin"  # "a Greek American painter"
    following = re.match(r"\s+([a-z\-]+)", after)
    return "demonym" if following and following.group(1) not in FUNCTION_WORDS else ""


_BIRTH = re.compile(r"(?<!-)\b(?:born|birth|b\.|né|née|baptised|baptized)")
_DEATH = re.compile(r"\b(?:died|death|dies|d\.|killed|executed|murdered|assassinated|drowned|beheaded|passed away)")


def tells_life(text: str, role: str) -> bool:
    """Whether a text has a word for a birth or for a death, or the dates of a life; ``role`` is one of the two."""
    return (_BIRTH if role == "birth" else _DEATH).search(text) is not None or any(
        r == role for _, r in _life_roles(text)
    )


def _life_roles(text: str) -> list[tuple[int, str]]:
    """Where the sentence turns to a birth or a death: by its verbs, and by the dash between life dates."""
    marks = [(m.start(), "birth") for m in _BIRTH.finditer(text)] + [
        (m.start(), "death") for m in _DEATH.finditer(text)
    ]
    for match in re.finditer(r"\([^()]*\d{3,4}[^()]*\)", text[:400]):
        inside = match.group()
        marks.append((match.end(), ""))
        if (lived := _BORN_AND_DIED.match(inside)) is not None:
            marks.append((match.start() + lived.end(), "death"))
        if re.search(r"\b(?:born|died|film|song|album|TV|season)\b", inside[:12]):
            continue
        dash = _DASH.search(inside, _year_end(inside))
        if dash and match.start() < 160:
            marks += [(match.start(), "birth"), (match.start() + dash.start(), "death")]
        elif both := _TWO_DATES.match(inside):
            marks += [(match.start(), "birth"), (match.start() + both.end(1), "death")]
    return sorted(marks)


_DASH = re.compile(r"\s[–—-]\s|(?<=\d)\s?[–—-]\s?(?=[\dc?]|[A-Z])|(?<=\d)[–—-]|[–—]|(?<=\w)-\s")
_BORN_AND_DIED = re.compile(
    rf"\(born\b[^()–]{{1,60}}\d{{4}}\s?[–—-]\s?(?=(?:died |c\. )?(?:\d{{1,2}} )?(?:{_MONTH}|\d{{4}})\b)"
)
"""What stands before the date of a death in "(born Ada Finch, 1 June 1899 – 9 August 1970)"."""
_TWO_DATES = re.compile(
    rf"(\(\s?(?:[A-ZÀ-Þ][\w .]+, )?(?:{_MONTH} \d{{1,2}}, \d{{4}}|\d{{1,2}} {_MONTH} \d{{4}}))\s?"
    rf"(?:[A-ZÀ-Þ][\w .]+, )?(?:{_MONTH} \d{{1,2}}, \d{{4}}|\d{{1,2}} {_MONTH} \d{{4}})\)"
)
"""The dates of a life whose dash is lost."""


def _year_end(inside: str) -> int:
    """Where the first year of a parenthesis ends: a dash before it is one of names."""
    year = re.search(r"\d{3,4}", inside)
    return max(0, year.end() - 1) if year else 0


def _role(roles: list[tuple[int, str]], at: int) -> str:
    role = ""
    for start, name in roles:
        if start > at:
            break
        role = name
    return role


def _place_phrase(text: str) -> str:
    """The phrase up to what is no longer of it: "the shed behind the house", not "the shed until spring"."""
    words = text.split()
    end = next((i for i, w in enumerate(words) if i and w in FUNCTION_WORDS and w not in _WITHIN), len(words))
    while end > 1 and words[end - 1] in FUNCTION_WORDS:
        end -= 1
    return " ".join(words[:end]) if end > 1 else ""


_WITHIN = frozenset("of the a an in on at behind under beside near next to above below".split())


def _noun_phrase(text: str, least: int = 1) -> str:
    words: list[str] = []
    for word in text.split():
        if word in FUNCTION_WORDS or word in vocabulary("place", "words_before"):
            break
        words.append(word)
    verbal = bool(words) and (words[0].endswith(("ed", "ing", "ly")) or words[0] in vocabulary("verbs"))
    return "" if verbal or len(words) < least else " ".join(words)
