"""Answers a plan's hops one after another on the evidence, keeping the best few chains of bridges."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from clew.agent.extractive.answer_types import answer_type
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.definitions import SAID, fits, own_kinds, own_page
from clew.agent.extractive.evidence import Evidence, Sentence, states
from clew.agent.extractive.fit import is_name
from clew.agent.extractive.found import Found, Path
from clew.agent.extractive.given import in_form
from clew.agent.extractive.kin import TOLD_SO, Relatives, relatives_of, with_told
from clew.agent.extractive.kin_words import is_personal
from clew.agent.extractive.lexicon import country, country_forms, key, relations, vocabulary
from clew.agent.extractive.negation import negates
from clew.agent.extractive.pairs import WHICH
from clew.agent.extractive.places import may_be_of
from clew.agent.extractive.plan import DEFINITION, FITTING, KINDS, MANNER, MEANING, WHOLE, Hop, Plan
from clew.agent.extractive.rating import bare, by_rank, is_seat, rate, same
from clew.agent.extractive.subject import Subject, locate, speaks, title_match
from clew.agent.extractive.succession import in_turn
from clew.agent.extractive.verify import STATED, called, check, stated

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
_SENTENCES = 60
_SLOT = re.compile(r"\{\d+\}")


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
    bridge = plan.leads_on(hop)
    nation = hop.relation is not None and hop.relation.name in ("country", "birthplace")
    canonical = bridge or nation or hop.head in ("citizenship", "citizen") or "citizen" in hop.template
    best: dict[str, Found] = {}
    kin = relatives_of(subject.name, hop.relation, evidence) if subject else None
    for sentence in _sentences(subject, evidence):
        if hop.negated and not negates(sentence.text):
            continue
        ranked_at = by_rank(subject, sentence)
        for rated in rate(hop, subject, others, sentence, evidence):
            name, candidate = rated.name, rated.candidate
            part = any(f" {name} " in f" {e} " for e in excluded) and not is_seat(name, subject, hop)
            if name in excluded or name in named or part:
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
    return in_form(ranked, hop, plan, evidence, 1 if own else limit)


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


def _decided(hop: Hop, values: dict[int, str], plan: Plan, evidence: Evidence) -> list[Found]:
    """What is read off as a whole: a verdict, or a page's own words on what its subject is."""
    if hop.expects in (MEANING, MANNER):
        told = stated(hop, values, evidence)
        return [Found(told[1], STATED, told[0])] if told else []
    if hop.expects == FITTING:
        return [Found(*judged)] if (judged := fits(hop, values, evidence)) else _chosen(hop, values, plan, evidence)
    if hop.expects == KINDS:
        known = own_kinds(hop, values, evidence)
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
    is_same = same(bare(found[0].value), Subject.of(values[name]))
    if not is_same and (asked.head in _SEVERAL or not found[0].cued):
        return []
    return [replace(found[0], value="yes" if is_same else "no", values=())]


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
    spoken = any(page.speaker for page in evidence.pages.values())
    chosen = [
        s
        for s in evidence.sentences
        if s.title in about or locate(subject, s, False) or (spoken and speaks(subject, evidence.page_of(s), s))
    ]
    # A heading names what follows and states nothing.
    chosen = [s for s in chosen if states(s.text)]
    return (chosen or evidence.sentences)[:_SENTENCES]


def _ancestors(hop: Hop, plan: Plan) -> set[int]:
    """The slots that a hop's own chain rests on: none of their values can be its answer."""
    filled = {h.target: h for h in plan.hops}
    slots = {*hop.slots, *hop.others}
    for slot in tuple(slots):
        if slot in filled:
            slots |= _ancestors(filled[slot], plan)
    return slots
