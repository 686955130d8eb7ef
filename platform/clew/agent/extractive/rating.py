"""A sentence's candidates for a hop with their scores, kept from one turn to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.agent.extractive.answer_types import ANY, KIND, PHRASED
from clew.agent.extractive.candidates import Candidate, byline, date_alone
from clew.agent.extractive.evidence import Evidence, Sentence, is_file_name
from clew.agent.extractive.fit import IMPOSSIBLE, gender_of, is_name, type_fit
from clew.agent.extractive.lexicon import country, head_types, key, stem, vocabulary
from clew.agent.extractive.noun_phrases import with_phrases
from clew.agent.extractive.occasions import NUMBER
from clew.agent.extractive.persons import abbreviates, leaves_out
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.reading import WEIGHTS as PLAIN_WEIGHTS
from clew.agent.extractive.reading import points as worth
from clew.agent.extractive.reading import read
from clew.agent.extractive.score import WEIGHTS, score, total
from clew.agent.extractive.setting import Setting, content_stems, named_in_slots, setting
from clew.agent.extractive.subject import Subject, title_match
from clew.agent.extractive.told import (
    apposed,
    complements,
    disciplines,
    fields,
    numbered,
    occurrences,
    of_kind,
    purposes,
    spans,
)
from clew.agent.extractive.unsaid import unsaid
from clew.text.names import without_parenthesis

KEPT = 8192
"""Sentences whose reading for a hop is kept from one turn to the next."""
_kept: dict[tuple[object, ...], tuple[Rated, ...]] = {}


@dataclass(frozen=True, slots=True)
class Rated:
    """A candidate of a sentence for a hop: its name as compared, its score, and what ``Found`` tells of it."""

    name: str
    candidate: Candidate
    points: float
    cued: bool
    unsaid: bool


def rate(
    hop: Hop, subject: Subject | None, others: tuple[Subject, ...], sentence: Sentence, evidence: Evidence
) -> tuple[Rated, ...]:
    """A sentence's candidates for a hop with their scores, but for what its rank among facts is worth (``by_rank``).

    The policy works everything out anew each turn, and most sentences are those of the turn before, so what was read
    off one is kept under all that it rests on. Its ranks among the facts of other queries change most often.
    """
    query = hop.text(named_in_slots(hop, subject, others)) if subject else ""
    at = (
        hop,
        subject,
        others,
        evidence.identity(sentence),
        sentence.ranks.get(query),
        sentence.similar.get(query),
        evidence.page_of(sentence).stems if subject is None or NUMBER.search(hop.template) else None,
        gender_of(subject.name, evidence.page(subject.name)) if subject else None,
    )
    if (known := _kept.get(at)) is not None:
        return known
    here: Setting | None = None
    found = []
    for candidate in _candidates(hop, sentence, subject, others, evidence):
        fit = type_fit(hop.expects, candidate, sentence, None)
        if fit <= IMPOSSIBLE:
            continue
        name = bare(candidate.text)
        if candidate.role == "spot" and hop.head in head_types():
            continue  # "on which island" wants its name
        if not name or (same(name, subject) and not is_seat(name, subject, hop)):
            continue
        if candidate.nameless and hop.head != "unit" and candidate.text.lower() in vocabulary("light_nouns"):
            continue  # how much or which part of what, without what
        if candidate.role == "party" and _asks_party(hop):
            continue
        if candidate.role == "frequency" and hop.expects == "date" and not _HABITUAL.match(hop.template.lower()):
            continue
        if subject and here is None:
            here = setting(hop, subject, others, sentence, evidence)
        features = score(here, candidate, evidence, fit) if here else read(hop, sentence, candidate, evidence)
        if features:
            points = total(features) if here else worth(features)
            silent = here is not None and unsaid(here, candidate, features)
            found.append(Rated(name, candidate, points, "uncued" not in features, silent))
    if len(_kept) >= KEPT:
        _kept.clear()
    return _kept.setdefault(at, tuple(found))


def by_rank(subject: Subject | None, sentence: Sentence) -> float:
    """What a sentence's best rank among the facts of any query is worth."""
    return (WEIGHTS if subject else PLAIN_WEIGHTS)["rank"] * sentence.standing


def is_seat(name: str, subject: Subject | None, hop: Hop) -> bool:
    """Whether a part of a region's name may be its capital: Torp of the Torp Region."""
    capital = hop.relation is not None and hop.relation.name == "capital"
    return capital and subject is not None and name != subject.key and subject.key.startswith(f"{name} ")


def _asks_party(hop: Hop) -> bool:
    """Whether a hop asks who plays a part, which the name of another part does not say: "who is the landlord"."""
    return hop.head in vocabulary("party") or any(word in vocabulary("party") for word in _WHO_IS.findall(hop.template))


_WHO_IS = re.compile(r"^[Ww]ho (?:is|was|are|were) the ([a-z]+)")
_HABITUAL = re.compile(r"(?:when|(?:on |at |in )?(?:what|which) (?:week)?days?) (?:does|do|is|are|can)\b")
"""A question that what happens every week answers, too."""


def _candidates(
    hop: Hop, sentence: Sentence, subject: Subject | None, others: tuple[Subject, ...], evidence: Evidence
) -> list[Candidate]:
    """A sentence's own candidates, and its page's subject where it stands for the sentence's own."""
    found = list(sentence.candidates(evidence.titles))
    if hop.expects == KIND:
        found += of_kind(sentence.text, hop.head)
    if hop.expects == "date" and not any(c.kind == "date" for c in found) and (date := date_alone(sentence.heading)):
        found.append(Candidate(date, 0, 0, "date", "day"))
    if hop.head and hop.expects in (ANY, "common", "work") and _WHICH.search(hop.template.lower()):
        found += numbered(sentence.text, hop.head)
    if hop.head in ("field", "discipline") and hop.expects in (ANY, "common"):
        found += disciplines(sentence.text)
    if "how many times" in hop.template.lower():
        found += occurrences(sentence.text)
    if hop.head == "span":
        found += spans(sentence.text)
    if hop.expects == "cause":
        found += purposes(sentence.text, content_stems(hop.template))
    if ": " in sentence.text and (hop.expects in _FIELDS or (hop.expects == "number" and hop.head == "number")):
        wanted = content_stems(hop.template) | (_PLACES if hop.expects == "place" else frozenset())
        found += fields(sentence.text, wanted, hop.expects if hop.expects in ("date", "number") else "term")
    if hop.expects in (ANY, "common") and (noun := _OF_NOUN.match(hop.template.lower())):
        found += apposed(sentence.text, noun.group(1))
    if hop.expects in (ANY, "common") and (asked := _STRANDED.search(hop.template.lower())):
        found += complements(sentence.text, stem(asked.group(1)), asked.group(2))
    if hop.expects in PHRASED:
        found = list(with_phrases(found, sentence.text))
    page = evidence.page_of(sentence)
    if subject is None or title_match(subject, page) < 0.9:
        name = without_parenthesis(page.name)
        if _may_answer(name, hop, (subject, *others) if subject else ()) and not any(
            key(c.text) == key(name) for c in found
        ):
            found.append(Candidate(name, 0, 0, "name"))
    elif sentence.index == 0 and (author := byline(sentence.title)):
        found.append(Candidate(author, 0, 0, "name", "byline"))
    return found


_STRANDED = re.compile(r"^what\b.* ([a-z]+) (for|with|of|from|on|in|by|as|at|into)\W*$")
"""A question that ends with a preposition: "what is X famous for"."""


_WHICH = re.compile(r"\b(?:which|what) (?!is\b|was\b|are\b|were\b)")
_OF_NOUN = re.compile(r"what (?:is|are) (?:the )?([a-z][a-z -]*) of (?:the )?\{")
_FIELDS = (ANY, "common", "place", "date")
_PLACES = frozenset(map(stem, "place room venue location address where".split()))
"""Labels of fields that say where."""


def _may_answer(title: str, hop: Hop, asked: tuple[Subject, ...]) -> bool:
    """Whether a page's title may be what is sought: a description only of a thing, and not of whom is asked."""
    if is_name(title):
        return bool(title) and not is_file_name(title)
    return hop.expects in ("any", "work", "thing") and not any(one.named_in(f" {key(title)} ") for one in asked)


def bare(name: str) -> str:
    """A name as compared: "The Salt & the Tide" is "Salt and the Tide"."""
    return key(without_parenthesis(name)).replace(" and ", " ").removeprefix("the ")


def same(name: str, subject: Subject | None) -> bool:
    """Whether a name is the subject's own: a part of it, or the whole with a title before it."""
    if subject is None or not subject.key:
        return False
    if f" {name} " in f" {subject.key} " or name.replace(" ", "") == subject.key.replace(" ", ""):
        return True
    if " " in subject.key and name.startswith(f"{subject.key} ") and name.split()[-1] in vocabulary("openers"):
        return True  # two lines run into one: "Daniel Hale | Born 1987"
    if name.rpartition(" ")[2] != subject.key.rpartition(" ")[2]:
        return False
    if abbreviates(name, subject.key) or leaves_out(name, subject.key):
        return True
    extra = name.removesuffix(subject.key).split() if name.endswith(" " + subject.key) else ["-"]
    titled = vocabulary("person", "titles") | vocabulary("office")
    return all(word in titled or country(word) for word in extra)
