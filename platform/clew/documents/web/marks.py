"""What a web page says by styles, roles and links, said by tags: struck and raised text, tables, the marks of notes."""

from __future__ import annotations

import re
from typing import Any

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = frozenset(HEADINGS) | frozenset(
    "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?;?", re.IGNORECASE)

_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{0,2000})\}")
_SELECTOR = re.compile(r"([a-z][a-z0-9]{0,10})?\.(-?[A-Za-z_][\w-]{0,60})")
_STYLES = {
    "s": re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE),
    "sup": re.compile(r"vertical-align\s*:\s*super\b", re.IGNORECASE),
}
"""The tags that say the same as a style."""
_STYLED = frozenset({"span", "font", "a", "b", "i", "em", "strong", "small", "u", "code", "td", "th", "p", "li", "div"})
_ROLES = {
    "table": "table",
    "grid": "table",
    "row": "tr",
    "cell": "td",
    "gridcell": "td",
    "rowheader": "th",
    "columnheader": "th",
}
_LONGEST_SHEET = 100_000
_LONGEST_STYLE = 2000
_MARK = re.compile(r"\s*[\[(]?(?:\d{1,3}|[a-z]|[*†‡§]+)[\])]?\s*")
_NOTE = re.compile(r"note|\bfn\b", re.IGNORECASE)


def tell_by_tags(root: Any) -> None:
    """Give what a style strikes or raises the tag that does so, and the parts of a table by roles those of a table.

    Of style sheets, rules count that name one class ("`.old`", "`span.old, .was`").
    """
    classes = _classes(root)
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag in {"div", "span"} and (tag := _ROLES.get(element.get("role", ""))):
            element.tag = tag
            continue
        named = (element.get("class") or "").split()
        style = (element.get("style") or "")[:_LONGEST_STYLE]
        if not (named or style) or element.tag not in _STYLED:
            continue
        for tag, pattern in _STYLES.items():
            by_class = any((within, name) in classes[tag] for name in named for within in ("", element.tag))
            if by_class or pattern.search(style):
                _wrap(element, tag)
                break


def is_note_mark(link: Any) -> bool:
    """Whether a link is the mark of a note: a number or a sign that leads to one, by its role, class or address."""
    told = " ".join(link.get(name) or "" for name in ("role", "class", "rel", "epub:type"))
    href = link.get("href") or ""
    if "#" not in href or not _MARK.fullmatch("".join(link.itertext())):
        return False
    return bool(_NOTE.search(told) or (href.startswith("#") and _NOTE.search(href[1:].replace("_", " "))))


def _classes(root: Any) -> dict[str, set[tuple[str, str]]]:
    """For each tag the classes whose style says the same, each with the tag that its rule is for, "" for any."""
    found: dict[str, set[tuple[str, str]]] = {tag: set() for tag in _STYLES}
    for sheet in root.iter("style"):
        for selectors, body in _RULE.findall((sheet.text or "")[:_LONGEST_SHEET]):
            for tag, pattern in _STYLES.items():
                if pattern.search(body):
                    named = (_SELECTOR.fullmatch(one.strip()) for one in selectors.split(","))
                    found[tag] |= {(match[1] or "", match[2]) for match in named if match}
    return found


def _wrap(element: Any, tag: str) -> None:
    """Put all that is in an element into one of its own within it."""
    inner = element.makeelement(tag)
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    element.append(inner)
