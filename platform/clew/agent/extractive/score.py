"""How well a candidate answers a hop: a linear sum of readable features with fixed weights.

Weights fitted on one corpus helped there and hurt elsewhere, so they are set by hand and kept round.
"""

from __future__ import annotations

import math
import re

from clew.agent.extractive.abbreviations import spelt_out
from clew.agent.extractive.agents import does, does_so
from clew.agent.extractive.answer_types import KIND
from clew.agent.extractive.between import (
    acts_itself,
    aged,
    attached,
    counts,
    holds_record,
    identified,
    left,
    of_another_number,
    shares,
    text_between,
    together,
    words_between,
)
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.casting import TOLD_ROLE, named_after, played_by, plays
from clew.agent.extractive.cues import CLOSE, COUPLE, CUED, MAKERS, beside, near, related, same_last_name
from clew.agent.extractive.descriptions import description, matched
from clew.agent.extractive.evidence import Evidence, Page, stems
from clew.agent.extractive.fit import PERCENT, gender_of, head_fit, is_measure, is_name, of_a_power, type_fit
from clew.agent.extractive.lexicon import Relation, head_types, key, kinds, relations, stem, vocabulary
from clew.agent.extractive.noun_phrases import echoed
from clew.agent.extractive.occasions import latest, long_before, of_another_year, planned
from clew.agent.extractive.offices import asks_office, has_left, holds, in_order, of_another_office
from clew.agent.extractive.places import asks_nature, is_known, misplaced, tells_other
from clew.agent.extractive.setting import Setting
from clew.agent.extractive.synonyms import SYNONYM, TOLD_BACK

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
    "order": 1.5,
    "elsewhere": -3.0,
    "echo": -1.5,
    "close": 0.6,
    "occasion": 1.5,
    "described": 5.0,
}
"""What each feature is worth; most features lie in −1 … 1."""


_AKIN = {
    "producer": "director",
    "screenwriter": "director",
    "lyricist": "composer",
    "composer": "performer",
    "performer": "composer",
    "editor": "author",
    "illustrator": "author",
    "cinematographer": "director",
    "narrator": "author",
}
"""Parts in a work that one person often has both of, where a sentence tells only the other."""
AKIN = 0.3
"""How far the other part counts."""
HOLDS = 0.8
"""How far a title says that its bearer holds the office: "Mayor Lucy Tennant" for the mayor."""
PASSIVE = 0.2
"""How clearly a verb must lead to whoever did it, where even an organisation may be *who*."""
ANOTHER_FORM = -6.0
"""Fit of what has not the form that is asked for: a name where an address is."""
UNNAMED_ROLE = 0.5
"""How far the cast of a work tells who plays the one that is asked about, where nothing beside the actor names them."""


def _agrees(c: Candidate, target: Page | None, wanted: str, right: float, wrong: float) -> float:
    """``right`` for a candidate of the gender that is wanted, ``wrong`` for one of the other, 0 where nothing tells."""
    gender = gender_of(c.text, target)
    return 0.0 if not gender else right if gender == wanted else wrong


def score(s: Setting, c: Candidate, evidence: Evidence, fit: float | None = None) -> dict[str, float]:
    """The features of a candidate in a sentence; their weighted sum is its score (``total``).

    ``fit`` is how it suits the type that is sought, whatever a page of its own says, where that is known already.
    """
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
        if (akin := _AKIN.get(relation.name)) and max(features["direct"], features["inverse"]) < CUED:
            features["direct"] = AKIN * _cues(s, relations()[akin], c)["direct"]
        if hop.expects == KIND:
            features["direct"] = float(c.role == "kind")  # it holds the noun, which leads to nothing else
        if c.role == "complement" and (at or about > CLOSE):
            features |= {"direct": 1.0, "inverse": 0.0}  # it holds the noun, which leads to nothing else
        if relation.name == "long_form":
            features["direct"] = max(features["direct"], spelt_out(text, c, s.subject.name))
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
    features["type"] = ANOTHER_FORM if _has_another_form(s, c) else _fit(s, c, features.get("direct", 0.0), target, fit)
    if hop.relation and hop.relation.gender:
        features["gender"] = _agrees(c, target, hop.relation.gender, 1.0, -1.5)
    elif s.mate and "uncued" in features:  # what is told needs no guess
        features["gender"] = _agrees(c, target, s.mate, 0.5, -1.0)
    if asks_office(hop) and relation and (at or about > CLOSE) and holds(hop, s.wanted, text, c):
        features["direct"] = max(features["direct"], HOLDS)
        features.pop("uncued", None)
    if hop.expects == "person" and (of_another_office(hop, s.sentence) or has_left(hop, text, c)):
        features["another"] = 1.0
    if hop.expects in ("person", "agent") and c.kind == "name":
        features["order"] = in_order(hop, s.wanted, text, c) or holds_record(text, c, s.question)
        if (deed := does_so(hop.template, text, c)) > max(CUED, features.get("direct", 0.0)) and not (
            c.inside or c.text.isupper()
        ):
            features["direct"] = deed
            features.pop("uncued", None)
    if relation and relation.name == "country" and c.role == "demonym" and about < CLOSE:
        features["another"] = 0.5  # whoever else the sentence speaks of is of that nationality
    if relation and relation.name == "located" and c.role in ("birth", "death"):
        features["role"] = -1.0  # "born in Gdańsk" says where nothing else of hers is
    if hop.expects == "number" and hop.head and s.unit is None and stem(hop.head) not in stems(text):
        features["uncounted"] = float(not _counted(s, c))
    if acts_itself(text, c, hop.template) or of_another_number(text, c, s.question):
        features["another"] = 1.0
    if hop.expects == "number" and at and (row := _ROW.match(text)) and at[0] > row.end():
        features["another"] = 1.0
    if hop.head and hop.expects != "person" and (hop.expects != "agent" or hop.head in head_types()):
        features["head"] = head_fit(hop.head, c, s.sentence, target)
    if tells_other(hop, c, s.specific) and not features["overlap"]:
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
    if s.unit is PERCENT and (share := shares(text, c, s.said - POPULATION)):
        features["attached"] = share
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
    defining = relation is not None and relation.name in _DEFINING
    if defining and s.sentence.index == 0 and about > 0.7 and features["direct"] > CUED:
        features["lead"] = OPENING
    elif _tells_where(s, features):
        features["lead"] = LED
    if s.others:
        features["beside"] = max(beside(other, text, c) for other in s.others)
    elif "uncued" in features and relation and relation.name in COUPLE and at:
        features["together"] = together(text, c, at)
    if hop.expects == "date" and at and at[1]:  # of "Torp in 1972, Vik in 1979" each has its own
        gap = words_between(text, at[1], c.start) if at[1] <= c.start else words_between(text, c.end, at[0])
        features["close"] = math.exp(-gap / 6)
    if hop.expects == "date":
        features["occasion"] = latest(s.question, c, s.dates) - float(planned(text, s.question))
        if long_before(text, c) or of_another_year(s.question, c):
            features["another"] = 1.0
    features["page"] = 1.0 if target else 0.0
    features["described"] = matched(description(hop.template), s.names, target)
    if hop.expects == "date" and hop.head != "year" and c.text[:1].isalnum() and " " in c.text:
        features["full"] = 1.0
    if c.nameless:
        features["echo"] = echoed(c.text, s.said)
    if c.inside:
        features["nested"] = 1.0
    if _names_itself(s, c) and not (relation and relation.name == "long_form" and features["direct"]):
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


def _tells_where(s: Setting, features: dict[str, float]) -> bool:
    """Whether the first sentence on something tells where it lies."""
    located = s.relation is not None and s.relation.name == "located" and "elsewhere" not in features
    return located and s.sentence.index == 0 and s.about > 0.7 and features["direct"] > CUED


POPULATION = frozenset(map(stem, "percentage percent population people share residents inhabitants".split()))
"""Stems of words that say of what any share is one."""
OPENING = 4.0
"""How much it counts that the first sentence on a work names its maker, before those of other versions, or that on
anything says of which country it is."""
LED = 3.0
"""How much it counts that the first sentence on something says where it lies, as others tell what else lies there."""
ON_THE_MAP = 0.5
"""How much likelier a name is a place that is one of a larger town or of a state."""
_DEFINING = MAKERS | {"country"}
"""Relations that the first sentence on something tells of it, rather than of something else."""
_ROW = re.compile(r"[^:;]{1,40}: [A-ZÀ-Þ][^\d:;]*;")
"""The first field of a table's row, where it names what the row's numbers are of: "Island: Sarn; Chief town: …"."""
_BY = re.compile(r"\bby (?:the )?$")


def _fit(s: Setting, c: Candidate, direct: float, target: Page | None, known: float | None) -> float:
    """How well a candidate is of the type that is asked for."""
    hop, text = s.hop, s.sentence.text
    fit = known if known is not None and target is None else type_fit(hop.expects, c, s.sentence, target)
    if hop.expects == "place" and "from" not in hop.template.lower().split() and left(text, c):
        fit -= 1.0
    if s.agent and hop.expects == "person" and direct >= PASSIVE and (_BY.search(text, 0, c.start) or _acts(s, c)):
        fit = max(fit, type_fit("agent", c, s.sentence, target))
    fit = of_a_power(fit, hop.template)
    if hop.relation is not None:
        fit = min(fit, _as_another(hop.relation, c))
        if hop.expects == "place" and hop.relation.role:
            fit = _of_a_life(s, c, fit)
    if hop.expects == "place" and c.kind == "name":
        fit += misplaced(text, c, hop.relation.name if hop.relation else "")
        if is_known(c.text) and not asks_nature(hop.template):
            fit = min(1.0, fit + ON_THE_MAP)
    if s.unit is not None:
        fit = 1.0 if s.unit.search(c.text) else -3.0
    return min(fit, 0.0) if s.age and not aged(text, c, s.at) else fit


def _of_a_life(s: Setting, c: Candidate, fit: float) -> float:
    """The fit of a place to where somebody was born or died, told that of any place."""
    text = s.sentence.text
    born_as = _BORN.search(text, 0, c.start) is not None and _THERE.match(text, c.end) is not None
    if born_as or same_last_name(s.subject.key, c.text):
        return BORN_AS
    native = s.relation is not None and s.relation.name == "birthplace" and s.about > CLOSE and c.role == "demonym"
    return NATIVE if native and _IS_A.search(text, 0, c.start) else fit


BORN_AS = -2.0
"""Fit of the name that somebody was born under to where they were: "was born Ada Jane Finch in Torp"."""
NATIVE = -0.6
"""Fit of somebody's country to where they were born, which is as much as many a page tells of it."""
_BORN = re.compile(r"\bborn (?:as )?$")
_THERE = re.compile(r" (?:in|on|at|/|to) ")
_IS_A = re.compile(r"\b(?:is|was) an? (?:former |retired )?$")


def _acts(s: Setting, c: Candidate) -> bool:
    """Whether a candidate itself does what is asked, as an organisation may: "The Board of Lights built it"."""
    return s.relation is not None and s.about > CLOSE and does(s.relation, s.sentence.text, c)


def _as_another(relation: Relation, c: Candidate) -> float:
    """The most that a name fits which says that its bearer has another part in the same: it released the song."""
    words = c.text.lower().split()
    if relation.name in _PERFORMED and not kinds()["label"].isdisjoint(words):
        return RELEASES
    if relation.name == "team" and not vocabulary("competitions").isdisjoint(words):
        return PLAYED_IN
    return math.inf


_PERFORMED = frozenset("performer composer lyricist author screenwriter director cast".split())
"""Relations whose values are people or bands."""
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
    maker = text.startswith(("'s ", "’s "), c.end)
    return spelling or (c.start == 0 < c.end and s.sentence.index == 0 and not maker)


_ABBREVIATED = re.compile(r"[A-ZÀ-Þ][\w\-’']* \($")
_MEASURED = re.compile(r"\d[\d,.]*\s?[^\W\d_]+[²2]?(?: [^\W\d_]+)? \((?:about |approx\. )?$")
LONGEST_MEASURE = 40
"""Characters of a number with its unit, at most."""


def total(features: dict[str, float]) -> float:
    """The weighted sum of features, but for ``rank``, which changes with every query."""
    return sum(WEIGHTS[name] * value for name, value in features.items())
