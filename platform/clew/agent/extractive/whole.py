"""Reads a question as a whole where its hops lead nowhere: by how much of it a sentence and its neighbour cover.

A plan rests on the order of a question's words, and one clause read wrongly loses all of it. This reading needs only
the words: a candidate stands in a sentence that speaks of the question, and that sentence shares a name or a page with
another one that speaks of the rest. What is asked last counts most.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace

from clew.agent.extractive.answer_types import ANY, PHRASED
from clew.agent.extractive.between import words_between
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.cues import related
from clew.agent.extractive.evidence import Evidence, Sentence
from clew.agent.extractive.fit import SELDOM, head_fit, is_name, of_a_power, type_fit, unit_wanted
from clew.agent.extractive.lexicon import country, key, stem
from clew.agent.extractive.listing import takes_list, with_list
from clew.agent.extractive.noun_phrases import echoed, with_phrases
from clew.agent.extractive.persons import untitled
from clew.agent.extractive.plan import FITTING, KINDS, WHOLE, YES_NO, Hop, Plan
from clew.agent.extractive.setting import USUAL, content_stems
from clew.agent.extractive.subject import Subject
from clew.text.names import without_parenthesis

WEIGHTS = {
    "close": 10.0,
    "own": 3.0,
    "linked": 5.0,
    "type": 3.0,
    "head": 2.0,
    "told": 1.5,
    "rank": 0.8,
    "similar": 6.0,
    "title": -0.5,
    "loose": -2.0,
    "echo": -1.5,
}
"""What each feature is worth; the first three are shares of the question, the others lie in −1 … 1.

``told`` is how clearly a cue of what is asked last leads to the value, ``similar`` the cosine of sentence and question.
"""
INNER = 0.4
"""What a word of an inner clause counts against one of what is asked last."""
COVERED = 0.5
"""Share of the question that a sentence and its neighbour must speak of for a value to be believed."""
_DECIDED = (YES_NO, FITTING, KINDS)
"""What no span of text answers."""
_SENTENCES = 140


@dataclass(frozen=True, slots=True)
class Reading:
    """A value read off the question as a whole: the sentence it stands in, its score, and the share it covers."""

    value: str
    sentence: Sentence
    score: float
    covered: float


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A sentence, what of the question it speaks of (stems, and names by number), and the names it links by."""

    sentence: Sentence
    stems: frozenset[str]
    names: frozenset[int]
    links: frozenset[str]
    candidates: tuple[Candidate, ...]


def read_whole(plan: Plan, values: dict[int, str], evidence: Evidence) -> Reading | None:
    """The best value for the plan's last hop, whatever its bridges; ``values`` holds those that are known.

    None where the question asks for no span of text, or nothing of its type was found. Read once, as a guess asks again
    for what was not believed.
    """
    at = plan.question, plan.hops, plan.comparison, tuple(values.items())
    if at not in evidence.readings:
        evidence.readings[at] = _read(plan, values, evidence)
    reading = evidence.readings[at]
    assert reading is None or isinstance(reading, Reading)
    return reading


def _read(plan: Plan, values: dict[int, str], evidence: Evidence) -> Reading | None:
    hop = plan.hops[-1]
    if plan.comparison or hop.expects in _DECIDED:
        return None
    hop = replace(hop, expects=ANY) if hop.expects in WHOLE else hop
    names = [key(without_parenthesis(name)).removeprefix("the ") for name in values.values()]
    outer = content_stems(hop.template)
    stems = outer.union(*(content_stems(h.template) for h in plan.hops))
    phrased = hop.expects in PHRASED
    spoken = [_spoken(s, stems, names, evidence, phrased=phrased) for s in evidence.sentences[:_SENTENCES]]
    counts = Counter(stem for one in spoken for stem in one.stems)
    named = Counter(n for one in spoken for n in one.names)
    weights: dict[str | int, float] = {n: math.log(1 + len(spoken) / (1 + named[n])) for n in range(len(names))}
    for word in stems:
        weights[word] = math.log(1 + len(spoken) / (1 + counts[word])) * (1.0 if word in outer else INNER)
    whole = sum(weights.values()) or 1.0
    ranked = sorted(((_weight(one, weights), one) for one in spoken), key=lambda pair: -pair[0])
    asked = [name for name in names if " " in name]  # "Mrs. Helena Duarte" is no answer to what is asked of her
    taken = f" {key(plan.question)} {' | '.join(names)} "
    best: Reading | None = None
    at: Candidate | None = None
    for one in spoken:
        own = _weight(one, weights) / whole
        linked = _most_linked(one, ranked, weights) / whole
        base = WEIGHTS["own"] * own + WEIGHTS["linked"] * linked + WEIGHTS["loose"] * (not one.names)
        base += WEIGHTS["rank"] * one.sentence.standing
        base += WEIGHTS["similar"] * (_similar(one.sentence, plan.question) - USUAL)
        for c in one.candidates:
            name = key(c.text).removeprefix("the ")
            fit = _fit(hop, plan.question, c, one.sentence, evidence)
            if not name or f" {name} " in taken or fit is None or any(f" {n} " in f" {name} " for n in asked):
                continue
            close = WEIGHTS["close"] * _close(one, c, weights) / whole
            if c.nameless:
                fit += WEIGHTS["echo"] * echoed(c.text, stems)
            points = base + fit + close + WEIGHTS["title"] * (c.end == 0)
            if best is None or points > best.score:
                best = Reading(c.text, one.sentence, points, own + linked)
                at = c
    if best and hop.expects == "person":
        best = replace(best, value=untitled(best.value))
    if best and at and at.end and takes_list(hop, best.value):
        best = replace(best, value=with_list(best.sentence.text, best.value, at.start))
    return best


def _spoken(
    sentence: Sentence, stems: frozenset[str], names: list[str], evidence: Evidence, *, phrased: bool
) -> _Spoken:
    title = without_parenthesis(sentence.title)
    folded = f"{sentence.folded} {key(sentence.title)} "
    found = sentence.candidates(evidence.titles)
    links = {key(title)} | {key(country(c.text) or c.text) for c in found if c.kind in ("name", "country")}
    if title and is_name(title) and all(key(c.text) != key(title) for c in found):
        found = (*found, Candidate(title, 0, 0, "name"))
    if phrased:
        found = with_phrases(found, sentence.text)
    said = frozenset(n for n, name in enumerate(names) if f" {name} " in folded)
    return _Spoken(sentence, sentence.stems & stems, said, frozenset(links.difference(names)), found)


def _weight(one: _Spoken, weights: dict[str | int, float]) -> float:
    return sum(weights[word] for word in one.stems) + sum(weights[name] for name in one.names)


def _most_linked(one: _Spoken, ranked: list[tuple[float, _Spoken]], weights: dict[str | int, float]) -> float:
    """The most that a neighbour speaks of beyond the sentence; ``ranked`` are all by weight, so that few are tried."""
    most, ours = 0.0, one.stems | one.names
    for weight, other in ranked:
        if weight <= most:
            break
        if _linked(one, other):
            most = max(most, sum(weights[x] for x in (other.stems | other.names) - ours))
    return most


def _linked(one: _Spoken, other: _Spoken) -> bool:
    """Whether two sentences belong together: of one page, or by a name that the question does not mention."""
    same = one.sentence.title == other.sentence.title
    return one is not other and (same or not one.links.isdisjoint(other.links))


def _fit(hop: Hop, question: str, c: Candidate, sentence: Sentence, evidence: Evidence) -> float | None:
    """What a candidate's type and kind are worth; None where it cannot be of the type sought."""
    target = evidence.page(c.text)
    fit = of_a_power(type_fit(hop.expects, c, sentence, target), hop.template)
    if fit <= SELDOM:
        return None
    if hop.expects == "number" and (unit := unit_wanted(question.lower())):
        fit = 1.0 if unit.search(c.text) else -1.0
    head = head_fit(hop.head, c, sentence, target) if hop.head and hop.expects != "person" else 0.0
    return WEIGHTS["type"] * fit + WEIGHTS["head"] * head + WEIGHTS["told"] * _told(hop, c, sentence)


def _similar(sentence: Sentence, question: str) -> float:
    """The cosine of a sentence and the question, the usual one where it was not found by the whole question."""
    asked = question.rstrip(" ?")
    return max((cosine for query, cosine in sentence.similar.items() if query.rstrip(" ?") == asked), default=USUAL)


def _told(hop: Hop, c: Candidate, sentence: Sentence) -> float:
    """How clearly a cue of what is asked last leads to a candidate, of whomever the sentence speaks."""
    if hop.relation is None:
        return 0.0
    title = Subject.of(without_parenthesis(sentence.title))
    cues = related(hop.relation, title, sentence.text, c, None, 1.0, gender="", agent=False)
    return max(cues["direct"], cues["inverse"])


def _close(one: _Spoken, c: Candidate, weights: dict[str | int, float]) -> float:
    """The weight of the question's words in the sentence, each less the farther it stands."""
    text = one.sentence.text
    nearest: dict[str, float] = {}
    for match in re.finditer(r"[^\W\d_]+", text):
        word = stem(match.group())
        if word in one.stems and not c.start <= match.start() < c.end:
            before = match.end() <= c.start
            gap = words_between(text, match.end(), c.start) if before else words_between(text, c.end, match.start())
            nearest[word] = max(nearest.get(word, 0.0), math.exp(-gap / 8))
    return sum(weights[word] * value for word, value in nearest.items())
