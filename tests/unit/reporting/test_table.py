"""One table on three surfaces: every text is escaped, and a column is of words or of numbers."""

from __future__ import annotations

import io

from bs4 import BeautifulSoup
from rich.console import Console

from clew.reporting.table import Cell, Table, as_html, as_markdown, show

TABLE = Table(
    ["", "F1", "said"],
    [
        [Cell("<b>one</b>\x1b[2J", "(clew)"), Cell("45.2", "[40.1–50.3]", best=True), Cell("a | b")],
        [Cell("two"), Cell("40.0"), Cell("1990")],
        [Cell("three"), Cell("failed"), Cell("yes")],
    ],
)


def test_a_page_shows_text_as_text_and_sets_off_the_best() -> None:
    page = BeautifulSoup(as_html(TABLE), "html.parser")
    heads = [(head.get_text(), head["class"]) for head in page.select("thead th")]
    assert heads == [("", ["words"]), ("F1", ["numbers"]), ("said", ["words"])]
    assert [best.get_text() for best in page.select("b")] == ["45.2"]
    assert [name.get_text() for name in page.select("tbody th")] == ["<b>one</b>[2J (clew)", "two", "three"]


def test_markdown_and_terminal_say_the_same() -> None:
    lines = as_markdown(TABLE).splitlines()
    assert lines[:2] == ["|  | F1 | said |", "|---|---|---|"]
    assert lines[2].endswith("| 45.2 [40.1–50.3] | a \\| b |")
    out = io.StringIO()
    show(Console(file=out, width=200), TABLE)
    assert "45.2 [40.1–50.3]" in out.getvalue()
    assert "\x1b" not in out.getvalue()
