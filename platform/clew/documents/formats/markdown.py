"""Markdown: its text without the markup, blocks apart from each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from clew.documents.blocks import Draft, Layout, nested, pair
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.marked.grid_tables import grid_tables
from clew.documents.marked.markdown_marks import callout, lines_apart, tabs_as_boxes, title_of_box, without_marks
from clew.documents.marks import STRUCK, left_out, raised
from clew.documents.metadata import add_line, front_matter
from clew.documents.parsed import Parsed, notes, title_of_name
from clew.documents.tables.grid import Cell
from clew.documents.tables.rows import is_quantity, of_many_kinds, table_blocks
from clew.documents.web.blocks import blocks_of_html
from clew.text.normalise import normalise, one_line

if TYPE_CHECKING:
    from markdown_it.token import Token

FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.{0,20000}?)\n\1[ \t]*(?:\n|\Z)", re.DOTALL)

_BOX = "box"
_WHOLE: dict[str, Callable[[Token], list[Draft]]] = {
    "fence": lambda token: [Draft(token.content, "code")],
    "code_block": lambda token: [Draft(token.content, "code")],
    "math_block": lambda token: [Draft(f"$${token.content}$$")],
    f"container_{_BOX}_open": lambda token: [Draft(title_of_box(token.info))],
    "html_block": lambda token: blocks_of_html(token.content),
}
"""Tokens that are blocks of their own, and those blocks."""


def read(source: Input) -> Iterator[Parsed]:
    """Read Markdown (CommonMark, tables, notes and definitions).

    Links leave their text and images their description; code stays; raw HTML leaves its text; struck text is left out.
    What the front matter says of the author and the like is the last line of the text.
    """
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    metadata, drafts, counts = markdown(decoded.text)
    layout = Layout(drafts)
    title = metadata.pop("title", "")
    title = (one_line(title) if isinstance(title, str) else "") or layout.heading() or title_of_name(source.name)
    add_line(layout, metadata)
    file_notes = notes(decoded.note, *left_out(counts))
    yield Parsed(title, layout.text, notes=file_notes, metadata=metadata, blocks=tuple(layout.blocks))


def markdown(written: str) -> tuple[dict[str, object], list[Draft], Counter[str]]:
    """Front matter and blocks of Markdown, and what was left out."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.admon import admon_plugin
    from mdit_py_plugins.container import container_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    source = normalise(written)
    metadata: dict[str, object] = {}
    if front := FRONT_MATTER.match(source):
        source = source[front.end() :]
        metadata = front_matter(front.group(2), front.group(1))
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(deflist_plugin).use(footnote_plugin)
    parser.use(admon_plugin).use(container_plugin, _BOX, validate=lambda info, _: bool(info.strip()))
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False).use(grid_tables)
    writer = _Writer()
    for token in parser.parse(tabs_as_boxes(source)):
        writer.add(token)
    return metadata, writer.blocks, writer.counts


class _Writer:
    """The blocks of a text, put together from the parser's tokens: paragraphs, items, headings, code, table rows."""

    def __init__(self) -> None:
        self.blocks: list[Draft] = []
        self._level = 0
        self._in_notes = False
        self.counts: Counter[str] = Counter()
        self._items: list[str] = []
        self._terms: list[str] = []
        self._rows: list[list[Cell]] = []
        self._within = ""

    def add(self, token: Token) -> None:
        """Go on with the next token."""
        kind = token.type
        if kind == "inline":
            self._add_inline(token)
        elif kind in _WHOLE:
            self.blocks += _WHOLE[kind](token)
        else:
            self._enter(token, kind)
        if kind != "inline" and not kind.startswith(("paragraph", "softbreak")):
            self._within = kind

    def _enter(self, token: Token, kind: str) -> None:
        """Begin or end what holds the text that follows."""
        if kind == "heading_open":
            self._level = int(token.tag[1:])
        elif kind == "list_item_open":
            self._items.append("")
        elif kind == "list_item_close":
            self._items.pop()
        elif kind == "table_open":
            self._rows = []
        elif kind == "tr_open":
            self._rows.append([])
        elif kind == "table_close":
            self.blocks.extend(_table(self._rows))
        elif kind == "dl_close":
            self._terms = []
        elif kind == "footnote_block_open":
            self._in_notes = True
        elif kind == "dt_open" and self._within == "dd_close":
            self._terms = []

    def _add_inline(self, token: Token) -> None:
        title, children = callout(token.children or ())
        if title:
            self.blocks.append(Draft(title))
        self._inline(_inline(children, self.counts))

    def _inline(self, text: str) -> None:
        within = self._within
        if within in {"th_open", "td_open"}:
            self._rows[-1].append(Cell(text, head=within == "th_open"))
        elif within == "dt_open":
            self._terms.append(text)
        elif within == "dd_open":
            self.blocks.append(Draft(pair(", ".join(self._terms), text), "pair"))
            self._within = "dd_text"
        else:
            is_first = bool(self._items) and not self._items[-1]
            led = nested(self._items[:-1], text) if is_first else text
            if is_first:
                self._items[-1] = text
            if within == "heading_open":
                self.blocks.append(Draft(led, "heading", self._level))
            elif self._items:
                self.blocks.append(Draft(led, "item", len(self._items) - 1))
            else:
                self.blocks.append(Draft(led, "note" if self._in_notes else "paragraph"))


def _table(rows: list[list[Cell]]) -> list[Draft]:
    """The rows of a table. Markdown wants a first line of heads in every one: where that is empty, or the table holds
    pairs such as "Mass | 19 kg", the cells tell what they are.
    """
    first = [cell.text.strip() for cell in rows[0]] if rows else []
    if len(rows) > 1 and {len(row) for row in rows} == {2} and first[0]:
        values = [row[1].text.strip() for row in rows]
        if is_quantity(values[0]) or of_many_kinds(values[1:]):
            return table_blocks([[Cell(cell.text) for cell in row] for row in rows])
    return table_blocks(rows, header=1 if len(rows) > 1 and any(first) else None)


_SPACES = re.compile(" {2,}")
_KEPT = {"code_inline": "", "image": "", "math_inline": "$", "math_inline_double": "$$"}
"""What is kept as it is written, with the signs around it."""
_TAG = re.compile(r"<(/?)(del|s|strike|sup|br)\b[^>]*>", re.IGNORECASE)


def _inline(tokens: Sequence[Token], counts: Counter[str]) -> str:
    lines: list[str] = []
    parts: list[str] = []
    struck = 0
    above = gone = False
    children = [child for child in tokens if child.type != "text" or child.content]
    for child, following in zip(children, [*children[1:], None], strict=False):
        kind, step = child.type, child.nesting
        if kind == "html_inline" and (tag := _TAG.match(child.content)):
            name, step = tag.group(2).lower(), -1 if tag.group(1) else 1
            kind = {"sup": "sup", "br": "hardbreak"}.get(name, "s_open")
            above = (step > 0) if kind == "sup" else above
        if kind in {"s_open", "s_close"}:
            struck = max(0, struck + step)
            counts[STRUCK] += step > 0
            gone = True
        elif struck:
            continue
        elif kind == "softbreak" and following is not None and following.type != "strong_open":
            lines.append("".join(parts))
            parts = []
        elif kind in {"softbreak", "hardbreak"}:
            # A line that begins in bold is mostly a field of its own: "**Date:** 4 May".
            parts.append("\n")
        elif kind == "text":
            parts.append(raised(child.content) if above else without_marks(child.content))
        elif kind in _KEPT:
            parts.append(f"{_KEPT[kind]}{child.content}{_KEPT[kind]}")
    text = lines_apart([*lines, "".join(parts)])
    # What was left out had a space on either side.
    return _SPACES.sub(" ", text) if gone else text


FORMAT = Format(
    "md",
    "Markdown",
    "text/markdown",
    read,
    endings=("markdown", "mdown", "mkd", "mdx"),
    media_types=("text/x-markdown",),
)
