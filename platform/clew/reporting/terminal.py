"""Text and tables on a terminal, whatever stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

_CONTROL = dict.fromkeys(
    [
        *range(0x00, 0x09),
        *range(0x0B, 0x20),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        *range(0xD800, 0xE000),  # lone surrogates, which no terminal can be sent
    ]
)
_UNBROKEN = 100_000
"""Columns of what is read by another program, for which a row is a line."""


def make_console(*, stderr: bool = True) -> Console:
    """A console on standard error, or on standard output; where that is no terminal, it breaks no line."""
    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=_UNBROKEN)


def plain(text: str) -> str:
    """Text from documents or models without control characters, so that it cannot move the cursor or hide itself."""
    return text.translate(_CONTROL)


def counted(count: int, what: str) -> str:
    """A number of things: "1 question", "2 questions"; only the first word of ``what`` takes the s."""
    word, _, rest = what.partition(",")
    return f"{count:,} {word}{'' if count == 1 else 's'}{',' + rest if rest else ''}"


def print_table(
    console: Console,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    names: int = 0,
    whole: str | None = None,
) -> None:
    """Show rows under their column names; what is in the column ``whole`` is to be copied, and never broken.

    With ``names``, a table that is wider than the terminal is shown in parts, a line between them, and the first
    ``names`` columns come again in each: numbers that are folded cannot be read.
    """
    texts = [[Text(plain(str(cell))) for cell in row] for row in [columns, *rows]]
    for number, shown in enumerate(_parts(texts, console.width, names) if names else [range(len(columns))]):
        if number:
            console.print()
        table = Table(box=None, pad_edge=False, header_style="bold")
        for at in shown:
            table.add_column(texts[0][at], overflow="fold", no_wrap=columns[at] == whole)
        for row in texts[1:]:
            table.add_row(*(row[at] for at in shown))
        console.print(table)


def _parts(rows: Sequence[Sequence[Text]], width: int, names: int) -> list[list[int]]:
    """The columns of each part: the first ``names``, and as many of the others, in order, as fit beside them."""
    widths = [2 + max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    first = list(range(names))
    parts = [[*first]]
    for at in range(names, len(widths)):
        if len(parts[-1]) > names and sum(widths[i] for i in [*parts[-1], at]) - 2 > width:
            parts.append([*first])
        parts[-1].append(at)
    return parts
