"""Tables that go on over the end of a page."""

from __future__ import annotations

from clew.documents.pdf.continued import with_heads
from clew.documents.pdf.layout import Line
from clew.documents.tables.rows import row_draft


def _row(heads: list[tuple[str, ...]], *cells: str) -> Line:
    draft = row_draft(heads, cells)
    return Line(draft.text, 10.0, 100.0, False, alone=True, draft=draft)


def test_rows_at_the_top_of_a_page_have_the_heads_of_the_page_before() -> None:
    heads: list[tuple[str, ...]] = [("Berth",), ("Length",)]
    text = Line("Boats moor here.", 10.0, 50.0, False)
    pages = [
        [_row(heads, "B1", "7")],
        [_row([], "B2", "8"), _row([], "B3"), _row([], "B4", "9")],
        [_row([], "B5", "6")],
    ]
    first, second, third = with_heads([pages[0], [*pages[1], text], pages[2]])
    assert [line.text for line in first] == ["Berth: B1; Length: 7."]
    assert [line.text for line in second] == [
        "Berth: B2; Length: 8.",
        "B3.",
        "Berth: B4; Length: 9.",
        "Boats moor here.",
    ]
    assert [line.text for line in third] == ["B5; 6."]  # text stands between
    assert second[0].draft is not None
    assert [cell.heads for cell in second[0].draft.cells] == [("Berth",), ("Length",)]
