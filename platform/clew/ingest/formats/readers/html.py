"""Web pages: the main content as paragraphs, without what surrounds it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from clew.ingest.formats.blocks import Draft, Layout, nested, pair, text_of
from clew.ingest.formats.encoding import decode
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.formula import mathml
from clew.ingest.formats.html_folds import open_folds
from clew.ingest.formats.html_forms import fill
from clew.ingest.formats.html_marks import HEADINGS, HIDDEN_STYLE, is_note_mark, tell_by_tags
from clew.ingest.formats.html_notes import NOTE_ROLE, place_notes
from clew.ingest.formats.marks import HIDDEN, STRUCK, is_reference, left_out, raised
from clew.ingest.formats.markup import is_markup, without_signs
from clew.ingest.formats.metadata import add_line, tags_of
from clew.ingest.formats.parsed import Parsed, Unreadable, notes, title_of_name
from clew.ingest.formats.tables import Cell, count_of, table_blocks
from clew.text.normalise import normalise, one_line
from clew.text.sentences import asks
from clew.types import BlockKind, Json

_BLOCKS = frozenset(HEADINGS) | frozenset(
    "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_LEFT_OUT = frozenset(
    "script style noscript template nav select option textarea input iframe object embed svg "
    "canvas audio video map head dialog menu rt rp annotation annotation-xml".split()
)
_LEFT_OUT_ROLES = {"navigation", "banner", "contentinfo", "complementary", "search", "alert", "dialog", "menu"} | {
    "doc-noteref",
    "doc-backlink",
}
_LEFT_OUT_CLASSES = frozenset("noprint no-print d-print-none printfooter catlinks navbox mw-editsection".split())
"""What a page does not print is for finding one's way; the others are that of the most common encyclopaedia."""
_WAYS = frozenset(
    "header footer site-header site-footer menu nav navbar navigation topbar breadcrumb breadcrumbs share sharing "
    "social social-links related pagination pager".split()
)
"""What pages without the elements for it call what leads elsewhere; where it tells something, it is read."""
_MOST_WAYS = 500
"""Elements of such a part, at most."""
_LONGEST_NAME = 500
_LEAST_LANGUAGES = 3
_STRUCK = frozenset({"del", "s", "strike"})
_CODE_CLASS = re.compile(r"code|highlight|lang(?:uage)?-|source|literal-block")
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_LEAST_MAIN = 200
_MOST_BESIDE = 5_000
_AROUND = ("header", "footer", "nav", "aside", "form")
_FORMULA = re.compile(r"math|latex|(?:^|[\s_-])tex(?:$|[\s_-])", re.IGNORECASE)
"""What programs call the picture of a formula, whose description is the formula."""
_CONTENT = ("h1", "h2", "h3", "p", "table", "article", "main")
_LEAST_WORDS = 4
"""Words from which a form has more than its controls, and an aside tells something."""
_MOST_LISTS = 3
_APART_IN_LINE = frozenset({"td", "th", "time"})
"""What stands apart from the words before it though it is on their line."""
_PAIRED = frozenset({"dt", "dd"})
_CAPTIONS = frozenset({"caption", "figcaption"})
_PARTS = frozenset({"article", "main", "section", "blockquote"})
_META = {
    "author": "author",
    "article:author": "author",
    "dc.creator": "author",
    "dcterms.creator": "author",
    "citation_author": "author",
    "date": "date",
    "article:published_time": "date",
    "datepublished": "date",
    "dc.date": "date",
    "dcterms.date": "date",
    "dcterms.issued": "date",
    "citation_publication_date": "date",
    "keywords": "tags",
}
_LINKED = "application/ld+json"
_LONGEST_LINKED = 100_000


def read(source: Input) -> Iterator[Parsed]:
    """Read a web page: the text of <main>, else of the only <article> if it is most of the page, else of <body>.

    Navigation, headers and footers of the page, asides, controls of forms, scripts, what is hidden and what is struck
    are left out. The title is the first <h1>, else <title>. Raises Unreadable where the page is nested too deeply.
    """
    declared = _CHARSET.search(source.data[:4096])
    told = declared.group(1).decode("ascii") if declared else None
    # A page in which this can be read is not in two bytes a letter, whatever it says: browsers take it for UTF-8, too.
    charset = source.charset or ("utf-8" if told and told.lower().startswith("utf-16") else told)
    decoded = decode(source.data, charset=charset, encoding=source.encoding)
    root = tree_of(decoded.text)
    if root is None:
        yield Parsed(title_of_name(source.name), "")
        return
    body = root.find("body") if root.find("body") is not None else root
    content = _main(body)
    counts: Counter[str] = Counter()
    layout = Layout(_blocks(content, counts))
    heading = next((line for h1 in content.iter("h1") if (line := _inline(h1))), "")
    named = root.find(".//title")
    title = heading or (_inline(named) if named is not None else "") or title_of_name(source.name)
    metadata = _metadata(root)
    add_line(layout, metadata)
    said, blocks = notes(decoded.note, *left_out(counts)), tuple(layout.blocks)
    yield Parsed(one_line(normalise(title)), layout.text, notes=said, metadata=metadata, blocks=blocks)


def _metadata(root: Any) -> Json:
    """What the page's head says of it: author, date, tags, language."""
    found: Json = {}
    names: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = meta.get("name") or meta.get("property") or meta.get("itemprop") or ""
        key = _META.get(name.strip().lower())
        value = one_line(normalise(meta.get("content") or ""))
        if key == "author" and value and key in found and names.get(key) == name and "://" not in value:
            found[key] += f"{';' if ',' in value else ','} {value}"  # a line for each of several
        elif key and value and "://" not in value:
            names.setdefault(key, name)
            found.setdefault(key, tags_of(value) if key == "tags" else value)
    for key, value in _linked_data(root):
        found.setdefault(key, value)
    if language := one_line(root.get("lang") or "", 40):
        found["language"] = language
    return found


def _linked_data(root: Any) -> Iterator[tuple[str, str]]:
    """Author and date of publication in the page's linked data (JSON-LD with the words of schema.org)."""
    for script in root.iter("script"):
        written = (script.text or "").strip()
        if script.get("type", "").strip().lower() != _LINKED or len(written) > _LONGEST_LINKED:
            continue
        try:
            told = json.loads(written)
        except (ValueError, RecursionError):
            continue
        items = told if isinstance(told, list) else [told]
        items = [*items, *(one for item in items if isinstance(item, dict) for one in _several(item.get("@graph")))]
        for item in filter(lambda one: isinstance(one, dict), items):
            names = [one.get("name") if isinstance(one, dict) else one for one in _several(item.get("author"))]
            author = ", ".join(name for name in names if isinstance(name, str) and "://" not in name)
            for key, value in (("author", author), ("date", item.get("datePublished"))):
                if isinstance(value, str) and value.strip():
                    yield key, one_line(normalise(value))


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def text_of_html(markup: str) -> str:
    """The text of a piece of markup, block by block."""
    return text_of(blocks_of_html(markup))


def plain(text: str) -> str:
    """The text of a value that is a piece of a web page, any other as it is; the tree is built in this process."""
    return (text_of_html(text) or text) if is_markup(text) else without_signs(text)


def blocks_of_html(markup: str) -> list[Draft]:
    """The blocks of a piece of markup."""
    return blocks_of_tree(tree_of(markup))


def blocks_of_tree(root: Any) -> list[Draft]:
    """The blocks of a tree; none where there is none."""
    return [] if root is None else _blocks(root, Counter())


def tree_of(markup: str) -> Any:
    """The tree of a page with what styles, forms and links say in tags and places; None where it is empty.

    Raises Unreadable where it is nested too deeply.
    """
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
    if root is not None:
        open_folds(root)
        fill(root)
        tell_by_tags(root)
        _open_frames(root)
        place_notes(root)
    return root


def _open_frames(root: Any) -> None:
    """Put the page that a frame has in itself in the frame's place."""
    from lxml import etree

    for frame in list(root.iter("iframe")):
        if within := (frame.get("srcdoc") or "").strip():
            inner = etree.fromstring(f"<div>{within}</div>", etree.HTMLParser(no_network=True, remove_comments=True))
            frame.tag = "div"
            frame.text = None
            frame.extend([] if inner is None else list(inner))


def _main(body: Any) -> Any:
    """The element with the content; a <main> or <article> that holds next to nothing is a frame for something else.

    So is an <article> without the title beside which more is told than in it: a card, or what a customer says.
    """
    mains = [e for e in body.iter("main", "div", "section") if e.tag == "main" or e.get("role") == "main"]
    articles = list(body.iter("article"))
    for found in (mains[:1], articles if len(articles) == 1 else []):
        for element in found:
            size = _size(element)
            has_title = element.find(".//h1") is not None
            if has_title or (size >= _LEAST_MAIN and (element.tag != "article" or size >= _beside(body, element))):
                return element
    return body


def _size(element: Any) -> int:
    return len(" ".join("".join(element.itertext()).split()))


def _beside(body: Any, article: Any) -> int:
    """How much the paragraphs say that are neither in an article nor around the page."""
    within = {article, *article.iter("p")}
    found = islice(body.iter("p"), _MOST_BESIDE)
    beside = (one for one in found if one not in within and next(one.iterancestors(*_AROUND), None) is None)
    return sum(map(_size, beside))


class _Writer:
    """The blocks of a page, put together from the runs of text in it."""

    def __init__(self) -> None:
        self.blocks: list[Draft] = []
        self.run: list[str] = []
        self.items: list[str] = []
        self.terms: list[str] = []
        self.explained = False
        self.pending = False
        self.lists: list[tuple[list[str], bool]] = []
        self._in_terms = 0
        self._in_captions = 0
        self._heading_from = 0

    def flush(self) -> str:
        """End the block, and return it."""
        lines = (" ".join(part.split()) for part in "".join(self.run).split("\0"))
        self.run.clear()
        block = "\n".join(filter(None, lines))
        if block:
            kind: BlockKind = "caption" if self._in_captions else "paragraph"
            level = 0
            if self.pending:
                block = pair(", ".join(self.terms), block)
                for terms, _ in self.lists[: -_MOST_LISTS - 1 : -1]:
                    block = pair(", ".join(terms), block) if terms else block
                self.pending, self.explained = False, True
                kind = "pair"
            elif self.items:
                if not self.items[-1]:
                    self.items[-1] = block
                    block = nested(self.items[:-1], block)
                if kind == "paragraph":
                    kind, level = "item", len(self.items) - 1
            self.blocks.append(Draft(block, kind, level))
        return block

    def open(self, tag: str) -> None:
        """An element begins."""
        before = self.flush() if tag in _BLOCKS else ""
        if before and self._in_terms and tag in _PAIRED:
            self.terms.append(self.blocks.pop().text)  # a term that was not closed
        if tag == "br":
            self.run.append("\0")
        elif tag in _APART_IN_LINE:
            self.run.append(" ")
        elif tag in HEADINGS:
            self._heading_from = len(self.blocks)
        elif tag == "li":
            self.items.append("")
        elif tag in {"dl", "details"}:
            self.lists.append((self.terms, self.explained))
            self.terms, self.explained, self.pending = [], False, False
        elif tag in {"dt", "summary"} and self.explained:
            self.terms, self.explained = [], False
        elif tag == "dd":
            self.pending = bool(self.terms)
        self._in_captions += tag in _CAPTIONS
        self._in_terms += tag == "dt"

    def tell_notes(self, start: int) -> None:
        """The blocks from ``start`` on are those of a note."""
        self.flush()
        for at, draft in enumerate(self.blocks[start:], start):
            if draft.kind in {"paragraph", "item"}:
                self.blocks[at] = Draft(draft.text, "note")

    def close(self, tag: str) -> None:
        """An element ends."""
        self._in_terms -= tag == "dt"
        block = self.flush() if tag in _BLOCKS else ""
        self._in_captions = max(0, self._in_captions - (tag in _CAPTIONS))  # one that is left out only ends
        if tag in HEADINGS:
            # Some write <h2><button>…</button></h2>, so that a fold opens, and editors <h2><div>…</div></h2>.
            for at, draft in enumerate(self.blocks[self._heading_from :], self._heading_from):
                if draft.kind in {"paragraph", "pair", "item"}:
                    self.blocks[at] = Draft(draft.text, "heading", int(tag[1]))
            self._heading_from = len(self.blocks)
        elif tag == "time":
            self.run.append(" ")
        if tag == "li" and self.items:
            self.items.pop()
        elif tag in {"dt", "summary"} and block:
            self.terms.append(self.blocks.pop().text)
            self.pending = tag == "summary"
        elif tag in {"dl", "details"}:
            self.blocks.extend(map(Draft, self.terms if not self.explained else []))
            within = self.explained
            self.terms, self.explained = self.lists.pop() if self.lists else ([], False)
            self.explained, self.pending = self.explained or (within and bool(self.terms)), False


def _blocks(root: Any, counts: Counter[str]) -> list[Draft]:
    """The blocks under ``root``; iterative, as trees may be very deep.

    ``counts`` gains what is left out though the author wrote it.
    """
    from lxml import etree

    writer = _Writer()
    notes_from: list[tuple[Any, int]] = []
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "end":
            writer.close(tag)
            if notes_from and notes_from[-1][0] is element:
                writer.tell_notes(notes_from.pop()[1])
            if element is not root:
                writer.run.append(element.tail or "")
            continue
        if element is not root and (why := _left_out(element)):
            counts[why] += why in {STRUCK, HIDDEN}
            walk.skip_subtree()
            continue
        writer.open(tag)
        if tag == "aside" and element.get("role") == NOTE_ROLE:
            notes_from.append((element, len(writer.blocks)))
        if tag == "pre":
            writer.blocks.append(Draft(_visible(element), "code" if _is_code(element) else "paragraph"))
            walk.skip_subtree()
        elif tag == "sup":
            writer.run.append(_raised(element))
            walk.skip_subtree()
        elif tag == "math":
            writer.run.append(mathml(element))
            walk.skip_subtree()
        elif tag == "img":
            writer.run.append(_formula_of(element))
        elif tag == "table" and (rows := _rows(element)):
            writer.blocks.extend(rows)
            walk.skip_subtree()
        else:
            writer.run.append(element.text or "")
    writer.flush()
    return writer.blocks


def _formula_of(picture: Any) -> str:
    """The formula that a picture shows; "" for any other picture, and where the formula itself stands beside it."""
    named, around = picture.get("class") or "", picture.getparent()
    if not _FORMULA.search(named) or (
        around is not None and around.tag == "span" and around.find(".//math") is not None
    ):
        return ""
    return picture.get("alt") or ""


def _is_code(element: Any) -> bool:
    """Whether a stretch that keeps its spaces is code; it may be verse, or an old letter."""
    named = " ".join(element.get("class") or "" for element in (element, element.getparent()) if element is not None)
    return element.find(".//code") is not None or bool(_CODE_CLASS.search(named))


def _raised(element: Any) -> str:
    """Raised text, readable on its line; "" for the mark of a note."""
    text = "".join(element.itertext())
    around = next(element.iterancestors("a"), None)
    link = (
        element.find(".//a[@href]") if around is None or "".join(around.itertext()).strip() != text.strip() else around
    )
    return "" if (link is not None and "#" in link.get("href", "")) or is_reference(text) else raised(text.strip())


def _left_out(element: Any) -> str:
    """Why an element is left out; "" where it is not."""
    tag = element.tag
    if not isinstance(tag, str) or tag in _LEFT_OUT:
        return "page"
    if tag in _STRUCK:
        return STRUCK
    if (apart := _APART.get(tag)) and not apart(element):
        return "page"
    if tag in {"header", "footer"}:
        # Those of the page are its navigation and imprint; those of an article have its heading and byline.
        in_part = any(above.tag in _PARTS for above in element.iterancestors())
        return "" if in_part or (tag == "header" and element.find(".//h1") is not None) else "page"
    attributes = element.attrib
    if not attributes:
        return ""
    named = f"{attributes.get('class', '')} {attributes.get('id', '')}"[:_LONGEST_NAME].lower().split()
    if not _LEFT_OUT_CLASSES.isdisjoint(named) or (not _WAYS.isdisjoint(named) and _is_links(element)):
        return "page"
    style = attributes.get("style", "")[:2000]
    if "hidden" in attributes or HIDDEN_STYLE.search(style):
        return "" if element.find("math") is not None else HIDDEN  # it is shown as a picture, and told to who hears it
    return "page" if attributes.get("aria-hidden") == "true" or attributes.get("role") in _LEFT_OUT_ROLES else ""


def _is_links(element: Any) -> bool:
    """Whether an element holds several links, and hardly a word besides."""
    inside = list(islice(element.iter(), _MOST_WAYS))
    if len(inside) == _MOST_WAYS or element.find(".//h1") is not None:
        return False
    links = [" ".join("".join(one.itertext()).split()) for one in inside if one.tag == "a"]
    words = " ".join("".join(element.itertext()).split())
    return len(links) > 1 and 5 * sum(map(len, links)) >= 4 * len(words)


def _form_has_content(form: Any) -> bool:
    """Whether a page lies in a form, or one tells something; a form that is nothing else has controls and labels."""
    if any(form.find(f".//{content}") is not None for content in _CONTENT):
        return True
    beside = form.xpath(".//text()[not(ancestor::button or ancestor::select or ancestor::script or ancestor::style)]")
    return len(" ".join(beside).split()) >= _LEAST_WORDS


def _aside_has_content(aside: Any) -> bool:
    """Whether an aside is a note or a warning, or belongs to a part of the page and is no list of links."""
    told = [aside.get(name) or "" for name in ("role", "class", "epub:type")]
    if any("note" in one or "admonition" in one for one in told):
        return True
    in_part = any(above.tag in _PARTS for above in aside.iterancestors())
    linked = sum(len("".join(link.itertext())) for link in aside.iter("a"))
    words = "".join(aside.itertext()).split()
    return in_part and len(words) >= _LEAST_WORDS and 2 * linked < len(" ".join(words))


def _button_has_content(button: Any) -> bool:
    """Whether a button is what a part folds out under: a heading, or a question."""
    in_heading = any(above.tag in HEADINGS for above in button.iterancestors())
    return in_heading or asks("".join(button.itertext()))


def _links_to_content(link: Any) -> bool:
    """Whether a link has words: one to a place on the page that is a mere sign leads to a note, or back from it."""
    if is_note_mark(link):
        return False
    return not (link.get("href") or "").startswith("#") or any(map(str.isalnum, "".join(link.itertext())))


def _is_no_list_of_languages(element: Any) -> bool:
    """Whether a list has anything but links to the same page in other languages."""
    links = list(element.iter("a"))
    return not (len(links) >= _LEAST_LANGUAGES and all(link.get("hreflang") for link in links))


_APART: dict[str, Callable[[Any], bool]] = {
    "form": _form_has_content,
    "aside": _aside_has_content,
    "button": _button_has_content,
    "a": _links_to_content,
    "ul": _is_no_list_of_languages,
    "ol": _is_no_list_of_languages,
}
"""What is content in some places and for finding one's way in others."""


def _rows(table: Any) -> list[Draft]:
    """The rows of a table of data; none for a table that only lays out the page."""
    own = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    is_data = bool(own) and len(own[0]) > 1 and all(cell.tag == "th" for cell in own[0])
    if (table.find(".//table") is not None and not is_data) or table.get("role") in {"presentation", "none"}:
        return []
    caption = table.find("caption")
    above = [] if caption is None else [Draft(_inline(caption), "caption")]
    shown = [row for row in own if not _left_out(row)]
    left = Counter(row.getparent() for row in shown)
    rows = []
    for row in shown:
        rows.append([_cell(cell, left[row.getparent()]) for cell in row if cell.tag in {"th", "td"}])
        left[row.getparent()] -= 1
    if max(map(len, rows), default=0) < 2:
        return []
    return above + table_blocks(rows)


def _cell(element: Any, most_rows: int) -> Cell:
    """A cell; none reaches further than the part of the table (head, body, foot) that it is in."""
    spans = [count_of(element.get(name)) for name in ("colspan", "rowspan")]
    spans[1] = min(spans[1] or most_rows, most_rows)
    is_head = element.tag == "th" or (element.getparent().getparent().tag == "thead")
    text = "" if _left_out(element) else "\n\n".join(one.text for one in _blocks(element, Counter()))
    return Cell(text, spans[0], spans[1], is_head)


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
            if node.tag in {"sup", "math"}:
                parts.append(_raised(node) if node.tag == "sup" else mathml(node))
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
