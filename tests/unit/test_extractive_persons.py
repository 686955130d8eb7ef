"""Who is meant by an office, a record, a verb or a relative: rules for hops whose answer is a person."""

from __future__ import annotations

import pytest

from clew.agent.extractive.agents import does_so
from clew.agent.extractive.between import after_aside, holds_record
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.cues import only_described
from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.fit import type_fit
from clew.agent.extractive.lexicon import find_relation
from clew.agent.extractive.offices import in_order
from clew.agent.extractive.persons import untitled
from clew.agent.extractive.planning import planned
from clew.agent.extractive.reading import has_role
from clew.agent.extractive.setting import content_stems
from clew.agent.extractive.subject import find_name
from clew.agent.extractive.wording import plain
from clew.agent.protocol import DIALECTS
from clew.types import Fact, Source, Step
from tests.unit.test_extractive_policy import ask


def candidate(text: str, name: str) -> Candidate:
    at = text.index(name)
    return Candidate(name, at, at + len(name), "name")


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("President Ada Finch", "Ada Finch"),
        ("Former Prime Minister Jon Vale", "Jon Vale"),
        ("Republican Senator Jon Vale", "Jon Vale"),
        ("Queen Ada II", "Ada II"),
        ("Queen Ada", "Queen Ada"),
        ("Sir Jon Vale, 1st Baronet", "Sir Jon Vale, 1st Baronet"),
        ("Queen of Lorne", "Queen of Lorne"),
        ("Prince Jon Vale", "Prince Jon Vale"),
        ("Dr. Jon Vale", "Dr. Jon Vale"),
    ],
)
def test_an_answer_names_somebody_without_the_office(name: str, bare: str) -> None:
    assert untitled(name) == bare


@pytest.mark.parametrize(
    ("question", "text", "name", "expected"),
    [
        ("Who was the first mayor of Torp?", "The first mayor of Torp, Ada Finch, died.", "Ada Finch", 1.0),
        ("Who was the first mayor of Torp?", "Ada Finch was the third mayor of Torp.", "Ada Finch", -1.0),
        ("Who was the first mayor of Torp?", "Ada Finch visited Torp first.", "Ada Finch", 0.0),
        ("Who is the mayor of Torp?", "Ada Finch was the third mayor of Torp.", "Ada Finch", -1.0),
        ("Who is the mayor of Torp?", "Mayor of Torp: Ada Finch since 4 May 2013.", "Ada Finch", 1.0),
        ("Who is the mayor of Torp?", "The current mayor is Ada Finch.", "Ada Finch", 1.0),
        ("Who maintains Torp Hall?", "Ada Finch was the third mayor of Torp.", "Ada Finch", 0.0),
    ],
)
def test_the_first_the_last_and_the_present_one(question: str, text: str, name: str, expected: float) -> None:
    hop = planned(question).hops[-1]
    assert in_order(hop, content_stems(hop.template), text, candidate(text, name)) == expected


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("who has the most wins in the league", "Ada Finch holds the record for most wins with nine.", True),
        ("who has the most wins in the league", "The record for wins is held by Ada Finch.", True),
        ("who has the most wins in the league", "Ada Finch is the most recent winner.", False),
        ("who has the most wins in the league", "Ada Finch won nine times.", False),
        ("who is the youngest winner", "Ada Finch was the youngest winner.", True),
        ("who won the league", "Ada Finch holds the record for most wins.", False),
        ("when was the most rain", "Ada Finch holds the record for most wins.", False),
    ],
)
def test_who_holds_a_record(question: str, text: str, expected: bool) -> None:
    assert bool(holds_record(text, candidate(text, "Ada Finch"), question)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Finch (1850–1901), together with Jon Vale, led an expedition to the north.", True),
        ("Under Tom Moe, Ada Finch later led the northern expedition.", True),
        ("Ada Finch led a choir.", False),
        ("Ada Finch wrote of the expedition.", False),
    ],
)
def test_who_does_what_the_verb_says_to_the_same(text: str, expected: bool) -> None:
    found = does_so("Who led the expedition to {0}", text, candidate(text, "Ada Finch"))
    assert (found > 0.7) is expected


def test_another_verb_of_the_same_sense_will_do() -> None:
    text = "Ada Finch introduced a mail service."
    assert does_so("Who brought a mail service to {0}", text, candidate(text, "Ada Finch")) > 0.5


def test_a_sentence_goes_on_behind_an_aside() -> None:
    text = "Ada Finch (1850–1901), together with Jon Vale (born 1860), led"
    assert text[after_aside(text, len("Ada Finch"), len(text)) :] == " led"
    assert after_aside(text, len("Ada Finch"), 12) == len("Ada Finch")


@pytest.mark.parametrize(
    ("between", "expected"),
    [(" Salt Harbour co-founder ", True), (" Salt Harbour ", False), (" Salt Harbour, whose founder ", False)],
)
def test_a_band_before_its_founder_only_describes_him(between: str, expected: bool) -> None:
    assert only_described(between) is expected


def test_the_band_before_its_founder_is_nobody() -> None:
    text = "Low Water is an album by Salt Harbour co-founder Jon Vale."
    fact = Fact("d:0:0", f"Low Water: {text}", ("Low Water",), 0.0, (Source("d", "Low Water", "d:0", 0, len(text)),))
    sentence = Evidence([Step("", "q", (fact,), ())], DIALECTS["graph-r1"]).sentences[0]
    band, founder = (type_fit("person", candidate(text, name), sentence, None) for name in ("Salt Harbour", "Jon Vale"))
    assert founder - band > 0.7


def test_a_name_in_the_midst_of_a_longer_one_is_not_meant() -> None:
    text = "Mary Ada Finch Moe was a daughter of Ada Finch."
    assert find_name("Ada Finch", text) == (37, 46)
    assert find_name("Ada Finch", "Mary Ada Finch Moe was a nurse.") == (5, 14)


@pytest.mark.parametrize(
    ("question", "turned"),
    [
        ("What is Ada Finch's teacher's name?", "What is Ada Finch's teacher?"),
        ("What are the names of Ada Finch's children?", "What are Ada Finch's children?"),
        ("What is the company's name?", "What is the company's name?"),
        ("Who is the newly elected mayor of Torp?", "Who is the new mayor of Torp?"),
        ("Who was the first democratically elected mayor of Torp?", "Who was the first mayor of Torp?"),
    ],
)
def test_what_is_only_a_way_of_asking_for_somebody(question: str, turned: str) -> None:
    assert plain(question) == turned


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("What is the name of Ada Finch father?", ["father of {0}"]),
        ("Who is Ada Finch wife?", ["wife of {0}"]),
        ("Who is Low Water about?", ["Who is {0} about"]),
    ],
)
def test_a_relative_behind_a_name(question: str, hops: list[str]) -> None:
    assert [hop.template for hop in planned(question).hops] == hops


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("who is x by", "maker"),
        ("who was x written about", "subject_matter"),
        ("who is x about", "subject_matter"),
        ("who inspired x", "subject_matter"),
        ("who came up with x", "inventor"),
        ("who ran against x in 1990", "opponent"),
        ("who did x vote for in 1990", "vote"),
    ],
)
def test_what_is_asked_of_whom(words: str, name: str) -> None:
    relation = find_relation(words)
    assert relation is not None
    assert relation.name == name


def test_a_definition_tells_an_office() -> None:
    text = "Ada Finch (1850–1901) was a Norland politician who served as the only president of the league."
    assert has_role(frozenset(("president",)), text, candidate(text, "Ada Finch"))


PAGES = {
    "Enkar": "Enkar was the first King of Lorne, son of Baltor and Ninhu.",
    "Low Water": "Low Water is a song. The singer revealed that Low Water was about Jon Vale.",
    "Mary Ada Finch Moe": "Mary Ada Finch Moe was a daughter of President Ada Finch and Tor Moe.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Enkar's mother?", "Ninhu"),
        ("Who is Enkar's father?", "Baltor"),
        ("Who was Low Water written about?", "Jon Vale"),
        ("Who is the child of Ada Finch?", "Mary Ada Finch Moe"),
    ],
)
def test_answers(question: str, answer: str) -> None:
    assert ask(question, pages=PAGES)[0] == answer
