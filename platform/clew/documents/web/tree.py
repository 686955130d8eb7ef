"""The tree of a web page, forms filled in."""

from __future__ import annotations

from typing import Any

from clew.documents.parsed import Unreadable
from clew.documents.web.forms import fill


def tree_of(markup: str) -> Any:
    """The tree of a page, forms and frames filled in, if any.

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
        fill(root)
    return root
