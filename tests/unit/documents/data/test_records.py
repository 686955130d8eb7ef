"""Tables and records as real tools export them: csv, tsv, json and json lines of any keys."""

from __future__ import annotations

import json

import pytest

from clew.documents.parsed import Parsed, Rejected
from tests.unit.documents.made import blocks, items, one


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
        ("Tern,12,Corran\nGull,9,Ardg\n", "Tern, 12, Corran.\nGull, 9, Ardg."),
        ("Port,2021,2022\nArdg,12,9\n", "Port: Ardg, 2021: 12, 2022: 9."),
        ("Port,1,2,3\nArdg,12,9,8\n", "Port: Ardg, 1: 12, 2: 9, 3: 8."),
        (
            '"Report"\n"Made","2021-01-02"\n\n"Boat","Port","Tons"\n"Tern","Corran","9"\n',
            "Report\n\nMade: 2021-01-02\n\nBoat: Tern, Port: Corran, Tons: 9.",
        ),
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


def test_what_belongs_together_stays_together() -> None:
    def text(value: object) -> str:
        return one(json.dumps(value), "x.json").text

    ports = [{"name": "Ardg", "mayor": {"name": "Jon"}, "berths": [7, 9]}, {"name": "Corran", "open": True}]
    lines = ["ports; name: Ardg; mayor.name: Jon; berths: 7, 9.", "ports; name: Corran; open: yes."]
    assert text({"ports": ports}).split("\n") == lines
    assert text({"Tern": {"length": "12 m"}, "Gull": {"length": "9 m"}}) == "Tern; length: 12 m.\nGull; length: 9 m."
    assert text([["Boat", "Tons"], ["Tern", 9], ["Gull", 7]]) == "Boat: Tern; Tons: 9.\nBoat: Gull; Tons: 7."
    deep = {"a": [{"b": [{"c": 1}]}]}
    assert text(deep) == "b; c: 1."


def test_metadata_of_its_own_object_and_short_lists() -> None:
    row = {"page_content": "The quay is new.", "tags": ["port", "fees"], "metadata": {"author": "Anna Berg", "page": 3}}
    (found,) = items(json.dumps(row).encode(), "x.jsonl")
    assert isinstance(found, Parsed)
    assert found.metadata == {"tags": ["port", "fees"], "author": "Anna Berg", "page": "3"}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.json", '{"text": "Zoë’s."}\n{"text": "Två."}\n'.encode()),
        ("x.jsonl", '{"text": "Zoë’s."}\n{"text": "Två."}\n'.encode("utf-16")),
        ("x.jsonl", '{"text": "Zoë’s."}\n{"text": "Två."}\n'.encode("cp1252")),
        ("x.json", '[{"text": "Zoë’s."}, {"text": "Två."}]'.encode("cp1252")),
    ],
)
def test_lines_and_letters_as_programs_write_them(name: str, data: bytes) -> None:
    assert [item.text for item in items(data, name) if isinstance(item, Parsed)] == ["Zoë’s.", "Två."]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ("Port,,Mayor\nArdg,north,Jon\nCorran,south,Ida\n",
         ["Port: Ardg, north, Mayor: Jon.", "Port: Corran, south, Mayor: Ida."]),
        ("Jon,jon@x.invalid,Ardg\nIda,ida@x.invalid,Corran\n",
         ["Jon, jon@x.invalid, Ardg.", "Ida, ida@x.invalid, Corran."]),
    ],
    ids=["a head without a name", "addresses are no heads"],
)  # fmt: skip
def test_heads_without_a_name_and_none(data: str, lines: list[str]) -> None:
    assert one(data, "x.csv").text.split("\n") == lines


@pytest.mark.parametrize(
    "data",
    ['boat\tnote\nTern\t"red\nGull\tblue\n', 'boat\tnote\nTern\t"red\nGull\t"blue\nSkua\tgrey" and white\n'],
    ids=["never closed", "closed rows later"],
)
def test_quotation_marks_of_tables_with_tabs_may_be_letters(data: str) -> None:
    assert one(data, "x.tsv").text.split("\n")[:2] == [
        'boat: Tern, note: "red.',
        one(data, "x.tsv").text.split("\n")[1],
    ]
    assert "boat: Gull, note: " in one(data, "x.tsv").text
    marked = 'boat\tnote\n"Tern"\t"red ""one""\nof oak"\n'
    assert one(marked, "x.tsv").text == 'boat: Tern, note: red "one" of oak.'


def test_a_row_with_an_empty_text_is_one_of_its_fields() -> None:
    data = "no;day;amount;text\n1;3 May;12,50;Rent of the quay\n2;4 May;99,00;\n"
    first, second = items(data.encode(), "x.csv")
    assert isinstance(first, Parsed)
    assert isinstance(second, Parsed)
    assert first.text.startswith("Rent of the quay")
    assert second.text == "no: 2.\nday: 4 May.\namount: 99,00."
    _, left = items(b'{"text": "One."}\n{"text": "", "url": "http://x"}\n', "x.jsonl")
    assert left == Rejected("Line 2: its text is empty.")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.jsonl", '{"text": "One is old."},\n{"text": "Two is new."},\n'),
        ("x.jsonl", '[\n{"text": "One is old."},\n{"text": "Two is new."}\n]\n'),
        ("x.json", '{"text": "One is old."},\n{"text": "Two is new."}\n'),
    ],
    ids=["commas", "a list by lines", "commas in json"],
)
def test_objects_behind_each_other_however_they_are_parted(name: str, data: str) -> None:
    assert [found.text for found in items(data.encode(), name) if isinstance(found, Parsed)] == [
        "One is old.",
        "Two is new.",
    ]


def test_the_outline_of_a_place_does_not_part_what_is_told_of_it() -> None:
    shape = [[[5.1, 60.2], [5.2, 60.3], [5.1, 60.2]]]
    places = [{"properties": {"name": name}, "geometry": {"coordinates": shape}} for name in ("Ardg", "Corran")]
    assert one(json.dumps({"features": places}), "x.json").text == (
        "features; properties.name: Ardg.\nfeatures; properties.name: Corran."
    )


def test_what_a_notebook_shows_is_read_as_it_is_shown() -> None:
    def shown(**data: str) -> dict[str, object]:
        return {"output_type": "display_data", "data": {key.replace("_", "/"): value for key, value in data.items()}}

    table = "<table><thead><tr><th></th><th>boat</th></tr></thead><tr><th>0</th><td>Tern</td></tr></table>"
    outputs = [
        shown(text_html=table, text_plain="   boat\n0  Tern"),
        shown(text_markdown="**Built:** 1931", text_plain="<IPython.core.display.Markdown object>"),
        shown(text_html="<b>Sold</b> twice", text_plain="<IPython.core.display.HTML object>"),
        shown(text_html="<i>7</i>", text_plain="7"),
    ]
    book = {"cells": [{"cell_type": "code", "source": "show()", "outputs": outputs}]}
    assert blocks(json.dumps(book), "x.ipynb") == ["show()", "0; boat: Tern.", "Built: 1931", "Sold twice", "7"]
