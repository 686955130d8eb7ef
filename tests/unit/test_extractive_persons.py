"""Who is meant by an office, a record, a verb or a relative: rules for hops whose answer is a person."""

from __future__ import annotations

import pytest

from clew.agent.extractive import ExtractivePolicy
from clew.agent.extractive.agents import does_so
from clew.agent.extractive.answer_types import answer_type
from clew.agent.extractive.between import after_aside, holds_record
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.casting import plays, role_words
from clew.agent.extractive.cues import only_described, related
from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.fit import type_fit
from clew.agent.extractive.lexicon import find_relation, own_words, relations, stem
from clew.agent.extractive.name_spans import names
from clew.agent.extractive.offices import in_order
from clew.agent.extractive.persons import untitled
from clew.agent.extractive.planning import planned
from clew.agent.extractive.reading import has_role
from clew.agent.extractive.setting import content_stems
from clew.agent.extractive.subject import Subject, find_name
from clew.agent.extractive.wording import plain
from clew.agent.protocol import DIALECTS
from clew.types import Fact, Source, Step
from tests.unit.test_extractive_policy import WordOverlap, ask


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


@pytest.mark.parametrize(
    ("run", "inside"),
    [
        ("Ada Finch Prime Minister Jon Vale", {"Ada Finch", "Jon Vale"}),
        ("Tarn Agency Director Jon Vale", {"Tarn Agency", "Jon Vale"}),
        ("President of the Tarn League", set[str]()),
    ],
)
def test_an_office_parts_two_names(run: str, inside: set[str]) -> None:
    text = f"Then {run} spoke."
    assert inside <= {text[a:b] for a, b in names(text, frozenset())}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ada Finch (born 1926) is a Norland actress best known for her role as Mira Vale in Harbour.", True),
        ("Ada Finch (born 1926) is a Norland painter whose sister had the role of Mira Vale in Harbour.", False),
    ],
)
def test_the_page_of_an_actor_may_begin_with_the_name(text: str, told: bool) -> None:
    assert (plays(text, candidate(text, "Ada Finch"), frozenset(map(stem, ("mira", "vale")))) > 0.5) is told


def test_what_asks_for_a_cast_names_no_part() -> None:
    assert role_words("Who starred in {0}", ((0, "Low Water"),)) == frozenset()
    assert role_words("cast member of {0}", ((0, "Low Water"),)) == frozenset()
    assert role_words("actor of {0} in {1}", ((0, "Mira"), (1, "Low Water"))) == {"mira"}


@pytest.mark.parametrize(
    ("relation", "text", "name", "told"),
    [
        ("director", "Low Water is a film directed by Ole Moe and based on Ada Finch's novel.", "Ada Finch", False),
        ("performer", "Low Water is Ada Finch's second album.", "Ada Finch", True),
        ("founder", "It was founded in Torp Hill in 1940.", "Torp Hill", False),
        ("founder", "It was founded in 1940 by Ada Finch.", "Ada Finch", True),
        ("performer", "The song was also used by Tarn Works.", "Tarn Works", False),
        ("ruler", "Prime Minister Ada Finch spoke.", "Ada Finch", False),
    ],
)
def test_of_whom_a_cue_tells(relation: str, text: str, name: str, told: bool) -> None:
    found = related(
        relations()[relation],
        Subject.of("Low Water"),
        text,
        candidate(text, name),
        None,
        0.95,
        gender="",
        agent=False,
        wanted=frozenset(("president",)),
    )
    assert (found["direct"] > 0.6) is told


def test_a_single_is_no_singing() -> None:
    cue = own_words(frozenset(("sing",)), "person")
    assert cue is not None
    assert cue.direct is not None
    assert cue.direct.search("a single by") is None
    assert cue.direct.search("sung by") is not None


def test_who_was_appointed_is_no_namesake() -> None:
    assert planned("Who was named chief of the Tarn Army?").hops[-1].relation is not relations()["named_after"]
    assert planned("Who was Torp Hall named after?").hops[-1].relation is relations()["named_after"]


def test_who_may_be_a_team() -> None:
    words = "who was the first team to win x".split()
    assert answer_type(words, None) == ("organisation", "team")
    assert answer_type("who plans school visits at x".split(), None)[0] == "person"


def test_a_county_with_a_first_name_is_a_place() -> None:
    text = "Torp lies in Rowan County."
    fact = Fact("d:0:0", f"Torp: {text}", ("Torp",), 0.0, (Source("d", "Torp", "d:0", 0, len(text)),))
    sentence = Evidence([Step("", "q", (fact,), ())], DIALECTS["graph-r1"]).sentences[0]
    assert type_fit("place", candidate(text, "Rowan County"), sentence, None) > 0.7


def test_the_director_may_be_the_producer() -> None:
    pages = {"Low Water": "Low Water is a film directed by Jon Vale and starring Ada Finch."}
    assert ask("Who directed Low Water?", pages=pages)[0] == "Jon Vale"
    policy_guess = ExtractivePolicy(DIALECTS["graph-r1"], guess=True)
    strategy = WordOverlap(pages)
    query = "producer of Low Water"
    found = strategy.retrieve([query], 5)[0]
    step = Step("", query, found.facts, found.passages)
    text = policy_guess.act("What is the producer of Low Water?", [step], final=True).text
    assert "Jon Vale" in text
