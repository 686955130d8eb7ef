"""What is said of an ingest under way: the time that is left, and whether a file is worth another try."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.runs import Job
from clew.runs.ingest import Item, worth_a_retry
from clew.ui.components.progress import pace, seconds_left, summary

NOW = 1_000.0


def ended(ago: float) -> list[Item]:
    """A file that came in so many seconds ago, and one that is being worked on."""
    return [Item("a", "", ended=NOW - ago), Item("b", "")]


def test_the_time_left_shrinks_from_one_document_to_the_next() -> None:
    assert seconds_left(ended(0), 0.25, 100, NOW) == pytest.approx(300)
    assert seconds_left(ended(50), 0.25, 150, NOW) == pytest.approx(250)
    assert seconds_left(ended(400), 0.25, 500, NOW) is None, "nothing is known of a document that takes longer"


@pytest.mark.parametrize(("share", "seconds"), [(0.01, 100), (1.0, 100), (0.5, 0.0)])
def test_no_time_is_told_where_there_is_no_pace(share: float, seconds: float) -> None:
    assert seconds_left(ended(0), share, seconds, NOW) is None


def test_an_ingest_that_brought_nothing_in_is_amber_and_not_done(tmp_path: Path) -> None:
    bad, good = Item("a.pdf", "", state="failed"), Item("b.txt", "", state="done", written=1)
    assert summary(Job(tmp_path), "done", {}, [bad])[:2] == [":orange[nothing came in]", "0 documents"]
    assert summary(Job(tmp_path), "done", {}, [bad, good])[:2] == ["done", "1 document"]


def test_how_many_of_all_are_read_how_fast_and_how_long_it_takes() -> None:
    done = [Item(f"{n}.md", "", state="done", documents=1, written=1, began=NOW - 10, ended=NOW) for n in range(104)]
    items = [*done, *(Item(f"{n}.md", "") for n in range(396))]
    assert pace(items, 104 / 500, 10.0, NOW) == ["reading 104 of 500", "10 a second", "38 s left"]
    assert pace([Item("a.md", "")], 0.0, 1.0, NOW) == ["loading what reads and encodes"]


@pytest.mark.parametrize(
    ("item", "worth"),
    [
        (Item("a.txt", "", file="uploads/0", reason="It is empty."), False),
        (Item("a.docx", "", file="uploads/0", reason="The Office file is damaged (no header)."), False),
        (Item("a.pdf", "", file="uploads/0", reason="Reading it took more than 60 seconds."), True),
        (Item("a.pdf", "", file="uploads/0", reason="Reading it needs more memory than there is."), True),
        (Item("a", "https://example.org/a", reason="It answers with 404."), True),
        (Item("/etc/passwd", "", reason="It is no http or https address."), False),
    ],
)
def test_a_file_that_stays_as_it_is_need_not_be_tried_again(item: Item, worth: bool) -> None:
    assert worth_a_retry(item) is worth
