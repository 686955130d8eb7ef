"""Two questions in one, and what only looks so."""

from __future__ import annotations

import pytest

from clew.agent.extractive.joined import both
from clew.agent.extractive.wording import in_own_name


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("When was Ada Finch born and where did she die?", ("When was Ada Finch born?", "Where did she die?")),
        ("Who built the mill, and who owns it?", ("Who built the mill?", "Who owns it?")),
        ("How tall is Mount Torp and how many people live on Bub?", ("How tall is Mount Torp?",
         "How many people live on Bub?")),
        ("In which town was he born and in which year did he die?", ("In which town was he born?",
         "In which year did he die?")),
    ],
)  # fmt: skip
def test_two_questions_are_taken_apart(question: str, parts: tuple[str, str]) -> None:
    assert both(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "When was the town where Ada lived and where Tom died founded?",
        "Who is the man who built the mill and who owns the quay?",
        "What is the town in which Ada lived and which Tom left?",
        "Who directed Salt and Iron?",
        "When were Tom and Ada born?",
        "Is Bub an island and who governs it?",
        "and who?",
        "",
    ],
)
def test_one_question_stays_whole(question: str) -> None:
    assert both(question) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who died first, Josiah Marr or his teacher?", "Who died first, Josiah Marr or the teacher of Josiah Marr?"),
        ("Were Ada of Finch and her sister born in Corran?", "Were Ada of Finch and the sister of Ada of Finch born in "
         "Corran?"),
        ("Is he older than his brother?", "Is he older than his brother?"),
        ("Did the mill or its owner burn?", "Did the mill or its owner burn?"),
    ],
)  # fmt: skip
def test_a_relative_is_named_by_whose_it_is(question: str, said: str) -> None:
    assert in_own_name(question) == said
