"""How well a candidate answers a hop: a linear sum of readable features with fixed weights.

Weights fitted on one corpus helped there and hurt elsewhere, so they are set by hand and kept round.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.agent.extractive.agents import does
from clew.agent.extractive.answer_types import ANY, KIND
from clew.agent.extractive.between import (
    acts_itself,
    aged,
    attached,
    counts,
    identified,
    left,
    text_between,
    together,
    words_between,
)
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.casting import TOLD_ROLE, asks_for, named_after, played_by, plays, role_words
from clew.agent.extractive.cues import CLOSE, COUPLE, CUED, KINSHIP, MAKERS, beside, near, related, same_last_name
from clew.agent.extractive.descriptions import description, matched
from clew.agent.extractive.evidence import Evidence, Page, Sentence, stems
from clew.agent.extractive.fit import (
    form_wanted,
    gender_of,
    head_fit,
    is_measure,
    is_name,
    of_a_power,
    type_fit,
    unit_wanted,
)
from clew.agent.extractive.lexicon import Relation, head_types, key, kinds, own_words, stem, vocabulary
from clew.agent.extractive.noun_phrases import echoed
from clew.agent.extractive.occasions import NUMBER, planned, unmet
from clew.agent.extractive.offices import (
    asks_agent,
    asks_office,
    has_left,
    holds,
    of_another_office,
)
from clew.agent.extractive.places import misplaced, tells_other
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.pronouns import means_another, opening_gender
from clew.agent.extractive.subject import Subject, locate, speaks, title_match
from clew.agent.extractive.synonyms import SYNONYM, TOLD_BACK, covered, in_other_words, told_back
from clew.ingest.names import FUNCTION_WORDS

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
    "together": 1.5,
    "rank": 1.0,
    "asked": 1.6,
    "similar": 11.0,
    "lead": 0.3,
    "page": 0.3,
    "full": 0.2,
    "nested": -0.4,
    "self": -1.5,
    "uncued": -1.0,
    "unmet": -6.0,
    "uncounted": -3.0,
    "another": -4.0,
    "elsewhere": -3.0,
    "echo": -1.5,
    "close": 0.6,
    "occasion": 1.5,
    "described": 5.0,
}
"""What each feature is worth; most features lie in −1 … 1."""


_ABBREVIATED = re.compile(r"[A-ZÀ-Þ][\w\-’']* \($")
_MEASURED = re.compile(r"\d[\d,.]*\s?[^\W\d_]+[²2]?(?: [^\W\d_]+)? \((?:about |approx\. )?$")


LONGEST_MEASURE = 40
"""Characters of a number with its unit, at most."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A hop in a sentence: what all candidates there share.

    ``relation`` is the hop's or one made of its own words; ``about`` says how surely the page is about the subject,
    0 … 1, ``at`` where the sentence names it, ``gender`` what the page says of its subject's, ``mate`` that of whoever
    the subject is most likely married to. ``age`` is whether an age is asked for, ``deed`` whether a thing or a deed
    ("what did X do"). ``question`` is the sub-question in lower case, ``said`` are the stems of all its words, names
    included, ``wanted`` those without names. ``shared`` are the features that do not depend on the candidate.
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
    said: frozenset[str]
    unit: re.Pattern[str] | None
    form: re.Pattern[str] | None
    age: bool
    deed: bool
    question: str
    shared: dict[str, float]
    names: dict[int, str]


def setting(hop: Hop, subject: Subject, others: Sequence[Subject], sentence: Sentence, evidence: Evidence) -> Setting:
    """What a sentence says of a hop, whatever the candidate."""
    page = evidence.pages[key(sentence.title)]
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
    elif about < 0.5 and not relative and subject.named_in(page.folded):
        shared["subject_in_title"] = 1.0
        about = 0.55
    elif about < 0.5:
        shared["subject_absent"] = 1.0
    wanted = content_stems(hop.template)
    names = named_in_slots(hop, subject, others)
    shared["overlap"] = sum(covered(wanted, sentence.stems).values()) / len(wanted) if wanted else 0.0
    shared |= _named(hop, others, sentence, page)
    query = hop.text(names)
    # Whether a sentence tells a known relation its cues say better than its rank or a vector; of whatever else the
    # question says they know nothing.
    plain = hop.relation is not None and wanted - _unspecific() <= hop.relation.words
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
        said=wanted.union(*map(stems, names.values())),
        unit=unit_wanted(question) if hop.expects == "number" else None,
        form=form_wanted(question),
        age=question.startswith("how old"),
        deed=hop.expects == ANY and _WHAT_DID.match(question) is not None,
        question=question,
        shared=shared,
        names=names,
    )


def named_in_slots(hop: Hop, subject: Subject, others: Sequence[Subject]) -> dict[int, str]:
    """The names that fill a hop's slots."""
    return dict(zip((*hop.slots, *hop.others), (subject.name, *(other.name for other in others)), strict=False))


_ACTING = re.compile(r"\b(?:did|does|do|could|can|would|will) (?:the )?\{\d+\}(?! ?['’])")
"""A question in which the subject does what the verb says: "whom did X beat"."""
_DOING = re.compile(r"(?:who|what|which)\b(?!.*\b(?:is|are|was|were|did|does|do|has|have|had|can|could|by)\b)")
"""A question for whoever or whatever does what the verb says."""
HOLDS = 0.8
"""How far a title says that its bearer holds the office: "Mayor Lucy Tennant" for the mayor."""
PASSIVE = 0.2
"""How clearly a verb must lead to whoever did it, where even an organisation may be *who*."""
ANOTHER_FORM = -6.0
"""Fit of what has not the form that is asked for: a name where an address is."""
UNNAMED_ROLE = 0.5
"""How far the cast of a work tells who plays the one that is asked about, where nothing beside the actor names them."""
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


def _agrees(c: Candidate, target: Page | None, wanted: str, right: float, wrong: float) -> float:
    """``right`` for a candidate of the gender that is wanted, ``wrong`` for one of the other, 0 where nothing tells."""
    gender = gender_of(c.text, target)
    return 0.0 if not gender else right if gender == wanted else wrong


def _named(hop: Hop, others: Sequence[Subject], sentence: Sentence, page: Page) -> dict[str, float]:
    """Whether the sentence has the question's other names and numbers."""
    features: dict[str, float] = {}
    if others:
        found = [bool(o.named_in(sentence.folded)) or title_match(o, page) > 0.5 for o in others]
        features["other"] = sum(1.0 if one else -0.5 for one in found)
    if NUMBER.search(hop.template):
        features["unmet"] = unmet(hop.template, sentence, page)
    return features


def score(s: Setting, c: Candidate, evidence: Evidence) -> dict[str, float]:
    """The features of a candidate in a sentence; their weighted sum is its score (``total``)."""
    hop, relation, text, at, about = s.hop, s.relation, s.sentence.text, s.at, s.about
    features = dict(s.shared)
    if relation:
        features |= _cues(s, relation, c)
        if s.alike and max(features["direct"], features["inverse"]) < SYNONYM:
            cues = _cues(s, s.alike, c)
            features |= {name: max(features[name], SYNONYM * cues[name]) for name in ("direct", "inverse")}
        if s.back:
            cues = _cues(s, s.back, c, turned=True)
            features |= {name: max(features[name], TOLD_BACK * cues[name]) for name in ("direct", "inverse")}
        if hop.expects == KIND:
            features["direct"] = float(c.role == "kind")  # it holds the noun, which leads to nothing else
        if c.role == "complement" and (at or about > CLOSE):
            features |= {"direct": 1.0, "inverse": 0.0}  # it holds the noun, which leads to nothing else
        if relation.role:
            other = c.role in ("birth", "death") and (c.role, relation.role) != ("death", "end")
            features["role"] = 1.0 if c.role == relation.role else -1.0 if other else 0.0
            if features["role"] > 0 and s.sentence.index == 0 and about > 0.9:
                features["role"] = 2.0  # the dates of a life, where a page begins
            elif features["role"] > 0 and about < 0.5:
                features["role"] = 0.0  # those of whom the page is about
        cue = max(features.get(name, 0.0) for name in ("direct", "inverse", "family", "role"))
        if cue < CUED and (hop.expects in ("person", "place", "cause") or not hop.relation):
            features["uncued"] = 1.0
    target = evidence.page(c.text)
    features["type"] = ANOTHER_FORM if _has_another_form(s, c) else _fit(s, c, features.get("direct", 0.0), target)
    if hop.relation and hop.relation.gender:
        features["gender"] = _agrees(c, target, hop.relation.gender, 1.0, -1.5)
    elif s.mate and "uncued" in features:  # what is told needs no guess
        features["gender"] = _agrees(c, target, s.mate, 0.5, -1.0)
    if asks_office(hop) and relation and (at or about > CLOSE) and holds(hop, s.wanted, text, c):
        features["direct"] = max(features["direct"], HOLDS)
        features.pop("uncued", None)
    if hop.expects == "person" and (of_another_office(hop, s.sentence) or has_left(hop, text, c)):
        features["another"] = 1.0
    if relation and relation.name == "country" and c.role == "demonym" and about < CLOSE:
        features["another"] = 0.5  # whoever else the sentence speaks of is of that nationality
    if relation and relation.name == "located" and c.role in ("birth", "death"):
        features["role"] = -1.0  # "born in Gdańsk" says where nothing else of hers is
    if hop.expects == "number" and hop.head and s.unit is None and stem(hop.head) not in stems(text):
        features["uncounted"] = float(not _counted(s, c))
    if acts_itself(text, c, hop.template):
        features["another"] = 1.0
    if hop.expects == "number" and at and (row := _ROW.match(text)) and at[0] > row.end():
        features["another"] = 1.0
    if hop.head and hop.expects != "person" and (hop.expects != "agent" or hop.head in head_types()):
        features["head"] = head_fit(hop.head, c, s.sentence, target)
    if tells_other(hop, c, s.wanted - _unspecific()) and not features["overlap"]:
        features["elsewhere"] = 1.0  # where something else is or was
    # The words of a known relation may as well tell it the other way round; only its cues know the direction.
    features["near"] = 0.0 if hop.relation and "uncued" in features else near(s.wanted, text, c)
    if hop.relation and hop.relation.name == "located" and c.inside and at and at[1]:
        features["direct"] = max(features["direct"], float(text[at[1] : c.start] in (" of ", " at ")))
    if hop.relation is None or hop.expects == "number":
        first = identified(text, c, hop.template)
        if first > 0:
            features["direct"] = 1.0
            features.pop("uncued", None)
        elif first:
            features["direct"] = 0.0  # the smallest, where the largest is sought
        features["attached"] = first if first < 0 else max(attached(text, c, at), first, _told_by_place(s, c))
        features["title"] = float(c.end == 0 and features.get("head", 0.0) < 1.0)
    if s.cast:
        hero = about > CLOSE and named_after(s.sentence.title, s.role)
        features["plays"] = played_by(text, c, at) if s.cast == "character" else plays(text, c, s.role, hero)
        if c.end == 0 and features["type"] < 0:
            features["plays"] = min(features["plays"], 0.0)  # the page of a work
        if features["plays"] < 0:
            features["direct"] = 0.0
        elif features["plays"] >= TOLD_ROLE:
            features.pop("uncued", None)
        elif s.role and not features["plays"] and hop.relation and hop.relation.name == "cast":
            features["direct"] *= UNNAMED_ROLE
    defined = relation is not None and (relation.name in MAKERS or relation.name in _DEFINING)
    if defined and s.sentence.index == 0 and about > 0.7 and features["direct"] > CUED:
        features["lead"] = OPENING
    if s.others:
        features["beside"] = max(beside(other, text, c) for other in s.others)
    elif "uncued" in features and relation and relation.name in COUPLE and at:
        features["together"] = together(text, c, at)
    if hop.expects == "date" and at and at[1]:  # of "Torp in 1972, Vik in 1979" each has its own
        gap = words_between(text, at[1], c.start) if at[1] <= c.start else words_between(text, c.end, at[0])
        features["close"] = math.exp(-gap / 6)
    if hop.expects == "date":
        features["occasion"] = -float(planned(text, s.question))
    features["page"] = 1.0 if target else 0.0
    features["described"] = matched(description(hop.template), s.names, target)
    if hop.expects == "date" and hop.head != "year" and c.text[:1].isalnum() and " " in c.text:
        features["full"] = 1.0
    if c.nameless:
        features["echo"] = echoed(c.text, s.said)
    if c.inside:
        features["nested"] = 1.0
    if _names_itself(s, c):
        features["self"] = 1.0
    return features


def _cues(s: Setting, relation: Relation, c: Candidate, *, turned: bool = False) -> dict[str, float]:
    """What the words between a candidate and the subject say of a relation, or of it told the other way round."""
    agent, acting = (s.acting, not s.acting) if turned else (s.agent, s.acting)
    return related(
        relation,
        s.subject,
        s.sentence.text,
        c,
        s.at,
        s.about,
        gender=s.gender,
        agent=agent,
        acting=acting,
        wanted=s.wanted,
    )


OPENING = 4.0
"""How much it counts that the first sentence on a work names its maker, before those of other versions, or that on
anything says of which country it is."""
_DEFINING = frozenset(["country"])
_WHAT_DID = re.compile(r"what d(?:id|oes|o) ")
"""A question for a thing or a deed, which no date is."""
_ROW = re.compile(r"[^:;]{1,40}: [A-ZÀ-Þ][^\d:;]*;")
"""The first field of a table's row, where it names what the row's numbers are of: "Island: Sarn; Chief town: …"."""
_BY = re.compile(r"\bby (?:the )?$")


def _fit(s: Setting, c: Candidate, direct: float, target: Page | None) -> float:
    """How well a candidate is of the type that is asked for."""
    hop, text = s.hop, s.sentence.text
    fit = type_fit(hop.expects, c, s.sentence, target)
    if hop.expects == "place" and "from" not in hop.template.lower().split() and left(text, c):
        fit -= 1.0
    if s.agent and hop.expects == "person" and direct >= PASSIVE and (_BY.search(text, 0, c.start) or _acts(s, c)):
        fit = max(fit, type_fit("agent", c, s.sentence, target))
    fit = of_a_power(fit, hop.template)
    if (
        hop.relation is not None
        and hop.relation.name in _PERFORMED
        and not kinds()["label"].isdisjoint(c.text.lower().split())
    ):
        fit = min(fit, RELEASES)
    if (
        hop.relation is not None
        and hop.relation.name == "team"
        and not vocabulary("competitions").isdisjoint(c.text.lower().split())
    ):
        fit = min(fit, PLAYED_IN)
    if (
        hop.expects == "place"
        and hop.relation is not None
        and hop.relation.role
        and same_last_name(s.subject.key, c.text)
    ):
        fit = -1.0  # "was born Ada Jane Finch in Torp"
    if hop.expects == "place" and c.kind == "name":
        fit += misplaced(text, c, hop.relation.name if hop.relation else "")
    if s.unit is not None:
        fit = 1.0 if s.unit.search(c.text) else -3.0
    return min(fit, 0.0) if s.age and not aged(text, c, s.at) else fit


def _acts(s: Setting, c: Candidate) -> bool:
    """Whether a candidate itself does what is asked, as an organisation may: "The Board of Lights built it"."""
    return s.relation is not None and s.about > CLOSE and does(s.relation, s.sentence.text, c)


_PERFORMED = frozenset("performer composer lyricist author screenwriter director cast".split())
RELEASES = -0.5
"""Fit of a record label to who sang or wrote something."""


PLAYED_IN = -1.0
"""Fit of a league to which team somebody plays for."""


def _has_another_form(s: Setting, c: Candidate) -> bool:
    """Whether a candidate cannot be what is asked for, whatever its sentence says of the subject."""
    text = s.sentence.text
    if s.hop.expects == "number" and not s.age and text.startswith(" old", c.end):
        return True
    if s.unit is None and s.hop.expects == "number" and "how many" in s.hop.template.lower() and is_measure(c.text):
        return stem(s.hop.head) not in map(stem, c.text.lower().split())
    named = s.hop.relation is not None and s.hop.relation.name == "nickname"
    if named and c.kind in ("date", "number"):
        return True
    if (s.deed and c.kind == "date") or (s.hop.head == "span" and c.role != "span"):
        return True
    return s.form is not None and not s.form.search(c.text.lower())


def _told_by_place(s: Setting, c: Candidate) -> float:
    """Whether a number is told to be what is counted, or an age, by where it stands alone."""
    if s.hop.expects != "number":
        return 0.0
    if s.age:
        return aged(s.sentence.text, c, s.at)
    return float(_counted(s, c) or (bool(s.hop.head) and counts(s.sentence.text, c, s.hop.head)))


def _counted(s: Setting, c: Candidate) -> bool:
    """Whether a cue of the relation is what a number counts: the people of "7,531 people" tell a population."""
    inverse = s.relation.inverse if s.relation and s.relation.name else None
    return inverse is not None and inverse.match(s.sentence.text, c.end + 1) is not None


def _names_itself(s: Setting, c: Candidate) -> bool:
    """Whether a candidate is only another form of a name that stands beside it, or names nothing at all."""
    text = s.sentence.text
    if c.kind == "number" and _MEASURED.search(text, max(0, c.start - LONGEST_MEASURE), c.start):
        return True  # "340 miles (550 km)"
    if (
        c.kind == "name"
        and c.text.isupper()
        and s.hop.head not in ("acronym", "abbreviation")
        and _ABBREVIATED.search(text, 0, c.start)
    ):
        return True  # "the Olympic Committee (OC)": the long form stands before it
    if c.end == 0 and s.hop.expects in ("person", "agent", "organisation", "place") and not is_name(c.text):
        return True  # "Household income in the United States" names nobody
    if s.hop.head and key(c.text) == s.hop.head:
        return True  # the label of a column: "Island: Tarrock"
    if s.about <= 0.9 or c.kind != "name":
        return False
    spelling = s.at is not None and text_between(text, s.at[1], c.start) == "("
    return spelling or (c.start == 0 < c.end and s.sentence.index == 0)


def total(features: dict[str, float]) -> float:
    """The weighted sum of features, but for ``rank``, which changes with every query."""
    return sum(WEIGHTS[name] * value for name, value in features.items())


@lru_cache(maxsize=4096)
def content_stems(template: str) -> frozenset[str]:
    """Stems of a sub-question's own words, without names and function words."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"\{\d+\}", " ", template).lower())
    return frozenset(stem(w) for w in words if w not in FUNCTION_WORDS and w not in ("s", "many", "much", "name"))


@lru_cache(maxsize=1)
def _unspecific() -> frozenset[str]:
    return frozenset(map(stem, vocabulary("unspecific")))
