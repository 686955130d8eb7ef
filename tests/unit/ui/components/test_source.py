"""The pane beside an answer."""

from __future__ import annotations

from clew.types import Block, Cell
from clew.ui.components.source import printed


def test_a_row_is_looked_for_as_its_page_prints_it() -> None:
    text = "Income. Revenue; 2024: 412.6; 2023: 380.6. It grew."
    row = Block("row", 8, 42, cells=(Cell(8, 15), Cell(23, 28, ("2024",)), Cell(36, 41, ("2023",))))
    assert text[row.start : row.end] == "Revenue; 2024: 412.6; 2023: 380.6."
    found = printed(text, (Block("paragraph", 0, 7), row), row.start, row.end)
    assert found.split() == ["Revenue", "412.6", "380.6"]
    assert found.index("412.6") == 23 - row.start
    assert printed(text, (row,), 43, len(text)) == "It grew."
