"""Markdown: struck and raised text, notes, terms, nested lists and what stands above the text."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one


def test_struck_and_raised_text() -> None:
    found = one("It costs ~~9~~ 7 crowns, <del>or 8</del> for 10<sup>6</sup> sheets.<br>Paid.", "x.md")
    assert found.text == "It costs 7 crowns, for 10⁶ sheets.\nPaid."
    assert found.notes == ("Left out: struck or deleted text (2).",)


def test_notes_and_terms_are_kept() -> None:
    text = "The pact was sealed.[^1]\n\n[^1]: A copy lies in Corran.\n\nBerth\n: A place for a ship.\n"
    assert blocks(text, "x.md") == ["The pact was sealed.", "Berth: A place for a ship.", "A copy lies in Corran."]


def test_nested_lists() -> None:
    text = "- Ports\n  - Corran\n    - two berths\n  - Ardg\n- Yards\n\n1. Close it.\n   - slowly\n"
    assert blocks(text, "x.md") == [
        "Ports",
        "Ports: Corran",
        "Ports: Corran: two berths",
        "Ports: Ardg",
        "Yards",
        "Close it.",
        "slowly",
    ]


def test_front_matter_says_who_and_when() -> None:
    yaml = (
        "---\ntitle: Fees\nauthor: 'Anna Berg'\ndate: 2020-02-03 # "
        "of print\ntags:\n  - port\n  - fees\nlayout: a\n---\nText."
    )
    found = one(yaml, "x.md")
    assert (found.title, found.text) == ("Fees", "Text.\n\nauthor: Anna Berg; date: 2020-02-03.")
    assert found.metadata == {"author": "Anna Berg", "date": "2020-02-03", "tags": ["port", "fees"], "layout": "a"}
    toml = '+++\ntitle = "Fees"\nauthors = ["Anna Berg", "Jon Ek"]\n+++\nWritten by hand.'
    assert one(toml, "x.md").text.endswith("authors: Anna Berg, Jon Ek.")
    assert one("---\nauthor: Anna Berg\n---\nBy Anna Berg.", "x.md").text == "By Anna Berg."


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("author:\n  name: Anna Berg\n  email: a@quay.invalid", {"author": "Anna Berg"}),
        (
            "author:\n  - name: Anna Berg\n    affiliation: Quay\n  - name: Jon Ek",
            {"author": ["Anna Berg", "Jon Ek"]},
        ),
        ("автор: Вера Орлова\n作者: 王芳\nété: 2020", {"автор": "Вера Орлова", "作者": "王芳", "été": "2020"}),
        ("tags: port, fees\nkeywords: old; new", {"tags": ["port", "fees"], "keywords": ["old", "new"]}),
        ('tags: [port,\n  "fees, dues", O\'Neil]', {"tags": ["port", "fees, dues", "O'Neil"]}),
        ('tags = [\n  "port",\n  "fees",\n]\nby = \'Anna\'', {"tags": ["port", "fees"], "by": "Anna"}),
        (
            "abstract: >-\n  It is\n  old.\nseason: warm\n  and dry",
            {"abstract": "It is old.", "season": "warm and dry"},
        ),
        ("author:\n  - given: Anna\n    family: Berg\n  - name:\n      given: Jon\n      family: Ek",
         {"author": ["Anna Berg", "Jon Ek"]}),
        ("author: {name: 'Anna Berg', orcid: 7}\nby:\n  - {given: Jon, family: Ek}\nplace: {x: 1}",
         {"author": "Anna Berg", "by": ["Jon Ek"]}),
        ("keywords:\n  - '#port'\n  - fees", {"keywords": ["port", "fees"]}),
        ("note: 'Skipper''s \"own\"'\nsaid: \"a \\\"new\\\" quay\"",
         {"note": "Skipper's \"own\"", "said": 'a "new" quay'}),
        (f"author: {', '.join(['Anna Berg'] * 30)}", {"author": ", ".join(["Anna Berg"] * 30)}),
        ("title: Quay: a story\nby: &a Anna\nto: *a", {"by": "&a Anna", "to": "*a"}),
    ],
)  # fmt: skip
def test_front_matter_keeps_what_nests_goes_on_below_or_is_written_in_other_letters(
    written: str, expected: dict[str, object]
) -> None:
    mark = "+++" if " = " in written else "---"
    assert one(f"{mark}\n{written}\n{mark}\nText.", "x.md").metadata == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("| Boat | Berth |\n|---|---|\n| | |\n| Tern | |\n| Gull | 7 |", ["Boat: Tern.", "Boat: Gull; Berth: 7."]),
        ("#\n\n## The *yard*\n\n- \n- oars", ["The yard", "oars"]),
        ("[](x)\n\n![]()\n\n> >\n\n***\n\n<!-- no text -->\n\nIt floats.", ["It floats."]),
        ("It floats.\n\n```\nrow --fast", ["It floats.", "row --fast"]),
        ("Keel\n:\n\nIt floats.", ["Keel :", "It floats."]),
    ],
    ids=["cells", "heading and item", "links and lines", "fence without end", "term alone"],
)
def test_what_is_empty_or_open_is_legal(written: str, expected: list[str]) -> None:
    assert blocks(written, "x.md") == expected


def test_grid_tables_have_heads_over_columns_and_several_lines_in_a_cell() -> None:
    text = (
        "Prices.\n\n"
        "+----------+---------------------+\n"
        "| Fruit    | Price               |\n"
        "|          +----------+----------+\n"
        "|          | Summer   | Winter   |\n"
        "+:=========+:========:+=========:+\n"
        "| Bananas  | $1.34    | - $1.50  |\n"
        "|          | each     | - bulk   |\n"
        "+----------+----------+----------+\n"
    )
    assert blocks(text, "x.md") == ["Prices.", "Fruit: Bananas; Price Summer: $1.34 each; Price Winter: $1.50 bulk."]
