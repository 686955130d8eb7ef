"""A plain question whose answer stands in a sentence that does not name whom it is asked of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.agent.extractive.evidence import Evidence, Sentence, states
from clew.agent.extractive.found import Found
from clew.agent.extractive.kin_words import is_personal
from clew.agent.extractive.plan import WHOLE, Plan
from clew.agent.extractive.rating import bare, by_rank, rate
from clew.agent.extractive.subject import Subject


def look_beside(plan: Plan, evidence: Evidence) -> Found | None:
    """The value for a plain question in a sentence that does not name whom it is asked of, though its page does.

    "When did Delmont appeal?" is told by "The company appealed in January 2022." Pages that define something else are
    left out: there *the company* is theirs.
    """
    hop = plan.hops[-1] if len(plan.hops) == 1 else None
    if hop is None or hop.negated or plan.comparison or not hop.slots or hop.expects in WHOLE:
        return None
    if is_personal(hop.relation):
        return None  # whose relative somebody is has to be said
    nameless = replace(hop, template=_NAMED.sub("", hop.template), slots=(), others=())
    subjects = [Subject.of(name) for name in plan.anchors]
    best: Found | None = None
    for page in evidence.pages.values():
        said = f"{page.folded} {' '.join(s.folded for s in page.sentences)}"
        if page.kind or not all(subject.named_in(said) for subject in subjects):
            continue
        for sentence in page.sentences:
            if not _refers_back(sentence) or _led_by_another(sentence, subjects, evidence):
                continue
            for rated in rate(nameless, None, (), sentence, evidence):
                named = any(f" {rated.name} " in f" {s.key} " or s.key in rated.name for s in subjects)
                points = rated.points + by_rank(None, sentence)
                if rated.cued and not named and (best is None or points > best.score):
                    best = Found(rated.candidate.text, points, sentence, start=rated.candidate.start)
    return best


_NAMED = re.compile(r"(?:\s+(?:in|on|of|at|for|from|by|to|with))?(?:\s+the)?\s*\{\d+\}(?:['’]s)?")


def _refers_back(sentence: Sentence) -> bool:
    """Whether a sentence speaks of what was named before: "The company …", "He …", and not of a name that leads it."""
    return states(sentence.text) and _BACK.search(sentence.text) is not None


def _led_by_another(sentence: Sentence, subjects: Sequence[Subject], evidence: Evidence) -> bool:
    """Whether a sentence begins with the name of something that the question does not name: its *its* is of that."""
    led = [bare(c.text) for c in sentence.candidates(evidence.titles) if c.kind == "name" and c.start == 0]
    return bool(led) and not any(name in s.key or s.key in name for name in led for s in subjects)


_BACK = re.compile(r"^(?:It|He|She|They|Its|His|Her|Their|This|These|The [a-z]+)\b|\b(?:his|her|its|their|him)\b")
