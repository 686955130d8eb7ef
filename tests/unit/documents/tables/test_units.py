"""Units that a table keeps apart from its heads become theirs; its numbers stay as they are written."""

from __future__ import annotations

from clew.documents.tables.rows import row_line
from tests.unit.documents.made import blocks


def test_a_comma_before_a_unit_parts_no_fields() -> None:
    assert row_line(["Boat", "Draught, m", "Bow, stern"], ["Tern", "~2.4", "3"]) == (
        "Boat: Tern; Draught (m): ~2.4; Bow, stern: 3."
    )
    assert row_line(["Fare [NOK]", "Line [2]"], ["640.50", "7"]) == "Fare (NOK): 640.50; Line [2]: 7."


def test_units_in_a_row_below_the_heads() -> None:
    assert blocks("At;Heat;Wind\ns;°C;m/s\n0;21.5;4\n10;22;5\n", "x.csv")[0].split("\n")[0] == (
        "At (s): 0, Heat (°C): 21.5, Wind (m/s): 4."
    )
    page = "<table><tr><th>Boat<th>Draught<th>Fare<tr><td><td>[m]<td>[NOK]<tr><td>Tern<td>2<td>90<tr><td>Auk<td>3<td>80"
    assert blocks(page, "x.html") == [
        "Boat: Tern; Draught (m): 2; Fare (NOK): 90.",
        "Boat: Auk; Draught (m): 3; Fare (NOK): 80.",
    ]
    assert blocks("Boat;Sex;Class\nTern;m;s\nAuk;m;l\n", "x.csv")[0].startswith("Boat: Tern, Sex: m")
    assert blocks("From;Into\nNOK;EUR\nEUR;SEK\n", "x.csv")[0].startswith("From: NOK, Into: EUR.")
