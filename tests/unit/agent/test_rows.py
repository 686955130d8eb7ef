"""What a row of a table says: the field of the name that is asked for, or the name of the row."""

from __future__ import annotations

import pytest

from clew.agent.rows import field_of_row, is_of_another_row, name_of_row


def test_a_row_answers_by_its_name_and_its_field() -> None:
    row = "Article: Kestrel 300, Weight: 2400 g, Price: €429, In stock: no."
    told = {
        "What does the Kestrel 300 cost?": "€429", "How heavy is the Kestrel 300?": "2400 g",
        "Is the Kestrel 300 in stock?": "no", "What does the Kestrel 200 cost?": None,
        "Who sells the Kestrel 300?": None,
    }  # fmt: skip
    for question, value in told.items():
        at = field_of_row(question, row)
        assert (at and row[slice(*at)]) == value


def test_a_row_that_only_refers_to_a_name_is_not_its_own() -> None:
    rows = [
        "Name: Mira Koval, Office: B2, Manager: Judith Amrein.",
        "Name: Oskar Pihl, Office: B3, Manager: Mira Koval.",
        "Name: Ruth Alm, Office: C1, Manager: Lars Moe.",
        "Name: Finn Dahl, Office: C2, Manager: Lars Moe.",
    ]
    text = "\n".join(rows)
    own, other, *_ = (field_of_row("What is the office of Mira Koval?", row, text) for row in rows)
    assert (own and rows[0][slice(*own)], other) == ("B2", None)
    assert not any(field_of_row("What is the office of Lars Moe?", row, text) for row in rows)


@pytest.mark.parametrize(
    ("question", "row", "value"),
    [
        ("What was the turnover in 2019?", "Year: 2019; Turnover (£ million): 27.8; Staff: 398.", "27.8"),
        ("What is the maximum load of the K2?", "Property: Max. load; K1: 40 kg; K2: 60 kg; K2 S: 75 kg.", "60 kg"),
        ("How heavy is the K2 S with its case?", "Property: Weight with case; K2: 4 kg; K2 S: 5 kg.", "5 kg"),
        ("When did Ida Falk start?", "Name: Ida Falk, Post: Cook, Start date: 2019-09-16.", "2019-09-16"),
        ("Who pays the water?", "Bill: Water; Paid by: Landlord; A month: £31.", "Landlord"),
        ("Who leads the choir?", "Club: Choir; Day: Monday; Led by: Ms Roe.", "Ms Roe"),
        (
            "What is the e-mail address of Ida Falk?",
            "Name: Ida Falk, Email: falk@mill.example, Room: 4.",
            "falk@mill.example",
        ),
        ("What does a day ticket cost for a senior?", "Ticket: Day ticket; Adult: £9; Senior (65+): £6.", "£6"),
        ("Whose manager is Ida Falk?", "Name: Ida Falk, Manager: Per Holm, Room: 4.", None),
        ("How many rooms has it?", "Name: It, Rooms: 4.", None),
    ],
)
def test_heads_are_asked_for_in_other_words(question: str, row: str, value: str | None) -> None:
    at = field_of_row(question, row)
    assert (row[slice(*at)] if at else None) == value


def test_who_somebody_is_is_the_name_of_the_only_row() -> None:
    rows = ["Name: Ida Falk, Post: Head of Sales.", "Name: Per Holm, Post: Driver.", "Name: Nils Ek, Post: Driver."]
    text = "\n".join(rows)
    assert [name_of_row("Who is the Head of Sales?", row, text) for row in rows] == ["Ida Falk", "", ""]
    assert not any(name_of_row("Who is the driver?", row, text) for row in rows)
    assert not any(name_of_row("Who is Per Holm?", row, text) for row in rows)


def test_rows_beside_the_one_that_is_asked_for_are_of_something_else() -> None:
    rows = ["Club: Choir; Led by: Ms Roe.", "Club: Football; Led by: Coach Dean.", "Day: Monday; Room: 4."]
    text = "\n".join(rows)
    assert [is_of_another_row("Who leads the choir?", row, text) for row in rows] == [False, True, False]
    assert not any(is_of_another_row("Who leads the chess club?", row, text) for row in rows)
