"""Values that hold a piece of a web page."""

from __future__ import annotations

import html
import re

_BLOCK = re.compile(r"<(p|div|ul|ol|li|h[1-6]|table|blockquote|section|article)(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_INLINE = re.compile(r"<(a|b|i|u|em|strong|span|small)(?:\s[^<>]{0,500})?>([^<]{1,1000})</\1\s?>", re.IGNORECASE)
_ENTITY = re.compile(
    r"&(?:amp|nbsp|quot|lt|gt|[lr][sd]quo|[mn]dash|hellip|[aeiouc](?:acute|grave|uml|circ|cedil)|#\d{2,5});",
    re.IGNORECASE,
)
_CODE = re.compile(r"```|`[^`\n]{0,300}<[^`\n]{0,300}`")
"""What quotes markup in place of having it, in the way of Markdown."""


def is_markup(text: str) -> bool:
    """Whether a text is a piece of a web page, not code."""
    if "<" not in text or _CODE.search(text):
        return False
    if _BREAK.search(text):
        return True
    lower = text.lower()
    first = {found[1].lower(): found.end() for found in reversed(list(_BLOCK.finditer(text)))}
    return any(lower.find(f"</{name}", end) >= 0 for name, end in first.items())


def without_signs(text: str) -> str:
    """Plain text without inline tags and named entities."""
    if ("<" not in text and "&" not in text) or _CODE.search(text):
        return text
    text = _INLINE.sub(r"\2", text)
    return _ENTITY.sub(lambda sign: html.unescape(sign[0]), text)
