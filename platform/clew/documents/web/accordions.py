"""What a web page hides until somebody opens it: tabs and folds are content, menus and dialogs are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from clew.documents.web.marks import HEADINGS, HIDDEN_STYLE

_FOLD = re.compile(r"(?:^|[\s_-])(?:tab(?:content|panel|pane)?|accordion|collaps\w*|faq)(?=$|[\s_-])", re.IGNORECASE)
"""What pages call a part that opens, where none of its attributes tells what opens it."""
_ABOVE = re.compile(
    r"modal|dialog|pop-?(?:up|over)|overlay|cookie|consent|drop-?down|off-?canvas|menu|nav|tooltip|search|log-?in",
    re.IGNORECASE,
)
"""What they call what opens above the page, and is not of it."""
_PANEL_ROLES = frozenset({"", "tabpanel", "region", "group", "none", "presentation"})
_PARTS = frozenset({"div", "section", "article", "dd", "li", "ul", "ol", "dl", "p", "table", "tr", "aside"})
_LEAST_WORDS = 2
_MOST_PARTS = 2_000
_LONGEST_TOLD = 500


def open_folds(root: Any) -> None:
    """Show what tabs and folds hide, and the names of the buttons that open them."""
    hidden = [element for element in root.iter() if element.tag in _PARTS and _is_hidden(element)]
    if not hidden:
        return
    openers: dict[str, Any] = {}
    for element in root.iter("a", "button", "div", "span", "li", "h2", "h3", "h4", "h5", "h6", "dt"):
        for name in _opens(element):
            openers.setdefault(name, element)
    for element in hidden:
        opener = openers.get(element.get("id", ""))
        if not _is_fold(element, opener):
            continue
        for name in ("hidden", "aria-hidden"):
            element.attrib.pop(name, None)
        element.set("style", HIDDEN_STYLE.sub("", element.get("style", "")))
        if opener is not None and opener.tag == "button" and next(opener.iterancestors(*HEADINGS), None) is None:
            opener.tag = "p"  # a button is left out, but this one names what comes


def _is_hidden(element: Any) -> bool:
    return (
        "hidden" in element.attrib
        or element.get("aria-hidden") == "true"
        or bool(HIDDEN_STYLE.search(element.get("style", "")[:_LONGEST_TOLD]))
    )


def _opens(element: Any) -> Iterator[str]:
    """The ids of what an element opens, unless that is a menu or a dialog."""
    told = element.get("data-toggle") or element.get("data-bs-toggle") or ""
    if element.get("aria-haspopup", "false") != "false" or _ABOVE.search(told[:_LONGEST_TOLD]):
        return
    yield from element.get("aria-controls", "")[:_LONGEST_TOLD].split()
    for name in ("href", "data-target", "data-bs-target"):
        if (target := element.get(name, "")).startswith("#"):
            yield target[1:]


def _is_fold(element: Any, opener: Any) -> bool:
    """Whether a hidden part of a page is a tab or a fold, by its role, its class or what opens it."""
    role = element.get("role", "")
    named = f"{element.get('class', '')} {element.get('id', '')}"[:_LONGEST_TOLD]
    if role not in _PANEL_ROLES or element.get("aria-modal") or _ABOVE.search(named):
        return False
    if not (role == "tabpanel" or opener is not None or _FOLD.search(element.get("class", "")[:_LONGEST_TOLD])):
        return False
    words = sum(len((one.text or "").split()) for one in islice(element.iter(), _MOST_PARTS))
    return words >= _LEAST_WORDS
