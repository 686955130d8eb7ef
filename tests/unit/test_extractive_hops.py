"""Single hops: what a question puts in another order, what tables tell, of which occasion, and what lies in what."""

from __future__ import annotations

import pytest

from clew.agent.extractive.answer_types import ANY
from clew.agent.extractive.between import acts_itself, identified
from clew.agent.extractive.candidates import Candidate, candidates
from clew.agent.extractive.casting import plays
from clew.agent.extractive.evidence import Page, Sentence
from clew.agent.extractive.fit import type_fit
from clew.agent.extractive.lexicon import labels
from clew.agent.extractive.occasions import planned, unmet
from clew.agent.extractive.places import OWNER, VENUE, misplaced
from clew.agent.extractive.planning import planned as plan_of
from clew.agent.extractive.subject import Subject, locate, title_match
from clew.agent.extractive.wording import plain
from tests.unit.test_extractive_policy import ask


def found(text: str, name: str, kind: str = "name", role: str = "") -> Candidate:
    start = text.index(name)
    return Candidate(name, start, start + len(name), kind, role)


@pytest.mark.parametrize(
    ("question", "turned"),
    [
        ("The teacher of Ada Finch is whom?", "Who is the teacher of Ada Finch?"),
        ("The Tarn Bridge was built by whom?", "Who built the Tarn Bridge?"),
        ("By whom was The Salt Road written?", "Who wrote the Salt Road?"),
        ("Name one mill in Corran.", "What mill in Corran."),
        ("What town is considered to be the capital of Bub?", "What town is the capital of Bub?"),
        ("What is the work location of Ada Finch?", "In which place did Ada Finch work?"),
        ("What is the parent organization of Tarn Works?", "What is the parent company of Tarn Works?"),
        ("What is the end time of Tarn Days?", "When did Tarn Days end?"),
        ("What is the number of box seats of Tarn Hall?", "How many box seats does Tarn Hall have?"),
    ],
)
def test_a_question_is_turned_into_the_usual_order(question: str, turned: str) -> None:
    assert plain(question) == turned


@pytest.mark.parametrize("label", sorted(labels()))
def test_each_label_of_a_property_is_one_hop(label: str) -> None:
    plan = plan_of(plain(f"What is the {label} of Tarnley?"))
    assert len(plan.hops) == 1
    assert plan.hops[0].slots == (0,)


@pytest.mark.parametrize(
    ("question", "relation", "expects"),
    [
        ("Where did Ada Finch go to school?", "education", "organisation"),
        ("What party does Ada Finch belong to?", "member_of", "organisation"),
        ("What league does Tarn United play in?", "league", "organisation"),
        ("What is the county of Tarnley?", "located", "place"),
        ("What was the cause of Ada Finch's death?", "death_cause", "cause"),
        ("Who narrated Tarnley?", "narrator", "person"),
        ("What is Tarnley based on?", "based_on", ANY),
        ("Who is the owner of Tarnley?", "owner", "agent"),
        ("What month did Tarnley open?", "founding_date", "date"),
        ("What is Tarnley part of?", "part_of", "named"),
        ("What platform is Tarnley for?", "platform", "named"),
        ("What series is Tarnley part of?", "series", "work"),
        ("What did Ada Finch take part in?", "event", "event"),
        ("Which county is Tarnley the capital of?", "capital of", "place"),
        ("What was Tarnley the old capital of?", "capital of", "place"),
        ("What is the capital of Tarnley?", "capital", "place"),
    ],
)
def test_known_relations_are_asked_in_many_ways(question: str, relation: str, expects: str) -> None:
    [hop] = plan_of(question).hops
    assert (hop.relation and hop.relation.name, hop.expects) == (relation, expects)


@pytest.mark.parametrize(
    "question",
    [
        "When did Tarnley become part of Lorne County?",
        "In what year was Tarnley ported to another platform?",
        "When did Tarnley become part of the series?",
    ],
)
def test_when_something_became_part_of_another_is_no_part(question: str) -> None:
    [hop] = plan_of(question).hops
    assert (hop.relation, hop.expects) == (None, "date")


@pytest.mark.parametrize("question", ["Which is the biggest state in Danland by population?"])
def test_a_noun_alone_names_no_relation_of_what_is_asked(question: str) -> None:
    assert plan_of(question).hops[-1].relation is None


TABLE = (
    "Lorne River Countries Danland Tributaries Mill Brook Landmarks Tarn Dam Source Salt Hill Mouth Grey Bay "
    "Length 90 km First keeper Ada Finch Last keeper Jon Vale"
)


@pytest.mark.parametrize("value", ["Salt Hill", "Grey Bay", "Ada Finch", "Jon Vale"])
def test_a_value_of_a_table_ends_before_the_next_label(value: str) -> None:
    assert value in [c.text for c in candidates(TABLE, frozenset())]


def test_the_year_of_a_work_may_stand_anywhere_on_its_page() -> None:
    lead = Sentence("Harbour (film)", "Harbour is a film by Greta Holm.", index=0)
    other = Sentence("Harbour (film)", "It was shown on 3 May 1964.", index=1)
    page = Page("Harbour (film)", frozenset({"harbour"}), [lead, other])
    assert unmet("Who directed the 1964 {0}", lead, page) == 0.0
    assert unmet("Who was keeper of {0} in 1964", lead, page) == 1.0
    later = Sentence("Harbour Again", "Harbour Again is a sequel to the 1964 film Harbour, by Jon Vale.", index=0)
    assert unmet("Who directed {0} in the 1964 film", later, Page("Harbour Again", frozenset(), [later])) == 1.0


def test_a_plan_is_not_the_deed() -> None:
    assert planned("In May 1990 the Tarn Works planned to buy Lorne Mill.", "when was {0} bought")
    assert not planned("In May 1990 the Tarn Works bought Lorne Mill.", "when was {0} bought")
    assert not planned("In May 1990 the Tarn Works planned to buy Lorne Mill.", "when does {0} plan to open")


def test_the_narrowest_place_is_meant_and_an_owner_is_none() -> None:
    text = "The fair took place at Lorne Hall in Corran."
    assert misplaced(text, found(text, "Lorne Hall"), "located") == VENUE
    assert misplaced(text, found(text, "Corran"), "located") == 0.0
    text = "They had a mill in Ada Finch's Danland."
    assert misplaced(text, found(text, "Ada Finch"), "") == OWNER
    assert misplaced("Fife County", found("Fife County", "Fife County"), "capital") == OWNER


def test_the_39th_is_not_the_first() -> None:
    text = "Torp is the 39th - largest town of Danland."
    assert identified(text, found(text, "Torp"), "largest town in {0}") == 0.0


def test_who_acts_is_not_whom_it_was_done_to() -> None:
    text = "Bishop Torp crowned Ada Finch queen."
    assert acts_itself(text, found(text, "Bishop Torp"), "Who was crowned queen")
    assert not acts_itself(text, found(text, "Ada Finch"), "Who was crowned queen")
    assert not acts_itself(text, found(text, "Bishop Torp"), "Who crowned Ada Finch")


def test_an_article_of_the_question_may_be_missing_in_a_page() -> None:
    subject = Subject.of("The Lorne Bridge")
    page = Page("Lorne Bridge", frozenset({"lorne bridge"}))
    assert title_match(subject, page) > 0.8
    assert locate(subject, Sentence("Lorne Bridge", "Lorne Bridge spans the river."), False) == (0, 12)


def test_a_county_is_named_in_a_list_of_counties() -> None:
    text = "The school serves parts of Fife, Lorne and Torp counties."
    assert locate(Subject.of("Lorne County"), Sentence("Tarn School", text), False) == (33, 38)


def test_a_state_may_do_what_states_do() -> None:
    pages = {"Salt War": "Most ships fled, but Norway was able to conquer southern Bub until a truce was signed."}
    assert ask("Who conquered southern Bub?", pages=pages)[0] == "Norway"


def test_a_title_in_quotation_marks_is_nobody() -> None:
    text = 'The lead single, "Mira in Spring", featuring Jon Vale, was a success.'
    part = type_fit("person", found(text, "Mira"), Sentence("x", text), None)
    assert part < type_fit("person", found(text, "Jon Vale"), Sentence("x", text), None)


@pytest.mark.parametrize("name", ["Tarik al-Salim", "al-Salim"])
def test_arabic_names_keep_their_article(name: str) -> None:
    assert name in [c.text for c in candidates(f"The mill was built by {name} in 1020.", frozenset())]


def test_a_nominee_is_told_with_work_and_part() -> None:
    text = "Ada Finch -- Harbour as Mira Vale"
    assert plays(text, found(text, "Ada Finch"), frozenset({"mira"})) > 0.4


CLUBMEN = {
    "Rafe Moor": "Rafe Moor was the son of Aldous Moor and grandson of Perrin Moor. He was an English footballer who "
    "played as a striker for Lorne Town. He now manages Marlow United.",
    "Grey Tarn": "Grey Tarn is a film based on the novel Low Water by Ned Crake. It was shot in Prague.",
    "Jan Storn": "Jan Storn (born 8 May 1950), often called Gull, is a Norwegian skier.",
    "Torp": "Torp is a town in Skarn Municipality, Lorne County, Sweden.",
    "Skell Region": "The Skell Region lies north of Marlow. The regional capital is the town of Skell.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the father of Rafe Moor?", "Aldous Moor"),
        ("What is the sport of Rafe Moor?", "football"),
        ("What team does Rafe Moor manage?", "Marlow United"),
        ("Which sports team did Rafe Moor play for?", "Lorne Town"),
        ("What is Grey Tarn based on?", "Low Water"),
        ("What is the filming location of Grey Tarn?", "Prague"),
        ("What county is Torp in?", "Lorne County"),
        ("What is the capital of the Skell Region?", "Skell"),
        ("What was the nickname of Jan Storn?", "Gull"),
    ],
)
def test_of_several_values_the_one_asked_for_is_given(question: str, answer: str) -> None:
    assert ask(question, pages=CLUBMEN)[0] == answer
