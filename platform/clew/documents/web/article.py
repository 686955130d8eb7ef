"""The article of a whole web page, found by trafilatura.

Barbaresi (2021), "Trafilatura: A Web Scraping Library and Command-Line Tool for Text Discovery and Extraction".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean as mean
from typing import Any

from clew.documents.blocks import Draft

_LEAST_LINKS = 15
"""Links to other pages from which a page has navigation around its content."""
_LEAST_ARTICLE = 200
"""Characters of an article, at least; what is shorter was not found."""
_GRAM = 12
"""Characters that are compared at once, without spaces."""
_PARTS = ("p", "head", "item", "cell", "quote", "code")
"""What trafilatura calls the parts of a text (TEI)."""
_COVERED = 0.6
"""The share of a block that the article holds, at least."""
_JOINED = frozenset({"pair", "item"})
_JOINT = ": "
"""What stands between a term and its meaning, or an item and its parents."""
_MOST_BETWEEN, _LONG = 2, 80
"""Blocks between two of the article that are of it, too, at most: headings, and paragraphs of so many characters."""


def has_navigation(root: Any) -> bool:
    """Whether a page links to many others, as sites do."""
    return sum(not link.strip().startswith("#") for link in root.xpath(".//a/@href")) >= _LEAST_LINKS


def article_blocks(markup: str, blocks: Sequence[Draft], lead: str = "") -> list[Draft]:
    """The blocks of a page that are its article, if any; its ``lead`` is how the page describes itself."""
    text, lines = _article(markup)
    if len(text) < _LEAST_ARTICLE:
        return []
    grams = {*_grams(text), *_grams(_squeezed(lead))}

    def covered(piece: str) -> float:
        found = [gram in grams for gram in _grams(piece)]
        return len(piece) * (mean(found) if found else piece in lines)

    kept: list[bool] = []
    for block in blocks:
        pieces = [cell.text for cell in block.cells] or (
            block.text.split(_JOINT) if block.kind in _JOINED else [block.text]
        )
        squeezed = [_squeezed(piece) for piece in pieces]
        kept.append(sum(map(covered, squeezed)) >= _COVERED * sum(map(len, squeezed)) > 0)
    places = [at for at, is_kept in enumerate(kept) if is_kept]
    for before, after in pairwise(places):
        if after - before <= _MOST_BETWEEN + 1:
            for at in range(before + 1, after):
                kept[at] = blocks[at].kind == "heading" or len(blocks[at].text) >= _LONG
    return [block for block, is_kept in zip(blocks, kept, strict=True) if is_kept]


def _article(markup: str) -> tuple[str, set[str]]:
    """The text of the article and those of its parts, without spaces; nothing where there is no article."""
    import trafilatura

    try:
        document = trafilatura.bare_extraction(markup, favor_recall=True, include_comments=False)
    except Exception:  # of a page that it cannot take apart everything is read
        return "", set()
    body: Any = getattr(document, "body", None)
    if body is None:
        return "", set()
    return _squeezed("".join(body.itertext())), {_squeezed("".join(part.itertext())) for part in body.iter(_PARTS)}


def _grams(text: str) -> Iterator[str]:
    return (text[at : at + _GRAM] for at in range(len(text) - _GRAM + 1))


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold().rstrip(".:")
