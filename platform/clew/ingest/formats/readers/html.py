"""Web pages: the main content as paragraphs, without what surrounds it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from clew.ingest.formats.blocks import nested, outline, pair
from clew.ingest.formats.encoding import decode
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.marks import HIDDEN, STRUCK, is_reference, left_out, raised
from clew.ingest.formats.metadata import with_line
from clew.ingest.formats.parsed import Parsed, Unreadable, notes, title_of_name
from clew.ingest.formats.tables import Cell, table_blocks
from clew.text.normalise import normalise, one_line
from clew.types import Json

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | frozenset(
    "address article blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form "
    "header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_LEFT_OUT = frozenset(
    "script style noscript template nav button select option textarea input iframe object embed svg "
    "canvas audio video map head dialog menu rt rp annotation annotation-xml".split()
)
_LEFT_OUT_ROLES = {"navigation", "banner", "contentinfo", "complementary", "search", "alert", "dialog", "menu"} | {
    "doc-noteref"
}
_LEFT_OUT_CLASSES = frozenset("noprint no-print d-print-none printfooter catlinks navbox mw-editsection".split())
"""What a page does not print is for finding one's way; the others are that of the most common encyclopaedia."""
_LEAST_LANGUAGES = 3
_STRUCK = frozenset({"del", "s", "strike"})
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_LEAST_MAIN = 200
_CONTENT = ("h1", "h2", "h3", "p", "table", "article", "main")
_PAIRED = frozenset({"dt", "dd"})
_PARTS = frozenset({"article", "main", "section", "blockquote"})
_META = {
    "author": "author",
    "article:author": "author",
    "dc.creator": "author",
    "date": "date",
    "article:published_time": "date",
    "dc.date": "date",
    "keywords": "tags",
}


def read(source: Input) -> Iterator[Parsed]:
    """Read a web page: the text of <main>, else of the only <article>, else of <body>.

    Navigation, headers and footers of the page, asides, controls of forms, scripts, what is hidden and what is struck
    are left out. The title is the first <h1>, else <title>. Raises Unreadable where the page is nested too deeply.
    """
    declared = _CHARSET.search(source.data[:4096])
    charset = source.charset or (declared.group(1).decode("ascii") if declared else None)
    decoded = decode(source.data, charset=charset, encoding=source.encoding)
    root = _tree(decoded.text)
    if root is None:
        yield Parsed(title_of_name(source.name), "")
        return
    body = root.find("body") if root.find("body") is not None else root
    content = _main(body)
    counts: Counter[str] = Counter()
    written, found = _text(content, counts)
    text = normalise(written)
    headings = outline(text, found)
    heading = next((line for h1 in content.iter("h1") if (line := _inline(h1))), "")
    named = root.find(".//title")
    title = heading or (_inline(named) if named is not None else "") or title_of_name(source.name)
    metadata = _metadata(root)
    text = with_line(text, metadata)
    told = notes(decoded.note, *left_out(counts))
    yield Parsed(one_line(normalise(title)), text, notes=told, metadata=metadata, headings=headings)


def _metadata(root: Any) -> Json:
    """What the page's head says of it: author, date, tags, language."""
    found: Json = {}
    for meta in root.iter("meta"):
        key = _META.get((meta.get("name") or meta.get("property") or "").strip().lower())
        value = one_line(normalise(meta.get("content") or ""))
        if key and value and "://" not in value:
            found.setdefault(key, [tag.strip() for tag in value.split(",") if tag.strip()] if key == "tags" else value)
    if language := one_line(root.get("lang") or "", 40):
        found["language"] = language
    return found


def text_of_html(markup: str) -> str:
    """The text of a piece of markup, block by block."""
    return blocks_of_html(markup)[0]


def blocks_of_html(markup: str) -> tuple[str, list[tuple[int, str]]]:
    """The text of a piece of markup, block by block, and the level and words of each heading in it."""
    root = _tree(markup)
    if root is None:
        return "", []
    text, headings = _text(root, Counter())
    return normalise(text), headings


def _tree(markup: str) -> Any:
    from lxml import etree

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


class _Writer:
    """The blocks of a page, put together from the runs of text in it."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.run: list[str] = []
        self.items: list[str] = []
        self.terms: list[str] = []
        self.explained = False
        self.pending = False
        self._in_terms = 0
        self.headings: list[tuple[int, str]] = []

    def flush(self) -> str:
        """End the block, and return it."""
        lines = (" ".join(part.split()) for part in "".join(self.run).split("\0"))
        self.run.clear()
        block = "\n".join(filter(None, lines))
        if block:
            if self.pending:
                block = pair(", ".join(self.terms), block)
                self.pending, self.explained = False, True
            elif self.items and not self.items[-1]:
                self.items[-1] = block
                block = nested(self.items[:-1], block)
            self.blocks.append(block)
        return block

    def open(self, tag: str) -> None:
        """An element begins."""
        before = self.flush() if tag in _BLOCKS else ""
        if before and self._in_terms and tag in _PAIRED:
            self.terms.append(self.blocks.pop())  # a term that was not closed
        if tag == "br":
            self.run.append("\0")
        elif tag in {"td", "th"}:
            self.run.append(" ")
        elif tag == "li":
            self.items.append("")
        elif tag in {"dt", "summary"} and self.explained:
            self.terms, self.explained = [], False
        elif tag == "dd":
            self.pending = bool(self.terms)
        self._in_terms += tag == "dt"

    def close(self, tag: str) -> None:
        """An element ends."""
        self._in_terms -= tag == "dt"
        block = self.flush() if tag in _BLOCKS else ""
        if block and tag in _HEADINGS:
            self.headings.append((int(tag[1]), block))
        if tag == "li" and self.items:
            self.items.pop()
        elif tag in {"dt", "summary"} and block:
            self.terms.append(self.blocks.pop())
            self.pending = tag == "summary"
        elif tag in {"dl", "details"}:
            self.blocks.extend(self.terms if not self.explained else [])
            self.terms, self.explained, self.pending = [], False, False


def _text(root: Any, counts: Counter[str]) -> tuple[str, list[tuple[int, str]]]:
    """The text under ``root``, a blank line between blocks, and its headings; iterative, as trees may be very deep.

    ``counts`` gains what is left out though the author wrote it.
    """
    from lxml import etree

    writer = _Writer()
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "end":
            writer.close(tag)
            if element is not root:
                writer.run.append(element.tail or "")
            continue
        if element is not root and (why := _left_out(element)):
            counts[why] += why in {STRUCK, HIDDEN}
            walk.skip_subtree()
            continue
        writer.open(tag)
        if tag == "pre":
            writer.blocks.append(_visible(element))
            walk.skip_subtree()
        elif tag == "sup":
            writer.run.append(_raised(element))
            walk.skip_subtree()
        elif tag == "table" and (rows := _rows(element)):
            writer.blocks.extend(rows)
            walk.skip_subtree()
        else:
            writer.run.append(element.text or "")
    writer.flush()
    return "\n\n".join(writer.blocks), writer.headings


def _raised(element: Any) -> str:
    """Raised text, readable on its line; "" for the mark of a note."""
    text = "".join(element.itertext())
    links = element.find(".//a[@href]") is not None and element.find(".//a").get("href", "").startswith("#")
    return "" if links or is_reference(text) else raised(text.strip())


def _left_out(element: Any) -> str:
    """Why an element is left out; "" where it is not."""
    tag = element.tag
    if not isinstance(tag, str) or tag in _LEFT_OUT:
        return "page"
    if tag in _STRUCK:
        return STRUCK
    if tag == "form":
        # A page may lie in a form as a whole; a form that is nothing else has controls and their labels.
        return "" if any(element.find(f".//{content}") is not None for content in _CONTENT) else "page"
    if tag == "aside":
        return "" if "footnote" in (element.get("role") or element.get("class") or "") else "page"
    if tag in {"ul", "ol"} and _is_list_of_languages(element):
        return "page"
    if tag == "label":
        return "page" if element.get("for") or element.find(".//input") is not None else ""
    if tag in {"header", "footer"}:
        # Those of the page are its navigation and imprint; those of an article have its heading and byline.
        in_part = any(above.tag in _PARTS for above in element.iterancestors())
        return "" if in_part or (tag == "header" and element.find(".//h1") is not None) else "page"
    attributes = element.attrib
    if not attributes:
        return ""
    if not _LEFT_OUT_CLASSES.isdisjoint(attributes.get("class", "").split()):
        return "page"
    style = attributes.get("style", "")[:2000]
    if _STRUCK_STYLE.search(style):
        return STRUCK
    if "hidden" in attributes or _HIDDEN_STYLE.search(style):
        return HIDDEN
    return "page" if attributes.get("aria-hidden") == "true" or attributes.get("role") in _LEFT_OUT_ROLES else ""


def _is_list_of_languages(element: Any) -> bool:
    """Whether a list has nothing but links to the same page in other languages."""
    links = list(element.iter("a"))
    return len(links) >= _LEAST_LANGUAGES and all(link.get("hreflang") for link in links)


def _rows(table: Any) -> list[str]:
    """The lines of a table of data; none for a table that only lays out the page."""
    if table.find(".//table") is not None or table.get("role") in {"presentation", "none"}:
        return []
    lines: list[str] = []
    caption = table.find("caption")
    if caption is not None and (line := _inline(caption)):
        lines.append(line)
    rows = [[_cell(cell) for cell in row if cell.tag in {"th", "td"}] for row in table.iter("tr") if not _left_out(row)]
    if max(map(len, rows), default=0) < 2:
        return []
    return lines + [normalise(block) for block in table_blocks(rows)]


def _cell(element: Any) -> Cell:
    spans = [_span(element.get(name, "1")) for name in ("colspan", "rowspan")]
    is_head = element.tag == "th" or (element.getparent().getparent().tag == "thead")
    text = "" if _left_out(element) else _text(element, Counter())[0]
    return Cell(text, spans[0], spans[1], is_head)


def _span(written: str) -> int:
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 5 else 1


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
            if node.tag == "sup":
                parts.append(_raised(node))
                walk.skip_subtree()
                continue
            if node.tag in _BLOCKS or node.tag == "br":
                parts.append("\n")
            parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return "".join(parts).strip("\n")


FORMAT = Format(
    "html",
    "a web page",
    "text/html",
    read,
    endings=("htm", "xhtml"),
    media_types=("application/xhtml+xml",),
)
