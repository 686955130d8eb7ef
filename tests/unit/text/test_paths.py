"""Files are told apart by as few of their folders as that takes."""

from __future__ import annotations

from clew.text.paths import unambiguous


def test_rows_of_one_file_share_its_name() -> None:
    assert unambiguous(["/a/rows.csv", "/a/rows.csv", "page.md"]) == ["rows.csv", "rows.csv", "page.md"]
    assert unambiguous(["plan.txt", "/old/plan.txt"]) == ["plan.txt", "old/plan.txt"]
    assert unambiguous([]) == []
