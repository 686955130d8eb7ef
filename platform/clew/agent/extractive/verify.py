"""Yes or no: whether what was retrieved states, or contradicts, what the question says."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

from clew.agent.extractive.evidence import Evidence, Sentence, stems
from clew.agent.extractive.lexicon import Relation, find_relation, key, stem
from clew.agent.extractive.negation import denies, negates
from clew.agent.extractive.plan import MEANING, Hop
from clew.agent.extractive.quantities import HALF_A_CENTURY, date_parts, is_century
from clew.agent.extractive.setting import content_stems
from clew.agent.extractive.subject import Subject, title_match
from clew.agent.extractive.word_classes import AUXILIARY
from clew.text.names import without_parenthesis

BELIEVED = 5.0
"""Score from which another value than the one in question means *no*."""
OF_LIFE = 1.5
"""What the date of a birth or a death has to score more: the other one stands beside it, or alone."""
STATED = 7.0
"""Score of a verdict that a sentence states outright."""

Verdict = tuple[str, float, Sentence]
Best = Callable[[Hop, dict[int, str]], "tuple[str, float, Sentence] | None"]
"""Looks up a hop and returns its best value with score and sentence."""


def check(hop: Hop, values: dict[int, str], evidence: Evidence, best: Best) -> Verdict | None:
    """``yes`` or ``no`` with a score and the sentence that says so; None where nothing tells."""
    for slot in hop.others:
        if _YEAR.fullmatch(values.get(slot, "")):  # "753 BC" was taken for a name
            template = hop.template.replace(f"{{{slot}}}", values[slot])
            hop = replace(hop, template=template, others=tuple(other for other in hop.others if other != slot))
    slots = [slot for slot in (*hop.slots, *hop.others) if slot in values]
    text = re.sub(r"\{\d+\}", " x ", hop.template.lower())
    if (year := _YEAR.search(text)) and slots:
        verdict = _is_dated(hop, slots[0], year, values, best, find_relation(f"when {text}"))
    elif len(slots) > 1:
        verdict = _relates(hop, slots, text, values, best)
    else:
        verdict = _is_described(hop, values[slots[0]], evidence) if slots else None
    return verdict or _is_said(hop, [values[slot] for slot in slots], evidence)


def _is_dated(
    hop: Hop, subject: int, asked: re.Match[str], values: dict[int, str], best: Best, relation: Relation | None
) -> Verdict | None:
    """Whether something was in, before or after a year, by the date that was found for it."""
    undated = replace(hop, template=_YEAR.sub("", hop.template))
    found = _value(undated, subject, values, best, relation)
    date = date_parts(found[0]) if found else ()
    # A date that only stands beside the right one is no better evidence for a yes than for a no.
    needed = BELIEVED + (OF_LIFE if relation and relation.role in ("birth", "death") else 0.0)
    if found is None or not date or found[1] < needed:
        return None
    ours, theirs = int(asked["year"]) * (-1 if (asked["era"] or "").startswith("b") else 1), date[0]
    if is_century(found[0]) and abs(ours - theirs) <= HALF_A_CENTURY:
        return None
    told = {"before": theirs < ours, "after": theirs > ours, "by": theirs <= ours}.get(asked["when"], theirs == ours)
    return "yes" if told else "no", found[1], found[2]


_YEAR = re.compile(
    r"\b(?:(?P<when>before|after|by|in|during|around) )?(?:the year )?"
    r"(?P<year>\d{1,4}(?= (?:ad|bce?|ce)\b)|\d{3,4})\b(?: (?P<era>ad|bce?|ce)\b)?",
    re.IGNORECASE,
)


def _relates(hop: Hop, slots: list[int], text: str, values: dict[int, str], best: Best) -> Verdict | None:
    """Both ways round: Y may be the value of X ("was X born in Y"), or X that of Y ("did X write Y")."""
    first, second = slots[0], slots[1]
    relation = find_relation(text.split(None, 1)[1]) or find_relation(f"where {text}")
    ways = ((first, second), (second, first))
    verdicts = [_has_value(hop, subject, values[value], values, best, relation) for subject, value in ways]
    told = [verdict for verdict in verdicts if verdict is not None]
    said = [verdict for verdict in told if verdict[0] == "yes"]
    return max(said, key=lambda verdict: verdict[1]) if said else next(iter(told), None)


def _has_value(
    hop: Hop, subject: int, wanted: str, values: dict[int, str], best: Best, relation: Relation | None
) -> Verdict | None:
    found = _value(hop, subject, values, best, relation)
    if found is None:
        return None
    value, points, sentence = found
    ours, theirs = f" {_bare(wanted)} ", f" {_bare(value)} "
    if ours in theirs or theirs in ours:
        return ("yes", points, sentence) if points > 0 else None
    return ("no", points, sentence) if points >= BELIEVED else None


def _value(
    hop: Hop, subject: int, values: dict[int, str], best: Best, relation: Relation | None
) -> tuple[str, float, Sentence] | None:
    """The best value of a relation of the subject, where the question is of a known one."""
    if relation is None:
        return None
    asked = replace(hop, slots=(subject,), others=(), relation=relation, expects=relation.type, head="")
    return best(asked, {slot: value for slot, value in values.items() if slot == subject})


def _is_described(hop: Hop, name: str, evidence: Evidence) -> Verdict | None:
    """Whether the page of a name calls it what the question does: "is X an island"; that it does not proves nothing."""
    wanted = {stem for stem in content_stems(hop.template) if stem}
    page = next((p for p in evidence.pages.values() if title_match(Subject.of(name), p) > 0.7), None)
    if page is None or not wanted:
        return None
    for sentence in page.sentences:
        if wanted <= sentence.stems - {stem(word) for word in key(without_parenthesis(sentence.title)).split()}:
            return "no" if denies(sentence.text, wanted) else "yes", STATED, sentence
    return None


def _is_said(hop: Hop, names: list[str], evidence: Evidence) -> Verdict | None:
    """Whether a sentence says in the question's own words that it is so, or that it is not.

    A yes wants all of them in the sentence, its heading or its title; a denial may leave to the sentences before it
    what it is about: "Is food allowed in the reading room?" is told by "Food is not allowed".
    """
    wanted = content_stems(hop.template) - set(map(stem, AUXILIARY))
    numbers = re.findall(r"\d[\d.,]*", re.sub(r"\{\d+\}", " ", hop.template))
    keys = [_bare(name) for name in names]
    for sentence in evidence.sentences if len(wanted) > 1 else ():
        own = stems(sentence.text)
        said = wanted & own
        there = f" {key(sentence.title)} {sentence.folded} "
        if len(said) < max(2, math.ceil(SPOKEN * len(wanted))) or not all(f" {one} " in there for one in keys):
            continue
        if not all(number in sentence.text for number in numbers):
            if wanted <= own and _in_another_year(numbers, sentence.text) and not negates(sentence.text):
                return "no", STATED, sentence
            continue
        if wanted <= own | stems(f"{sentence.title} {sentence.heading} {sentence.before}") and denies(
            sentence.text, said
        ):
            return "no", STATED, sentence
        if wanted <= own | stems(f"{sentence.title} {sentence.heading}") and not negates(sentence.text):
            return "yes", STATED, sentence
    return None


def _in_another_year(numbers: list[str], text: str) -> bool:
    """Whether a question has no number but a year, and the sentence no year but another one."""
    told = re.findall(r"\b\d{4}\b", text)
    return len(numbers) == len(told) == 1 and len(numbers[0]) == len(told[0]) and numbers != told


SPOKEN = 0.5
"""Share of a question's words that the very sentence must have that decides on it."""
_CALLED = (
    r"\b{name} (?:is|was) (?:an?|the) ([^.;,]{{3,140}})",
    r"\b{name}, (?:an?|the) ([a-z][^.;,]{{2,100}})[.,;]",
    r"\b(?:an?|the) ([a-z][^.;,]{{2,80}}) (?:is|was) (?:the )?{name}(?![\w’'-])",
    r"\b(?:an?|the|(?P<its>its)) ((?:(?!\b(?:an?|the|is|was|are|were)\b)[\w’' -]){{3,60}}), (?:the )?{name}(?![\w’'-])",
)
"""What a sentence calls a name that has no page: "a cliff, the Gannet Wall", "its first keeper, Amos Dunne"."""


def called(name: str, evidence: Evidence) -> tuple[Sentence, str] | None:
    """What some sentence says in passing that a name is, and that sentence."""
    bare = re.escape(without_parenthesis(name).removeprefix("The ").removeprefix("the "))
    for pattern in _CALLED if bare else ():
        wanted = re.compile(pattern.format(name=bare), re.IGNORECASE)
        for sentence in evidence.sentences:
            if match := wanted.search(sentence.text):
                owner = without_parenthesis(sentence.title)
                words = match.group(match.lastindex or 0).strip()
                return sentence, f"{words} of {owner}" if match.groupdict().get("its") else words
    return None


_MEANS = re.compile(r"\b(?:means?|meant|indicates?|signifies|stands for)\s+(?:that\s+)?([^.;]{3,200})")
_PURPOSE = re.compile(r"^To ([^,]{3,80}), ([^.;]{3,300})")


def stated(hop: Hop, values: dict[int, str], evidence: Evidence) -> tuple[Sentence, str] | None:
    """The clause that says what a thing means ("E4 means that …"), or how a thing is done ("To clear it, press …")."""
    wanted = content_stems(hop.template) - {stem("mean"), stem("indicate")}
    names = [f" {key(values[slot])} " for slot in (*hop.slots, *hop.others) if slot in values]
    for sentence in evidence.sentences:
        match = (_MEANS.search if hop.expects == MEANING else _PURPOSE.search)(sentence.text)
        if match is None:
            continue
        before = sentence.text[: match.start(match.lastindex or 0)]
        told = {stem(word) for word in re.findall(r"[^\W_]+", before)}
        if all(name in f" {key(before)} " for name in names) and (names or wanted) and wanted <= told:
            return sentence, match.group(match.lastindex or 0).strip(" ,")
    return None


def _bare(name: str) -> str:
    return key(without_parenthesis(name)).removeprefix("the ")
