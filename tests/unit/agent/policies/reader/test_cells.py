"""What a row of a table says: the field of the name that is asked for, or the name of the row."""

from __future__ import annotations

import pytest

from clew.agent.policies.reader.cells import (
    cells_asked,
    column_asked,
    field_of_row,
    is_of_another_row,
    measured_by_head,
    name_of_row,
    tables_asked,
)


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
    spans = [(text.index(row), text.index(row) + len(row)) for row in rows]
    choir, chess = "Who leads the choir?", "Who leads the chess club?"
    tables = tables_asked(choir, text)
    assert tables == {"Club"}
    assert [is_of_another_row(choir, span, text, tables) for span in spans] == [False, True, False]
    assert tables_asked(chess, text) == set()


ORDER = """\
Line: 1; Item: Bath towel 450 gsm; Colour: white; Quantity: 240; Unit price (€): 6.80; Remark: for the spa rooms.
Line: 2; Item: Hand towel 450 gsm; Colour: white; Quantity: 180; Unit price (€): 3.20.
Line: 3; Item: Bathrobe medium; Colour: navy; Quantity: 36; Unit price (€): 29.90.
Line: 4; Item: Bathrobe large; Colour: navy; Quantity: 24; Unit price (€): 31.90; Remark: Replaces BR-80.

Item: Overlocker; Location: Room 3; Bought: 2023-02-09.
Item: Pillar drill; Location: Bay 1; Bought: 2017-09-02.

Length of crest; Harrow Dam: 318 m; Thorle Dam: 145 m.
Height; Harrow Dam: 61 m; Thorle Dam: 27 m.

Command: tally switch PROJECT; Shortcut: Ctrl+W.
Command: tally stop; Shortcut: Ctrl+X.
Command: tally start PROJECT; Shortcut: Ctrl+S.
Command: tally undo; Meaning: takes back the last entry.

Name: Peter Hagen; Start date: 2024-04-15; Manager: Greta Moe.
Name: Clara Novotna; Start date: 2022-02-01; Manager: Greta Moe."""


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many bath towels did the inn order?", "240"),
        ("What is the unit price of a large bathrobe?", "31.90"),
        ("What colour are the bathrobes?", "navy"),  # both say the same
        ("How many bathrobes did the inn order?", None),  # they do not
        ("How many gsm does a medium bathrobe have?", None),  # no count of gsm
        ("How many spa rooms does the inn have?", None),  # a remark is no name of a row
        ("What does the towel BR-99 cost?", None),  # no text has that code
        ("In which room is the overlocker kept?", "Room 3"),
        ("When did they buy the pillar drill?", "2017-09-02"),
        ("Where is the pillar drill?", "Bay 1"),
        ("How long is the crest of Thorle Dam?", "145 m"),
        ("What is the shortcut for tally switch?", "Ctrl+W"),
        ("What is the shortcut for tally undo?", None),  # its cell is empty
        ("What is the end date of Peter Hagen?", None),  # it has another date
        ("What is the start date of Peter Hagen?", "2024-04-15"),
        ("Who is the manager of Greta Moe?", None),  # she is one
    ],
)
def test_a_cell_is_asked_for_by_the_words_of_its_row_and_its_head(question: str, value: str | None) -> None:
    assert next((ORDER[slice(*one.cell)] for one in cells_asked(question, ORDER)), None) == value


@pytest.mark.parametrize(
    ("row", "value", "measured"),
    [
        ("Item: Cleaning; Cost (€): 18,500.", "18,500", "money"),
        ("Item: Cleaning; Cost (GBP): 640.", "640", "money"),
        ("Path: A; Length (km): 21.", "21", "length"),
        ("Item: Cleaning; Staff (2023): 12.", "12", ""),
        ("Item: Cleaning; Cost (€): 18,500.", "12", ""),
    ],
)
def test_a_number_has_the_unit_of_its_head(row: str, value: str, measured: str) -> None:
    assert measured_by_head(value, row) == measured


def test_the_label_of_a_row_may_name_its_unit() -> None:
    text = "Turnover (EUR million); 2022: EUR 4 million; 2023: EUR 5 million.\nStaff; 2022: 31; 2023: 34."
    assert [text[slice(*one.cell)] for one in cells_asked("What was the turnover in 2023?", text)] == ["EUR 5 million"]


FLEET = """\
Boat: Aurora; Skipper: Jon Ek; Port: Osby; Berths: 8.

Boat: Borea; Skipper: Ann Lee; Port: Osby; Berths: 6.

Boat: Calla; Skipper: Jon Ek; Port: Ardg; Berths: 8."""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which boats does Jon Ek skipper?", ["Aurora", "Calla"]),
        ("Which boats are in Osby?", ["Aurora", "Borea"]),
        ("Which ports has Jon Ek?", ["Osby", "Ardg"]),
        ("Which boats are not in Osby?", []),
        ("Which boats have more than 8 berths?", []),  # a number is no name
        ("Which boats does Bo Rex skipper?", []),
        ("Which cars does Jon Ek own?", []),
    ],
)
def test_a_list_is_the_cells_of_a_column_over_the_rows_that_are_named(question: str, values: list[str]) -> None:
    assert [FLEET[slice(*at)] for at in column_asked(question, FLEET)] == values


def test_whoever_does_a_thing_is_called_by_it() -> None:
    row = "Shed: Lower Barn, Owner: Ann Lee, Supplier: Bo Rex, Editor: Jon Ek."
    told = {"owns": "Ann Lee", "supplied": "Bo Rex", "edits": "Jon Ek", "sells": None}
    for verb, value in told.items():
        at = field_of_row(f"Who {verb} the Lower Barn?", row)
        assert (at and row[slice(*at)]) == value
