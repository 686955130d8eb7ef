"""How well a candidate suits what is asked for: its type, its gender, the head noun of the question."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

from clew.agent.extractive.answer_types import ANY, CLOSED, KIND
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.evidence import Page, Sentence
from clew.agent.extractive.lexicon import (
    country,
    country_pattern,
    first_names,
    head_types,
    key,
    kinds,
    stem,
    vocabulary,
)
from clew.agent.extractive.places import SETTLED, is_parliament, made_by_people, may_be_of
from clew.text.names import FUNCTION_WORDS
from clew.text.subject import is_sort

COUNTRY_HEADS = frozenset(
    "country nation place location nationality citizenship kingdom empire language state birthplace".split()
)
"""Head nouns that a country can answer."""
REASONED = 0.7
"""Fit of a clause with *because* to a question with *why*."""
TOLD = 1.0
"""Fit of what follows the very words of the question: it may be of any type."""
SELDOM = -4.0
"""Fit of a country to *who*, which only what states do makes better."""
A_POWER = 0.5
"""Fit of a country to "who invaded X"."""
IMPOSSIBLE = -9.0
"""Fit of a candidate that cannot be of the type sought, such as a date where a place is asked for."""
LISTED = 1.2
"""Fit of a state to "which state": hardly anything else can be it."""
OTHER_KIND = -2.0
"""Fit of a name that says that its bearer is of another kind than the place sought."""


_PHRASE = frozenset("to a an in on at for with my your is are was and or not it you we".split())
"""Words that titles of works have inside, and names of people do not."""
_QUOTES = ('"', "“", "”", "``", "''")
_IN_TOWNS = frozenset("hill hills park point fort".split())
"""Kinds of places that names of towns have inside as well."""
PARTISAN = 2.5
"""Fit of an adjective to "which party": "a *Republican* member of the council"."""
SURELY = 0.6
"""Likeness to another type from which it counts in full: a known first name, say, where an organisation is sought."""
_MONEY = re.compile(r"[$€£₹¥]|\b(?:euros?|pounds?|dollars?|pence|cents|francs|crowns|kroner|lire?|marks|rupees)\b")
PERCENT = re.compile(r"%|\bper ?cent\b")
_DURATION = re.compile(r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?)\b")
_AGE = re.compile(r"^(?!.*\b(?:seconds?|minutes?|hours?)\b)(?!.*\d{4})")
_LENGTH = re.compile(
    r"(?<![^\W\d])(?:(?:kilo|centi|milli)?met(?:re|er)s?|km|cm|mm|m|miles?|feet|foot|ft|inch(?:es)?|yards?|fathoms?)\b"
)
_WEIGHT = re.compile(
    r"(?<![^\W\d])(?:kg|kilo(?:gram)?s?|grams?|g|tons?|tonnes?|pounds?|lbs?|ounces?|stone|hundredweight)\b"
)
_NAMED_UNIT = re.compile(r"\b(?:in|how many) (square )?([a-z]{2,})\b")
_UNIT_FORMS = (
    "miles?",
    "(?:kilomet(?:re|er)s?|km)",
    "(?:met(?:re|er)s?|m)",
    "(?:feet|foot|ft)",
    "inch(?:es)?",
    "acres?",
    "hectares?",
    "years?",
    "months?",
    "weeks?",
    "days?",
    "hours?",
    "minutes?",
)
_OF_MONEY = re.compile(
    r"\b(?:price|cost|costs|rent|fee|salary|wage|deposit|budget|fare"
    r"|income|revenues?|earnings|endowment|profits?)\b"
    r"|\bhow much (?:does|do|did|is|was)\b"
)


_FORMS = (
    (re.compile(r"\be-?mail\b"), re.compile(r"@")),
    (re.compile(r"\b(?:web ?site|web address|url)\b"), re.compile(r"\w\.\w")),
)
"""What a question in lower case asks for, and what its answer must have in it."""


@lru_cache(maxsize=1024)
def form_wanted(question: str) -> re.Pattern[str] | None:
    """What an answer must have in it to be an address, where a lower-case question asks for one."""
    return next((form for asked, form in _FORMS if asked.search(question)), None)


@lru_cache(maxsize=1024)
def unit_wanted(question: str) -> re.Pattern[str] | None:
    """What a number must be told in to answer a lower-case question, such as money; None where anything may do."""
    if _OF_MONEY.search(question) and " weigh" not in question:
        return _MONEY
    if re.search(r"\bpercent(?:age)?\b|\bper cent\b", question):
        return PERCENT
    if named := next(filter(None, map(_in_unit, _NAMED_UNIT.findall(question))), None):
        return named
    if re.search(r"\bhow (?:tall|high|wide|deep|far|broad|thick)\b", question):
        return _LENGTH
    if re.search(r"\bhow (?:heavy\b|much (?:does|do|did)\b.* weigh\b)", question):
        return _WEIGHT
    if re.search(r"\bhow old\b", question):
        return _AGE
    return _DURATION if re.search(r"\bhow long (?:does|do|did)\b", question) else None


def is_measure(number: str) -> bool:
    """Whether a number is one of money, time, length or weight, which counts no things: "four weeks"."""
    return any(unit.search(number) for unit in (_MONEY, _DURATION, _LENGTH, _WEIGHT))


def _in_unit(named: tuple[str, str]) -> re.Pattern[str] | None:
    """A number in the unit that a question names: "how many miles", "in square feet"; None where it names none."""
    square, word = named
    form = next((form for form in _UNIT_FORMS if re.fullmatch(form, word)), None)
    if form is None:
        return None
    return re.compile(
        rf"\b(?:square|sq) {form}|{form}[²2]" if square else rf"(?<!square )(?<!sq )(?<![^\W\d]){form}(?![\w²])"
    )


def type_fit(wanted: str, c: Candidate, sentence: Sentence, target: Page | None) -> float:
    """Whether a candidate is of the type that is sought, −1 … 1."""
    if wanted == "date" and c.role == "frequency":
        return 0.0
    if wanted == "date":
        return IMPOSSIBLE if c.kind != "date" else {"time": 0.0, "day": 0.3}.get(c.role, 1.0)
    if wanted == "time":
        return 1.0 if c.role == "time" else IMPOSSIBLE
    if wanted == KIND:
        return {"kind": 1.0, "common": 0.0}.get(c.role, -0.3 if c.kind == "name" else IMPOSSIBLE)
    if c.role == "frequency":
        return -0.5 if wanted == "number" else IMPOSSIBLE
    if wanted == "number":
        return 1.0 if c.kind == "number" or c.role == "number" else IMPOSSIBLE
    if c.kind in ("date", "number"):
        return 0.2 if wanted == ANY else IMPOSSIBLE
    if wanted in ("named", "event"):
        if c.kind not in ("name", "country") or c.role == "demonym":
            return IMPOSSIBLE
        happens = _listed(key(c.text).split(), "events", "competitions")
        return 0.3 if wanted == "named" else 1.0 if happens else -0.3
    if wanted == "language" and c.role == "language":
        return 1.0
    if wanted in ("country", "language"):
        return _country_fit(wanted, c, sentence)
    if c.role in ("reason", "spot"):
        return {("reason", "cause"): REASONED, ("spot", "place"): 0.0}.get((c.role, wanted), IMPOSSIBLE)
    if wanted in CLOSED:
        called = c.kind == "name" and wanted in ("sport", "religion")
        common = c.role == "common" and wanted != "colour"  # of colours, the list has all
        return 1.0 if c.role == wanted else -0.3 if called else -1.0 if common else IMPOSSIBLE
    if wanted == "thing":
        return IMPOSSIBLE if c.kind != "name" else 0.5 if target and target.kind in ("", "work") else 0.0
    if c.role == "complement":
        return TOLD
    if c.role == "party":
        return 0.5 if wanted in ("person", "agent", "organisation") else IMPOSSIBLE
    if c.kind == "term":
        fits = c.nameless and wanted in ("common", ANY)
        return (0.3 if wanted == "common" else 0.0) if fits else IMPOSSIBLE
    if wanted == "agent" and c.kind == "country" and not c.role:
        return SELDOM
    if wanted in ("person", "agent") and (c.kind == "country" or _is_office(c.text)):
        return IMPOSSIBLE
    unknown = wanted in ("person", "agent", "organisation", "place") and target is None
    if unknown and (_CODE.fullmatch(c.text) or key(c.text) in vocabulary("no_names")):
        return IMPOSSIBLE
    if wanted == "person" and country(c.text.removeprefix("The ")):
        return IMPOSSIBLE
    if wanted == "organisation" and c.kind == "country" and c.role:
        return -1.0  # an adjective
    if wanted == ANY:
        return -1.5 if c.role == "demonym" else 0.3
    if wanted == "award":
        lowered = set(key(c.text).split())
        described = target is not None and any(map(target.described_as, vocabulary("award")))
        return 1.0 if described or lowered & vocabulary("award") else -0.7
    kind = target.kind if target else ""
    if wanted == "agent":
        return max(_name_fit(one, c, sentence.text, kind) for one in ("person", "organisation"))
    return _name_fit(wanted, c, sentence.text, kind)


def _listed(words: Collection[str], *sections: str) -> bool:
    """Whether any of the words stands on one of the lists."""
    return any(not vocabulary(section).isdisjoint(words) for section in sections)


def of_a_power(fit: float, template: str) -> float:
    """The fit of a country to *who*, where a sub-question asks for a deed of states: "who invaded X"."""
    return A_POWER if fit == SELDOM and not vocabulary("powers").isdisjoint(template.split()) else fit


SHORT = 3
"""Letters of a word that may join names in any language: *de*, *von*, *bin*."""


def is_name(title: str) -> bool:
    """Whether a title is a name, no description: neither "Minutes of the committee" nor a line of capitals is one."""
    if len(_SHOUTED.findall(title)) >= SHOUTED or title.split(" ", 1)[0].lower() in vocabulary("documents"):
        return False
    words = [w for w in re.findall(r"[^\W\d_]+", title) if len(w) > SHORT and w.lower() not in FUNCTION_WORDS]
    return not is_sort(title) and (all(w[0].isupper() for w in words) or len(words) == 1)


SHOUTED = 3
"""Words in capitals that make a line of capitals: "POLICE PRESS RELEASE"."""
_SHOUTED = re.compile(r"\b[A-ZÀ-Þ]{2,}\b")


_CODE = re.compile(r"[A-Z]{1,3}-?\d[\w-]*")
"""A code or the type of a machine: *E01*, *DP-40*."""


def _is_office(name: str) -> bool:
    """Whether a name is only that of a rank or an office: *Leader of the Opposition*."""
    return set(key(name).split()) - vocabulary("person", "titles") <= vocabulary("office")


def _country_fit(wanted: str, c: Candidate, sentence: Sentence) -> float:
    if c.kind == "country":
        if wanted == "language" and country(c.text) == c.text:
            return IMPOSSIBLE  # a country's own name, which its language does not share
        if c.role == "origin":
            return -1.0 if c.inside else 0.0
        return -0.2 if c.inside else 1.0 if c.role == "demonym" else 0.6
    if c.kind != "name":
        return IMPOSSIBLE
    after = sentence.text[c.end :].lower().split()[:1]
    if country_pattern().search(c.text):
        return -1.2  # "a United States Army soldier"
    if wanted == "country" and after and after[0].strip(",.") in vocabulary("person", "nouns"):
        return 0.5
    return -1.2


@lru_cache(maxsize=32_768)
def _name_fit(wanted: str, c: Candidate, text: str, kind: str) -> float:
    words = c.text.lower().replace(",", "").split()
    before = text[max(0, c.start - 30) : c.start].lower().split()[-1:]
    after_preposition = bool(before) and before[0] in vocabulary("place", "words_before")
    likeness = {
        "person": _person_likeness(words, c, after_preposition),
        "place": _place_likeness(words, c, text, after_preposition),
        "organisation": _organisation_likeness(words, c),
        "work": 0.2,
    }
    fit = likeness.get(wanted, 0.0)
    if _LISTING.match(c.text) or set(words) <= vocabulary("adjectives"):
        fit -= 1.0
    if wanted != "work" and _is_quoted(text, c):
        fit -= 0.7  # what stands in quotation marks is a title
    after = _LOWER_AFTER.match(text, c.end)
    if after and (after.group(1) in vocabulary("work_nouns") or after.group(1) in vocabulary("person", "nouns")):
        fit -= 0.7
    if kind:
        fit += 0.6 if kind == wanted else -0.9
    elif apposed := _apposed_type(text, c):
        fit += 0.4 if apposed == wanted else -0.6
    elif wanted == "person" and likeness["person"] > -0.5 and _WHO.match(text, c.end):
        fit = max(fit, KNOWN)
    else:
        rival = max(v for k, v in likeness.items() if k not in (wanted, "work"))
        fit -= max(0.0, rival if rival > SURELY else 0.5 * rival)
    return max(-1.0, min(1.0, fit))


def _is_quoted(text: str, c: Candidate) -> bool:
    """Whether a name is a title in quotation marks, or a part of one: the Crazy of "Crazy in Love"."""
    if (
        text[max(0, c.start - 2) : c.start].strip() in _QUOTES
        and text[c.end : c.end + 3].strip()[:2].rstrip(" ,.") in _QUOTES
    ):
        return True
    if not _CLOSED.match(text, c.end):
        return False
    opened = _OPENED.search(text, 0, c.start)
    return opened is not None and len(opened.group(1)) < TITLE


TITLE = 30
"""Characters of a title before a name that is a part of it, at most."""
_OPENED = re.compile(r"(?:^|[\s(])[\"“]([^\"“”\s][^\"“”]*|)$")
_CLOSED = re.compile(r"[^\"“”.;]{0,30}[\"”](?!\w)")


def _apposed_type(text: str, c: Candidate) -> str:
    """What the noun beside a name says that it is: "the rapper X", "X, a Dutch painter"; empty where there is none."""
    before = _NOUN_BEFORE.search(text, max(0, c.start - LONGEST_NOUN), c.start)
    after = _APPOSED.match(text, c.end)
    nouns = [*before.groups()] if before else []
    nouns += after.group(1).split() if after else []
    return next((kind for noun in nouns if (kind := _named_by(noun))), "")


def _named_by(noun: str) -> str:
    """The type of what such a noun names, empty where it may be any."""
    kind = head_types().get(noun, "")
    return kind if kind in ("person", "place", "organisation", "work") else ""


LONGEST_NOUN = 20
"""Letters of a noun before a name, at most."""
_NOUN_BEFORE = re.compile(r"([a-z]+) $")
KNOWN = 0.7
"""Fit of somebody who can only be a person."""
_WHO = re.compile(r",? whom?\b|,? whose (?:mother|father|wife|husband|career)| \((?:born|b\.|née) | \(\d{4}[–-]\d{4}\)")
_APPOSED = re.compile(r", an? ((?:[\w-]+ ){0,5}[\w-]+)")


def _organisation_likeness(words: list[str], c: Candidate) -> float:
    if "of" in words and words[words[0] == "the"] in vocabulary("office"):
        return -0.6  # "President of the Olympic Committee"
    if vocabulary("competitions") & set(words):
        return 0.0
    if vocabulary("award") & set(words[-1:]):
        return -0.5  # "Academy Award"
    if vocabulary("organisation") & set(words):
        return 0.7
    return 0.3 if c.text.isupper() and len(words) == 1 else -0.1


def _is_placed(name: str) -> bool:
    """Whether a name has that of its region behind it, and no rank: "Torp, Northern Bub"."""
    tail = name.partition(", ")[2].lower().replace(".", "").split()
    ranked = bool(tail) and (tail[0] in _RANKS or tail[0] in vocabulary("person", "titles"))
    return bool(tail) and tail[0][0].isalpha() and not ranked and len(tail) < SHORT


_RANKS = frozenset("the jr sr baronet holy grand lord".split())


def _is_contest(words: list[str]) -> bool:
    """Whether a name is that of a contest or of what is won in one: "Northern Cup", "Silver Bowls", "Reed Award"."""
    while len(words) > 1 and _NUMERAL.fullmatch(words[-1]):
        words = words[:-1]
    return _listed((words[-1], words[-1].removesuffix("s")), "competitions", "award")


_NUMERAL = re.compile(r"[ivxlcdm]+|\d+")
_LOWER_AFTER = re.compile(r"\s(?:co-|ex-|vice-)?([a-z]+)")
_LISTING = re.compile(r"(?:List|History|Timeline|Outline|Index|Discography|Filmography) of\b")
"""Titles of pages that only collect what belongs together."""


def _person_likeness(words: list[str], c: Candidate, after_preposition: bool) -> float:
    if c.kind == "country" or country(c.text):
        return -1.0
    if c.text.isupper() and len(words) == 1 and len(c.text) > 2:
        return -0.8  # an acronym
    if (
        words[0] == "the"
        or vocabulary("events") & set(words)
        or _is_contest(words)
        or not is_name(c.text.split(",")[0])
    ):
        return -0.8  # "The Baltimore Sun", "World War II", "Muslim world"
    if _PHRASE & set(c.text.split(",")[0].lower().split()):
        return -0.8  # "To Kill a Mockingbird"
    if len(words) > 1 and (country(words[0]) not in (None, c.text.split()[0]) or any(w.isdigit() for w in words)):
        return -0.7  # "Italian Renaissance", "Route 66"
    titles = vocabulary("person", "titles")
    if len(words) > 1 and words[0] in titles and country(" ".join(words[1:])):
        return -0.7  # "Captain America"
    words = [words[0].rstrip("."), *words[1:]]
    if words[0] in titles and (len(words) == 1 or words[1] in ("of", "consort")):
        return -0.8
    value = 0.3 if 2 <= len(c.text.split(",")[0].split()) <= 4 else -0.1
    if words[0] in titles or "," in c.text:
        value += 0.4
    if _is_placed(c.text):
        value -= 1.2
    if key(words[0]) in first_names():
        value += 0.4
    if _listed(words, "organisation", "place", "bodies", "realms") and words[0] not in titles:
        value -= 0.8
    return value - (0.5 if after_preposition else 0.0)


def _place_likeness(words: list[str], c: Candidate, text: str, after_preposition: bool) -> float:
    value = 0.5 if c.kind == "country" and not c.role else 0.0
    if "of" in words[1:] and (
        words[0] in ("house", "dynasty") or not vocabulary("office").isdisjoint(words[: words.index("of", 1)])
    ):
        value -= 1.2  # "Governor of Fife", "House of Lorne"
    if _listed(words, "bodies", "events"):
        value -= 1.2
    if any(w.isdigit() for w in words):
        value -= 0.5
    people = c.text.endswith("ns") and country(c.text[:-1])
    if c.role in ("demonym", "origin") or people:
        return -1.2
    if (
        words[-1] in vocabulary("place")
        or (len(words) > 1 and words[-1] in vocabulary("areas"))
        or words[0] in vocabulary("place")
        or words[0] in ("st.", "san", "mount", "fort")
    ):
        value += 0.5
    if after_preposition:
        value += 0.5
    if re.match(r",\s[A-ZÀ-Þ]", text[c.end :]):
        value += 0.25
    if words[0] in vocabulary("person", "titles"):
        value -= 0.6
    if len(words) > 1 and words[-1] not in vocabulary("place") and key(words[0]) in first_names():
        value -= 0.5  # not "Henry County"
    return value


def gender_of(name: str, target: Page | None) -> str:
    """``m`` or ``f``: by words such as King or Queen in the name, by the pronouns of its page, by the first name."""
    words = key(name).split()
    for word in words:
        for gender in ("m", "f"):
            if word in vocabulary("gender", gender) and (word != "king" or words[0] in ("king", "high")):
                return gender
    if target and target.gender and target.kind == "person":
        return target.gender
    first = words[0] if words else ""
    if first in vocabulary("gender", "male_names"):
        return "m"
    return "f" if first in vocabulary("gender", "female_names") else ""


def _of_kind(name: str, noun: str) -> bool:
    """Whether a name says that its bearer is such a thing: "Brown County", "County of Brown", not "County Road 3"."""
    words = key(name.split(",")[0]).removeprefix("the ").split()
    if not words:
        return False
    led = stem(words[0]) == noun and words[0] in ("river", "lake", "mount", "isle", "team")
    whose = any(stem(word) == noun and after == "of" for word, after in pairwise(words))  # "Civic Party of Lorland"
    return stem(words[-1]) == noun or led or whose


def _last(name: str) -> str:
    """The last word of a name in lower case, which may have none that is written in letters."""
    return key(name).rpartition(" ")[2]


def head_fit(head: str, c: Candidate, sentence: Sentence, target: Page | None) -> float:
    """Whether the candidate is said to be the head noun of the question: "which *island*"."""
    noun = stem(head.split()[-1])
    if head in ("place", "location"):
        return 0.0
    if head == "day":
        return 1.0 if c.role in ("day", "frequency") or " " in c.text.strip() else -1.0
    if head in ("state", "province", "continent") and noun not in key(c.text).split():
        listed = c.text.lower().replace("-", " ") in vocabulary("regions", head)
        if not listed and _listed([_last(c.text)], "nature", "built"):
            return OTHER_KIND
        return LISTED if listed else -2.0 if c.kind == "country" else -1.0 if head != "province" else -0.3
    if not may_be_of(head, c.text):
        return -1.0
    if c.kind == "country" and head.split(" ")[0] not in COUNTRY_HEADS:
        return -1.0 if head in ("island", "region", "area", "continent") else -2.5
    label = sentence.text[: c.start].rstrip()
    if label.endswith(":") and stem(label[:-1].split()[-1] if label[:-1].split() else "") == noun:
        return 1.0
    words = set(key(c.text).split())
    if head == "jurisdiction" and _listed([_last(c.text)], "nature", "built"):
        return OTHER_KIND
    if head == "party" and (_last(c.text.split(" of ")[0]) not in kinds()[head] or is_parliament(c.text)):
        return -0.5  # "Liberal Member of Parliament"
    if head == "party" and words <= vocabulary("adjectives"):
        return PARTISAN
    if head in SETTLED and (words - {head} - _IN_TOWNS) & vocabulary("place"):
        return 0.7 if _of_kind(c.text, noun) else OTHER_KIND  # "Rocky Mountains" is no city
    if head in kinds():
        return 1.0 if words & kinds()[head] else OTHER_KIND if made_by_people(head, words, _last(c.text)) else -0.5
    if head in ("team", "club", "side") and words & vocabulary("competitions"):
        return -1.0
    if head in ("acronym", "abbreviation"):
        return 1.0 if c.text.removeprefix("The ").isupper() else -0.5
    if noun in {stem(w) for w in words}:
        return 0.7 if _of_kind(c.text, noun) else 0.0
    if target is not None and target.described_as(head):
        return 1.0
    if head in vocabulary("named_kinds") and (target is None or target.kind):
        return -0.5
    around = sentence.text[max(0, c.start - 24) : c.start] + " " + sentence.text[c.end : c.end + 16]
    return 0.5 if noun in {stem(w) for w in re.findall(r"\w+", around.lower())} else 0.0
