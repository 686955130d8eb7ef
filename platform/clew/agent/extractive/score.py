"""How well a candidate answers a hop: a linear sum of readable features with fixed weights.

Weights fitted on one corpus helped there and hurt elsewhere, so they are set by hand and kept round.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from clew.agent.extractive.between import (
    attached,
    identified,
    names_between,
    share_parent,
    text_between,
    words_between,
)
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.casting import asks_for, played_by, plays, role_words
from clew.agent.extractive.evidence import Evidence, Page, Sentence
from clew.agent.extractive.fit import gender_of, head_fit, is_name, type_fit, unit_wanted
from clew.agent.extractive.lexicon import Relation, country, country_forms, key, own_words, stem, vocabulary
from clew.agent.extractive.plan import Hop
from clew.ingest.names import FUNCTION_WORDS, without_parenthesis

WEIGHTS = {
    "subject_is_title": 2.0,
    "subject_in_sentence": 1.2,
    "subject_in_title": 0.8,
    "subject_absent": -3.0,
    "direct": 2.5,
    "family": 1.0,
    "inverse": 2.5,
    "type": 2.0,
    "role": 1.5,
    "gender": 2.0,
    "head": 1.2,
    "overlap": 1.0,
    "near": 0.8,
    "attached": 1.5,
    "plays": 4.0,
    "title": -1.0,
    "other": 2.0,
    "beside": 0.6,
    "rank": 0.8,
    "asked": 0.8,
    "lead": 0.3,
    "page": 0.3,
    "nested": -0.5,
    "self": -1.5,
    "uncued": -1.0,
    "unmet": -6.0,
}
"""What each feature is worth; features lie in −1 … 1."""


LOOSE = 0.75
"""What a cue such as *in* counts against one that says what the relation is."""

_MAKERS = frozenset("performer author director composer".split())
"""Relations whose value the title of a work may name."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a hop asks about, with what helps to recognise it: its key, and a hint which of several pages is meant.

    ``forms`` are the keys of its other names, for countries.
    """

    name: str
    key: str
    hint: str = ""
    forms: frozenset[str] = frozenset()

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
    return _title_match(subject, page.title, page.keys)


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
    """Where the sentence names the subject: its words, or its last name where the page is about it."""
    return _locate(subject, sentence.text, sentence.previous, is_title)


@lru_cache(maxsize=32_768)
def _locate(subject: Subject, text: str, previous: str, is_title: bool) -> tuple[int, int] | None:
    found = _find(subject.name, text) or _find(without_parenthesis(subject.name), text)
    if found:
        return found
    if form := subject.named_in(f" {key(text)} "):
        return _find(form.split()[-1], text, fold=True) or (0, 0)
    if previous and not is_title and f" {subject.key} " in f" {key(previous)} ":
        pronoun = re.match(r"(?:It|He|She|They|Its|His|Her|Their)\b", text)
        if pronoun:
            return pronoun.span()
    last = subject.key.split()[-1:] if " " in subject.key else []
    return _find(last[0], text, fold=True) if last and len(last[0]) > 3 and is_title else None


def _find(name: str, text: str, fold: bool = False) -> tuple[int, int] | None:
    match = re.search(r"(?<!\w)" + re.escape(name) + r"(?!\w)", key_aligned(text) if fold else text, re.IGNORECASE)
    return match.span() if match else None


@lru_cache(maxsize=8192)
def key_aligned(text: str) -> str:
    """The text with accents folded letter by letter, so that offsets stay those of the text."""
    return "".join((key(c) or c)[:1] if ord(c) > 127 else c for c in text)


def score(
    hop: Hop, subject: Subject, others: list[Subject], sentence: Sentence, c: Candidate, evidence: Evidence
) -> dict[str, float]:
    """The features of a candidate in a sentence; their weighted sum is its score (``total``)."""
    page = evidence.pages[key(sentence.title)]
    about = title_match(subject, page)
    at = locate(subject, sentence, about > 0.5)
    features = {"subject_is_title": about}
    if at or about > 0.9:
        features["subject_in_sentence"] = 1.0
    elif about < 0.5 and subject.named_in(page.folded):
        features["subject_in_title"] = 1.0
        about = 0.55
    elif about < 0.5:
        features["subject_absent"] = 1.0
    relation = hop.relation or own_words(content_stems(hop.template), hop.expects)
    if relation:
        gender = page.gender if about > 0.5 else ""
        agent = not relation.name and asks_agent(hop.template)
        features["direct"] = _direct(relation, sentence.text, c, at, about, gender, agent)
        features["inverse"] = _inverse(relation, sentence.text, c, at, about)
        if relation.name in ("sibling", "brother", "sister") and share_parent(sentence.text, c, at):
            features["direct"] = 1.0
        if relation.type == "person" and at and _POSSESSIVE.fullmatch(sentence.text[c.end : at[0]]):
            features["inverse"] = max(features["inverse"], OWNED)
        if relation.name in _MAKERS and (c.role == "byline" or (about > 0.9 and _OWN_WORK.match(sentence.text, c.end))):
            features["direct"] = 1.0
        if relation.name == "country" and c.role == "demonym" and about < 0.5:
            features["direct"] = 0.0  # whoever else the sentence speaks of is of that nationality
        if relation.role:
            other = c.role in ("birth", "death") and (c.role, relation.role) != ("death", "end")
            features["role"] = 1.0 if c.role == relation.role else -1.0 if other else 0.0
            if features["role"] > 0 and sentence.index == 0 and about > 0.9:
                features["role"] = 2.0  # the dates of a life, where a page begins
        cue = max(features["direct"], features["inverse"], features.get("role", 0.0))
        related = relation.name in _KIN and (at or about > 0.9) and _same_family(subject, c)
        if cue < 0.1 and related and not _OTHER_KIN.search(sentence.text, 0, c.start):
            features["family"] = cue = 1.0
        if cue < 0.1 and (hop.expects in ("person", "place", "cause") or not hop.relation):
            features["uncued"] = 1.0
    target = evidence.page(c.text)
    features["type"] = type_fit(hop.expects, c, sentence, target)
    if hop.expects == "number" and (unit := unit_wanted(hop.template.lower())):
        features["type"] = 1.0 if unit.search(c.text) else -3.0
    if hop.relation and hop.relation.gender:
        gender = gender_of(c.text, target)
        features["gender"] = 0.0 if not gender else 1.0 if gender == hop.relation.gender else -1.5
    if hop.head and hop.expects != "person":
        features["head"] = head_fit(hop.head, c, sentence, target)
    wanted = content_stems(hop.template)
    features["overlap"] = len(wanted & sentence.stems) / len(wanted) if wanted else 0.0
    # The words of a known relation may as well tell it the other way round; only its cues know the direction.
    features["near"] = 0.0 if hop.relation and "uncued" in features else _near(wanted, sentence.text, c)
    if hop.relation and hop.relation.name == "located" and c.inside and at and at[1]:
        features["direct"] = max(features["direct"], float(sentence.text[at[1] : c.start] in (" of ", " at ")))
    if hop.relation is None:
        features["attached"] = max(attached(sentence.text, c, at), identified(sentence.text, c, hop.template))
        features["title"] = 1.0 if c.end == 0 else 0.0
    named = dict(zip((*hop.slots, *hop.others), (subject.name, *(other.name for other in others)), strict=False))
    if hop.expects in ("person", "any") and (cast := asks_for(hop.template)):
        role = role_words(hop.template, tuple(named.items()))
        features["plays"] = played_by(sentence.text, c, at) if cast == "character" else plays(sentence.text, c, role)
        if features["plays"] < 0:
            features["direct"] = 0.0
    for other in others:
        found = other.named_in(sentence.folded) or title_match(other, page) > 0.5
        features["other"] = features.get("other", 0.0) + (1.0 if found else -0.5)
        features["beside"] = max(features.get("beside", 0.0), _beside(other, sentence.text, c))
    for number in re.findall(r"\b\d{3,4}\b", hop.template):
        features["unmet"] = features.get("unmet", 0.0) + (number not in f"{sentence.title} {sentence.text}")
    features["rank"] = max((1 / (1 + 0.5 * rank) for rank in sentence.ranks.values()), default=0.0)
    if (own := sentence.ranks.get(hop.text(named))) is not None:
        features["asked"] = 1 / (1 + 0.5 * own)
    features["lead"] = 1.0 if sentence.index == 0 else 0.0
    features["page"] = 1.0 if target else 0.0
    if c.inside:
        features["nested"] = 1.0
    if (
        c.text.isupper()
        and _ABBREVIATED.search(sentence.text, 0, c.start)
        and hop.head not in ("acronym", "abbreviation")
    ):
        features["self"] = 1.0  # "the Olympic Committee (OC)": the long form stands before it
    if c.end == 0 and hop.expects in ("person", "agent", "organisation", "place") and not is_name(c.text):
        features["self"] = 1.0  # "Household income in the United States" names nobody
    if hop.head and key(c.text) == hop.head:
        features["self"] = 1.0  # the label of a column: "Island: Tarrock"
    if at and about > 0.9 and text_between(sentence.text, at[1], c.start) == "(" and c.kind == "name":
        features["self"] = 1.0  # another spelling of the subject
    if about > 0.9 and c.start == 0 < c.end and sentence.index == 0 and c.kind == "name":
        features["self"] = 1.0
    return features


def total(features: dict[str, float]) -> float:
    """The weighted sum of features."""
    return sum(WEIGHTS[name] * value for name, value in features.items())


@lru_cache(maxsize=4096)
def content_stems(template: str) -> frozenset[str]:
    """Stems of a sub-question's own words, without names and function words."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"\{\d+\}", " ", template).lower())
    return frozenset(stem(w) for w in words if w not in FUNCTION_WORDS and w not in ("s", "many", "much", "name"))


@lru_cache(maxsize=1024)
def asks_agent(template: str) -> bool:
    """Whether a sub-question asks who does what its verb says: "who won X", "the team that won X"."""
    return _AGENT.search(template.lower()) is not None


_AGENT = re.compile(
    r"\b(?:who|that|which) (?:has |have |had |also |first )*"
    r"(?!(?:is|was|are|were|did|does|do|can|could|would|will|has|have|had|be|been|the|an?|of|in|on|at|to|from)\b)"
    r"[a-z]+ "
)


@lru_cache(maxsize=32_768)
def _direct(
    relation: Relation, text: str, c: Candidate, at: tuple[int, int] | None, about: float, gender: str, agent: bool
) -> float:
    """A cue before the candidate, decaying with the words and the names in between.

    Where the ``agent`` of a verb is sought, only its passive leads to the candidate.
    """
    if relation.direct is None:
        return 0.0
    best = 0.0
    lowered = text.lower()
    for match in relation.direct.finditer(lowered):
        if match.end() > c.start:
            break
        if _told_from_value(relation, lowered, match, at) or _of_other_gender(match.group(), gender):
            continue
        if at and at[0] < match.end() and match.start() < at[1]:
            continue  # a word of the subject's own name: the *river* of "the Orange River"
        inside = not relation.name or match.group() in vocabulary("place")
        if inside and match.start() and text[match.start()].isupper():
            continue  # a word of the question, or a kind of place, inside of a name
        if agent and not match.group().endswith((" by", " of")):
            continue  # "who won X": the winner stands before the verb
        if match.group() == "by" and _BY_OTHERS.search(lowered, 0, match.start()):
            continue
        words = words_between(text, match.end(), c.start)
        value = math.exp(-words / 5) * 0.6 ** names_between(text, match.end(), c.start)
        value *= LOOSE if match.group() in _LOOSE else 1.0
        if re.search(r"[;]|\. [A-Z]", text[match.end() : c.start]):
            value *= 0.5
        # "X married Y, daughter of Z": a name next to the cue, not X, may be whom the cue speaks of.
        owner = at[1] if at and at[1] <= match.start() else 0
        if re.search(r"[A-ZÀ-Þ][\w’'\-]+\s?(?:\([^()]*\))?,?\s(?:the\s|a\s)?$", text[owner : match.start()]) and owner:
            value *= 0.6
        if at and at[0] >= c.end and about < 0.5:
            value *= 0.4
        best = max(best, value)
    return best if at or about > (0.6 if relation.type == "person" else 0.5) else 0.3 * best


_LOOSE = frozenset("in on at of from with and as near for under after through into".split())
"""Words that join almost anything."""


OWNED = 0.8
"""How far a possessive says that a person made or leads what follows: "Avicenna's Canon of Medicine"."""
_POSSESSIVE = re.compile(r"(?:['’´`]s|(?<=s)['’]) (?:the |[a-z]+ )?[\"“]?")
_KIN = frozenset("father mother parent child son daughter sibling brother sister uncle grandchild grandfather".split())
"""Relations between people who often have a family name in common."""


_OTHER_KIN = re.compile(
    r"(?:son|daughter|father|mother|brother|sister|wife|husband|nephew|niece|uncle|aunt|cousin)s?(?: of)?,? $"
)


def _same_family(subject: Subject, c: Candidate) -> bool:
    """Whether two people have the last name in common and not the first."""
    ours, theirs = subject.key.split(), key(c.text).split()
    if c.kind != "name" or len(ours) < 2 or not 1 < len(theirs) < 5 or theirs[0] in vocabulary("person", "titles"):
        return False
    return ours[-1] == theirs[-1] and ours[0] != theirs[0]


_OWN_WORK = re.compile(
    r"(?:['’]s?) (?:[\w\-]+ ){0,4}(?:album|single|song|film|novel|book|play|opera|poem|ep|record|painting|symphony)\b"
)
"""What follows a maker's name where a page says whose work its subject is: "is Ada Finch's second album"."""
_ABBREVIATED = re.compile(r"[A-ZÀ-Þ][\w\-’']* \($")
_BY_OTHERS = re.compile(r"(?:\w{3,}ed|written|sung|made|held|led|seen) $")
"""What turns a bare *by* to another relation: "produced by" says nothing of the performer."""


def _told_from_value(relation: Relation, lowered: str, match: re.Match[str], at: tuple[int, int] | None) -> bool:
    """Whether the cue is the inverse one: "the father of Z" leads to a child, unless Z is the subject itself."""
    inverse = relation.inverse
    longer = inverse.match(lowered, match.start()) if inverse else None
    if longer is None or longer.end() <= match.end():
        return False
    return not (at and 0 <= at[0] - match.end() <= 24)


_FEMALE = re.compile(r"\b(?:daughter|wife|sister|mother|widow|queen|empress|niece|granddaughter)\b")
_MALE = re.compile(r"\b(?:son|husband|brother|father|widower|nephew|grandson)\b")


def _of_other_gender(cue: str, gender: str) -> bool:
    """Whether a cue such as *daughter of* cannot be about the subject; only those with *of* tell whose gender it is."""
    if not gender or not cue.endswith(" of"):
        return False
    return bool((_FEMALE if gender == "m" else _MALE).search(cue))


@lru_cache(maxsize=32_768)
def _inverse(relation: Relation, text: str, c: Candidate, at: tuple[int, int] | None, about: float) -> float:
    """A cue between the candidate and the subject: "Y directed X", or a page about Y that says so of X."""
    if relation.inverse is None or not (at or about > 0.9) or (about > 0.9 and c.kind != "number"):
        return 0.0
    best = 0.0
    for match in relation.inverse.finditer(text.lower()):
        if c.kind == "number" and 0 <= match.start() - c.end <= 2:
            return 1.0
        if not at or match.start() < c.end or match.end() > at[0] + 1:
            continue
        near = math.exp(-words_between(text, match.end(), at[0]) / 5)
        lead = 1.0 if c.start == 0 else math.exp(-words_between(text, c.end, match.start()) / 8)
        names = names_between(text, c.end, match.start())
        best = max(best, near * lead * 0.6**names)
    return best


def _beside(other: Subject, text: str, c: Candidate) -> float:
    """How close the candidate stands to another name of the question."""
    at = _find(other.name, text)
    if at is None or country(other.name):
        return 0.0
    first, last = sorted([at, (c.start, c.end)])
    apart = re.search(r"[,;] | and ", text[first[1] : last[0]]) is not None
    return math.exp(-words_between(text, first[1], last[0]) / 5) * (0.6 if apart else 1.0)


@lru_cache(maxsize=32_768)
def _near(wanted: frozenset[str], text: str, c: Candidate) -> float:
    """How close the sub-question's own words stand to the candidate."""
    best = 0.0
    for match in re.finditer(r"[^\W\d_]+", text):
        if stem(match.group()) in wanted and not (c.start <= match.start() < c.end):
            gap = (
                words_between(text, match.end(), c.start)
                if match.end() <= c.start
                else words_between(text, c.end, match.start())
            )
            best = max(best, math.exp(-gap / 6))
    return best
