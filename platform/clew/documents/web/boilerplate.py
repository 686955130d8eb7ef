"""What of a web page is left out: what is for finding one's way, what is hidden, and what is struck."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from clew.documents.marks import HIDDEN, STRUCK
from clew.documents.web.marks import HEADINGS, HIDDEN_STYLE, is_note_mark
from clew.text.sentences import asks

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
_CONSENT = re.compile(
    r"(?:cookies?|consent|gdpr|privacy)[-_]?(?:banner|bar|box|notice|notification|popup|overlay|dialog|modal|message|"
    r"info|hint|layer|wall|warning|alert|manager|widget|root|container|sdk)|^(?:onetrust|cookiebot|cybotcookiebot|"
    r"usercentrics|didomi|truste|cc-(?:window|banner))"
)
"""What pages and the most common programs for it call the question whether one may be watched."""
_LONGEST_CONSENT = 5_000
_MOST_WAYS = 500
"""Elements of such a part, at most."""
_LONGEST_NAME = 500
_LEAST_LANGUAGES = 3
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
    if any(map(_CONSENT.search, named)) and _is_short(element):
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


def _is_short(element: Any) -> bool:
    """Whether an element is no whole page: some give the page the class that makes room for a banner."""
    size = 0
    for text in element.itertext():
        size += len(text)
        if size > _LONGEST_CONSENT:
            return False
    return element.tag not in {"html", "body", "main"} and element.find(".//h1") is None


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
