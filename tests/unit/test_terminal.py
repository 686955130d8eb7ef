"""Tables on a terminal, and where another program reads them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from clew.terminal import make_console, print_table

ID = "accd295c4556252de647"
COLUMNS = ("id", "title", "source")
ROW = (ID, "A long title " * 30, "/a/long/path" * 30)


def test_an_id_can_be_copied_from_a_narrow_terminal() -> None:
    shown = io.StringIO()
    print_table(Console(file=shown, width=60, force_terminal=True), COLUMNS, [ROW], whole="id")
    lines = shown.getvalue().splitlines()
    assert len(lines) > 2
    assert any(line.startswith(ID) for line in lines)


def test_a_row_is_a_line_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(make_console(stderr=False), COLUMNS, [ROW, ROW], whole="id")
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == list(COLUMNS)
    assert [row.split()[0] for row in rows] == [ID, ID]
    assert all(row.rstrip().endswith(ROW[2]) for row in rows)
