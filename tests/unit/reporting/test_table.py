"""One table on three surfaces: every text is escaped, and a column is of words or of numbers."""

from __future__ import annotations

import io

from rich.console import Console

from clew.reporting.table import Cell, Table, as_markdown, show

TABLE = Table(
    ["", "F1", "said"],
    [
        [Cell("<b>one</b>\x1b[2J", "(clew)"), Cell("45.2", "[40.1–50.3]", best=True), Cell("a | b")],
        [Cell("two"), Cell("40.0"), Cell("1990")],
        [Cell("three"), Cell("failed"), Cell("yes")],
    ],
)


def test_markdown_and_terminal_say_the_same() -> None:
    lines = as_markdown(TABLE).splitlines()
    assert lines[:2] == ["|  | F1 | said |", "|---|---|---|"]
    assert lines[2].endswith("| 45.2 [40.1–50.3] | a \\| b |")
    out = io.StringIO()
    show(Console(file=out, width=200), TABLE)
    assert "45.2 [40.1–50.3]" in out.getvalue()
    assert "\x1b" not in out.getvalue()
