"""Which of a sentence's values is meant where the answer is no person: places, dates, numbers, things."""

from __future__ import annotations

import pytest

from clew.agent.extractive.answer_types import ANY, answer_type
from clew.agent.extractive.between import identified
from clew.agent.extractive.candidates import Candidate, candidates
from clew.agent.extractive.lexicon import find_relation
from clew.agent.extractive.planning import planned
from tests.unit.test_extractive_policy import ask

PAGES = {
    "Corran": "Corran is a town in Danland. The census of 2010 puts its population at 52,000 souls. "
    "By 1900, 7,500 people lived in Corran. In 1950 the harbour of Corran was rebuilt. "
    "The population density was 310 people per square mile.",
    "Danland": "The largest town in Danland is Ostby with 90,000 residents, and the smallest town is Mill Edge. "
    "Torp is the second-largest town in Danland behind Ostby.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the population of Corran in 1900?", "7,500"),
        ("What was the population of Corran in 2010?", "52,000"),
        ("What is the largest town in Danland?", "Ostby"),
        ("What is the second largest town in Danland?", "Torp"),
    ],
)
def test_the_value_that_is_meant_is_chosen(question: str, answer: str) -> None:
    assert ask(question, pages=PAGES)[0] == answer


def test_the_last_of_a_kind_is_not_the_first() -> None:
    text = "The largest town is Ostby, and the smallest town is Torp."
    first, last = (Candidate(name, at := text.index(name), at + len(name), "name") for name in ("Ostby", "Torp"))
    assert identified(text, first, "largest town in {0}") == 1.0
    assert identified(text, last, "largest town in {0}") == -1.0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("what caused x to write hymns", ANY),
        ("each sailor is a member of what", ANY),
        ("what are longer voyages associated with", ANY),
        ("what is the population of x", "number"),
        ("what employer does x have", "organisation"),
        ("what is the second largest city in x", "place"),
    ],
)
def test_what_asks_for_nobody_and_no_number_without_a_noun(words: str, expected: str) -> None:
    assert answer_type(words.split(), find_relation(words))[0] == expected


LIVES = {
    "Isko": "Isko Verr (the Elder) (980–1037) wrote forty books. Corran, where Isko Verr lived, burned in 1012.",
    "Salt War": "In 1599 the Salt Guild was established by the queen. "
    "The rule of the Salt Guild was transferred to the crown on 28 June 1858, when the law was passed. "
    "The Salt War, fought from 1611 to 1614, ended with the fall of Torp in 1615.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the life span of Isko Verr?", "980–1037"),
        ("In which years was the Salt War fought?", "from 1611 to 1614"),
        ("When was the Salt Guild established?", "1599"),
    ],
)
def test_dates_are_those_of_what_is_asked(question: str, answer: str) -> None:
    assert ask(question, pages=LIVES)[0] == answer


def test_a_date_may_have_a_space_before_its_comma() -> None:
    found = [c.text for c in candidates("It opened on March 8 , 2018 in Corran .", frozenset()) if c.kind == "date"]
    assert found == ["March 8 , 2018"]


SHOW = {
    "Harbour Lights": "Harbour Lights is a show. Before the winner was told, season five finalist Isko Verr "
    "thanked the judge. The show had fewer viewers later on."
}


def test_what_is_known_by_its_number_is_told_with_its_noun() -> None:
    assert ask("Which season was Isko Verr on?", pages=SHOW)[0] == "season five"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It has 100–150 species.", ["100–150"]),
        ("The flood took 30 to 50 thousand lives.", ["30 to 50 thousand"]),
        ("The score was 20-18 at the end.", ["20", "18"]),
    ],
)
def test_a_number_may_be_told_as_two(text: str, expected: list[str]) -> None:
    assert [c.text for c in candidates(text, frozenset()) if c.kind == "number"] == expected


DEEDS = {
    "Isko Verr": "Isko Verr was born in Torp in 1501. Isko Verr passed away in 1572. "
    "The yearly income of Isko Verr was $700, and two servants lived with Isko Verr.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What year did Isko Verr pass away?", "1572"),
        ("What was the yearly income of Isko Verr?", "$700"),
    ],
)
def test_dying_and_money_have_other_words_as_well(question: str, answer: str) -> None:
    assert ask(question, pages=DEEDS)[0] == answer


def test_a_share_is_of_what_the_question_says_of_it() -> None:
    plan = planned("What percentage of Danland is used for growing barley?", frozenset(("danland",)))
    assert [hop.template for hop in plan.hops] == ["What percentage of {0} is used for growing barley"]
