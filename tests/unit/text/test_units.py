"""A number of a row has the unit that the head of its column, its label or the cell behind it names."""

from __future__ import annotations

import pytest

from clew.text.units import measured


@pytest.mark.parametrize(
    ("head", "cell", "said"),
    [
        ("Fare (€)", "18,500", "€18,500"),
        ("Fare EUR", "12", "EUR 12"),
        ("Fare (EUR, without tax)", "12", "EUR 12"),
        ("Fare (£ per night)", "95", "£95 per night"),
        ("Sales (EUR million)", "1.4", "EUR 1.4 million"),
        ("Sales (in thousands of USD)", "320", "USD 320 thousand"),
        ("Sales ($ m)", "14", "14 $ m"),
        ("Rate (USD/NOK)", "0.09", "0.09 USD/NOK"),
        ("Fare (NOK/km)", "9", "NOK 9/km"),
        ("Rain mm", "9", "9 mm"),
        ("Snack bar", "9", "9"),
        ("Mass (kg)", "12", "12 kg"),
        ("Mass in kg", "12–15", "12–15 kg"),
        ("Speed / km/h", "38", "38 km/h"),
        ("Share (%) 2021", "4.5", "4.5%"),
        ("Age (years)", "34", "34 years"),
        ("length_km", "7", "7 km"),
        ("Length_km", "7", "7 km"),
        ("Sales (k€)", "320", "320 k€"),
        ("Sales ($m)", "3.2", "3.2 $m"),
        ("fare_eur", "7", "EUR 7"),
    ],
)
def test_a_number_and_the_unit_of_its_head(head: str, cell: str, said: str) -> None:
    assert measured(["Line", head], ["North", cell], 1) == said


@pytest.mark.parametrize(
    ("head", "cell"),
    [
        ("Fare (€)", "€18,500"),
        ("Fare (€)", "free"),
        ("Fare (€)", "2 x 14"),
        ("Staff (2023)", "12"),
        ("Team (B)", "12"),
        ("Built (year)", "1911"),
        ("Seats (est.)", "1,250"),
        ("Born in Alm", "12"),
        ("Berths, all", "12"),
        ("user_id", "12"),
        ("logged_in", "12"),
        ("Vitamin C", "12"),
    ],
)
def test_what_is_no_bare_number_or_no_unit_stays(head: str, cell: str) -> None:
    assert measured(["Line", head], ["North", cell], 1) == cell


@pytest.mark.parametrize(
    ("heads", "cells", "said"),
    [
        (["Heat (min)", "Heat (max)"], ["4", "19"], ["4", "19"]),
        (["Crew (m)", "Crew (f)"], ["4", "19"], ["4", "19"]),
        (["Mass (kg)", "Mass (lb)"], ["4", "9"], ["4 kg", "9 lb"]),
    ],
)
def test_what_is_no_unit_behind_the_same_word_in_another_head(
    heads: list[str], cells: list[str], said: list[str]
) -> None:
    assert [measured(heads, cells, at) for at in range(2)] == said


def test_the_label_of_a_row_names_the_unit_where_the_heads_are_of_something_else() -> None:
    assert measured(["", "Tern", "Gull"], ["Fare (€)", "12", "free"], 1) == "€12"
    assert measured(["", "2023", "2024"], ["Draught in m", "2", "3"], 2) == "3 m"
    assert measured(["Goods", "Pieces"], ["Rope (m)", "12"], 1) == "12"


@pytest.mark.parametrize(
    ("cells", "at", "said"),
    [
        (["Fuel", "80", "%"], 1, "80%"),
        (["Fare", "12", "EUR"], 1, "EUR 12"),
        (["Speed", "km/h", "38", "40"], 3, "40 km/h"),
        (["Fuel", "80", "crew"], 1, "80"),
        (["Ida", "34", "m"], 1, "34"),
        (["Trial", "4", "8", "kg"], 1, "4"),
        (["Cargo", "4", "kg", "8", "km"], 1, "4"),
    ],
)
def test_a_unit_in_a_column_of_its_own_is_that_of_the_numbers_beside_it(cells: list[str], at: int, said: str) -> None:
    assert measured(["Named"] * len(cells), cells, at) == said
