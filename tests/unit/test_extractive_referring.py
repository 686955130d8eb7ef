"""How documents speak of what they have named: in short, by what it is, or not at all."""

from __future__ import annotations

import pytest

from clew.agent.extractive.evidence import Evidence, Sentence, is_file_name, is_question
from clew.agent.extractive.nameless import look_beside
from clew.agent.extractive.planning import make_plan
from clew.agent.extractive.search import search
from clew.agent.extractive.subject import Subject, locate
from clew.agent.protocol import DIALECTS
from clew.types import Passage, Step


def evidence(title: str, text: str) -> Evidence:
    passage = Passage("c1", "d1", title, text, 0, len(text), 1.0)
    return Evidence([Step("", "question", (), (passage,), "")], DIALECTS["graph-r1"])


def at(subject: str, text: str, before: str, title: str = "News") -> str:
    found = locate(Subject.of(subject), Sentence(title, text, before=before), False)
    return text[slice(*found)] if found else ""


@pytest.mark.parametrize(
    ("subject", "text", "before", "found"),
    [
        ("Robert Aske", "Aske, who was born in Leeds, died there.", "It was built by Robert Aske.", "Aske"),
        ("Robert Aske", "The town thanked Mr. Aske for it.", "It was built by Robert Aske.", "Aske"),
        ("Robert Aske", "Mary Aske was born in Leeds.", "It was built by Robert Aske.", ""),
        ("Robert Aske", "Aske was born in Leeds.", "It was built by Anna Holm.", ""),
        ("Robert Aske", "Aske was born in Leeds.", "It was built by Robert Aske for John Aske.", ""),
        ("Carrick Bridge", "The bridge, built in 1931, is closed.", "Rain closed the Carrick Bridge.", "bridge"),
        ("Carrick Bridge", "The bridge was closed.", "The Carrick Bridge and the Tay Bridge stand.", ""),
        ("Carrick Bridge", "A bridge was closed.", "Rain closed the Carrick Bridge.", ""),
    ],
)
def test_a_name_told_in_full_is_known_by_its_last_word(subject: str, text: str, before: str, found: str) -> None:
    assert at(subject, text, before) == found


def test_a_page_called_like_a_last_name_speaks_of_itself() -> None:
    assert at("Truman Capote", "Capote was filmed in 2004.", "It shows Truman Capote.", title="Capote") == ""


def test_a_page_with_a_file_s_name_goes_by_its_first_line() -> None:
    page = evidence("resume", "Daniel Hale\nBorn 1987 in Corran. He lives in Ostby.").page("Daniel Hale")
    assert page is not None
    assert (page.title, page.name) == ("resume", "Daniel Hale")


@pytest.mark.parametrize("first", ["From: Ada Finch", "We met at noon and nobody came, which was a pity for us."])
def test_a_first_line_that_is_no_title_names_nothing(first: str) -> None:
    (page,) = evidence("mail", f"{first}\nThe office moves to Ostby in May.").pages.values()
    assert page.name == "mail"


@pytest.mark.parametrize(("title", "expected"), [("mail", True), ("Mail", False), ("東京", False), ("iPhone", False)])
def test_a_title_without_a_capital_is_a_file_s_name(title: str, expected: bool) -> None:
    assert is_file_name(title) is expected


def test_a_question_of_a_document_is_a_heading_and_states_nothing() -> None:
    found = evidence("Help", "What does it cost to borrow a book?\n\nNothing at all for residents.")
    assert [(s.text, s.heading) for s in found.sentences] == [
        ("Nothing at all for residents.", "What does it cost to borrow a book?")
    ]
    assert not is_question("He plays in What's Up, Doc?")


RULING = "In the case of Penrose v. Delmont, the court heard both. The company appealed in January 2022."


def test_a_sentence_may_answer_that_does_not_name_whom_it_is_asked_of() -> None:
    found = evidence("Ruling", RULING)
    value = look_beside(make_plan("When did Delmont appeal?", found), found)
    assert value is not None
    assert value.value == "January 2022"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Ruling", RULING.replace("Delmont", "Halloway")),
        ("Corran", f"Corran is a company. {RULING}"),
        ("Ruling", RULING.replace("The company", "Ada Finch")),
    ],
)
def test_it_does_not_answer_of_another_page_s_subject(title: str, text: str) -> None:
    found = evidence(title, text)
    assert look_beside(make_plan("When did Delmont appeal?", found), found) is None


def test_a_club_of_another_kind_is_not_the_one_that_is_asked_about() -> None:
    question, told = "Who is the president of the rowing club?", "The president, Ida Moe, represents the club."
    scores = []
    for text in (told, f"{told} All rowing is done in summer, before noon."):
        found = evidence("Statutes", text)
        plan = make_plan(question, found)
        scores.append(search(plan, found)[0].found[plan.hops[-1].target].score)
    assert scores[1] - scores[0] == pytest.approx(4.0)
