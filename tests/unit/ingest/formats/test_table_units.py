"""A number in a table has the unit that the head of its column names."""

from __future__ import annotations

import pytest

from clew.ingest.formats.tables import row_line
from tests.unit.ingest.formats.made import blocks


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
    assert row_line(["Line", head], ["North", cell]) == f"Line: North; {head}: {said}."


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
    line = row_line(["Line", head], ["North", cell])
    assert line.rstrip(".") == f"Line: North; {head}: {cell}".rstrip(".")


def test_what_is_no_unit_behind_the_same_word_in_another_head() -> None:
    assert row_line(["Heat (min)", "Heat (max)"], ["4", "19"]) == "Heat (min): 4; Heat (max): 19."
    assert row_line(["Crew (m)", "Crew (f)"], ["4", "19"]) == "Crew (m): 4; Crew (f): 19."
    assert row_line(["Mass (kg)", "Mass (lb)"], ["4", "9"]) == "Mass (kg): 4 kg; Mass (lb): 9 lb."


def test_a_comma_before_a_unit_parts_no_fields() -> None:
    assert row_line(["Boat", "Draught, m", "Bow, stern"], ["Tern", "~2.4", "3"]) == (
        "Boat: Tern; Draught (m): ~2.4 m; Bow, stern: 3."
    )
    assert row_line(["Fare [NOK]", "Line [2]"], ["640.50", "7"]) == "Fare (NOK): NOK 640.50; Line [2]: 7."


def test_in_a_csv_and_a_data_sheet() -> None:
    assert "width_cm: 40 cm" in blocks("name,width_cm\nDoor,40\nGate,90\n", "x.csv")[0]
    page = "<table><tr><th>Length (m)<td>12<tr><th>Builder<td>Ida Falk</table>"
    assert blocks(page, "x.html") == ["Length (m): 12 m.", "Builder: Ida Falk."]


def test_the_label_of_a_row_names_the_unit_where_the_heads_are_of_something_else() -> None:
    assert row_line(["", "Tern", "Gull"], ["Fare (€)", "12", "free"]) == "Fare (€); Tern: €12; Gull: free."
    assert row_line(["", "2023", "2024"], ["Draught in m", "2", "3"]) == "Draught in m; 2023: 2 m; 2024: 3 m."
    assert row_line(["Goods", "Pieces"], ["Rope (m)", "12"]) == "Goods: Rope (m); Pieces: 12."
    assert row_line(["", ""], ["Rope (m)", "12"]) == "Rope (m); 12."


def test_units_in_a_row_below_the_heads() -> None:
    assert blocks("At;Heat;Wind\ns;°C;m/s\n0;21.5;4\n10;22;5\n", "x.csv")[0].split("\n")[0] == (
        "At (s): 0 s, Heat (°C): 21.5 °C, Wind (m/s): 4 m/s."
    )
    page = "<table><tr><th>Boat<th>Draught<th>Fare<tr><td><td>[m]<td>[NOK]<tr><td>Tern<td>2<td>90<tr><td>Auk<td>3<td>80"
    assert blocks(page, "x.html") == [
        "Boat: Tern; Draught (m): 2 m; Fare (NOK): NOK 90.",
        "Boat: Auk; Draught (m): 3 m; Fare (NOK): NOK 80.",
    ]
    assert blocks("Boat;Sex;Class\nTern;m;s\nAuk;m;l\n", "x.csv")[0].startswith("Boat: Tern, Sex: m")
    assert blocks("From;Into\nNOK;EUR\nEUR;SEK\n", "x.csv")[0].startswith("From: NOK, Into: EUR.")
