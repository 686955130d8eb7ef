"""From a question to its plan, with what the evidence tells about the names in it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

from clew.agent.extractive.anchors import Anchor, find_anchors, tokens
from clew.agent.extractive.compare import comparison
from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.grammar import chain, prepare
from clew.agent.extractive.kin import relatives_of
from clew.agent.extractive.kin_words import kin_relation
from clew.agent.extractive.lexicon import kinship_terms
from clew.agent.extractive.plan import Plan
from clew.agent.extractive.spelling import respelled, with_capitals
from clew.agent.extractive.wording import in_own_name, plain


def make_plan(question: str, evidence: Evidence) -> Plan:
    """The question's hops, with the names that the evidence helps to recognise."""
    question, misspelt = respelled(in_own_name(with_capitals(plain(question), evidence)), evidence)
    plan = _told_at_once(planned(question, evidence.titles | evidence.entities), evidence)
    return replace(plan, misspelt=misspelt) if misspelt else plan


def _told_at_once(plan: Plan, evidence: Evidence) -> Plan:
    """The plan with one hop for a relative such as *grandson* that something found tells as such."""
    for last, hop in enumerate(plan.hops):
        first = last + 1 - len(kinship_terms().get(hop.term, ()))
        if not hop.term or first == last or (relation := kin_relation(hop.term)) is None:
            continue
        slots = plan.hops[first].slots
        kin = relatives_of(plan.anchors[slots[0]], relation, evidence) if slots[0] < len(plan.anchors) else None
        if kin is not None and kin.sought_ones():
            template = f"{hop.term} of {{{slots[0]}}}"
            whole = replace(hop, template=template, slots=slots, relation=relation, expects="person", term="")
            return replace(plan, hops=(*plan.hops[:first], whole, *plan.hops[last + 1 :]))
    return plan


def planned(question: str, known: Collection[str] = frozenset()) -> Plan:
    """The question's hops; ``known`` are keys of titles and entities."""
    return _planned(question, tuple(find_anchors(question, tokens(question), known)))


@lru_cache(maxsize=256)
def _planned(question: str, anchors: tuple[Anchor, ...]) -> Plan:
    names, draft = prepare(question, anchors)
    return comparison(question, names, draft) or chain(question, names, draft)
