"""Markdown: its text without the markup, blocks apart from each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clew.ingest.formats.html import text_of_html
from clew.ingest.formats.parsed import Parsed, title_of_name
from clew.ingest.formats.plain import decode
from clew.ingest.formats.rows import row_line
from clew.text.normalise import normalise, one_line

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.{0,20000}?)\n\1[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)


def parse_markdown(data: bytes, name: str, *, charset: str | None = None) -> Parsed:
    """Read Markdown (CommonMark and tables); the title is the front matter's, else the first heading.

    Links leave their text and images their description; code stays; raw HTML leaves its text.
    """
    from markdown_it import MarkdownIt

    source = normalise(decode(data, charset=charset))
    title = ""
    if front := _FRONT_MATTER.match(source):
        source = source[front.end() :]
        if found := _FRONT_TITLE.search(front.group(2)):
            title = found.group(1).strip().strip("\"'")
    tokens = MarkdownIt("commonmark").enable("table").parse(source)
    heading, blocks = _blocks(tokens)
    return Parsed(one_line(title) or heading or title_of_name(name), normalise("\n\n".join(filter(None, blocks))))


def _blocks(tokens: list[Token]) -> tuple[str, list[str]]:
    """The first heading, and the text of every block: paragraphs, list items, headings, code, table rows."""
    heading = ""
    blocks: list[str] = []
    names: list[str] = []
    row: list[str] = []
    in_head = False
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline":
            text = _inline(token)
            if before is not None and before.type in {"th_open", "td_open"}:
                row.append(text)
                continue
            if before is not None and before.type == "heading_open" and not heading:
                heading = one_line(text)
            blocks.append(text)
        elif token.type in {"fence", "code_block"}:
            blocks.append(token.content)
        elif token.type == "html_block":
            blocks.append(text_of_html(token.content))
        elif token.type in {"thead_open", "thead_close"}:
            in_head = token.type == "thead_open"
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and in_head:
            names = row
        elif token.type == "tr_close":
            blocks.append(row_line(names, row))
    return heading, blocks


def _inline(token: Token) -> str:
    parts = []
    children = [child for child in token.children or () if child.type != "text" or child.content]
    for child, following in zip(children, [*children[1:], None], strict=True):
        if child.type == "softbreak":
            # A line that begins in bold is mostly a field of its own: "**Date:** 4 May".
            parts.append("\n" if following is not None and following.type == "strong_open" else " ")
        elif child.type == "hardbreak":
            parts.append("\n")
        elif child.type in {"text", "code_inline", "image"}:
            parts.append(child.content)
    return "".join(parts)
