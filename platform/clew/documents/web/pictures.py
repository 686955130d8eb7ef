"""Alternative text of a web page's pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from clew.documents.blocks import Draft
from clew.documents.pictures import picture_blocks
from clew.text.names import key

_NO_PICTURE = frozenset({"none", "presentation"})
_SMALLEST = 48
"""Dots of a side up to which a picture is a sign of the page."""
_DOTS = re.compile(r"(\d{1,5})(?:px)?")
_LARGER = re.compile(r"\.(?:avif|gif|jpe?g|png|svg|tiff?|webp)(?:[?#]|\Z)", re.IGNORECASE)
"""The address of the same picture, larger: a link to any other has it for its button."""


def described(picture: Any) -> list[Draft]:
    """The caption that the description of a picture gives."""
    link = next(picture.iterancestors("a"), None)
    leads_away = link is not None and link.get("href") and not _LARGER.search(link.get("href"))
    in_figure = next(picture.iterancestors("figure"), None) is not None
    if _is_sign(picture) or (leads_away and not in_figure):
        return []
    return picture_blocks(picture.get("alt"))


def with_pictures(blocks: Sequence[Draft], pictures: Sequence[tuple[int, Draft]]) -> list[Draft]:
    """The blocks with captions of pictures, each said once."""
    page_words = " ".join(f" {key(one.text)} " for one in blocks)
    captions: dict[str, tuple[int, Draft]] = {}
    for at, one in pictures:
        if f" {key(one.text)} " not in page_words:
            captions.setdefault(key(one.text), (at, one))
    found = list(blocks)
    for at, one in reversed(captions.values()):
        found.insert(at, one)
    return found


def _is_sign(picture: Any) -> bool:
    sides = (_DOTS.fullmatch((picture.get(name) or "").strip()) for name in ("width", "height"))
    return picture.get("role") in _NO_PICTURE or any(side and int(side[1]) <= _SMALLEST for side in sides)
