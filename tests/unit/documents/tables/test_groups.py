"""Groups of a table that empty rows part have the heads of the first."""

from __future__ import annotations

from tests.unit.documents.made import blocks, row, workbook


def sheet(*lines: str) -> list[str]:
    """The blocks of a sheet whose cells strokes part; figures are numbers."""
    cells = (
        row(number, *(float(cell) if cell.isdecimal() else cell for cell in line.split("|")))
        for number, line in enumerate(lines, 1)
        if line
    )
    return blocks(workbook({"Sheet1": "".join(cells)}), "x.xlsx")


def test_groups_with_names_of_their_own_and_the_sum_of_all() -> None:
    told = sheet(
        "Boat|Crew|Catch (kg)", "Inshore", "Tern|2|300", "Gull|3|410", "", "Offshore", "Skua|6|2020", "Auk|7|1890", "",
        "All|18|4620", "", "Weighed at the quay.",
    )  # fmt: skip
    assert told == [
        "Inshore.",
        "Inshore; Boat: Tern; Crew: 2; Catch (kg): 300.",
        "Inshore; Boat: Gull; Crew: 3; Catch (kg): 410.",
        "Offshore.",
        "Offshore; Boat: Skua; Crew: 6; Catch (kg): 2020.",
        "Offshore; Boat: Auk; Crew: 7; Catch (kg): 1890.",
        "Boat: All; Crew: 18; Catch (kg): 4620.",
        "Weighed at the quay.",
    ]


def test_a_table_with_heads_of_its_own_is_another() -> None:
    told = sheet(
        "Boat|Crew|Berth", "Tern|2|9", "Gull|3|8", "", "Port|2023|2024", "Alm|14|15", "Osby|15|16", "", "Owner|Ida Falk"
    )
    assert told == [
        "Boat: Tern; Crew: 2; Berth: 9.",
        "Boat: Gull; Crew: 3; Berth: 8.",
        "Port: Alm; 2023: 14; 2024: 15.",
        "Port: Osby; 2023: 15; 2024: 16.",
        "Owner",
        "Ida Falk",
    ]


def test_figures_where_those_above_have_words_are_of_another_table() -> None:
    assert sheet("Boat|Berth|Metres", "Tern|North|9", "Gull|South|8", "", "Paid|40|", "Open|60|")[2:] == [
        "Paid: 40.",
        "Open: 60.",
    ]
