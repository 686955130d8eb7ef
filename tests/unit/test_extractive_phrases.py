"""Answers that are no names: noun phrases, and all that stands in a list with one."""

from __future__ import annotations

import pytest

from clew.agent.extractive.listing import takes_list
from clew.agent.extractive.noun_phrases import echoed, noun_phrases
from clew.agent.extractive.plan import Hop
from tests.unit.test_extractive_policy import ask


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The old brass lamp was replaced with a lantern.", ["old brass lamp", "lantern"]),
        ("Some keepers joined Danish crews in the north.", ["keepers", "Danish crews", "north"]),
        ("The method yields the exact value.", ["method", "exact value"]),
        ("It could counteract salt damage.", ["salt damage"]),
        ("For example, the boat has a keel.", ["boat", "keel"]),
        ("He saw the wreck of the ferry.", ["wreck", "wreck of the ferry", "ferry"]),
        ("Vera Holm met Isko Verr in Corran.", []),
    ],
)
def test_phrases_end_at_articles_verbs_and_idioms(text: str, expected: list[str]) -> None:
    assert [c.text for c in noun_phrases(text)] == expected


def test_an_answer_is_not_what_the_question_says() -> None:
    said = frozenset(("harbour", "lamp"))
    assert echoed("harbour lamp", said) == 1.0
    assert echoed("harbour office", said) == 0.5
    assert echoed("the bell", said) == 0.0


def test_a_phrase_takes_its_list_where_no_noun_says_that_one_is_meant() -> None:
    assert takes_list(Hop("What does {0} suggest", (0,), 1, None, "any"), "thrift")
    assert not takes_list(Hop("What does {0} suggest", (0,), 1, None, "any"), "Thrift Hall")
    assert not takes_list(Hop("What tool does {0} use", (0,), 1, None, "any", "tool"), "hammer")


PAGES = {
    "Corran": "Corran is a town in Danland. The mayor of Corran required smokeless chimneys. "
    "Whoever joined the Salt League, first of all Corran in 1479 and later the town of Torp in 1481, paid dues.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did the mayor of Corran require?", "smokeless chimneys"),
        ("When did Corran join the Salt League?", "1479"),
    ],
)
def test_the_object_and_the_closest_date_are_chosen(question: str, answer: str) -> None:
    assert ask(question, pages=PAGES)[0] == answer
