"""A hop in a sentence, whatever the candidate: whether it speaks of the subject, and what it has of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.agent.extractive.answer_types import ANY
from clew.agent.extractive.casting import asks_for, role_words
from clew.agent.extractive.cues import CLOSE, KINSHIP
from clew.agent.extractive.evidence import Evidence, Page, Sentence, stems
from clew.agent.extractive.fit import form_wanted, gender_of, unit_wanted
from clew.agent.extractive.lexicon import Relation, key, own_words, stem, vocabulary
from clew.agent.extractive.occasions import NUMBER, unmet
from clew.agent.extractive.offices import asks_agent
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.pronouns import means_another, opening_gender
from clew.agent.extractive.subject import Subject, locate, speaks, title_match
from clew.agent.extractive.synonyms import covered, in_other_words, told_back
from clew.text.names import FUNCTION_WORDS


@dataclass(frozen=True, slots=True)
class Setting:
    """A hop in a sentence: what all candidates there share.

    ``relation`` is the hop's or one made of its own words; ``about`` says how surely the page is about the subject,
    0 … 1, ``at`` where the sentence names it, ``gender`` what the page says of its subject's, ``mate`` that of whoever
    the subject is most likely married to. ``age`` is whether an age is asked for, ``deed`` whether a thing or a deed
    ("what did X do"). ``question`` is the sub-question in lower case, ``said`` are the stems of all its words, names
    included, ``wanted`` those without names, ``specific`` those of them that few questions have. ``shared`` are the
    features that do not depend on the candidate. ``dates`` are those of the sentence where the question orders them.
    """

    hop: Hop
    subject: Subject
    others: Sequence[Subject]
    sentence: Sentence
    relation: Relation | None
    alike: Relation | None
    back: Relation | None
    about: float
    at: tuple[int, int] | None
    gender: str
    mate: str
    agent: bool
    acting: bool
    cast: str
    role: frozenset[str]
    wanted: frozenset[str]
    specific: frozenset[str]
    said: frozenset[str]
    unit: re.Pattern[str] | None
    form: re.Pattern[str] | None
    age: bool
    deed: bool
    question: str
    shared: dict[str, float]
    names: dict[int, str]
    dates: tuple[str, ...]


def setting(hop: Hop, subject: Subject, others: Sequence[Subject], sentence: Sentence, evidence: Evidence) -> Setting:
    """What a sentence says of a hop, whatever the candidate."""
    page = evidence.page_of(sentence)
    about = title_match(subject, page)
    at = locate(subject, sentence, about > 0.5) or speaks(subject, page, sentence)
    if at and about < CLOSE and means_another(subject, page, sentence, evidence):
        at = None
    if about > 0.5 and page.gender and (opening := opening_gender(sentence)):
        about = about if opening == page.gender else OTHERS
    relative = hop.relation is not None and hop.relation.role and _RELATIVE.match(sentence.text)
    about = min(about, OTHERS) if relative else about
    shared = {"subject_is_title": about}
    if at or about > 0.9:
        shared["subject_in_sentence"] = 1.0
    elif about < 0.5 and not relative and subject.named_in(page.folded) and not _lies_there(hop, subject, page):
        shared["subject_in_title"] = 1.0
        about = 0.55
    elif about < 0.5:
        shared["subject_absent"] = 1.0
    wanted = content_stems(hop.template)
    specific = wanted - _unspecific()
    names = named_in_slots(hop, subject, others)
    shared["overlap"] = sum(covered(wanted, sentence.stems).values()) / len(wanted) if wanted else 0.0
    shared |= _named(hop, others, sentence, page)
    query = hop.text(names)
    # Whether a sentence tells a known relation its cues say better than its rank or a vector; of whatever else the
    # question says they know nothing.
    plain = hop.relation is not None and specific <= hop.relation.words
    if (own := sentence.ranks.get(query)) is not None:
        shared["asked"] = (0.5 if plain else 1.0) / (1 + 0.5 * own)
    if query in sentence.similar and not plain:
        shared["similar"] = sentence.similar[query] - USUAL
    shared["lead"] = 1.0 if sentence.index == 0 else 0.0
    relation = hop.relation or own_words(wanted, hop.expects)
    question = hop.template.lower()
    acted = hop.expects in ("person", "agent", "any") and not (relation and relation.name == "team")
    cast = asks_for(hop.template) if acted else ""
    acting = hop.relation is None and _ACTING.search(question) is not None
    return Setting(
        hop,
        subject,
        others,
        sentence,
        relation,
        in_other_words(wanted, hop.expects) if hop.relation is None else None,
        told_back(wanted, question, hop.expects)
        if hop.relation is None and (acting or _DOING.match(question))
        else None,
        about,
        at,
        gender=page.gender if about > 0.5 else "",
        mate=_mate(hop, subject, page.gender if about > CLOSE else ""),
        agent=relation is not None and not relation.name and asks_agent(hop.template),
        acting=acting,
        cast=cast,
        role=role_words(hop.template, tuple(names.items())) if cast else frozenset(),
        wanted=wanted,
        specific=specific,
        said=wanted.union(*map(stems, names.values())),
        unit=unit_wanted(question) if hop.expects == "number" else None,
        form=form_wanted(question),
        age=question.startswith("how old"),
        deed=hop.expects == ANY and _WHAT_DID.match(question) is not None,
        question=question,
        shared=shared,
        names=names,
        dates=tuple(c.text for c in sentence.candidates(evidence.titles) if c.kind == "date")
        if hop.expects == "date" and " time " in question
        else (),
    )


def named_in_slots(hop: Hop, subject: Subject, others: Sequence[Subject]) -> dict[int, str]:
    """The names that fill a hop's slots."""
    return dict(zip((*hop.slots, *hop.others), (subject.name, *(other.name for other in others)), strict=False))


def _lies_there(hop: Hop, subject: Subject, page: Page) -> bool:
    """Whether a page is of a place in the subject, whose numbers are not the subject's: "Torp, Lorland" for Lorland."""
    measured = hop.relation is not None and hop.expects in ("number", "date")
    return measured and ", " in page.name and key(page.name).endswith(f" {subject.key}")


_ACTING = re.compile(r"\b(?:did|does|do|could|can|would|will) (?:the )?\{\d+\}(?! ?['’])")
"""A question in which the subject does what the verb says: "whom did X beat"."""
_DOING = re.compile(r"(?:who|what|which)\b(?!.*\b(?:is|are|was|were|did|does|do|has|have|had|can|could|by)\b)")
"""A question for whoever or whatever does what the verb says."""
_WHAT_DID = re.compile(r"(?:(?:in|on|at|from|to|of|for|by|with) )?(?:what|which)\b")
"""A question for a thing or a deed, which no date is."""
USUAL = 0.4
"""Cosine of a question and a sentence that says something of its subject, but not what is asked."""
OTHERS = 0.3
"""How far a page is still about its subject in a sentence that begins with the pronoun of somebody else."""
_RELATIVE = re.compile(rf"(?:His|Her) (?:[a-z]+ )?(?:{'|'.join(sorted(KINSHIP))})\b")
"""Whose birth or death a sentence tells: "His wife died in 2012"."""


def _mate(hop: Hop, subject: Subject, told: str) -> str:
    """The other gender than the subject's where a spouse is asked for; empty where that is not known."""
    if hop.relation is None or hop.relation.name != "spouse":
        return ""
    return {"m": "f", "f": "m"}.get(told or gender_of(subject.name, None), "")


def _named(hop: Hop, others: Sequence[Subject], sentence: Sentence, page: Page) -> dict[str, float]:
    """Whether the sentence has the question's other names and numbers."""
    features: dict[str, float] = {}
    if others:
        found = [bool(o.named_in(sentence.folded)) or title_match(o, page) > 0.5 for o in others]
        features["other"] = sum(1.0 if one else -0.5 for one in found)
    if NUMBER.search(hop.template):
        features["unmet"] = unmet(hop.template, sentence, page)
    return features


@lru_cache(maxsize=4096)
def content_stems(template: str) -> frozenset[str]:
    """Stems of a sub-question's own words, without names and function words."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"\{\d+\}", " ", template).lower())
    return frozenset(stem(w) for w in words if w not in FUNCTION_WORDS and w not in ("s", "many", "much", "name"))


@lru_cache(maxsize=1)
def _unspecific() -> frozenset[str]:
    """Stems of words that say little of what is asked."""
    return frozenset(map(stem, vocabulary("unspecific")))
