"""Tables that nobody's spreadsheet runs."""

from __future__ import annotations

import pytest

from clew.operations.export import _harmless


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n=1", "\uff1dcmd|' /C calc'!A0"])
def test_what_begins_like_a_formula_is_text(cell: str) -> None:
    assert _harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["Old Mill", "1 = 1", "", True])
def test_what_does_not_stays(cell: str | bool) -> None:
    assert _harmless(cell) == cell
