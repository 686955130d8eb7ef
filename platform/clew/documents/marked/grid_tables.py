"""Grid tables in Markdown, as Pandoc writes them; docutils finds their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

_Row = list[tuple[int, int, int, Any] | None]


def grid_tables(parser: MarkdownIt) -> None:
    """A plugin of markdown-it: a grid table becomes an HTML table."""
    parser.block.ruler.before("table", "grid_table", _grid_table, {"alt": ["paragraph", "reference", "blockquote"]})


def _grid_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    from docutils.parsers.rst.tableparser import GridTableParser, TableMarkupError
    from docutils.statemachine import StringList

    lines: list[str] = []
    for number in range(start, end):
        line = state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()
        if not line.startswith(("+", "|")):
            break
        # Pandoc marks with colons how a column is aligned; docutils knows none.
        lines.append(line.replace(":", "=" if "=" in line else "-") if _is_border(line) else line)
    if len(lines) < 3 or not (_is_border(lines[0]) and _is_border(lines[-1])):
        return False
    try:
        _, head, body = GridTableParser().parse(StringList(lines, "grid"))
    except (TableMarkupError, AssertionError, IndexError):
        return False
    if not silent:
        rows = [*(_row(row, "th", state.md) for row in head), *(_row(row, "td", state.md) for row in body)]
        token = state.push("html_block", "", 0)
        token.content, token.map = f"<table>{''.join(rows)}</table>", [start, start + len(lines)]
        state.line = start + len(lines)
    return True


def _is_border(line: str) -> bool:
    return line[:1] == line[-1:] == "+" and set(line) <= set("+-=:")


def _row(row: _Row, tag: str, parser: MarkdownIt) -> str:
    cells = (
        f'<{tag} rowspan="{cell[0] + 1}" colspan="{cell[1] + 1}">{parser.render(chr(10).join(cell[3]))}</{tag}>'
        for cell in row
        if cell is not None
    )
    return f"<tr>{''.join(cells)}</tr>"
