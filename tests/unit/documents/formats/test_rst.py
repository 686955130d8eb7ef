"""reStructuredText as other programs than docutils know it."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import blocks, one


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (".. c:function:: open_gate(height)\n\n   Opens the *gate*.\n\n   :param height: in cm\n",
         ["open_gate(height)", "Opens the gate.", "param height: in cm"]),
        (".. class:: Gate\n   :final:\n\n   A gate.\n", ["A gate."]),
        (".. versionchanged:: 3.2\n   It waits for ``high`` water.\n",
         ["Changed in version 3.2 It waits for high water."]),
        (".. deprecated:: 3.4\n\n   Use locks.\n", ["Deprecated since version 3.4", "Use locks."]),
        (".. glossary::\n\n   sill\n      The foot of a gate.\n", ["sill: The foot of a gate."]),
        (".. toctree::\n   :maxdepth: 1\n\n   start\n   use\n", []),
        (".. only:: html\n\n   It is shown here.\n", ["It is shown here."]),
        (".. seealso:: The handbook.\n", ["The handbook."]),
    ],
    ids=["function", "class of docutils", "change", "end", "terms", "pages", "kept apart", "elsewhere"],
)  # fmt: skip
def test_directives_of_other_programs_leave_their_text(written: str, expected: list[str]) -> None:
    assert blocks(f"Before.\n\n{written}\nAfter.\n", "a.rst") == ["Before.", *expected, "After."]


def test_what_docutils_refuses_stays_as_it_is_written() -> None:
    found = one("+----+----+\n| a  | b  |\n+----+----+\n| c  |\n+----+\n\nAfter.\n", "a.rst")
    assert "| c  |" in found.text
    assert found.text.endswith("After.")
    assert found.notes == ("Read as it is written: what is no valid markup (1).",)
