"""Answers a plan's hops one after another on the evidence, keeping the best few chains of bridges."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from clew.agent.extractive.answer_types import ANY, KIND, PHRASED, answer_type
from clew.agent.extractive.candidates import Candidate, byline, date_alone
from clew.agent.extractive.compare import describes_pair
from clew.agent.extractive.definitions import SAID, fits, kinds, own_page
from clew.agent.extractive.evidence import Evidence, Sentence, is_file_name, states
from clew.agent.extractive.fit import IMPOSSIBLE, gender_of, is_name, may_be_of, type_fit
from clew.agent.extractive.found import Found, Path
from clew.agent.extractive.kin import TOLD_SO, Relatives, relatives_of, with_told
from clew.agent.extractive.kin_words import is_personal
from clew.agent.extractive.lexicon import (
    country,
    country_forms,
    head_types,
    key,
    relations,
    sport_of,
    stem,
    vocabulary,
)
from clew.agent.extractive.listing import takes_list, with_list
from clew.agent.extractive.negation import negates
from clew.agent.extractive.noun_phrases import with_phrases
from clew.agent.extractive.occasions import NUMBER
from clew.agent.extractive.pairs import ALIKE, SHARED, WHICH
from clew.agent.extractive.persons import abbreviates, leaves_out
from clew.agent.extractive.places import AREAS, area, without_region
from clew.agent.extractive.plan import DEFINITION, FITTING, KINDS, MANNER, MEANING, WHOLE, Hop, Plan
from clew.agent.extractive.quantities import century, year
from clew.agent.extractive.reading import WEIGHTS as PLAIN_WEIGHTS
from clew.agent.extractive.reading import points as worth
from clew.agent.extractive.reading import read
from clew.agent.extractive.score import WEIGHTS, Setting, content_stems, named_in_slots, score, setting, total
from clew.agent.extractive.subject import Subject, locate, speaks, title_match
from clew.agent.extractive.succession import in_turn
from clew.agent.extractive.told import apposed, complements, fields, numbered, of_kind, purposes, spans
from clew.agent.extractive.unsaid import unsaid
from clew.agent.extractive.verify import STATED, called, check, stated
from clew.ingest.names import without_parenthesis

BEAM = 3
"""Chains of bridges that are kept after each hop."""
OF_ANOTHER = 3.0
"""What somebody scores less who is told to be such a relative of somebody else."""
HOPED = 6.0
"""Score that a hop counts with before it was asked for."""
DOUBTED = 3.0
"""What a relative scores less than told ones where no word leads to them, when chains of bridges are compared."""
OWN = 2.0
"""What a value of one of two things that are compared is worth more if its own page tells it: others measure others."""
MANY = 12
"""Values of a side that are looked through for one that the other side has as well."""
_SENTENCES = 60
_SLOT = re.compile(r"\{\d+\}")
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


def search(plan: Plan, evidence: Evidence, beam: int = BEAM) -> list[Path]:
    """The best paths through the plan, best first; a path ends early where a hop finds nothing.

    A hop that was not asked for yet counts with what asking usually brings, so that a bridge is not chosen only because
    the next answer happens to stand in what was retrieved for the last one.
    """
    asked = {key(query) for query in evidence.queries}
    start = Path(dict(enumerate(plan.anchors)))
    paths = [start]
    memory: dict[tuple[int, str], list[Found]] = {}
    for hop in plan.hops:
        grown: list[Path] = []
        for path in paths:
            needed = (*hop.slots, *hop.others)
            if any(slot not in path.values for slot in needed):
                grown.append(Path(path.values, path.found, path.score + HOPED))
                continue
            question = hop.text(path.values)
            open_ = key(question) not in asked
            at = hop.target, question
            if at not in memory:
                memory[at] = look_up(hop, path.values, plan, evidence, beam)
            for found in memory[at]:
                values = {**path.values, hop.target: found.value}
                points = max(found.score, HOPED) if open_ else found.score - _doubt(hop, found, plan)
                grown.append(Path(values, {**path.found, hop.target: found}, path.score + points))
            if not memory[at]:
                grown.append(Path(path.values, path.found, path.score + (HOPED if open_ else 0.0)))
        paths = sorted(grown, key=lambda p: p.score, reverse=True)[:beam]
    return paths


def _doubt(hop: Hop, found: Found, plan: Plan) -> float:
    """What was asked for in vain is worth less: a relative to whom no word leads is only somebody else on the same
    page, so that another bridge deserves to be asked about first."""
    return DOUBTED if plan.comparison is None and not found.cued and is_personal(hop.relation) else 0.0


def contained(plan: Plan, path: Path, evidence: Evidence) -> Plan | None:
    """The plan with one more hop where a place was found that only lies in what is asked for; None where none did.

    "On which island was she born?" leads to a town first: then the island of that town is asked for.
    """
    for i, hop in enumerate(plan.hops):
        found = path.found.get(hop.target)
        if found is None or hop.head not in vocabulary("containers") or hop.expects not in ("place", "country"):
            continue
        if hop.relation is None or hop.relation.name not in _LIVED:
            continue
        page = evidence.page(found.value)
        if country(found.value) or hop.head in key(found.value).split() or (page and page.described_as(hop.head)):
            continue
        target = max(len(plan.anchors), *(h.target + 1 for h in plan.hops))
        located = relations()["located"]
        place = replace(hop, head="town", expects="place")
        wider = Hop(f"{hop.head} of {{{hop.target}}}", (hop.target,), target, located, hop.expects, hop.head)
        later = [_redirected(h, hop.target, target) for h in plan.hops[i + 1 :]]
        return replace(plan, hops=(*plan.hops[:i], place, wider, *later))
    return None


_LIVED = frozenset("birthplace death_place residence burial".split())


def _redirected(hop: Hop, old: int, new: int) -> Hop:
    def moved(slots: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(new if slot == old else slot for slot in slots)

    template = hop.template.replace(f"{{{old}}}", f"{{{new}}}")
    return replace(hop, template=template, slots=moved(hop.slots), others=moved(hop.others))


def look_up(hop: Hop, values: dict[int, str], plan: Plan, evidence: Evidence, limit: int) -> list[Found]:
    """The best values for one hop, best first, each once."""
    if hop.negated and hop.expects != "cause":
        return []
    if hop.expects in WHOLE:
        return _decided(hop, values, plan, evidence)
    subject = Subject.of(values[hop.slots[0]], plan.hints.get(hop.slots[0], "")) if hop.slots else None
    others = tuple(Subject.of(values[slot]) for slot in hop.others)
    excluded = {bare(values[slot]) for slot in _ancestors(hop, plan) if slot in values}
    offered = plan.comparison is not None or " or " in plan.question or plan.hops[-1].expects in WHOLE
    named = frozenset() if offered else frozenset(map(bare, plan.anchors))
    bridge = any(hop.target in (*later.slots, *later.others) for later in plan.hops)
    nation = hop.relation is not None and hop.relation.name == "country"
    canonical = bridge or nation or hop.head in ("citizenship", "citizen") or "citizen" in hop.template
    best: dict[str, Found] = {}
    kin = relatives_of(subject.name, hop.relation, evidence) if subject else None
    for sentence in _sentences(subject, evidence):
        if hop.negated and not negates(sentence.text):
            continue
        ranked_at = by_rank(subject, sentence)
        for rated in rate(hop, subject, others, sentence, evidence):
            name, candidate = rated.name, rated.candidate
            if name in excluded or name in named or any(f" {name} " in f" {e} " for e in excluded):
                continue
            if hop.expects == "place" and bare(candidate.text.split(", ")[0]) in excluded:
                continue  # the same with its region behind it: "Torp, Bub County"
            if subject is not None and _asked_about(name, candidate, hop):
                continue
            points, cued, unsaid = rated.points + ranked_at, rated.cued, rated.unsaid
            if kin is not None:
                if kin.fits(candidate.text) is False:
                    continue
                if kin.told(candidate.text, sentence):
                    points, cued, unsaid = max(points, TOLD_SO), True, False
                elif kin.of_another(candidate.text, sentence):
                    points, cued = points - OF_ANOTHER, False
            if bridge and not (_may_lead_on(candidate) and may_be_of(hop.head, candidate.text)):
                continue
            if name not in best or points > best[name].score:
                value = country(candidate.text) if canonical and candidate.kind == "country" else None
                value = value or candidate.text
                best[name] = Found(value, points, sentence, (), cued, unsaid, candidate.start)
    told = [*kin.sought_ones(), *in_turn(kin.subject, hop, evidence)] if kin else []
    best = with_told(best, told) if told else best
    sides = (*plan.comparison.left, *plan.comparison.right) if plan.comparison else ()
    asked = subject is not None and hop.target in sides and hop.slots[0] < len(plan.anchors)
    own = own_page(subject.name, evidence) if subject and asked else None
    ranked = sorted(best.values(), key=lambda f: -f.score - OWN * (own is not None and f.sentence.title == own.title))
    limit = 1 if own else limit
    if as_asked := _AS_ASKED.get(hop.head):
        ranked = [replace(f, value=as_asked(f.value)) for f in ranked]
    if hop.head in AREAS and hop.relation is not None and hop.relation.name == "located":
        ranked = [replace(f, value=area(f.value, hop.head)) for f in ranked]
    if hop.expects == "person":
        ranked = [replace(f, value=_in_full(f, evidence)) if " " not in f.value else f for f in ranked[:limit]]
    if not bridge and hop.expects == "place":
        ranked = [replace(f, value=without_region(f.value)) for f in ranked[:limit]]
    if not bridge and plan.comparison is None:
        ranked = [
            replace(f, value=with_list(f.sentence.text, f.value, f.start)) if takes_list(hop, f.value) else f
            for f in ranked[:limit]
        ]
    if plan.comparison and plan.comparison.pick in (SHARED, ALIKE) and ranked:
        ranked = [replace(ranked[0], values=tuple(f.value for f in ranked[:MANY]))]
    if describes_pair(hop, plan.comparison) and ranked and hop.expects == "country":
        ranked = [_with_countries(ranked)]
    return ranked[:limit]


def _chosen(hop: Hop, values: dict[int, str], plan: Plan, evidence: Evidence) -> list[Found]:
    """Where a name that a question offers has no page: the sentence that makes it the answer to "Who built it"."""
    if plan.comparison is None or plan.comparison.pick != WHICH or hop.others:
        return []
    question = f"{plan.question.split()[0]} {plan.comparison.attribute}"
    nameless = replace(hop, template=question, slots=(), expects=answer_type(question.lower().split(), None)[0])
    name = bare(values[hop.slots[0]])
    found = [
        Found("yes", rated.points + by_rank(None, sentence), sentence, start=rated.candidate.start)
        for sentence in _sentences(None, evidence)
        for rated in rate(nameless, None, (), sentence, evidence)
        if rated.cued and rated.name == name
    ]
    return sorted(found, key=lambda f: -f.score)[:1]


def _asked_about(name: str, c: Candidate, hop: Hop) -> bool:
    """Whether the question's own words name a candidate, or the same country in another form: it asks for another."""
    words = _own_words(hop.template)
    forms = country_forms(c.text) if c.kind == "country" and hop.expects == "place" else ()
    return any(f" {form} " in words for form in (name, *forms))


def _may_lead_on(c: Candidate) -> bool:
    """Whether something can be asked of a candidate: a name or a country, no title that only describes its page."""
    return c.kind in ("name", "country") and (c.end > 0 or is_name(c.text))


@lru_cache(maxsize=4096)
def _own_words(template: str) -> str:
    return f" {key(_SLOT.sub(' x ', template))} "


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
        name = bare(candidate.text)
        if candidate.role == "spot" and hop.head in head_types():
            continue  # "on which island" wants its name
        if (
            not name
            or (_same(name, subject) and not _is_seat(name, subject, hop))
            or (candidate.role == "party" and _asks_party(hop))
        ):
            continue
        if type_fit(hop.expects, candidate, sentence, None) <= IMPOSSIBLE:
            continue
        if candidate.role == "frequency" and hop.expects == "date" and not _HABITUAL.match(hop.template.lower()):
            continue
        if subject and here is None:
            here = setting(hop, subject, others, sentence, evidence)
        features = score(here, candidate, evidence) if here else read(hop, sentence, candidate, evidence)
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


def _is_seat(name: str, subject: Subject | None, hop: Hop) -> bool:
    """Whether a part of a region's name may be its capital: Torp of the Torp Region."""
    capital = hop.relation is not None and hop.relation.name == "capital"
    return capital and subject is not None and name != subject.key and subject.key.startswith(f"{name} ")


def _asks_party(hop: Hop) -> bool:
    """Whether a hop asks who plays a part, which the name of another part does not say: "who is the landlord"."""
    return hop.head in vocabulary("party") or any(word in vocabulary("party") for word in _WHO_IS.findall(hop.template))


_WHO_IS = re.compile(r"^[Ww]ho (?:is|was|are|were) the ([a-z]+)")
_HABITUAL = re.compile(r"(?:when|(?:on |at |in )?(?:what|which) (?:week)?days?) (?:does|do|is|are|can)\b")
"""A question that what happens every week answers, too."""


def _decided(hop: Hop, values: dict[int, str], plan: Plan, evidence: Evidence) -> list[Found]:
    """What is read off as a whole: a verdict, or a page's own words on what its subject is."""
    if hop.expects in (MEANING, MANNER):
        told = stated(hop, values, evidence)
        return [Found(told[1], STATED, told[0])] if told else []
    if hop.expects == FITTING:
        return [Found(*judged)] if (judged := fits(hop, values, evidence)) else _chosen(hop, values, plan, evidence)
    if hop.expects == KINDS:
        known = kinds(hop, values, evidence)
        return [Found(known[0][0], SAID, known[1], tuple(known[0]))] if known else []
    if hop.expects == DEFINITION:
        subject = Subject.of(values[hop.slots[0]])
        pages = sorted(evidence.pages.values(), key=lambda p: title_match(subject, p), reverse=True)
        described = [(page, page.definition) for page in pages[:1] if title_match(subject, page) > 0.5]
        told = next((text for _, text in described if text), None) or called(subject.name, evidence)
        return [Found(told[1], STATED, told[0])] if told else []

    def best(asked: Hop, known: dict[int, str]) -> tuple[str, float, Sentence] | None:
        found = look_up(asked, known, plan, evidence, 1)
        return (found[0].value, found[0].score, found[0].sentence) if found else None

    if (
        _IDENTITY.fullmatch(_SLOT.sub("x", hop.template.lower()).strip(" ?"))
        and len(slots := (*hop.slots, *hop.others)) > 1
    ):
        return _identified(slots[0], slots[1], values, plan, evidence)
    verdict = check(hop, values, evidence, best)
    return [Found(*verdict)] if verdict else []


_IDENTITY = re.compile(r"(?:is|was|are|were) x (?:the )?x")
"""A question whether one name is another, or what a hop before it found: "is X the father of Y"."""
_SEVERAL = frozenset("child daughter son brother sister sibling friend pupil student member part".split())
"""Of these somebody may have more than the one that was found."""


def _kin_of(hop: Hop, values: dict[int, str], evidence: Evidence) -> Relatives | None:
    """The relatives of a hop's subject, where that is known and the hop asks for one."""
    subject = values.get(hop.slots[0]) if hop.slots else None
    return relatives_of(subject, hop.relation, evidence) if subject else None


def _identified(name: int, sought: int, values: dict[int, str], plan: Plan, evidence: Evidence) -> list[Found]:
    """Whether what a hop before this one found is who the question says, by the sentence of that hop."""
    asked = next((hop for hop in plan.hops if hop.target == sought), None)
    kin = _kin_of(asked, values, evidence) if asked else None
    if kin is not None and (other := kin.other(values[name])):
        return [Found("no", STATED, other.sentence)]  # who is told to be something else
    found = look_up(asked, values, plan, evidence, 1) if asked else []
    if not asked or not found:
        return []
    same = _same(bare(found[0].value), Subject.of(values[name]))
    if not same and (asked.head in _SEVERAL or not found[0].cued):
        return []
    return [replace(found[0], value="yes" if same else "no", values=())]


def _sentences(subject: Subject | None, evidence: Evidence) -> list[Sentence]:
    """Those that could speak of the subject: on its page, or naming it; all of them where there is none."""
    if subject is None:
        return evidence.sentences[:_SENTENCES]
    matches = {page.title: title_match(subject, page) for page in evidence.pages.values()}
    best = max(matches.values(), default=0.0)
    about = {
        page.title
        for page in evidence.pages.values()
        if (matches[page.title] > 0.5 and matches[page.title] >= best - 0.1) or subject.named_in(page.folded)
    }
    chosen = [
        s
        for s in evidence.sentences
        if s.title in about or locate(subject, s, False) or speaks(subject, evidence.pages[key(s.title)], s)
    ]
    # A heading names what follows and states nothing.
    chosen = [s for s in chosen if states(s.text)]
    return (chosen or evidence.sentences)[:_SENTENCES]


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
    page = evidence.pages[key(sentence.title)]
    if subject is None or title_match(subject, page) < 0.9:
        name = without_parenthesis(page.name)
        if _may_answer(name, hop, (subject, *others) if subject else ()) and not any(
            key(c.text) == key(name) for c in found
        ):
            found.append(Candidate(name, 0, 0, "name"))
    elif sentence.index == 0 and (author := byline(sentence.title)):
        found.append(Candidate(author, 0, 0, "name", "byline"))
    return found


_AS_ASKED: dict[str, Callable[[str], str]] = {"year": year, "century": century, "sport": sport_of}
"""In what form a value is given, by the noun of the question."""
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


def _in_full(found: Found, evidence: Evidence) -> str:
    """A person's whole name, where a sentence has only the last one and the same page has said it before."""
    page = evidence.pages[key(found.sentence.title)]
    last = re.compile(rf"(?:[^\W\d_][\w.’'-]*\s){{1,3}}{re.escape(found.value)}(?!\w)")
    for sentence in page.sentences:
        for c in sentence.candidates(evidence.titles):
            if c.kind == "name" and last.fullmatch(c.text) and not c.text.lower().startswith("the "):
                return c.text
    return found.value


def _ancestors(hop: Hop, plan: Plan) -> set[int]:
    """The slots that a hop's own chain rests on: none of their values can be its answer."""
    filled = {h.target: h for h in plan.hops}
    slots = {*hop.slots, *hop.others}
    for slot in tuple(slots):
        if slot in filled:
            slots |= _ancestors(filled[slot], plan)
    return slots


def bare(name: str) -> str:
    """A name as compared: "The Salt & the Tide" is "Salt and the Tide"."""
    return key(without_parenthesis(name)).replace(" and ", " ").removeprefix("the ")


def _same(name: str, subject: Subject | None) -> bool:
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
    return all(word in vocabulary("person", "titles") for word in extra)


def _with_countries(ranked: list[Found]) -> Found:
    """All countries that the best sentence names, for a comparison of what two things share."""
    best = ranked[0]
    named = tuple(
        f.value for f in ranked if f.sentence is best.sentence and country(f.value) and f.score > best.score - 1.0
    )
    return Found(best.value, best.score, best.sentence, named or (best.value,))
