"""The lines of a cell of a table on one line."""

from __future__ import annotations

_LONGEST = 60
"""Characters of a line that stands for itself, at most; a longer one was full, and goes on."""
_CLOSING = frozenset(")]»”%°")


def on_one_line(cell: str) -> str:
    """A cell's lines as one, by commas or spaces."""
    if "\n" not in cell:
        return " ".join(cell.split())
    joined = last = ""
    for line in filter(None, (" ".join(line.split()) for line in cell.split("\n"))):
        ended = last and len(last) <= _LONGEST and (last[-1].isalnum() or last[-1] in _CLOSING)
        joined += f", {line}" if ended and _begins(line) else f" {line}"
        last = line
    return joined.strip()


def _begins(line: str) -> bool:
    """Whether a line begins as something of its own does, and does not go on with the one before."""
    return line[0].isdigit() or line[0].isupper()
