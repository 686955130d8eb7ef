"""Web pages: the main content as paragraphs, without what surrounds it."""

from __future__ import annotations

import re
from typing import Any

from clew.ingest.formats.parsed import Parsed, Unreadable, title_of_name
from clew.ingest.formats.plain import decode
from clew.ingest.formats.rows import row_line
from clew.text.normalise import normalise, one_line

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | frozenset(
    "address article blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer "
    "header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_LEFT_OUT = frozenset(
    "script style noscript template nav footer aside form button select option textarea input iframe object embed svg "
    "canvas audio video map head dialog menu".split()
)
_LEFT_OUT_ROLES = {"navigation", "banner", "contentinfo", "complementary", "search", "alert", "dialog", "menu"}
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_LEAST_MAIN = 200


def parse_html(data: bytes, name: str, *, charset: str | None = None) -> Parsed:
    """Read a web page: the text of <main>, else of the only <article>, else of <body>.

    Navigation, headers and footers of the page, asides, forms, scripts and what is hidden are left out. The title is
    the first <h1>, else <title>. Raises Unreadable where the page is nested too deeply.
    """
    declared = _CHARSET.search(data[:4096])
    root = _tree(decode(data, charset=charset or (declared.group(1).decode("ascii") if declared else None)))
    if root is None:
        return Parsed(title_of_name(name), "")
    body = root.find("body") if root.find("body") is not None else root
    content = _main(body)
    text = normalise(_text(content))
    heading = next((line for h1 in content.iter("h1") if (line := _inline(h1))), "")
    named = root.find(".//title")
    title = heading or (_inline(named) if named is not None else "") or title_of_name(name)
    return Parsed(one_line(normalise(title)), text)


def text_of_html(markup: str) -> str:
    """The text of a piece of markup, block by block."""
    root = _tree(markup)
    return "" if root is None else normalise(_text(root))


def _tree(markup: str) -> Any:
    from lxml import etree  # type: ignore[import-untyped]

    # Without its two limits the parser would stop at a depth of 256, which old pages with unclosed tags reach.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True, recover=True
    )
    clean = markup.replace("\0", "").encode("utf-8", "replace")
    if not clean.strip():
        return None
    try:
        root = etree.fromstring(clean, parser)
    except etree.XMLSyntaxError as error:
        root = None
        if not parser.error_log:
            raise Unreadable("It is not readable HTML.") from error
    faults = {entry.type_name for entry in parser.error_log}
    if "ERR_NO_MEMORY" in faults:
        raise MemoryError
    if "ERR_RESOURCE_LIMIT" in faults:
        raise Unreadable("It is HTML that is nested too deeply.")
    return root


def _main(body: Any) -> Any:
    """The element with the content; a <main> or <article> that holds next to nothing is a frame for something else."""
    mains = [e for e in body.iter("main", "div", "section") if e.tag == "main" or e.get("role") == "main"]
    articles = list(body.iter("article"))
    for found in (mains[:1], articles if len(articles) == 1 else []):
        for element in found:
            text = " ".join("".join(element.itertext()).split())
            if len(text) >= _LEAST_MAIN or element.find(".//h1") is not None:
                return element
    return body


def _text(root: Any) -> str:
    """The text under ``root``, a blank line between blocks; iterative, because the tree may be very deep."""
    from lxml import etree

    blocks: list[str] = []
    run: list[str] = []

    def flush() -> None:
        line = "".join(run)
        run.clear()
        lines = (" ".join(part.split()) for part in line.split("\0"))
        if block := "\n".join(filter(None, lines)):
            blocks.append(block)

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            if element is not root and _left_out(element):
                walk.skip_subtree()
                continue
            if tag in _BLOCKS:
                flush()
            if tag == "br":
                run.append("\0")
            elif tag in {"td", "th"}:
                run.append(" ")
            if tag == "pre":
                blocks.append(_visible(element))
                walk.skip_subtree()
            elif tag == "table" and (rows := _rows(element)):
                blocks.extend(rows)
                walk.skip_subtree()
            elif element.text:
                run.append(element.text)
        else:
            if tag in _BLOCKS:
                flush()
            if element is not root and element.tail:
                run.append(element.tail)
    flush()
    return "\n\n".join(blocks)


def _left_out(element: Any) -> bool:
    tag = element.tag
    if not isinstance(tag, str) or tag in _LEFT_OUT:
        return True
    attributes = element.attrib
    if tag == "header":
        # A page's header is its navigation; that of an article has the heading.
        return element.find(".//h1") is None
    if not attributes:
        return False
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or attributes.get("role") in _LEFT_OUT_ROLES
        or bool(_HIDDEN.search(attributes.get("style", "")[:2000]))
    )


def _rows(table: Any) -> list[str]:
    """The lines of a table of data; none for a table that only lays out the page."""
    if table.find(".//table") is not None:
        return []
    lines: list[str] = []
    caption = table.find("caption")
    if caption is not None and (line := _inline(caption)):
        lines.append(line)
    names: list[str] = []
    columns = 0
    for number, row in enumerate(table.iter("tr")):
        cells = [cell for cell in row if cell.tag in {"th", "td"}]
        texts = [_inline(cell) for cell in cells]
        columns = max(columns, len(cells))
        heads = sum(cell.tag == "th" for cell in cells)
        if number == 0 and len(cells) > 1 and heads == len(cells):
            names = texts
        elif len(cells) == 2 and heads == 1 and not names:
            lines.append(row_line(texts[:1], texts[1:]))
        else:
            lines.append(row_line(names, texts))
    return [line for line in lines if line] if columns > 1 else []


def _inline(element: Any) -> str:
    return " ".join(_visible(element).split())


def _visible(element: Any) -> str:
    """All text inside an element, line breaks and blocks kept apart."""
    from lxml import etree

    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            if node is not element and _left_out(node):
                walk.skip_subtree()
                continue
            if node.tag in _BLOCKS or node.tag == "br":
                parts.append("\n")
            parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return "".join(parts).strip("\n")
