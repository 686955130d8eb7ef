"""Web pages: the main content as paragraphs, without what surrounds it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from clew.documents.blocks import Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.marks import left_out
from clew.documents.metadata import add_line
from clew.documents.parsed import Parsed, notes, title_of_name
from clew.documents.web.blocks import blocks_under
from clew.documents.web.inline import inline
from clew.documents.web.main_content import main_part
from clew.documents.web.metadata import metadata_of
from clew.documents.web.tree import tree_of
from clew.text.normalise import normalise, one_line

_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)


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
    content = main_part(body)
    counts: Counter[str] = Counter()
    layout = Layout(blocks_under(content, counts))
    heading = next((line for h1 in content.iter("h1") if (line := inline(h1))), "")
    named = root.find(".//title")
    title = heading or (inline(named) if named is not None else "") or title_of_name(source.name)
    metadata = metadata_of(root)
    add_line(layout, metadata)
    said, blocks = notes(decoded.note, *left_out(counts)), tuple(layout.blocks)
    yield Parsed(one_line(normalise(title)), layout.text, notes=said, metadata=metadata, blocks=blocks)


FORMAT = Format(
    "html",
    "a web page",
    "text/html",
    read,
    endings=("htm", "xhtml"),
    media_types=("application/xhtml+xml",),
)
