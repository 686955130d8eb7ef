"""From a question to its plan, with what the evidence tells about the names in it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

from clew.agent.extractive.anchors import Anchor, find_anchors, tokens
from clew.agent.extractive.compare import comparison
from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.grammar import chain, prepare
from clew.agent.extractive.plan import Plan
from clew.agent.extractive.spelling import respelled, with_capitals
from clew.agent.extractive.wording import in_own_name, plain


def make_plan(question: str, evidence: Evidence) -> Plan:
    """The question's hops, with the names that the evidence helps to recognise."""
    question, misspelt = respelled(in_own_name(with_capitals(plain(question), evidence)), evidence)
    plan = planned(question, evidence.titles | evidence.entities)
    return replace(plan, misspelt=misspelt) if misspelt else plan


def planned(question: str, known: Collection[str] = frozenset()) -> Plan:
    """The question's hops; ``known`` are keys of titles and entities."""
    return _planned(question, tuple(find_anchors(question, tokens(question), known)))


@lru_cache(maxsize=256)
def _planned(question: str, anchors: tuple[Anchor, ...]) -> Plan:
    names, draft = prepare(question, anchors)
    return comparison(question, names, draft) or chain(question, names, draft)
