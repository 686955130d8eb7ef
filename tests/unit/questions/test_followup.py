"""A follow-up is said in full with the last thing that fits it, and a question that needs nothing stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.questions.followup import in_full


@pytest.mark.parametrize(
    ("asked", "answer", "question", "names"),
    [
        ("Who founded Vandor?", "Greta Lund", "Where was she born?", "Greta Lund"),
        ("Who founded Vandor?", "Greta Lund", "What is its revenue?", "Vandor"),
        ("Who founded Vandor?", "Greta Lund", "and Norddal Steel?", "Norddal Steel"),
        ("When was the Heron Bridge opened?", "1911", "Who designed it?", "Heron Bridge"),
        ("When was the Heron Bridge opened?", "1911", "What about the Osby Mill?", "Osby Mill"),
        ("Where is Vandor based?", "Malvik", "Who lives there?", "Malvik"),
        ("Who is the mayor of Osby?", "Nils Ek", "When was he elected?", "Nils Ek"),
        ("Who is the mayor of Osby?", "Nils Ek", "And since when?", "Osby"),
    ],
)
def test_a_follow_up_names_what_it_is_about(asked: str, answer: str, question: str, names: str) -> None:
    assert names in in_full(question, [(asked, answer)])


@pytest.mark.parametrize(
    "question", ["Who is the chair of Norddal?", "Is there a bridge in Malvik?", "How long does it take to Osby?"]
)
def test_a_whole_question_stays(question: str) -> None:
    assert in_full(question, [("Who founded Vandor?", "Greta Lund")]) == question


@pytest.mark.parametrize(
    ("asked", "question", "whole"),
    [
        ("How does the warranty work?", "How long does it last?", "How long does the warranty last?"),
        ("What does the lease say about pets?", "Who signed it?", "Who signed the lease?"),
        ("What is the notice period?", "Who can change it?", "Who can change the notice period?"),
        ("How do I return a kettle?", "What does it cost?", "What does the kettle cost?"),
        ("How do I return a kettle?", "And a toaster?", "How do I return a toaster?"),
        ("Why was the Heron Bridge closed?", "When was it built?", "When was Heron Bridge built?"),
    ],
)
def test_a_follow_up_after_sentences_keeps_the_topic(asked: str, question: str, whole: str) -> None:
    assert in_full(question, [(asked, "")]) == whole


def test_them_are_the_last_two() -> None:
    lamps = [("Who designed the A1 lamp?", "Ida Falk"), ("And the B2 lamp?", "Jon Rex")]
    assert in_full("Which of them was born first?", lamps) == "Which of Ida Falk and Jon Rex was born first?"
    weights = [("What does the Kestrel 200 weigh?", "1.9 kg"), ("And the Kestrel 300?", "2400 g")]
    assert in_full("Which of them is dearer?", weights) == "Which of Kestrel 200 and Kestrel 300 is dearer?"
    founders = [("Who founded Vandor?", "Greta Lund and Jon Rex")]
    assert in_full("Where were they born?", founders) == "Where were Greta Lund and Jon Rex born?"


@settings(max_examples=80, deadline=None)
@given(question=st.text(max_size=200), asked=st.text(min_size=1, max_size=200), answer=st.text(max_size=80))
def test_any_text_is_taken(question: str, asked: str, answer: str) -> None:
    assert isinstance(in_full(question, [(asked, answer)]), str)
