"""Which values of a hop may become bridges, and which are only what was asked about."""

from __future__ import annotations

from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.places import may_be_of
from clew.agent.extractive.planning import planned
from clew.agent.extractive.search import look_up, search
from clew.agent.protocol import DIALECTS
from clew.types import Passage, Step


def evidence_of(query: str, pages: dict[str, str]) -> Evidence:
    return evidence_after([query], pages)


def evidence_after(queries: list[str], pages: dict[str, str]) -> Evidence:
    passages = tuple(Passage(title, title, title, text, 0, len(text), 0.0) for title, text in pages.items())
    return Evidence([Step("", query, passages=passages) for query in queries], DIALECTS["graph-r1"])


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


def test_a_relative_asked_for_in_vain_leaves_room_for_another_bridge() -> None:
    question = "Who is the sibling of the actress who played Lina Moor in The Quiet Shore?"
    pages = {
        "Ada Finch": "Ada Finch is known for playing Lina Moor in The Quiet Shore (1994) and Ida Vale in Tarn.",
        "The Quiet Shore": "The Quiet Shore is a film of 1947 about Lina Moor, with Berta Holm.",
    }
    plan = planned(question, {"lina moor", "the quiet shore"})
    bridge = plan.hops[0].target

    first = plan.hops[0].text(dict(enumerate(plan.anchors)))
    assert search(plan, evidence_after([first], pages))[0].values[bridge] == "Ada Finch"
    after = search(plan, evidence_after([first, "sibling of Ada Finch"], pages))
    assert after[0].values[bridge] != "Ada Finch"
