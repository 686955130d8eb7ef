"""The hops of a question, which the default strategy asks beside it."""

from __future__ import annotations

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


def test_a_question_of_very_many_hops_costs_no_more_than_another() -> None:
    assert len(hops_of("Who is " + "the mother of " * MOST_HOPS + "Alda Voss?").later) == MOST_HOPS - 1
    assert hops_of("Who is " + "the mother of " * (MOST_HOPS + 1) + "Alda Voss?") == Hops()
