"""Which values of a hop may become bridges, and which are only what was asked about."""

from __future__ import annotations

from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.fit import may_be_of
from clew.agent.extractive.planning import planned
from clew.agent.extractive.search import look_up
from clew.agent.protocol import DIALECTS
from clew.types import Passage, Step


def evidence_of(query: str, pages: dict[str, str]) -> Evidence:
    passages = tuple(Passage(title, title, title, text, 0, len(text), 0.0) for title, text in pages.items())
    return Evidence([Step("", query, passages=passages)], DIALECTS["graph-r1"])


def values_of(question: str, hop: int, known: dict[int, str], evidence: Evidence) -> list[str]:
    plan = planned(question)
    values = {**dict(enumerate(plan.anchors)), **known}
    return [found.value for found in look_up(plan.hops[hop], values, plan, evidence, 5)]


def test_a_state_is_no_town() -> None:
    assert not may_be_of("town", "Wisconsin")
    assert may_be_of("state", "Wisconsin")
    assert may_be_of("town", "Corran")
    pages = {"Ada Finch": "Ada Finch (born 2 May 1953 in Corran, Wisconsin) is a poet."}
    evidence = evidence_of("town of Ada Finch", pages)
    towns = values_of("Who is the mayor of the town where Ada Finch was born?", 0, {}, evidence)
    assert towns[0] == "Corran"
    assert "Wisconsin" not in towns


def test_a_place_with_its_region_behind_it_is_no_other_place() -> None:
    evidence = evidence_of(
        "district in Bub County",
        {
            "District Torp, Northern Bub": "District Torp is a rural parish in Bub County, Northern Bub.",
            "District Ostby": "District Ostby is a district in Bub County.",
        },
    )
    question = "What other district is found in the same county as District Torp?"
    found = values_of(question, 1, {1: "Bub County"}, evidence)
    assert "District Ostby" in found
    assert "District Torp, Northern Bub" not in found
