"""What plain text shows by its look: headings, tables in columns, and all that only looks like them."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2. DISCOVERY\nThe lark was described in 1874.", ["2. DISCOVERY", "The lark was described in 1874."]),
        ("Opening hours\n=============\nWe open at nine.", ["Opening hours", "We open at nine."]),
    ],
)
def test_headings_that_text_follows(written: str, expected: list[str]) -> None:
    found = one(written, "x.txt")
    assert found.text.split("\n\n") == expected
    first = found.blocks[0]
    assert (first.kind, found.text[first.start : first.end]) == ("heading", expected[0])


@pytest.mark.parametrize(
    "written",
    [
        "THE TENANT SHALL PAY THE RENT\nON THE FIRST DAY OF EACH MONTH.",  # a sentence in capitals
        "The keeper of the HMS\nMaren was there.",
        "NATO\nand others came.",
        "The boat leaves at\n10:30 from the pier.",
        "I hope   you are   well. We met  him\nthere.  He said\nso.",
        "06:55  Depart Hamburg\n09:20  Arrive Lisbon\n11:00  Collect the car",  # one gap, which pads nothing
        "A line | with a bar.\nAnother one.",
    ],
)
def test_what_only_looks_like_it_stays_as_it_is(written: str) -> None:
    assert one(written, "x.txt").text == written


def test_a_table_in_columns_names_its_heads() -> None:
    written = (
        "NUMBERS\n\n   Island            2012     2022\n   Great Sundrey     1,240      980\n"
        "   Little Sundrey      595      410\n   Hest                 55       70"
    )
    assert blocks(written, "x.txt")[1:] == [
        "Island: Great Sundrey; 2012: 1,240; 2022: 980.",
        "Island: Little Sundrey; 2012: 595; 2022: 410.",
        "Island: Hest; 2012: 55; 2022: 70.",
    ]


def test_a_timetable_without_heads_is_rows_under_its_caption() -> None:
    written = "Shop times:\nMonday      9:00   17:00\nSaturday   10:00   14:00\nSunday    closed   closed"
    assert blocks(written, "x.txt") == [
        "Shop times:",
        "Monday; 9:00; 17:00.",
        "Saturday; 10:00; 14:00.",
        "Sunday; closed; closed.",
    ]


@pytest.mark.parametrize(
    "written",
    [
        "Name | Phone | Room\n-----|-------|-----\nAnn Lee | 12 | A4\nBo Ek | 14 | B2",
        "+---------+-------+------+\n| Name    | Phone | Room |\n+---------+-------+------+\n"
        "| Ann Lee | 12    | A4   |\n| Bo Ek   | 14    | B2   |\n+---------+-------+------+",
    ],
)
def test_a_table_between_bars(written: str) -> None:
    assert blocks(written, "x.txt") == ["Name: Ann Lee; Phone: 12; Room: A4.", "Name: Bo Ek; Phone: 14; Room: B2."]
