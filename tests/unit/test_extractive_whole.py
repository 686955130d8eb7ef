"""Reading a question as a whole: by how much of it a sentence and its neighbour speak of."""

from __future__ import annotations

import pytest

from clew.agent.extractive.evidence import Evidence
from clew.agent.extractive.found import Found, Path
from clew.agent.extractive.plan import Plan
from clew.agent.extractive.planning import make_plan
from clew.agent.extractive.policy import HELD, ExtractivePolicy, _likeliest
from clew.agent.extractive.whole import COVERED, read_whole
from clew.agent.protocol import DIALECTS
from clew.types import Passage, Step

PAGES = {
    "Corran Air": "Corran Air is an airline from Ostland. It was grounded twice in 1974.",
    "Ostcell": "Ostcell, the largest mobile operator in Ostland, was established in 1994.",
    "Westcell": "Westcell, the largest mobile operator in Westland, was established in 2001.",
    "Bub": "Bub is an island in the North Sea. Its harbour was opened in 1888.",
}
QUESTION = "When was the largest mobile operator in the country that Corran Air comes from established?"


def evidence(query: str = QUESTION) -> Evidence:
    return Evidence([step(query)], DIALECTS["graph-r1"])


def step(query: str) -> Step:
    passages = [
        Passage(f"c{i}", f"d{i}", title, text, 0, len(text), 1.0) for i, (title, text) in enumerate(PAGES.items())
    ]
    return Step("", query, passages=tuple(passages))


def plan_of(question: str) -> Plan:
    return make_plan(question, evidence(question))


def test_a_shared_name_leads_to_the_sentence_that_answers() -> None:
    plan = plan_of(QUESTION)
    reading = read_whole(plan, dict(enumerate(plan.anchors)), evidence())
    assert reading is not None
    assert reading.value == "1994"
    assert reading.sentence.title == "Ostcell"
    assert reading.covered >= COVERED


def test_what_is_read_is_of_the_type_asked_for_and_no_name_of_the_question() -> None:
    question = "Which operator is the largest in the country that Corran Air comes from?"
    plan = plan_of(question)
    reading = read_whole(plan, dict(enumerate(plan.anchors)), evidence(question))
    assert reading is not None
    assert reading.value == "Ostcell"


@pytest.mark.parametrize("question", ["Is Bub an island?", "Which is older, Corran Air or Ostcell?"])
def test_verdicts_and_comparisons_are_not_read_as_a_whole(question: str) -> None:
    plan = plan_of(question)
    assert read_whole(plan, dict(enumerate(plan.anchors)), evidence(question)) is None


@pytest.mark.parametrize("question", ["Who was the sister of Corran Air?", "Who ran the sister of Corran Air in 1950?"])
def test_a_guess_names_a_value_where_none_is_believed(question: str) -> None:
    steps = [step("sister of Corran Air"), step(question)]
    assert not ExtractivePolicy().act(question, steps, final=True).unsure
    turn = ExtractivePolicy(guess=True).act(question, steps, final=True)
    assert turn.unsure
    assert "If I have to name one" in turn.text
    assert "I don't know" not in turn.text


@pytest.mark.parametrize(("score", "value"), [(HELD, "1888"), (HELD - 0.1, "1994")])
def test_a_known_relation_alone_is_guessed_by_its_own_value_where_that_scores_well(score: float, value: str) -> None:
    question = "When was Ostcell established?"
    plan, found = plan_of(question), evidence(question)
    assert len(plan.hops) == 1
    target, other = plan.hops[0].target, found.pages["bub"].sentences[-1]
    path = Path({0: "Ostcell", target: "1888"}, {target: Found("1888", score, other)})
    guess = _likeliest(plan, path, found)
    assert guess is not None
    assert guess[0] == value


def test_without_anything_found_there_is_nothing_to_guess() -> None:
    turn = ExtractivePolicy(guess=True).act("Who was the sister of Corran Air?", [], final=True)
    assert "I don't know" in turn.text
    assert not turn.unsure


def test_a_plain_question_without_its_answer_stays_unanswered() -> None:
    turn = ExtractivePolicy().act("Who was the sister of Corran Air?", [step("sister of Corran Air")], final=True)
    assert "I don't know" in turn.text
