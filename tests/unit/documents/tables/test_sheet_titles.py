"""Titles of workbooks that say none themselves."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import one, row, workbook


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
        ((("The list was made in May, and checked twice.", *TABLE),), "list 7"),
        ((("Printed: 3 May", *TABLE),), "list 7"),
        ((("2024-05-03", *TABLE),), "list 7"),
        ((TABLE,), "list 7"),
        ((("Berth", "North", "South"),), "list 7"),
    ],
    ids=["title", "apart", "number", "sheets", "sentence", "label", "day", "none", "column"],
)
def test_the_title_of_a_workbook_is_the_line_above_its_only_table(
    sheets: tuple[tuple[str, ...], ...], title: str
) -> None:
    assert titled(*sheets) == title
