"""Places and organisations: how they are asked for, where their names end, and who no longer stands for them."""

from __future__ import annotations

import pytest

from clew.agent.extractive import ExtractivePolicy
from clew.agent.extractive.candidates import Candidate, candidates
from clew.agent.extractive.cues import CUED, related
from clew.agent.extractive.evidence import Sentence
from clew.agent.extractive.fit import OTHER_KIND, head_fit, type_fit
from clew.agent.extractive.lexicon import find_relation, relations
from clew.agent.extractive.places import asks_nature, is_known, without_region
from clew.agent.extractive.planning import planned
from clew.agent.extractive.subject import Subject, find_name
from clew.agent.extractive.wording import plain
from clew.agent.protocol import DIALECTS
from clew.types import Fact, Source, Step


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is the member of sports team of Ada Finch?", "Which sports team did Ada Finch play for?"),
        ("What is the member of political party of Ada Finch?", "Which political party was Ada Finch a member of?"),
        ("What is the shares border with of Lorne County?", "Which place shares a border with Lorne County?"),
        ("What is the followed by of Tarn Works?", "What was Tarn Works followed by?"),
        (
            "What is the located in the administrative territorial entity of Torp?",
            "In which jurisdiction is Torp located?",
        ),
        ("What is the part of the series of Low Water?", "Which series is Low Water part of?"),
        ("What is the location of formation of Low Water?", "Where is Low Water from?"),
        ("What is the owned by of Torp Hall?", "Who owns Torp Hall?"),
        ("What is the educated at of Ada Finch?", "Which school did Ada Finch attend?"),
        ("What is the member of of Ada Finch?", "Which organisation was Ada Finch a member of?"),
        ("What is the place served by transport hub of Torp Airport?", "Which place does Torp Airport serve?"),
        ("What is the administrative territorial entity of Torp?", "What is the jurisdiction of Torp?"),
        ("Which administrative area is Torp in?", "Which jurisdiction is Torp in?"),
    ],
)
def test_the_label_of_a_property_is_asked_as_a_question(question: str, asked: str) -> None:
    assert plain(question) == asked
    assert len(planned(asked).hops) == 1


@pytest.mark.parametrize("head", ["state", "jurisdiction"])
@pytest.mark.parametrize("name", ["Tarn River", "Mill Street", "Corran Park"])
def test_a_river_or_a_street_is_no_area_of_an_authority(head: str, name: str) -> None:
    text = f"Torp stands at {name} in Bub."
    at = text.index(name)
    assert head_fit(head, Candidate(name, at, at + len(name), "name"), Sentence("Torp", text), None) <= -2.0


def fit_of(head: str, name: str, text: str) -> float:
    at = text.index(name)
    return head_fit(head, Candidate(name, at, at + len(name), "name"), Sentence("Torp", text), None)


def test_an_adjective_says_which_party_and_a_parliament_is_none() -> None:
    text = "A Republican, she was sent to the Fifth Congress by the National Congress."
    assert fit_of("party", "Republican", text) > fit_of("party", "National Congress", text) > 0
    assert fit_of("party", "Fifth Congress", text) < 0


@pytest.mark.parametrize("head", ["body of water", "feature"])
def test_a_town_is_no_terrain_feature(head: str) -> None:
    text = "Torp lies in Bub District, between Tarn City and the Corran River."
    assert fit_of(head, "Corran River", text) > 0
    assert fit_of(head, "Bub District", text) == fit_of(head, "Tarn City", text) == OTHER_KIND


def test_where_a_river_empties_is_a_body_of_water() -> None:
    relation = find_relation("where does x empty")
    assert relation is not None
    assert relation.name == "body_of_water"


def test_what_a_jurisdiction_contains_is_none() -> None:
    question = "What is the contains administrative territorial entity of Torp?"
    assert "jurisdiction" not in plain(question)


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("In which county is the city bordering Dorton?", ["city bordering {0}", "In which county is {1}"]),
        (
            "When did the lull begin in the war where Torp troops approached the Bub River?",
            ["war where {0} troops approached the {1}", "When did the lull begin in {2}"],
        ),
        (
            "Which county has the town that borders the capital of where Ada Finch was from?",
            ["place where {0} was from", "capital of {1}", "town that borders {2}", "Which county has {3}"],
        ),
        ("Who built the city that became the capital of Dorland?", ["capital of {0}", "Who built {1}"]),
    ],
)
def test_clauses_about_places(question: str, hops: list[str]) -> None:
    assert [hop.template for hop in planned(question).hops] == hops


def test_which_town_somebody_is_from_asks_for_the_birthplace() -> None:
    relation = find_relation("what town is x from")
    assert relation is not None
    assert relation.name == "birthplace"


def test_of_parts_a_smaller_place_from_the_larger_one() -> None:
    found = [c.text for c in candidates("Torp is a town in the Tarn Township of Lorne County.", frozenset())]
    assert {"Tarn Township", "Lorne County"} <= set(found)
    assert "Tarn Township of Lorne County" not in found


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("It was released through 14 Records.", "14 Records", True),
        ("This 20th Century Lamps feature was made at Torp.", "20th Century Lamps", True),
        ("In 1963 Parliament met at Torp.", "1963 Parliament", False),
    ],
)
def test_a_number_may_begin_the_name_of_a_firm(text: str, name: str, found: bool) -> None:
    assert (name in [c.text for c in candidates(text, frozenset())]) == found


def test_what_an_area_contains_is_told_both_ways() -> None:
    [hop] = planned("What does Bub County contain?").hops
    assert hop.relation is not None
    assert hop.relation.name == "contains"
    for text in ("Bub County contains the towns of Torp and Hale.", "Torp is a town in Bub County."):
        at = find_name("Bub County", text)
        c = Candidate("Torp", text.index("Torp"), text.index("Torp") + 4, "name")
        told = related(hop.relation, Subject.of("Bub County"), text, c, at, 0.0, gender="", agent=False)
        assert max(told["direct"], told["inverse"]) > CUED


def test_the_last_word_of_a_name_may_be_that_of_an_area() -> None:
    text = "Torp lies in the Nearer East."
    area, thing = (Candidate(n, text.index(n), text.index(n) + len(n), "name") for n in ("Nearer East", "Nearer"))
    assert type_fit("place", area, Sentence("Torp", text), None) > type_fit(
        "place", thing, Sentence("Torp", text), None
    )


def test_a_team_and_its_league_are_two_names() -> None:
    found = [c.text for c in candidates("She joined the Torp City Gulls of the Northern League.", frozenset())]
    assert {"Torp City Gulls", "Northern League"} <= set(found)


def test_the_country_belongs_to_the_name_of_a_party() -> None:
    text = "He sat for the Civic Party of Denmark."
    found = next(c for c in candidates(text, frozenset()) if c.text == "Civic Party of Denmark")
    assert not found.inside
    assert head_fit("party", found, Sentence("Ada Finch", text), None) > 0


def test_the_first_of_two_nationalities_is_a_descent() -> None:
    roles = {c.text: c.role for c in candidates("She is a Greek American painter.", frozenset()) if c.kind == "country"}
    assert roles["Greek"] == "origin"
    assert roles["American"] == "demonym"


def test_the_nearest_area_of_a_kind_is_the_likeliest_neighbour() -> None:
    text = "It serves Alder County, southern Birch County and the village of Hale, in Corran County."
    at = find_name("Corran County", text)

    def told(name: str) -> float:
        c = Candidate(name, text.index(name), text.index(name) + len(name), "name")
        subject = Subject.of("Corran County")
        return related(relations()["border"], subject, text, c, at, 0.0, gender="", agent=False)["direct"]

    assert told("Birch County") > told("Alder County") > CUED


def test_who_was_replaced_no_longer_leads() -> None:
    text = "Members chose Ada Finch as leader, replacing John Vale, who led the Civic Party of Denmark as its leader."
    fact = Fact("f", f"Election: {text}", ("Ada Finch",), 1.0, (Source("d", "Election", "c", 0, 9),))
    question = "Who is the leader of the Civic Party of Denmark?"
    steps = [Step("", query, (fact,)) for query in ("leader of Civic Party of Denmark", question)]
    turn = ExtractivePolicy(guess=True).act(question, steps, final=True)
    assert "Ada Finch" in (DIALECTS["graph-r1"].parse_turn(turn.text).answer or "")


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Torp, Fife", "Torp"),
        ("Torp, Bub County, Danland", "Torp, Bub County"),
        ("Torp", "Torp"),
        ("Hall 3, first floor", "Hall 3, first floor"),
    ],
)
def test_a_place_is_answered_without_its_region(name: str, bare: str) -> None:
    assert without_region(name) == bare


def test_the_name_of_a_larger_town_or_of_a_state_is_known() -> None:
    assert all(map(is_known, ("Szczecin", "New Hampshire", "Galway, Ireland")))
    assert not any(map(is_known, ("Torpholm", "Mill Road")))


@pytest.mark.parametrize(
    ("template", "nature"),
    [("where does {0} empty", True), ("what mountain is near {0}", True), ("where was {0} born", False)],
)
def test_no_town_is_sought_where_waters_or_heights_are(template: str, nature: bool) -> None:
    assert asks_nature(template) is nature
