"""Tables and records as real tools export them: csv, tsv, json and json lines of any keys."""

from __future__ import annotations

import json

import pytest

from clew.ingest.formats.parsed import Parsed, Rejected
from tests.unit.ingest.formats.made import items, one


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("sep=;\nBoat;Port\nTern;Corran, north\n", "Boat: Tern, Port: Corran, north."),
        ("sep=|\r\nBoat|Port\r\nTern|Corran\r\n", "Boat: Tern, Port: Corran."),
        (
            "Boats of 2020\n\nBoat,Port\nTern,Corran\nGull,Ardg\n",
            "Boats of 2020\n\nBoat: Tern, Port: Corran.\nBoat: Gull, Port: Ardg.",
        ),
        ("Report,,\nBoat,Port,Tons\nTern,Corran,9\n", "Report\n\nBoat: Tern, Port: Corran, Tons: 9."),
        ("Boat,Port,\nTern,Corran,\nGull,Ardg,\n", "Boat: Tern, Port: Corran.\nBoat: Gull, Port: Ardg."),
        (
            '"Boat, or ship";"Port, home"\nTern;Corran\nGull;Ardg\n',
            "Boat, or ship: Tern, Port, home: Corran.\nBoat, or ship: Gull, Port, home: Ardg.",
        ),
        ('Boat, "Port, home"\nTern, Corran\n', "Boat: Tern, Port, home: Corran."),
        ("Boat,Port\nTern\nGull,Ardg\n", "Boat: Tern.\nBoat: Gull, Port: Ardg."),
        ("Boat\nTern\nGull\n", "Boat: Tern.\nBoat: Gull."),
    ],
)
def test_tables_as_they_are_exported(written: str, expected: str) -> None:
    assert one(written, "x.csv").text == expected


def test_a_row_with_more_cells_than_the_header_is_kept_and_told() -> None:
    found = one("Boat,Port\nTern,Corran,sold\nGull,Ardg\n", "x.csv")
    assert found.text == "Boat: Tern, Port: Corran, sold.\nBoat: Gull, Port: Ardg."
    assert found.notes == ("Rows with more cells than the header: 1 (the first in line 2).",)


def test_columns_beside_a_text_are_kept() -> None:
    rows = "id,author,date,text,url\n7,Anna Berg,2020-02-03,The quay is new.,\n8,,,It is old.,\n"
    first, second = items(rows.encode(), "x.csv")
    assert isinstance(first, Parsed)
    assert isinstance(second, Parsed)
    assert first.text == "The quay is new.\n\nauthor: Anna Berg; date: 2020-02-03."
    assert (first.locator, first.metadata) == ("7", {"author": "Anna Berg", "date": "2020-02-03"})
    assert (second.text, second.metadata) == ("It is old.", {})


def test_tabs() -> None:
    assert one("Boat\tPort\nTern\tCorran, north\n", "x.tsv").text == "Boat: Tern, Port: Corran, north."


@pytest.mark.parametrize("key", ["text", "contents", "content", "body", "page_content", "passage"])
def test_every_shape_is_read_from_every_kind_of_file(key: str) -> None:
    rows = [
        {"title": "Tern", key: "It was built in 1931.", "author": "Anna Berg"},
        {"title": "Gull", key: "It is new."},
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    for name, data in (
        ("x.jsonl", lines),
        ("x.json", json.dumps(rows)),
        ("y.json", json.dumps({"n": 2, "data": rows})),
    ):
        found = [item for item in items(data.encode(), name) if isinstance(item, Parsed)]
        assert [(item.title, item.text) for item in found] == [
            ("Tern", "It was built in 1931.\n\nauthor: Anna Berg."),
            ("Gull", "It is new."),
        ], name


def test_records_without_a_text_are_texts_of_their_fields() -> None:
    rows = [
        {"name": "Tern", "yard": "Corran", "owners": ["Anna", "Jon"]},
        {"name": "Gull", "yard": {"town": "Ardg"}},
        7,
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    first, second, third = items(lines.encode(), "x.jsonl")
    assert isinstance(first, Parsed)
    assert isinstance(second, Parsed)
    assert (first.title, first.text) == ("Tern", "yard: Corran.\nowners: Anna, Jon.")
    assert (second.title, second.text) == ("Gull", "yard.town: Ardg.")
    assert third == Rejected("Line 3: not an object with a text.")
    flat = json.dumps([{"name": "Tern", "built": 1931}, {"name": "Gull", "built": None}])
    assert one(flat, "x.json").text == "name: Tern, built: 1931.\nname: Gull."
    assert [item.text for item in items(b'"One."\n"Two."\n', "x.jsonl") if isinstance(item, Parsed)] == ["One.", "Two."]
