"""Markdown as Obsidian, Docusaurus, MkDocs, Hugo, Notion and GitHub write it."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("The [[Port of Ardg|port]] and [[Corran]], [[Fees#Winter]], [[#Top]].",
         ["The port and Corran, Fees > Winter, Top."]),
        ("See ![[plan.png|200]] and ![[Old plan]].", ["See and Old plan."]),
        ("==The dam== is old. %%ask Per%%", ["The dam is old."]),
        ("Depth:: 9 m\n\n- [Keeper:: Ida Berg]", ["Depth: 9 m", "Keeper: Ida Berg"]),
        ("> [!warning]- By night\n> Use the lamp.\n\n> [!NOTE]\n> It leaks.",
         ["By night", "Use the lamp.", "Note", "It leaks."]),
        ("`[[a]] == {% b %}` and a == b, [[1, 2]].", ["[[a]] == {% b %} and a == b, [[1, 2]]."]),
        ("{{< figure src=\"a.jpg\" caption=\"The quay\" >}}\n\n{% include x.html %}\n\nIt is {{% b %}}old{{% /b %}}.",
         ["The quay", "It is old."]),
        ("Returns {:ok, gate} in 50%% to 60%%.\n{: .note}\n\n{:toc}\n\nEnd.",
         ["Returns {:ok, gate} in 50%% to 60%%.", "End."]),
        ("{/* later */}\n\nIt floats.", ["It floats."]),
    ],
    ids=["links", "embedded", "highlight", "fields", "boxes", "code", "templates", "looks", "remarks"],
)  # fmt: skip
def test_marks_of_programs_leave_what_they_show(written: str, expected: list[str]) -> None:
    assert blocks(written, "a.md") == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (":::danger\n\nKeep **away**.\n\n:::\n", ["Danger", "Keep away."]),
        (":::tip[By day]\nGo.\n:::\n", ["By day", "Go."]),
        (':::{note}\nGo.\n:::\n\n::: {.column width="50%"}\nStay.\n:::\n', ["Go.", "Stay."]),
        (
            '!!! note "At low water"\n    Wait.\n\n    Then ask Ida Berg.\n',
            ["At low water", "Wait.", "Then ask Ida Berg."],
        ),
        ('=== "North"\n\n    Ask Per Vik.\n\n=== "South"\n\n    Wait.\n', ["North", "Ask Per Vik.", "South", "Wait."]),
    ],
    ids=["colons", "title in brackets", "braces", "set in", "tabs"],
)
def test_boxes_and_tabs_are_text_with_a_title(written: str, expected: list[str]) -> None:
    found = one(written, "a.mdx")
    assert found.text.split("\n\n") == expected
    assert {block.kind for block in found.blocks} == {"paragraph"}


def test_lines_that_are_fields_stand_apart_and_others_do_not() -> None:
    assert blocks("Owner: Ida Berg\nPort: Ardg\n", "a.md") == ["Owner: Ida Berg\nPort: Ardg"]
    assert blocks("编者：何敏\n地点：红石\n", "a.md") == ["编者：何敏\n地点：红石"]
    assert blocks("Note: the quay\nof Ardg is old.\n", "a.md") == ["Note: the quay of Ardg is old."]


def test_formulas_stay_as_they_are_written_and_money_is_none() -> None:
    written = "Take $a*b*c$ of $5 and $10, *or* more.\n\n$$\na_1 \\, b\n$$\n"
    assert blocks(written, "a.md") == ["Take $a*b*c$ of $5 and $10, or more.", "$$\na_1 \\, b\n$$"]
