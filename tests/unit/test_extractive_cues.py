"""What words between a candidate and whom a hop asks about say of their relation, and of the kind of thing sought."""

from __future__ import annotations

import pytest

from clew.agent.extractive.between import identified
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.cues import CUED, related
from clew.agent.extractive.evidence import Page, Sentence
from clew.agent.extractive.fit import head_fit
from clew.agent.extractive.lexicon import own_words, relations
from clew.agent.extractive.offices import asks_agent
from clew.agent.extractive.subject import Subject, find_name


def told(relation: str, subject: str, text: str, name: str, about: float = 0.0, agent: bool = False) -> float:
    """The clearest cue that leads from the subject to a name of the text."""
    at = text.index(name)
    c = Candidate(name, at, at + len(name), "name")
    found = related(
        relations()[relation], Subject.of(subject), text, c, find_name(subject, text), about, gender="", agent=agent
    )
    return max(found.values())


@pytest.mark.parametrize(
    ("relation", "subject", "text", "name"),
    [
        ("author", "Salt Roads", "Ada Finch's Salt Roads was read for a century.", "Ada Finch"),
        ("sibling", "Ada Finch", "Ada Finch and Tom Finch rowed in 1950.", "Tom Finch"),
        ("father", "Ada Finch", "Ada Finch is the daughter of Danish lighthouse keeper Jon Vale.", "Jon Vale"),
        ("owner", "Torp Bank", "Bank of Corran would acquire Torp Bank in 2004.", "Bank of Corran"),
        ("border", "Torp County", "It serves Ostby County and the east of Torp County.", "Ostby County"),
        ("ruler", "Torp Guild", "The Torp Guild: Incumbent Ada Finch since 2013.", "Ada Finch"),
        ("birthplace", "Ada Finch", "Ada Finch was born at Ostby in Lorne.", "Ostby"),
        ("birthplace", "Ada Finch", "Ada Finch was born at Ostby in Lorne.", "Lorne"),
    ],
)
def test_a_sentence_tells_a_relation(relation: str, subject: str, text: str, name: str) -> None:
    assert told(relation, subject, text, name) >= 0.4


@pytest.mark.parametrize(
    ("relation", "text", "name"),
    [
        ("part_of", "Grey Hill is part of the Vale Range.", "Vale Range"),
        ("part_of", "Tarn Choir is a branch of the Lorne Guild.", "Lorne Guild"),
        ("part_of", "Low Water is a song from the album Salt Roads.", "Salt Roads"),
        ("platform", "Salt Roads is a puzzle game released for the Bubstation.", "Bubstation"),
        ("platform", "Salt Roads was ported to Corran OS by Ada Finch.", "Corran OS"),
        ("series", "Low Water is the third book in the Tarn Cycle.", "Tarn Cycle"),
        ("series", "Low Water is an episode of Harbour Lights.", "Harbour Lights"),
    ],
)
def test_a_page_tells_what_its_subject_is_part_of(relation: str, text: str, name: str) -> None:
    assert told(relation, text.split(" is ")[0].split(" was ")[0], text, name, about=0.95) >= 0.8


@pytest.mark.parametrize("lived", ["grew up in", "was raised in"])
def test_where_somebody_grew_up_is_only_likely_where_they_were_born(lived: str) -> None:
    born = told("birthplace", "Ada Finch", "Ada Finch was born in Ostby.", "Ostby")
    assert CUED < told("birthplace", "Ada Finch", f"Ada Finch {lived} Ostby.", "Ostby") < born


def test_a_whole_is_told_by_what_it_includes() -> None:
    text = "The Vale Range includes Grey Hill and Mount Torp."
    assert told("part_of", "Grey Hill", text, "Vale Range") >= 0.8
    assert told("part_of", "Grey Hill", text, "Mount Torp") < told("part_of", "Grey Hill", text, "Vale Range")


def test_who_was_never_married_was_married_to_nobody() -> None:
    assert told("wife", "Jon Vale", "Jon Vale never married Ada Finch of Torp.", "Ada Finch") < CUED
    assert told("wife", "Jon Vale", "Jon Vale married Ada Finch of Torp.", "Ada Finch") >= CUED


def test_a_word_of_the_own_name_is_no_cue() -> None:
    text = "The Bub River was bridged in Torp."
    assert told("body_of_water", "Bub River", text, "Torp") < CUED


def test_another_kinship_tells_more_than_a_family_name() -> None:
    text = "Ada Finch is the niece of Tom Finch."
    assert told("father", "Ada Finch", text, "Tom Finch") < CUED


def test_a_name_known_as_the_subject_is_no_relative() -> None:
    text = "Ada Finch, also known as Adelheid Finch, was a keeper."
    assert told("sister", "Ada Finch", text, "Adelheid Finch") < CUED


@pytest.mark.parametrize(
    ("question", "expected"),
    [("who won {0}", True), ("team that has won {0}", True), ("who is {0}", False), ("what did {0} win", False)],
)
def test_who_does_something_is_told_from_to_whom_it_is_done(question: str, expected: bool) -> None:
    assert asks_agent(question) is expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("The largest town by far is Ostby.", "Ostby", 1.0),
        ("Ostby, the most populous town of Danland, lies inland.", "Ostby", 1.0),
        ("The smallest town is Ostby.", "Ostby", -1.0),
        ("The second-largest town is Ostby.", "Ostby", -1.0),
    ],
)
def test_the_first_of_its_kind_is_named(text: str, name: str, expected: float) -> None:
    at = text.index(name)
    c = Candidate(name, at, at + len(name), "name")
    assert identified(text, c, "largest town in {0}") == expected


@pytest.mark.parametrize(
    ("head", "better", "worse"),
    [
        ("county", "Torp County", "County Road 3"),
        ("county", "County of Torp", "Danland"),
        ("city", "Ostby", "Grey Mountains"),
        ("city", "Ostby", "Ohio"),
        ("state", "Ohio", "Torp County"),
        ("jurisdiction", "Torp County", "Ostby"),
        ("jurisdiction", "Ostby", "Grey Sea"),
        ("jurisdiction", "Ostby", "Vale Range"),
        ("conflict", "Salt War", "Ostby"),
        ("conflict", "Battle of Ostby", "Ada Finch"),
        ("label", "Torp Records", "Ada Finch"),
        ("league", "Northern League", "Torp Gulls"),
        ("party", "Civic Party", "Liberal Member of Parliament"),
        ("party", "Liberal Party of Torp", "Torp Choir"),
    ],
)
def test_a_name_shows_its_kind(head: str, better: str, worse: str) -> None:
    sentence = Sentence("", f"{better} and {worse}")
    good, bad = (
        head_fit(head, Candidate(name, at := sentence.text.index(name), at + len(name), "name"), sentence, None)
        for name in (better, worse)
    )
    assert good > bad


def test_names_are_found_as_whole_words() -> None:
    assert find_name("Torp", "Torpor came to torp.") == (15, 19)
    assert find_name("Torp", "Torpedo") is None
    assert find_name("Møller", "Anna Møller", fold=False) == (5, 11)


def test_a_chain_of_sons_leads_from_each_to_the_one_before() -> None:
    text = "He was the son of Carl Vale, son of Henry Vale, third son of Sir Jon Vale."
    assert told("father", "Henry Vale", text, "Carl Vale") < told("father", "Henry Vale", text, "Sir Jon Vale")


def test_a_hyphen_in_what_somebody_is_keeps_the_cue_close() -> None:
    text = "Salt Roads is the third album by Danish singer-songwriter Ada Finch, made in Torp."
    assert told("performer", "Salt Roads", text, "Ada Finch", about=0.95) >= 0.7


def test_a_definition_tells_the_gender_where_pronouns_speak_of_others() -> None:
    page = Page("Rotmund", frozenset({"rotmund"}))
    page.sentences = [
        Sentence(
            "Rotmund", "Rotmund was a northern princess, the second daughter of Harald from his marriage.", index=0
        )
    ]
    assert page.gender == "f"
    page = Page("Ada Finch", frozenset({"ada finch"}))
    page.sentences = [
        Sentence("Ada Finch", "Ada Finch is a keeper whose brother was a king; she lived in Torp.", index=0)
    ]
    assert page.gender == "f"


@pytest.mark.parametrize(
    ("relation", "text", "expected"),
    [
        ("publisher", "The Tarn Post was a paper published from a cellar in Old Torp by pamphleteer Ada Finch.", True),
        ("publisher", "The Tarn Post was published in Torp and printed on thin red paper by Ada Finch.", False),
        ("founder", "The Tarn Post was printed for many years in a large house in Torp by Ada Finch.", False),
    ],
)
def test_by_belongs_to_the_nearest_participle_however_far(relation: str, text: str, expected: bool) -> None:
    assert (told(relation, "The Tarn Post", text, "Ada Finch", about=0.95) >= 0.8) is expected


def test_the_kin_of_a_character_are_not_those_of_the_actor() -> None:
    text = "Mira (Ada Finch) leaves her husband, Jon Vale."
    assert told("husband", "Mira", text, "Jon Vale") >= CUED
    assert told("husband", "Ada Finch", text, "Jon Vale") == 0.0


def test_the_father_of_a_brother_is_the_subjects() -> None:
    text = "Tom Finch was the tenth child of Henry Finch, and a younger brother of Edward Finch."
    assert told("father", "Edward Finch", text, "Henry Finch") >= 0.5
    assert told("father", "Edward Finch", text, "Tom Finch") == 0.0


def test_a_noun_for_who_does_it_leads_to_the_doer() -> None:
    text = "The winner was Ada Finch of Torp."
    relation = own_words(frozenset(("win",)), "agent")
    assert relation is not None
    at = text.index("Ada")
    c = Candidate("Ada Finch", at, at + len("Ada Finch"), "name")
    found = related(relation, Subject.of("Torp Cup"), text, c, None, 0.95, gender="", agent=True)
    assert found["direct"] == 1.0
