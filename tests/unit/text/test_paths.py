"""Files are told apart by as few of their folders as that takes."""

from __future__ import annotations

from clew.text.paths import unambiguous


def test_files_of_one_name_are_led_by_the_folders_that_differ() -> None:
    paths = ["/north/2023/plan.txt", "/north/2024/plan.txt", "/north/2024/map.pdf", "/south/2024/plan.txt"]
    assert unambiguous(paths) == ["2023/plan.txt", "north/2024/plan.txt", "map.pdf", "south/2024/plan.txt"]


def test_rows_of_one_file_share_its_name() -> None:
    assert unambiguous(["/a/rows.csv", "/a/rows.csv", "page.md"]) == ["rows.csv", "rows.csv", "page.md"]
    assert unambiguous(["plan.txt", "/old/plan.txt"]) == ["plan.txt", "old/plan.txt"]
    assert unambiguous([]) == []
