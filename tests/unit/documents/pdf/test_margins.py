"""Running heads and page numbers go; rows, questions and notes that only look like them stay."""

from __future__ import annotations

import pytest

from clew.documents.pdf.layout import Line
from clew.documents.pdf.margins import without_running_heads


def page(*texts: str, top: float = 780.0, step: float = 14.0, size: float = 11.0) -> list[Line]:
    """A page whose first and last lines are set apart from those between; an empty text leaves its place free."""
    last = len(texts) - 1
    heights = [top - 30 * (at > 0) - step * at - 30 * (at == last) for at in range(len(texts))]
    return [Line(text, size, y, False) for text, y in zip(texts, heights, strict=True) if text]


def kept(*pages: list[Line]) -> list[list[str]]:
    return [[line.text for line in lines] for lines in without_running_heads(pages)]


def body(number: int) -> list[str]:
    return [
        f"{word} of the part about {name}."
        for word, name in zip(("The end", "A list"), ("abcdef"[number:] * 2), strict=False)
    ]


@pytest.mark.parametrize("foot", ["Page {}", "{}", "- {} -", "{} / 4", "Harbour report | {}", "Seite {} von 4"])
@pytest.mark.parametrize("first", [1, 117])
def test_numbers_of_pages_go_in_any_wording_and_from_any_first_one(foot: str, first: int) -> None:
    pages = [page("", *body(n), foot.format(first + n)) for n in range(4)]
    assert kept(*pages) == [body(n) for n in range(4)]


def test_heads_of_odd_and_even_pages_and_a_first_page_without_one() -> None:
    heads = ["", "12 Rules of the yard", "Boats 13", "14 Rules of the yard", "Boats 15", "16 Rules of the yard"]
    heads = [head.replace(str(11 + n), str(2 + n)) for n, head in enumerate(heads)]
    pages = [page(head, *body(n), "") for n, head in enumerate(heads)]
    assert kept(*pages) == [body(n) for n in range(6)]


@pytest.mark.parametrize(
    "row", ["Subsidiary {} GmbH; Seat: Graz", "{}.04.2025; Card payment", "Question {}", "{} and should not be used"]
)
def test_rows_that_differ_in_their_numbers_stay(row: str) -> None:
    """Each page ends where the next goes on, so that the numbers do not follow those of the pages."""
    pages = [page(*(row.format(20 * n + at) for at in range(6))) for n in range(4)]
    assert kept(*pages) == [[line.text for line in lines] for lines in pages]


def test_a_note_below_the_text_stays_though_a_number_stands_below_it() -> None:
    note = ["1. Bo Trane acts through his guardian.", "", ""]
    pages = [[*page("", *body(n), ""), Line(note[n], 8, 60, False), Line(f"{n + 1}", 9, 30, False)] for n in range(3)]
    pages = [[line for line in lines if line.text] for lines in pages]
    assert kept(*pages) == [[*body(0), note[0]], body(1), body(2)]


def test_pages_that_are_nothing_but_alike_are_kept() -> None:
    pages = [page("Blank form") for _ in range(3)]
    assert kept(*pages) == [["Blank form"]] * 3
    assert without_running_heads([]) == []


@pytest.mark.parametrize("heading", ["Question {}", "Exercise {}", "{}. Ropes"])
def test_headings_that_count_with_the_pages_stay(heading: str) -> None:
    pages = [[Line(heading.format(n + 1), 11, 780, True), *page(*body(n), "", top=762)] for n in range(4)]
    assert [texts[0] for texts in kept(*pages)] == [heading.format(n + 1) for n in range(4)]


def test_what_stands_at_the_top_of_two_pages_is_kept_once() -> None:
    pages = [page("Certificate of Ann", *body(n), "") for n in range(2)]
    assert kept(*pages) == [["Certificate of Ann", *body(0)], body(1)]
    years = [page(f"{2019 + n}", *body(n), "") for n in range(2)]
    assert [texts[0] for texts in kept(*years)] == ["2019", "2020"]
