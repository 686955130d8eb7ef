"""Values that hold a piece of a web page, as exports of shops, feeds and help desks have them."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"<(p|div|ul|ol|li|h[1-6]|table|blockquote|section|article)(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_INLINE = re.compile(r"<(a|b|i|u|em|strong|span|sup|sub|small)(?:\s[^<>]{0,500})?>[^<]{1,1000}</\1\s?>", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:amp|nbsp|quot|lt|gt|[lr][sd]quo|[mn]dash|hellip|[aeiouc](?:acute|grave|uml|circ)|#\d{2,5});")
_CODE = "`"


def is_markup(text: str) -> bool:
    """Whether a text is a piece of a web page: an element with its end, a break, or a named sign.

    Where it quotes code (Markdown's ticks), it speaks of markup and has none.
    """
    if ("<" not in text and "&" not in text) or _CODE in text:
        return False
    if _BREAK.search(text) or _INLINE.search(text) or _ENTITY.search(text):
        return True
    return any(f"</{element[1]}" in text[element.end() :] for element in _first_of_each(text))


def _first_of_each(text: str) -> list[re.Match[str]]:
    found: dict[str, re.Match[str]] = {}
    for element in _BLOCK.finditer(text):
        found.setdefault(element[1], element)
    return list(found.values())
