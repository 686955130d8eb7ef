"""The hops of a question, which the default strategy asks beside it."""

from __future__ import annotations

from clew.questions.grammar import LONGEST_QUESTION
from clew.retrieval.hops import MOST_HOPS, Hops, hops_of


def test_what_can_be_asked_at_once_and_what_waits_for_a_bridge() -> None:
    hops = hops_of("Which sport is played in the town where Alda Voss was born?")
    assert hops.first == ("In which town was Alda Voss born",)
    assert hops.about("Quillby") == ["Which sport is played in Quillby"]


def test_each_name_has_its_own_first_hop() -> None:
    hops = hops_of("Are the director of Ferry Lights and the director of Harbour Road from the same country?")
    assert set(hops.first) == {"Who is the director of Ferry Lights", "Who is the director of Harbour Road"}
    assert hops.about("Mina Paredes") == ["Which country is Mina Paredes from"], (
        "asked of a bridge once, for whichever name"
    )


def test_a_question_of_one_hop_and_a_text_are_not_taken_apart() -> None:
    assert hops_of("Who painted ships?") == hops_of("Alda Voss") == hops_of("") == Hops()
    assert hops_of("Who directed the film that Alda Voss wrote? " * LONGEST_QUESTION) == Hops()


def test_a_question_of_very_many_hops_costs_no_more_than_another() -> None:
    assert len(hops_of("Who is " + "the mother of " * MOST_HOPS + "Alda Voss?").later) == MOST_HOPS - 1
    assert hops_of("Who is " + "the mother of " * (MOST_HOPS + 1) + "Alda Voss?") == Hops()


def test_braces_in_a_question_are_no_slots() -> None:
    hops = hops_of("Which sport is played in the town where {9} Alda Voss {0} was born?")
    assert all("Quillby" not in first for first in hops.first)


def test_what_two_named_things_are_is_no_hop() -> None:
    assert hops_of("What do Alda Voss and Lake Tarn have in common?") == Hops()
    assert hops_of("Are Alda Voss and Otto Kranz both painters?") == Hops()
