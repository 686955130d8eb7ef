"""Tables right below each other on a sheet, and the titles of workbooks that say none themselves."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import one, row, workbook
from tests.unit.documents.tables.test_groups import sheet


def test_a_second_table_that_repeats_a_head() -> None:
    assert sheet("Vessel|Days", "Tern|12", "Gull|40", "Crew|Days", "Ole|30", "Ida|9") == [
        "Vessel: Tern; Days: 12.",
        "Vessel: Gull; Days: 40.",
        "Crew: Ole; Days: 30.",
        "Crew: Ida; Days: 9.",
    ]


def test_tables_with_titles_of_their_own() -> None:
    told = sheet(
        "Catch", "Fish|Tons", "Cod|310", "Herring|95", "Fuel", "Month|Litres", "May|800", "Crew", "Name|Age", "Ole|51"
    )
    assert told == [
        "Catch",
        "Fish: Cod; Tons: 310.",
        "Fish: Herring; Tons: 95.",
        "Fuel",
        "Month: May; Litres: 800.",
        "Crew",
        "Name: Ole; Age: 51.",
    ]


def test_names_that_interrupt_several_columns_of_figures() -> None:
    told = sheet("Port|2021|2022", "Holm|3|4", "Vik|5|6", "Boat|Length|Draught", "Tern|12|2", "Gull|9|1")
    assert told[1:3] == ["Port: Vik; 2021: 5; 2022: 6.", "Boat: Tern; Length: 12; Draught: 2."]


@pytest.mark.parametrize(
    "lines",
    [
        ("Tour|Seats|Kroner", "North|12|300", "South|full|on request", "West|8|250", "East|9|260"),
        ("Tour|Guide|Kroner", "North|Ole|300", "South|Ida|free", "West|Ole|250"),
        ("Tour|Guide|Boat", "North|Ole|Tern", "South|Ida|Gull", "Guide|Tour|Boat", "West|Per|Tern"),
    ],
)
def test_words_among_figures_are_no_heads(lines: tuple[str, ...]) -> None:
    heads = lines[0].split("|")
    assert all(line.startswith(f"{heads[0]}: ") and f"; {heads[1]}: " in line for line in sheet(*lines))


def titled(*sheets: tuple[str, ...]) -> str:
    made = {
        f"Sheet{number}": "".join(row(at, *line.split("|")) for at, line in enumerate(lines, 1) if line)
        for number, lines in enumerate(sheets, 1)
    }
    return one(workbook(made), "list_7.xlsx").title


TABLE = ("Berth|Metres", "North|40", "South|32")


@pytest.mark.parametrize(
    ("sheets", "title"),
    [
        ((("Berths of Holm harbour", *TABLE), ()), "Berths of Holm harbour"),
        ((("Berths of Holm harbour", "", *TABLE),), "Berths of Holm harbour"),
        ((("Table 4", "Berths by length", *TABLE),), "Table 4: Berths by length"),
        ((("Holm", *TABLE), ("Vik", *TABLE)), "list 7"),
        ((("Holm", *TABLE, "Vik", "Berth|Depth", "East|4"),), "list 7"),
        ((("The list was made in May, and checked twice.", *TABLE),), "list 7"),
        ((("Printed: 3 May", *TABLE),), "list 7"),
        ((("2024-05-03", *TABLE),), "list 7"),
        ((TABLE,), "list 7"),
        ((("Berth", "North", "South"),), "list 7"),
    ],
    ids=["title", "apart", "number", "sheets", "tables", "sentence", "label", "day", "none", "column"],
)
def test_the_title_of_a_workbook_is_the_line_above_its_only_table(
    sheets: tuple[tuple[str, ...], ...], title: str
) -> None:
    assert titled(*sheets) == title
