"""Web pages: the main content as paragraphs, without what surrounds it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from clew.documents.blocks import Draft, Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.marks import left_out
from clew.documents.metadata import add_line
from clew.documents.parsed import Parsed, notes, title_of_name
from clew.documents.web.article import article_blocks, has_navigation
from clew.documents.web.blocks import blocks_under
from clew.documents.web.inline import inline
from clew.documents.web.metadata import metadata_of
from clew.documents.web.tree import tree_of
from clew.text.normalise import normalise, one_line

_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)

_LEAST_MAIN = 200


def read(source: Input) -> Iterator[Parsed]:
    """Read a web page: its article, its <main>, or all of it.

    Headers and footers of the page, asides, controls of forms, scripts, what is hidden and what is struck are left out.
    The title is the first <h1>, else <title>. Raises Unreadable where the page is nested too deeply.
    """
    declared = _CHARSET.search(source.data[:4096])
    label = declared.group(1).decode("ascii") if declared else None
    # A page in which this can be read is not in two bytes a letter, whatever it says: browsers take it for UTF-8, too.
    charset = source.charset or ("utf-8" if label and label.lower().startswith("utf-16") else label)
    decoded = decode(source.data, charset=charset, encoding=source.encoding)
    root = tree_of(decoded.text)
    if root is None:
        yield Parsed(title_of_name(source.name), "")
        return
    body = root.find("body") if root.find("body") is not None else root
    counts: Counter[str] = Counter()
    page = blocks_under(body, counts)
    lead = "".join(root.xpath("//meta[@name='description' or @property='og:description']/@content"))
    drafts = article_blocks(decoded.text, page, lead) if has_navigation(body) else []
    if drafts:
        counts["words around the article"] = _words(page) - _words(drafts)
    elif (content := _main_part(body)) is not body:
        counts.clear()
        drafts = blocks_under(content, counts)
    layout = Layout(drafts or page)
    heading = next((one.text for one in drafts if one.kind == "heading" and one.level == 1), "")
    heading = heading or next((line for h1 in body.iter("h1") if (line := inline(h1))), "")
    title = _title(root, heading) or title_of_name(source.name)
    metadata = metadata_of(root)
    add_line(layout, metadata)
    file_notes, blocks = notes(decoded.note, *left_out(counts)), tuple(layout.blocks)
    yield Parsed(one_line(normalise(title)), layout.text, notes=file_notes, metadata=metadata, blocks=blocks)


def _main_part(body: Any) -> Any:
    """The element with the content: <main> that holds some, or the only <article> with a title in it."""
    main = next((one for one in body.iter("main", "div", "section") if "main" in {one.tag, one.get("role")}), None)
    if main is not None and len(" ".join("".join(main.itertext()).split())) >= _LEAST_MAIN:
        return main
    titled = [one for one in body.iter("main", "article") if one.find(".//h1") is not None]
    return titled[0] if len(titled) == 1 else body


def _title(root: Any, heading: str) -> str:
    """The heading, or the page's title; a heading that <title> tells besides the article's own is the site's name."""
    found = root.find(".//title")
    named = inline(found) if found is not None else ""
    own = next((one_line(tag.get("content") or "") for tag in root.iterfind(".//meta[@property='og:title']")), "")
    is_of_site = own and own in named and heading in named and heading not in own
    return own if is_of_site else heading or named


def _words(blocks: Iterable[Draft]) -> int:
    return sum(len(block.text.split()) for block in blocks)


FORMAT = Format(
    "html", "a web page", "text/html", read, endings=("htm", "xhtml"), media_types=("application/xhtml+xml",)
)
