"""A model's Markdown as a tree of plain data: headings, lists, tables, code. No HTML, no picture, no link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from clew.agent.citations import LISTED
from clew.agent.episode import MARKER
from clew.types import Json

TAGS = {
    "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "table": "table", "thead": "thead",
    "tbody": "tbody", "tr": "tr", "th": "th", "td": "td", "strong": "strong", "em": "em", "code_inline": "code",
    "fence": "pre", "code_block": "pre", "blockquote": "blockquote", "hr": "hr", "hardbreak": "br", "heading": "h4",
}  # fmt: skip
"""What a node is drawn as; of any other the words alone are shown."""

OPEN, CLOSE = "\u2e22", "\u2e23"
"""Around what nothing supports; as brackets they leave the Markdown beside them as it is."""
_LEAD = re.compile(rf"\A(?:{LISTED.pattern}|\d{{1,3}}[.)]\Z|[|>\s])*", re.MULTILINE)

Node = str | Json


def tree(text: str) -> list[Node]:
    """The nodes of a text: words, ``{"mark": n}`` for a marker ``[n]``, ``{"tag", "children"}``, and ``{"doubt"}``."""
    nodes = _children(SyntaxTreeNode(_parser().parse(text)))
    return _doubted(nodes, False)[0] if OPEN in text else nodes


def plain(text: str) -> str:
    """The words of a text on one line, without its Markdown; markers stay as they are."""
    return " ".join("".join(_words(tree(text))).split())


def _words(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif "mark" in node:
            yield f" [{node['mark']}]"
        else:
            gap = "" if node["tag"] in ("strong", "em", "code") else " "
            yield from (gap, "• " if node["tag"] == "li" else "", *_words(node["children"]), gap)


def bracketed(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with signs around what nothing supports, which ``tree`` reads."""
    text = text.replace(OPEN, "[").replace(CLOSE, "]")
    for start, end in sorted(spans, reverse=True):
        end = len(text[:end].rstrip("| \n"))
        start = end - len(_LEAD.sub("", text[start:end], count=1))
        if start < end:  # nothing is left of the number of an item
            text = f"{text[:start]}{OPEN}{text[start:end]}{CLOSE}{text[end:]}"
    return text


def _doubted(nodes: Sequence[Node], doubt: bool) -> tuple[list[Node], bool]:
    """The nodes with words between the signs as ``{"doubt": words}``, and whether the last sign is still open."""
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, str):
            for piece in re.split(f"([{OPEN}{CLOSE}])", node):
                if piece in (OPEN, CLOSE):
                    doubt = piece == OPEN
                elif piece:
                    found.append({"doubt": piece} if doubt else piece)
        elif "children" in node:
            children, doubt = _doubted(node["children"], doubt)
            found.append({**node, "children": children})
        else:
            found.append(node)
    return found, doubt


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
