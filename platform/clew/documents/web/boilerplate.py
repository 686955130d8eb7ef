"""Boilerplate: navigation, hidden and struck parts of a web page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from clew.documents.marks import HIDDEN, STRUCK
from clew.documents.web.tags import HEADINGS
from clew.text.sentences import asks

_LEFT_OUT = frozenset(
    "script style noscript template nav select option textarea input iframe object embed svg "
    "canvas audio video map head dialog menu rt rp annotation annotation-xml".split()
)
_LEFT_OUT_ROLES = {"navigation", "banner", "contentinfo", "complementary", "search", "alert", "dialog", "menu"} | {
    "doc-noteref",
    "doc-backlink",
}
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?;?", re.IGNORECASE)
_STRUCK = frozenset({"del", "s", "strike"})
_CONTENT = ("h1", "h2", "h3", "p", "table", "article", "main")
_LEAST_WORDS = 4
"""Words from which a form has more than its controls, and an aside tells something."""
_PARTS = frozenset({"article", "main", "section", "blockquote"})


def left_out_for(element: Any) -> str:
    """Why an element is left out; "" where it is not."""
    tag = element.tag
    if not isinstance(tag, str) or tag in _LEFT_OUT:
        return "page"
    if tag in _STRUCK:
        return STRUCK
    if (has_content := _CONTENT_IF.get(tag)) and not has_content(element):
        return "page"
    if tag in {"header", "footer"}:
        # Those of the page are its navigation and imprint; those of an article have its heading and byline.
        in_part = any(above.tag in _PARTS for above in element.iterancestors())
        return "" if in_part or (tag == "header" and element.find(".//h1") is not None) else "page"
    attributes = element.attrib
    if not attributes:
        return ""
    style = attributes.get("style", "")[:2000]
    if "line-through" in style:
        return STRUCK
    if "hidden" in attributes or _HIDDEN_STYLE.search(style):
        return "" if element.find("math") is not None else HIDDEN  # it is shown as a picture, and read to who hears it
    is_note_mark = attributes.get("epub:type") == "noteref"
    is_frame = attributes.get("aria-hidden") == "true" or attributes.get("role") in _LEFT_OUT_ROLES
    return "page" if is_frame or is_note_mark else ""


def _form_has_content(form: Any) -> bool:
    """Whether a page lies in a form, or one tells something; a form that is nothing else has controls and labels."""
    if any(form.find(f".//{content}") is not None for content in _CONTENT):
        return True
    beside = form.xpath(".//text()[not(ancestor::button or ancestor::select or ancestor::script or ancestor::style)]")
    return len(" ".join(beside).split()) >= _LEAST_WORDS


def _aside_has_content(aside: Any) -> bool:
    """Whether an aside is a note or a warning, or belongs to a part of the page and is no list of links."""
    marks = [aside.get(name) or "" for name in ("role", "class", "epub:type")]
    if any("note" in one or "admonition" in one for one in marks):
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
    return not (link.get("href") or "").startswith("#") or any(map(str.isalnum, "".join(link.itertext())))


_CONTENT_IF: dict[str, Callable[[Any], bool]] = {
    "form": _form_has_content,
    "aside": _aside_has_content,
    "button": _button_has_content,
    "a": _links_to_content,
}
"""What is content in some places and for finding one's way in others."""
