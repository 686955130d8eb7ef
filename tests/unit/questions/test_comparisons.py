"""Questions about two options: what is looked up of each, and how the values decide."""

from __future__ import annotations

import pytest

from clew.questions.compare import decide
from clew.questions.grammar import plan

CASES = [
    ("Who was born first, Alda Voss or Otto Kranz?", ["3 May 1901", "1899"], "Otto Kranz"),
    ("Who is younger, Alda Voss or Otto Kranz?", ["3 May 1901", "May 5, 1901"], "Otto Kranz"),
    ("Was Alda Voss or Otto Kranz born earlier?", ["1901", "1899"], "Otto Kranz"),
    ("Which film came out first, Ferry Lights or Harbour Road?", ["1950", "June 1949"], "Harbour Road"),
    ("Which lighthouse was lit last, Skarn Light or Maren Light?", ["1809", "1950"], "Maren Light"),
    ("Which of Quillby and Ansby has the larger population?", ["1,200", "1.5 thousand"], "Ansby"),
    ("Between Quillby and Ansby, which has more inhabitants?", ["900", "1,100"], "Ansby"),
    ("Which mountain is higher, Mount Cundrey or Mount Ymmer?", ["3,000 ft", "1 km"], "Mount Ymmer"),
    ("Which is cheaper, Model Kestrel or Model Heron?", ["40 euros", "35 euros"], "Model Heron"),
    ("Who lived longer, Alda Voss or Otto Kranz?", ["1900", "1980", "1910", "1975"], "Alda Voss"),
    ("Is Mount Ymmer higher than Mount Cundrey?", ["1,000 m", "3 km"], "no"),
    ("Was Alda Voss born before Otto Kranz?", ["1899", "1901"], "yes"),
    ("Are Ansby and Quillby on the same island?", ["Merrow", "Merrow"], "yes"),
    ("Do Alda Voss and Otto Kranz have the same nationality?", ["Danish", "Swiss"], "no"),
    ("Were Alda Voss and Otto Kranz born in the same year?", ["3 May 1901", "1901"], "yes"),
    ("Are both Ansby and Quillby located in the same country?", ["Merrow", "Merrow"], "yes"),
    ("Who was born first, Alda Voss or Otto Kranz?", ["a painter", "1899"], None),
    ("Who was born first, Alda Voss or Otto Kranz?", ["1899", "1899"], None),
]


@pytest.mark.parametrize(("question", "found", "answer"), CASES)
def test_two_values_decide(question: str, found: list[str], answer: str | None) -> None:
    taken = plan(question)
    assert taken.comparison
    slots = (*taken.comparison.left, *taken.comparison.right)
    values = {**taken.names, **dict(zip(slots, found, strict=True))}
    assert decide(taken.comparison, values) == answer
    assert decide(taken.comparison, taken.names) is None, "nothing is decided by nothing"


def test_what_leads_to_the_options_is_asked_of_each() -> None:
    taken = plan("Which film has the director who died earlier, Ferry Lights or Harbour Road?")
    values = {**taken.names, 2: "Mina Paredes", 4: "Ivo Lund"}
    assert [hop.question(values) for hop in taken.hops] == [
        "Who is the director of Ferry Lights?",
        "When did Mina Paredes die?",
        "Who is the director of Harbour Road?",
        "When did Ivo Lund die?",
    ]
    assert taken.comparison
    assert decide(taken.comparison, {**values, 3: "1980", 5: "1 May 1979"}) == "Harbour Road"


def test_options_without_a_measure_are_told_and_read_for() -> None:
    taken = plan("Which company is based in Quillby, Tarn Works or Marr Ropes?")
    assert len(taken.hops) == 1
    assert taken.comparison
    assert (taken.comparison.wins, taken.comparison.left) == ("which", ())
    assert [taken.anchors[slot] for slot in taken.comparison.options] == ["Tarn Works", "Marr Ropes"]
