"""What a notebook and a debugger show of a result: a line, or a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def short(text: str, most: int = 60) -> str:
    """A text in one line, cut where it is longer than ``most`` characters."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def html_table(caption: str, rows: Iterable[Sequence[object]]) -> str:
    """A table with a caption; whatever the texts hold, they are shown as texts."""
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table><caption style="text-align:left">{escape(caption)}</caption>{body}</table>'
