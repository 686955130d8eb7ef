"""A model's Markdown as a tree of plain data: headings, lists, tables, code. No HTML, no picture, no link."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from clew.agent.episode import MARKER
from clew.types import Json

TAGS = {
    "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "table": "table", "thead": "thead",
    "tbody": "tbody", "tr": "tr", "th": "th", "td": "td", "strong": "strong", "em": "em", "code_inline": "code",
    "fence": "pre", "code_block": "pre", "blockquote": "blockquote", "hr": "hr", "hardbreak": "br", "heading": "h4",
}  # fmt: skip
"""What a node is drawn as; of any other the words alone are shown."""

Node = str | Json


def tree(text: str) -> list[Node]:
    """The nodes of a text: words, ``{"mark": n}`` for a marker ``[n]``, and ``{"tag", "children"}``."""
    return _children(SyntaxTreeNode(_parser().parse(text)))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink", "reference"])


def _children(node: SyntaxTreeNode) -> list[Node]:
    return [made for child in node.children for made in _nodes(child)]


def _nodes(node: SyntaxTreeNode) -> list[Node]:
    if node.type in ("text", "softbreak"):
        return _marked(node.content if node.type == "text" else " ")
    inner: list[Node] = _children(node) if node.children else [node.content] if node.content else []
    tag = TAGS.get(node.type)
    return [{"tag": tag, "children": inner}] if tag else inner


def _marked(words: str) -> list[Node]:
    """Words, with markers as nodes of their own."""
    found: list[Node] = []
    at = 0
    for match in re.finditer(MARKER, words):
        found += [words[at : match.start()].rstrip(), *({"mark": int(n)} for n in re.findall(r"\d{1,9}", match[0]))]
        at = match.end()
    return [node for node in (*found, words[at:]) if node != ""]
