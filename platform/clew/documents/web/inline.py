"""Text within lines of a web page: raised figures and formulas."""

from __future__ import annotations

import unicodedata
from typing import Any

from clew.documents.formula import mathml
from clew.documents.marks import is_reference, raised
from clew.documents.web.boilerplate import left_out_for
from clew.documents.web.tags import BLOCKS

_CODE = ("code", "kbd", "samp", "pre")


def inline(element: Any) -> str:
    """All text inside an element on one line."""
    return " ".join(visible(element).split())


def visible(element: Any) -> str:
    """All text inside an element, line breaks and blocks kept apart."""
    from lxml import etree

    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            if node is not element and left_out_for(node):
                walk.skip_subtree()
                continue
            if node.tag in {"sup", "math"}:
                parts.append(raised_in(node) if node.tag == "sup" else mathml(node))
                walk.skip_subtree()
                continue
            if node.tag in BLOCKS or node.tag == "br":
                parts.append("\n")
            parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return "".join(parts).strip("\n")


def raised_in(element: Any) -> str:
    """Raised text on its line; "" for a note's mark."""
    text = "".join(element.itertext())
    around = next(element.iterancestors("a"), None)
    link = (
        element.find(".//a[@href]") if around is None or "".join(around.itertext()).strip() != text.strip() else around
    )
    return "" if (link is not None and "#" in link.get("href", "")) or is_reference(text) else raised(text.strip())


def stands_apart(element: Any, before: str) -> bool:
    """Whether only a style sheet parts a stretch from the last.

    A small letter is before it and a capital, a figure or a currency at its begin; code is written so as it is.
    """
    previous = element.getprevious()
    if previous is None or previous.tag != element.tag or (previous.tail or "") or not before[-1:].islower():
        return False
    first = next((text for text in element.itertext() if text.strip()), "")[:1]
    begins = first.isupper() or first.isdecimal() or unicodedata.category(first or " ") == "Sc"
    return begins and next(element.iterancestors(*_CODE), None) is None
